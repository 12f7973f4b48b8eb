#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "controllers/inventory/inventory_codec.h"
#include "probe/base/json_fields.h"

namespace raidscope::testing {

using Schema = nlohmann::ordered_json;

inline Schema nullable(Schema schema) {
  if (schema.contains("enum")) {
    schema["enum"].push_back(nullptr);
  } else if (schema.contains("properties") || !schema.contains("type")) {
    return {{"anyOf", Schema::array({schema, {{"type", "null"}}})}};
  } else {
    schema["type"] = Schema::array({schema["type"], "null"});
  }
  return schema;
}

/// The JSON Schema that follows from the type of a document struct alone: what json::encode() makes
/// always fits it. Objects stand in full where they are used.
template <class T>
Schema schema_of() {
  using namespace json;
  if constexpr (std::same_as<T, ExtraFields>) {
    return {{"type", "object"},
            {"additionalProperties",
             {{"anyOf", Schema::array({{{"type", "string"}},
                                       {{"type", "array"}, {"items", {{"type", "string"}}}}})}}}};
  } else if constexpr (IsOptional<T>::value) {
    return nullable(schema_of<typename T::value_type>());
  } else if constexpr (IsVector<T>::value) {
    return {{"type", "array"}, {"items", schema_of<typename T::value_type>()}};
  } else if constexpr (IsMap<T>::value) {
    return {{"type", "object"}, {"additionalProperties", schema_of<typename T::mapped_type>()}};
  } else if constexpr (NamedEnum<T>) {
    Schema words = Schema::array();
    for (const auto& [value, name] : EnumNames<T>::table) words.push_back(name);
    return {{"enum", words}};
  } else if constexpr (HasFields<T>) {
    Schema properties = Schema::object(), required = Schema::array();
    const T sample{};
    T::fields(sample, [&](const char* name, const auto& member) {
      properties[name] = schema_of<std::remove_cvref_t<decltype(member)>>();
      required.push_back(name);
    });
    return {{"type", "object"}, {"required", required}, {"properties", properties}};
  } else if constexpr (std::same_as<T, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::same_as<T, std::string>) {
    return {{"type", "string"}};
  } else if constexpr (std::integral<T>) {
    return {{"type", "integer"}};
  } else {
    static_assert(std::floating_point<T>);
    return {{"type", "number"}};
  }
}

}  // namespace raidscope::testing
