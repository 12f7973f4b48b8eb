#include "workloads/offset_spread.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace raidscope {
namespace {

constexpr double two_64 = 18446744073709551616.0;

/// Uniform in (0, 1].
double unit(std::uint64_t random) noexcept {
  return (static_cast<double>(random >> 11U) + 1.0) * 0x1.0p-53;
}

std::uint64_t share_of_64(double share) noexcept {
  if (share >= 1) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(std::max(share, 0.0) * two_64);
}

}  // namespace

Permutation::Permutation(std::uint64_t count, std::uint64_t seed) noexcept
    : count_(std::max<std::uint64_t>(count, 1)) {
  const auto bits = static_cast<unsigned>(std::bit_width(count_ - 1));
  half_bits_ = std::max((bits + 1) / 2, 1U);
  SplitMix64 keys(mix64(seed));
  for (std::uint64_t& key : keys_) key = keys();
}

std::uint64_t Permutation::at(std::uint64_t index) const noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  do {
    std::uint64_t left = index >> half_bits_;
    std::uint64_t right = index & mask;
    for (const std::uint64_t key : keys_) {
      const std::uint64_t next = left ^ (mix64(right + key) & mask);
      left = right;
      right = next;
    }
    index = left << half_bits_ | right;
  } while (index >= count_);
  return index;
}

Zipf::Zipf(std::uint64_t count, double exponent) noexcept
    : count_(static_cast<double>(std::max<std::uint64_t>(count, 1))),
      exponent_(exponent),
      h_first_(0),
      h_last_(0),
      cut_(0) {
  h_first_ = h(1.5) - 1;
  h_last_ = h(count_ + 0.5);
  cut_ = 2 - h_inverse(h(2.5) - std::pow(2, -exponent_));
}

// The integral of x^-exponent, and its inverse; the logarithm is the limit at 1.
double Zipf::h(double x) const noexcept {
  const double e = 1 - exponent_;
  return std::abs(e) < 1e-9 ? std::log(x) : (std::pow(x, e) - 1) / e;
}
double Zipf::h_inverse(double y) const noexcept {
  const double e = 1 - exponent_;
  return std::abs(e) < 1e-9 ? std::exp(y) : std::pow(std::max(1 + y * e, 0.0), 1 / e);
}

std::uint64_t Zipf::draw(SplitMix64& random) const noexcept {
  for (;;) {
    const double u = h_last_ + unit(random()) * (h_first_ - h_last_);
    const double x = h_inverse(u);
    const double k = std::clamp(std::floor(x + 0.5), 1.0, count_);
    if (k - x <= cut_ || u >= h(k + 0.5) - std::pow(k, -exponent_)) {
      return static_cast<std::uint64_t>(k) - 1;
    }
  }
}

OffsetSpread::OffsetSpread(const Workload& workload, std::uint64_t positions, std::uint32_t target,
                           std::uint32_t rank, std::uint32_t sharers)
    : spread_(workload.spread),
      positions_(positions),
      order_(positions, workload.seed + (std::uint64_t{target} << 40U)),
      zipf_(positions, spread_ == Spread::zipf ? workload.skew : 1),
      seed_(workload.seed + (std::uint64_t{target} << 40U)),
      index_(rank),
      stride_(std::max(sharers, 1U)),
      first_(rank) {
  if (spread_ == Spread::pareto)
    pareto_power_ = std::log(workload.skew) / std::log(1 - workload.skew);
  if (spread_ == Spread::once && first_ >= positions_) first_ = index_ = first_ % positions_;
  if (spread_ != Spread::hot_spots) return;
  double accessed = 0;
  double covered = 0;
  std::uint64_t begin = 0;
  const auto add = [&](double access, double area) {
    accessed += access;
    covered += area;
    const auto end =
        covered >= 100 - 1e-9
            ? positions_
            : static_cast<std::uint64_t>(static_cast<double>(positions_) * covered / 100);
    Step step{share_of_64(accessed >= 100 - 1e-9 ? 1 : accessed / 100), begin, 0};
    // A step narrower than one position still has the one it begins at.
    step.begin = std::min(begin, positions_ - 1);
    step.count = std::max<std::uint64_t>(end > begin ? end - begin : 0, 1);
    begin = std::max(begin, end);
    steps_.push_back(step);
  };
  for (const HotSpot& spot : workload.hot_spots) add(spot.access_percent, spot.area_percent);
  if (accessed < 100 - 1e-9) add(100 - accessed, std::max(100 - covered, 0.0));
}

std::uint64_t OffsetSpread::draw_skewed(SplitMix64& random) noexcept {
  switch (spread_) {
    case Spread::zipf:
      return order_.at(zipf_.draw(random));
    case Spread::pareto: {
      // As fio's pareto_next(): a share 1-h of the requests falls on a share h of the positions.
      const double at = std::pow(unit(random()), pareto_power_) * static_cast<double>(positions_);
      return order_.at(std::min(static_cast<std::uint64_t>(at), positions_ - 1));
    }
    case Spread::hot_spots: {
      const std::uint64_t pick = random();
      const auto step = std::find_if(steps_.begin(), steps_.end() - 1,
                                     [pick](const Step& s) { return pick < s.access_end; });
      return step->begin + below(random(), step->count);
    }
    case Spread::once: {
      const std::uint64_t position = order_.at(index_);
      index_ += stride_;
      if (index_ >= positions_) {
        index_ = first_;
        seed_ = mix64(seed_ + 1);
        order_ = Permutation(positions_, seed_);
      }
      return position;
    }
    case Spread::uniform:
      break;
  }
  return below(random(), positions_);
}

AliasTable::AliasTable(std::span<const double> weights) : cells_(weights.size()) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  const auto n = static_cast<double>(weights.size());
  std::vector<double> scaled;
  std::vector<std::uint32_t> small;
  std::vector<std::uint32_t> large;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    scaled.push_back(weights[i] * n / sum);
    (scaled[i] < 1 ? small : large).push_back(i);
    cells_[i].other = i;
  }
  while (!small.empty() && !large.empty()) {
    const std::uint32_t less = small.back();
    const std::uint32_t more = large.back();
    small.pop_back();
    cells_[less] = {share_of_64(scaled[less]), more};
    scaled[more] -= 1 - scaled[less];
    if (scaled[more] < 1) {
      large.pop_back();
      small.push_back(more);
    }
  }
}

}  // namespace raidscope
