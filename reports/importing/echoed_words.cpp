#include "reports/importing/echoed_words.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "workloads/derived.h"
#include "workloads/syntax.h"

namespace raidscope::importing {
namespace {

/// Empty, or what of the output the words contradict.
std::string contradiction(const Workload& words, const Workload& output, const ToldByOutput& told) {
  if (told.shape && output.mix.empty() && words.mix.empty()) {
    if (words.block_bytes != output.block_bytes)
      return fmt::format("a block of {} bytes, not {}", words.block_bytes.front(),
                         output.block_bytes.empty() ? 0 : output.block_bytes.front());
    if (std::abs(words.read_percent - output.read_percent) > 1)
      return fmt::format("{} % reads, not {}", words.read_percent, output.read_percent);
    if (words.pattern != output.pattern && words.random_percent < 0)
      return fmt::format("{} requests, not {}", to_name(words.pattern), to_name(output.pattern));
  }
  if (told.load && words.outstanding_total != output.outstanding_total)
    return fmt::format("{}, not {}", outstanding_words(words), outstanding_words(output));
  return {};
}

/// Takes over what the output left at its default.
template <class T>
void fill(T& into, const T& from, const T& nothing) {
  if (into == nothing) into = from;
}

}  // namespace

bool complete_by_words(std::string_view syntax, const std::string& words, const ToldByOutput& told,
                       Workload& w) {
  const Syntax* grammar = find_syntax(syntax);
  if (grammar == nullptr) return false;
  const auto no_files = [](const std::string& name) -> Result<std::string> {
    return fail(Errc::not_found, "the file that the command names is not at hand", name);
  };
  const auto parsed = grammar->parse(words, no_files);
  if (!parsed) {
    w.warnings.push_back(
        fmt::format("the command that the output repeats could not be read ({}): the workload is "
                    "what the output tells by itself",
                    describe(parsed.error())));
    return false;
  }
  if (parsed->size() != 1) {
    w.warnings.push_back(
        fmt::format("the command that the output repeats describes {} workloads, "
                    "so none of them was taken",
                    parsed->size()));
    return false;
  }
  const Workload& by_words = parsed->front();
  if (const std::string other = contradiction(by_words, w, told); !other.empty()) {
    w.warnings.push_back(
        fmt::format("the command that the output repeats says {}: the output's own "
                    "figures stand, and nothing was taken from the command",
                    other));
    return false;
  }
  const Workload nothing;
  if (!told.shape && !told.load) {
    Workload whole = by_words;
    whole.name = w.name;
    whole.source = w.source;
    whole.warnings = w.warnings;
    if (w.duration_s > 0) whole.duration_s = w.duration_s;
    w = std::move(whole);
    return true;
  }
  if (!told.shape) {
    w.mix = by_words.mix;
    w.block_bytes = by_words.block_bytes;
    w.read_percent = by_words.read_percent;
    w.pattern = by_words.pattern;
    if (!w.mix.empty()) w.alignment_bytes = 0;
  }
  if (w.spread == nothing.spread && by_words.spread != nothing.spread) {
    w.spread = by_words.spread;
    w.skew = by_words.skew;
    w.hot_spots = by_words.hot_spots;
  }
  if (w.rate_iops == 0 && by_words.rate_iops > 0) {
    w.rate_iops = by_words.rate_iops;
    w.arrivals = by_words.arrivals;
  }
  if (w.think_us == 0 && by_words.think_us > 0) {
    w.think_us = by_words.think_us;
    w.burst = by_words.burst;
  }
  if (w.mix.empty()) fill(w.random_percent, by_words.random_percent, nothing.random_percent);
  if (w.mix.empty()) fill(w.alignment_bytes, by_words.alignment_bytes, std::uint64_t{0});
  fill(w.base_bytes, by_words.base_bytes, std::uint64_t{0});
  fill(w.area_bytes, by_words.area_bytes, std::uint64_t{0});
  fill(w.stride_bytes, by_words.stride_bytes, std::uint64_t{0});
  fill(w.worker_offset_bytes, by_words.worker_offset_bytes, std::uint64_t{0});
  fill(w.fsync_every, by_words.fsync_every, 0U);
  fill(w.trim_percent, by_words.trim_percent, 0);
  fill(w.compressible_percent, by_words.compressible_percent, 0);
  fill(w.duplicate_percent, by_words.duplicate_percent, 0);
  fill(w.ramp_s, by_words.ramp_s, 0.0);
  fill(w.cooldown_s, by_words.cooldown_s, 0.0);
  if (by_words.verify) w.verify = true;
  return true;
}

}  // namespace raidscope::importing
