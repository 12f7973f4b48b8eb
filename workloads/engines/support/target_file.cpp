#include "workloads/engines/support/target_file.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/vfs.h>

#include <fmt/format.h>

namespace raidscope {
namespace {

// statfs(2) and linux/magic.h; the file systems of servers, and those known to lack O_DIRECT.
constexpr std::pair<std::uint32_t, std::string_view> magic_names[] = {
    {0xef53, "ext4"},          {0x58465342, "xfs"},    {0x9123683e, "btrfs"},
    {0x01021994, "tmpfs"},     {0x858458f6, "ramfs"},  {0x2fc12fc1, "zfs"},
    {0x794c7630, "overlayfs"}, {0x6969, "nfs"},        {0xff534d42, "cifs"},
    {0xfe534d42, "smb2"},      {0x65735546, "fuse"},   {0x4d44, "vfat"},
    {0x2011bab0, "exfat"},     {0x5346544e, "ntfs"},   {0x7366746e, "ntfs3"},
    {0xf2f52010, "f2fs"},      {0x3153464a, "jfs"},    {0x52654973, "reiserfs"},
    {0x73717368, "squashfs"},  {0xf15f, "ecryptfs"},   {0x01021997, "9p"},
    {0x00c36400, "ceph"},      {0x01161970, "gfs2"},   {0x7461636f, "ocfs2"},
    {0x47504653, "gpfs"},      {0x0bd00bd0, "lustre"}, {0xca451a4e, "bcachefs"},
    {0x62656572, "sysfs"},     {0x9fa0, "proc"},       {0x958458f6, "hugetlbfs"},
    {0x6a656a63, "virtiofs"},
};

tl::unexpected<Error> why_not_opened(const std::string& path, const OpenMode& mode, int error) {
  switch (error) {
    case ENOENT:
    case ENXIO:
    case ENODEV:
      return fail(Errc::not_found, "the target is not there", path,
                  "make a test file with \"raidscope testfile create\", or name another target",
                  error);
    case EACCES:
    case EPERM:
      return fail(Errc::permission,
                  mode.write ? "no right to write the target" : "no right to read the target", path,
                  ::geteuid() == 0 ? "root has no right to it either: an immutable file (lsattr), "
                                     "a security module or a network file system"
                                   : "run it as root, or name a file of your own",
                  error);
    case EROFS:
      return fail(Errc::permission, "the target cannot be written", path,
                  "it is on a file system or device that is read-only", error);
    case EBUSY:
    case ETXTBSY:
      return fail(Errc::busy, "the target is in use", path, "stop what uses it", error);
    case EISDIR:
      return fail(Errc::usage, "the target is a directory", path, "name a file or a block device",
                  error);
    default:
      return fail(Errc::io, "the target cannot be opened", path, {}, error);
  }
}

}  // namespace

TargetFile::~TargetFile() {
  if (fd_ >= 0) ::close(fd_);
}

std::string file_system_name(int fd) {
  struct statfs facts {};
  if (::fstatfs(fd, &facts) != 0) return "unknown";
  const auto magic = static_cast<std::uint32_t>(facts.f_type);
  for (const auto& [number, name] : magic_names) {
    if (number == magic) return std::string(name);
  }
  return fmt::format("0x{:x}", magic);
}

Result<TargetFile> open_target(const std::string& path, const OpenMode& mode) {
  const int flags = (mode.write ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOCTTY | O_LARGEFILE |
                    (mode.write_through ? O_DSYNC : 0);
  const int fd = ::open(path.c_str(), flags | (mode.direct ? O_DIRECT : 0));
  if (fd >= 0) return TargetFile(fd);
  const int error = errno;
  if (mode.direct && (error == EINVAL || error == EOPNOTSUPP)) {
    // Only O_DIRECT is in doubt: say who refuses it.
    const TargetFile plain(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (plain.fd() >= 0) {
      struct stat facts {};
      const bool device = ::fstat(plain.fd(), &facts) == 0 && S_ISCHR(facts.st_mode);
      const std::string who = device ? std::string("this character device")
                                     : "the file system " + file_system_name(plain.fd());
      return fail(
          Errc::unsupported, fmt::format("{} refuses direct I/O (O_DIRECT)", who), path,
          "put the test file on ext4 or xfs on the drive to be measured; --buffered runs here, "
          "but then measures the page cache too",
          error);
    }
  }
  return why_not_opened(path, mode, error);
}

Result<std::vector<TargetFile>> open_targets(const EngineSetup& setup) {
  std::vector<TargetFile> files;
  for (const EngineTarget& target : setup.targets) {
    const bool write = target.consent != nullptr;
    RAIDSCOPE_TRY(TargetFile file,
                  open_target(target.path, {write, setup.direct, setup.write_through}));
    if (write) RAIDSCOPE_CHECK(target.consent->confirm(file.fd()));
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace raidscope
