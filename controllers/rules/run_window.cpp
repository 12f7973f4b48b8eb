// What happened between two inventories around a run: S09, S13, T20.

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "controllers/inventory/precedence.h"
#include "controllers/rules/readings.h"
#include "controllers/rules/window.h"

namespace raidscope {
extern const RuleTopic rule_topic_run_window;

namespace {

bool same_id(const Text& a, const Text& b) {
  return a && b && normal_id(*a) == normal_id(*b);
}

const Controller* same_controller(const Inventory& inventory, const Controller& wanted) {
  for (const Text Controller::*key :
       {&Controller::pci_address, &Controller::serial, &Controller::slot}) {
    for (const Controller& controller : inventory.controllers) {
      if (same_id(controller.*key, wanted.*key)) return &controller;
    }
  }
  return nullptr;
}

const LogicalDrive* same_drive(const Controller* controller, const LogicalDrive& wanted) {
  if (controller == nullptr) return nullptr;
  const std::vector<DriveRef> drives = logical_drives_of(*controller);
  for (const DriveRef& at : drives) {
    if (same_id(at.drive->unique_id, wanted.unique_id)) return at.drive;
  }
  for (const DriveRef& at : drives) {
    if (at.drive->unique_id && wanted.unique_id) continue;
    if (same_id(at.drive->device, wanted.device)) return at.drive;
    if (at.drive->number && at.drive->number == wanted.number) return at.drive;
  }
  return nullptr;
}

/// The test named this drive.
bool is_target(const PlannedTest& test, const DriveRef& at) {
  if (same_id(test.drive_id, at.drive->unique_id)) return true;
  return test.slot && test.drive && at.controller->slot == test.slot &&
         at.drive->number == test.drive;
}

// S09 -------------------------------------------------------------------------------------------

void path_taken(RuleContext& context) {
  const RunWindow& window = *context.window();
  const PlannedTest* test = context.planned();
  if (test == nullptr) return;
  for (const Controller& controller : context.controllers()) {
    for (const DriveRef& at : logical_drives_of(controller)) {
      if (!is_target(*test, at)) continue;
      const Controller* before = same_controller(window.before, controller);
      const Controller* after = same_controller(window.after, controller);
      const LogicalDrive* first = same_drive(before, *at.drive);
      const LogicalDrive* second = same_drive(after, *at.drive);
      // The driver's counter; hpsa has none.
      const Text& driver = controller.driver.name;
      if (driver && *driver != "smartpqi") continue;
      if (!driver && controller.generation && !gen10(controller)) continue;
      Integer moved;
      if (first != nullptr && second != nullptr && first->smart_path.bypass_count &&
          second->smart_path.bypass_count) {
        moved = *second->smart_path.bypass_count - *first->smart_path.bypass_count;
      }
      // A drive that was made anew or a driver that was loaded anew counts from 0.
      if (moved && *moved < 0) moved.reset();
      const Flag on = smart_path_on(controller, at.array, at.drive);
      Condition holds;
      holds.require(on && moved ? Flag{*on ? *moved == 0 : *moved > 0} : Flag{},
                    on ? "raid_bypass_cnt before and after" : "Smart Path setting");
      if (!context.decide(holds, subject_of(at))) continue;
      context.report(
          subject_of(at),
          {.evidence = fmt::format(
               "{}; raid_bypass_cnt: {} before, {} after", smart_path_evidence(group_of(at)),
               *first->smart_path.bypass_count, *second->smart_path.bypass_count),
           .fix =
               {*on ? "find out why nothing went past the controller: the driver's switch (S07), "
                      "the state of the array (S12), writes to a level other than RAID 0"
                    : "read the Smart Path setting again:",
                context.command(controller, "show config detail")},
           .affects = "what the result says of the path taken"});
    }
  }
}

// S13 -------------------------------------------------------------------------------------------

void switch_changed(RuleContext& context) {
  const RunWindow& window = *context.window();
  for (const Controller& controller : context.controllers()) {
    const Controller* before = same_controller(window.before, controller);
    const Controller* after = same_controller(window.after, controller);
    const Text& driver = controller.driver.name;
    // hpsa's switch alone; a controller that cannot do Smart Path has none that matters.
    if (driver ? *driver != "hpsa" : gen10(controller)) continue;
    if (controller.smart_path.capable == false || before_smart_path(controller) == true) continue;
    const Flag was = before != nullptr ? before->smart_path.driver_enabled : Flag{};
    const Flag is_now = after != nullptr ? after->smart_path.driver_enabled : Flag{};
    Condition holds;
    holds.require(was && is_now ? Flag{*was != *is_now} : Flag{},
                  "hp_ssd_smart_path_status before and after");
    if (!context.decide(holds, subject_of(controller))) continue;
    const auto word = [](const Flag& flag) { return *flag ? "enabled" : "disabled"; };
    context.report(subject_of(controller),
                   {.evidence = fmt::format("hp_ssd_smart_path_status: {} before, {} after",
                                            word(was), word(is_now)),
                    .fix = {"discard the run, and find out who writes to the switch"},
                    .affects = whole_controller(controller, "the switch is")});
  }
}

// T20 -------------------------------------------------------------------------------------------

/// The paths that answered; lists of drives compare only where the same ones did.
std::set<std::string> paths_of(const Inventory& inventory) {
  std::set<std::string> out;
  for (const SourceInfo& source : inventory.sources) {
    if (source.status == "ok") out.insert(source.path);
  }
  return out;
}

/// What the machine holds, by a name that a scan does not change, with what a scan may change.
struct Held {
  std::string key, words;
  Text device;
};

std::vector<Held> held_by(const Controller& controller) {
  std::vector<Held> out;
  for (const DriveRef& at : logical_drives_of(controller)) {
    const std::string number = at.drive->number ? std::to_string(*at.drive->number) : std::string();
    const std::string id = at.drive->unique_id ? normal_id(*at.drive->unique_id) : number;
    if (id.empty()) continue;
    out.push_back(
        {"logical " + id, "logical drive " + (number.empty() ? id : number), at.drive->device});
  }
  const auto add = [&](const std::vector<PhysicalDrive>& drives) {
    for (const PhysicalDrive& drive : drives) {
      const Text& id = drive.serial ? drive.serial : drive.bay;
      if (!id) continue;
      out.push_back(
          {"physical " + normal_id(*id), "physicaldrive " + drive.bay.value_or(*id), drive.device});
    }
  };
  for (const Array& array : controller.arrays) add(array.physical_drives);
  add(controller.physical_drives);
  add(controller.unassigned_drives);
  add(controller.hba_drives);
  return out;
}

std::vector<std::string> events(const Controller& before, const Controller& after) {
  std::vector<std::string> out;
  const std::vector<Held> first = held_by(before);
  const std::vector<Held> second = held_by(after);
  const auto find = [](const std::vector<Held>& in, const std::string& key) {
    return std::find_if(in.begin(), in.end(), [&](const Held& held) { return held.key == key; });
  };
  for (const Held& held : first) {
    const auto now = find(second, held.key);
    if (now == second.end()) {
      out.push_back(held.words + " is gone");
    } else if (held.device && now->device && *held.device != *now->device) {
      out.push_back(fmt::format("{} was {} and is {}", held.words, *held.device, *now->device));
    }
  }
  for (const Held& held : second) {
    if (find(first, held.key) == first.end()) out.push_back(held.words + " is new");
  }
  return out;
}

void hot_plug(RuleContext& context) {
  const RunWindow& window = *context.window();
  const std::set<std::string> paths = paths_of(window.after);
  const Inventory* start = paths_of(window.before) == paths       ? &window.before
                           : paths_of(window.configured) == paths ? &window.configured
                                                                  : nullptr;
  for (const Controller& controller : context.controllers()) {
    const Subject subject = subject_of(controller);
    const Controller* before = start != nullptr ? same_controller(*start, controller) : nullptr;
    if (before == nullptr) {
      context.missing("drives before and after by the same paths", subject);
      continue;
    }
    const Controller* after = same_controller(window.after, controller);
    if (after != nullptr && paths.contains("file") &&
        held_by(*before).empty() != held_by(*after).empty()) {
      context.missing("drives before and after", subject);  // a text that tells of none
      continue;
    }
    const std::vector<std::string> found = after != nullptr
                                               ? events(*before, *after)
                                               : std::vector<std::string>{"the controller is gone"};
    if (found.empty()) continue;
    context.report(subject, {.evidence = fmt::format("{}", fmt::join(found, "; ")),
                             .fix = {"repeat the run, and leave the drives alone meanwhile"},
                             .affects = whole_controller(controller, "the pause is")});
  }
}

constexpr Rule rules[] = {
    {.id = "S09",
     .severity = Severity::error,
     .condition =
         "smartpqi: raid_bypass_cnt of the drive that was measured did not move during the "
         "run though Smart Path is on, or did though it is off",
     .why = "the label does not match the path that was taken",
     .source = "PQI",
     .evaluate = path_taken,
     .window = true},
    {.id = "S13",
     .severity = Severity::error,
     .condition = "hp_ssd_smart_path_status changed during the run",
     .why = "a part of the run was measured on another path",
     .source = "HPSA",
     .evaluate = switch_changed,
     .window = true},
    {.id = "T20",
     .severity = Severity::warning,
     .condition = "a drive came, went or changed its device during the run",
     .why = "a hot-plug event or a rescan pauses I/O for one or two seconds",
     .source = "SAAP-83",
     .evaluate = hot_plug,
     .window = true},
};

}  // namespace

const RuleTopic rule_topic_run_window{"run_window", "Changes during a run", rules};

}  // namespace raidscope
