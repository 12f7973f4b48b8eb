#include "workloads/run/consent.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <sys/stat.h>

#include "workloads/run/consent_hold.h"
#include "workloads/run/target_id.h"

namespace raidscope {
namespace {

namespace fs = std::filesystem;

/// An id that is no id: a name of the kernel's, whichever device it may be today.
bool is_device_name(const std::string& typed, const TargetExamination& examination) {
  if (examination.info.kind != "block") return false;
  if (typed.compare(0, 16, "/dev/disk/by-id/") == 0) return false;
  const std::string path = typed.find('/') == std::string::npos ? "/dev/" + typed : typed;
  if (path == examination.info.path || path == examination.real_path) return true;
  struct stat st {};
  return examination.live && ::stat(path.c_str(), &st) == 0 && S_ISBLK(st.st_mode) &&
         st.st_rdev == examination.identity.device;
}

/// A link that udev made out of the device's own identity, by its whole path or its name alone.
bool is_link_by_id(const std::string& typed, const TargetExamination& examination) {
  if (examination.info.kind != "block" || !examination.live || typed.empty()) return false;
  const std::string path =
      typed.compare(0, 16, "/dev/disk/by-id/") == 0 ? typed : "/dev/disk/by-id/" + typed;
  struct stat st {};
  return path.find("/../") == std::string::npos && ::stat(path.c_str(), &st) == 0 &&
         S_ISBLK(st.st_mode) && st.st_rdev == examination.identity.device;
}

}  // namespace

Status WriteConsent::confirm(int fd) const {
  struct stat st {};
  if (::fstat(fd, &st) != 0) return fail(Errc::io, "cannot be looked at", target_, {}, errno);
  const TargetIdentity now = S_ISBLK(st.st_mode) ? TargetIdentity{true, st.st_rdev, 0}
                                                 : TargetIdentity{false, st.st_dev, st.st_ino};
  if (now == *identity_) return Done{};
  return fail(Errc::refused, "the target is no longer what was examined", target_,
              "somebody replaced it in the meantime; look at it and start again");
}

Result<WriteConsent> ask_to_write(const TargetExamination& examination,
                                  const std::vector<std::string>& destroy_ids) {
  const std::string& id = examination.destroy_id;
  bool destroy = false;
  std::vector<std::string> wrong;
  for (const std::string& typed : destroy_ids) {
    if (is_device_name(typed, examination)) {
      wrong.push_back("--destroy-data " + typed +
                      " is a device name, which changes between boots, and is not taken; the id (" +
                      examination.id_source + ") is " + id);
      continue;
    }
    std::error_code error;
    const bool is_path = !typed.empty() && typed.front() == '/';
    if (same_id(typed, id) || is_link_by_id(typed, examination) ||
        (is_path && fs::canonical(typed, error).string() == id)) {
      destroy = true;
    } else {
      wrong.push_back("--destroy-data " + typed + " names something else; the id (" +
                      examination.id_source + ") is " + id);
    }
  }
  std::vector<std::string> reasons;
  bool only_permission = true;
  bool wants_id = false;
  for (const Refusal& refusal : examination.refusals) {
    if (refusal.overridable && destroy) continue;
    wants_id = wants_id || refusal.overridable;
    only_permission = only_permission && refusal.code == "permission";
    reasons.push_back(refusal.why);
  }
  if (examination.identity.block && !examination.live) {
    only_permission = false;
    reasons.emplace_back(
        "another root was examined, which says nothing of this machine's devices; leave out "
        "--sysroot");
  }
  if (wants_id) reasons.insert(reasons.end(), wrong.begin(), wrong.end());
  if (!reasons.empty()) {
    std::string list;
    for (const std::string& reason : reasons) list += "\n  - " + reason;
    return fail(only_permission ? Errc::permission : Errc::refused, "not written, for safety",
                examination.info.path,
                (reasons.size() == 1 ? "the reason:" : "all the reasons:") + list);
  }
  WriteConsent consent;
  consent.target_ = examination.info.path;
  consent.real_path_ = examination.real_path;
  consent.destroy_ = destroy;
  consent.identity_ = std::make_shared<TargetIdentity>(examination.identity);
  if (examination.identity.block && examination.live) {
    consent.guard_ =
        hold_device(examination.real_path, static_cast<dev_t>(examination.identity.device));
    if (consent.guard_ == nullptr)
      return fail(errno == EBUSY ? Errc::refused : Errc::permission,
                  "not written, for safety: exclusive use is refused", examination.info.path,
                  "somebody took it since it was examined; look again", errno);
    const int fd = ::open(examination.real_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const Status same = consent.confirm(fd);
    ::close(fd);
    if (!same) return tl::unexpected<Error>(same.error());
  }
  return consent;
}

}  // namespace raidscope
