#pragma once

#include <optional>
#include <string_view>

/// What hardware can do at most, each figure with where it was published. Nothing here was
/// measured; what no source tells is not in the tables.
namespace raidscope {

struct ModelRates {
  std::string_view model;          ///< product word, "P420i"
  double random_4k_iops = 0;       ///< through the controller's own RAID stack; 0: no source
  std::string_view iops_source{};  ///< where that figure stands
  int drive_lanes = 0;             ///< SAS lanes to the drives; 0: no source
  double lane_gbps = 0;
  std::string_view lanes_source{};
};

/// By product word, any case. nullptr when no source tells a rate of the model.
const ModelRates* find_rates(std::string_view model) noexcept;

/// Random 4 KiB requests a second of the fastest hard disk that the source knows.
struct CitedRate {
  double value = 0;
  std::string_view source{};
};
inline constexpr CitedRate fastest_hard_disk_iops{
    470, "HP Smart Array performance factors paper, Dec 2012, page 7"};

/// Bytes a second of a SAS or SATA link, less its 8b/10b coding: 300 MB/s at 3 Gb/s. Nothing for
/// rates above 12 Gb/s, which are coded otherwise, and for what is no rate.
std::optional<double> drive_link_bytes_per_s(double gbps) noexcept;

/// "PCIe 3.0 x8 (7880 MB/s)" as vendor tools and the catalogue write it.
struct HostLink {
  int generation = 0;
  int lanes = 0;
};
/// Nothing where the text does not tell both.
std::optional<HostLink> parse_host_link(std::string_view text);
/// Of all lanes in one direction, less the coding.
double host_link_mb_per_s(const HostLink& link) noexcept;

}  // namespace raidscope
