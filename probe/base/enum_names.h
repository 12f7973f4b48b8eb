#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace raidscope {

/// The words that documents use for an enum: specialise with a constexpr `table` of pairs. One
/// table serves printing, reading and the schemas.
template <class E>
struct EnumNames;

template <class E>
concept NamedEnum = requires { EnumNames<E>::table; };

template <NamedEnum E>
constexpr std::string_view to_name(E value) noexcept {
  for (const auto& [v, name] : EnumNames<E>::table) {
    if (v == value) return name;
  }
  return "?";
}

template <NamedEnum E>
constexpr std::optional<E> from_name(std::string_view name) noexcept {
  for (const auto& [v, n] : EnumNames<E>::table) {
    if (n == name) return v;
  }
  return std::nullopt;
}

}  // namespace raidscope
