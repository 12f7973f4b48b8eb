#include "cli/price_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "cli/inputs.h"

namespace raidscope::cli {
namespace {

constexpr double most = 1e12;

Result<std::vector<NamedPrice>> named_prices(const Arguments& arguments, std::string_view name) {
  RAIDSCOPE_TRY(const std::vector<std::string> words, list_option(arguments, name));
  std::vector<NamedPrice> out;
  for (const std::string& word : words) {
    const std::size_t sign = word.rfind('=');
    const bool named = sign != std::string::npos;
    NamedPrice one{named ? word.substr(0, sign) : std::string(), 0};
    const char* const begin = word.data() + (named ? sign + 1 : 0);
    const char* const end = word.data() + word.size();
    const auto [stop, problem] = std::from_chars(begin, end, one.price);
    if ((named && sign == 0) || problem != std::errc{} || stop != end ||
        !std::isfinite(one.price) || one.price < 0 || one.price > most) {
      return fail(Errc::usage,
                  fmt::format("--{} takes PRICE or MODEL=PRICE, a number from 0 to {:g} without "
                              "its currency, not \"{}\"",
                              name, most, word));
    }
    const bool again = std::any_of(out.begin(), out.end(), [&one](const NamedPrice& other) {
      return other.model == one.model;
    });
    if (again)
      return fail(
          Errc::usage,
          fmt::format("--{} gives two prices for {}; a comma separates prices and is no part "
                      "of one: 1000, not 1,000",
                      name, one.model.empty() ? "every model" : one.model));
    if (one.price == 0 && name == "price-drive")
      return fail(Errc::usage,
                  fmt::format("--price-drive takes a price above 0, not \"{}\"", word));
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

Result<Prices> prices_asked_for(const Arguments& arguments) {
  Prices out;
  RAIDSCOPE_TRY(out.drive, named_prices(arguments, "price-drive"));
  RAIDSCOPE_TRY(out.module, named_prices(arguments, "price-module"));
  RAIDSCOPE_TRY(out.controller, named_prices(arguments, "price-controller"));
  if (out.drive.empty() && !(out.module.empty() && out.controller.empty()))
    return fail(Errc::usage, "--price-module and --price-controller go with --price-drive");
  return out;
}

}  // namespace raidscope::cli
