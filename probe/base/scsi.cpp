#include "probe/base/scsi.h"

#include <algorithm>

#include <fmt/format.h>

namespace raidscope::scsi {
namespace {

constexpr std::uint8_t u8(std::byte value) noexcept {
  return std::to_integer<std::uint8_t>(value);
}

/// Printable ASCII, blanks at both ends and NULs dropped.
std::string text(std::span<const std::byte> bytes) {
  std::string out;
  for (const std::byte b : bytes) {
    const auto c = static_cast<char>(u8(b));
    if (c == '\0') break;
    out += c >= 0x20 && c < 0x7F ? c : ' ';
  }
  const auto first = out.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return out.substr(first, out.find_last_not_of(' ') - first + 1);
}

constexpr std::array<std::string_view, 28> volume_statuses{"OK",
                                                           "Failed",
                                                           "Not Configured",
                                                           "Interim Recovery Mode",
                                                           "Ready for Rebuild",
                                                           "Recovering",
                                                           "Wrong Drive Replaced",
                                                           "Drive Connection Problem",
                                                           "Overheating",
                                                           "Overheated",
                                                           "Expanding",
                                                           "Not Available",
                                                           "Queued for Expansion",
                                                           "SCSI ID Conflict",
                                                           "Ejected",
                                                           "Undergoing Erase",
                                                           "",
                                                           "Ready for Predictive Spare Rebuild",
                                                           "Undergoing Rapid Parity Initialization",
                                                           "Pending Rapid Parity Initialization",
                                                           "Encrypted, No Key",
                                                           "Plaintext in Encrypt-Only Controller",
                                                           "Undergoing Encryption",
                                                           "Rekeying",
                                                           "Encrypted in Non-Encrypted Controller",
                                                           "Pending Encryption",
                                                           "Pending Rekeying",
                                                           "Not Supported"};

}  // namespace

bool reads_only(std::span<const std::byte> cdb) noexcept {
  if (cdb.empty()) return false;
  switch (u8(cdb[0])) {
    case test_unit_ready:
    case inquiry:
      return cdb.size() == 6;
    case report_luns:
      return cdb.size() == 12;
    default:
      return false;
  }
}

std::string cdb_text(std::span<const std::byte> cdb) {
  std::string out;
  for (const std::byte b : cdb) {
    if (!out.empty()) out += ' ';
    out += fmt::format("{:02x}", u8(b));
  }
  return out;
}

Cdb6 standard_inquiry_cdb(std::uint16_t allocation_length) noexcept {
  return {std::byte{inquiry},
          std::byte{0},
          std::byte{0},
          std::byte{static_cast<std::uint8_t>(allocation_length >> 8)},
          std::byte{static_cast<std::uint8_t>(allocation_length & 0xFF)},
          std::byte{0}};
}

Cdb6 vpd_cdb(std::uint8_t page, std::uint16_t allocation_length) noexcept {
  Cdb6 cdb = standard_inquiry_cdb(allocation_length);
  cdb[1] = std::byte{1};  // EVPD
  cdb[2] = std::byte{page};
  return cdb;
}

std::optional<Inquiry> decode_inquiry(std::span<const std::byte> data) {
  if (data.size() < 36) return std::nullopt;
  Inquiry out;
  out.peripheral_type = u8(data[0]) & 0x1F;
  out.vendor = text(data.subspan(8, 8));
  out.product = text(data.subspan(16, 16));
  out.revision = text(data.subspan(32, 4));
  out.vendor_specific = text(data.subspan(36, std::min<std::size_t>(20, data.size() - 36)));
  return out;
}

std::optional<std::span<const std::byte>> vpd_payload(std::span<const std::byte> data,
                                                      std::uint8_t page) noexcept {
  if (data.size() < 4 || u8(data[1]) != page) return std::nullopt;
  const std::size_t length = (std::size_t{u8(data[2])} << 8) | u8(data[3]);
  // A reply cut at the allocation length still holds what comes first.
  return data.subspan(4, std::min(length, data.size() - 4));
}

std::vector<std::uint8_t> decode_vpd_list(std::span<const std::byte> data) {
  std::vector<std::uint8_t> pages;
  if (const auto payload = vpd_payload(data, 0x00)) {
    for (const std::byte b : *payload) pages.push_back(u8(b));
  }
  return pages;
}

std::string decode_unit_serial(std::span<const std::byte> data) {
  const auto payload = vpd_payload(data, 0x80);
  return payload ? text(*payload) : std::string();
}

std::optional<std::uint16_t> decode_rotation_rate(std::span<const std::byte> data) noexcept {
  const auto payload = vpd_payload(data, 0xB1);
  if (!payload || payload->size() < 2) return std::nullopt;
  const auto rate = static_cast<std::uint16_t>((u8((*payload)[0]) << 8U) | u8((*payload)[1]));
  // SBC-3: 0x0002 to 0x0400 and 0xFFFF are reserved.
  if (rate == 1 || (rate > 0x0400 && rate != 0xFFFF)) return rate;
  return std::nullopt;
}

std::string decode_naa(std::span<const std::byte> data) {
  auto payload = vpd_payload(data, 0x83);
  while (payload && payload->size() >= 4) {
    const std::size_t length = u8((*payload)[3]);
    if (payload->size() < 4 + length) break;
    const auto designator = payload->subspan(4, length);
    const bool binary = (u8((*payload)[0]) & 0x0F) == 1;
    const bool naa = (u8((*payload)[1]) & 0x0F) == 3;
    const bool of_unit = (u8((*payload)[1]) & 0x30) == 0;
    if (binary && naa && of_unit && (length == 8 || length == 16)) {
      std::string out;
      for (const std::byte b : designator) out += fmt::format("{:02X}", u8(b));
      return out;
    }
    payload = payload->subspan(4 + length);
  }
  return {};
}

std::optional<std::uint8_t> decode_fault_tolerance(std::span<const std::byte> data) noexcept {
  const auto payload = vpd_payload(data, 0xC1);
  if (!payload || payload->size() < 5) return std::nullopt;
  return u8((*payload)[4]);
}

std::optional<SmartPathBits> decode_smart_path(std::span<const std::byte> data) noexcept {
  const auto payload = vpd_payload(data, 0xC2);
  if (!payload || payload->empty()) return std::nullopt;
  const std::uint8_t bits = u8((*payload)[0]);
  const bool configured = (bits & 0x01) != 0;
  return SmartPathBits{configured, configured && (bits & 0x02) != 0};
}

std::optional<VolumeStatus> decode_volume_status(std::span<const std::byte> data) noexcept {
  const auto payload = vpd_payload(data, 0xC3);
  if (!payload || payload->empty()) return std::nullopt;
  VolumeStatus out;
  out.status = u8((*payload)[0]);
  if (payload->size() >= 8) out.offline = (u8((*payload)[7]) & 0x01) != 0;
  return out;
}

std::string_view volume_status_name(std::uint8_t status) noexcept {
  return status < volume_statuses.size() ? volume_statuses[status] : std::string_view{};
}

}  // namespace raidscope::scsi
