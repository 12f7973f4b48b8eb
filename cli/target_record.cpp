#include "cli/target_record.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <system_error>

#include <sys/stat.h>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/planning.h"
#include "cli/terminal.h"
#include "workloads/run/target_id.h"
#include "workloads/run/testfile_mark.h"

namespace raidscope::cli {
namespace {

namespace fs = std::filesystem;

/// Tells a file from another one under its name, also after a restart, which may renumber devices.
std::optional<std::string> file_words(const std::string& path) {
  struct statx stx {};
  if (::statx(AT_FDCWD, path.c_str(), 0, STATX_INO | STATX_BTIME, &stx) != 0) return std::nullopt;
  std::string words = fmt::format("inode {}", stx.stx_ino);
  if ((stx.stx_mask & STATX_BTIME) != 0)
    words += fmt::format(" born {}.{:09}", stx.stx_btime.tv_sec, stx.stx_btime.tv_nsec);
  return words;
}

/// The id of the undermost device of a chain.
std::optional<std::string> disk_below(const std::vector<std::string>& chain,
                                      const TargetSystem& system) {
  for (auto entry = chain.rbegin(); entry != chain.rend(); ++entry) {
    const std::string node = device_of(*entry);
    if (node.empty()) continue;
    if (const KernelDevice* device = system.find_node(node)) return stable_id(*device, system).id;
  }
  return std::nullopt;
}

tl::unexpected<Error> other_target(std::string message, const std::string& where) {
  return fail(Errc::refused, std::move(message), where,
              "bring back what the session began with, or begin a new session without --resume");
}

std::string size_now(std::optional<std::uint64_t> size) {
  return size ? fmt::format("{} bytes", *size) : "a size that nobody tells";
}

Result<std::string> resolve_device(const SessionTarget& target, const TargetSystem& system) {
  const KernelDevice* named = system.find_node(target.path);
  const std::string id_now = named == nullptr ? "" : stable_id(*named, system).id;
  const KernelDevice* found = named != nullptr && id_now == target.id ? named : nullptr;
  std::string path = target.path;
  if (found == nullptr) {
    std::vector<std::string> others;
    for (const auto& [name, device] : system.devices()) {
      if (device.size_bytes == 0 || stable_id(device, system).id != target.id) continue;
      found = &device;
      others.push_back(device.devnode);
    }
    const std::string there = named == nullptr ? fmt::format("{} is not there now", target.path)
                                               : fmt::format("{} is {} now", target.path, id_now);
    if (others.empty())
      return other_target(fmt::format("{} was {} ({}) when the session began; {}, and no device "
                                      "has the id {}",
                                      target.path, target.id, target.id_source, there, target.id),
                          target.path);
    if (others.size() > 1)
      return other_target(
          fmt::format("{} was {} ({}) when the session began; {}, and {} have that id", target.path,
                      target.id, target.id_source, there, fmt::join(others, " and ")),
          target.path);
    path = others.front();
    warn(
        fmt::format("{} was {} ({}) when the session began; {}, and {} has that id: it is "
                    "measured",
                    target.path, target.id, target.id_source, there, path));
  }
  if (target.size_bytes && found->size_bytes != *target.size_bytes)
    return other_target(fmt::format("{} ({}) had {} bytes when the session began, and has {} now",
                                    path, target.id, *target.size_bytes, found->size_bytes),
                        path);
  if (target.file) {
    const auto file = file_words(found->backing_file);
    if (!file || *file != *target.file)
      return other_target(
          fmt::format("the file behind {} ({}) was {} when the session began, and is {} now", path,
                      target.id, *target.file, file.value_or("not to be seen")),
          path);
  }
  return path;
}

Status same_file(const SessionTarget& target, const TargetSystem& system) {
  std::error_code error;
  const std::string real = fs::canonical(target.path, error).string();
  if (error)
    return other_target(fmt::format("the target {} ({}) is not there now: {}", target.real_path,
                                    target.file.value_or("a file"), error.message()),
                        target.path);
  if (real != target.real_path)
    return other_target(
        fmt::format("the name led to {} when the session began, and leads to {} now",
                    target.real_path, real),
        target.path);
  const auto file = file_words(real);
  if (target.file && file != target.file)
    return other_target(
        fmt::format("{} was {} when the session began, and is {} now: it is another file", real,
                    *target.file, file.value_or("not to be seen")),
        target.path);
  std::optional<std::string> disk;
  if (const KernelMount* mount = system.mount_of(real); mount != nullptr)
    disk = disk_below(system.chain_of(*mount), system);
  if (target.disk_id && disk && *disk != *target.disk_id)
    return other_target(fmt::format("{} lay on {} when the session began, and lies on {} now", real,
                                    *target.disk_id, *disk),
                        target.path);
  return Done{};
}

Result<std::string> resolve_file(const SessionTarget& target, const TargetSystem& system) {
  RAIDSCOPE_CHECK(same_file(target, system));
  struct stat st {};
  const std::optional<std::uint64_t> size =
      ::stat(target.real_path.c_str(), &st) == 0
          ? std::optional<std::uint64_t>(static_cast<std::uint64_t>(st.st_size))
          : std::nullopt;
  if (target.size_bytes && size != target.size_bytes)
    return other_target(fmt::format("{} had {} bytes when the session began, and has {} now",
                                    target.real_path, *target.size_bytes, size_now(size)),
                        target.path);
  if (target.own_test_file && !own_test_file(target.real_path))
    return other_target(
        fmt::format("{} was a test file of raidscope's when the session began, and is none now",
                    target.real_path),
        target.path);
  return target.path;
}

/// The session's own test file may be gone or half made, but another file is not taken for it.
Result<std::string> resolve_made_file(const SessionTarget& target, const TargetSystem& system) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(target.real_path, error))) return target.path;
  if (is_temporary(target.real_path)) return target.path;
  RAIDSCOPE_CHECK(same_file(target, system));
  return target.path;
}

}  // namespace

SessionTarget record_of_target(const std::string& name, const TargetExamination& examination,
                               const TargetSystem& system) {
  SessionTarget out;
  out.path = name;
  out.real_path = examination.real_path;
  out.kind = examination.info.kind;
  out.id = examination.destroy_id;
  out.id_source = examination.id_source;
  out.size_bytes = examination.info.size_bytes;
  out.own_test_file = examination.made_by_raidscope;
  if (out.kind == "file") {
    out.file = file_words(examination.real_path);
    out.disk_id = disk_below(examination.info.device_chain, system);
  } else if (const KernelDevice* device = system.find_node(name);
             device != nullptr && !device->backing_file.empty()) {
    out.file = file_words(device->backing_file);
  }
  out.overridden = data_at_rest(examination);
  return out;
}

std::vector<std::string> data_at_rest(const TargetExamination& examination) {
  std::vector<std::string> out;
  for (const Refusal& refusal : examination.refusals) {
    if (!refusal.overridable || refusal.code == "data") continue;
    std::string what = refusal.why;
    // "/dev/sdb holds a signature: …; if it may be destroyed: …"
    if (const auto at = what.find(" holds a signature"); at != std::string::npos)
      what.erase(0, at + 1);
    if (const auto at = what.find("; "); at != std::string::npos) what.resize(at);
    out.push_back(std::move(what));
  }
  return out;
}

Result<std::vector<std::string>> resolve_targets(const SessionRecord& record,
                                                 const std::string& sysroot) {
  const TargetSystem system = TargetSystem::read(sysroot);
  std::vector<std::string> out;
  for (const SessionTarget& target : record.targets) {
    const bool made = record.test_file && out.empty();
    auto name = target.kind == "block" ? resolve_device(target, system)
                : made                 ? resolve_made_file(target, system)
                                       : resolve_file(target, system);
    if (!name) return tl::unexpected<Error>(name.error());
    out.push_back(std::move(*name));
  }
  return out;
}

bool test_file_is_whole(const SessionTestFile& made, const std::string& path) {
  const auto mark = own_test_file(path);
  return mark && mark->complete() && mark->size == made.size_bytes && mark->seed == made.seed;
}

}  // namespace raidscope::cli
