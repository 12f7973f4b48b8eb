#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/random.h"
#include "workloads/workload.h"

namespace raidscope {

/// A random order of 0 … count-1 that needs no memory: a Feistel network over the next power of
/// four, walked until it falls below count (Black, Rogaway: "Ciphers with arbitrary finite
/// domains", 2002). Four steps at most on average. A bijection for every seed.
class Permutation {
 public:
  Permutation(std::uint64_t count, std::uint64_t seed) noexcept;
  [[nodiscard]] std::uint64_t at(std::uint64_t index) const noexcept;

 private:
  std::uint64_t count_;
  std::uint64_t keys_[6] = {};
  unsigned half_bits_ = 1;
};

/// Zipf's law over 0 … count-1 by rejection-inversion (Hörmann, Derflinger: "Rejection-inversion to
/// generate variates from monotone discrete distributions", ACM TOMACS 6, 1996): no tables, any
/// count, any exponent above 0, exact.
class Zipf {
 public:
  Zipf(std::uint64_t count, double exponent) noexcept;
  [[nodiscard]] std::uint64_t draw(SplitMix64& random) const noexcept;

 private:
  [[nodiscard]] double h(double x) const noexcept;
  [[nodiscard]] double h_inverse(double y) const noexcept;
  double count_, exponent_, h_first_, h_last_, cut_;
};

/// Which of `positions` offsets a random request takes. Popular positions of Zipf and Pareto lie
/// scattered over the area (as with fio), the steps of hot spots one behind another.
class OffsetSpread {
 public:
  /// `rank` of the `sharers` workers of this target: for Spread::once each takes its share of the
  /// order, so that all together visit each position once and then begin again.
  OffsetSpread(const Workload& workload, std::uint64_t positions, std::uint32_t target,
               std::uint32_t rank, std::uint32_t sharers);

  [[nodiscard]] std::uint64_t draw(SplitMix64& random) noexcept {
    if (spread_ == Spread::uniform) return below(random(), positions_);
    return draw_skewed(random);
  }

 private:
  struct Step {
    std::uint64_t access_end = 0;  ///< of the requests up to here, of 2^64
    std::uint64_t begin = 0, count = 0;
  };
  std::uint64_t draw_skewed(SplitMix64& random) noexcept;

  Spread spread_;
  std::uint64_t positions_;
  Permutation order_;
  Zipf zipf_;
  double pareto_power_ = 1;
  std::vector<Step> steps_;
  std::uint64_t seed_, index_, stride_, first_;
};

/// Draws a line of a mix in constant time (Walker's alias table, built as Vose 1991).
class AliasTable {
 public:
  explicit AliasTable(std::span<const double> weights);
  [[nodiscard]] std::uint32_t draw(SplitMix64& random) const noexcept {
    const auto i = static_cast<std::uint32_t>(below(random(), cells_.size()));
    return random() < cells_[i].threshold ? i : cells_[i].other;
  }

 private:
  struct Cell {
    std::uint64_t threshold = ~std::uint64_t{0};
    std::uint32_t other = 0;
  };
  std::vector<Cell> cells_;
};

}  // namespace raidscope
