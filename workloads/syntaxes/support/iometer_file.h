#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/result.h"

/// What an Iometer configuration (.icf) says, before any meaning is made of it.
namespace raidscope::iometer {

/// Start, step and how it grows; `last` is for queue depths, which have an end of their own.
struct Cycle {
  std::uint64_t first = 1;
  std::uint64_t last = 1;
  std::uint64_t step = 1;
  bool exponential = false;
  std::size_t line = 0;  ///< in the file; 0: it says none
  /// The values up to `last`, of which there is one at least.
  [[nodiscard]] std::vector<std::uint64_t> values(std::uint64_t upto) const;
};

struct SpecLine {
  std::uint64_t size = 2048;
  std::uint64_t percent = 100;
  std::uint64_t reads = 67;
  std::uint64_t random = 100;
  std::uint64_t delay_ms = 0;
  std::uint64_t burst = 1;
  std::uint64_t align = 0;  ///< 0: 512-byte sectors
  std::uint64_t reply = 0;
};

struct AccessSpec {
  std::string name;
  std::string assignment;  ///< NONE, ALL, DISK, NET
  std::vector<SpecLine> lines;
  std::size_t line = 0;  ///< in the file
};

struct Worker {
  std::string name;
  bool disk = true;
  std::uint64_t outstanding = 1;
  bool connection_rate = false;
  bool fixed_seed = false;
  std::uint64_t seed = 0;
  std::uint64_t sectors = 0;  ///< 0: the whole disk
  std::uint64_t first_sector = 0;
  std::uint64_t data_pattern = 0;
  std::vector<std::string> specs;
  std::vector<std::string> targets;
  std::size_t line = 0;
};

struct Manager {
  std::string name;
  std::vector<Worker> workers;
};

struct File {
  std::string version;
  std::string description;
  std::uint64_t run_s = 0;
  std::uint64_t ramp_s = 0;
  std::string test_type = "NORMAL";
  Cycle workers, targets;
  Cycle depths{1, 32, 2, true};
  std::vector<AccessSpec> specs;
  std::vector<Manager> managers;
};

/// One or more configurations, each between its two Version lines. Errc::malformed names the line.
Result<std::vector<File>> read_files(std::string_view text);

}  // namespace raidscope::iometer
