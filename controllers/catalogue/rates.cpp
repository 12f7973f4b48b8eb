#include "controllers/catalogue/rates.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "probe/base/text.h"

namespace raidscope {
namespace {

constexpr std::string_view ssd_paper =
    "HP paper on endurance and performance of solid-state drives, P410 class: 50,000 to 60,000";
constexpr std::string_view factors_paper = "HP Smart Array performance factors paper, Dec 2012";
constexpr std::string_view factors_ports =
    "HP Smart Array performance factors paper, Dec 2012, page 6";

constexpr auto rates = std::to_array<ModelRates>({
    {"P212", 60'000, ssd_paper},
    {"P410", 60'000, ssd_paper},
    {"P410i", 60'000, ssd_paper},
    {"P411", 60'000, ssd_paper},
    {"P812", 60'000, factors_paper},
    {"P220i", 0, {}, 4, 6, factors_ports},
    {"P222", 200'000, factors_paper, 8, 6, factors_ports},
    {"P420", 200'000, factors_paper, 8, 6, factors_ports},
    {"P420i", 200'000, factors_paper, 8, 6, factors_ports},
    {"P421", 200'000, factors_paper, 8, 6, factors_ports},
    {"P822", 200'000, factors_paper, 24, 6, factors_ports},
    {"P816i-a", 0, {}, 16, 12, "vendor-tool output published with a monitoring tool"},
});

}  // namespace

const ModelRates* find_rates(std::string_view model) noexcept {
  const auto found = std::find_if(rates.begin(), rates.end(), [&](const ModelRates& row) {
    return text::iequals(row.model, model);
  });
  return found == rates.end() ? nullptr : &*found;
}

std::optional<double> drive_link_bytes_per_s(double gbps) noexcept {
  if (!(gbps > 0) || gbps > 12) return std::nullopt;
  return gbps * 1e9 / 10;
}

std::optional<HostLink> parse_host_link(std::string_view text) {
  const auto number_after = [&](std::string_view word) {
    int out = 0;
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos) return out;
    const std::string_view rest = text.substr(at + word.size());
    std::from_chars(rest.data(), rest.data() + rest.size(), out);
    return out;
  };
  const HostLink out{number_after("PCIe "), number_after(" x")};
  if (out.generation <= 0 || out.lanes <= 0) return std::nullopt;
  return out;
}

double host_link_mb_per_s(const HostLink& link) noexcept {
  constexpr double lane_mb[] = {0, 250, 500, 985, 1969, 3938};
  return lane_mb[std::clamp(link.generation, 0, 5)] * link.lanes;
}

}  // namespace raidscope
