#include "probe/base/encoding.h"

#include <algorithm>
#include <cstdint>

#include "probe/base/text.h"

namespace raidscope::text {
namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

std::string from_utf16(std::string_view bytes, bool big_endian) {
  constexpr std::uint32_t replacement = 0xFFFD;
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<std::uint32_t>(big_endian ? first << 8U | second : second << 8U | first);
  };
  std::string out;
  out.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    std::uint32_t code = unit(i);
    if (code >= 0xD800 && code < 0xDC00 && i + 3 < bytes.size()) {
      const std::uint32_t low = unit(i + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
        i += 2;
      }
    }
    append_utf8(out, code >= 0xD800 && code < 0xE000 ? replacement : code);
  }
  return out;
}

}  // namespace

std::string decode(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE")) return from_utf16(bytes.substr(2), false);
  if (bytes.starts_with("\xFE\xFF")) return from_utf16(bytes.substr(2), true);
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  // Without a mark: ASCII in UTF-16 has a zero in every second byte.
  if (bytes.size() >= 4 && (bytes[0] == '\0') != (bytes[1] == '\0')) {
    const std::size_t probe = std::min<std::size_t>(bytes.size() & ~std::size_t{1}, 64);
    const std::size_t zero = bytes[0] == '\0' ? 0 : 1;
    bool all = true;
    for (std::size_t i = 0; i < probe; i += 2) {
      all = all && bytes[i + zero] == '\0' && bytes[i + 1 - zero] != '\0';
    }
    if (all) return from_utf16(bytes, zero == 0);
  }
  return to_utf8(bytes);
}

}  // namespace raidscope::text
