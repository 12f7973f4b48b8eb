#include <optional>
#include <string>
#include <string_view>

#include "probe/base/scsi.h"
#include "probe/source.h"
#include "probe/sources/sysfs/disks.h"
#include "probe/sources/sysfs/mounts.h"
#include "probe/sources/sysfs/reading.h"

namespace raidscope {

extern const Source source_block_queue;

namespace {

using sysfs::Disk;
using sysfs::integer;
using sysfs::text;
using OptionalText = std::optional<std::string>;

/// The chosen one of "mq-deadline [none] bfq"; a lone word is it.
OptionalText scheduler(const FileTree& files, const std::string& queue) {
  const auto choices = text(files, queue + "/scheduler");
  if (!choices) return std::nullopt;
  const auto open = choices->find('[');
  const auto close = choices->find(']');
  if (open != std::string::npos && close != std::string::npos && open < close) {
    return choices->substr(open + 1, close - open - 1);
  }
  return sysfs::words(*choices).size() == 1 ? choices : std::nullopt;
}

/// Of the nearest device above the disk that has one. -1 is the kernel's word for none.
std::optional<std::int64_t> numa_node(const FileTree& files, const Disk& disk) {
  auto device = files.resolve(disk.syspath + "/device");
  while (device && device->find('/') != std::string::npos) {
    if (const auto node = integer(files, *device + "/numa_node")) {
      return *node >= 0 ? node : std::nullopt;
    }
    device = device->substr(0, device->rfind('/'));
  }
  return std::nullopt;
}

/// udev writes unsafe characters as "\x20".
std::string unescape_udev(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && text[i + 1] == 'x') {
      if (const auto code = sysfs::to_integer("0x" + std::string(text.substr(i + 2, 2)))) {
        out += static_cast<char>(*code);
        i += 3;
        continue;
      }
    }
    out += text[i];
  }
  return std::string(sysfs::trim(out));
}

struct Identity {
  OptionalText model, vendor, serial, firmware, wwid;
};

Identity identity(const FileTree& files, const Disk& disk) {
  const std::string device = disk.syspath + "/device";
  Identity out;
  out.model = text(files, device + "/model");
  out.serial = text(files, device + "/serial");
  if (!out.serial) out.serial = text(files, disk.syspath + "/serial");  // virtio
  out.wwid = text(files, disk.syspath + "/wwid");                       // NVMe
  if (!out.wwid) out.wwid = text(files, device + "/wwid");
  if (!out.wwid) {
    const auto wwn = disk.property("ID_WWN_WITH_EXTENSION");
    out.wwid = wwn ? wwn : disk.property("ID_WWN");
  }
  if (out.wwid) out.wwid = sysfs::plain_wwid(*out.wwid);
  if (disk.name.starts_with("nvme")) {
    out.firmware = text(files, device + "/firmware_rev");
    return out;
  }
  if (disk.name.starts_with("mmcblk")) {
    out.model = text(files, device + "/name");
    return out;
  }
  out.firmware = text(files, device + "/rev");
  out.vendor = text(files, device + "/vendor");
  if (out.vendor && out.vendor->starts_with("0x")) out.vendor.reset();  // virtio: a number
  if (out.vendor == "ATA") {
    // No maker but the translation layer, which cuts the model to 16 and the firmware to 4 letters.
    out.vendor.reset();
    if (const auto whole = disk.property("ID_MODEL_ENC")) out.model = unescape_udev(*whole);
    if (const auto whole = disk.property("ID_REVISION")) out.firmware = whole;
    if (!out.serial) out.serial = disk.property("ID_SERIAL_SHORT");
  }
  // The unit serial number; a Smart Array gives its own there, the same for every logical drive.
  if (!out.serial && !sysfs::is_raid_volume(files, disk)) {
    const auto page = sysfs::bytes(files, device + "/vpd_pg80");
    auto serial = scsi::decode_unit_serial(page);
    if (!serial.empty()) out.serial = std::move(serial);
  }
  return out;
}

void tell_queue(FactSet& set, EntityId id, const FileTree& files, const Disk& disk) {
  const std::string queue = disk.syspath + "/queue";
  using sysfs::tell;
  tell(set, id, "block_device.scheduler", scheduler(files, queue));
  tell(set, id, "block_device.nr_requests", integer(files, queue + "/nr_requests"));
  tell(set, id, "block_device.queue_depth", integer(files, disk.syspath + "/device/queue_depth"));
  tell(set, id, "block_device.read_ahead_kb", integer(files, queue + "/read_ahead_kb"));
  if (const auto rotational = integer(files, queue + "/rotational")) {
    set.tell(id, "block_device.rotational", *rotational != 0);
  }
  tell(set, id, "block_device.write_cache", text(files, queue + "/write_cache"));
  tell(set, id, "block_device.logical_block_bytes", integer(files, queue + "/logical_block_size"));
  tell(set, id, "block_device.physical_block_bytes",
       integer(files, queue + "/physical_block_size"));
  tell(set, id, "block_device.max_sectors_kb", integer(files, queue + "/max_sectors_kb"));
  tell(set, id, "block_device.numa_node", numa_node(files, disk));
}

FactSet collect(const Host& host) {
  FactSet set;
  const FileTree& files = host.files;
  const auto nodes = host.devices.enumerate("block");
  if (!nodes) {
    set.status =
        nodes.error().code == Errc::not_found ? SourceStatus::absent : SourceStatus::failed;
    set.detail = describe(nodes.error());
    return set;
  }
  const sysfs::BlockStack stack(files, *nodes);
  for (const Disk& disk : sysfs::real_disks(files, *nodes)) {
    const auto size = sysfs::size_bytes(files, disk);
    if (!size) continue;  // a card reader without a card
    const EntityId id = set.add(EntityKind::block_device, machine_entity, disk.path);
    set.tell(id, "path", disk.path);
    Identity told = identity(files, disk);
    using sysfs::tell;
    tell(set, id, "model", std::move(told.model));
    tell(set, id, "vendor", std::move(told.vendor));
    tell(set, id, "serial", std::move(told.serial));
    tell(set, id, "firmware", std::move(told.firmware));
    tell(set, id, "wwid", std::move(told.wwid));
    tell(set, id, "transport", sysfs::transport(files, disk));
    tell(set, id, "size_bytes", size);
    tell(set, id, "media", sysfs::media(files, disk));
    set.tell(id, "mount_points", stack.mount_points(disk.name));
    tell_queue(set, id, files, disk);
  }
  return set;
}

}  // namespace

const Source source_block_queue{"block_queue", "every disk and its block layer settings",
                                PathName::host, 0, collect};

}  // namespace raidscope
