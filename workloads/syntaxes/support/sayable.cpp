#include "workloads/syntaxes/support/sayable.h"

#include <algorithm>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "workloads/quantities.h"
#include "workloads/workload_check.h"

namespace raidscope {

void add_unsayable(const Workload& w, const Sayable& can, Losses& losses) {
  losses.add_if(!can.mix && !w.mix.empty(), "a mix of request kinds");
  losses.add_if(!can.mix && w.mix.empty() && w.block_bytes.size() != 1, "several block sizes");
  losses.add_if(!can.read_write && w.read_percent != 0 && w.read_percent != 100,
                "reads and writes together");
  losses.add_if(!can.random_share && w.random_percent >= 0, "partly random requests");
  losses.add_if(!can.alignment && w.alignment_bytes != 0 && w.mix.empty() &&
                    w.alignment_bytes != w.block_bytes.front(),
                fmt::format("an alignment of {}", size_with_unit(w.alignment_bytes)));
  losses.add_if(!can.ramp && w.ramp_s != 0,
                fmt::format("a ramp-up of {}", print_duration(w.ramp_s)));
  losses.add_if(!can.cooldown && w.cooldown_s != 0, "a cool-down");
  losses.add_if(!can.seed && w.seed != 1, fmt::format("the seed {}", w.seed));
  losses.add_if(!can.area && w.area_bytes != 0,
                fmt::format("an area of {}", size_with_unit(w.area_bytes)));
  losses.add_if(!can.base && w.base_bytes != 0, "where the area begins");
  losses.add_if(!can.instances && w.instances != 1, "several instances");
  losses.add_if(!can.open_rate && w.arrivals != Arrivals::closed, "a rate");
  losses.add_if(can.open_rate && !can.poisson && w.arrivals == Arrivals::poisson,
                "random arrivals");
  losses.add_if(!can.think && (w.think_us != 0 || w.burst != 1), "think time");
  losses.add_if(!can.fsync && w.fsync_every != 0, "fsync");
  losses.add_if(!can.trim && w.trim_percent != 0, "trim");
  losses.add_if(!can.data && (w.compressible_percent != 0 || w.duplicate_percent != 0),
                "compressible or duplicate data");
  losses.add_if(!can.verify && w.verify, "verification");
  losses.add_if(!can.poll && w.poll, "polled completions");
  losses.add_if(!can.hot_spots && w.spread == Spread::hot_spots, "hot spots");
  losses.add_if(!can.skewed && (w.spread == Spread::zipf || w.spread == Spread::pareto),
                fmt::format("a {} spread", to_name(w.spread)));
  losses.add_if(!can.once && w.spread == Spread::once, "random requests without repeats");
}

Status possible(const Workload& workload, std::string where) {
  Workload w = workload;
  w.direct = false;
  if (w.duration_s == 0) w.duration_s = 1;
  Status sound = check_workload(w);
  if (!sound && sound.error().code == Errc::usage) {
    Error error = std::move(sound).error();
    error.code = Errc::malformed;
    error.where = std::move(where);
    return tl::unexpected<Error>(std::move(error));
  }
  return Done{};
}

std::optional<std::uint64_t> to_count(std::string_view text, std::uint64_t most) {
  const auto value = text::to_integer(text);
  if (!value || static_cast<std::uint64_t>(*value) > most) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

std::uint32_t index_in(std::vector<std::string>& list, const std::string& text) {
  const auto found = std::find(list.begin(), list.end(), text);
  const auto index = static_cast<std::uint32_t>(found - list.begin());
  if (found == list.end()) list.push_back(text);
  return index;
}

std::optional<std::string> windows_word(std::string_view text) {
  if (text.empty() || text.front() == '-' || text.front() == '@') return std::nullopt;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '%' || c == '$')
      return std::nullopt;
  }
  const bool plain = text.find_first_of(" &;|<>^'()`#") == std::string_view::npos;
  return plain ? std::string(text) : "\"" + std::string(text) + "\"";
}

}  // namespace raidscope
