#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace raidscope {

/// Changes whenever the bytes that fill_content makes change; part of a test file's mark.
inline constexpr int kContentVersion = 2;

/// Writes the content of `offset` (bytes from the start of the target, any alignment) and on into
/// `out`. A pure function of seed and offset: filling in any order and in any pieces gives the same
/// bytes, so a file can be verified or continued without storing anything.
///
/// The 16 bytes at 16·i are three AES rounds (FIPS 197) of a counter, i times an odd constant
/// beside a constant, with round keys made of the seed: the cheapest mixing there is where
/// processors have the instructions, and each step a bijection, hence no two aligned 16 bytes of
/// one seed are equal: no sector repeats another, and nothing compresses.
void fill_content(std::span<std::byte> out, std::uint64_t seed, std::uint64_t offset) noexcept;

/// Whether `bytes` are the content of `offset` and on: nothing when they are, else the index of the
/// first that is not.
std::optional<std::size_t> first_difference(std::span<const std::byte> bytes, std::uint64_t seed,
                                            std::uint64_t offset) noexcept;

/// One way to make the same bytes.
struct ContentMaker {
  std::string_view id;  ///< "avx512", "avx2", "aes", "portable"
  bool (*available)() = nullptr;
  /// Whole 16-byte blocks, from block `first` on; `streaming` goes past the caches (where it can).
  void (*blocks)(std::byte* out, std::size_t count, std::uint64_t seed, std::uint64_t first,
                 bool streaming) = nullptr;
};

/// All that this build has, best first; the last is always available. For tests and benchmarks.
std::span<const ContentMaker> content_makers() noexcept;

}  // namespace raidscope
