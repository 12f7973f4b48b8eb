#include "workloads/engines/support/slot_buffers.h"

#include <cerrno>

#include <sys/mman.h>

#include <fmt/format.h>

namespace raidscope {

SlotBuffers::~SlotBuffers() {
  if (memory_ != nullptr) ::munmap(memory_, size_);
}

Status SlotBuffers::allocate(std::uint32_t slots, std::uint32_t bytes) {
  constexpr std::size_t page = 4096;
  const std::size_t stride = (bytes + page - 1) / page * page;
  const std::size_t size = stride * slots;
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) {
    return fail(Errc::io, fmt::format("no memory for {} buffers of {} bytes", slots, bytes), {},
                "choose a smaller queue depth or block size", errno);
  }
  memory_ = static_cast<std::byte*>(memory);
  size_ = size;
  stride_ = stride;
  return Done{};
}

}  // namespace raidscope
