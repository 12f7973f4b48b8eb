// The host of a planned test: O01 to O04, O06 to O13, O15 to O17. O05 (the kernel's write_cache
// changed by hand) is left out: no path tells what the kernel had found there.

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_host_settings;

namespace {

/// O08: a state that takes this long to leave shows at low depth (a disk cache answers in about
/// 100 µs).
constexpr std::int64_t deep_idle_us = 50;
constexpr std::uint32_t low_depth = 4;

/// The disk under the test: a controller's logical drive, or one of the kernel's own.
struct Disk {
  Subject subject;
  std::string device = "sdX";
  const BlockSettings* settings = nullptr;
  Flag solid_state;
  const DriveRef* drive = nullptr;
};

/// A text from elsewhere tells of no host: rules about it have nothing to say there.
bool host_known(const RuleContext& context) {
  return context.planned() != nullptr && context.host().kernel.has_value();
}

std::string short_name(const Text& device) {
  if (!device) return "sdX";
  const auto slash = device->rfind('/');
  return slash == std::string::npos ? *device : device->substr(slash + 1);
}

template <class Judge>
void with_disk(RuleContext& context, Judge judge) {
  if (!host_known(context)) return;
  if (const auto at = context.target()) {
    Disk disk;
    disk.subject = subject_of(*at);
    disk.device = short_name(at->drive->device);
    disk.settings = at->drive->block_device ? &*at->drive->block_device : nullptr;
    disk.solid_state = solid_state(group_of(*at));
    disk.drive = &*at;
    judge(disk);
  } else if (const BlockDevice* device = context.target_device()) {
    Disk disk;
    disk.device = short_name(device->path);
    disk.settings = &device->block_device;
    if (device->media) disk.solid_state = *device->media == Media::ssd;
    judge(disk);
  }
}

template <class T>
std::optional<T> setting(const Disk& disk, std::optional<T> BlockSettings::*field) {
  return disk.settings != nullptr ? disk.settings->*field : std::optional<T>{};
}

void scheduler(RuleContext& context) {
  with_disk(context, [&](const Disk& disk) {
    const Text name = setting(disk, &BlockSettings::scheduler);
    constexpr std::array<std::string_view, 4> good{"none", "noop", "mq-deadline", "deadline"};
    Condition holds;
    holds.require(disk.solid_state, "media of the drives")
        .require(name ? Flag{std::find(good.begin(), good.end(), *name) == good.end()} : Flag{},
                 "I/O scheduler");
    if (!context.decide(holds, disk.subject)) return;
    context.report(disk.subject,
                   {.evidence = "scheduler " + *name,
                    .fix = {fmt::format("echo none > /sys/block/{}/queue/scheduler", disk.device)},
                    .affects = "every user of this disk"});
  });
}

void rotational(RuleContext& context) {
  with_disk(context, [&](const Disk& disk) {
    Condition holds;
    holds.require(disk.solid_state, "media of the drives")
        .require(setting(disk, &BlockSettings::rotational), "queue/rotational");
    if (!context.decide(holds, disk.subject)) return;
    context.report(disk.subject,
                   {.evidence = "queue/rotational is 1 on solid-state drives",
                    .fix = {fmt::format("echo 0 > /sys/block/{}/queue/rotational", disk.device)},
                    .affects = "every user of this disk"});
  });
}

void read_ahead(RuleContext& context) {
  with_disk(context, [&](const Disk& disk) {
    const PlannedTest& test = *context.planned();
    if (test.direct || test.read_percent == 0) return;
    const Integer size = setting(disk, &BlockSettings::read_ahead_kb);
    Condition holds;
    holds.require(size ? Flag{*size > 0} : Flag{}, "read-ahead");
    if (!context.decide(holds, disk.subject)) return;
    context.report(disk.subject,
                   {.evidence = fmt::format("buffered reads with a read-ahead of {} KiB", *size),
                    .fix = {"read without --buffered, or compare at one read-ahead only"},
                    .affects = "buffered reads"});
  });
}

void depth_limit(RuleContext& context) {
  with_disk(context, [&](const Disk& disk) {
    const std::uint32_t asked = context.planned()->outstanding;
    if (asked == 0) return;
    const Integer requests = setting(disk, &BlockSettings::nr_requests);
    const Integer depth = setting(disk, &BlockSettings::queue_depth);
    if (!requests && !depth && disk.settings != nullptr && disk.drive == nullptr) return;
    const auto below = [&](const Integer& limit) { return limit && *limit < std::int64_t{asked}; };
    Condition holds;
    holds.require(below(depth) || below(requests) ? Flag{true}
                  : requests                      ? Flag{false}
                                                  : Flag{},
                  "nr_requests");
    if (!context.decide(holds, disk.subject)) return;
    FindingText text;
    text.evidence = fmt::format("{} outstanding asked", asked);
    if (below(depth)) {
      text.evidence += fmt::format("; device/queue_depth {}", *depth);
      text.fix.push_back(
          fmt::format("stay at {} outstanding, or raise the driver's queue depth", *depth));
    }
    if (below(requests)) {
      text.evidence += fmt::format("; queue/nr_requests {}", *requests);
      text.fix.push_back(
          fmt::format("echo {} > /sys/block/{}/queue/nr_requests", asked, disk.device));
    }
    text.affects = "what is above the limit waits in the host, and its latency with it";
    context.report(disk.subject, std::move(text));
  });
}

void no_barrier(RuleContext& context) {
  with_disk(context, [&](const Disk& disk) {
    const auto& options = context.planned()->mount_options;
    if (!options || disk.drive == nullptr) return;
    const bool without =
        contains_word(*options, "nobarrier") || contains_word(*options, "barrier=0");
    const EffectiveWriteCache cache = disk.drive->drive->effective_write_cache;
    Condition holds;
    holds.require(without, "")
        .require(cache == EffectiveWriteCache::unknown
                     ? Flag{}
                     : Flag{cache == EffectiveWriteCache::volatile_},
                 "effective write cache");
    if (!context.decide(holds, disk.subject)) return;
    context.report(disk.subject, {.evidence = "mounted with " + *options + " on a volatile cache",
                                  .fix = {"mount it again with barriers"},
                                  .affects = "every file of this file system"});
  });
}

void governor(RuleContext& context) {
  if (!host_known(context)) return;
  const Text& name = context.host().cpu_governor;
  if (!name) return;  // no cpufreq here: the firmware or the hypervisor decides
  if (*name == "performance") return;
  context.report({}, {.evidence = "CPU frequency governor: " + *name,
                      .fix = {"cpupower frequency-set -g performance"},
                      .affects = "the whole machine"});
}

void idle_states(RuleContext& context) {
  if (!host_known(context) || context.planned()->outstanding > low_depth) return;
  const Integer& latency = context.host().cpu_idle_exit_us;
  if (!latency) return;
  if (*latency < deep_idle_us) return;
  context.report({}, {.evidence = fmt::format("{} outstanding, and the deepest idle state of the "
                                              "CPUs takes {} µs to leave",
                                              context.planned()->outstanding, *latency),
                      .fix = {fmt::format("cpupower idle-set -D {}", deep_idle_us)},
                      .affects = "the whole machine"});
}

void hypervisor(RuleContext& context) {
  if (!host_known(context)) return;
  const Text& name = context.host().hypervisor;
  if (!name) return;
  context.report({}, {.evidence = "a guest of " + *name,
                      .fix = {"say so in the report, and test without the hypervisor too"},
                      .affects = "caches and scheduling that this machine cannot see"});
}

void numa(RuleContext& context) {
  with_disk(context, [&](const Disk& disk) {
    const Integer& nodes = context.host().numa_nodes;
    const Integer node = setting(disk, &BlockSettings::numa_node);
    if (!nodes || *nodes < 2 || !node || *node < 0) return;
    context.report(
        disk.subject,
        {.evidence = fmt::format("the controller is at NUMA node {} of {}, and the "
                                 "workers may run on any",
                                 *node, *nodes),
         .fix = {fmt::format("numactl --cpunodebind={0} --membind={0} raidscope run …", *node)},
         .affects = "memory and interrupts of the other node"});
  });
}

void others_at_work(RuleContext& context) {
  with_disk(context, [&](const Disk& disk) {
    const auto& seen = context.planned()->foreign_io;
    if (!seen) return;
    if (seen->empty()) return;
    context.report(disk.subject, {.evidence = "before the start: " + *seen,
                                  .fix = {"stop who does it (iotop, fuser -m), or say so"},
                                  .affects = "the whole run"});
  });
}

std::vector<std::string> running(const PlannedTest& test, std::span<const std::string_view> names) {
  std::vector<std::string> out;
  for (const std::string& process : test.processes.value_or(std::vector<std::string>{})) {
    if (std::find(names.begin(), names.end(), process) != names.end() &&
        std::find(out.begin(), out.end(), process) == out.end()) {
      out.push_back(process);
    }
  }
  return out;
}

void monitors(RuleContext& context) {
  if (!host_known(context)) return;
  // cma* and the like are HP's agents, which ask the controller on their own.
  constexpr std::array<std::string_view, 13> names{
      "ssacli",    "hpssacli",  "hpacucli", "arcconf",   "storcli", "storcli64", "MegaCli",
      "MegaCli64", "perccli64", "cmaidad",  "cmaeventd", "cmasasd", "amsHelper"};
  const auto found = running(*context.planned(), names);
  if (found.empty()) return;
  context.report({}, {.evidence = fmt::format("running: {}", fmt::join(found, ", ")),
                      .fix = {"pause the monitoring while you measure"},
                      .affects = "its alarms, as long as it is paused"});
}

void scanners(RuleContext& context) {
  if (!host_known(context)) return;
  constexpr std::array<std::string_view, 14> names{
      "clamd",         "clamonacc",  "freshclam", "mfetpd",     "isecespd",
      "nails",         "savd",       "savscand",  "wdavdaemon", "ds_agent",
      "falcon-sensor", "sophos-spl", "SymDaemon", "rtvscand"};
  // The kernel keeps 15 letters of a name.
  const auto found = running(*context.planned(), names);
  if (found.empty()) return;
  context.report({}, {.evidence = fmt::format("running: {}", fmt::join(found, ", ")),
                      .fix = {"exclude the test file from it"},
                      .affects = "what it protects, as long as it is excluded"});
}

void in_use(RuleContext& context) {
  if (context.planned() == nullptr || !context.planned()->writes_raw_device) return;
  const auto at = context.target();
  if (!at) return;
  std::vector<std::string> parts;
  if (!at->drive->mount_points.empty())
    parts.push_back(fmt::format("Mount Points: {}", fmt::join(at->drive->mount_points, ", ")));
  if (const auto* state = extra_value(at->drive->extra, "OS Status"); state && *state == "LOCKED")
    parts.emplace_back("OS Status: LOCKED");
  const auto* boot = extra_value(at->controller->extra, "Primary Boot Volume");
  if (boot != nullptr && at->drive->number &&
      boot->starts_with(fmt::format("logicaldrive {} ", *at->drive->number))) {
    parts.push_back("Primary Boot Volume: " + *boot);
  }
  if (parts.empty()) return;
  context.report(subject_of(*at), {.evidence = fmt::format("{}", fmt::join(parts, "; ")),
                                   .fix = {"take another logical drive, or a file"},
                                   .affects = "the data on this drive"});
}

void layers(RuleContext& context) {
  with_disk(context, [&](const Disk& disk) {
    const auto& between = context.planned()->layers;
    if (!between || between->empty()) return;
    context.report(disk.subject, {.evidence = fmt::format("{}", fmt::join(*between, ", ")),
                                  .fix = {"name the layers in the report, or measure below them"},
                                  .affects = "block sizes, alignment and caching below the file"});
  });
}

void page_cache(RuleContext& context) {
  if (!host_known(context) || context.planned()->direct) return;
  const Integer& memory = context.host().memory_bytes;
  const std::uint64_t area = context.planned()->area_bytes;
  Condition holds;
  holds.require(memory && area != 0 ? Flag{area < static_cast<std::uint64_t>(*memory)} : Flag{},
                memory ? "size of the test area" : "memory of the host");
  if (!context.decide(holds, {})) return;
  context.report({}, {.evidence = fmt::format("buffered, {} MiB of a machine with {} MiB of memory",
                                              area >> 20U, *memory >> 20),
                      .fix = {"leave --buffered out, or take a file larger than the memory"},
                      .affects = "what the result measures: memory in place of drives"});
}

constexpr Rule rules[] = {
    {.id = "O01",
     .severity = Severity::warning,
     .condition = "the scheduler of a solid-state drive is not none, noop, deadline or mq-deadline",
     .why = "the host reorders what the controller reorders",
     .source = "serverfault.com/questions/373563; openstreetmap/chef cookbooks/devices udev rules",
     .evaluate = scheduler,
     .planned = true},
    {.id = "O02",
     .severity = Severity::warning,
     .condition = "the kernel takes a solid-state drive for a spinning one",
     .why = "its heuristics are then those of a disk (the controller hides what it is)",
     .source = "QSYS",
     .evaluate = rotational,
     .planned = true},
    {.id = "O03",
     .severity = Severity::warning,
     .condition = "a buffered read test with read-ahead",
     .why = "read-ahead inflates buffered reads: compare at one value only",
     .source = "serverfault.com/questions/373563",
     .evaluate = read_ahead,
     .planned = true},
    {.id = "O04",
     .severity = Severity::error,
     .condition = "nr_requests or the device's queue depth is below the outstanding that was asked",
     .why = "the host caps the depth",
     .source = "HPSA, A-QD",
     .evaluate = depth_limit,
     .planned = true},
    {.id = "O06",
     .severity = Severity::block,
     .condition = "a file system without barriers on a volatile cache",
     .why = "acknowledged writes are lost with the power",
     .source = "WC",
     .evaluate = no_barrier,
     .planned = true},
    {.id = "O07",
     .severity = Severity::warning,
     .condition = "the CPU frequency governor is not performance",
     .why = "up to tens of per cent of noise (unverified)",
     .source = "[U magnitude]",
     .evaluate = governor,
     .planned = true},
    {.id = "O08",
     .severity = Severity::warning,
     .condition = "few outstanding, and idle states of the CPUs that take 50 µs or more to leave",
     .why = "590 MB/s fell to 320 in a kernel fix about this",
     .source = "CPUIDLE; limit chosen here",
     .evaluate = idle_states,
     .planned = true},
    {.id = "O09",
     .severity = Severity::warning,
     .condition = "the machine is a guest of a hypervisor",
     .why = "caches and scheduling of the host take part",
     .source = "S3",
     .evaluate = hypervisor,
     .planned = true},
    {.id = "O10",
     .severity = Severity::warning,
     .condition = "several NUMA nodes, and workers that are not bound to the controller's",
     .why = "memory and interrupts are remote for some of them",
     .source = "PQI",
     .evaluate = numa,
     .planned = true},
    {.id = "O11",
     .severity = Severity::error,
     .condition = "somebody else used the drive just before the start",
     .why = "the run is contaminated",
     .source = "Gerrrt (idle vs loaded N5)",
     .evaluate = others_at_work,
     .planned = true},
    {.id = "O12",
     .severity = Severity::warning,
     .condition = "a vendor tool or agent runs",
     .why = "asking the controller disturbs its I/O",
     .source = "github thomas-krenn/check_lsi_raid issue 42",
     .evaluate = monitors,
     .planned = true},
    {.id = "O13",
     .severity = Severity::block,
     .condition =
         "a raw write test on a drive that is mounted, locked by the system or booted from",
     .why = "the data on it would be lost",
     .source = "FX outputs",
     .evaluate = in_use,
     .planned = true},
    {.id = "O15",
     .severity = Severity::warning,
     .condition = "LVM, md, multipath or dm-crypt lies between the file and the drive",
     .why = "the layer takes part in the result",
     .source = "case 22-like",
     .evaluate = layers,
     .planned = true},
    {.id = "O16",
     .severity = Severity::warning,
     .condition = "a virus scanner runs",
     .why = "it may read what the test reads",
     .source = "S3, N6",
     .evaluate = scanners,
     .planned = true},
    {.id = "O17",
     .severity = Severity::error,
     .condition = "buffered, and the test area is smaller than the memory",
     .why = "it measures memory",
     .source = "S1, fio HOWTO",
     .evaluate = page_cache,
     .planned = true},
};

}  // namespace

const RuleTopic rule_topic_host_settings{"host_settings", "The host", rules};

}  // namespace raidscope
