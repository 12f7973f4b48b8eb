#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// Numbers with their units, for people. Documents and CSV carry the plain numbers.
namespace raidscope {

inline constexpr const char* unknown_word = "unknown";

/// "2 GiB", "1.1 TiB", "512 B": binary units, three digits at most where they are enough.
std::string binary_bytes(double bytes);
/// "960 GB", "1.92 TB": decimal units, as drives are sold.
std::string decimal_bytes(double bytes);
/// "93.8 MiB/s".
std::string byte_rate(double bytes_per_s);
/// "12,345": whole above 100, else up to two decimals.
std::string grouped(double value);
std::string grouped_count(std::uint64_t value);
/// Microseconds as "85 µs", "1.25 ms" or "2.1 s"; unknown_word for nothing.
std::string latency(std::optional<double> microseconds);
/// "90 s", "9 min", "1 h 30 min".
std::string duration(double seconds);
std::string duration_or_unknown(const std::optional<double>& seconds);
/// "4.2 %"; unknown_word for nothing.
std::string percent(std::optional<double> value);

std::string binary_bytes(std::optional<std::int64_t> bytes);
std::string decimal_bytes(std::optional<std::int64_t> bytes);
std::string text_or_unknown(const std::optional<std::string>& text);

}  // namespace raidscope
