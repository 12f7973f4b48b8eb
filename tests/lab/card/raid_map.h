#pragma once

#include <cstdint>
#include <optional>

#include "tests/lab/card/answers.h"

namespace raidscope::lab {

/// Where a block of a drive is in its volume: what a request that the driver sent straight to the
/// drive means. The data live with the volume, so that both ways see the same.
struct VolumeBlock {
  PlacedVolume volume;
  std::uint64_t block = 0;  ///< sectors of 512 bytes
  std::size_t drive = 0;    ///< the BMIC number
};
/// Nothing for a handle that no drive has, for parity, and for a drive whose array's Smart Path is
/// off.
std::optional<VolumeBlock> volume_block(const Machine& machine, std::uint32_t handle,
                                        std::uint64_t drive_block);

}  // namespace raidscope::lab
