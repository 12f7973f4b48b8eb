#include "workloads/run/target_data.h"

#include <algorithm>
#include <blkid/blkid.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <unistd.h>
#include <vector>

namespace raidscope {
namespace {

constexpr std::uint64_t kEdge = 1 << 20;

struct FreeProbe {
  void operator()(blkid_probe probe) const { blkid_free_probe(probe); }
};
using Probe = std::unique_ptr<blkid_struct_probe, FreeProbe>;

std::string value(blkid_probe probe, const char* name) {
  const char* text = nullptr;
  return blkid_probe_lookup_value(probe, name, &text, nullptr) == 0 && text != nullptr
             ? std::string(text)
             : std::string();
}

std::uint64_t offset_value(blkid_probe probe, const char* name) {
  return std::strtoull(value(probe, name).c_str(), nullptr, 10);
}

std::optional<std::uint64_t> first_nonzero(const std::vector<char>& bytes, std::uint64_t base) {
  const auto it = std::find_if(bytes.begin(), bytes.end(), [](char c) { return c != 0; });
  if (it == bytes.end()) return std::nullopt;
  return base + static_cast<std::uint64_t>(it - bytes.begin());
}

Result<std::vector<char>> read_range(int fd, const std::string& path, std::uint64_t offset,
                                     std::uint64_t size) {
  std::vector<char> bytes(size);
  for (std::uint64_t done = 0; done < size;) {
    const ssize_t got =
        ::pread(fd, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      return fail(Errc::io, "cannot read the device at byte " + std::to_string(offset + done), path,
                  "look for a failing drive in the kernel log: dmesg", got < 0 ? errno : EIO);
    done += static_cast<std::uint64_t>(got);
  }
  return bytes;
}

}  // namespace

Result<std::vector<DataAtRest>> find_signatures(const std::string& path) {
  const Probe probe{blkid_new_probe_from_filename(path.c_str())};
  if (!probe)
    return fail(errno == EACCES || errno == EPERM ? Errc::permission : Errc::io,
                "cannot look for signatures", path, {}, errno);
  blkid_probe_enable_superblocks(probe.get(), 1);
  blkid_probe_set_superblocks_flags(probe.get(), BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
                                                     BLKID_SUBLKS_LABEL | BLKID_SUBLKS_MAGIC |
                                                     BLKID_SUBLKS_BADCSUM);
  blkid_probe_enable_partitions(probe.get(), 1);
  blkid_probe_set_partitions_flags(probe.get(), BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
  std::vector<DataAtRest> found;
  // 0: something found, go on; 1: nothing more. Each call goes on where the last one stopped.
  int answer = 0;
  while ((answer = blkid_do_probe(probe.get())) == 0 && found.size() < 32) {
    DataAtRest data;
    if (const std::string table = value(probe.get(), "PTTYPE"); !table.empty()) {
      data.what = table + " partition table";
      data.offset = offset_value(probe.get(), "PTMAGIC_OFFSET");
    } else if (const std::string type = value(probe.get(), "TYPE"); !type.empty()) {
      const std::string usage = value(probe.get(), "USAGE");
      data.what = type + (usage == "filesystem" ? " file system"
                          : usage == "raid"     ? " RAID or volume member"
                          : usage == "crypto"   ? " encrypted volume"
                                                : " signature");
      if (const std::string label = value(probe.get(), "LABEL"); !label.empty())
        data.what += " \"" + label + "\"";
      data.offset = offset_value(probe.get(), "SBMAGIC_OFFSET");
    } else {
      continue;
    }
    found.push_back(std::move(data));
  }
  if (answer < 0)
    return fail(Errc::io, "cannot look for signatures", path,
                "look for a failing drive in the kernel log: dmesg", errno);
  return found;
}

Result<EdgeScan> scan_edges(const std::string& path, std::uint64_t size) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return fail(errno == EACCES || errno == EPERM ? Errc::permission : Errc::io, "cannot be read",
                path, {}, errno);
  const std::unique_ptr<const int, void (*)(const int*)> close_at_end(
      &fd, [](const int* f) { ::close(*f); });
  EdgeScan scan;
  const std::uint64_t length = std::min(kEdge, size);
  RAIDSCOPE_TRY(const std::vector<char> head, read_range(fd, path, 0, length));
  scan.first_nonzero = first_nonzero(head, 0);
  RAIDSCOPE_TRY(const std::vector<char> tail, read_range(fd, path, size - length, length));
  scan.last_nonzero = first_nonzero(tail, size - length);
  return scan;
}

}  // namespace raidscope
