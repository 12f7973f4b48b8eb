#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "reports/import_format.h"

namespace raidscope::fuzzing {

/// Any bytes as one format: no crash, a refusal is malformed, and what was read holds together.
inline int import_as(std::string_view id, const std::uint8_t* data, std::size_t size) {
  const ImportFormat* format = find_import_format(id);
  if (format == nullptr) std::abort();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto file = read_results(bytes, "fuzz", format);
  if (!file) {
    if (file.error().code != Errc::malformed || file.error().message.empty()) std::abort();
    return 0;
  }
  if (file->runs.empty()) std::abort();
  for (const RunResult& run : file->runs) {
    if (!std::isfinite(run.iops) || run.iops < 0 || !std::isfinite(run.bytes_per_s)) std::abort();
    if (run.histogram.index.size() != run.histogram.count.size()) std::abort();
    if (id != "raidscope" && (run.origin != Origin::imported || !run.run_id.empty())) std::abort();
  }
  return 0;
}

}  // namespace raidscope::fuzzing
