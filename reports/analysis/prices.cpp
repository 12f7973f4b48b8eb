#include "reports/analysis/prices.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "reports/text/units.h"

namespace raidscope {
namespace {

bool has_part(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) ==
                  std::tolower(static_cast<unsigned char>(b));
         }) != text.end();
}

std::vector<std::optional<std::string>> models_of_data_drives(const DriveRef& at) {
  std::vector<std::optional<std::string>> out;
  if (at.array != nullptr) {
    for (const PhysicalDrive& drive : at.array->physical_drives) {
      if (drive.role != DriveRole::spare && drive.role != DriveRole::unassigned)
        out.push_back(drive.model);
    }
  }
  const auto told = at.drive->disk_count;
  // Where the members are not listed one by one their number is known all the same.
  if (told && static_cast<std::int64_t>(out.size()) != *told)
    out.assign(static_cast<std::size_t>(std::max<std::int64_t>(*told, 0)), std::nullopt);
  return out;
}

std::optional<double> quotient(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b || !(*b > 0) || !std::isfinite(*a / *b)) return std::nullopt;
  return *a / *b;
}

}  // namespace

std::optional<double> price_of_piece(const std::vector<NamedPrice>& prices,
                                     const std::optional<std::string>& model) {
  const NamedPrice* best = nullptr;
  for (const NamedPrice& one : prices) {
    if (!one.model.empty() && (!model || !has_part(*model, one.model))) continue;
    if (best == nullptr || one.model.size() >= best->model.size()) best = &one;
  }
  return best != nullptr ? std::optional(best->price) : std::nullopt;
}

ConfigurationPrice price_of(const Prices& prices, const DriveRef& at, bool uses_cache) {
  ConfigurationPrice out;
  if (at.drive == nullptr) {
    out.what = "the logical drive is unknown, and with it the number of drives";
    return out;
  }
  if (at.drive->size_bytes) out.usable_gb = static_cast<double>(*at.drive->size_bytes) / 1e9;
  const auto models = models_of_data_drives(at);
  if (models.empty()) {
    out.what = "the number of drives is unknown";
    return out;
  }
  double total = 0;
  for (const auto& model : models) {
    const auto price = price_of_piece(prices.drive, model);
    if (!price) {
      out.what = fmt::format("no price was given of the drive {}", text_or_unknown(model));
      return out;
    }
    total += *price;
  }
  out.what = fmt::format("{} {}", models.size(), models.size() == 1 ? "drive" : "drives");
  const std::optional<std::string> controller_model =
      at.controller != nullptr ? at.controller->model : std::nullopt;
  const auto add = [&](const std::vector<NamedPrice>& list, const char* piece) {
    const auto price = price_of_piece(list, controller_model);
    if (price) total += *price;
    out.what += fmt::format("{}{}", price ? ", " : "; no price of the ", piece);
  };
  add(prices.controller, "controller");
  if (uses_cache) add(prices.module, "cache module");
  out.total = total;
  return out;
}

PricePerformance price_performance(const ConfigurationPrice& price, std::optional<double> iops) {
  PricePerformance out;
  out.price = price.total;
  out.iops_per_unit = quotient(iops, price.total);
  if (price.total && iops) out.per_kiops = quotient(price.total, *iops / 1000);
  out.per_gb = quotient(price.total, price.usable_gb);
  return out;
}

std::string price_words(const std::optional<double>& price) {
  if (!price) return unknown_word;
  const double size = std::abs(*price);
  if (size >= 100) return grouped(*price);
  if (size >= 1 || size == 0) return fmt::format("{:.2f}", *price);
  return fmt::format("{:.3g}", *price);
}

}  // namespace raidscope
