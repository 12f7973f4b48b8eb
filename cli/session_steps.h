#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/pacing.h"
#include "cli/planning.h"
#include "cli/resume.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "controllers/inventory/inventory.h"
#include "controllers/rules/rule.h"
#include "reports/store/store.h"
#include "workloads/plan.h"
#include "workloads/run/consent.h"
#include "workloads/run/runner.h"
#include "workloads/run_result.h"
#include "workloads/workload_check.h"

namespace raidscope::cli {

/// One command of `run` or `profile` from start to end. Every step gives an exit code; exit_done
/// means go on. The steps up to the audit are in session_prepare.cpp, those before the first
/// request in session_ready.cpp, the points in session_measure.cpp.
class Session {
 public:
  Session(const Arguments& arguments, bool profile) : arguments_(arguments), profile_(profile) {}
  /// Part of a session whose record is kept elsewhere.
  Session(const Arguments& arguments, const std::string& part_of)
      : arguments_(arguments), profile_(false), session_id_(part_of) {}
  /// Goes on with a session; `arguments` are its own, which `resumed` holds.
  Session(const Resumed& resumed, bool profile)
      : arguments_(resumed.arguments), profile_(profile), resumed_(&resumed) {}

  int run();

 private:
  int plan();
  int probe();
  int examine();
  int examine_others();
  int compare_with_beginning();
  int audit();
  int print_plan();
  void leave_out_what_is_done();
  int ask_consent();
  int open_results();
  int make_file();
  int claim_files();
  Status existing_file_fits(const std::optional<std::uint64_t>& size);
  Status check_outputs();
  void refuse_what_does_not_fit_in_memory();
  int measure();
  Status begin_record(const std::optional<SnapshotRef>& before);
  void say_how_to_go_on();
  int finish(int code);

  [[nodiscard]] static bool writes(const PlannedPoint& point) {
    return workload_writes(point.workload);
  }
  [[nodiscard]] bool any_writes() const {
    return options_.fill_passes > 0 ||
           std::any_of(plan_.points.begin(), plan_.points.end(), writes);
  }
  [[nodiscard]] std::string verb() const { return profile_ ? "profile" : "run"; }
  [[nodiscard]] bool made_by_the_session() const {
    return resumed_ != nullptr && resumed_->record.test_file.has_value();
  }
  /// Of a point's run: --name in front of the point's own.
  [[nodiscard]] std::string name_of(const PlannedPoint& point) const;
  [[nodiscard]] bool missing(std::size_t point) const {
    const std::vector<bool>& of = resumed_ != nullptr ? resumed_->missing : missing_of_part_;
    return of.empty() || of[point];
  }
  /// What an earlier process measured of the same part before it was killed or stopped.
  Status take_up_part();
  /// The targets' examinations in their order.
  [[nodiscard]] std::vector<const TargetExamination*> examinations() const;
  /// The values of --destroy-data that count for a target.
  [[nodiscard]] std::vector<std::string> destroy_ids(std::size_t target) const;
  [[nodiscard]] const std::string& target() const { return options_.targets.front(); }
  [[nodiscard]] TargetPlace place_in(const Inventory& inventory) const;
  Status refine_plan();
  [[nodiscard]] std::optional<SnapshotRef> snapshot_ref(const Inventory& inventory);
  /// Filling passes, before the first point.
  Status fill_targets();
  /// The point's own workload as load, before its first round. Errc::interrupted when stopped.
  Status precondition(const PlannedPoint& point);
  [[nodiscard]] std::optional<Preconditioning> preconditioning_before(
      const PlannedPoint& point) const;
  void judge_round(RunResult& result, const RoundsRule& rule, const MeasuredRounds& rounds) const;
  RunOptions run_options(const std::string& name, ProgressLine& line);
  Result<RunResult> measure_point(const PlannedPoint& point);
  enum class Look { between, closing, stopped };
  void close_inventory(RunResult& result, const PlannedPoint& point, Look look);
  void audit_what_happened(RunResult& result, const PlannedPoint& point, const Inventory& after);
  int print_results();

  const Arguments& arguments_;
  const bool profile_;
  const Resumed* resumed_ = nullptr;  // null: the session begins now
  PlanOptions options_;
  Plan plan_;
  Inventory before_;
  Inventory last_look_;  // the latest one before the point that is being measured
  bool given_ = false;
  bool emulated_ = false;  ///< this machine is the lab, or the inventory is one of it
  bool partly_ = false;
  TargetExamination examination_;
  std::vector<TargetExamination> others_;  // further targets
  std::vector<std::string> absent_;        // targets that a dry run did not find, in words
  std::uint64_t file_size_ = 0;            // of the file to make; 0: none is made
  bool default_target_ = false;            // nobody named it
  bool remakes_file_ = false;              // a file of ours that is there is filled (again)
  bool left_behind_ = false;               // by a profile that was killed
  std::uint64_t unfilled_size_ = 0;        // of a file that was not filled to its end
  std::uint64_t present_bytes_ = 0;        // of the target before anything was done
  bool made_file_ = false;
  AuditReport audit_;
  std::vector<std::string> accepted_;
  std::vector<WriteConsent> consents_;
  std::vector<std::shared_ptr<const void>> claims_;        // locks on the files that are written
  std::optional<std::atomic<std::int64_t>> write_budget_;  // --max-write, less the test file
  std::vector<std::string> file_problems_;
  bool file_misleads_ = false;
  std::unique_ptr<Store> store_;
  std::string session_id_;  // given beforehand where this is a part of another's session
  bool part_ = false;
  std::vector<bool> missing_of_part_;
  bool recorded_ = false;      // another process could go on with the session
  std::string change_;         // of the configuration since a resumed session began, accepted
  double left_s_ = 0;          // of the points that are still to be measured
  bool wrote_before_ = false;  // to fill or precondition
  Preconditioning fill_;       // of all targets
  std::map<std::string, Preconditioning> preconditioned_;  // by the key of the workload's rounds
  std::size_t measured_ = 0;  // of the results: by this process, the last ones
  std::vector<RunResult> results_;
  std::map<std::string, Inventory> snapshots_;
};

}  // namespace raidscope::cli
