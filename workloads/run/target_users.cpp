#include "workloads/run/target_users.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>
#include <thread>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "workloads/run/target_system.h"

namespace raidscope {
namespace {

struct CloseDir {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDir>;

bool is_number(const char* name) {
  return *name != '\0' &&
         std::string_view(name).find_first_not_of("0123456789") == std::string_view::npos;
}

bool counts(const struct stat& st, const OpenQuery& query) {
  if (S_ISBLK(st.st_mode))
    return std::find(query.block_devices.begin(), query.block_devices.end(), st.st_rdev) !=
           query.block_devices.end();
  return query.file_inode != 0 && st.st_ino == query.file_inode && st.st_dev == query.file_device;
}

/// The access mode in fdinfo's "flags:" line, which is octal. Unreadable counts as writing.
bool open_for_writing(const std::string& process, const char* descriptor) {
  std::istringstream in(read_small(process + "/fdinfo/" + descriptor));
  for (std::string line; std::getline(in, line);)
    if (line.compare(0, 6, "flags:") == 0)
      return (std::strtoul(line.c_str() + 6, nullptr, 8) & O_ACCMODE) != O_RDONLY;
  return true;
}

/// -1: may not be seen.
int holds_open(const std::string& process, const OpenQuery& query) {
  const std::string path = process + "/fd";
  const Directory directory{::opendir(path.c_str())};
  if (!directory) return errno == EACCES || errno == EPERM ? -1 : 0;
  while (const dirent* entry = ::readdir(directory.get())) {
    if (!is_number(entry->d_name)) continue;
    struct stat st {};
    if (::fstatat(::dirfd(directory.get()), entry->d_name, &st, 0) != 0 || !counts(st, query))
      continue;
    if (S_ISBLK(st.st_mode) || open_for_writing(process, entry->d_name)) return 1;
  }
  return 0;
}

bool holds_mapped(const std::string& process, const OpenQuery& query) {
  std::ifstream in(process + "/maps");
  const std::string wanted = std::to_string(query.file_inode);
  for (std::string line; std::getline(in, line);) {
    // address perms offset dev inode path (proc(5))
    const auto slash = line.find('/');
    if (slash == std::string::npos) continue;
    const std::string path = line.substr(slash);
    const bool maybe_device = !query.block_devices.empty() && path.compare(0, 5, "/dev/") == 0;
    if (!maybe_device && line.find(wanted) == std::string::npos) continue;
    std::istringstream fields(line);
    std::string address, perms, offset, device, inode;
    fields >> address >> perms >> offset >> device >> inode;
    if (maybe_device) {
      struct stat st {};
      if (::stat((process + "/map_files/" + address).c_str(), &st) == 0 && S_ISBLK(st.st_mode) &&
          counts(st, query))
        return true;
    }
    if (query.file_inode == 0 || inode != wanted) continue;
    if (perms.size() < 4 || perms[1] != 'w' || perms[3] != 's') continue;
    unsigned major_number = 0;
    unsigned minor_number = 0;
    if (const auto colon = device.find(':'); colon != std::string::npos) {
      std::from_chars(device.data(), device.data() + colon, major_number, 16);
      std::from_chars(device.data() + colon + 1, device.data() + device.size(), minor_number, 16);
    }
    if (makedev(major_number, minor_number) == query.file_device || path == query.file_path)
      return true;
  }
  return false;
}

OpenerScan scan_once(const OpenQuery& query, const std::string& sysroot) {
  OpenerScan scan;
  const std::string proc = sysroot + "/proc";
  const Directory directory{::opendir(proc.c_str())};
  if (!directory) return scan;
  const std::string self = sysroot.empty() ? std::to_string(::getpid()) : std::string();
  while (const dirent* entry = ::readdir(directory.get())) {
    if (!is_number(entry->d_name) || self == entry->d_name) continue;
    const std::string process = proc + "/" + entry->d_name;
    const int open = holds_open(process, query);
    if (open < 0) {
      ++scan.unreadable;
      continue;
    }
    if (open == 0 && !holds_mapped(process, query)) continue;
    scan.openers.push_back(
        {std::atoi(entry->d_name), read_small(process + "/comm"), open > 0 ? "open" : "mapped"});
  }
  std::sort(scan.openers.begin(), scan.openers.end(),
            [](const Opener& a, const Opener& b) { return a.pid < b.pid; });
  return scan;
}

}  // namespace

OpenerScan find_openers(const OpenQuery& query, const std::string& sysroot) {
  OpenerScan scan = scan_once(query, sysroot);
  for (int again = 0; again < 3 && !scan.openers.empty() && sysroot.empty(); ++again) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const OpenerScan later = scan_once(query, sysroot);
    std::erase_if(scan.openers, [&](const Opener& opener) {
      return std::none_of(later.openers.begin(), later.openers.end(),
                          [&](const Opener& other) { return other.pid == opener.pid; });
    });
  }
  return scan;
}

}  // namespace raidscope
