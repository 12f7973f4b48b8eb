#pragma once

#include <string>

#include "probe/host.h"
#include "probe/os/unique_fd.h"

namespace raidscope {

/// Files below a root directory. A link, absolute or with "..", never leads out of the root: it is
/// followed as a process inside a chroot would see it. Only regular files are read.
class RootedFiles final : public FileTree {
 public:
  static constexpr std::size_t max_file_bytes = std::size_t{1} << 20;

  /// "" and "/" are the machine's own root.
  explicit RootedFiles(std::string root);
  /// A file longer than `max_file_bytes` is cut there.
  Result<std::string> read(std::string_view path) const override;
  Result<std::vector<std::string>> list(std::string_view directory) const override;
  Result<std::string> resolve(std::string_view path) const override;

 private:
  Result<UniqueFd> open(std::string_view path, int flags) const;
  [[nodiscard]] std::string shown(std::string_view path) const;

  std::string root_;
  bool whole_machine_;
  UniqueFd root_fd_;
  int root_errno_ = 0;
};

}  // namespace raidscope
