#include "controllers/inventory/utf8.h"

#include <algorithm>
#include <cstddef>

namespace raidscope {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

bool is_tail(unsigned byte) {
  return (byte & 0xC0U) == 0x80U;
}

/// Bytes of the well-formed sequence that begins at `i`, or 0 (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const unsigned a = byte_at(text, i), b = byte_at(text, i + 1);
  if (a < 0x80) return 1;
  if (a >= 0xC2 && a <= 0xDF) return is_tail(b) ? 2 : 0;
  const bool third = is_tail(byte_at(text, i + 2));
  if (a >= 0xE0 && a <= 0xEF) {
    const unsigned low = a == 0xE0 ? 0xA0 : 0x80, high = a == 0xED ? 0x9F : 0xBF;
    return b >= low && b <= high && third ? 3 : 0;
  }
  if (a >= 0xF0 && a <= 0xF4) {
    const unsigned low = a == 0xF0 ? 0x90 : 0x80, high = a == 0xF4 ? 0x8F : 0xBF;
    return b >= low && b <= high && third && is_tail(byte_at(text, i + 3)) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string clean_utf8(std::string_view text) {
  const bool ascii = std::all_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      ++i;
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  return out;
}

}  // namespace raidscope
