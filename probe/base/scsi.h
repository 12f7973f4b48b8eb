#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/result.h"

/// SCSI as far as it is read: CDBs, INQUIRY and vital product data. Offsets are SPC-4's where not
/// said otherwise. Pure.
namespace raidscope::scsi {

inline constexpr std::uint8_t test_unit_ready = 0x00;
inline constexpr std::uint8_t inquiry = 0x12;
inline constexpr std::uint8_t report_luns = 0xA0;

/// True for a whole TEST UNIT READY, INQUIRY or REPORT LUNS and for nothing else.
bool reads_only(std::span<const std::byte> cdb) noexcept;

/// "12 01 83 00 fc 00", for messages.
std::string cdb_text(std::span<const std::byte> cdb);

using Cdb6 = std::array<std::byte, 6>;
Cdb6 standard_inquiry_cdb(std::uint16_t allocation_length) noexcept;
Cdb6 vpd_cdb(std::uint8_t page, std::uint16_t allocation_length) noexcept;

struct Inquiry {
  std::uint8_t peripheral_type = 0;       ///< 0x00 disk, 0x0C array controller, 0x0D enclosure
  std::string vendor, product, revision;  ///< blanks trimmed
  std::string vendor_specific;            ///< bytes 36 to 55; empty where the data end before them
};
/// At least the 36 bytes of standard INQUIRY data; else nothing.
std::optional<Inquiry> decode_inquiry(std::span<const std::byte> data);

/// The bytes after the 4-byte header, when the page is `page` and is whole as far as it says.
/// Firmware that answers another page than the one asked gives nothing.
std::optional<std::span<const std::byte>> vpd_payload(std::span<const std::byte> data,
                                                      std::uint8_t page) noexcept;
/// Page numbers of VPD 0x00.
std::vector<std::uint8_t> decode_vpd_list(std::span<const std::byte> data);
/// VPD 0x80: the unit serial number, trimmed; empty when the device gives none.
std::string decode_unit_serial(std::span<const std::byte> data);
/// VPD 0x83: the first NAA designator of the logical unit as upper-case hex (32 digits for NAA 6),
/// else empty.
std::string decode_naa(std::span<const std::byte> data);

/// VPD 0xB1 (SBC-3), medium rotation rate: 1 is a solid state disk, else revolutions a minute.
/// Nothing where the disk does not report it (0, reserved numbers).
std::optional<std::uint16_t> decode_rotation_rate(std::span<const std::byte> data) noexcept;

/// Vendor page 0xC1, byte 8: what a Smart Array says of a logical drive's fault tolerance. It
/// cannot tell 1 from 1+0, 5 from 50, 6 from 60. Source: the geometry page of the CISS command set
/// as used by the hpsa and smartpqi drivers.
std::optional<std::uint8_t> decode_fault_tolerance(std::span<const std::byte> data) noexcept;
/// Vendor page 0xC2, byte 4: SSD Smart Path of a logical drive as the firmware has it.
struct SmartPathBits {
  bool configured = false;
  bool enabled = false;  ///< true only together with `configured`
};
std::optional<SmartPathBits> decode_smart_path(std::span<const std::byte> data) noexcept;
/// Vendor page 0xC3: state of a logical drive.
struct VolumeStatus {
  std::uint8_t status = 0xFF;
  bool offline = false;  ///< not available for host I/O
};
std::optional<VolumeStatus> decode_volume_status(std::span<const std::byte> data) noexcept;
/// What a page 0xC3 status number is called: "OK", "Interim Recovery Mode"; empty when unknown.
std::string_view volume_status_name(std::uint8_t status) noexcept;

}  // namespace raidscope::scsi
