#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a printed value means. Every function takes the value with its outer blanks off, is total
/// and gives nullopt where the words are not the tool's.
namespace raidscope::vendor {

enum class Units { binary, decimal };

/// "2.0 GB", "93.1  GB", "1040 KiB", "0.2" (bare: GiB). "--- GB" is nullopt. Units with an i are
/// binary whatever `units` says.
std::optional<std::int64_t> size_bytes(std::string_view value, Units units);

/// "Recovering, 55.73% complete" is {"Recovering", 55.73}.
struct StatusWords {
  std::string_view words;
  std::optional<double> progress_pct;
};
StatusWords status_words(std::string_view value);

/// "RAID 1+0" → "1+0", "RAID 6 (ADG)" → "6", "1+0adm" → "10adm"; empty when unknown.
std::string_view raid_word(std::string_view value);

/// "Solid State SATA" → {"SATA", "ssd"}, "SAS HDD" → {"SAS", "hdd"}, "SAS" → {"SAS", ""}.
struct InterfaceWords {
  std::string_view interface;
  std::string_view media;
};
InterfaceWords interface_words(std::string_view value);

/// "25% Read / 75% Write".
struct RatioParts {
  std::int64_t read = 0, write = 0;
};
std::optional<RatioParts> cache_ratio(std::string_view value);

/// Paths of a "Mount Points" value in all its forms; empty for "None".
std::vector<std::string> mount_points(std::string_view value);
/// True when the value holds nothing but paths or None, so that the paths tell all of it.
bool mount_points_are_bare(std::string_view value);

/// "HP      EG0900FCSPN" → {"HP", "EG0900FCSPN"}. The vendor is what SCSI INQUIRY calls so: the
/// first 8 columns.
struct DriveModel {
  std::string_view vendor, model;
};
DriveModel drive_model(std::string_view value);

/// "6.0Gbps, Unknown" → {6, 0}; empty when a part is neither a rate nor Unknown.
std::vector<double> phy_rates(std::string_view value);

/// What of "HPE Smart Array P816i-a SR Gen10" is the product word and the vendor.
struct ControllerWords {
  std::string_view model, vendor;
};
ControllerWords controller_words(std::string_view name);

}  // namespace raidscope::vendor
