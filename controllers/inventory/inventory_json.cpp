#include "controllers/inventory/inventory_json.h"

#include <utility>

#include "controllers/inventory/fingerprint.h"
#include "controllers/inventory/inventory_codec.h"

namespace raidscope {

nlohmann::ordered_json to_json(const Inventory& inventory) {
  return json::encode(inventory);
}

Result<Inventory> inventory_from_json(const nlohmann::ordered_json& document,
                                      std::string_view where) {
  if (!document.is_object()) {
    return fail(Errc::malformed, fmt::format("expected an object, found {}", document.type_name()),
                std::string(where));
  }
  const auto schema = document.find("schema");
  if (schema == document.end() || !schema->is_string() ||
      schema->get_ref<const std::string&>() != snapshot_schema) {
    return fail(Errc::malformed, fmt::format("/schema: expected \"{}\"", snapshot_schema),
                std::string(where), "give a document that `raidscope probe --format json` printed");
  }
  return json::decode_document<Inventory>(document, where);
}

Result<Inventory> inventory_from_text(std::string_view text, std::string_view where) {
  RAIDSCOPE_TRY(const nlohmann::ordered_json document, json::parse_text(text, where));
  return inventory_from_json(document, where);
}

std::string canonical_text(const Inventory& inventory) {
  nlohmann::ordered_json document = to_json(inventory);
  document["taken_at"] = nullptr;
  for (nlohmann::ordered_json& source : document["sources"]) source["duration_ms"] = nullptr;
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string snapshot_id(const Inventory& inventory) {
  return "sha256:" + sha256_hex(canonical_text(inventory));
}

}  // namespace raidscope
