#include <algorithm>
#include <initializer_list>

#include "probe/base/emulated_mark.h"
#include "tests/lab/card/answers.h"
#include "tests/lab/card/raid_level.h"

namespace raidscope::lab {
namespace {

constexpr unsigned disk = 0x00, array_controller = 0x0C;
constexpr std::uint8_t supported_pages = 0x00, unit_serial = 0x80, identification = 0x83,
                       rotation = 0xB1, geometry = 0xC1, smart_path = 0xC2, volume_status = 0xC3;

CissReply standard(unsigned type, std::string_view vendor, std::string_view product,
                   std::string_view revision, unsigned version) {
  CissBytes out(56);
  out.u8(0, type).u8(2, version).u8(3, 0x12).u8(4, 51).u8(7, 2);
  out.text(8, vendor.substr(0, 8), 8).text(16, product.substr(0, 16), 16);
  return out.text(32, revision.substr(0, 4), 4).text(36, emulated_mark, 20).reply();
}

CissReply page(unsigned type, std::uint8_t number, const CissBytes& body) {
  const auto& payload = body.bytes();
  CissBytes out(4 + payload.size());
  out.u8(0, type).u8(1, number).big_endian(2, payload.size(), 2);
  CissReply reply = out.reply();
  std::copy(payload.begin(), payload.end(), reply.data.begin() + 4);
  return reply;
}

CissReply page_list(unsigned type, const std::vector<std::uint8_t>& pages) {
  CissBytes body(pages.size());
  for (std::size_t i = 0; i < pages.size(); ++i) body.u8(i, pages[i]);
  return page(type, supported_pages, body);
}

/// One NAA designator of the logical unit.
CissReply naa_page(unsigned type, std::string_view hex_digits) {
  CissBytes body(4);
  body.u8(0, 1).u8(1, 3).u8(3, static_cast<unsigned>(hex_digits.size() / 2));
  return page(type, identification, body.hex(4, hex_digits));
}

CissReply geometry_page(const LogicalDrive& drive) {
  constexpr unsigned heads = 255, sectors = 32;
  const std::uint64_t cylinders = drive.size->bytes / sector_bytes / (heads * sectors);
  CissBytes body(60);
  body.big_endian(0, std::min<std::uint64_t>(cylinders, 0xFFFF), 2).u8(2, heads).u8(3, sectors);
  return page(disk, geometry, body.u8(4, find_level(drive.raid)->tolerance));
}

}  // namespace

CissReply controller_inquiry(const Machine& machine, Cdb cdb) {
  const bool vital = (byte_at(cdb, 1) & 1) != 0;
  if (!vital) {
    return standard(array_controller, machine.vendor, machine.model, machine.firmware, 5);
  }
  switch (byte_at(cdb, 2)) {
    case supported_pages:
      return page_list(array_controller, {supported_pages, identification});
    case identification:
      return naa_page(array_controller, "5001438000000001");
    default:
      return illegal_field();
  }
}

CissReply volume_inquiry(const Machine& machine, const PlacedVolume& volume, Cdb cdb) {
  const LogicalDrive& drive = *volume.drive;
  const bool vital = (byte_at(cdb, 1) & 1) != 0;
  if (!vital) return standard(disk, machine.vendor, "LOGICAL VOLUME", machine.firmware, 5);
  const bool has_smart_path = volume.array->smart_path.has_value();
  switch (byte_at(cdb, 2)) {
    case supported_pages: {
      std::vector<std::uint8_t> pages{supported_pages, unit_serial, identification, geometry};
      if (has_smart_path) pages.push_back(smart_path);
      pages.push_back(volume_status);
      return page_list(disk, pages);
    }
    case unit_serial:  // the controller's, the same for each of its drives
      return page(disk, unit_serial, CissBytes(0).text(0, machine.serial));
    case identification:
      return naa_page(disk, drive.unique_id);
    case geometry:
      return geometry_page(drive);
    case smart_path: {
      if (!has_smart_path) return illegal_field();
      const bool configured = *volume.array->smart_path;
      const bool enabled = configured && drive.status == "OK";
      return page(disk, smart_path,
                  CissBytes(60).u8(0, (configured ? 1U : 0U) | (enabled ? 2U : 0U)));
    }
    case volume_status:
      return page(disk, volume_status, CissBytes(60).u8(0, status_code(drive.status)));
    default:
      return illegal_field();
  }
}

CissReply drive_inquiry(const PlacedDrive& placed, Cdb cdb) {
  const Drive& drive = *placed.drive;
  const bool vital = (byte_at(cdb, 1) & 1) != 0;
  if (!vital) return standard(disk, drive.vendor, drive.model, drive.firmware, 6);
  switch (byte_at(cdb, 2)) {
    case supported_pages:
      return page_list(disk, {supported_pages, unit_serial, identification, rotation});
    case unit_serial:
      return page(disk, unit_serial, CissBytes(0).text(0, drive.serial));
    case identification:
      return naa_page(disk, drive.wwid);
    case rotation:
      return page(disk, rotation, CissBytes(60).big_endian(0, *drive.rpm, 2));
    default:
      return illegal_field();
  }
}

}  // namespace raidscope::lab
