#include "controllers/rules/strip_share.h"

#include <algorithm>
#include <numeric>

namespace raidscope {
namespace {

/// Offsets repeat inside a strip; beyond this many the share is that of the first ones.
constexpr std::uint64_t most_positions = 1U << 20U;

}  // namespace

double share_within_strip(std::uint64_t block, std::uint64_t step, std::uint64_t start,
                          std::uint64_t strip) noexcept {
  if (block == 0 || block > strip) return 0;
  if (step == 0) step = block;
  const std::uint64_t positions = std::min(strip / std::gcd(step, strip), most_positions);
  std::uint64_t inside = 0;
  for (std::uint64_t i = 0; i < positions; ++i) {
    if ((start + i * step) % strip + block <= strip) ++inside;
  }
  return static_cast<double>(inside) / static_cast<double>(positions);
}

}  // namespace raidscope
