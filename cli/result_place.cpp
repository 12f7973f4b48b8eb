#include "cli/result_place.h"

#include <algorithm>

#include "controllers/inventory/fingerprint.h"
#include "probe/base/text.h"

namespace raidscope::cli {
namespace {

/// "/dev/sdb" is also that of its partition "/dev/sdb1", and not that of "/dev/sdba".
bool is_on_device(std::string_view target, const std::string& device) {
  if (device.empty() || !target.starts_with(device)) return false;
  target.remove_prefix(device.size());
  if (target.starts_with('p') && target.size() > 1 && text::is_digit(device.back()))
    target.remove_prefix(1);
  return std::all_of(target.begin(), target.end(), text::is_digit);
}

/// The number of Windows' raw disk in its device path, in Iometer's "PHYSICALDRIVE:1" and in
/// diskspd's "#1".
std::optional<std::int64_t> raw_disk_number(std::string_view name) {
  if (name.starts_with('#')) return text::to_integer(name.substr(1));
  constexpr std::string_view word = "physicaldrive";
  for (std::size_t at = 0; at + word.size() <= name.size(); ++at) {
    if (!text::iequals(name.substr(at, word.size()), word)) continue;
    name.remove_prefix(at + word.size());
    if (name.starts_with(':')) name.remove_prefix(1);
    return text::leading_integer(name);
  }
  return std::nullopt;
}

bool is_letter_path(std::string_view path) {
  return path.size() >= 2 && text::is_alpha(path[0]) && path[1] == ':';
}

/// How much of the target's path the mount point is; 0: the target is not below it.
std::size_t below(std::string_view target, std::string_view mount) {
  while (mount.size() > 1 && (mount.ends_with('/') || mount.ends_with('\\')))
    mount.remove_suffix(1);
  if (mount.empty() || target.size() < mount.size()) return 0;
  const std::string_view head = target.substr(0, mount.size());
  const bool same = is_letter_path(mount) ? text::iequals(head, mount) : head == mount;
  if (!same) return 0;
  const bool whole = target.size() == mount.size() || mount == "/" || target[mount.size()] == '/' ||
                     target[mount.size()] == '\\';
  return whole ? mount.size() : 0;
}

struct Best {
  TargetPlace place;
  std::size_t score = 0;
  void offer(const TargetPlace& candidate, std::size_t value) {
    if (value > score) *this = {candidate, value};
  }
};

template <class Drive>
std::size_t score_of(const Drive& drive, std::string_view device, std::string_view target) {
  if (is_on_device(target, std::string(device))) return 100'000;
  if (const auto disk = raw_disk_number(target); disk && raw_disk_number(device) == disk)
    return 100'000;
  if (target.starts_with("/dev/")) return 0;
  std::size_t score = 0;
  for (const auto& mount : drive.mount_points) score = std::max(score, below(target, mount));
  return score;
}

}  // namespace

Result<TargetPlace> place_of_result(const Arguments& arguments, const Inventory& inventory,
                                    const std::vector<std::string>& targets) {
  if (arguments.has("logical-drive")) return place_of_target(arguments, inventory, {});
  const std::vector<DriveRef> drives = all_logical_drives(inventory);
  Best best;
  if (!targets.empty()) {
    const std::string& target = targets.front();
    for (const DriveRef& ref : drives) {
      best.offer({ref.controller, ref.array, ref.drive, nullptr},
                 score_of(*ref.drive, ref.drive->device.value_or(""), target));
    }
    for (const BlockDevice& device : inventory.block_devices) {
      best.offer({nullptr, nullptr, nullptr, &device}, score_of(device, device.path, target));
    }
  }
  if (best.score != 0) return best.place;
  // A captured inventory of one drive: nothing else can be meant. On this machine, where every disk
  // is listed, a target that none of them holds is unknown.
  if (arguments.has("inventory") && drives.size() == 1)
    return TargetPlace{drives[0].controller, drives[0].array, drives[0].drive, nullptr};
  return TargetPlace{};
}

void name_place(TargetInfo& target, const TargetPlace& place) {
  if (place.controller == nullptr) return;
  target.controller =
      place.controller->slot ? place.controller->slot : place.controller->pci_address;
  if (place.drive != nullptr) target.logical_drive = place.drive->number;
}

SnapshotRef reference_to(const Inventory& inventory, const TargetPlace& place, std::string id) {
  SnapshotRef ref{std::move(id), "", ""};
  if (place.controller != nullptr) {
    ref.fingerprint =
        place.drive != nullptr ? place.drive->fingerprint : place.controller->fingerprint;
    ref.tag = place.drive != nullptr ? place.drive->tag : place.controller->tag;
  } else if (place.device != nullptr) {
    ref.fingerprint = fingerprint(inventory, *place.device);
    ref.tag = tag(*place.device);
  }
  return ref;
}

}  // namespace raidscope::cli
