#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace raidscope::lab {

/// The guest's memory as far as QEMU has shared it: what a device reads and writes by itself.
class GuestMemory {
 public:
  GuestMemory() = default;
  GuestMemory(const GuestMemory&) = delete;
  GuestMemory& operator=(const GuestMemory&) = delete;
  ~GuestMemory();

  /// Shares `size` bytes of a file from `offset` on as the guest's memory at `address`. An errno,
  /// or 0. The descriptor stays the caller's.
  int map(std::uint64_t address, std::uint64_t size, int fd, std::uint64_t offset, bool writable);
  void unmap(std::uint64_t address);

  /// Empty when the range is not wholly within one mapping.
  [[nodiscard]] std::span<std::byte> at(std::uint64_t address, std::uint64_t size) const;

  template <class T>
  static T load(std::span<const std::byte> bytes, std::size_t offset) {
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof value);  // both are little endian
    return value;
  }
  template <class T>
  static void store(std::span<std::byte> bytes, std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  }

 private:
  struct Mapping {
    std::uint64_t address = 0, size = 0;
    std::byte* bytes = nullptr;
  };
  std::vector<Mapping> mappings_;
};

}  // namespace raidscope::lab
