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

/// Notes quote lines of a report that were not understood, but for the last line of a cut one: that
/// may be a key that is known, and the first part of a model.
bool tells_a_cut_key(std::string_view note) {
  const auto quoted = note.find("in the middle of: ");
  return quoted != std::string_view::npos && note.find(": ", quoted + 18) != std::string_view::npos;
}

/// Calls `take(text, member, in_extra, free)` for every text below a value; `free`: which of the
/// free texts it is part of, empty for none.
template <class J, class Take>
void for_each_text(J& value, std::string_view member, bool in_extra, std::string_view free,
                   const Take& take) {
  if (value.is_object()) {
    for (auto item = value.begin(); item != value.end(); ++item) {
      const std::string& name = item.key();
      const auto known = std::find(free_texts.begin(), free_texts.end(), name);
      const std::string_view below = free.empty() && known != free_texts.end() ? *known : free;
      for_each_text(item.value(), name, in_extra || member == "extra", below, take);
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
  for_each_text(
      document, "", false, "",
      [&](const Json& value, std::string_view member, bool in_extra, std::string_view free) {
        const auto& words = value.get_ref<const std::string&>();
        SecretKind kind{};
        if (is_secret(member, in_extra, kind)) {
          secrets.add(words, kind);
        } else if (!free.empty()) {
          capture::collect(words, secrets);
          if (free == "notes" && member == "text" && !tells_a_cut_key(words))
            capture::collect_words(words, secrets);
        } else {
          secrets.keep(words);
        }
      });
}

Inventory redacted(const Inventory& inventory, const capture::Redactor& redactor) {
  Json document = to_json(inventory);
  for_each_text(document, "", false, "",
                [&](Json& value, std::string_view member, bool in_extra, std::string_view) {
                  const auto& words = value.get_ref<const std::string&>();
                  if (member == "fingerprint" || member == "taken_at" || member == "schema") return;
                  SecretKind kind{};
                  value = is_secret(member, in_extra, kind) ? redactor.value(words)
                                                            : redactor.text(words);
                });
  auto out = inventory_from_json(document, "the redacted inventory");
  return out ? *std::move(out) : Inventory{};
}

}  // namespace raidscope
