#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace raidscope {

/// What to look for among the open files of other processes.
struct OpenQuery {
  std::vector<dev_t> block_devices;  ///< any open of these counts
  dev_t file_device = 0;             ///< with file_inode: an open for writing of this file counts
  ino_t file_inode = 0;
  std::string
      file_path;  ///< its real path, where a file system shows another device number in maps
};

struct Opener {
  int pid = 0;
  std::string command;
  std::string how;  ///< "open" or "mapped"
};

struct OpenerScan {
  std::vector<Opener> openers;  ///< one a process, this one left out
  int unreadable = 0;           ///< processes whose open files may not be seen
};

/// Goes through /proc/PID/fd and the mappings of every other process. Somebody who only looks in
/// for a moment (udev after a change) is not counted: an open that is gone a little later (0.3 s)
/// is dropped.
OpenerScan find_openers(const OpenQuery& query, const std::string& sysroot);

}  // namespace raidscope
