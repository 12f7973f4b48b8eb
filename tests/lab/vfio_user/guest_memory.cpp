#include "tests/lab/vfio_user/guest_memory.h"

#include <algorithm>
#include <cerrno>

#include <sys/mman.h>

namespace raidscope::lab {

GuestMemory::~GuestMemory() {
  for (const Mapping& mapping : mappings_) ::munmap(mapping.bytes, mapping.size);
}

int GuestMemory::map(std::uint64_t address, std::uint64_t size, int fd, std::uint64_t offset,
                     bool writable) {
  void* const bytes = ::mmap(nullptr, size, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd,
                             static_cast<off_t>(offset));
  if (bytes == MAP_FAILED) return errno;
  mappings_.push_back({address, size, static_cast<std::byte*>(bytes)});
  return 0;
}

void GuestMemory::unmap(std::uint64_t address) {
  const auto found = std::find_if(mappings_.begin(), mappings_.end(),
                                  [&](const Mapping& m) { return m.address == address; });
  if (found == mappings_.end()) return;
  ::munmap(found->bytes, found->size);
  mappings_.erase(found);
}

std::span<std::byte> GuestMemory::at(std::uint64_t address, std::uint64_t size) const {
  for (const Mapping& m : mappings_) {
    if (address < m.address || size > m.size || address - m.address > m.size - size) continue;
    return {m.bytes + (address - m.address), static_cast<std::size_t>(size)};
  }
  return {};
}

}  // namespace raidscope::lab
