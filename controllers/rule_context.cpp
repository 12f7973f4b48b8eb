#include <fmt/format.h>

#include "controllers/inventory/precedence.h"
#include "controllers/rules/context.h"
#include "controllers/rules/readings.h"

namespace raidscope {

Condition& Condition::require(Flag part, std::string fact) {
  if (!part) {
    missing_.push_back(std::move(fact));
  } else if (!*part) {
    refuted_ = true;
  }
  return *this;
}

Flag any_of(std::initializer_list<Flag> parts) {
  bool unknown = false;
  for (const Flag& part : parts) {
    if (!part) {
      unknown = true;
    } else if (*part) {
      return true;
    }
  }
  return unknown ? Flag{} : Flag{false};
}

Flag all_of(std::initializer_list<Flag> parts) {
  bool unknown = false;
  for (const Flag& part : parts) {
    if (!part) {
      unknown = true;
    } else if (!*part) {
      return false;
    }
  }
  return unknown ? Flag{} : Flag{true};
}

Flag negate(Flag part) {
  return part ? Flag{!*part} : Flag{};
}

std::optional<DriveRef> RuleContext::target() const {
  if (planned_ == nullptr) return std::nullopt;
  for (const DriveRef& at : all_logical_drives(inventory_)) {
    if (planned_->drive_id && at.drive->unique_id) {
      if (normal_id(*planned_->drive_id) == normal_id(*at.drive->unique_id)) return at;
      continue;
    }
    if (planned_->slot && planned_->drive && at.controller->slot == planned_->slot &&
        at.drive->number == planned_->drive) {
      return at;
    }
  }
  return std::nullopt;
}

const BlockDevice* RuleContext::target_device() const {
  if (planned_ == nullptr || !planned_->device) return nullptr;
  for (const BlockDevice& device : inventory_.block_devices) {
    if (device.path == *planned_->device) return &device;
  }
  return nullptr;
}

DriveGroup group_of(const DriveRef& at) {
  return {at.controller, at.array, {at.drive}};
}

Subject subject_of(const Controller& controller) {
  return {.slot = controller.slot};
}

Subject subject_of(const Controller& controller, const Array* array) {
  return {.slot = controller.slot, .array = array ? array->letter : Text{}};
}

Subject subject_of(const DriveRef& at) {
  Subject out = subject_of(*at.controller, at.array);
  out.logical_drive = at.drive->number;
  return out;
}

Subject subject_of(const DriveGroup& group) {
  Subject out = subject_of(*group.controller, group.array);
  if (!group.array && group.drives.size() == 1) out.logical_drive = group.drives.front()->number;
  return out;
}

Subject subject_of_target(const RuleContext& context) {
  const auto at = context.target();
  return at ? subject_of(*at) : Subject{};
}

Subject subject_of(const PhysicalDriveRef& at) {
  Subject out = subject_of(*at.controller, at.array);
  out.bay = at.drive->bay;
  return out;
}

std::string describe(const Subject& subject) {
  std::string out = subject.slot ? "slot " + *subject.slot : "a controller without a slot";
  if (subject.array) out += ", array " + *subject.array;
  if (subject.logical_drive) out += fmt::format(", logical drive {}", *subject.logical_drive);
  if (subject.bay) out += ", bay " + *subject.bay;
  return out;
}

std::vector<DriveRef> RuleContext::logical_drives(const Controller& controller) {
  std::vector<DriveRef> out;
  if (!drives_told(controller) && controller.mode != ControllerMode::hba) {
    missing("logical drives", subject_of(controller));
  }
  for (const Array& array : controller.arrays) {
    // An array goes with its last logical drive, so one without was only named.
    if (array.logical_drives.empty()) missing("logical drives", subject_of(controller, &array));
    for (const LogicalDrive& drive : array.logical_drives) {
      out.push_back({&controller, &array, &drive});
    }
  }
  for (const LogicalDrive& drive : controller.logical_drives) {
    out.push_back({&controller, nullptr, &drive});
  }
  return out;
}

std::vector<DriveGroup> RuleContext::drive_groups(const Controller& controller) {
  std::vector<DriveGroup> out;
  if (!drives_told(controller) && controller.mode != ControllerMode::hba) {
    missing("arrays", subject_of(controller));
  }
  for (const Array& array : controller.arrays) {
    DriveGroup group{&controller, &array, {}};
    for (const LogicalDrive& drive : array.logical_drives) group.drives.push_back(&drive);
    out.push_back(std::move(group));
  }
  for (const LogicalDrive& drive : controller.logical_drives) {
    out.push_back({&controller, nullptr, {&drive}});
  }
  return out;
}

std::vector<PhysicalDriveRef> RuleContext::physical_drives(const Controller& controller) {
  std::vector<PhysicalDriveRef> out;
  const auto add = [&](const Array* array, const std::vector<PhysicalDrive>& drives) {
    for (const PhysicalDrive& drive : drives) out.push_back({&controller, array, &drive});
  };
  for (const Array& array : controller.arrays) {
    if (array.physical_drives.empty()) missing("physical drives", subject_of(controller, &array));
    add(&array, array.physical_drives);
  }
  add(nullptr, controller.physical_drives);
  add(nullptr, controller.unassigned_drives);
  add(nullptr, controller.hba_drives);
  // Loose logical drives come from paths that name no members.
  if (out.empty() && controller.arrays.empty()) missing("physical drives", subject_of(controller));
  return out;
}

bool RuleContext::decide(const Condition& condition, const Subject& subject) {
  if (condition.refuted()) return false;
  for (const std::string& fact : condition.missing()) missing(fact, subject);
  return condition.missing().empty();
}

void RuleContext::missing(std::string_view fact, const Subject& subject) {
  if (not_evaluated_.empty() || not_evaluated_.back().rule != rule_->id) {
    not_evaluated_.push_back({std::string(rule_->id), {}});
  }
  std::string entry = fmt::format("{} ({})", fact, describe(subject));
  if (told_missing_.insert(entry).second) {
    not_evaluated_.back().missing.push_back(std::move(entry));
  }
}

void RuleContext::report(const Subject& subject, FindingText text) {
  findings_.push_back({.rule = std::string(rule_->id),
                       .severity = text.severity.value_or(rule_->severity),
                       .subject = subject,
                       .evidence = std::move(text.evidence),
                       .why = text.why.empty() ? std::string(rule_->why) : std::move(text.why),
                       .fix = std::move(text.fix),
                       .affects = std::move(text.affects),
                       .source = std::string(rule_->source)});
}

std::string RuleContext::command(const Controller& controller, std::string_view rest) const {
  // The tool takes a serial number where a chassis outside the server has no slot.
  const std::string target = controller.slot     ? "slot=" + *controller.slot
                             : controller.serial ? "serialnumber=" + *controller.serial
                                                 : std::string("slot=N");
  return fmt::format("{} ctrl {} {}", options_.tool, target, rest);
}

void RuleContext::begin(const Rule& rule) {
  rule_ = &rule;
  told_missing_.clear();
}

}  // namespace raidscope
