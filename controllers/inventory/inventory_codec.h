#pragma once

// The JSON forms of inventory parts that are not plain objects of fields. Heavy: include it only in
// .cpp files, wherever a struct that holds one of these is encoded or decoded.

#include <string>
#include <utility>

#include "controllers/inventory/inventory.h"
#include "probe/base/json_fields.h"

namespace raidscope::json {

/// An object in the order printed; a key that was printed twice has an array of its values.
template <>
struct Codec<ExtraFields> {
  static Json encode(const ExtraFields& extra) {
    Json out = Json::object();
    for (const auto& [key, value] : extra.items) {
      const auto found = out.find(key);
      if (found == out.end()) {
        out.push_back(Json::object_t::value_type{key, value});
      } else if (found->is_array()) {
        found->push_back(value);
      } else {
        *found = Json::array({std::move(*found), value});
      }
    }
    return out;
  }

  static void decode(const Json& in, ExtraFields& out, const std::string& at) {
    if (!in.is_object()) throw fmt::format("{}: expected an object, found {}", at, in.type_name());
    out.items.clear();
    for (auto entry = in.begin(); entry != in.end(); ++entry) {
      const std::string& key = entry.key();
      const Json& value = entry.value();
      const auto add = [&](const Json& item) {
        if (!item.is_string()) {
          throw fmt::format("{}/{}: expected a text, found {}", at, key, item.type_name());
        }
        out.items.emplace_back(key, item.get<std::string>());
      };
      if (value.is_array()) {
        for (const Json& item : value) add(item);
      } else {
        add(value);
      }
    }
  }
};

}  // namespace raidscope::json
