#include "workloads/experiment/experiment.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "probe/base/json_document.h"
#include "workloads/random.h"

namespace raidscope {
namespace {

bool is_one_of(const std::optional<std::string>& value,
               std::initializer_list<std::string_view> of) {
  return !value || std::find(of.begin(), of.end(), *value) != of.end();
}

}  // namespace

Result<Arm> named_arm(std::string_view name) {
  Arm arm;
  arm.name = name;
  if (name == "cache") {
    arm.smart_path = "off";
    arm.caching = "on";
  } else if (name == "smart_path") {
    arm.smart_path = "on";
  } else if (name == "neither") {
    arm.smart_path = "off";
    arm.caching = "off";
  } else if (name != "as-is") {
    return fail(Errc::usage, fmt::format("no arm \"{}\"", name), "",
                "the arms are cache, smart_path, neither and as-is; a plan file may hold others");
  }
  return arm;
}

Status check_experiment(const Experiment& experiment) {
  const auto wrong = [](std::string what, std::string where) {
    return fail(Errc::malformed, std::move(what), std::move(where));
  };
  if (experiment.blocks < 1 || experiment.blocks > 1000)
    return wrong("an experiment has 1 to 1000 blocks", "/blocks");
  if (experiment.arms.empty()) return wrong("an experiment has one arm or more", "/arms");
  if (experiment.run.empty()) return wrong("the options of `run` are missing", "/run");
  std::set<std::string> names;
  for (const Arm& arm : experiment.arms) {
    if (arm.name.empty() || !names.insert(arm.name).second)
      return wrong(fmt::format("arms need names of their own, not \"{}\" twice", arm.name),
                   "/arms");
    if (!is_one_of(arm.smart_path, {"on", "off"}) || !is_one_of(arm.caching, {"on", "off"}))
      return wrong("smart_path and caching are \"on\", \"off\" or null", "/arms " + arm.name);
    if (arm.smart_path == "on" && arm.caching == "on")
      return wrong("Smart Path and caching exclude each other", "/arms " + arm.name);
    if (!is_one_of(arm.surface_scan, {"disable", "idle", "high"}))
      return wrong("surface_scan is \"disable\", \"idle\", \"high\" or null", "/arms " + arm.name);
  }
  return Done{};
}

std::vector<Visit> visits_of(const Experiment& experiment) {
  SplitMix64 random(experiment.seed);
  std::vector<Visit> out;
  const std::size_t layouts = std::max<std::size_t>(experiment.layouts.size(), 1);
  for (std::size_t layout = 0; layout < layouts; ++layout) {
    for (int block = 0; block < experiment.blocks; ++block) {
      std::vector<std::string> order;
      for (const Arm& arm : experiment.arms) order.push_back(arm.name);
      for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[below(random(), i)]);
      for (std::string& name : order)
        out.push_back({static_cast<int>(layout), block, std::move(name), false});
    }
  }
  return out;
}

std::vector<std::string> misfits(const Layout& layout, const LogicalDrive& drive) {
  std::vector<std::string> out;
  if (layout.disk_count && drive.disk_count != layout.disk_count) {
    out.push_back(
        fmt::format("{} disks are asked for, {} are there", *layout.disk_count,
                    drive.disk_count ? std::to_string(*drive.disk_count) : "an unknown number"));
  }
  if (layout.raid && drive.raid != layout.raid) {
    out.push_back(fmt::format("RAID {} is asked for, it is {}", *layout.raid,
                              drive.raid ? "RAID " + *drive.raid : "of an unknown level"));
  }
  if (layout.strip_bytes && drive.strip_bytes != layout.strip_bytes) {
    out.push_back(fmt::format(
        "a strip of {} KiB is asked for, it has {}", *layout.strip_bytes / 1024,
        drive.strip_bytes ? fmt::format("{} KiB", *drive.strip_bytes / 1024) : "an unknown one"));
  }
  return out;
}

std::vector<std::string> how_to_make(const Layout& layout, const Controller& controller,
                                     const Array* array, const LogicalDrive* drive,
                                     std::string_view tool) {
  std::vector<std::string> out;
  const std::string slot = controller.slot.value_or("?");
  std::vector<std::string> bays;
  if (array != nullptr) {
    for (const PhysicalDrive& disk : array->physical_drives) {
      if (disk.bay && disk.role != DriveRole::spare) bays.push_back(*disk.bay);
    }
  }
  for (const PhysicalDrive& disk : controller.unassigned_drives) {
    if (disk.bay) bays.push_back(*disk.bay);
  }
  if (drive != nullptr && drive->number) {
    out.push_back(fmt::format("{} ctrl slot={} ld {} delete", tool, slot, *drive->number));
    out.push_back(fmt::format("  destroys logical drive {}{} and everything on it", *drive->number,
                              drive->device ? " (" + *drive->device + ")" : ""));
  }
  std::string disks = "DRIVES";
  if (layout.disk_count && static_cast<std::size_t>(*layout.disk_count) <= bays.size()) {
    bays.resize(static_cast<std::size_t>(*layout.disk_count));
    disks = fmt::format("{}", fmt::join(bays, ","));
  } else if (layout.disk_count) {
    out.push_back(
        fmt::format("  {} disks are needed, and the array's and the unassigned ones are "
                    "{}: fit more, or name them yourself",
                    *layout.disk_count, bays.size()));
  }
  out.push_back(
      fmt::format("{} ctrl slot={} create type=ld drives={} raid={}{}", tool, slot, disks,
                  layout.raid.value_or("LEVEL"),
                  layout.strip_bytes ? fmt::format(" ss={}", *layout.strip_bytes / 1024) : ""));
  out.emplace_back("  destroys everything on these drives");
  return out;
}

std::string experiment_text(const Experiment& experiment) {
  return json::document_text(experiment);
}

Result<Experiment> experiment_from_text(std::string_view text, std::string_view where) {
  RAIDSCOPE_TRY(Experiment out,
                json::document_of<Experiment>(text, where, experiment_schema,
                                              "`raidscope experiment --print-plan` writes one"));
  const std::string unknown = json::unknown_key(json::Json::parse(text), json::encode(out));
  if (!unknown.empty()) {
    return fail(Errc::malformed, "an experiment has no such key",
                fmt::format("{}: {}", where, unknown), "see `raidscope schemas experiment`");
  }
  if (const Status fits = check_experiment(out); !fits) {
    Error error = fits.error();
    error.where = fmt::format("{}: {}", where, error.where);
    return tl::unexpected<Error>(std::move(error));
  }
  return out;
}

std::string state_text(const ExperimentState& state) {
  return json::document_text(state);
}

Result<ExperimentState> state_from_text(std::string_view text, std::string_view where) {
  constexpr std::string_view hint = "remove it to begin the experiment anew";
  RAIDSCOPE_TRY(ExperimentState state,
                json::document_of<ExperimentState>(text, where, experiment_state_schema, hint));
  RAIDSCOPE_CHECK(check_experiment(state.experiment));
  std::vector<Visit> visits = visits_of(state.experiment);
  const bool same = std::equal(visits.begin(), visits.end(), state.visits.begin(),
                               state.visits.end(), [](const Visit& made, Visit read) {
                                 read.done = made.done;
                                 return made == read;
                               });
  if (!same)
    return fail(Errc::malformed, "its visits are not those of its experiment", std::string(where),
                std::string(hint));
  return state;
}

}  // namespace raidscope
