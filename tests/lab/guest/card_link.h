#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/result.h"

/// The guest's side of the commands that only the emulated card has: CCISS_PASSTHRU, as all else.
namespace raidscope::lab {

struct FoundCard {
  std::string node;         ///< "/dev/sg0"
  std::string pci_address;  ///< "0000:00:04.0"
};
/// The controllers that hpsa shows, in the order of their addresses.
std::vector<FoundCard> find_cards();

class CardLink {
 public:
  explicit CardLink(std::string node) : node_(std::move(node)) {}
  [[nodiscard]] Result<std::string> state() const;
  [[nodiscard]] Status change(std::string_view changes) const;
  [[nodiscard]] Status mark(std::string_view words) const;
  /// Any command that reads, 512 bytes.
  [[nodiscard]] Status send(std::span<const std::byte> cdb) const;

 private:
  enum class Way { to_card, from_card };
  /// How much was transferred.
  [[nodiscard]] Result<std::size_t> pass(std::span<const std::byte> cdb, std::span<std::byte> data,
                                         Way way) const;
  [[nodiscard]] Status write(unsigned operation, std::string_view words) const;
  std::string node_;
};

}  // namespace raidscope::lab
