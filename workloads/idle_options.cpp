#include "workloads/idle_options.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "workloads/workload_check.h"

namespace raidscope {
namespace {

bool has_sequential(const Workload& w) {
  if (w.mix.empty()) {
    return w.random_percent >= 0 ? w.random_percent < 100 : w.pattern == Pattern::sequential;
  }
  return std::any_of(w.mix.begin(), w.mix.end(),
                     [](const MixLine& line) { return line.random_percent < 100; });
}

bool has_random(const Workload& w) {
  if (w.mix.empty()) {
    return w.random_percent >= 0 ? w.random_percent > 0 : w.pattern == Pattern::random;
  }
  return std::any_of(w.mix.begin(), w.mix.end(),
                     [](const MixLine& line) { return line.random_percent > 0; });
}

struct IdleWhen {
  std::string_view option;
  bool (*asked)(const Workload& w);  ///< the option has a value that says something
  bool (*used)(const Workload& w);
  std::string_view why;
};

constexpr std::string_view all_random = "the requests are random";
constexpr std::string_view all_reads = "nothing is written";

constexpr IdleWhen rules[] = {
    {"--stride", [](const Workload& w) { return w.stride_bytes != 0; }, has_sequential, all_random},
    {"--cursor", [](const Workload&) { return true; }, has_sequential, all_random},
    {"--worker-offset", [](const Workload& w) { return w.worker_offset_bytes != 0; },
     has_sequential, all_random},
    {"--spread", [](const Workload& w) { return w.spread != Spread::uniform; }, has_random,
     "the requests are sequential"},
    {"--trim-percent", [](const Workload& w) { return w.trim_percent != 0; }, workload_writes,
     all_reads},
    {"--fsync-every", [](const Workload& w) { return w.fsync_every != 0; }, workload_writes,
     all_reads},
    {"--write-through", [](const Workload& w) { return w.sync != Sync::none; }, workload_writes,
     all_reads},
    {"--compressible", [](const Workload& w) { return w.compressible_percent != 0; },
     workload_writes, all_reads},
    {"--duplicate", [](const Workload& w) { return w.duplicate_percent != 0; }, workload_writes,
     all_reads},
    {"--poll", [](const Workload& w) { return w.poll; }, [](const Workload& w) { return w.direct; },
     "completions of buffered requests cannot be polled for"},
};

bool was_given(const PlanOptions& options, std::string_view name) {
  if (name == "--cursor" && options.cursor) return true;
  if (name == "--write-through" && options.sync) return true;
  return std::any_of(options.settings.begin(), options.settings.end(),
                     [name](const WorkloadSetting& setting) { return setting.name == name; });
}

}  // namespace

std::vector<std::string> idle_options(const PlanOptions& options,
                                      std::span<const Workload> points) {
  std::vector<std::string> out;
  for (const IdleWhen& rule : rules) {
    // Another tool's words may ask for it too.
    const bool named = was_given(options, rule.option) || !options.base.empty();
    const bool asked = std::any_of(points.begin(), points.end(), rule.asked);
    const bool plain_cursor = rule.option == "--cursor" && !was_given(options, rule.option);
    if (!named || !asked || plain_cursor ||
        std::any_of(points.begin(), points.end(),
                    [&](const Workload& w) { return rule.asked(w) && rule.used(w); }))
      continue;
    out.push_back(fmt::format("{} does nothing: {}", rule.option, rule.why));
  }
  return out;
}

}  // namespace raidscope
