#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "probe/base/result.h"
#include "workloads/run/consent.h"

namespace raidscope {

/// Bytes done, bytes in all. Return false to stop (what is there stays, the call gives interrupted).
using ByteProgress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/// Fills a file with incompressible, non-repeating data that is a pure function of (seed, offset), with
/// direct writes, and marks it as raidscope's own (extended attribute, else a header block). An
/// existing file of ours that is already full is kept. fsynced.
Status create_test_file(const WriteConsent& consent, std::uint64_t size, std::uint64_t seed,
                        const ByteProgress& progress);

struct TestFileCheck {
  std::string schema = "raidscope.testfile/1";
  std::string path;
  std::uint64_t size_bytes = 0, allocated_bytes = 0;
  bool made_by_raidscope = false;
  bool sparse = false, compressible = false, repeated = false;
  std::optional<bool> small_for_cache;  ///< null: the cache size is unknown
  double sampled_fraction = 0;          ///< of the file's bytes that were read
  std::optional<double> compressed_ratio;  ///< compressed ÷ plain of the sample
  std::vector<std::string> problems;    ///< in words
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

/// `usable_cache_bytes`: the controller's usable cache when known; the file is small for it below or at
/// 4 times (rule W01).
Result<TestFileCheck> check_test_file(const std::string& path,
                                      std::optional<std::uint64_t> usable_cache_bytes);

}  // namespace raidscope
