#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "controllers/rules/rule.h"

/// What a rule's function works with: three-valued conditions, the objects of the inventory, and
/// the place where findings and missing facts go.
namespace raidscope {

/// A conjunction in three-valued logic. A single part known to be false decides it, whatever else
/// is unknown; else every unknown part is a missing fact; else it holds.
class Condition {
 public:
  /// `fact` names in people's words what was not told; it is reported only when the part is
  /// unknown.
  Condition& require(Flag part, std::string fact);

  bool holds() const { return !refuted_ && missing_.empty(); }
  bool refuted() const { return refuted_; }
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  bool refuted_ = false;
  std::vector<std::string> missing_;
};

/// Known and equal, known and different, or unknown.
template <class T, class U>
Flag is(const std::optional<T>& fact, const U& value) {
  if (!fact) return std::nullopt;
  return *fact == value;
}

/// One known true decides; false only when all are known to be false.
Flag any_of(std::initializer_list<Flag> parts);
/// One known false decides; true only when all are known to be true.
Flag all_of(std::initializer_list<Flag> parts);
Flag negate(Flag part);

/// A physical drive with what it lies in; `array` is null for unassigned, HBA and unplaced drives.
struct PhysicalDriveRef {
  const Controller* controller = nullptr;
  const Array* array = nullptr;
  const PhysicalDrive* drive = nullptr;
};

/// The logical drives that share one Smart Path setting: those of an array, or a single one that
/// the source does not place in an array.
struct DriveGroup {
  const Controller* controller = nullptr;
  const Array* array = nullptr;
  std::vector<const LogicalDrive*> drives;
};

struct MeasuredTest;
struct RunWindow;

/// What a rule adds to its row when it holds.
struct FindingText {
  std::string evidence;
  std::vector<std::string> fix;
  std::string affects;
  std::optional<Severity> severity;  ///< when it differs from the row's
  std::string why;                   ///< when it differs from the row's
};

class RuleContext {
 public:
  RuleContext(const Inventory& inventory, const PlannedTest* planned, const AuditOptions& options,
              const RunWindow* window = nullptr, const MeasuredTest* measured = nullptr)
      : inventory_(inventory),
        planned_(planned),
        options_(options),
        window_(window),
        measured_(measured) {}

  const std::vector<Controller>& controllers() const { return inventory_.controllers; }
  const HostFacts& host() const { return inventory_.host; }
  /// The two inventories around a run; null in an audit of one inventory.
  const RunWindow* window() const { return window_; }
  const PlannedTest* planned() const { return planned_; }  ///< null without a planned test
  /// What a result shows; null in an audit of an inventory.
  const MeasuredTest* measured() const { return measured_; }
  const AuditOptions& options() const { return options_; }
  /// The logical drive that the planned test lies on; nullopt without a test, and where it lies on
  /// none or it is not known on which.
  std::optional<DriveRef> target() const;
  /// The disk of no listed controller that it lies on; null likewise.
  const BlockDevice* target_device() const;

  // The objects of a controller. Where the source did not tell them (a `show status` names no
  // drive), the missing objects are reported and the list is what there is.
  std::vector<DriveRef> logical_drives(const Controller& controller);
  std::vector<DriveGroup> drive_groups(const Controller& controller);
  std::vector<PhysicalDriveRef> physical_drives(const Controller& controller);

  /// Whether the condition holds. Where only unknown facts stand in the way they are reported as
  /// missing, each with its object.
  bool decide(const Condition& condition, const Subject& subject);
  void missing(std::string_view fact, const Subject& subject);
  void report(const Subject& subject, FindingText text);

  /// "ssacli ctrl slot=0 array A modify ssdsmartpath=disable" for rest = "array A modify …".
  std::string command(const Controller& controller, std::string_view rest) const;

  // For audit(): one rule after the other.
  void begin(const Rule& rule);
  std::vector<Finding> take_findings() { return std::move(findings_); }
  std::vector<NotEvaluated> take_not_evaluated() { return std::move(not_evaluated_); }

 private:
  const Inventory& inventory_;
  const PlannedTest* planned_;
  const AuditOptions& options_;
  const RunWindow* window_;
  const MeasuredTest* measured_;
  const Rule* rule_ = nullptr;
  std::set<std::string> told_missing_;  ///< of the present rule, so that each is listed once
  std::vector<Finding> findings_;
  std::vector<NotEvaluated> not_evaluated_;
};

/// One logical drive as a group.
DriveGroup group_of(const DriveRef& at);

Subject subject_of(const Controller& controller);
Subject subject_of(const Controller& controller, const Array* array);
Subject subject_of(const DriveRef& at);
/// Of the drive that a planned test lies on; of the machine where it is not known on which.
Subject subject_of_target(const RuleContext& context);
Subject subject_of(const DriveGroup& group);
Subject subject_of(const PhysicalDriveRef& at);

/// "slot 0, array A, logical drive 1".
std::string describe(const Subject& subject);

}  // namespace raidscope
