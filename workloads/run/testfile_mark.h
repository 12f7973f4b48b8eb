#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "probe/base/result.h"

namespace raidscope {

/// How raidscope knows its own files again. Kept in the extended attribute user.raidscope.testfile;
/// where the file system has none, in the file PATH.raidscope beside it, which then names the inode
/// and birth time that it speaks of. A copy with attributes (cp -a) stays ours, another file under
/// the same name does not.
struct TestFileMark {
  int content_version = 0;
  std::uint64_t size = 0;
  std::uint64_t seed = 0;
  std::uint64_t done = 0;  ///< bytes from the start that are known to be on the disk
  [[nodiscard]] bool complete() const { return done == size; }
  bool operator==(const TestFileMark&) const = default;
};

inline constexpr const char* kMarkAttribute = "user.raidscope.testfile";

std::string print_mark(const TestFileMark& mark);
std::optional<TestFileMark> parse_mark(const std::string& text);

/// The mark as written, if there is one for this very inode; nothing else is checked.
std::optional<TestFileMark> read_mark(int fd, const std::string& path);
Status write_mark(int fd, const std::string& path, const TestFileMark& mark);
/// The same through the file beside it alone.
std::optional<TestFileMark> read_mark_beside(int fd, const std::string& path);
Status write_mark_beside(int fd, const std::string& path, const TestFileMark& mark);
/// Path of the file beside it that holds the mark where attributes are not supported.
std::string mark_file(const std::string& path);
/// Takes the mark away, so that the file is foreign from now on.
void remove_mark(int fd, const std::string& path);

/// A test file that goes away with the command that made it. Said on the file, so that one that was
/// left by a killed command is told from one that a person made. Where the file system has no
/// attributes it is not said, and such a file stays.
void mark_temporary(const std::string& path);
bool is_temporary(const std::string& path);

/// Says on the file that a run writes compressible content to it: zeros behind random bytes.
void mark_padded(const std::string& path);

/// The mark of a file that is still what raidscope left: the size is the mark's and each of 16
/// samples, the first and the last block among them, still looks random, so that a file which
/// somebody overwrote in place is not taken for a test file. Null: not ours. A few bytes, or blocks
/// between the samples, that somebody else wrote are not seen.
std::optional<TestFileMark> own_test_file(const std::string& path);

}  // namespace raidscope
