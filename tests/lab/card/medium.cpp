#include "tests/lab/card/medium.h"

#include <algorithm>

namespace raidscope::lab {

void Medium::read(std::uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const std::size_t within = offset % chunk_bytes;
    const std::size_t size = std::min(out.size(), chunk_bytes - within);
    const auto found = chunks_.find(offset / chunk_bytes);
    if (found == chunks_.end()) {
      std::fill_n(out.begin(), size, std::byte{0});
    } else {
      std::copy_n(found->second->begin() + static_cast<std::ptrdiff_t>(within), size, out.begin());
    }
    out = out.subspan(size);
    offset += size;
  }
}

void Medium::write(std::uint64_t offset, std::span<const std::byte> data) {
  while (!data.empty()) {
    const std::size_t within = offset % chunk_bytes;
    const std::size_t size = std::min(data.size(), chunk_bytes - within);
    auto& chunk = chunks_[offset / chunk_bytes];
    if (!chunk) chunk = std::make_unique<Chunk>();
    std::copy_n(data.begin(), size, chunk->begin() + static_cast<std::ptrdiff_t>(within));
    data = data.subspan(size);
    offset += size;
  }
}

}  // namespace raidscope::lab
