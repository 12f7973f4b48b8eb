#include "probe/base/ciss_replies.h"

#include <algorithm>

#include <fmt/format.h>

namespace raidscope::ciss {
namespace {

/// Bytes that end where the reply or the structure ends.
class Reply {
 public:
  explicit Reply(Bytes data) : data_(data) {}

  /// The structure gives its own length at `offset`; what lies behind that length is none of it.
  /// 0 is no length, and one that ends before its own place contradicts itself: nothing from there
  /// on counts then.
  void limit_by_length_at(std::size_t offset) {
    const auto length = number<std::uint32_t>(offset);
    if (!length || *length == 0) return;
    const std::size_t end = *length < offset + 4 ? offset : *length;
    data_ = data_.first(std::min<std::size_t>(data_.size(), end));
  }

  [[nodiscard]] bool has(std::size_t offset, std::size_t size) const {
    return offset + size <= data_.size();
  }
  template <class T>
  [[nodiscard]] Maybe<T> number(std::size_t offset) const {
    if (!has(offset, sizeof(T))) return std::nullopt;
    std::uint64_t out = 0;
    for (std::size_t i = sizeof(T); i-- > 0;) {
      out = (out << 8) | std::to_integer<std::uint64_t>(data_[offset + i]);
    }
    return static_cast<T>(out);
  }
  [[nodiscard]] Maybe<std::uint8_t> u8(std::size_t offset) const {
    return number<std::uint8_t>(offset);
  }
  [[nodiscard]] Maybe<std::uint16_t> u16(std::size_t offset) const {
    return number<std::uint16_t>(offset);
  }
  [[nodiscard]] Maybe<std::uint32_t> u32(std::size_t offset) const {
    return number<std::uint32_t>(offset);
  }
  [[nodiscard]] Maybe<bool> bit(std::size_t offset, unsigned number_) const {
    const auto value = u8(offset);
    if (!value) return std::nullopt;
    return ((std::uint32_t{*value} >> number_) & 1U) != 0;
  }
  /// Printable ASCII up to a NUL, blanks off; nothing when that leaves nothing or a byte is no
  /// text.
  [[nodiscard]] Maybe<std::string> text(std::size_t offset, std::size_t size) const {
    if (!has(offset, size)) return std::nullopt;
    std::string out;
    for (const std::byte b : data_.subspan(offset, size)) {
      const auto c = static_cast<char>(b);
      if (c == '\0') break;
      if (c < 0x20 || c > 0x7E) return std::nullopt;
      out += c;
    }
    const auto first = out.find_first_not_of(' ');
    if (first == std::string::npos) return std::nullopt;
    return out.substr(first, out.find_last_not_of(' ') - first + 1);
  }
  /// Upper-case hex of bytes that are not all zeros or all ones.
  [[nodiscard]] Maybe<std::string> id(std::size_t offset, std::size_t size) const {
    if (!has(offset, size) || fills(offset, size, std::byte{0}) ||
        fills(offset, size, std::byte{0xFF})) {
      return std::nullopt;
    }
    std::string out;
    for (const std::byte b : data_.subspan(offset, size)) {
      out += fmt::format("{:02X}", std::to_integer<unsigned>(b));
    }
    return out;
  }
  [[nodiscard]] bool fills(std::size_t offset, std::size_t size, std::byte value) const {
    if (!has(offset, size)) return false;
    const auto part = data_.subspan(offset, size);
    return std::all_of(part.begin(), part.end(), [value](std::byte b) { return b == value; });
  }

 private:
  Bytes data_;
};

/// The first that is told and not 0.
Maybe<std::uint64_t> block_count(Maybe<std::uint64_t> big, Maybe<std::uint32_t> small) {
  if (big && *big != 0) return big;
  // All ones in the old field stand for a drive that needs the new one.
  if (small && *small != 0 && *small != 0xFFFFFFFF) return *small;
  return std::nullopt;
}

/// A drive's place as the vendor tool prints it. A box of 0 or 255 is none.
Maybe<std::string> bay_of(const Reply& reply) {
  const auto connector = reply.text(112, 2);
  const auto box = reply.u8(114);
  const auto bay = reply.u8(115);
  if (!connector || !box || !bay || *bay == 0xFF) return std::nullopt;
  if (*box == 0 || *box == 0xFF) return fmt::format("{}:{}", *connector, *bay);
  return fmt::format("{}:{}:{}", *connector, *box, *bay);
}

/// 0 and 255 are no temperatures.
Maybe<std::uint8_t> temperature(Maybe<std::uint8_t> value) {
  return value && *value != 0 && *value != 0xFF ? value : std::nullopt;
}

constexpr std::array<std::string_view, 0x2C> failure_reasons{"",
                                                             "Too small in load configuration",
                                                             "Error erasing RIS",
                                                             "Error saving RIS",
                                                             "Fail drive command",
                                                             "Mark bad failed",
                                                             "Mark bad failed in finish remap",
                                                             "Timeout",
                                                             "Autosense failed",
                                                             "Medium error 1",
                                                             "Medium error 2",
                                                             "Not ready, bad sense",
                                                             "Not ready",
                                                             "Hardware error",
                                                             "Aborted command",
                                                             "Write protected",
                                                             "Spin up failure in recover",
                                                             "Rebuild write error",
                                                             "Too small in hot plug",
                                                             "Bus reset recovery aborted",
                                                             "Removed in hot plug",
                                                             "Init request sense failed",
                                                             "Init start unit failed",
                                                             "Inquiry failed",
                                                             "Non disk device",
                                                             "Read capacity failed",
                                                             "Invalid block size",
                                                             "Hot plug request sense failed",
                                                             "Hot plug start unit failed",
                                                             "Write error after remap",
                                                             "Init reset recovery aborted",
                                                             "Deferred write error",
                                                             "Missing in save RIS",
                                                             "Wrong replace",
                                                             "GDP VPD inquiry failed",
                                                             "GDP mode sense failed",
                                                             "Drive not in 48-bit mode",
                                                             "Drive type mix in hot plug",
                                                             "Drive type mix in load configuration",
                                                             "Protocol adapter failed",
                                                             "Faulty ID, bay empty",
                                                             "Faulty ID, bay occupied",
                                                             "Faulty ID, invalid bay",
                                                             "Write retries failed"};

constexpr std::array<std::string_view, 20> disable_reasons{
    "the module's data belong to another controller",
    "less than 75 % of the batteries are charged",
    "disabled by the user",
    "no resources, as during a rebuild",
    "the cache board is not attached",
    "its memory is in use for an expansion",
    "its memory is in use for snapshots",
    "the batteries of the redundant controller are low",
    "the cache sizes of the redundant controllers differ",
    "the cache of the redundant controller has failed",
    "the ADG enabler is missing",
    "a 6400 EM is starting",
    "the charge of the capacitor is low",
    "the flash memory is being erased",
    "",
    "",
    "the mirror compare failed",
    "an unrecoverable read error",
    "the cache cannot be written",
    "the configuration was not updated"};

struct TroubleBit {
  unsigned bit;
  std::string_view words;
};
constexpr auto troubles = std::to_array<TroubleBit>({
    {4, "data may have been lost at a reset"},
    {8, "it holds data that could not be flushed"},
    {9, "the limit of dirty data is reached"},
    {10, "ECC errors"},
    {11, "data were lost"},
    {14, "a hardware problem of the battery's switch"},
    {15, "the module's logic and its battery do not fit together"},
});

constexpr std::size_t list_header = 8;

/// The part of a LUN list that is in the reply and that the controller says is filled.
Maybe<Bytes> list_entries(Bytes data) {
  if (data.size() < list_header) return std::nullopt;
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) length = length << 8 | std::to_integer<std::size_t>(data[i]);
  return data.subspan(list_header, std::min(length, data.size() - list_header));
}

Lun lun_at(Bytes entry) {
  Lun out;
  for (std::size_t i = 0; i < 8; ++i) out.bytes[i] = std::to_integer<std::uint8_t>(entry[i]);
  return out;
}

}  // namespace

Maybe<PciInfo> decode_pci_info(Bytes data) {
  const Reply reply(data);
  const auto board = reply.u32(4);
  if (!board) return std::nullopt;
  const unsigned function = *reply.u8(1);
  return PciInfo{fmt::format("{:04x}:{:02x}:{:02x}.{}", *reply.u16(2), *reply.u8(0), function >> 3,
                             function & 7U),
                 *board};
}

Maybe<ControllerIdentity> decode_controller_identity(Bytes data) {
  Reply reply(data);
  reply.limit_by_length_at(196);
  if (!reply.has(0, 9)) return std::nullopt;  // not even a firmware version
  ControllerIdentity out;
  out.configuration_signature = reply.u32(1);
  out.firmware = reply.text(5, 4);
  if (out.firmware == "0.00") out.firmware.reset();
  out.rom_firmware = reply.text(9, 4);
  out.board_id = reply.u32(26);
  out.percent_write_cache = reply.u8(139);
  out.cache_board_size = reply.u16(140);
  out.cache_batteries = reply.u8(142);
  out.logical_drives = *reply.u8(0);
  if (const auto extended = reply.u16(154); extended && *extended > 255) {
    out.logical_drives = extended;
  }
  out.hba_mode_supported = reply.bit(187, 1);  // bit 25 of the flags at 184
  out.last_lockup_code = reply.u8(188);
  out.pci_slot = reply.u8(189);
  out.firmware_build = reply.u16(190);
  out.vendor = reply.text(200, 8);
  out.product = reply.text(208, 16);
  if (reply.bit(289, 5).value_or(false)) out.long_firmware = reply.text(325, 32);
  return out;
}

Maybe<LogicalDriveIdentity> decode_logical_drive_identity(Bytes data) {
  const Reply reply(data);
  if (!reply.has(0, 6)) return std::nullopt;
  LogicalDriveIdentity out;
  out.block_bytes = reply.u16(0);
  if (out.block_bytes == 0) out.block_bytes.reset();
  out.blocks = block_count(reply.number<std::uint64_t>(94), reply.u32(2));
  out.tolerance = reply.u8(22);
  out.label = reply.text(30, 64);
  out.unique_id = reply.id(102, 16);
  return out;
}

Maybe<LogicalDriveState> decode_logical_drive_state(Bytes data) {
  const Reply reply(data);
  const auto status = reply.u8(0);
  if (!status) return std::nullopt;
  LogicalDriveState out;
  out.status = *status;
  out.blocks_to_recover = reply.u32(421);
  out.spare_status = reply.u8(498);
  if (const auto exchanged = reply.u8(535)) out.media_exchanged = *exchanged != 0;
  out.cache_failure = reply.u8(536);
  return out;
}

bool is_drive(DeviceType type) noexcept {
  switch (type) {
    case DeviceType::parallel_scsi:
    case DeviceType::sata:
    case DeviceType::sas:
    case DeviceType::sata_bridge:
    case DeviceType::sas_bridge:
    case DeviceType::nvme:
      return true;
    default:
      return false;
  }
}

Maybe<PhysicalDriveIdentity> decode_physical_drive_identity(Bytes data) {
  const Reply reply(data);
  if (!reply.has(12, 40)) return std::nullopt;  // not even a model
  PhysicalDriveIdentity out;
  out.block_bytes = reply.u16(2);
  if (out.block_bytes == 0) out.block_bytes.reset();
  out.blocks = block_count(reply.number<std::uint64_t>(122), reply.u32(4));
  out.model = reply.text(12, 40);
  out.serial = reply.text(52, 40);
  out.firmware = reply.text(92, 8);
  out.last_failure_reason = reply.u8(102);
  out.operational = reply.bit(103, 0);
  out.non_disk = reply.bit(103, 1);
  out.predictive_failure = reply.bit(104, 1);
  out.configured = reply.bit(104, 5);
  out.spare = reply.bit(104, 6);
  out.write_cache_enabled = reply.bit(106, 6);
  out.bay = bay_of(reply);
  out.rpm = reply.u32(116);
  if (const auto type = reply.u8(120)) out.type = static_cast<DeviceType>(*type);
  // 20 bytes; only the form that fills the first 8 is known for what it is.
  if (reply.fills(150, 12, std::byte{0})) out.wwid = reply.id(142, 8);
  // A drive has a few phys; a count that an expander has is not one of them.
  if (const auto phys = reply.u16(194); phys && *phys <= 8) {
    for (std::size_t i = 0; i < *phys; ++i) {
      if (const auto rate = reply.u8(1224 + i)) out.link_rates.push_back(*rate);
    }
  }
  out.gas_gauge = reply.bit(1223, 2);  // bit 10 of the flags at 1222
  out.temperature_c = temperature(reply.u8(1792));
  out.temperature_max_c = temperature(reply.u8(1794));
  out.power_on_hours = reply.u16(1858);
  out.endurance_used = reply.u16(1860);
  out.authentication = reply.u8(1862);
  return out;
}

std::string_view failure_reason_name(std::uint8_t reason) noexcept {
  return reason < failure_reasons.size() ? failure_reasons[reason] : std::string_view{};
}

double link_rate_gbps(std::uint8_t code) noexcept {
  switch (code & 0x0F) {
    case 0x8:
      return 1.5;
    case 0x9:
      return 3;
    case 0xA:
      return 6;
    case 0xB:
      return 12;
    case 0xC:
      return 22.5;
    default:
      return 0;
  }
}

Maybe<ControllerParameters> decode_controller_parameters(Bytes data) {
  const Reply reply(data);
  if (!reply.has(0, 16)) return std::nullopt;
  ControllerParameters out;
  out.rebuild_priority = reply.u8(14);
  out.expand_priority = reply.u8(15);
  out.nvram_flags = reply.u8(123);
  out.cache_nvram_flags = reply.u8(124);
  out.drive_config_flags = reply.u8(125);
  out.hba_mode = reply.bit(123, 3);
  return out;
}

Maybe<SubsystemInformation> decode_subsystem_information(Bytes data) {
  const Reply reply(data);
  if (!reply.has(0, 4)) return std::nullopt;
  SubsystemInformation out;
  out.slot = reply.u8(0);
  out.chassis_serial = reply.text(4, 32);
  out.wwid = reply.id(36, 8);  // big endian
  out.serial = reply.text(44, 32);
  out.cache_serial = reply.text(76, 32);
  return out;
}

Maybe<CacheConfiguration> decode_cache_configuration(Bytes data) {
  Reply reply(data);
  reply.limit_by_length_at(16);
  if (!reply.has(0, 9)) return std::nullopt;
  CacheConfiguration out;
  out.posted_writes = reply.u32(0);
  out.read_memory = reply.u16(4);
  out.write_memory = reply.u16(6);
  out.not_configured = *reply.u8(8) != 0;
  out.status = reply.u32(32);
  out.disable_code = reply.u16(36);
  out.total_memory = reply.u16(38);
  out.batteries = reply.u16(40);
  out.good_batteries = reply.u16(42);
  out.failed_batteries = reply.u16(208);
  if (const auto board = reply.u8(210)) out.board_attached = *board != 0;
  out.size_shift = reply.u8(217);
  out.read_percent = reply.u8(224);
  out.write_percent = reply.u8(225);
  return out;
}

std::string_view disable_reason(std::uint16_t code) noexcept {
  return code < disable_reasons.size() ? disable_reasons[code] : std::string_view{};
}

std::string cache_trouble(std::uint32_t status) {
  std::string out;
  for (const TroubleBit& trouble : troubles) {
    if ((status >> trouble.bit & 1U) == 0) continue;
    if (!out.empty()) out += "; ";
    out += trouble.words;
  }
  return out;
}

Maybe<std::uint32_t> Lun::volume() const noexcept {
  if ((bytes[3] & 0xC0) != 0x40) return std::nullopt;
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
         static_cast<std::uint32_t>(bytes[2]) << 16 |
         static_cast<std::uint32_t>(bytes[3] & 0x3F) << 24;
}

Maybe<std::uint32_t> Lun::drive_number() const noexcept {
  const std::uint32_t bus = bytes[7] & 0x3FU;
  if (bus == 0) return std::nullopt;
  return (bus - 1) << 8 | bytes[6];
}

Maybe<LunList> decode_lun_list(Bytes data) {
  const auto entries = list_entries(data);
  if (!entries) return std::nullopt;
  LunList out;
  out.format = std::to_integer<std::uint8_t>(data[4]);
  if (out.format != 0) return std::nullopt;
  for (std::size_t at = 0; at + 8 <= entries->size(); at += 8) {
    PhysicalDevice device;
    device.lun = lun_at(entries->subspan(at, 8));
    out.devices.push_back(std::move(device));
  }
  return out;
}

Maybe<LunList> decode_physical_list(Bytes data) {
  const auto entries = list_entries(data);
  if (!entries) return std::nullopt;
  LunList out;
  out.format = std::to_integer<std::uint8_t>(data[4]);
  if (out.format != 2) return std::nullopt;
  for (std::size_t at = 0; at + 24 <= entries->size(); at += 24) {
    const Bytes entry = entries->subspan(at, 24);
    const Reply reply(entry);
    PhysicalDevice device;
    device.lun = lun_at(entry);
    device.wwid = reply.id(8, 8);
    device.type = static_cast<DeviceType>(*reply.u8(16));
    device.non_disk = *reply.bit(17, 0);
    if (const auto handle = reply.u32(20); *handle != 0) device.io_handle = handle;
    out.devices.push_back(std::move(device));
  }
  return out;
}

Maybe<RaidMap> decode_raid_map(Bytes data) {
  constexpr std::size_t entries_at = 64, entry_bytes = 8, most_entries = 256;
  const Reply reply(data);
  if (!reply.has(0, entries_at)) return std::nullopt;
  RaidMap out;
  out.block_bytes = *reply.u32(4);
  out.blocks = *reply.number<std::uint64_t>(8);
  out.strip_blocks = *reply.u16(18);
  out.data_disks_per_row = *reply.u16(36);
  out.metadata_disks_per_row = *reply.u16(38);
  out.rows = *reply.u16(40);
  out.layouts = std::max<std::uint16_t>(*reply.u16(42), 1);
  const std::size_t per_row =
      std::size_t{out.data_disks_per_row} + std::size_t{out.metadata_disks_per_row};
  const std::size_t drives = per_row * out.layouts;
  const std::size_t entries = drives * out.rows;
  if (drives == 0 || entries == 0 || entries > most_entries ||
      !reply.has(entries_at, entries * entry_bytes)) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < entries; ++i) {
    const std::uint32_t handle = *reply.u32(entries_at + i * entry_bytes);
    if (std::find(out.handles.begin(), out.handles.end(), handle) == out.handles.end()) {
      out.handles.push_back(handle);
    }
  }
  if (out.handles.size() != drives) return std::nullopt;
  return out;
}

}  // namespace raidscope::ciss
