#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "probe/base/result.h"

namespace raidscope::cli {

/// Where `profile` puts its test file when no --target is given: in the working folder, else
/// /var/tmp, the first that takes direct I/O.
Result<std::string> default_test_file();

struct FileSystemSpace {
  std::uint64_t total = 0, free = 0;  ///< bytes; free as an ordinary user has it
};
/// Of the folder that `path` lies in or would lie in.
/// Bytes that programs can take without swapping (MemAvailable); nothing where that is not told.
std::optional<std::uint64_t> available_memory();

Result<FileSystemSpace> space_at(const std::string& path);

/// Pure: the smaller of 8 × the known usable cache (4 GiB where it is unknown; 1 GiB where the file
/// system is below 32 GiB) and a quarter of the free space, in whole MiB; never below `least` (an
/// area that a workload asks for) when that much is free.
std::uint64_t default_file_size(std::optional<std::uint64_t> usable_cache,
                                const FileSystemSpace& space, std::uint64_t least);

}  // namespace raidscope::cli
