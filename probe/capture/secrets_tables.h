#pragma once

#include <string_view>
#include <vector>

#include "probe/capture/secrets.h"

/// Secrets in the tables of the kernel and of udev: names of devices, mount sources, properties.
/// Pure.
namespace raidscope::capture {

/// Names below /dev that say more than which device it is, wherever they stand in a text: links by
/// label, id, UUID (/dev/disk/by-…), of the device mapper, of md and of volume groups.
void place_device_names(std::string_view text, std::vector<Place>& out);

/// /proc/mounts and mountinfo: servers, pools and shares that are mounted, addresses and names
/// among the options, labels and UUIDs. A source is taken to name servers unless it is a path or
/// the file system has none (proc, tmpfs), so that it does not matter which types there are.
void place_mounts(std::string_view table, std::vector<Place>& out);

/// "E KEY=value" of a devices section, "KEY=value" of a uevent file.
void place_properties(std::string_view nodes, std::vector<Place>& out);

}  // namespace raidscope::capture
