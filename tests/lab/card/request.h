#pragma once

#include <cstddef>
#include <optional>

#include "tests/lab/card/block_io.h"
#include "tests/lab/card/machine.h"

namespace raidscope::lab {

/// A READ or WRITE that reached the card. Its volume is the machine's, until that changes.
struct Request {
  Transfer transfer;                 ///< in the volume, or in a drive that stands for itself
  PlacedVolume volume;               ///< none: `drive` stands for itself, as in HBA mode
  std::optional<std::size_t> drive;  ///< the BMIC number, where it was addressed to a drive
};

}  // namespace raidscope::lab
