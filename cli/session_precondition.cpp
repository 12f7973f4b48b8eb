#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/core.h>

#include "cli/session_steps.h"
#include "cli/terminal.h"

namespace raidscope::cli {
namespace {

/// Longer than any filling; the bytes end it.
constexpr double no_limit_s = 30.0 * 86400;
/// Preconditioning visits other places than the first round, unless the content is checked by seed.
constexpr std::uint64_t seed_apart = 1'000'003;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Written in the measured window of a load without a ramp.
std::uint64_t written_bytes(const RunResult& result) {
  if (!result.bytes || result.bytes_per_s <= 0) return 0;
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(*result.bytes) *
                                                 result.write.bytes_per_s / result.bytes_per_s));
}

}  // namespace

RunOptions Session::run_options(const std::string& name, ProgressLine& line) {
  RunOptions options;
  options.engine = arguments_.get_or("engine", "");
  options.stop = &StopSignals::stop();
  if (write_budget_) options.write_budget = &*write_budget_;
  options.progress = [this, name, &line](const RunProgress& now) {
    line.show(fmt::format("{}: {}{:.0f} IOPS, {}/s, {:.2f} ms; {} left in all", name,
                          now.ramping ? "ramping, " : "", now.iops, size_words(now.bytes_per_s),
                          now.mean_us / 1000, duration_words(left_s_ - now.elapsed_s)));
  };
  return options;
}

Status Session::fill_targets() {
  const std::vector<const TargetExamination*> all = examinations();
  for (std::size_t i = 0; i < options_.targets.size(); ++i) {
    const std::string& name = options_.targets[i];
    auto fill = filling_workload(plan_.points, name, all[i]->info.size_bytes.value_or(0));
    if (!fill) continue;
    fill->duration_s = no_limit_s;
    if (!fill->verify) fill->seed = options_.seed.value_or(1) + seed_apart;
    const std::uint64_t total = fill->area_bytes * static_cast<std::uint64_t>(options_.fill_passes);
    note(arguments_, fmt::format("filling {}: {} {} of {}", name, options_.fill_passes,
                                 options_.fill_passes == 1 ? "pass" : "passes",
                                 size_words(static_cast<double>(fill->area_bytes))));
    std::atomic<std::int64_t> left{static_cast<std::int64_t>(total)};
    ProgressLine line(arguments_);
    RunOptions options = run_options("filling", line);
    options.consents = consents_;
    options.write_budget = &left;
    const auto begin = std::chrono::steady_clock::now();
    options.progress = [&](const RunProgress& now) {
      const double done = static_cast<double>(total) - static_cast<double>(left.load());
      const double rate = done / std::max(now.elapsed_s, 1e-3);
      line.show(
          fmt::format("filling {}: {} of {}, {} left", name, size_words(done),
                      size_words(static_cast<double>(total)),
                      rate > 0 ? duration_words(static_cast<double>(left.load()) / rate) : "?"));
    };
    wrote_before_ = true;
    RAIDSCOPE_CHECK(run_workload(*fill, options));
    const auto written = static_cast<std::int64_t>(total) - left.load();
    if (write_budget_) *write_budget_ -= written;
    if (StopSignals::stop())
      return fail(Errc::interrupted, "stopped while the target was filled", name,
                  "nothing was measured");
    if (left.load() != 0)
      return fail(Errc::io,
                  fmt::format("only {} of {} bytes were written while filling", written, total),
                  name, "nothing was measured");
    fill_.fill_s += seconds_since(begin);
    fill_.bytes_written += static_cast<std::uint64_t>(written);
    note(arguments_, fmt::format("filled {} in {}", name, duration_words(seconds_since(begin))));
  }
  fill_.fill_passes = options_.fill_passes;
  return Done{};
}

Status Session::precondition(const PlannedPoint& point) {
  if (!(options_.precondition_s > 0) || !writes(point)) return Done{};
  const std::string key = round_key(point.workload);
  if (preconditioned_.contains(key)) return Done{};
  Workload load = point.workload;
  load.ramp_s = 0;
  load.cooldown_s = 0;
  load.duration_s = options_.precondition_s;
  if (!load.verify) load.seed += seed_apart;
  note(arguments_, fmt::format("preconditioning for {}: at most {}, until it is steady", point.name,
                               duration_words(load.duration_s)));
  ProgressLine line(arguments_);
  RunOptions options = run_options("preconditioning", line);
  options.consents = consents_;
  options.until_steady = SteadyStateRules{};
  const auto begin = std::chrono::steady_clock::now();
  wrote_before_ = true;
  RAIDSCOPE_TRY(const RunResult result, run_workload(load, options));
  line.clear();
  left_s_ -= options_.precondition_s;
  if (StopSignals::stop())
    return fail(Errc::interrupted, "stopped while preconditioning", point.name);
  Preconditioning done;
  done.load_s = seconds_since(begin);
  done.steady = result.steady_state.reached.value_or(false);
  done.bytes_written = written_bytes(result);
  const std::string words = steady_words(result.steady_state, SteadyStateRules{});
  const std::string text = fmt::format(
      "preconditioned for {}: {} after {}, {} written{}{}", point.name,
      *done.steady ? "steady" : "not steady", duration_words(*done.load_s),
      size_words(static_cast<double>(done.bytes_written)), words.empty() ? "" : "; ", words);
  if (*done.steady)
    note(arguments_, text);
  else
    warn(text);
  preconditioned_.emplace(key, done);
  return Done{};
}

std::optional<Preconditioning> Session::preconditioning_before(const PlannedPoint& point) const {
  const auto found = preconditioned_.find(round_key(point.workload));
  if (found == preconditioned_.end() && fill_.fill_passes == 0) return std::nullopt;
  Preconditioning out = fill_;
  if (found == preconditioned_.end()) return out;
  out.load_s = found->second.load_s;
  out.steady = found->second.steady;
  out.bytes_written += found->second.bytes_written;
  return out;
}

}  // namespace raidscope::cli
