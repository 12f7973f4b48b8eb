// content_bench: how fast incompressible content is made, beside memset in the cache, beside a memset
// past the caches and beside fio's generator, in turn in the same process; each a ratio. Then zstd -19
// has a go at 64 MiB of it, and the program ends with 1 when it gains 0.1 % or more.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>

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

/// What fio fills its buffers with (lib/rand.c, __fill_random_buf): four streams, each multiplied
/// by a prime for every word.
void as_fio(std::byte* to, std::size_t bytes, std::uint64_t seed) {
  constexpr std::uint64_t prime = 0x9e37fffffffc0001;
  std::uint64_t s[4] = {seed, seed * 2, seed * 3, seed * 5};
  for (std::size_t i = 0; i < bytes; i += sizeof s) {
    std::memcpy(to + i, s, sizeof s);
    for (std::uint64_t& word : s) word *= prime;
  }
}

template <class F>
void best(double& gbps, std::size_t bytes, F&& work) {
  const double begin = cpu_s();
  work();
  gbps = std::max(gbps, static_cast<double>(bytes) / (cpu_s() - begin) / 1e9);
}

/// zstd -19 on 64 MiB must gain less than 0.1 %; true where there is no zstd.
bool gains_nothing(std::byte* to) {
  if (std::system("zstd --version > /dev/null 2>&1") != 0) {
    fmt::print("zstd is not installed: whether it gains anything was not tried\n");
    return true;
  }
  constexpr std::size_t sample = std::size_t{64} << 20U;
  raidscope::fill_content({to, sample}, 1, 0);
  const std::string path = "content_bench_" + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(to), static_cast<std::streamsize>(sample));
  const bool done = std::system(("zstd -q -19 " + path + " -o " + path + ".zst").c_str()) == 0;
  const double packed = done ? static_cast<double>(std::filesystem::file_size(path + ".zst")) : 0;
  std::filesystem::remove(path);
  std::filesystem::remove(path + ".zst");
  const double share = packed / static_cast<double>(sample);
  fmt::print("zstd -19 makes {:.4f} of 64 MiB, goal above 0.999: {}\n", share,
             share > 0.999 ? "met" : "MISSED");
  return share > 0.999;
}

}  // namespace

int main() {
  constexpr std::size_t memory = std::size_t{256} << 20U;
  constexpr std::size_t cached = std::size_t{256} << 10U;
  constexpr int times = 256;
  constexpr int rounds = 15;
  const std::unique_ptr<std::byte, decltype(&std::free)> buffer(
      static_cast<std::byte*>(std::aligned_alloc(4096, memory)), &std::free);
  std::byte* const to = buffer.get();
  std::memset(to, 1, memory);
  for (const raidscope::ContentMaker& maker : raidscope::content_makers()) {
    if (!maker.available()) {
      fmt::print("{:10} not on this processor\n", maker.id);
      continue;
    }
    double in_cache = 0;
    double memset_in_cache = 0;
    double in_memory = 0;
    double past_caches = 0;
    double fio_in_cache = 0;
    double fio_in_memory = 0;
    const bool slow = maker.id == "portable";
    for (int round = 0; round < (slow ? 3 : rounds); ++round) {
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
      best(fio_in_cache, cached * times, [&] {
        for (int i = 1; i <= times; ++i) {
          as_fio(to, cached, static_cast<std::uint64_t>(i));
          asm volatile("" : : "r"(to) : "memory");
        }
      });
      best(fio_in_memory, memory, [&] { as_fio(to, memory, 1); });
      best(in_memory, memory, [&] { maker.blocks(to, memory / 16, 1, 0, true); });
      best(past_caches, memory, [&] { set_past_caches(to, memory); });
    }
    fmt::print(
        "{:10} 256 KiB: {:6.1f} GB/s, of memset {:.2f}, of fio's generator {:.2f}; 256 MiB: "
        "{:5.1f} GB/s, of a non-temporal memset {:.2f}, of fio's generator {:.2f}\n",
        maker.id, in_cache, in_cache / memset_in_cache, in_cache / fio_in_cache, in_memory,
        in_memory / past_caches, in_memory / fio_in_memory);
  }
  return gains_nothing(to) ? 0 : 1;
}
