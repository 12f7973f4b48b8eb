#include "workloads/content.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "workloads/random.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace raidscope {
namespace {

constexpr std::uint64_t gamma = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio, odd
constexpr std::size_t block_bytes = 16;
// Larger pieces would only push others out of the caches, and reading each line before it is
// overwritten halves the speed.
constexpr std::size_t streaming_from = 4U << 20U;

/// What a seed makes of the counter and the rounds.
struct Keys {
  std::uint64_t begin, beside;
  std::array<std::array<std::uint64_t, 2>, 3> round;

  /// Seeds that are close together must not give streams that are shifts of each other.
  explicit constexpr Keys(std::uint64_t seed) noexcept : begin(0), beside(0), round{} {
    std::uint64_t state = mix64(mix64(seed + gamma) ^ 0x726169647363706fU);
    const auto next = [&state] { return mix64(state += gamma); };
    begin = next();
    beside = next();
    for (auto& key : round) key = {next(), next()};
  }
};

constexpr std::uint8_t times_x(std::uint8_t v) noexcept {
  const unsigned wide = v;
  return static_cast<std::uint8_t>((wide << 1U) ^ ((wide & 0x80U) != 0 ? 0x1bU : 0U));
}

/// SubBytes and MixColumns of one byte (FIPS 197, 5.1), as its column: 2·S, S, S, 3·S.
constexpr std::array<std::uint32_t, 256> make_table() noexcept {
  std::array<std::uint32_t, 256> out{};
  std::uint8_t p = 1;  // 3^n, and its inverse
  std::uint8_t q = 1;
  const auto rotated = [](std::uint8_t v, unsigned n) {
    return static_cast<std::uint8_t>((v << n) | (v >> (8U - n)));
  };
  const auto put = [&out](std::uint8_t index, std::uint8_t s) {
    const std::uint8_t twice = times_x(s);
    const auto thrice = static_cast<std::uint8_t>(twice ^ s);
    out[index] = std::uint32_t{twice} | std::uint32_t{s} << 8U | std::uint32_t{s} << 16U |
                 std::uint32_t{thrice} << 24U;
  };
  do {
    p = static_cast<std::uint8_t>(p ^ times_x(p));
    q = static_cast<std::uint8_t>(q ^ (q << 1U));
    q = static_cast<std::uint8_t>(q ^ (q << 2U));
    q = static_cast<std::uint8_t>(q ^ (q << 4U));
    if ((q & 0x80U) != 0) q ^= 0x09U;
    put(p, static_cast<std::uint8_t>(q ^ rotated(q, 1) ^ rotated(q, 2) ^ rotated(q, 3) ^
                                     rotated(q, 4) ^ 0x63U));
  } while (p != 1);
  put(0, 0x63);
  return out;
}
constexpr auto table = make_table();
static_assert((table[0x53] & 0xff00U) == 0xed00U);  // S(53) = ed, FIPS 197 5.1.1

using Block = std::array<std::byte, block_bytes>;

Block portable_block(const Keys& keys, std::uint64_t index) noexcept {
  const std::uint64_t low = keys.begin + index * gamma;
  const auto half = [](std::uint64_t v, unsigned n) {
    return static_cast<std::uint32_t>(v >> (32U * n));
  };
  std::array<std::uint32_t, 4> s{half(low, 0), half(low, 1), half(keys.beside, 0),
                                 half(keys.beside, 1)};
  for (const auto& key : keys.round) {
    std::array<std::uint32_t, 4> next{};
    for (unsigned c = 0; c < 4; ++c) {
      next[c] = table[s[c] & 0xffU] ^ std::rotl(table[s[(c + 1) & 3U] >> 8U & 0xffU], 8) ^
                std::rotl(table[s[(c + 2) & 3U] >> 16U & 0xffU], 16) ^
                std::rotl(table[s[(c + 3) & 3U] >> 24U], 24) ^ half(key[c / 2], c % 2);
    }
    s = next;
  }
  if constexpr (std::endian::native == std::endian::big) {
    for (std::uint32_t& word : s) word = __builtin_bswap32(word);
  }
  return std::bit_cast<Block>(s);
}

void portable_blocks(std::byte* out, std::size_t count, std::uint64_t seed, std::uint64_t first,
                     bool /*streaming*/) noexcept {
  const Keys keys(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const Block block = portable_block(keys, first + i);
    std::memcpy(out + i * block_bytes, block.data(), block_bytes);
  }
}

#if defined(__x86_64__)

// The lanes must be registers, and GCC does not unroll at -O2 without being told.
#if defined(__clang__)
#define RAIDSCOPE_UNROLL _Pragma("unroll")
#else
#define RAIDSCOPE_UNROLL _Pragma("GCC unroll 8")
#endif

bool has_vector_aes() noexcept {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c & (1U << 9U)) != 0;
}
bool has_avx512() noexcept {
  return __builtin_cpu_supports("avx512f") != 0 && has_vector_aes();
}
bool has_avx2() noexcept {
  return __builtin_cpu_supports("avx2") != 0 && has_vector_aes();
}
bool has_aes() noexcept {
  return __builtin_cpu_supports("aes") != 0 && __builtin_cpu_supports("sse2") != 0;
}

long long as_signed(std::uint64_t v) noexcept {
  return static_cast<long long>(v);
}

__attribute__((target("aes,sse2"))) void aes_blocks(std::byte* out, std::size_t count,
                                                    std::uint64_t seed, std::uint64_t first,
                                                    bool streaming) noexcept {
  const Keys keys(seed);
  __m128i k[3];
  for (int r = 0; r < 3; ++r)
    k[r] = _mm_set_epi64x(as_signed(keys.round[static_cast<std::size_t>(r)][1]),
                          as_signed(keys.round[static_cast<std::size_t>(r)][0]));
  __m128i counter = _mm_set_epi64x(as_signed(keys.beside), as_signed(keys.begin + first * gamma));
  const __m128i step = _mm_set_epi64x(0, as_signed(gamma));
  const bool past_caches = streaming && reinterpret_cast<std::uintptr_t>(out) % 16 == 0;
  constexpr std::size_t lanes = 8;  // enough to hide the latency of a round
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    __m128i v[lanes];
    RAIDSCOPE_UNROLL
    for (__m128i& x : v) {
      x = counter;
      counter = _mm_add_epi64(counter, step);
    }
    RAIDSCOPE_UNROLL
    for (const __m128i& key : k) RAIDSCOPE_UNROLL
    for (__m128i& x : v) x = _mm_aesenc_si128(x, key);
    auto* const to = reinterpret_cast<__m128i*>(out + i * block_bytes);
    if (past_caches) {
      RAIDSCOPE_UNROLL
      for (std::size_t n = 0; n < lanes; ++n) _mm_stream_si128(to + n, v[n]);
    } else {
      RAIDSCOPE_UNROLL
      for (std::size_t n = 0; n < lanes; ++n) _mm_storeu_si128(to + n, v[n]);
    }
  }
  for (; i < count; ++i) {
    __m128i x = counter;
    counter = _mm_add_epi64(counter, step);
    RAIDSCOPE_UNROLL
    for (const __m128i& key : k) x = _mm_aesenc_si128(x, key);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i * block_bytes), x);
  }
  if (past_caches) _mm_sfence();
}

/// Blocks before `out` is at a multiple of `bytes`; all of them when it never is.
std::size_t blocks_to_boundary(const std::byte* out, std::size_t bytes) noexcept {
  const std::size_t past = reinterpret_cast<std::uintptr_t>(out) % bytes;
  return past == 0 ? 0 : (bytes - past) / block_bytes;
}

__attribute__((target("avx2,vaes,aes"))) void avx2_blocks(std::byte* out, std::size_t count,
                                                          std::uint64_t seed, std::uint64_t first,
                                                          bool streaming) noexcept {
  constexpr std::size_t lanes = 8;
  constexpr std::size_t at_once = lanes * 2;
  const bool past_caches = streaming && reinterpret_cast<std::uintptr_t>(out) % 16 == 0;
  if (past_caches) {
    const std::size_t head = std::min(count, blocks_to_boundary(out, 32));
    aes_blocks(out, head, seed, first, false);
    out += head * block_bytes;
    first += head;
    count -= head;
  }
  const Keys keys(seed);
  __m256i k[3];
  for (std::size_t r = 0; r < 3; ++r)
    k[r] = _mm256_setr_epi64x(as_signed(keys.round[r][0]), as_signed(keys.round[r][1]),
                              as_signed(keys.round[r][0]), as_signed(keys.round[r][1]));
  const std::uint64_t from = keys.begin + first * gamma;
  __m256i counter = _mm256_setr_epi64x(as_signed(from), as_signed(keys.beside),
                                       as_signed(from + gamma), as_signed(keys.beside));
  const __m256i step = _mm256_setr_epi64x(as_signed(2 * gamma), 0, as_signed(2 * gamma), 0);
  std::size_t i = 0;
  for (; i + at_once <= count; i += at_once) {
    __m256i v[lanes];
    RAIDSCOPE_UNROLL
    for (__m256i& x : v) {
      x = counter;
      counter = _mm256_add_epi64(counter, step);
    }
    RAIDSCOPE_UNROLL
    for (const __m256i& key : k) RAIDSCOPE_UNROLL
    for (__m256i& x : v) x = _mm256_aesenc_epi128(x, key);
    auto* const to = reinterpret_cast<__m256i*>(out + i * block_bytes);
    if (past_caches) {
      RAIDSCOPE_UNROLL
      for (std::size_t n = 0; n < lanes; ++n) _mm256_stream_si256(to + n, v[n]);
    } else {
      RAIDSCOPE_UNROLL
      for (std::size_t n = 0; n < lanes; ++n) _mm256_storeu_si256(to + n, v[n]);
    }
  }
  if (past_caches) _mm_sfence();
  aes_blocks(out + i * block_bytes, count - i, seed, first + i, false);
}

__attribute__((target("avx512f,vaes,aes"))) void avx512_blocks(std::byte* out, std::size_t count,
                                                               std::uint64_t seed,
                                                               std::uint64_t first,
                                                               bool streaming) noexcept {
  constexpr std::size_t lanes = 8;
  constexpr std::size_t at_once = lanes * 4;
  // A store that crosses a line costs two: the head is worth its while in a cache too.
  const bool aligned = reinterpret_cast<std::uintptr_t>(out) % 16 == 0;
  if (aligned) {
    const std::size_t head = std::min(count, blocks_to_boundary(out, 64));
    aes_blocks(out, head, seed, first, false);
    out += head * block_bytes;
    first += head;
    count -= head;
  }
  const bool past_caches = streaming && aligned;
  const Keys keys(seed);
  __m512i k[3];
  for (std::size_t r = 0; r < 3; ++r) {
    const long long low = as_signed(keys.round[r][0]);
    const long long high = as_signed(keys.round[r][1]);
    k[r] = _mm512_setr_epi64(low, high, low, high, low, high, low, high);
  }
  const std::uint64_t from = keys.begin + first * gamma;
  const long long beside = as_signed(keys.beside);
  __m512i counter =
      _mm512_setr_epi64(as_signed(from), beside, as_signed(from + gamma), beside,
                        as_signed(from + 2 * gamma), beside, as_signed(from + 3 * gamma), beside);
  const long long four = as_signed(4 * gamma);
  const __m512i step = _mm512_setr_epi64(four, 0, four, 0, four, 0, four, 0);
  std::size_t i = 0;
  for (; i + at_once <= count; i += at_once) {
    __m512i v[lanes];
    RAIDSCOPE_UNROLL
    for (__m512i& x : v) {
      x = counter;
      counter = _mm512_add_epi64(counter, step);
    }
    RAIDSCOPE_UNROLL
    for (const __m512i& key : k) RAIDSCOPE_UNROLL
    for (__m512i& x : v) x = _mm512_aesenc_epi128(x, key);
    std::byte* const to = out + i * block_bytes;
    if (past_caches) {
      RAIDSCOPE_UNROLL
      for (std::size_t n = 0; n < lanes; ++n)
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to + n * 64), v[n]);
    } else {
      RAIDSCOPE_UNROLL
      for (std::size_t n = 0; n < lanes; ++n) _mm512_storeu_si512(to + n * 64, v[n]);
    }
  }
  if (past_caches) _mm_sfence();
  aes_blocks(out + i * block_bytes, count - i, seed, first + i, false);
}

#undef RAIDSCOPE_UNROLL
#endif

constexpr ContentMaker makers[] = {
#if defined(__x86_64__)
    {"avx512", has_avx512, avx512_blocks},
    {"avx2", has_avx2, avx2_blocks},
    {"aes", has_aes, aes_blocks},
#endif
    {"portable", [] { return true; }, portable_blocks},
};

const ContentMaker& best_maker() noexcept {
  static const ContentMaker* const best =
      std::find_if(std::begin(makers), std::end(makers),
                   [](const ContentMaker& maker) { return maker.available(); });
  return *best;
}

}  // namespace

std::span<const ContentMaker> content_makers() noexcept {
  return makers;
}

void fill_content(std::span<std::byte> out, std::uint64_t seed, std::uint64_t offset) noexcept {
  std::uint64_t index = offset / block_bytes;
  const std::size_t inside = offset % block_bytes;
  if (inside != 0 && !out.empty()) {
    const Block block = portable_block(Keys(seed), index++);
    const std::size_t count = std::min(out.size(), block_bytes - inside);
    std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(inside), count, out.begin());
    out = out.subspan(count);
  }
  const std::size_t blocks = out.size() / block_bytes;
  if (blocks != 0)
    best_maker().blocks(out.data(), blocks, seed, index, out.size() >= streaming_from);
  if (const std::size_t rest = out.size() % block_bytes; rest != 0) {
    const Block block = portable_block(Keys(seed), index + blocks);
    std::memcpy(out.data() + blocks * block_bytes, block.data(), rest);
  }
}

std::optional<std::size_t> first_difference(std::span<const std::byte> bytes, std::uint64_t seed,
                                            std::uint64_t offset) noexcept {
  std::array<std::byte, 4096> expected;
  for (std::size_t at = 0; at < bytes.size(); at += expected.size()) {
    const std::size_t count = std::min(expected.size(), bytes.size() - at);
    fill_content({expected.data(), count}, seed, offset + at);
    if (std::memcmp(expected.data(), bytes.data() + at, count) == 0) continue;
    std::size_t i = 0;
    while (expected[i] == bytes[at + i]) ++i;
    return at + i;
  }
  return std::nullopt;
}

}  // namespace raidscope
