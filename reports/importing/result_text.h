#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/result.h"

/// What every import format needs to read text. Pure.
namespace raidscope::importing {

/// What whole_of() takes at most: a double still tells it from infinity, and it fits either sign.
inline constexpr std::uint64_t largest_whole = 9'000'000'000'000'000'000U;

struct Line {
  std::size_t number = 0;  ///< from 1
  std::string_view text;   ///< without its end
  bool whole = true;       ///< false: the file ends inside it
};
/// LF, CR LF and CR CR LF (a redirected redirection).
std::vector<Line> lines_of(std::string_view text);

std::string_view strip(std::string_view text);  ///< blanks and tabs off both ends
std::vector<std::string_view> words_of(std::string_view text);
bool starts_with_word(std::string_view text, std::string_view word);  ///< in any case

/// "12", "12.5", "-1", "1e3", the whole of the text; nullopt for anything else, and for what is not
/// finite.
std::optional<double> number_of(std::string_view text);
/// A whole number without sign.
std::optional<std::uint64_t> count_of(std::string_view text);
/// The whole part of a number that a file says; nullopt below 0, above `most`, and for what is not
/// finite: no file of another tool may overflow a field.
std::optional<std::uint64_t> whole_of(double value, std::uint64_t most = largest_whole);

/// Errc::malformed at "NAME:LINE" with "expected …".
tl::unexpected<Error> malformed(std::string_view name, std::size_t line, std::string message,
                                std::string hint = {});

}  // namespace raidscope::importing
