#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace raidscope {

/// Changes whenever the bytes that fill_content makes change; part of a test file's mark.
inline constexpr int kContentVersion = 1;

/// Writes the content of `offset` (bytes from the start of the target, any alignment) and on into
/// `out`. A pure function of seed and offset: filling in any order and in any pieces gives the same
/// bytes, so a file can be verified or continued without storing anything.
///
/// The little-endian 64-bit word w is the SplitMix64 finaliser of key(seed) + w × an odd constant
/// (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014). Both steps
/// are bijections of 64-bit words, hence no two words of one seed are equal below 2^67 bytes: no
/// block repeats another, at any block size and alignment of 8, and nothing compresses.
void fill_content(std::span<std::byte> out, std::uint64_t seed, std::uint64_t offset) noexcept;

}  // namespace raidscope
