#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>

#include "probe/base/ciss.h"
#include "probe/base/ciss_replies.h"

namespace {

using namespace raidscope;

void hold(bool condition) {
  if (!condition) std::abort();
}
void is_text(const std::optional<std::string>& text) {
  hold(!text || (!text->empty() && std::all_of(text->begin(), text->end(),
                                               [](char c) { return c >= 0x20 && c <= 0x7E; })));
}
void is_list(const std::optional<ciss::LunList>& list, std::size_t size, std::size_t entry) {
  if (!list) return;
  hold(list->devices.size() * entry + 8 <= size);
  for (const auto& device : list->devices) {
    is_text(device.wwid);
    hold(!device.lun.volume() || *device.lun.volume() <= 0x3FFFFFFF);
    hold(!device.lun.drive_number() || *device.lun.drive_number() <= 0x3EFF);
  }
}

}  // namespace

/// The first byte picks the decoder, the rest is the reply: no crash, and nothing but what it
/// holds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const auto data = std::as_bytes(std::span(bytes + 1, size - 1));
  switch (bytes[0] % 11) {
    case 0:
      if (const auto told = ciss::decode_pci_info(data)) hold(told->address.size() == 12);
      break;
    case 1:
      if (const auto told = ciss::decode_controller_identity(data)) {
        for (const auto& text : {told->firmware, told->rom_firmware, told->long_firmware,
                                 told->vendor, told->product}) {
          is_text(text);
        }
      }
      break;
    case 2:
      if (const auto told = ciss::decode_logical_drive_identity(data)) {
        is_text(told->label);
        is_text(told->unique_id);
        hold(told->block_bytes != 0 && told->blocks != 0U);
      }
      break;
    case 3:
      hold(ciss::decode_logical_drive_state(data).has_value() != data.empty());
      break;
    case 4:
      if (const auto told = ciss::decode_physical_drive_identity(data)) {
        for (const auto& text :
             {told->model, told->serial, told->firmware, told->bay, told->wwid}) {
          is_text(text);
        }
        hold(told->link_rates.size() <= 8);
        ciss::failure_reason_name(told->last_failure_reason.value_or(0));
      }
      break;
    case 5:
      static_cast<void>(ciss::decode_controller_parameters(data));
      break;
    case 6:
      if (const auto told = ciss::decode_subsystem_information(data)) {
        for (const auto& text :
             {told->chassis_serial, told->wwid, told->serial, told->cache_serial}) {
          is_text(text);
        }
      }
      break;
    case 7:
      if (const auto told = ciss::decode_cache_configuration(data)) {
        ciss::disable_reason(told->disable_code.value_or(0));
        const auto trouble = ciss::cache_trouble(told->status.value_or(0));
        if (!trouble.empty()) is_text(trouble);
      }
      break;
    case 8:
      is_list(ciss::decode_lun_list(data), data.size(), 8);
      break;
    case 9:
      is_list(ciss::decode_physical_list(data), data.size(), 24);
      break;
    default:
      if (const auto map = ciss::decode_raid_map(data)) {
        hold(!map->handles.empty() && map->handles.size() <= 256 && map->layouts > 0);
      }
  }
  return 0;
}
