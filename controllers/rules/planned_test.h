#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace raidscope {

/// What a planned test would do, as far as rules look at it. A plain value that workloads fill, so
/// that rules need not know how workloads are written. Absent: not looked at, so that a rule about
/// it has nothing to say.
struct PlannedTest {
  std::string target;                      ///< as given; empty when there is none
  std::optional<std::string> slot;         ///< of the controller it lies on, when known
  std::optional<std::int64_t> drive;       ///< logical drive number, when known
  std::optional<std::string> drive_id;     ///< its unique id, when known
  std::optional<std::string> device;       ///< "/dev/nvme0n1": the disk below, when known
  std::vector<std::uint64_t> block_bytes;  ///< every block size it uses
  int read_percent = 100;
  bool random = true;
  std::uint64_t area_bytes = 0;       ///< 0: unknown
  std::uint64_t alignment_bytes = 0;  ///< of random requests; 0: the block size
  std::uint32_t outstanding = 0;
  double duration_s = 0;
  bool direct = true;
  bool paced = false;  ///< a rate or think time leaves gaps between requests
  bool writes_raw_device = false;
  /// Where the partition that holds the target begins on its drive, when known.
  std::optional<std::uint64_t> partition_start_bytes;

  // Of the plan that it is a part of.
  std::uint32_t largest_outstanding = 0;  ///< of all its points; 0: unknown
  std::optional<int> repeats;             ///< of this point
  std::optional<bool> same_sequence;      ///< every repeat asks for the same offsets
  std::optional<bool> preconditioned;     ///< the drives were written to a steady state before
  /// All rounds of each point stand together while other points wait; absent where there is one
  /// point, or one round of each.
  std::optional<bool> in_blocks;
  /// The point before this one writes, and the drives then rest this long; absent: nothing wrote
  /// just before.
  std::optional<double> rest_s;
  std::vector<std::string> compared_slots;  ///< controllers of the plan's other targets

  // Of the target, where somebody looked.
  std::optional<bool> sparse, compressible;
  std::optional<std::vector<std::string>> layers;  ///< "LVM vg-lv" between the file and the drive
  std::optional<std::string> mount_options;        ///< of the file system that holds it
  // Of the machine, just before the start.
  std::optional<std::vector<std::string>> processes;  ///< their names
  std::optional<std::string> foreign_io;  ///< what others did to the drive; empty when nothing
};

}  // namespace raidscope
