#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "probe/base/fact.h"

/// Which path is believed where several tell one fact: the table of docs/discovery.md in one place.
namespace raidscope {

/// What one path told about one field.
struct Told {
  PathName path = PathName::file;
  const Value* value = nullptr;
  const std::string* size_text = nullptr;  ///< the printed words that a size was read from, if any
};

enum class Choice : std::uint8_t {
  by_order,         ///< the first path of the row's order that told it
  worse_of,         ///< the value that makes the cache less usable
  failed_wins,      ///< by order, but "failed" beats an "ok"
  known_if_agreed,  ///< a disagreement leaves the field unknown
  all_together,     ///< a list: what each path told, without repeats
};

struct Precedence {
  EntityKind kind;
  std::string_view attribute;  ///< a dotted name, or a prefix that ends in '.'; empty: all the rest
  Choice choice;
  std::string_view order;  ///< path names, best first; the ones not named follow
  std::string_view why;
};

/// The row that rules over a field; every field has one.
const Precedence& precedence_of(EntityKind kind, std::string_view attribute);

struct Chosen {
  std::size_t taken = 0;  ///< index into `told`
  bool unknown = false;   ///< the field stays null
  bool agreed = true;
};
/// `told` holds at least one.
Chosen choose(const Precedence& row, std::string_view attribute, std::span<const Told> told);

/// Two values of one field agree: firmware where one begins with the other ("8.32", "8.32-0"),
/// printed sizes within half their last digit, names and ids without regard to case and outer
/// blanks, all else when equal.
bool agree(std::string_view attribute, const Told& a, const Told& b);

/// "8.32-0" and "8.32" are one firmware: the form that is compared.
std::string_view comparable_firmware(std::string_view firmware) noexcept;

/// A 16-byte id in its one form: upper-case hex without "naa." or "0x".
std::string normal_id(std::string_view id);

std::string text_of(const Value& value);

}  // namespace raidscope
