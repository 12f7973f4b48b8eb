#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/inventory.h"

/// What a measured configuration costs, and what a result costs with it. Pure.
namespace raidscope {

/// Of one piece, in any currency, the same for all.
struct NamedPrice {
  std::string model;  ///< part of the model's name, letters without case; empty: of every model
  double price = 0;
};

struct Prices {
  std::vector<NamedPrice> drive, module, controller;
  /// Without a drive's price nothing can be said.
  [[nodiscard]] bool given() const { return !drive.empty(); }
};

/// The price of one piece: by the longest name that is part of `model`, else that of every model.
/// `model` null: unknown, so a named price does not apply. Null: none was given.
std::optional<double> price_of_piece(const std::vector<NamedPrice>& prices,
                                     const std::optional<std::string>& model);

/// Of the data drives of a logical drive's array, the controller, and the module where the
/// controller's cache is used.
struct ConfigurationPrice {
  std::optional<double> total;  ///< null: a drive's price or the number of drives is unknown
  /// "8 drives, controller, cache module"; what was not priced, or why there is no price.
  std::string what;
  std::optional<double> usable_gb;  ///< of the logical drive, decimal; null: unknown
};
ConfigurationPrice price_of(const Prices& prices, const DriveRef& at, bool uses_cache);

/// Null where a part of it is unknown or 0.
struct PricePerformance {
  std::optional<double> price, iops_per_unit, per_kiops, per_gb;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("price", s.price);
    f("iops_per_unit", s.iops_per_unit);
    f("per_kiops", s.per_kiops);
    f("per_gb", s.per_gb);
  }
};
PricePerformance price_performance(const ConfigurationPrice& price, std::optional<double> iops);

/// "13.1", "0.084", "1,470": prices and shares of prices, three digits at least.
std::string price_words(const std::optional<double>& price);

}  // namespace raidscope
