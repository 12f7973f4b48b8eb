#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "workloads/derived.h"
#include "workloads/syntax.h"

namespace raidscope {

/// Any text: no crash; an error says where; and what was understood and can be printed comes back.
inline int fuzz_syntax(const char* id, const std::uint8_t* data, std::size_t size) {
  const Syntax* syntax = find_syntax(id);
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto files = [](const std::string& name) -> Result<std::string> {
    if (name.size() % 2 == 0) return "D:\\a.dat 4 0x0 100\n";
    return fail(Errc::not_found, "no such file", name);
  };
  const auto parsed = syntax->parse(text, files);
  if (!parsed) {
    if (parsed.error().where.empty() || parsed.error().message.empty()) std::abort();
    return 0;
  }
  if (parsed->empty()) std::abort();
  for (const Workload& w : *parsed) {
    if (w.outstanding_total != outstanding(w) || w.block_bytes.empty()) std::abort();
    if (w.read_percent < 0 || w.read_percent > 100) std::abort();
    const Printed printed = syntax->print(std::span<const Workload>(&w, 1));
    if (!printed.losses.empty()) continue;
    const auto back = syntax->parse(printed.text, files);
    if (!back || back->size() != 1) std::abort();
    const auto bare = [](Workload one) {
      one.name.clear();
      one.source.clear();
      one.warnings.clear();
      return canonical(std::move(one));
    };
    if (!(bare(back->front()) == bare(w))) std::abort();
  }
  return 0;
}

}  // namespace raidscope
