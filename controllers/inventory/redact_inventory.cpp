#include "controllers/inventory/redact_inventory.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "controllers/inventory/inventory_codec.h"
#include "controllers/inventory/inventory_json.h"

namespace raidscope {
namespace {

using capture::SecretKind;
using json::Json;

struct SecretMember {
  std::string_view name;
  SecretKind kind;
};
constexpr std::array<SecretMember, 5> secret_members{{{"serial", SecretKind::serial},
                                                      {"wwid", SecretKind::id},
                                                      {"unique_id", SecretKind::id},
                                                      {"label", SecretKind::name},
                                                      {"hostname", SecretKind::name}}};

/// Members with words of others in them: no reason to keep a name that stands there.
constexpr std::array<std::string_view, 14> free_texts{
    "detail", "notes",    "extra", "mount_points", "tag",      "fingerprint", "provenance",
    "values", "warnings", "why",   "schema",       "taken_at", "size_text",   "mirror_groups"};

bool is_secret(std::string_view member, bool in_extra, SecretKind& kind) {
  if (in_extra) return capture::is_secret_key(member, kind);
  for (const SecretMember& known : secret_members) {
    if (known.name != member) continue;
    kind = known.kind;
    return true;
  }
  return false;
}

/// Calls `take(text, member, in_extra, free)` for every text below a value.
template <class J, class Take>
void for_each_text(J& value, std::string_view member, bool in_extra, bool free, const Take& take) {
  if (value.is_object()) {
    for (auto item = value.begin(); item != value.end(); ++item) {
      const std::string& name = item.key();
      const bool is_free =
          free || std::find(free_texts.begin(), free_texts.end(), name) != free_texts.end();
      for_each_text(item.value(), name, in_extra || member == "extra", is_free, take);
    }
  } else if (value.is_array()) {
    for (auto& item : value) for_each_text(item, member, in_extra, free, take);
  } else if (value.is_string()) {
    take(value, member, in_extra, free);
  }
}

}  // namespace

void collect_secrets(const Inventory& inventory, capture::Secrets& secrets) {
  const Json document = to_json(inventory);
  for_each_text(document, "", false, false,
                [&](const Json& value, std::string_view member, bool in_extra, bool free) {
                  const auto& words = value.get_ref<const std::string&>();
                  SecretKind kind{};
                  if (is_secret(member, in_extra, kind)) {
                    secrets.add(words, kind);
                  } else if (free) {
                    capture::collect(words, secrets);
                  } else {
                    secrets.keep(words);
                  }
                });
}

Inventory redacted(const Inventory& inventory, const capture::Redactor& redactor) {
  Json document = to_json(inventory);
  for_each_text(
      document, "", false, false, [&](Json& value, std::string_view member, bool in_extra, bool) {
        const auto& words = value.get_ref<const std::string&>();
        if (member == "fingerprint" || member == "taken_at" || member == "schema") return;
        SecretKind kind{};
        value = is_secret(member, in_extra, kind) ? redactor.value(words) : redactor.text(words);
      });
  auto out = inventory_from_json(document, "the redacted inventory");
  return out ? *std::move(out) : Inventory{};
}

}  // namespace raidscope
