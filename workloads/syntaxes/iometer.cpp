#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "workloads/derived.h"
#include "workloads/quantities.h"
#include "workloads/syntax.h"
#include "workloads/syntaxes/support/iometer_file.h"
#include "workloads/syntaxes/support/sayable.h"

// Iometer's saved test set-up: what each worker does, and which of workers, targets and outstanding
// requests the test varies. Every combination is a point.
namespace raidscope {
namespace {

using namespace iometer;

constexpr std::uint64_t sector = 512;
constexpr std::size_t most_points = 10'000;

/// What one test of the series uses of the set-up; nothing: all of it.
struct Step {
  std::optional<std::uint64_t> workers{};         // of each manager
  std::optional<std::uint64_t> targets{};         // of each worker
  std::optional<std::uint64_t> targets_in_all{};  // counted through the workers one after the other
  std::optional<std::uint64_t> depth{};
};

bool idle(std::string_view spec) {
  return text::iequals(spec, "Idle");
}

/// The specifications that a worker goes through, one a test.
std::vector<std::string> specs_of(const File& file, const Worker& worker) {
  if (!worker.specs.empty()) return worker.specs;
  std::vector<std::string> out;
  for (const AccessSpec& spec : file.specs) {
    if (spec.assignment == "all" || spec.assignment == "disk") out.push_back(spec.name);
  }
  return out;
}

class Planner {
 public:
  Planner(const File& file, std::vector<Workload>& out) : file_(file), out_(out) {}

  Status plan() {
    RAIDSCOPE_CHECK(check());
    std::size_t specs = 0;
    for (const Worker* worker : workers_) specs = std::max(specs, specs_of(file_, *worker).size());
    if (specs == 0)
      return fail(Errc::malformed, "no access specification is assigned to a worker", "line 1");
    RAIDSCOPE_TRY(const std::vector<Step> steps, steps_of_test());
    for (std::size_t i = 0; i < specs; ++i) {
      for (const Step& step : steps) {
        if (out_.size() >= most_points)
          return fail(Errc::malformed, fmt::format("more than {} tests", most_points), "line 1");
        RAIDSCOPE_CHECK(add_point(i, step));
      }
    }
    return Done{};
  }

 private:
  [[nodiscard]] static tl::unexpected<Error> differ(std::string_view what, const Worker& worker) {
    return fail(Errc::malformed, fmt::format("workers with {} of their own cannot be kept", what),
                fmt::format("line {}, {}", worker.line, worker.name),
                "save one set-up for each, and run them one after the other");
  }

  Status check() {
    for (const Manager& manager : file_.managers) {
      for (const Worker& worker : manager.workers) {
        if (!worker.disk) {
          return fail(Errc::malformed, "network workers cannot be kept",
                      fmt::format("line {}, {}", worker.line, worker.name), "remove the worker");
        }
        if (worker.connection_rate) {
          return fail(Errc::malformed,
                      "a test connection rate (opening and closing the disk) cannot be kept",
                      fmt::format("line {}, {}", worker.line, worker.name), "set it to DISABLED");
        }
        workers_.push_back(&worker);
        named_targets_ = named_targets_ || !worker.targets.empty();
      }
    }
    if (workers_.empty()) {
      return fail(Errc::malformed, "the set-up has no worker", "line 1",
                  "save it in Iometer with its managers and workers");
    }
    const Worker& first = *workers_.front();
    for (const Worker* worker : workers_) {
      if (worker->sectors != first.sectors || worker->first_sector != first.first_sector)
        return differ("a maximum size or starting sector", *worker);
      if (worker->fixed_seed != first.fixed_seed || worker->seed != first.seed)
        return differ("a seed", *worker);
      if (!named_targets_ && worker->outstanding != first.outstanding)
        return differ("outstanding requests but without targets", *worker);
    }
    return Done{};
  }

  Result<std::vector<Step>> steps_of_test() const {
    std::uint64_t most_workers = 0;
    std::uint64_t most_targets = 0;
    std::uint64_t all_targets = 0;
    for (const Manager& manager : file_.managers)
      most_workers = std::max<std::uint64_t>(most_workers, manager.workers.size());
    for (const Worker* worker : workers_) {
      most_targets = std::max<std::uint64_t>(most_targets, worker->targets.size());
      all_targets += worker->targets.size();
    }
    const auto& type = file_.test_type;
    const Cycle& depths = file_.depths;
    if (type.starts_with("CYCLE_OUTSTANDING_IOS") &&
        (depths.first < 1 || depths.first > 16384 || depths.last < 1 || depths.last > 16384)) {
      return fail(Errc::malformed,
                  fmt::format("expected queue depths of 1 to 16384, found {} to {}", depths.first,
                              depths.last),
                  fmt::format("line {}", depths.line));
    }
    std::vector<Step> out;
    if (type == "NORMAL") {
      out.emplace_back();
    } else if (type == "CYCLE_WORKERS") {
      for (const std::uint64_t n : file_.workers.values(most_workers))
        out.push_back({.workers = n});
    } else if (type == "CYCLE_TARGETS" || type == "INCREMENT_TARGETS_PARALLEL") {
      for (const std::uint64_t n : file_.targets.values(most_targets))
        out.push_back({.targets = n});
    } else if (type == "INCREMENT_TARGETS_SERIAL") {
      for (const std::uint64_t n : file_.targets.values(all_targets))
        out.push_back({.targets_in_all = n});
    } else if (type == "CYCLE_OUTSTANDING_IOS") {
      for (const std::uint64_t n : file_.depths.values(file_.depths.last))
        out.push_back({.depth = n});
    } else if (type == "CYCLE_WORKERS_AND_TARGETS") {
      for (const std::uint64_t n : file_.workers.values(most_workers)) {
        for (const std::uint64_t t : file_.targets.values(most_targets))
          out.push_back({.workers = n, .targets = t});
      }
    } else if (type == "CYCLE_OUTSTANDING_IOS_AND_TARGETS") {
      for (const std::uint64_t t : file_.targets.values(most_targets)) {
        for (const std::uint64_t n : file_.depths.values(file_.depths.last))
          out.push_back({.targets = t, .depth = n});
      }
    } else {
      return fail(Errc::malformed, fmt::format("the test type {} is not known", type), "line 1");
    }
    return out;
  }

  /// The worker's group in this step, with target indices; no workers: it is idle.
  WorkerGroup group_of(const Worker& worker, const Step& step, std::uint64_t& targets_left,
                       Workload& w) const {
    WorkerGroup group;
    group.queue_depth = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(step.depth.value_or(worker.outstanding), UINT32_MAX));
    const std::uint64_t most = std::min(step.targets.value_or(UINT64_MAX), targets_left);
    for (const std::string& target : worker.targets) {
      if (group.targets.size() >= most) break;
      group.targets.push_back(index_in(w.targets, target));
    }
    targets_left -= std::min<std::uint64_t>(targets_left, group.targets.size());
    group.workers = group.targets.empty() && named_targets_ ? 0 : 1;
    return group;
  }

  Status add_point(std::size_t index, const Step& step) {
    Workload w;
    const std::string* spec = nullptr;
    std::uint64_t targets_left = step.targets_in_all.value_or(UINT64_MAX);
    std::vector<std::vector<WorkerGroup>> of_managers;
    for (const Manager& manager : file_.managers) {
      std::vector<WorkerGroup> groups;
      for (std::size_t n = 0; n < manager.workers.size(); ++n) {
        if (n >= step.workers.value_or(UINT64_MAX)) break;
        const Worker& worker = manager.workers[n];
        const std::vector<std::string> specs = specs_of(file_, worker);
        if (index >= specs.size() || idle(specs[index])) continue;
        if (spec != nullptr && !text::iequals(*spec, specs[index])) {
          return fail(
              Errc::malformed,
              fmt::format("workers that do \"{}\" and \"{}\" at the same time cannot be kept",
                          *spec, specs[index]),
              fmt::format("line {}, {}", worker.line, worker.name),
              "give every worker the same specifications in the same order");
        }
        current_spec_ = specs[index];
        spec = &current_spec_;
        const WorkerGroup group = group_of(worker, step, targets_left, w);
        if (group.workers == 0) continue;
        if (!groups.empty() && groups.back().queue_depth == group.queue_depth &&
            groups.back().targets == group.targets) {
          ++groups.back().workers;
        } else {
          groups.push_back(group);
        }
      }
      if (!groups.empty()) of_managers.push_back(std::move(groups));
    }
    if (spec == nullptr || of_managers.empty()) return Done{};  // all are idle
    RAIDSCOPE_CHECK(set_spec(*spec, w));
    set_workers(of_managers, w);
    settle(step, w);
    RAIDSCOPE_CHECK(possible(w, fmt::format("line {}, {}", workers_.front()->line, w.name)));
    out_.push_back(std::move(w));
    return Done{};
  }

  /// Managers that do the same are instances; others are merged to one process.
  void set_workers(const std::vector<std::vector<WorkerGroup>>& of_managers, Workload& w) const {
    const bool same = std::all_of(of_managers.begin(), of_managers.end(), [&](const auto& groups) {
      return groups == of_managers.front();
    });
    if (same) {
      w.instances = static_cast<std::uint32_t>(of_managers.size());
      w.groups = of_managers.front();
    } else {
      for (const auto& groups : of_managers)
        w.groups.insert(w.groups.end(), groups.begin(), groups.end());
      w.warnings.emplace_back(
          "the managers differ: their workers run in one process here, not in one for each");
    }
    if (!named_targets_ && w.groups.size() == 1) {
      w.workers = w.groups.front().workers;
      w.queue_depth_per_worker = w.groups.front().queue_depth;
      w.groups.clear();
    }
  }

  Status set_spec(const std::string& name, Workload& w) const {
    AccessSpec chosen;
    const auto found =
        std::find_if(file_.specs.begin(), file_.specs.end(),
                     [&](const AccessSpec& spec) { return text::iequals(spec.name, name); });
    if (found != file_.specs.end()) {
      chosen = *found;
    } else if (text::iequals(name, "Default")) {
      chosen.lines.emplace_back();
    } else {
      return fail(Errc::malformed, fmt::format("no access specification is named \"{}\"", name),
                  "line 1");
    }
    const auto wrong = [&](std::string message) {
      return fail(Errc::malformed, std::move(message),
                  fmt::format("line {}, {}", chosen.line, name));
    };
    w.name = name;
    std::uint64_t percent = 0;
    for (const SpecLine& line : chosen.lines) {
      percent += line.percent;
      if (line.size == 0) return wrong("a request of 0 bytes is not possible");
      if (line.reply != 0) return wrong("replies (requests in the other direction) cannot be kept");
      if (line.delay_ms != chosen.lines.front().delay_ms ||
          line.burst != chosen.lines.front().burst)
        return wrong("lines with a delay or burst of their own cannot be kept");
      if (line.percent == 0) continue;
      w.mix.push_back({static_cast<double>(line.percent), line.size, static_cast<int>(line.reads),
                       static_cast<int>(line.random), line.align == 0 ? sector : line.align});
    }
    if (percent != 100)
      return wrong(fmt::format("the percentages of size sum to {}, expected 100", percent));
    w.think_us = static_cast<double>(chosen.lines.front().delay_ms) * 1000;
    w.burst = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(chosen.lines.front().burst, 1, UINT32_MAX));
    w.source = fmt::format("Iometer {}: {}", file_.version, name);
    for (const SpecLine& line : chosen.lines) {
      w.source += fmt::format("; {},{},{},{},{},{},{},{}", line.size, line.percent, line.reads,
                              line.random, line.delay_ms, line.burst, line.align, line.reply);
    }
    return Done{};
  }

  void settle(const Step& step, Workload& w) const {
    const Worker& first = *workers_.front();
    w.duration_s = static_cast<double>(file_.run_s);
    w.ramp_s = static_cast<double>(file_.ramp_s);
    w.area_bytes = first.sectors * sector;
    w.base_bytes = first.first_sector * sector;
    if (first.fixed_seed) w.seed = first.seed;
    w.cursor = SequentialCursor::own;
    const MixLine line = w.mix.front();
    const bool plain_sequential = w.mix.size() == 1 && line.random_percent == 0;
    if (plain_sequential) {
      // Every request begins on the next boundary.
      const std::uint64_t stride = (line.block_bytes + line.alignment_bytes - 1) /
                                   line.alignment_bytes * line.alignment_bytes;
      if (stride != line.block_bytes) w.stride_bytes = stride;
    }
    std::vector<std::string> warnings = std::move(w.warnings);
    w.warnings.clear();
    w = canonical(std::move(w));
    w.warnings = std::move(warnings);
    if (!plain_sequential && w.mix.empty()) w.alignment_bytes = line.alignment_bytes;
    if (step.workers) w.name += fmt::format(" {} workers", *step.workers);
    if (step.targets) w.name += fmt::format(" {} targets", *step.targets);
    if (step.targets_in_all) w.name += fmt::format(" {} targets", *step.targets_in_all);
    if (step.depth) w.name += fmt::format(" qd{}", *step.depth);
    add_traps(step, w);
  }

  void add_traps(const Step& step, Workload& w) const {
    const auto warn = [&w](std::string text) { add_once(w.warnings, std::move(text)); };
    if (!is_known_version(file_.version)) {
      warn(fmt::format("version {} of the file is not known: it is read as 1.1.0 is",
                       file_.version));
    }
    if (outstanding(w) > 1) {
      warn(
          fmt::format("Iometer's outstanding I/Os are for each worker and target: {}; if the test "
                      "meant {} in all, divide it by the workers",
                      outstanding_words(w), w.queue_depth_per_worker));
    }
    if (misaligned(w)) {
      warn(
          "Iometer's alignment 0 means 512-byte sectors, not blocks: requests straddle the pages "
          "of an SSD and the strips of an array, and a device with 4096-byte sectors refuses them; "
          "--alignment sets another");
    }
    const bool sequential_part =
        w.pattern == Pattern::sequential || w.random_percent >= 0 || !w.mix.empty();
    if (sequential_part && w.cursor == SequentialCursor::own) {
      warn(
          "every worker begins at the starting sector: they read the same blocks, which a cache "
          "answers");
    }
    if (w.duration_s == 0) warn("Run Time 0 runs until it is stopped: give --time");
    if (w.read_percent < 100 && workers_.front()->data_pattern != 2) {
      warn(workers_.front()->data_pattern == 0
               ? "the data pattern \"repeating bytes\" compresses to nothing; this run writes "
                 "incompressible data"
               : "the data pattern \"pseudo random\" writes one buffer again and again; this run "
                 "writes data that do not repeat");
    }
    if (w.instances > 1)
      warn(fmt::format("{} managers are {} instances that start together", w.instances,
                       w.instances));
    if (step.targets || step.targets_in_all) {
      warn(step.targets ? "the number of targets is read as the first ones of every worker's list"
                        : "targets are added one worker after the other");
    }
    if (!named_targets_) warn("the set-up names no target: give --target");
  }

  /// Iometer's releases are dates of 1998 to 2008, then 1.1.0 and its candidates.
  static bool is_known_version(std::string_view version) {
    const auto year = text::leading_integer(version);
    return version.starts_with("1.0") || version.starts_with("1.1") ||
           (year && *year >= 1998 && *year <= 2008);
  }

  static bool misaligned(const Workload& w) {
    if (w.mix.empty())
      return w.pattern == Pattern::random && w.alignment_bytes == sector &&
             w.block_bytes.front() > sector;
    return std::any_of(w.mix.begin(), w.mix.end(), [](const MixLine& line) {
      return line.random_percent > 0 && line.alignment_bytes == sector && line.block_bytes > sector;
    });
  }

  const File& file_;
  std::vector<Workload>& out_;
  std::vector<const Worker*> workers_;
  std::string current_spec_;
  bool named_targets_ = false;
};

Result<std::vector<Workload>> parse(std::string_view text, const NamedTexts& /*files*/) {
  RAIDSCOPE_TRY(const std::vector<File> files, read_files(text));
  std::vector<Workload> out;
  for (const File& file : files) RAIDSCOPE_CHECK(Planner(file, out).plan());
  if (out.empty()) return fail(Errc::malformed, "every worker is idle in every test", "line 1");
  return out;
}

/// The workload without what an access specification says of it.
Workload setting_of(Workload w) {
  const Workload defaults;
  w.name = {};
  w.source = {};
  w.warnings = {};
  w.mix = {};
  w.block_bytes = defaults.block_bytes;
  w.read_percent = w.random_percent = 0;
  w.pattern = defaults.pattern;
  w.alignment_bytes = w.stride_bytes = 0;
  w.think_us = 0;
  w.burst = 1;
  w.cursor = SequentialCursor::shared;
  return w;
}

/// Names hold no commas, and a ' at the beginning makes a key.
bool is_name(std::string_view name) {
  return !name.empty() && name.front() != '\'' && !text::is_blank(name.front()) &&
         !text::is_blank(name.back()) && !text::iequals(name, "Idle") &&
         !text::iequals(name.substr(0, 8), "version ") &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return c != ',' && static_cast<unsigned char>(c) >= 0x20; });
}

std::string spec_lines_text(const Workload& w, Losses& losses) {
  std::vector<MixLine> lines = w.mix;
  if (lines.empty()) {
    const int random = w.random_percent >= 0          ? w.random_percent
                       : w.pattern == Pattern::random ? 100
                                                      : 0;
    lines.push_back({100, w.block_bytes.front(), w.read_percent, random, w.alignment_bytes});
    if (random == 0) lines.front().alignment_bytes = w.stride_bytes != 0 ? w.stride_bytes : sector;
    losses.add_if(random == 0 && w.stride_bytes != 0 &&
                      (w.stride_bytes <= w.block_bytes.front() || w.stride_bytes % sector != 0),
                  fmt::format("a stride of {}", size_with_unit(w.stride_bytes)));
    losses.add_if(random > 0 && w.stride_bytes != 0, "a stride of partly random requests");
    losses.add_if(random == 0 && w.stride_bytes == 0 && w.block_bytes.front() % sector != 0,
                  "blocks that are no sectors");
  } else {
    losses.add_if(w.stride_bytes != 0, "a stride beside a mix");
  }
  const double delay = w.think_us / 1000;
  losses.add_if(delay != std::floor(delay) || delay > 1e9 || delay * 1000 != w.think_us,
                "think time in parts of a millisecond");
  std::string out;
  double sum = 0;
  for (const MixLine& line : lines) {
    sum += line.percent;
    losses.add_if(
        line.percent != std::floor(line.percent) || line.percent < 1 || line.percent > 100,
        "shares of a mix in parts of a percent");
    losses.add_if(line.block_bytes == 0, "a request of 0 bytes");
    const std::uint64_t align = line.alignment_bytes == sector ? 0
                                : line.alignment_bytes == 0
                                    ? (line.block_bytes == sector ? 0 : line.block_bytes)
                                    : line.alignment_bytes;
    out += fmt::format("\t{},{},{},{},{},{},{},0\n", line.block_bytes, line.percent,
                       line.read_percent, line.random_percent,
                       static_cast<std::uint64_t>(std::clamp(delay, 0.0, 1e9)), w.burst, align);
  }
  losses.add_if(sum != 100 || lines.size() > 100, "a mix that does not sum to 100 %");
  return out;
}

void add_losses(const Workload& w, Losses& losses) {
  add_unsayable(w,
                {.mix = true,
                 .read_write = true,
                 .random_share = true,
                 .alignment = true,
                 .ramp = true,
                 .seed = true,
                 .area = true,
                 .base = true,
                 .instances = true,
                 .think = true},
                losses);
  const auto whole = [](double s) { return s == std::floor(s) && s >= 0 && s < 1e8; };
  losses.add_if(!whole(w.duration_s), fmt::format("a time of {}", print_duration(w.duration_s)));
  losses.add_if(!whole(w.ramp_s), fmt::format("a ramp-up of {}", print_duration(w.ramp_s)));
  losses.add_if(w.area_bytes % sector != 0 || w.base_bytes % sector != 0,
                "an area that is no number of sectors");
  losses.add_if(w.sync == Sync::write_through, "write-through");
  losses.add_if(!w.direct, "buffered I/O");
  losses.add_if(w.depth_over_targets, "a depth over all targets together");
  const bool sequential_part = w.pattern == Pattern::sequential || w.random_percent >= 0 ||
                               std::any_of(w.mix.begin(), w.mix.end(), [](const MixLine& line) {
                                 return line.random_percent < 100;
                               });
  losses.add_if(sequential_part && (w.workers > 1 || !w.groups.empty()) &&
                    (w.cursor != SequentialCursor::own || w.worker_offset_bytes != 0),
                "how sequential workers share a target: each begins at the start");
  losses.add_if(w.workers == 0 || w.workers > 1024, fmt::format("{} workers", w.workers));
  losses.add_if(w.seed > (std::uint64_t{1} << 52U), fmt::format("the seed {}", w.seed));
  losses.add_if(w.instances == 0 || w.instances > 1024, fmt::format("{} instances", w.instances));
  for (const std::string& target : w.targets) {
    losses.add_if(!is_name(target) || target.find(',') != std::string::npos,
                  fmt::format("the target {}", target));
  }
  for (const WorkerGroup& group : w.groups) {
    losses.add_if(group.workers == 0 || group.targets.empty(),
                  "a group without workers or targets");
  }
}

std::string worker_text(const Workload& w, const WorkerGroup& group, std::size_t number,
                        const std::vector<std::string>& specs) {
  std::string out = fmt::format(
      "'Worker\n\tWorker {}\n'Worker type\n\tDISK\n'Default target settings for worker\n"
      "'Number of outstanding IOs,test connection rate,transactions per connection,use fixed "
      "seed,fixed seed value\n\t{},DISABLED,1,{},{}\n"
      "'Disk maximum size,starting sector,Data pattern\n\t{},{},2\n"
      "'End default target settings for worker\n'Assigned access specs\n",
      number, group.queue_depth, w.seed == 1 ? "DISABLED" : "ENABLED", w.seed == 1 ? 0 : w.seed,
      w.area_bytes / sector, w.base_bytes / sector);
  for (const std::string& spec : specs) out += "\t" + spec + "\n";
  out += "'End assigned access specs\n'Target assignments\n";
  for (const std::uint32_t target : group.targets) {
    if (target >= w.targets.size()) continue;
    out += fmt::format("'Target\n\t{}\n'Target type\n\tDISK\n'End target\n", w.targets[target]);
  }
  return out + "'End target assignments\n'End worker\n";
}

std::string file_text(std::span<const Workload> workloads, std::vector<std::string>& all_losses) {
  const Workload& w = workloads.front();
  const auto seconds = static_cast<std::uint64_t>(std::clamp(w.duration_s, 0.0, 1e8));
  std::string out = fmt::format(
      "Version 1.1.0 \n"
      "'TEST SETUP ====================================================================\n"
      "'Test Description\n\t{}\n'Run Time\n'\thours      minutes    seconds\n\t{}          {}      "
      "  "
      "  {}\n'Ramp Up Time (s)\n\t{}\n'Default Disk Workers to Spawn\n\tNUMBER_OF_CPUS\n"
      "'Default Network Workers to Spawn\n\t0\n'Record Results\n\tALL\n"
      "'Worker Cycling\n'\tstart      step       step type\n\t1          1          LINEAR\n"
      "'Disk Cycling\n'\tstart      step       step type\n\t1          1          LINEAR\n"
      "'Queue Depth Cycling\n'\tstart      end        step       step type\n"
      "\t1          32         2          EXPONENTIAL\n'Test Type\n\tNORMAL\n'END test setup\n"
      "'ACCESS SPECIFICATIONS =========================================================\n",
      is_name(w.name) ? w.name : "raidscope", seconds / 3600, seconds / 60 % 60, seconds % 60,
      static_cast<std::uint64_t>(std::clamp(w.ramp_s, 0.0, 1e8)));
  std::vector<std::string> specs;
  for (const Workload& one : workloads) {
    Losses losses(one, "Iometer", all_losses);
    add_losses(one, losses);
    std::string name = is_name(one.name) ? one.name : fmt::format("spec {}", specs.size() + 1);
    while (std::any_of(specs.begin(), specs.end(),
                       [&](const std::string& known) { return text::iequals(known, name); }))
      name += "'";
    out += fmt::format(
        "'Access specification name,default assignment\n\t{},NONE\n"
        "'size,% of size,% reads,% random,delay,burst,align,reply\n{}",
        name, spec_lines_text(one, losses));
    specs.push_back(std::move(name));
  }
  out +=
      "'END access specifications\n"
      "'MANAGER LIST ==================================================================\n";
  std::vector<WorkerGroup> groups = w.groups;
  if (groups.empty()) {
    groups.push_back({w.workers, w.queue_depth_per_worker, {}});
    for (std::uint32_t i = 0; i < w.targets.size(); ++i) groups.front().targets.push_back(i);
  }
  for (std::uint32_t manager = 0; manager < std::min(w.instances, 1024U); ++manager) {
    out += fmt::format("'Manager ID, manager name\n\t{},MANAGER{}\n'Manager network address\n\t\n",
                       manager + 1, manager + 1);
    std::size_t number = 0;
    for (const WorkerGroup& group : groups) {
      for (std::uint32_t i = 0; i < std::min(group.workers, 1024U); ++i)
        out += worker_text(w, group, ++number, specs);
    }
    out += "'End manager\n";
  }
  return out + "'END manager list\nVersion 1.1.0 \n";
}

/// A file for each run of workloads that differ in their access specification only.
Printed print(std::span<const Workload> workloads) {
  Printed printed;
  std::vector<Workload> all;
  for (const Workload& w : workloads) {
    if (!w.block_bytes.empty() || !w.mix.empty()) all.push_back(canonical(w));
  }
  for (std::size_t first = 0; first < all.size();) {
    std::size_t last = first + 1;
    while (last < all.size() && setting_of(all[last]) == setting_of(all[first])) ++last;
    printed.text += file_text(std::span(all).subspan(first, last - first), printed.losses);
    first = last;
  }
  return printed;
}

}  // namespace

extern const Syntax syntax_iometer;
const Syntax syntax_iometer{
    .id = "iometer",
    .summary = "Iometer 1.1.0 and 2006.07.27: a saved test set-up (.icf)",
    .parse = parse,
    .print = print,
};

}  // namespace raidscope
