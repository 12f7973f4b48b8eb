#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "probe/base/result.h"

namespace raidscope {

/// What help texts say about sizes, so that it is said once.
inline constexpr std::string_view size_help =
    "k, M, G, T (also KiB, MiB, GiB, TiB) are powers of 1024; kB, MB, GB, TB are powers of 1000; "
    "a bare number is bytes";

/// "4096", "64k", "100G", "1MiB", "1.5G", "10GB" to bytes. Units in any case. Errc::usage with what
/// was expected when it is not a size, negative, not a whole number of bytes, or above 2^63.
Result<std::uint64_t> parse_size(std::string_view text);

/// The shortest exact form that parse_size reads back: "64k", "100G", "4097".
std::string print_size(std::uint64_t bytes);

/// The same for a sentence: "64K", "6 bytes".
std::string size_with_unit(std::uint64_t bytes);

/// "90", "90s", "9m", "2h", "1d", "1.5m", "500ms", "1h30m" to seconds. Errc::usage otherwise.
Result<double> parse_duration(std::string_view text);

/// The shortest exact form that parse_duration reads back: "9m", "90s", "2h", "0.5s".
std::string print_duration(double seconds);

}  // namespace raidscope
