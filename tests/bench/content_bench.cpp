// content_bench [FILE]: how fast incompressible content is made, beside memset in the cache and
// beside a memset past the caches, in turn in the same process; each a ratio. With FILE it writes
// 64 MiB of it there, for a compressor.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "workloads/content.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

double cpu_s() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void set_past_caches_512(std::byte* to, std::size_t bytes) {
  const __m512i value = _mm512_set1_epi8(1);
  for (std::size_t i = 0; i < bytes; i += 64)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i), value);
  _mm_sfence();
}
void set_past_caches(std::byte* to, std::size_t bytes) {
  if (__builtin_cpu_supports("avx512f") != 0) return set_past_caches_512(to, bytes);
  const __m128i value = _mm_set1_epi8(1);
  for (std::size_t i = 0; i < bytes; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), value);
  _mm_sfence();
}
#else
void set_past_caches(std::byte* to, std::size_t bytes) {
  std::memset(to, 1, bytes);
}
#endif

template <class F>
void best(double& gbps, std::size_t bytes, F&& work) {
  const double begin = cpu_s();
  work();
  gbps = std::max(gbps, static_cast<double>(bytes) / (cpu_s() - begin) / 1e9);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::size_t memory = std::size_t{256} << 20U;
  constexpr std::size_t cached = std::size_t{256} << 10U;
  constexpr int times = 256;
  constexpr int rounds = 15;
  const std::unique_ptr<std::byte, decltype(&std::free)> buffer(
      static_cast<std::byte*>(std::aligned_alloc(4096, memory)), &std::free);
  std::byte* const to = buffer.get();
  std::memset(to, 1, memory);
  if (argc > 1) {
    constexpr std::size_t sample = std::size_t{64} << 20U;
    raidscope::fill_content({to, sample}, 1, 0);
    std::ofstream(argv[1], std::ios::binary)
        .write(reinterpret_cast<const char*>(to), static_cast<std::streamsize>(sample));
  }
  for (const raidscope::ContentMaker& maker : raidscope::content_makers()) {
    if (!maker.available()) {
      fmt::print("{:10} not on this processor\n", maker.id);
      continue;
    }
    double in_cache = 0;
    double memset_in_cache = 0;
    double in_memory = 0;
    double past_caches = 0;
    const bool slow = maker.id == "portable";
    for (int round = 0; round < (slow ? 2 : rounds); ++round) {
      best(in_cache, cached * times, [&] {
        for (int i = 0; i < times; ++i)
          maker.blocks(to, cached / 16, 1, static_cast<std::uint64_t>(i), false);
      });
      best(memset_in_cache, cached * times, [&] {
        for (int i = 0; i < times; ++i) {
          std::memset(to, i, cached);
          asm volatile("" : : "r"(to) : "memory");
        }
      });
      best(in_memory, memory, [&] { maker.blocks(to, memory / 16, 1, 0, true); });
      best(past_caches, memory, [&] { set_past_caches(to, memory); });
    }
    fmt::print(
        "{:10} 256 KiB: {:6.1f} GB/s, memset {:6.1f}, ratio {:.2f}; 256 MiB: {:5.1f} GB/s, "
        "non-temporal memset {:5.1f}, ratio {:.2f}\n",
        maker.id, in_cache, memset_in_cache, in_cache / memset_in_cache, in_memory, past_caches,
        in_memory / past_caches);
  }
  return 0;
}
