#pragma once

#include <string>

#include "controllers/inventory/inventory.h"

namespace raidscope {

inline constexpr int fingerprint_version = 1;  ///< of the field list in docs/fingerprint.md

/// 12 hex digits of the SHA-256 of canonical JSON over the performance facts. `drive` null: the
/// controller's own. The host's driver version and the drive's block settings are part of it.
std::string fingerprint(const Inventory& inventory, const Controller& controller,
                        const Array* array, const LogicalDrive* drive);
/// A disk that no listed controller owns.
std::string fingerprint(const Inventory& inventory, const BlockDevice& device);

/// "P420i fw 8.32 | 2 GiB FBWC ok 10/90 | LD1 R1+0 8×SSD strip 256K | cache on (protected) | smart
/// path off"
std::string tag(const Controller& controller, const Array* array, const LogicalDrive* drive);
std::string tag(const BlockDevice& device);

/// Lower-case hex SHA-256.
std::string sha256_hex(std::string_view bytes);

}  // namespace raidscope
