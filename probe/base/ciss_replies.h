#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the controllers answer, byte by byte. A field that lies beyond the reply, or beyond the
/// length that the structure itself gives, is absent: old firmware sends less. All numbers are
/// little endian where not said otherwise. Offsets: cciss_vol_status 1.12a, Linux' hpsa_cmd.h and
/// smartpqi.h, illumos' smrt_scsi.h, as each decoder says. Pure.
namespace raidscope::ciss {

using Bytes = std::span<const std::byte>;
template <class T>
using Maybe = std::optional<T>;

/// CCISS_GETPCIINFO: bus 0, device and function 1, domain 2 (u16), board id 4 (u32).
struct PciInfo {
  std::string address;         ///< "0000:0d:00.0"
  std::uint32_t board_id = 0;  ///< subsystem device << 16 | subsystem vendor
};
Maybe<PciInfo> decode_pci_info(Bytes data);

/// BMIC 0x11.
struct ControllerIdentity {
  Maybe<std::uint32_t> configuration_signature;  ///< changes with the configuration
  Maybe<std::string> firmware;                   ///< 4 characters, "8.32"
  Maybe<std::string> rom_firmware;               ///< the one in flash
  Maybe<std::string> long_firmware;              ///< 32 characters; only where the reply flags it
  Maybe<std::uint16_t> firmware_build;
  Maybe<std::uint32_t> board_id;
  Maybe<std::uint16_t> logical_drives;
  Maybe<std::uint8_t> percent_write_cache, cache_batteries;
  Maybe<std::uint16_t> cache_board_size;  ///< unit not stated, MiB by context
  Maybe<bool> hba_mode_supported;
  Maybe<std::uint8_t> last_lockup_code, pci_slot;
  Maybe<std::string> vendor, product;
};
Maybe<ControllerIdentity> decode_controller_identity(Bytes data);

/// BMIC 0x10.
struct LogicalDriveIdentity {
  Maybe<std::uint16_t> block_bytes;
  Maybe<std::uint64_t> blocks;
  Maybe<std::uint8_t> tolerance;  ///< as byte 8 of vital product data page 0xC1
  Maybe<std::string> label;
  Maybe<std::string> unique_id;  ///< 32 upper-case hex digits
};
Maybe<LogicalDriveIdentity> decode_logical_drive_identity(Bytes data);

/// BMIC 0x12.
struct LogicalDriveState {
  std::uint8_t status = 0;
  Maybe<std::uint32_t> blocks_to_recover;
  Maybe<std::uint8_t> spare_status, cache_failure;
  Maybe<bool> media_exchanged;
};
Maybe<LogicalDriveState> decode_logical_drive_state(Bytes data);

/// Device types of REPORT PHYSICAL format 2 and of BMIC 0x15.
enum class DeviceType : std::uint8_t {
  parallel_scsi = 0,
  sata = 1,
  sas = 2,
  sata_bridge = 3,
  sas_bridge = 4,
  expander = 5,
  enclosure = 6,
  controller = 7,
  sgpio = 8,
  nvme = 9,
  none = 0xFF,
};
bool is_drive(DeviceType type) noexcept;

/// BMIC 0x15.
struct PhysicalDriveIdentity {
  Maybe<std::uint16_t> block_bytes;
  Maybe<std::uint64_t> blocks;
  Maybe<std::string> model;  ///< as printed: vendor and product in columns
  Maybe<std::string> serial, firmware;
  Maybe<std::string> bay;  ///< "1I:1:3": connector, box, bay
  Maybe<std::string> wwid;
  Maybe<std::uint32_t> rpm;
  Maybe<DeviceType> type;
  Maybe<bool> operational, non_disk;
  Maybe<bool> predictive_failure, configured, spare;
  Maybe<bool> write_cache_enabled;
  Maybe<std::uint8_t> last_failure_reason;
  Maybe<bool> gas_gauge;                 ///< the drive is an SSD that counts its wear
  std::vector<std::uint8_t> link_rates;  ///< SAS codes of the drive's own phys
  Maybe<std::uint8_t> temperature_c, temperature_max_c;
  Maybe<std::uint16_t> power_on_hours, endurance_used;  ///< the latter in 1/100 %
  Maybe<std::uint8_t> authentication;                   ///< 0x80: authenticated
};
Maybe<PhysicalDriveIdentity> decode_physical_drive_identity(Bytes data);
/// "Timeout"; empty for a number that has no name.
std::string_view failure_reason_name(std::uint8_t reason) noexcept;
/// 6 for the SAS code 0xA; 0 for a phy that is not linked or a code that has no rate.
double link_rate_gbps(std::uint8_t code) noexcept;

/// BMIC 0x64.
struct ControllerParameters {
  Maybe<std::uint8_t> rebuild_priority, expand_priority;  ///< numbers that have no public names
  Maybe<std::uint8_t> nvram_flags, cache_nvram_flags, drive_config_flags;
  Maybe<bool> hba_mode;
};
Maybe<ControllerParameters> decode_controller_parameters(Bytes data);

/// BMIC 0x66.
struct SubsystemInformation {
  Maybe<std::uint8_t> slot;
  Maybe<std::string> chassis_serial, wwid, serial, cache_serial;
};
Maybe<SubsystemInformation> decode_subsystem_information(Bytes data);

/// BMIC 0xC1.
struct CacheConfiguration {
  Maybe<std::uint32_t> posted_writes;              ///< bit n: logical drive n, by its name
  Maybe<std::uint16_t> read_memory, write_memory;  ///< MiB
  Maybe<bool> not_configured;                      ///< then the rest is not to be relied on
  Maybe<std::uint32_t> status;                     ///< bits, `cache_trouble`
  Maybe<std::uint16_t> disable_code;               ///< means something with bit 1 or 2
  Maybe<std::uint16_t> total_memory;               ///< MiB
  Maybe<std::uint16_t> batteries, good_batteries;  ///< a count, a map
  Maybe<std::uint16_t> failed_batteries;           ///< a map
  Maybe<bool> board_attached;
  Maybe<std::uint8_t> size_shift;  ///< sizes are not to be relied on where it is not 0
  Maybe<std::uint8_t> read_percent, write_percent;
};
inline constexpr std::uint32_t cache_enabled = 1U << 0;
inline constexpr std::uint32_t cache_temporarily_disabled = 1U << 1;
inline constexpr std::uint32_t cache_permanently_disabled = 1U << 2;
inline constexpr std::uint32_t cache_battery_trouble = 1U << 14;
inline constexpr std::uint32_t cache_incompatible = 1U << 15;
inline constexpr std::uint32_t cache_capacitor = 1U << 16;
Maybe<CacheConfiguration> decode_cache_configuration(Bytes data);
/// Why the write cache is off; empty for a code that is not used.
std::string_view disable_reason(std::uint16_t code) noexcept;
/// What the status says beside on and off, in words; empty when nothing is wrong.
std::string cache_trouble(std::uint32_t status);

/// One entry of REPORT LOGICAL or REPORT PHYSICAL.
struct Lun {
  std::array<std::uint8_t, 8> bytes{};
  /// Of a logical drive; nothing for other addresses.
  [[nodiscard]] Maybe<std::uint32_t> volume() const noexcept;
  /// BMIC number of a physical drive; nothing for what BMIC cannot name.
  [[nodiscard]] Maybe<std::uint32_t> drive_number() const noexcept;
  /// Hidden from the operating system.
  [[nodiscard]] bool masked() const noexcept { return (bytes[3] & 0xC0) != 0; }
};
struct PhysicalDevice {
  Lun lun;
  Maybe<std::string> wwid;  ///< 16 upper-case hex digits; format 2 only, like what follows
  Maybe<DeviceType> type;
  bool non_disk = false;
  Maybe<std::uint32_t> io_handle;  ///< names the drive in RAID maps
};
/// The list, and the format that the controller says it has.
struct LunList {
  std::uint8_t format = 0;
  std::vector<PhysicalDevice> devices;
};
/// Entries of 8 bytes. Nothing when the reply has no header or another format.
Maybe<LunList> decode_lun_list(Bytes data);
/// Entries of 24 bytes, format 2.
Maybe<LunList> decode_physical_list(Bytes data);

/// CISS GET RAID MAP: what a Smart Path drive is made of.
struct RaidMap {
  std::uint32_t block_bytes = 0;
  std::uint64_t blocks = 0;
  std::uint16_t strip_blocks = 0;  ///< on each disk
  std::uint16_t data_disks_per_row = 0, metadata_disks_per_row = 0;
  std::uint16_t rows = 0;
  std::uint16_t layouts = 0;           ///< mirror copies, or parity groups
  std::vector<std::uint32_t> handles;  ///< of its drives, each once
};
/// Nothing unless the map is whole and names as many drives as it says that there are.
Maybe<RaidMap> decode_raid_map(Bytes data);

}  // namespace raidscope::ciss
