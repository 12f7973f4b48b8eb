#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace raidscope {

/// One controller model: what is known of it whatever a machine says. Text fields are empty where no
/// source was found; `citation` says where the row comes from.
struct ControllerModel {
  std::string_view model;       ///< product word, "P420i"
  std::string_view generation;  ///< "G5" … "Gen10+", "older"
  std::optional<bool> embedded;
  std::uint16_t vendor = 0, device = 0, subvendor = 0, subdevice = 0;  ///< PCI; 0: unknown
  std::optional<bool> smart_path;  ///< the generation can do it
  std::optional<bool> cache_by_design;  ///< false: an HBA or software RAID that never has a cache module
  std::string_view drivers;        ///< "hpsa", "cciss; hpsa since 4.14"
  std::string_view host_link, drive_link, cache_options, raid_levels, ceiling, last_firmware;
  std::string_view citation;
};

std::span<const ControllerModel> controller_models() noexcept;
/// By product word, any case. nullptr when unknown.
const ControllerModel* find_model(std::string_view model) noexcept;
const ControllerModel* find_pci(std::uint16_t vendor, std::uint16_t device, std::uint16_t subvendor,
                                std::uint16_t subdevice) noexcept;

/// The exact size of the module that a tool prints as `printed` GiB with one decimal ("0.2" is
/// 256 MiB), or nullopt when no module of that model is known to print so.
std::optional<std::uint64_t> cache_module_bytes(std::string_view model, std::string_view printed);

}  // namespace raidscope
