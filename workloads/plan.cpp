#include "workloads/plan.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "workloads/derived.h"
#include "workloads/idle_options.h"
#include "workloads/native_syntax.h"
#include "workloads/quantities.h"
#include "workloads/syntax.h"
#include "workloads/workload_check.h"

namespace raidscope {
namespace {

constexpr std::uint64_t fill_block_bytes = 1U << 20U;

template <class T>
std::vector<T> or_default(const std::vector<T>& given, T value) {
  return given.empty() ? std::vector<T>{value} : given;
}

/// The points of one round, without targets' sizes in view.
Result<std::vector<Workload>> basic_points(const PlanOptions& o) {
  if (!o.base.empty() || !o.preset.empty()) {
    if (o.lists()) {
      return fail(Errc::usage,
                  "block size, read percentage, workers, queue depth and pattern are fixed by the "
                  "preset or the other tool's syntax",
                  o.preset, "leave them out, or give all options without a preset");
    }
    if (!o.base.empty()) return o.base;
    const Preset* preset = find_preset(o.preset);
    if (preset == nullptr) {
      std::string names;
      for (const Preset& known : presets()) {
        names += (names.empty() ? "" : ", ") + std::string(known.name);
      }
      return fail(Errc::usage, "there is no preset of this name", o.preset, "known: " + names);
    }
    return preset->make(o.preset_options);
  }
  std::vector<Workload> out;
  for (const Pattern pattern : or_default(o.patterns, Pattern::random)) {
    for (const std::uint64_t block : or_default(o.block_bytes, std::uint64_t{4096})) {
      for (const int read_percent : or_default(o.read_percent, 100)) {
        for (const std::uint32_t workers : or_default(o.workers, 1U)) {
          for (const std::uint32_t depth : or_default(o.queue_depth, 1U)) {
            Workload w;
            w.pattern = pattern;
            w.block_bytes = {block};
            w.read_percent = read_percent;
            w.workers = workers;
            w.queue_depth_per_worker = depth;
            out.push_back(std::move(w));
          }
        }
      }
    }
  }
  return out;
}

Status apply_scalars(const PlanOptions& o, Workload& w) {
  if (!o.targets.empty() && (o.base.empty() || w.targets.empty())) w.targets = o.targets;
  if (o.duration_s) w.duration_s = *o.duration_s;
  if (o.ramp_s) w.ramp_s = *o.ramp_s;
  if (o.seed) w.seed = *o.seed;
  if (o.area_bytes) w.area_bytes = *o.area_bytes;
  if (o.alignment_bytes) {
    w.alignment_bytes = *o.alignment_bytes;
    for (MixLine& line : w.mix) line.alignment_bytes = *o.alignment_bytes;
  }
  if (o.cursor) w.cursor = *o.cursor;
  if (o.sync) w.sync = *o.sync;
  if (o.direct) w.direct = *o.direct;
  for (const WorkloadSetting& setting : o.settings) {
    RAIDSCOPE_CHECK(set_native_option(w, setting.name, setting.value));
  }
  derive(w);
  return Done{};
}

void add_refusals(const PlanOptions& o, const Workload& w, std::vector<Refusal>& out) {
  const auto add = [&](std::string code, std::string why) {
    Refusal refusal{std::move(code), std::move(why), false};
    if (std::find(out.begin(), out.end(), refusal) == out.end()) out.push_back(std::move(refusal));
  };
  if (o.target_bytes && w.area_bytes > *o.target_bytes) {
    add("area",
        fmt::format("{}: the area of {} is larger than the target ({}); {}", w.name,
                    size_with_unit(w.area_bytes), size_with_unit(*o.target_bytes),
                    o.area_bytes
                        ? fmt::format("use --size {} or less, or take a larger target",
                                      print_size(*o.target_bytes))
                        : fmt::format("take a target of {} or more: raidscope testfile "
                                      "create FILE --size {}",
                                      size_with_unit(w.area_bytes), print_size(w.area_bytes))));
  }
  if (o.target_bytes && w.area_bytes <= *o.target_bytes && w.base_bytes != 0 &&
      w.base_bytes + std::uint64_t{w.area_bytes == 0} > *o.target_bytes - w.area_bytes) {
    add("area", fmt::format("{}: the area begins at {}, which leaves no room for it in the target "
                            "({}); take a smaller --base or a larger target",
                            w.name, size_with_unit(w.base_bytes), size_with_unit(*o.target_bytes)));
  }
  const std::uint64_t area = w.area_bytes != 0 ? w.area_bytes : o.target_bytes.value_or(0);
  if (w.pattern == Pattern::random && w.alignment_bytes != 0 && area != 0 &&
      area / w.alignment_bytes < 2) {
    add("alignment",
        fmt::format("{}: an alignment of {} leaves one place for requests in {}; take a smaller "
                    "--alignment or a larger target",
                    w.name, size_with_unit(w.alignment_bytes), size_with_unit(area)));
  }
  if (o.logical_block_bytes && w.direct) {
    const std::uint64_t block = *o.logical_block_bytes;
    const std::uint64_t alignment =
        w.alignment_bytes != 0 && w.pattern == Pattern::random ? w.alignment_bytes : block;
    const bool bad_mix = std::any_of(w.mix.begin(), w.mix.end(), [block](const MixLine& line) {
      return line.random_percent > 0 && line.alignment_bytes % block != 0;
    });
    const bool bad_size = std::any_of(w.block_bytes.begin(), w.block_bytes.end(),
                                      [block](std::uint64_t size) { return size % block != 0; });
    if (bad_size || bad_mix || alignment % block != 0 || w.base_bytes % block != 0) {
      add("alignment",
          fmt::format(
              "{}: the target has {}-byte sectors and takes no direct I/O on smaller "
              "boundaries; use the aligned variant, with block size and alignment multiples "
              "of {}",
              w.name, block, block));
    }
  }
}

bool is_set(const PlanOptions& o, std::string_view name) {
  return std::any_of(o.settings.begin(), o.settings.end(),
                     [name](const WorkloadSetting& setting) { return setting.name == name; });
}

void forget_random_map(std::vector<std::string>& warnings) {
  std::erase_if(warnings, [](const std::string& warning) {
    return warning == fio_map_warning || warning == fio_mixed_map_warning;
  });
}

/// A random test over a handful of places measures a cache.
std::string few_places(const PlanOptions& o, const Workload& w) {
  const std::uint64_t area = w.area_bytes != 0 ? w.area_bytes : o.target_bytes.value_or(0);
  if (w.pattern != Pattern::random || w.alignment_bytes == 0 || area == 0) return {};
  const std::uint64_t places = area / w.alignment_bytes;
  if (places >= 1024) return {};
  return fmt::format("{}: an alignment of {} leaves {} places in {}, which a cache may hold all",
                     w.name, size_with_unit(w.alignment_bytes), places, size_with_unit(area));
}

}  // namespace

double duration_of(std::span<const PlannedPoint> points) noexcept {
  double seconds = 0;
  for (const PlannedPoint& point : points) {
    const Workload& w = point.workload;
    seconds += w.ramp_s + w.duration_s + w.cooldown_s;
  }
  return seconds;
}

double preconditioning_of(std::span<const PlannedPoint> points, double each) {
  std::set<std::string> distinct;
  for (const PlannedPoint& point : points) {
    if (each > 0 && workload_writes(point.workload)) distinct.insert(round_key(point.workload));
  }
  return each * static_cast<double>(distinct.size());
}

double planned_seconds(std::span<const PlannedPoint> points, double precondition_s) {
  return duration_of(points) + preconditioning_of(points, precondition_s);
}

std::optional<Workload> filling_workload(std::span<const PlannedPoint> points,
                                         const std::string& target, std::uint64_t target_bytes) {
  std::uint64_t begin = UINT64_MAX, end = 0;
  bool direct = true;
  const Workload* verified = nullptr;
  for (const PlannedPoint& point : points) {
    const Workload& w = point.workload;
    if (std::find(w.targets.begin(), w.targets.end(), target) == w.targets.end()) continue;
    begin = std::min(begin, w.base_bytes);
    end = std::max(end, w.area_bytes != 0 ? w.base_bytes + w.area_bytes : target_bytes);
    direct = direct && w.direct;
    if (w.verify && verified == nullptr) verified = &w;
  }
  end = std::min(end, target_bytes);
  if (begin >= end || end - begin < fill_block_bytes) return std::nullopt;
  Workload fill;
  fill.name = "filling";
  fill.targets = {target};
  fill.pattern = Pattern::sequential;
  fill.block_bytes = {fill_block_bytes};
  fill.read_percent = 0;
  fill.queue_depth_per_worker = 32;
  fill.base_bytes = begin;
  fill.area_bytes = (end - begin) / fill_block_bytes * fill_block_bytes;
  fill.direct = direct;
  // What is read later is held against the content of that seed.
  fill.verify = verified != nullptr;
  if (verified != nullptr) fill.seed = verified->seed;
  derive(fill);
  return fill;
}

std::string round_key(Workload workload) {
  const Workload plain;
  workload.seed = plain.seed;
  workload.name.clear();
  workload.source.clear();
  workload.warnings.clear();
  return print_native(std::span<const Workload>(&workload, 1));
}

std::string point_name(const Workload& w) {
  std::string blocks;
  for (const std::uint64_t block : w.block_bytes) {
    blocks += (blocks.empty() ? "" : "+") + print_size(block);
  }
  const std::string direction = w.read_percent == 100                          ? "read"
                                : w.read_percent == 0 && w.trim_percent == 100 ? "trim"
                                : w.read_percent == 0                          ? "write"
                                                      : fmt::format("read{}", w.read_percent);
  std::string pattern(to_name(w.pattern));
  if (w.random_percent >= 0) pattern += fmt::format("{}", w.random_percent);
  if (w.pattern == Pattern::sequential && w.stride_bytes != 0)
    pattern = fmt::format("stride {}", print_size(w.stride_bytes));
  return fmt::format("{} {} {} w{} qd{}", blocks, pattern, direction, w.workers,
                     w.queue_depth_per_worker);
}

Result<Plan> make_plan(const PlanOptions& options) {
  RAIDSCOPE_TRY(std::vector<Workload> round, basic_points(options));
  int repeats = options.repeat.value_or(1);
  if (!options.repeat && options.base.empty()) {
    if (const Preset* preset = find_preset(options.preset)) repeats = preset->repeats;
  }
  if (repeats < 1 || repeats > 10000) {
    return fail(Errc::usage, fmt::format("{} repeats are not possible", repeats), {},
                "give 1 or more");
  }
  Plan plan;
  std::uint64_t touched = 0;
  bool writes = false;
  for (Workload& w : round) {
    const Workload given = w;
    RAIDSCOPE_CHECK(apply_scalars(options, w));
    if (w.spread != given.spread || is_set(options, "--spread")) forget_random_map(w.warnings);
    if (w.name.empty()) w.name = point_name(w);
    if (const Status sound = check_workload(w); !sound) {
      if (sound.error().code != Errc::unsupported) {
        Error error = sound.error();
        const Status before = check_workload(given);
        // Not the options are wrong, but the words that they were added to.
        if (!options.base.empty() && !before && before.error().message == error.message) {
          error.code = Errc::malformed;
          if (error.where.empty()) error.where = w.source;
        }
        return tl::unexpected<Error>(std::move(error));
      }
      Refusal refusal{"workload", fmt::format("{}: {}", w.name, sound.error().message), false};
      if (std::find(plan.refusals.begin(), plan.refusals.end(), refusal) == plan.refusals.end())
        plan.refusals.push_back(std::move(refusal));
    }
    add_refusals(options, w, plan.refusals);
    if (workload_writes(w)) {
      writes = true;
      const std::uint64_t area =
          w.area_bytes != 0 ? w.area_bytes : options.target_bytes.value_or(0);
      touched = std::max(touched, area * std::max<std::size_t>(w.targets.size(), 1));
      if (area == 0) plan.bytes_to_write.reset();
    }
    if (const std::string few = few_places(options, w);
        !few.empty() &&
        std::find(plan.warnings.begin(), plan.warnings.end(), few) == plan.warnings.end()) {
      plan.warnings.push_back(few);
    }
    for (const std::string& warning : w.warnings) {
      if (std::find(plan.warnings.begin(), plan.warnings.end(), warning) == plan.warnings.end()) {
        plan.warnings.push_back(warning);
      }
    }
  }
  for (std::string& idle : idle_options(options, round)) plan.warnings.push_back(std::move(idle));
  if (const auto several = std::find_if(
          round.begin(), round.end(),
          [](const Workload& w) { return w.instances > 1 && w.arrivals != Arrivals::closed; });
      several != round.end()) {
    plan.warnings.push_back(fmt::format(
        "the rate is {:g} a second for each instance: {} instances start {:g} a second in all",
        several->rate_iops, several->instances, several->rate_iops * several->instances));
  }
  std::uint64_t filled = 0;
  if (options.fill_passes > 0) {
    std::uint64_t area = 0;
    std::size_t targets = 1;
    bool known = true;
    for (const Workload& w : round) {
      area = std::max(area, w.area_bytes != 0 ? w.area_bytes : options.target_bytes.value_or(0));
      known = known && (w.area_bytes != 0 || options.target_bytes.value_or(0) != 0);
      targets = std::max(targets, w.targets.size());
    }
    if (known && plan.bytes_to_write) {
      filled = area * targets * static_cast<std::uint64_t>(options.fill_passes);
    } else {
      plan.bytes_to_write.reset();
    }
    if (known)
      plan.warnings.push_back(fmt::format("{} of filling before: {} of each target",
                                          options.fill_passes == 1
                                              ? std::string("1 pass")
                                              : fmt::format("{} passes", options.fill_passes),
                                          print_size(area)));
  }
  if (plan.bytes_to_write) plan.bytes_to_write = options.testfile_bytes + filled + touched;
  if (writes) {
    plan.warnings.push_back(
        plan.bytes_to_write
            ? fmt::format("writing is bound by time, not by size: up to {} of the targets are "
                          "overwritten, perhaps many times; --max-write sets a limit",
                          print_size(touched))
            : std::string("writing is bound by time, and the size of a target is not known: "
                          "--max-write sets a limit"));
  }
  for (int r = 0; r < repeats; ++r) {
    for (const Workload& w : round) {
      PlannedPoint point{w.name, w};
      point.workload.seed = w.seed + static_cast<std::uint64_t>(r);
      if (repeats > 1) point.name += fmt::format(" #{}", r + 1);
      point.workload.name = point.name;
      plan.points.push_back(std::move(point));
    }
  }
  plan.duration_s = planned_seconds(plan.points, options.precondition_s);
  return plan;
}

}  // namespace raidscope
