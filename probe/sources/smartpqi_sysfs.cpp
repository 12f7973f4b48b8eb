#include <array>

#include "probe/source.h"
#include "probe/sources/sysfs/smart_array.h"

namespace raidscope {

extern const Source source_smartpqi_sysfs;

namespace {

constexpr std::array<std::string_view, 4> host_extras{"lockup_action", "enable_stream_detection",
                                                      "enable_r5_writes", "enable_r6_writes"};

FactSet collect(const Host& host) {
  return sysfs::collect_smart_arrays(
      host, {"smartpqi", "firmware_version", "", "ssd_smart_path_enabled", "raid_bypass_cnt",
             host_extras});
}

}  // namespace

const Source source_smartpqi_sysfs{"smartpqi_sysfs",
                                   "Smart Arrays as the smartpqi driver shows them",
                                   PathName::sysfs, 0, collect};

}  // namespace raidscope
