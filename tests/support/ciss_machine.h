#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/host.h"
#include "tests/support/ciss_bytes.h"
#include "tests/support/memory_host.h"

namespace raidscope::testing {

/// What a made-up controller answers to each question.
struct CissMachine {
  std::map<std::pair<CissQuery, std::uint32_t>, CissReply> replies;

  void set(CissQuery query, std::uint32_t number, CissReply reply) {
    replies[{query, number}] = std::move(reply);
  }
  void give_to(MemoryCiss& ciss, const std::string& devnode) const {
    for (const auto& [ask, reply] : replies) ciss.answer(devnode, {ask.first, ask.second}, reply);
  }
};

struct MadeVolume {
  std::string unique_id;
  unsigned tolerance = 0;
  std::uint64_t blocks = 0;
};

inline CissBytes made_controller(std::string_view firmware = "8.32") {
  CissBytes out(512);
  out.u8(0, 2).u32(1, 0x5EED0001).text(5, firmware).text(9, firmware).u32(26, 0x3354103C);
  out.u16(140, 1024).u32(184, 1U << 25).u8(189, 0).u16(190, 0).u32(196, 512);
  return out.text(200, "HP", 8).text(208, "P420i", 16);
}

/// 1 GiB of flash-backed cache, 10/90, all well.
inline CissBytes made_cache() {
  CissBytes out(512);
  out.u32(0, 0x3).u16(4, 81).u16(6, 735).u32(16, 512).u16(20, 64).u32(32, 1U | 1U << 16);
  return out.u16(38, 1024).u16(40, 1).u16(42, 1).u8(210, 1).u8(224, 10).u8(225, 90);
}

inline CissBytes made_volume(const MadeVolume& volume) {
  CissBytes out(512);
  out.u16(0, 512).u32(2, static_cast<std::uint32_t>(volume.blocks)).u8(22, volume.tolerance);
  return out.u64(94, volume.blocks).hex(102, volume.unique_id);
}

/// A SAS disk of 300 GB in bay 1I:1:(number + 1), configured.
inline CissBytes made_drive(unsigned number) {
  CissBytes out(2560);
  out.u16(2, 512).u32(4, 585937500).text(12, "HP      EG0300FCVBF", 40);
  out.text(52, "MADE000" + std::to_string(number), 40).text(92, "HPD9", 8).u8(103, 1).u8(104, 0x20);
  out.text(112, "1I").u8(114, 1).u8(115, number + 1).u32(116, 10000).u8(120, 2).u16(194, 2);
  return out.u8(1224, 0x0A).u8(1225, 0).u8(1792, 30).u8(1794, 41).u8(1862, 0x80);
}

/// The entry of REPORT PHYSICAL format 2 of a drive behind the controller.
inline CissBytes made_entry(unsigned number, unsigned type = 2) {
  CissBytes out(24);
  out.u8(3, 0xC0).u8(6, number).u8(7, 1).hex(8, "5000C50011220000").u8(15, number).u8(16, type);
  return out.u32(20, 0x10 + number);
}

/// A P420i with these volumes and four disks, and with an enclosure in the list that no question
/// may go to.
inline CissMachine made_p420i(const std::vector<MadeVolume>& volumes,
                              std::string_view pci = "0000:00:01.0") {
  CissMachine out;
  const auto hex = [&](std::size_t at, std::size_t size) {
    return static_cast<unsigned>(std::stoul(std::string(pci.substr(at, size)), nullptr, 16));
  };
  out.set(CissQuery::pci_info, 0,
          CissBytes(8)
              .u8(0, hex(5, 2))
              .u8(1, hex(8, 2) << 3 | hex(11, 1))
              .u16(2, hex(0, 4))
              .u32(4, 0x3354103C)
              .reply());
  out.set(CissQuery::identify_controller, 0, made_controller().reply());
  out.set(CissQuery::cache_configuration, 0, made_cache().reply());
  out.set(CissQuery::controller_parameters, 0,
          CissBytes(512).u8(14, 1).u8(15, 1).text(18, "software", 64).u8(123, 0x01).reply());
  out.set(CissQuery::subsystem_information, 0,
          CissBytes(512)
              .hex(36, "50014380AA000000")
              .text(44, "MADECTRL0000001", 32)
              .text(76, "MADECACHE00001", 32)
              .reply());
  std::vector<CissBytes> logical;
  for (unsigned n = 0; n < volumes.size(); ++n) {
    logical.push_back(CissBytes(8).u32(0, 0x40000000U | n));
    out.set(CissQuery::identify_logical_drive, n, made_volume(volumes[n]).reply());
    out.set(CissQuery::logical_drive_status, n, CissBytes(1024).reply());
  }
  out.set(CissQuery::report_logical, 0, lun_list(0, logical));
  std::vector<CissBytes> physical;
  for (unsigned n = 0; n < 4; ++n) {
    physical.push_back(made_entry(n));
    out.set(CissQuery::identify_physical_drive, n, made_drive(n).reply());
  }
  physical.push_back(made_entry(9, 6).u8(17, 1));
  out.set(CissQuery::report_physical, 0, lun_list(2, physical));
  return out;
}

}  // namespace raidscope::testing
