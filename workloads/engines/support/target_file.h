#pragma once

#include <string>
#include <utility>
#include <vector>

#include "probe/base/result.h"
#include "workloads/engine.h"

namespace raidscope {

/// An open target; closes itself.
class TargetFile {
 public:
  explicit TargetFile(int fd = -1) noexcept : fd_(fd) {}
  TargetFile(TargetFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  TargetFile& operator=(TargetFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~TargetFile();
  [[nodiscard]] int fd() const noexcept { return fd_; }

 private:
  int fd_;
};

struct OpenMode {
  bool write = false;
  bool direct = true;
  bool write_through = false;
};

/// Errors name the file system that refuses O_DIRECT, the missing file, the missing right, and what
/// to do. Never creates or truncates anything.
Result<TargetFile> open_target(const std::string& path, const OpenMode& mode);

/// The targets of an engine, in order: for writing only where there is consent, and only when what
/// was opened is what was examined.
Result<std::vector<TargetFile>> open_targets(const EngineSetup& setup);

/// "ext4", "tmpfs", … of the file system that holds an open file, from statfs; its number in hex
/// when it has no name here.
std::string file_system_name(int fd);

}  // namespace raidscope
