#pragma once

#include <cstdint>
#include <string_view>

namespace raidscope::lab {

/// FNV-1a of 64 bits: what is made up differs between cards and never between runs.
constexpr std::uint64_t hash_of(std::string_view words) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : words) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

}  // namespace raidscope::lab
