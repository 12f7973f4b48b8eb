#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "probe/base/result.h"
#include "workloads/run_result.h"

namespace raidscope {

/// One reason why a target may not be written, CONTRACT "Safety".
struct Refusal {
  std::string code;  ///< "mounted", "swap", "holder", "root_device", "opened", "exclusive_open",
                     ///< "signature", "data", "foreign_file", "space", "read_only", "permission"
  std::string why;   ///< with the names a person can look at, and what to do
  bool overridable = false;  ///< by --destroy-data with the right id
  bool operator==(const Refusal&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("code", s.code);
    f("why", s.why);
  }
};

/// What must stay free of a file system of `total` bytes: the larger of 1 GiB and 5 %.
constexpr std::uint64_t bytes_kept_free(std::uint64_t total) noexcept {
  constexpr std::uint64_t kLeast = 1ULL << 30;
  return total / 20 > kLeast ? total / 20 : kLeast;
}

/// Which thing was examined, whatever its name leads to later.
struct TargetIdentity {
  bool block = false;
  std::uint64_t device = 0;  ///< st_rdev of a block device, st_dev of a file
  std::uint64_t inode = 0;   ///< of a file; 0: it does not exist yet
  bool operator==(const TargetIdentity&) const = default;
};

/// What is known of a target before anything is done to it.
struct TargetExamination {
  TargetInfo info;         ///< path as given
  std::string real_path;   ///< links followed, absolute
  std::string destroy_id;  ///< what --destroy-data must name: WWN, unique id, or a file's real path
  std::string id_source;   ///< what kind of id that is, in words
  bool exists = false;
  bool made_by_raidscope = false;
  bool live = true;  ///< false: examined below another root
  TargetIdentity identity;
  std::vector<Refusal> refusals;   ///< for writing; empty: it may be written
  std::vector<std::string> notes;  ///< where raidscope could not look
};

/// Looks at a file or block device through sysfs, /proc, libblkid and an exclusive open; writes
/// nothing. For reading, only the errors count: a mounted device may be read. `bytes_to_write` is
/// the size that a file is to have, for the free-space rule (0: none). `sysroot`: /sys, /proc and
/// /dev are read below it; a path that begins with /dev/ is then a device of that root. Errors:
/// not_found (the device, or the directory of a new file, named), usage (a directory, FIFO,
/// character device), unsupported (no medium, a pseudo file system), permission.
Result<TargetExamination> examine_target(const std::string& path, std::uint64_t bytes_to_write = 0,
                                         const std::string& sysroot = {});

/// Leave to write one target, minted only by ask_to_write. An engine or file writer cannot be
/// opened for writing without one. While a copy of it lives, a block device is held open
/// exclusively, so that nobody can mount it or add it to an array in the meantime.
class WriteConsent {
 public:
  [[nodiscard]] const std::string& target() const noexcept { return target_; }  ///< as given
  [[nodiscard]] const std::string& real_path() const noexcept { return real_path_; }
  /// Foreign data there may be destroyed: --destroy-data named it.
  [[nodiscard]] bool foreign_data_may_go() const noexcept { return destroy_; }
  [[nodiscard]] const TargetIdentity& identity() const noexcept { return *identity_; }
  /// Whether an open descriptor is what was examined: Errc::refused when the name leads elsewhere
  /// now.
  [[nodiscard]] Status confirm(int fd) const;
  /// A file that did not exist when it was examined: what was created in its place.
  void created(const TargetIdentity& identity) const { *identity_ = identity; }

 private:
  WriteConsent() = default;
  friend Result<WriteConsent> ask_to_write(const TargetExamination& examination,
                                           const std::vector<std::string>& destroy_ids);
  std::string target_, real_path_;
  bool destroy_ = false;
  std::shared_ptr<TargetIdentity> identity_;
  std::shared_ptr<const void> guard_;  ///< the exclusive open
};

/// Errc::refused with every reason and what to do when the target may not be written
/// (Errc::permission where privilege is all that is missing). `destroy_ids` are the values of
/// --destroy-data.
Result<WriteConsent> ask_to_write(const TargetExamination& examination,
                                  const std::vector<std::string>& destroy_ids);

}  // namespace raidscope
