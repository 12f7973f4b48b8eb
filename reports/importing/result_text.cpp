#include "reports/importing/result_text.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "probe/base/text.h"

namespace raidscope::importing {
std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> out;
  std::size_t number = 1;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    out.push_back({number++, line, end != std::string_view::npos});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

std::string_view strip(std::string_view text) {
  return text::trim(text);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::string_view word = text::take_word(text); !word.empty(); word = text::take_word(text))
    out.push_back(word);
  return out;
}

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && text::iequals(text.substr(0, word.size()), word);
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<std::uint64_t> count_of(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || problem != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<std::uint64_t> whole_of(double value, std::uint64_t most) {
  if (!(value >= 0) || value > static_cast<double>(most)) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

tl::unexpected<Error> malformed(std::string_view name, std::size_t line, std::string message,
                                std::string hint) {
  return fail(Errc::malformed, std::move(message), fmt::format("{}:{}", name, line),
              std::move(hint));
}

}  // namespace raidscope::importing
