#pragma once

#include <cstddef>
#include <vector>

#include "tests/lab/card/block_io.h"
#include "tests/lab/card/machine.h"
#include "tests/lab/timing/events.h"

namespace raidscope::lab {

/// What a request makes drives do. Drives are named by their BMIC numbers.
struct Piece {
  std::vector<std::size_t> drives;
  bool any = false;                    ///< one of them, as of a mirror's copies; else each of them
  bool reads = false, writes = false;  ///< one after the other, where both
};

/// Reads and writes of a volume through the controller, strip by strip. A write goes to each copy.
/// Where there is parity, a write that fills its row writes data and parity; any other first reads
/// what stands on the strip's drive and on the parity's.
std::vector<Piece> pieces_of(const Machine& machine, const PlacedVolume& volume,
                             const Transfer& transfer);

/// For how long a piece keeps one drive busy.
Time busy_time(const Piece& piece, const DriveTimes& drive);

}  // namespace raidscope::lab
