#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/host.h"

namespace raidscope::testing {

/// A reply of a controller made field by field: zeros with little-endian numbers and texts put in.
class CissBytes {
 public:
  explicit CissBytes(std::size_t size) : bytes_(size) {}
  template <std::integral T>
  CissBytes& number(std::size_t offset, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      at(offset + i) = static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xFF);
    }
    return *this;
  }
  CissBytes& u8(std::size_t offset, unsigned value) {
    return number(offset, static_cast<std::uint8_t>(value));
  }
  CissBytes& u16(std::size_t offset, unsigned value) {
    return number(offset, static_cast<std::uint16_t>(value));
  }
  CissBytes& u32(std::size_t offset, std::uint32_t value) { return number(offset, value); }
  CissBytes& u64(std::size_t offset, std::uint64_t value) { return number(offset, value); }
  /// As SCSI has its numbers.
  CissBytes& big_endian(std::size_t offset, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      u8(offset + i, static_cast<unsigned>(value >> (8 * (size - 1 - i)) & 0xFF));
    }
    return *this;
  }
  /// Blanks up to `width`, as firmware pads.
  CissBytes& text(std::size_t offset, std::string_view words, std::size_t width = 0) {
    for (std::size_t i = 0; i < std::max(words.size(), width); ++i) {
      at(offset + i) = static_cast<std::byte>(i < words.size() ? words[i] : ' ');
    }
    return *this;
  }
  /// "600508B1…" as bytes.
  CissBytes& hex(std::size_t offset, std::string_view digits) {
    const auto nibble = [](char c) { return c <= '9' ? c - '0' : c - 'A' + 10; };
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
      at(offset + i / 2) = static_cast<std::byte>(nibble(digits[i]) * 16 + nibble(digits[i + 1]));
    }
    return *this;
  }
  CissBytes& cut(std::size_t size) {
    bytes_.resize(std::min(size, bytes_.size()));
    return *this;
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }
  /// A reply that the controller completed.
  [[nodiscard]] CissReply reply() const { return {0, 0, {}, bytes_}; }

 private:
  std::byte& at(std::size_t offset) {
    if (offset >= bytes_.size()) bytes_.resize(offset + 1);
    return bytes_[offset];
  }
  std::vector<std::byte> bytes_;
};

/// A command that the controller does not take: check condition, illegal request.
inline CissReply illegal_request() {
  std::vector<std::byte> sense(18);
  sense[0] = std::byte{0x70};
  sense[2] = std::byte{5};
  sense[12] = std::byte{0x20};
  return {1, 2, std::move(sense), {}};
}

/// The header and entries of a LUN list. Each entry is made by the caller.
inline CissReply lun_list(std::uint8_t format, const std::vector<CissBytes>& entries) {
  std::vector<std::byte> body;
  for (const CissBytes& entry : entries) {
    body.insert(body.end(), entry.bytes().begin(), entry.bytes().end());
  }
  std::vector<std::byte> data = CissBytes(8).big_endian(0, body.size(), 4).u8(4, format).bytes();
  data.insert(data.end(), body.begin(), body.end());
  return {0, 0, {}, std::move(data)};
}

}  // namespace raidscope::testing
