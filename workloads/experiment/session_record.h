#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "workloads/plan.h"
#include "workloads/run_result.h"

/// What a session leaves behind when it begins to measure, so that another process can go on after
/// a crash or a restart of the machine.
namespace raidscope {

/// A target by what stays the same between boots.
struct SessionTarget {
  std::string path;       ///< as the options named it
  std::string real_path;  ///< links followed, absolute
  std::string kind;       ///< "file" or "block"
  std::string id;         ///< WWN or unique id of a device; real path of a file
  std::string id_source;  ///< what kind of id that is, in words
  /// "inode 12 born 1700000000.000000000" of a file, or of the file behind a loop device; null: not
  /// told, or a device.
  std::optional<std::string> file;
  std::optional<std::string> disk_id;       ///< of the disk below a file; null: not told
  std::optional<std::uint64_t> size_bytes;  ///< null: not told
  bool own_test_file = false;               ///< it carries raidscope's mark
  /// Reasons against writing that --destroy-data overrode, without the device's name: what is found
  /// there later and is not among them has to be named again.
  std::vector<std::string> overridden;
  bool operator==(const SessionTarget&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("path", s.path);
    f("real_path", s.real_path);
    f("kind", s.kind);
    f("id", s.id);
    f("id_source", s.id_source);
    f("file", s.file);
    f("disk_id", s.disk_id);
    f("size_bytes", s.size_bytes);
    f("own_test_file", s.own_test_file);
    f("overridden", s.overridden);
  }
};

/// The test file that a session made for itself: it goes away at the end, and is made anew with the
/// same seed and size where it is gone.
struct SessionTestFile {
  std::uint64_t size_bytes = 0, seed = 0;
  bool default_place = false;  ///< nobody named it
  bool operator==(const SessionTestFile&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("size_bytes", s.size_bytes);
    f("seed", s.seed);
    f("default_place", s.default_place);
  }
};

/// `raidscope.session/1`.
struct SessionRecord {
  std::string schema = "raidscope.session/1";
  std::string session_id, started_at;
  std::string verb;            ///< "run" or "profile"
  std::string program;         ///< version that began it
  std::string boot_id;         ///< of the kernel; empty: not told
  std::string working_folder;  ///< in which the options' paths are meant
  /// As given, a switch with no value; without those of the output and the store.
  std::map<std::string, std::vector<std::string>> options;
  std::vector<PlannedPoint> points;
  std::vector<SessionTarget> targets;
  std::optional<SessionTestFile> test_file;  ///< null: the session made none
  std::optional<SnapshotRef> inventory;      ///< at the beginning
  bool operator==(const SessionRecord&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("session_id", s.session_id);
    f("started_at", s.started_at);
    f("verb", s.verb);
    f("program", s.program);
    f("boot_id", s.boot_id);
    f("working_folder", s.working_folder);
    f("options", s.options);
    f("points", s.points);
    f("targets", s.targets);
    f("test_file", s.test_file);
    f("inventory", s.inventory);
  }
};

/// Which points still have to be measured: one for each of `points`, true where no result is of it.
/// A result that was interrupted counts for nothing, and one result counts for one point. A result
/// whose target has another name than any point's (a device that was renamed) counts for the first
/// missing point that is like it in all else.
std::vector<bool> missing_points(const std::vector<PlannedPoint>& points,
                                 const std::vector<RunResult>& results);

/// The ids of interrupted runs whose point was measured again in the same session: nobody wants to
/// count it twice.
std::set<std::string> made_again(const std::vector<RunResult>& runs);

/// What differs between the plan that was recorded and the one that the same options make now:
/// empty when they are the same. Names of
/// targets may differ: a device may have another one now.
std::string plan_difference(const std::vector<PlannedPoint>& recorded,
                            const std::vector<PlannedPoint>& now);

}  // namespace raidscope
