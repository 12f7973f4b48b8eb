#include "workloads/write_content.h"

#include <cstring>

namespace raidscope {

WriteContent::WriteContent(std::span<std::byte> memory, std::size_t stride, std::uint64_t seed)
    : memory_(memory), stride_(stride), keys_(mix64(seed)), current_(memory.size() / stride, 0) {
  SplitMix64 words(mix64(seed ^ 0x6a09e667f3bcc908U));
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= memory_.size();
       at += sizeof(std::uint64_t)) {
    const std::uint64_t word = words();
    std::memcpy(memory_.data() + at, &word, sizeof word);
  }
}

void WriteContent::refresh(std::uint32_t slot, std::size_t length) noexcept {
  const std::uint64_t key = keys_();
  const std::uint64_t change = current_[slot] ^ key;
  current_[slot] = key;
  std::byte* const begin = memory_.data() + slot * stride_;
  for (std::size_t at = 0; at < length; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, begin + at, sizeof word);
    word ^= change;
    std::memcpy(begin + at, &word, sizeof word);
  }
}

}  // namespace raidscope
