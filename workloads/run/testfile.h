#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "probe/base/result.h"
#include "workloads/run/consent.h"

namespace raidscope {

/// Bytes done, bytes in all. Return false to stop (what is there stays, the call gives
/// interrupted).
using ByteProgress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/// Fills a file with incompressible, non-repeating data (workloads/content.h) that is a pure
/// function of (seed, offset), with deep direct writes, and marks it as raidscope's own
/// (testfile_mark.h). `size` in bytes. A full file of ours of this size is kept as it is; an
/// interrupted one is continued; one of another size or seed is remade. What is not yet full is
/// never taken for a test file. On return every block is written and on the disk. `progress` may be
/// empty. Errors: usage (a device, size 0), busy (another process fills it), refused (a foreign
/// file without consent, or too little space would stay free), io (disk full: the partial file is
/// removed; a failing device: it stays and is named), interrupted (what is there stays and the same
/// call goes on from it).
Status create_test_file(const WriteConsent& consent, std::uint64_t size, std::uint64_t seed,
                        const ByteProgress& progress);

/// Removes a test file with its mark. Errc::refused for one that raidscope did not make; a file
/// that is not there is fine.
Status remove_test_file(const std::string& path);

struct TestFileCheck {
  std::string schema = "raidscope.testfile/1";
  std::string path;
  std::uint64_t size_bytes = 0, allocated_bytes = 0;
  bool made_by_raidscope = false;
  bool sparse = false;
  std::optional<bool> compressible, repeated;  ///< null: the file is too small to tell
  std::optional<bool> small_for_cache;         ///< null: the cache size is unknown
  double sampled_fraction = 0;                 ///< of the file's bytes that were read
  std::optional<double> compressed_ratio;      ///< compressed ÷ plain of the sample
  std::vector<std::string> problems;           ///< in words
  bool operator==(const TestFileCheck&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("path", s.path);
    f("size_bytes", s.size_bytes);
    f("allocated_bytes", s.allocated_bytes);
    f("made_by_raidscope", s.made_by_raidscope);
    f("sparse", s.sparse);
    f("compressible", s.compressible);
    f("repeated", s.repeated);
    f("small_for_cache", s.small_for_cache);
    f("sampled_fraction", s.sampled_fraction);
    f("compressed_ratio", s.compressed_ratio);
    f("problems", s.problems);
  }
};

/// Says whether a file is fit to measure with. Only a sample is read (some 8 MiB at places that
/// depend on the size alone), so a second or two do for any size. `usable_cache_bytes`: the
/// controller's usable cache when known; the file is small for it below or at 4 times (rule W01). A
/// block device is judged by its content. A file of less than 64 KiB may show that it is unfit, but
/// never that it is fit; it is small whatever the cache. Errors: not_found, permission, usage (a
/// directory or the like), malformed (empty).
Result<TestFileCheck> check_test_file(const std::string& path,
                                      std::optional<std::uint64_t> usable_cache_bytes);

}  // namespace raidscope
