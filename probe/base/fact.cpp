#include "probe/base/fact.h"

namespace raidscope {

std::string_view name_of(PathName path) noexcept {
  switch (path) {
    case PathName::ssacli: return "ssacli";
    case PathName::sysfs: return "sysfs";
    case PathName::scsi: return "scsi";
    case PathName::bmic: return "bmic";
    case PathName::host: return "host";
    case PathName::file: return "file";
  }
  return "file";
}

std::string_view name_of(SourceStatus status) noexcept {
  switch (status) {
    case SourceStatus::ok: return "ok";
    case SourceStatus::absent: return "absent";
    case SourceStatus::failed: return "failed";
    case SourceStatus::skipped: return "skipped";
  }
  return "failed";
}

}  // namespace raidscope
