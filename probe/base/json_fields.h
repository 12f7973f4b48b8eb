#pragma once

// The heavy header of JSON documents: include it only in the .cpp files that turn structs into
// documents. Any struct with a static fields(self, visitor) is an object.

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "probe/base/enum_names.h"
#include "probe/base/result.h"

namespace raidscope::json {

using Json = nlohmann::ordered_json;

template <class T>
concept HasFields = requires(T& t) {
  T::fields(t, [](const char*, auto&) {});
};

template <class T>
struct Codec;  // specialise for a type that needs its own form

template <class T>
concept HasCodec = requires {
  sizeof(Codec<T>);
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T, class A>
struct IsVector<std::vector<T, A>> : std::true_type {};
template <class T>
struct IsMap : std::false_type {};
template <class V, class C, class A>
struct IsMap<std::map<std::string, V, C, A>> : std::true_type {};

template <class T>
Json encode(const T& value) {
  if constexpr (HasCodec<T>) {
    return Codec<T>::encode(value);
  } else if constexpr (IsOptional<T>::value) {
    return value ? encode(*value) : Json(nullptr);
  } else if constexpr (IsVector<T>::value) {
    Json out = Json::array();
    for (const auto& item : value) out.push_back(encode<typename T::value_type>(item));
    return out;
  } else if constexpr (IsMap<T>::value) {
    Json out = Json::object();
    for (const auto& [key, item] : value) out[key] = encode(item);
    return out;
  } else if constexpr (NamedEnum<T>) {
    return Json(to_name(value));
  } else if constexpr (HasFields<T>) {
    Json out = Json::object();
    T::fields(value, [&out](const char* name, const auto& member) { out[name] = encode(member); });
    return out;
  } else {
    return Json(value);
  }
}

/// Throws std::string: the JSON pointer and what was expected. decode_document() catches it.
template <class T>
void decode(const Json& in, T& out, const std::string& at) {
  const auto expected = [&](std::string_view what) -> std::string {
    return fmt::format("{}: expected {}, found {}", at.empty() ? "/" : at, what, in.type_name());
  };
  if constexpr (HasCodec<T>) {
    Codec<T>::decode(in, out, at);
  } else if constexpr (IsOptional<T>::value) {
    if (in.is_null()) {
      out.reset();
    } else {
      typename T::value_type value{};
      decode(in, value, at);
      out = std::move(value);
    }
  } else if constexpr (IsVector<T>::value) {
    if (!in.is_array()) throw expected("an array");
    out.clear();
    std::size_t i = 0;
    for (const Json& item : in) {
      typename T::value_type value{};
      decode(item, value, fmt::format("{}/{}", at, i++));
      out.push_back(std::move(value));
    }
  } else if constexpr (IsMap<T>::value) {
    if (!in.is_object()) throw expected("an object");
    out.clear();
    for (const auto& [key, item] : in.items()) {
      typename T::mapped_type value{};
      decode(item, value, at + "/" + key);
      out.emplace(key, std::move(value));
    }
  } else if constexpr (NamedEnum<T>) {
    if (!in.is_string()) throw expected("a word");
    const auto value = from_name<T>(in.template get_ref<const std::string&>());
    if (!value) throw fmt::format("{}: unknown word \"{}\"", at, in.template get<std::string>());
    out = *value;
  } else if constexpr (HasFields<T>) {
    if (!in.is_object()) throw expected("an object");
    T::fields(out, [&](const char* name, auto& member) {
      if (const auto found = in.find(name); found != in.end()) {
        decode(*found, member, at + "/" + name);
      }
    });
  } else if constexpr (std::same_as<T, bool>) {
    if (!in.is_boolean()) throw expected("true or false");
    out = in.get<bool>();
  } else if constexpr (std::same_as<T, std::string>) {
    if (!in.is_string()) throw expected("a text");
    out = in.get<std::string>();
  } else if constexpr (std::integral<T>) {
    if (!in.is_number_integer()) throw expected("a whole number");
    out = in.get<T>();
  } else {
    static_assert(std::floating_point<T>);
    if (!in.is_number()) throw expected("a number");
    out = in.get<T>();
  }
}

/// Parses text as JSON and decodes it, or says where it went wrong.
template <class T>
Result<T> decode_document(const Json& document, std::string_view where) {
  T value{};
  try {
    decode(document, value, "");
  } catch (const std::string& problem) {
    return fail(Errc::malformed, problem, std::string(where));
  }
  return value;
}

inline Result<Json> parse_text(std::string_view text, std::string_view where) {
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception& problem) {
    std::string_view why = problem.what();
    if (const auto end = why.find("] "); end != std::string_view::npos) why.remove_prefix(end + 2);
    return fail(Errc::malformed, fmt::format("not a whole JSON document: {}", why),
                std::string(where), "take it anew, or look whether it was cut off");
  }
}

}  // namespace raidscope::json
