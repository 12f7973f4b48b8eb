#include "controllers/catalogue/catalogue.h"

#include <algorithm>
#include <array>
#include <utility>

namespace raidscope {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

const ControllerModel* find_model(std::string_view model) noexcept {
  for (const ControllerModel& row : controller_models()) {
    if (equal_ignoring_case(row.model, model)) return &row;
  }
  return nullptr;
}

const ControllerModel* find_pci(std::uint16_t vendor, std::uint16_t device, std::uint16_t subvendor,
                                std::uint16_t subdevice) noexcept {
  if (subvendor == 0 || subdevice == 0) return nullptr;
  for (const ControllerModel& row : controller_models()) {
    // Software RAID and a few boards are known by their subsystem alone.
    const bool chip = row.vendor == 0 || (row.vendor == vendor && row.device == device);
    if (chip && row.subvendor == subvendor && row.subdevice == subdevice) return &row;
  }
  return nullptr;
}

std::optional<std::uint64_t> cache_module_bytes(std::string_view model, std::string_view printed) {
  const ControllerModel* row = find_model(model);
  if (row == nullptr || row->cache_by_design == false) return std::nullopt;
  // Modules that were sold, as "%.1f" prints their GiB. "0.1" may be 64 or 128 MiB.
  constexpr std::uint64_t mib = 1024 * 1024;
  constexpr auto modules = std::to_array<std::pair<std::string_view, std::uint64_t>>({
      {"0.2", 256 * mib},
      {"0.5", 512 * mib},
      {"1.0", 1024 * mib},
      {"2.0", 2048 * mib},
      {"4.0", 4096 * mib},
      {"8.0", 8192 * mib},
  });
  for (const auto& [text, bytes] : modules) {
    if (text == printed) return bytes;
  }
  return std::nullopt;
}

}  // namespace raidscope
