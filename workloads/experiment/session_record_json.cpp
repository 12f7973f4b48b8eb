#include "workloads/experiment/session_record_json.h"

#include "probe/base/json_fields.h"

namespace raidscope {

nlohmann::ordered_json to_json(const SessionRecord& record) {
  return json::encode(record);
}

Result<SessionRecord> session_record_from_text(std::string_view text, std::string_view where) {
  const auto damaged = [&](std::string what) {
    return fail(Errc::malformed, "the session's document is damaged: " + std::move(what),
                std::string(where), "its results are whole all the same: raidscope list");
  };
  const auto parsed = json::parse_text(text, where);
  if (!parsed) return damaged(parsed.error().message);
  auto record = json::decode_document<SessionRecord>(*parsed, where);
  if (!record) return damaged(record.error().message);
  if (record->schema != SessionRecord{}.schema)
    return damaged(fmt::format("it is a {}", record->schema));
  const nlohmann::ordered_json whole = to_json(*record);
  for (const auto& [name, value] : whole.items()) {
    if (!parsed->contains(name)) return damaged(fmt::format("\"{}\" is missing", name));
  }
  if (record->session_id.empty() || record->points.empty() || record->targets.empty())
    return damaged("a session has an id, points and targets");
  for (const SessionTarget& target : record->targets) {
    if (target.path.empty() || target.id.empty() ||
        (target.kind != "file" && target.kind != "block"))
      return damaged("a target has a path, a kind and an id");
  }
  return record;
}

}  // namespace raidscope
