#include "probe/base/fact.h"

#include <array>
#include <iterator>
#include <utility>

namespace raidscope {
namespace {

void append_text(std::string& text, std::string_view more, std::string_view separator) {
  if (more.empty() || text == more) return;
  if (!text.empty()) text += separator;
  text += more;
}

SourceStatus weightier(SourceStatus a, SourceStatus b) {
  for (const auto status :
       std::array{SourceStatus::failed, SourceStatus::ok, SourceStatus::skipped}) {
    if (a == status || b == status) return status;
  }
  return SourceStatus::absent;
}

}  // namespace

void merge_into(FactSet& set, FactSet other) {
  const SourceStatus status = weightier(set.status, other.status);
  if (set.status != status) set.detail.clear();
  if (other.status == status) append_text(set.detail, other.detail, "; ");
  set.status = status;
  append_text(set.version, other.version, ", ");
  set.duration_ms += other.duration_ms;

  // Entity 0, the machine, is one; the others get the numbers behind ours.
  const auto shift = static_cast<EntityId>(set.entities.size() - 1);
  const auto moved = [shift](EntityId id) { return id == machine_entity ? id : id + shift; };
  for (std::size_t i = 1; i < other.entities.size(); ++i) {
    Entity entity = std::move(other.entities[i]);
    entity.parent = moved(entity.parent);
    set.entities.push_back(std::move(entity));
  }
  for (auto& fact : other.facts) {
    fact.entity = moved(fact.entity);
    set.facts.push_back(std::move(fact));
  }
  for (auto& extra : other.extras) {
    extra.entity = moved(extra.entity);
    set.extras.push_back(std::move(extra));
  }
  std::move(other.notes.begin(), other.notes.end(), std::back_inserter(set.notes));
}

std::string_view name_of(PathName path) noexcept {
  switch (path) {
    case PathName::ssacli:
      return "ssacli";
    case PathName::sysfs:
      return "sysfs";
    case PathName::scsi:
      return "scsi";
    case PathName::bmic:
      return "bmic";
    case PathName::host:
      return "host";
    case PathName::file:
      return "file";
  }
  return "file";
}

std::string_view name_of(SourceStatus status) noexcept {
  switch (status) {
    case SourceStatus::ok:
      return "ok";
    case SourceStatus::absent:
      return "absent";
    case SourceStatus::failed:
      return "failed";
    case SourceStatus::skipped:
      return "skipped";
  }
  return "failed";
}

}  // namespace raidscope
