#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "probe/base/result.h"

namespace raidscope {

/// Page-aligned memory for the slots of one engine, mapped and touched before the first request.
class SlotBuffers {
 public:
  SlotBuffers() = default;
  SlotBuffers(const SlotBuffers&) = delete;
  SlotBuffers& operator=(const SlotBuffers&) = delete;
  ~SlotBuffers();

  Status allocate(std::uint32_t slots, std::uint32_t bytes);
  [[nodiscard]] std::byte* slot(std::uint32_t i) const noexcept { return memory_ + i * stride_; }
  [[nodiscard]] std::span<std::byte> all() const noexcept { return {memory_, size_}; }
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }

 private:
  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
};

}  // namespace raidscope
