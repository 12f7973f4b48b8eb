#include "cli/analysis_options.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "cli/inputs.h"
#include "reports/analysis/comparison.h"

namespace raidscope::cli {

Result<std::vector<std::string>> keys_option(const Arguments& arguments, std::string_view name) {
  RAIDSCOPE_TRY(std::vector<std::string> words, list_option(arguments, name));
  for (std::string& word : words) {
    RAIDSCOPE_TRY(word, setting_key(word));
  }
  return words;
}

Result<std::optional<double>> number_option(const Arguments& arguments, std::string_view name,
                                            double least, double most) {
  const auto given = arguments.get(name);
  if (!given) return std::optional<double>{};
  double value = 0;
  const auto [end, problem] = std::from_chars(given->data(), given->data() + given->size(), value);
  if (problem != std::errc{} || end != given->data() + given->size() || !std::isfinite(value) ||
      value < least || value > most) {
    return fail(Errc::usage, fmt::format("--{} takes a number from {:g} to {:g}, not \"{}\"", name,
                                         least, most, *given));
  }
  return std::optional(value);
}

Result<double> margin_option(const Arguments& arguments) {
  RAIDSCOPE_TRY(const auto percent, number_option(arguments, "margin", 0, 100));
  return percent.value_or(5) / 100;
}

Result<IntervalMethod> method_option(const Arguments& arguments) {
  const std::string word = arguments.get_or("method", "student-t");
  const auto method = from_name<IntervalMethod>(word);
  if (!method) {
    return fail(Errc::usage,
                fmt::format("--method takes student-t or signed-rank, not \"{}\"", word));
  }
  return *method;
}

std::string table_format(const Arguments& arguments) {
  const std::string output = arguments.get_or("output", "");
  const char* by_ending = output.ends_with(".json")  ? "json"
                          : output.ends_with(".csv") ? "csv"
                          : output.ends_with(".md")  ? "markdown"
                                                     : "text";
  return arguments.get_or("format", by_ending);
}

}  // namespace raidscope::cli
