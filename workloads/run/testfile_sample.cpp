#include "workloads/run/testfile_sample.h"

#include <algorithm>
#include <zlib.h>

namespace raidscope {
namespace {

std::uint64_t scatter(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

std::vector<std::uint64_t> sample_places(std::uint64_t size, std::uint64_t bytes,
                                         std::size_t count) {
  std::vector<std::uint64_t> places;
  const std::uint64_t pieces = size / bytes + (size % bytes != 0 ? 1 : 0);
  const std::uint64_t parts = std::min<std::uint64_t>(pieces, count);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t begin = pieces / parts * part + std::min(part, pieces % parts);
    const std::uint64_t length = pieces / parts + (part < pieces % parts ? 1 : 0);
    std::uint64_t piece = begin + scatter(part ^ size) % length;
    if (part == 0) piece = 0;
    if (part + 1 == parts) piece = pieces - 1;
    places.push_back(piece * bytes);
  }
  return places;
}

double compressed_ratio(std::span<const std::byte> bytes) {
  if (bytes.empty()) return 1;
  uLongf size = ::compressBound(static_cast<uLong>(bytes.size()));
  std::vector<Bytef> out(size);
  if (::compress2(out.data(), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  static_cast<uLong>(bytes.size()), Z_BEST_SPEED) != Z_OK)
    return 1;
  return static_cast<double>(size) / static_cast<double>(bytes.size());
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

std::vector<std::byte> without_padding(std::span<const std::byte> bytes) {
  constexpr std::size_t sector = 512;
  std::vector<std::byte> out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += sector) {
    std::span<const std::byte> piece = bytes.subspan(at, std::min(sector, bytes.size() - at));
    while (!piece.empty() && piece.back() == std::byte{0}) piece = piece.first(piece.size() - 1);
    out.insert(out.end(), piece.begin(), piece.end());
  }
  return out;
}

bool is_not_random(std::span<const std::byte> bytes) {
  constexpr std::size_t most_equal = 7, most_text = 63;
  std::size_t equal = 0, text = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    equal = i > 0 && bytes[i] == bytes[i - 1] ? equal + 1 : 1;
    text = (bytes[i] & std::byte{0x80}) == std::byte{0} ? text + 1 : 0;
    if (equal > most_equal || text > most_text) return true;
  }
  return compressed_ratio(bytes) < kCompressible;
}

}  // namespace raidscope
