#include <array>

#include "probe/source.h"
#include "probe/sources/sysfs/smart_array.h"

namespace raidscope {

extern const Source source_hpsa_sysfs;

namespace {

constexpr std::array<std::string_view, 4> host_extras{"transport_mode", "legacy_board",
                                                      "resettable", "hp_ssd_smart_path_status"};

FactSet collect(const Host& host) {
  return sysfs::collect_smart_arrays(host, {"hpsa", "firmware_revision", "hp_ssd_smart_path_status",
                                            "hp_ssd_smart_path_enabled", "", host_extras});
}

}  // namespace

const Source source_hpsa_sysfs{"hpsa_sysfs", "Smart Arrays as the hpsa driver shows them",
                               PathName::sysfs, 0, collect};

}  // namespace raidscope
