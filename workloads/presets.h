#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "workloads/workload.h"

namespace raidscope {

/// Options of a preset that change what it makes.
struct PresetOptions {
  bool reading_total = false;  ///< iometer-database: 64 outstanding in all instead of per worker
};

struct Preset {
  std::string_view name;
  std::string_view summary;
  std::string_view study;  ///< where the workload was published
  /// The points in order, without targets. Durations, areas and depths are the study's own.
  std::vector<Workload> (*make)(const PresetOptions& options) = nullptr;
  int repeats = 1;  ///< the study's own number of repeats
};

std::span<const Preset> presets() noexcept;
const Preset* find_preset(std::string_view name) noexcept;

}  // namespace raidscope
