#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "probe/base/result.h"
#include "workloads/run_result.h"

namespace raidscope {

/// One reason why a target may not be written, CONTRACT "Safety".
struct Refusal {
  std::string code;  ///< "mounted", "swap", "holder", "root_device", "opened", "exclusive_open",
                     ///< "signature", "data", "foreign_file", "space"
  std::string why;   ///< with the names a person can look at, and what to do
  bool overridable = false;  ///< by --destroy-data with the right id
  bool operator==(const Refusal&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("code", s.code);
    f("why", s.why);
  }
};

/// What is known of a target before anything is done to it.
struct TargetExamination {
  TargetInfo info;
  std::string destroy_id;  ///< what --destroy-data must name: WWN, unique id, or a file's real path
  bool exists = false;
  bool made_by_raidscope = false;
  std::vector<Refusal> refusals;  ///< for writing; empty: it may be written
};

/// Looks at a file or block device through sysfs, /proc, libblkid and an exclusive open; writes
/// nothing. `bytes_to_write` is for the free-space rule on files (0: none).
Result<TargetExamination> examine_target(const std::string& path, std::uint64_t bytes_to_write = 0,
                                         const std::string& sysroot = {});

/// Leave to write one target, minted only by ask_to_write. An engine or file writer cannot be opened
/// for writing without one.
class WriteConsent {
 public:
  [[nodiscard]] const std::string& target() const noexcept { return target_; }

 private:
  explicit WriteConsent(std::string target) : target_(std::move(target)) {}
  friend Result<WriteConsent> ask_to_write(const TargetExamination& examination,
                                           const std::vector<std::string>& destroy_ids);
  std::string target_;
};

/// Errc::refused with every reason and what to do when the target may not be written. `destroy_ids`
/// are the values of --destroy-data.
Result<WriteConsent> ask_to_write(const TargetExamination& examination,
                                  const std::vector<std::string>& destroy_ids);

}  // namespace raidscope
