#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "controllers/rules/rule.h"
#include "reports/report.h"
#include "workloads/run_result.h"

/// The sentences that every report shares, so that terminal, Markdown and HTML say the same. Plain
/// text: each writer escapes for its own format.
namespace raidscope {

/// "8 KiB random, 67 % read, 2 workers × depth 32 = 64 outstanding".
std::string workload_shape(const Workload& workload);
/// "random", "4 KiB", "67 % read" and "64": the columns of a table.
std::string block_words(const Workload& workload);
std::string mix_words(const Workload& workload);
/// "100 GiB", or "unknown size".
std::string size_or_unknown(const TargetInfo& target);

/// What a reader must know before trusting the number: interrupted, configuration changed or not
/// verified, suspicions, no steady state, page cache not bypassed, given inventory, accepted
/// blockers, findings of severity error or above. Empty when there is nothing.
std::vector<std::string> run_warnings(const RunResult& run);
/// Traps of the workload's syntax or preset: worth knowing, no reason to doubt the number.
std::vector<std::string> run_notes(const RunResult& run);

/// "measured", "imported from another tool", "simulated, not the speed of hardware".
std::string origin_words(Origin origin);
/// The same with what simulated it: an emulated controller, or the null engine.
std::string origin_words(const RunResult& run);
/// What stands in place of fingerprint and tag where the inventory was read but the target's drive
/// is not among those it tells; empty where it is.
std::string undecided_words(const RunResult& run, const SnapshotRef& reference);
/// Of an inventory without controllers: that there is none, or that it is unknown and why.
std::string no_controller_words(const Inventory& inventory);

/// "/controllers/0/status: ssacli says OK, bmic says Failed; taken …: why".
std::string disagreement_words(const Disagreement& disagreement);

/// "slot 0, array A, LD 1, bay 1I:1:1"; "this machine" when empty.
std::string subject_words(const Subject& subject);

std::string drive_place(const LogicalDrive& drive);  ///< "/dev/sda" or "unknown device"
/// "RAID 1+0", "RAID 5 or 50" where a path could not tell, "RAID unknown".
std::string raid_words(const LogicalDrive& drive);
std::string media_words(const std::optional<Media>& media);
std::string write_cache_words(
    EffectiveWriteCache value);           ///< "protected", "volatile", "none", "unknown"
std::string io_path_words(IoPath value);  ///< "cache", "Smart Path", "neither", "unknown"
/// "2 GiB (1.8 GiB usable), OK, 10 % read / 90 % write, capacitor OK".
std::string cache_words(const CacheModule& cache);
/// "capability yes, driver support yes, driver switch on"; "unknown" where nothing is known.
std::string controller_smart_path_words(const ControllerSmartPath& smart_path);
std::string switch_words(const std::optional<Switch>& value);  ///< "on", "off", "unknown"
std::string flag_words(const std::optional<bool>& value);      ///< "yes", "no", "unknown"

/// Drives that are alike, counted.
struct AlikeDrives {
  std::size_t count = 0;
  std::string what;    ///< "HP EO0400FBRWA fw HPD9, SAS SSD, 400 GB, 6 Gbit/s"
  std::string status;  ///< "OK", or each status with its count
  bool healthy = true;
  std::string bays;  ///< "1I:1:1 to 1I:1:4, 2I:1:5"
};
std::vector<AlikeDrives> group_drives(const std::vector<PhysicalDrive>& drives);

/// The drive that a run's target lies on, by its controller and logical drive; all null when the
/// snapshot does not tell.
DriveRef target_drive(const RunResult& run, const Inventory& inventory);

/// Whether its number may not be what it says: interrupted, not valid, suspicious, under a
/// configuration that changed, or not steady.
bool is_doubtful(const RunResult& run);

/// Repeats of one point: the same session, name, workload and target. In the order of the first of
/// each.
struct PointGroup {
  std::vector<const RunResult*> runs;
};
std::vector<PointGroup> group_points(const std::vector<RunResult>& runs);

}  // namespace raidscope
