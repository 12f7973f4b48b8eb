#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "workloads/run/testfile.h"
#include "workloads/run/testfile_mark.h"
#include "workloads/run/testfile_sample.h"

namespace raidscope {
namespace {

constexpr std::uint64_t kSampleBytes = 64 << 10;
constexpr std::size_t kSamples = 128;
constexpr std::uint64_t kBlock = 4096;
// Enough for any file that is not pathologically fragmented, and a bound on the time for one that
// is.
constexpr int kMostExtents = 200'000;

std::string in_gib(std::uint64_t bytes) {
  return bytes < (1U << 30) ? fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20))
                            : fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}

/// Reads past the page cache where it can, so that a check neither is answered by it nor fills it.
class SampleReader {
 public:
  explicit SampleReader(std::string path)
      : path_(std::move(path)),
        buffer_(static_cast<std::byte*>(std::aligned_alloc(kBlock, kSampleBytes))) {
    fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT);
    if (fd_ < 0) reopen_buffered();
  }
  SampleReader(const SampleReader&) = delete;
  SampleReader& operator=(const SampleReader&) = delete;
  ~SampleReader() {
    if (fd_ >= 0) ::close(fd_);
    std::free(buffer_);
  }

  [[nodiscard]] int fd() const { return fd_; }

  Result<std::span<const std::byte>> read(std::uint64_t offset, std::uint64_t length) {
    std::uint64_t done = 0;
    while (done < length) {
      // Direct reads want whole blocks; the end of the file cuts them.
      const std::uint64_t want = (length - done + kBlock - 1) / kBlock * kBlock;
      const ssize_t got = ::pread(fd_, buffer_ + done, want, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EINVAL && direct_) {
        reopen_buffered();
        if (fd_ >= 0) continue;
      }
      if (got < 0)
        return fail(errno == EACCES ? Errc::permission : Errc::io,
                    fmt::format("cannot be read at byte {}", offset + done), path_,
                    "look for a failing drive in the kernel log: dmesg", errno);
      if (got == 0)
        return fail(Errc::io, fmt::format("ends at byte {}, while it is read", offset + done),
                    path_, "somebody is changing it");
      done += static_cast<std::uint64_t>(got);
      // An odd end of a direct read: go on where a block begins.
      if (done < length && done % kBlock != 0) done = done / kBlock * kBlock;
    }
    return std::span<const std::byte>(buffer_, length);
  }

 private:
  void reopen_buffered() {
    if (fd_ >= 0) ::close(fd_);
    direct_ = false;
    fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ >= 0) ::posix_fadvise(fd_, 0, 0, POSIX_FADV_RANDOM);
  }

  std::string path_;
  std::byte* buffer_;
  int fd_ = -1;
  bool direct_ = true;
};

/// Bytes that were never written: holes, as the file system tells them.
std::uint64_t hole_bytes(int fd, std::uint64_t size) {
  std::uint64_t holes = 0;
  off_t at = 0;
  for (int i = 0; i < kMostExtents; ++i) {
    const off_t hole = ::lseek(fd, at, SEEK_HOLE);
    if (hole < 0 || static_cast<std::uint64_t>(hole) >= size) break;
    const off_t data = ::lseek(fd, hole, SEEK_DATA);
    const std::uint64_t end = data < 0 ? size : static_cast<std::uint64_t>(data);
    holes += std::min(end, size) - static_cast<std::uint64_t>(hole);
    if (data < 0 || end >= size) break;
    at = data;
  }
  return holes;
}

/// Bytes in extents that are allocated and never written (fallocate, fsutil's valid-data trick):
/// reads give zeros without touching the disk.
std::uint64_t unwritten_bytes(int fd, std::uint64_t size) {
  constexpr std::size_t kBatch = 256;
  std::vector<std::uint64_t> memory((sizeof(fiemap) + kBatch * sizeof(fiemap_extent) + 7) / 8, 0);
  auto* map = reinterpret_cast<fiemap*>(memory.data());
  std::uint64_t unwritten = 0;
  std::uint64_t at = 0;
  for (std::size_t seen = 0; seen < kMostExtents && at < size; seen += kBatch) {
    std::fill(memory.begin(), memory.end(), 0);
    map->fm_start = at;
    map->fm_length = size - at;
    map->fm_flags = seen == 0 ? FIEMAP_FLAG_SYNC : 0;
    map->fm_extent_count = kBatch;
    if (::ioctl(fd, FS_IOC_FIEMAP, map) != 0 || map->fm_mapped_extents == 0) break;
    for (std::uint32_t i = 0; i < map->fm_mapped_extents; ++i) {
      const fiemap_extent& extent = map->fm_extents[i];
      const std::uint64_t end = std::min<std::uint64_t>(extent.fe_logical + extent.fe_length, size);
      if ((extent.fe_flags & FIEMAP_EXTENT_UNWRITTEN) != 0 && extent.fe_logical < size)
        unwritten += end - extent.fe_logical;
      at = extent.fe_logical + extent.fe_length;
      if ((extent.fe_flags & FIEMAP_EXTENT_LAST) != 0) return unwritten;
    }
  }
  return unwritten;
}

class ContentSample {
 public:
  explicit ContentSample(SampleReader& reader, std::uint64_t size) : reader_(reader), size_(size) {}

  Status take() {
    for (const std::uint64_t place : sample_places(size_, kSampleBytes, kSamples))
      RAIDSCOPE_CHECK(look(place, std::min(kSampleBytes, size_ - place), true));
    // Data made of one buffer written again and again mostly repeats at a power of two: pairs at
    // each such distance find that, whatever the size of the file.
    for (const std::uint64_t base : {std::uint64_t{3}, std::uint64_t{11}})
      for (std::uint64_t lag = kSampleBytes; lag < size_; lag *= 2)
        for (const std::uint64_t place : {base * kBlock, base * kBlock + lag})
          if (place + kBlock <= size_ && hashes_.count(place) == 0)
            RAIDSCOPE_CHECK(look(place, kBlock, false));
    return Done{};
  }

  void judge(TestFileCheck& out) const {
    out.sampled_fraction = std::min(1.0, static_cast<double>(read_) / static_cast<double>(size_));
    const bool tells = size_ >= kSampleBytes;
    const double ratio = packed_ / static_cast<double>(plain_);
    if (tells || ratio < kCompressible) {
      // A good half with a zero half is caught as well: the ratio is of the whole sample.
      out.compressed_ratio = ratio;
      out.compressible = ratio < kCompressible;
    }
    if (out.compressible == true)
      out.problems.push_back(
          fmt::format("compressible: the sample shrinks to {:.1f} % ({} of {} places shrink); "
                      "drives and caches "
                      "that compress or skip zeros answer faster than they would with real data",
                      *out.compressed_ratio * 100, shrinking_, places_));
    std::map<std::uint64_t, std::uint64_t> first;
    std::size_t repeats = 0;
    std::string example;
    for (const auto& [offset, hash] : hashes_) {
      const auto [it, fresh] = first.emplace(hash, offset);
      if (fresh) continue;
      if (repeats++ == 0)
        example = fmt::format("the 4 KiB at byte {} are those at byte {}", offset, it->second);
    }
    if (tells || repeats > 0) out.repeated = repeats > 0;
    if (repeats > 0)
      out.problems.push_back(fmt::format(
          "repeated: {} of {} sampled blocks are copies of another ({}); storage that removes "
          "duplicates answers them from memory",
          repeats, hashes_.size(), example));
  }

 private:
  Status look(std::uint64_t place, std::uint64_t length, bool pack) {
    RAIDSCOPE_TRY(const std::span<const std::byte> bytes, reader_.read(place, length));
    read_ += length;
    if (pack) {
      const double ratio = compressed_ratio(bytes);
      ++places_;
      plain_ += length;
      packed_ += std::min(ratio, 1.01) * static_cast<double>(length);
      if (ratio < kCompressible) ++shrinking_;
    }
    for (std::uint64_t at = 0; at + kBlock <= length; at += kBlock)
      hashes_[place + at] =
          std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data() + at), kBlock});
    return Done{};
  }

  SampleReader& reader_;
  std::uint64_t size_;
  std::uint64_t read_ = 0, plain_ = 0;
  double packed_ = 0;
  std::size_t places_ = 0, shrinking_ = 0;
  std::map<std::uint64_t, std::uint64_t> hashes_;  ///< of blocks, by offset
};

void judge_allocation(int fd, TestFileCheck& out) {
  const std::uint64_t unwritten = unwritten_bytes(fd, out.size_bytes);
  const std::uint64_t holes = hole_bytes(fd, out.size_bytes);
  out.sparse = holes > 0 || unwritten > 0;
  if (!out.sparse) return;
  // File systems count unwritten extents among the holes (ext4, xfs) or not (btrfs).
  const std::uint64_t missing = std::max(holes, unwritten);
  out.problems.push_back(fmt::format(
      "sparse: {} of {} were never written{}; reads of them are answered with zeros from metadata "
      "and never reach a drive",
      in_gib(missing), in_gib(out.size_bytes),
      unwritten > 0 ? ", though space is set aside for them" : ""));
}

void judge_size(std::optional<std::uint64_t> cache, TestFileCheck& out) {
  if (out.size_bytes < kSampleBytes) {
    out.small_for_cache = true;
    out.problems.push_back(fmt::format(
        "too small to tell: {} byte{} show neither whether data compresses nor whether it repeats, "
        "and any cache holds them; take a file of many times the controller's cache",
        out.size_bytes, out.size_bytes == 1 ? "" : "s"));
    return;
  }
  if (!cache || *cache == 0) return;
  // W01: an error up to the cache's size, a warning up to four times that.
  out.small_for_cache = out.size_bytes / 4 < *cache || out.size_bytes == *cache * 4;
  if (!*out.small_for_cache) return;
  out.problems.push_back(
      out.size_bytes <= *cache
          ? fmt::format("small: all of its {} fit in the controller's cache ({} usable); a test "
                        "would measure that memory and not the drives; take at least {}",
                        in_gib(out.size_bytes), in_gib(*cache), in_gib(*cache * 10))
          : fmt::format("small: {} are only {:.1f} times the controller's usable cache ({}); "
                        "part of a test would measure that memory; take at least {}",
                        in_gib(out.size_bytes),
                        static_cast<double>(out.size_bytes) / static_cast<double>(*cache),
                        in_gib(*cache), in_gib(*cache * 10)));
}

}  // namespace

Result<TestFileCheck> check_test_file(const std::string& path,
                                      std::optional<std::uint64_t> usable_cache_bytes) {
  struct stat st {};
  if (::stat(path.c_str(), &st) != 0)
    return fail(errno == EACCES ? Errc::permission : Errc::not_found,
                "cannot find the file to check", path, {}, errno);
  const bool block = S_ISBLK(st.st_mode);
  if (!S_ISREG(st.st_mode) && !block)
    return fail(Errc::usage, S_ISDIR(st.st_mode) ? "this is a directory" : "this holds no data",
                path, "name a file or a block device");
  TestFileCheck out;
  out.path = path;
  SampleReader reader(path);
  if (reader.fd() < 0)
    return fail(errno == EACCES || errno == EPERM ? Errc::permission : Errc::io,
                "cannot open the file to check", path,
                ::geteuid() == 0
                    ? "root may not read it either: a security module or the hypervisor forbids it"
                    : "run as root: sudo raidscope testfile check " + path,
                errno);
  out.size_bytes = static_cast<std::uint64_t>(st.st_size);
  out.allocated_bytes = static_cast<std::uint64_t>(st.st_blocks) * 512;
  if (block) {
    std::uint64_t bytes = 0;
    if (::ioctl(reader.fd(), BLKGETSIZE64, &bytes) != 0)
      return fail(Errc::unsupported, "the device does not tell its size", path, {}, errno);
    out.size_bytes = out.allocated_bytes = bytes;
  }
  if (out.size_bytes == 0)
    return fail(Errc::malformed, block ? "the device has no size" : "the file is empty", path,
                "fill one: raidscope testfile create PATH --size 100G");
  if (!block) {
    judge_allocation(reader.fd(), out);
    if (const auto mark = read_mark(reader.fd(), path)) {
      out.made_by_raidscope = own_test_file(path).has_value();
      if (out.made_by_raidscope && !mark->complete())
        out.problems.push_back(
            fmt::format("unfinished: filling stopped at {}; the same testfile create goes on",
                        in_gib(mark->done)));
    }
  }
  ContentSample sample(reader, out.size_bytes);
  RAIDSCOPE_CHECK(sample.take());
  sample.judge(out);
  judge_size(usable_cache_bytes, out);
  return out;
}

}  // namespace raidscope
