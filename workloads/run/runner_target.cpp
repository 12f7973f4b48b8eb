#include "workloads/run/runner_target.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <unistd.h>

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>

#include <fmt/format.h>

#include "workloads/engines/support/target_file.h"

namespace raidscope {
namespace {

std::optional<std::string> read_text(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

/// Does a read that must not wait get through? EOPNOTSUPP is what makes io_uring use its threads.
bool takes_nowait(int fd, std::uint32_t bytes) {
  const std::unique_ptr<void, decltype(&std::free)> buffer(std::aligned_alloc(4096, 4096),
                                                           &std::free);
  if (!buffer) return true;
  iovec piece{buffer.get(), std::min<std::size_t>(bytes, 4096)};
  return ::preadv2(fd, &piece, 1, 0, RWF_NOWAIT) >= 0 || errno != EOPNOTSUPP;
}

std::uint32_t direct_alignment(int fd, const struct stat& facts) {
  if (S_ISBLK(facts.st_mode)) {
    int bytes = 0;
    if (::ioctl(fd, BLKSSZGET, &bytes) == 0 && bytes > 0) return static_cast<std::uint32_t>(bytes);
    return 512;
  }
#ifdef STATX_DIOALIGN
  struct statx more {};
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &more) == 0 &&
      (more.stx_mask & STATX_DIOALIGN) != 0 && more.stx_dio_offset_align != 0) {
    return more.stx_dio_offset_align;
  }
#endif
  // Kernels before 6.1: the sector size of the disk that holds the file (a partition's is its
  // disk's).
  const std::string folder =
      fmt::format("/sys/dev/block/{}:{}/", major(facts.st_dev), minor(facts.st_dev));
  for (const char* const where : {"queue/logical_block_size", "../queue/logical_block_size"}) {
    const auto text = read_text(folder + where);
    const int bytes = text ? std::atoi(text->c_str()) : 0;
    if (bytes > 0) return static_cast<std::uint32_t>(bytes);
  }
  return 512;
}

/// The counters of these devices; none, and why, when one does not count. A partition's are
/// switched by its disk.
std::vector<std::string> counters_of(const std::vector<dev_t>& devices, std::string& missing) {
  std::vector<std::string> paths;
  for (const dev_t device : devices) {
    const std::string folder = fmt::format("/sys/dev/block/{}:{}/", major(device), minor(device));
    const std::string path = folder + "stat";
    if (!read_device_counters(path)) missing = path + " cannot be read";
    for (const char* const where : {"queue/iostats", "../queue/iostats"}) {
      const auto text = read_text(folder + where);
      if (!text) continue;
      if (text->starts_with('0'))
        missing = fmt::format("{}{} is 0: the device does not count", folder, where);
      break;
    }
    paths.push_back(path);
  }
  if (!missing.empty()) paths.clear();
  return paths;
}

/// A stacked device counts what it was asked for, whoever answers: the disks at the bottom tell
/// more.
void use_counters(RunnerTarget& target, const std::vector<dev_t>& devices,
                  const TargetSystem& system) {
  if (target.counters_missing.empty())
    target.counters_paths = counters_of(devices, target.counters_missing);
  std::vector<const KernelDevice*> known;
  for (const dev_t number : devices)
    if (const KernelDevice* device = system.find(number)) known.push_back(device);
  const Ground ground = system.ground_of(known);
  target.page_cache = ground.page_cache;
  target.ground_unknown = ground.unknown;
  if (target.in_memory.empty()) target.in_memory = ground.in_memory;
  if (ground.devices == known || !ground.unknown.empty()) return;
  std::vector<dev_t> numbers;
  for (const KernelDevice* device : ground.devices) numbers.push_back(device->number);
  target.ground_paths = counters_of(numbers, target.ground_unknown);
}

/// The devices of the file system that holds a file: several for a btrfs, none for tmpfs or NFS.
std::vector<dev_t> devices_below(const TargetSystem& system, RunnerTarget& target) {
  std::vector<dev_t> out;
  const KernelMount* const mount = system.mount_of(target.real_path);
  if (mount != nullptr) {
    target.info.device_chain = system.chain_of(*mount);
    for (const KernelDevice* device : system.devices_of(*mount)) out.push_back(device->number);
  }
  if (out.empty()) {
    target.counters_missing =
        fmt::format("{} lies on no block device of its own", target.file_system);
    if (keeps_files_in_memory(target.file_system) ||
        (mount != nullptr && keeps_files_in_memory(mount->type)))
      target.in_memory = target.file_system + " keeps its files in memory";
  }
  return out;
}

}  // namespace

std::optional<DeviceCounters> read_device_counters(const std::string& path) {
  const auto text = read_text(path);
  return text ? parse_device_counters(*text) : std::nullopt;
}

Result<RunnerTarget> look_at_target(const std::string& path, bool direct,
                                    const TargetSystem& system) {
  RAIDSCOPE_TRY(const TargetFile file, open_target(path, {false, direct, false}));
  struct stat facts {};
  if (::fstat(file.fd(), &facts) != 0) {
    return fail(Errc::io, "the target cannot be looked at", path, {}, errno);
  }
  RunnerTarget target;
  target.info.path = path;
  std::error_code error;
  target.real_path = std::filesystem::canonical(path, error).string();
  if (error) target.real_path = path;
  if (S_ISCHR(facts.st_mode)) {
    target.info.kind = "file";
    target.character_device = true;
    target.counters_missing = "a character device has no counters";
  } else if (S_ISBLK(facts.st_mode)) {
    target.info.kind = "block";
    std::uint64_t bytes = 0;
    if (::ioctl(file.fd(), BLKGETSIZE64, &bytes) != 0) {
      return fail(Errc::io, "the size of the device cannot be read", path, {}, errno);
    }
    target.info.size_bytes = bytes;
    if (const KernelDevice* device = system.find(facts.st_rdev)) {
      target.info.device_chain = system.chain_of(*device);
    }
    const std::string folder =
        fmt::format("/sys/dev/block/{}:{}/", major(facts.st_rdev), minor(facts.st_rdev));
    for (const char* const where : {"queue/discard_max_bytes", "../queue/discard_max_bytes"}) {
      const auto text = read_text(folder + where);
      if (!text) continue;
      target.trims = std::strtoull(text->c_str(), nullptr, 10) != 0;
      break;
    }
    use_counters(target, {facts.st_rdev}, system);
  } else if (S_ISREG(facts.st_mode)) {
    target.info.kind = "file";
    target.info.size_bytes = static_cast<std::uint64_t>(facts.st_size);
    target.file_system = file_system_name(file.fd());
    target.file_block_bytes = static_cast<std::uint32_t>(facts.st_blksize);
    use_counters(target, devices_below(system, target), system);
  } else {
    return fail(Errc::usage, "the target is neither a file nor a block device", path);
  }
  if (target.info.size_bytes == 0 && !target.character_device) {
    return fail(Errc::usage, "the target is empty", path,
                "fill it with \"raidscope testfile create PATH --size 100G\"");
  }
  if (direct) target.sector_bytes = direct_alignment(file.fd(), facts);
  target.takes_nowait = takes_nowait(file.fd(), target.sector_bytes);
  return target;
}

int count_io_wq_threads() {
  int count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc/self/task", error), end;
       !error && entry != end; entry.increment(error)) {
    const auto name = read_text(entry->path().string() + "/comm");
    if (name && name->starts_with("iou-wrk")) ++count;
  }
  return count;
}

double steal_seconds() {
  std::ifstream file("/proc/stat");
  std::string word;
  file >> word;
  std::uint64_t ticks = 0;
  // user nice system idle iowait irq softirq steal
  for (int i = 0; i < 8; ++i) {
    if (!(file >> ticks)) return 0;
  }
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace raidscope
