#pragma once

#include <string>

namespace raidscope::sqlite {

/// What opening a store brings into being beside it or above it: folders, the file, its log and the
/// log's index. Taken before the store is opened; clear() takes away what was not there then, when
/// opening it did not work (a full disk leaves files of no length behind).
class Leftovers {
 public:
  explicit Leftovers(std::string path);
  /// Call when SQLite has closed the file. Leaves alone whatever holds data, and everything while
  /// another process has the store open.
  void clear() const;

 private:
  std::string path_;
  bool file_was_there_, log_was_there_, index_was_there_;
  std::string first_folder_;  ///< the uppermost folder that was missing; empty: none was
};

}  // namespace raidscope::sqlite
