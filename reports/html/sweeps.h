#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/html/model.h"

namespace raidscope::html {

/// Points that differ in nothing but how many requests were outstanding.
struct Sweep {
  std::string base;                  ///< "8 KiB random read"
  std::vector<std::size_t> points;   ///< indices into Model::points, by rising depth
  std::vector<std::uint64_t> depth;  ///< outstanding_total of each
};

/// Those with at least three depths: fewer are no curve.
std::vector<Sweep> sweeps(const Model& model);

}  // namespace raidscope::html
