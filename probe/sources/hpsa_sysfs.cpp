#include <array>

#include "probe/source.h"
#include "probe/sources/sysfs/smart_array.h"

namespace raidscope {

extern const Source source_hpsa_sysfs;

namespace {

/// The last four are those of the vendor's own build of the driver. What counts up by itself
/// (commands_outstanding, heartbeat) is no part of a configuration.
constexpr std::array<std::string_view, 8> host_extras{
    "transport_mode", "legacy_board",    "resettable",      "hp_ssd_smart_path_status",
    "ctlr_num",       "lockup_detector", "disk_rq_timeout", "lockup_action"};

FactSet collect(const Host& host) {
  return sysfs::collect_smart_arrays(host, {"hpsa", "firmware_revision", "hp_ssd_smart_path_status",
                                            "hp_ssd_smart_path_enabled", "", host_extras});
}

}  // namespace

const Source source_hpsa_sysfs{"hpsa_sysfs", "Smart Arrays as the hpsa driver shows them",
                               PathName::sysfs, 0, collect};

}  // namespace raidscope
