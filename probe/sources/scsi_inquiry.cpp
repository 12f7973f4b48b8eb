#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "probe/base/emulated_mark.h"
#include "probe/base/scsi.h"
#include "probe/source.h"
#include "probe/sources/sysfs/disks.h"
#include "probe/sources/sysfs/reading.h"
#include "probe/sources/sysfs/smart_array.h"

namespace raidscope {

extern const Source source_scsi_inquiry;

namespace {

using Bytes = std::vector<std::byte>;

/// What the drivers themselves ask for of a vendor page.
constexpr std::uint16_t vendor_page_bytes = 64;
constexpr std::uint16_t vpd_bytes = 252;

/// Asks devices and remembers what could not be asked. The kernel has read INQUIRY and the common
/// pages already, so that a command is sent only for what sysfs does not have.
class Asker {
 public:
  explicit Asker(const Host& host) : host_(host) {}

  Bytes inquiry(const std::string& dir, const std::string& node, const std::string& scsi_host) {
    Bytes known = sysfs::bytes(host_.files, dir + "/inquiry");
    return known.size() >= 36 ? known : ask(node, scsi_host, scsi::standard_inquiry_cdb(96), 96);
  }
  /// Pages that the device lists; empty when it lists none or could not be asked.
  std::vector<std::uint8_t> pages(const std::string& dir, const std::string& node,
                                  const std::string& scsi_host) {
    Bytes known = sysfs::bytes(host_.files, dir + "/vpd_pg0");
    if (known.empty()) known = ask(node, scsi_host, scsi::vpd_cdb(0x00, vpd_bytes), vpd_bytes);
    return scsi::decode_vpd_list(known);
  }
  Bytes page(std::uint8_t number, std::uint16_t size, const std::string& node,
             const std::string& scsi_host) {
    return ask(node, scsi_host, scsi::vpd_cdb(number, size), size);
  }

  /// No more commands to anything behind this SCSI host.
  void stop(const std::string& scsi_host) { stopped_.insert(scsi_host); }

  [[nodiscard]] const std::optional<Error>& refused() const { return refused_; }
  [[nodiscard]] const std::optional<Error>& failed() const { return failed_; }
  [[nodiscard]] bool not_live() const { return not_live_; }

 private:
  Bytes ask(const std::string& node, const std::string& scsi_host, const scsi::Cdb6& cdb,
            std::size_t size) {
    if (node.empty() || stopped_.contains(scsi_host)) return {};
    auto reply = host_.scsi.read(node, cdb, size);
    if (reply) return *std::move(reply);
    switch (reply.error().code) {
      case Errc::unsupported:
        break;  // the device knows no such page: absent, not failed
      case Errc::not_found:
        not_live_ = true;
        break;
      case Errc::permission:
        refused_ = std::move(reply).error();
        stop(scsi_host);
        break;
      default:
        // One lost command is enough: the next would wait as long.
        failed_ = std::move(reply).error();
        stop(scsi_host);
    }
    return {};
  }

  const Host& host_;
  std::set<std::string> stopped_;
  std::optional<Error> refused_, failed_;
  bool not_live_ = false;
};

/// The vendor's own bytes are kept only where they are the lab's mark: others have serial numbers
/// there.
bool is_emulated(const scsi::Inquiry& told) {
  return told.vendor_specific.starts_with(emulated_mark);
}
std::string inquiry_words(const scsi::Inquiry& told) {
  std::string out = fmt::format("{} {} {}", told.vendor, told.product, told.revision);
  if (is_emulated(told)) out += fmt::format(" {}", emulated_mark);
  return out;
}

std::string page_list(const std::vector<std::uint8_t>& pages) {
  std::string out;
  for (const auto page : pages) out += fmt::format("{}{:02X}", out.empty() ? "" : " ", page);
  return out;
}

std::string hex(const Bytes& page) {
  std::string out;
  for (const std::byte b : page) out += fmt::format("{:02x}", std::to_integer<unsigned>(b));
  return out;
}

bool lists(const std::vector<std::uint8_t>& pages, std::uint8_t page) {
  return std::find(pages.begin(), pages.end(), page) != pages.end();
}

void tell_logical_drive(FactSet& set, EntityId controller, const sysfs::ScsiNode& node,
                        const Host& host, Asker& asker) {
  const EntityId id = sysfs::add_logical_drive(set, controller, node, host.files);
  // Only through the disk's own node; a volume without one is not ready for commands.
  const std::string devnode = node.disk ? node.disk->path : "";
  const std::string scsi_host(sysfs::scsi_host_name(node.dir));
  if (const auto told = scsi::decode_inquiry(asker.inquiry(node.dir, devnode, scsi_host))) {
    set.extras.push_back({id, "INQUIRY", inquiry_words(*told), 0});
  }
  const auto pages = asker.pages(node.dir, devnode, scsi_host);
  if (!pages.empty()) set.extras.push_back({id, "VPD pages", page_list(pages), 0});
  // What these say of a volume is not the drives' (smart-array-linux.md §2.4): kept, not read.
  for (const std::uint8_t number : std::to_array<std::uint8_t>({0xB0, 0xB1, 0xB2})) {
    if (!lists(pages, number)) continue;
    Bytes page = sysfs::bytes(host.files, fmt::format("{}/vpd_pg{:x}", node.dir, number));
    if (page.empty()) page = asker.page(number, vendor_page_bytes, devnode, scsi_host);
    if (!page.empty()) set.extras.push_back({id, fmt::format("VPD {:02X}", number), hex(page), 0});
  }
  // A page that is not in the list is not asked for: some firmware answers with other data.
  if (lists(pages, 0xC1)) {
    const auto level =
        scsi::decode_fault_tolerance(asker.page(0xC1, vendor_page_bytes, devnode, scsi_host));
    if (level) sysfs::tell_raid_level(set, id, sysfs::raid_level_of_fault_tolerance(*level));
  }
  if (lists(pages, 0xC2)) {
    const auto bits =
        scsi::decode_smart_path(asker.page(0xC2, vendor_page_bytes, devnode, scsi_host));
    if (bits) {
      // The bit is the array's switch, told for each of its drives.
      set.tell(id, "smart_path.array_setting",
               std::string(bits->configured ? "enabled" : "disabled"));
      set.tell(id, "smart_path.firmware_configured", bits->configured);
      set.tell(id, "smart_path.firmware_enabled", bits->enabled);
    }
  }
  if (lists(pages, 0xC3)) {
    const auto volume =
        scsi::decode_volume_status(asker.page(0xC3, vendor_page_bytes, devnode, scsi_host));
    if (volume) {
      const auto name = scsi::volume_status_name(volume->status);
      if (!name.empty()) set.tell(id, "status", std::string(name));
      set.extras.push_back({id, "volume status", fmt::format("{}", volume->status), 0});
      if (volume->offline) set.extras.push_back({id, "volume offline", "yes", 0});
    }
  }
}

/// VPD 0x80 of a logical drive is the controller's serial number, the same for all of them. Nothing
/// where they differ: then it is not.
std::optional<std::string> controller_serial(const sysfs::SmartArrayHost& controller,
                                             const FileTree& files) {
  std::optional<std::string> common;
  for (const auto& node : controller.nodes) {
    if (node.role != sysfs::ScsiRole::logical_drive) continue;
    auto serial = scsi::decode_unit_serial(sysfs::bytes(files, node.dir + "/vpd_pg80"));
    if (serial.empty()) continue;
    if (common && *common != serial) return std::nullopt;
    common = std::move(serial);
  }
  return common;
}

void tell_controller(FactSet& set, const sysfs::SmartArrayHost& controller, const Host& host,
                     Asker& asker) {
  const EntityId id = sysfs::add_controller(set, controller, host.files);
  if (controller.locked_up()) {
    asker.stop(std::string(sysfs::base_name(controller.dir)));
    set.notes.push_back(
        {0, fmt::format("controller {} has locked up (code {}): no SCSI command is sent to it",
                        controller.pci_address, controller.lockup)});
  }
  if (const auto* const self = controller.self()) {
    const std::string scsi_host(sysfs::scsi_host_name(self->dir));
    if (const auto told =
            scsi::decode_inquiry(asker.inquiry(self->dir, self->sg_node, scsi_host))) {
      set.tell(id, "model", sysfs::product_word(told->product));
      set.tell(id, "vendor", told->vendor);
      if (!told->revision.empty()) set.tell(id, "firmware", told->revision);
      if (is_emulated(*told)) set.extras.push_back({id, "INQUIRY", inquiry_words(*told), 0});
    }
  }
  sysfs::tell(set, id, "serial", controller_serial(controller, host.files));
  for (const auto& node : controller.nodes) {
    if (node.role == sysfs::ScsiRole::logical_drive) {
      tell_logical_drive(set, id, node, host, asker);
    }
  }
}

/// A disk that is no Smart Array's: what SCSI says of it.
void tell_plain_disk(FactSet& set, const sysfs::Disk& disk, const std::string& dir,
                     const Host& host, Asker& asker) {
  const std::string scsi_host(sysfs::scsi_host_name(dir));
  const auto told = scsi::decode_inquiry(asker.inquiry(dir, disk.path, scsi_host));
  if (!told) return;
  const EntityId id = set.add(EntityKind::block_device, machine_entity, disk.path);
  set.tell(id, "path", disk.path);
  // The ATA translation layer cuts model and firmware; the disk's own words are longer.
  if (told->vendor != "ATA") {
    if (!told->vendor.empty()) set.tell(id, "vendor", told->vendor);
    if (!told->product.empty()) set.tell(id, "model", told->product);
    if (!told->revision.empty()) set.tell(id, "firmware", told->revision);
  }
  Bytes serial = sysfs::bytes(host.files, dir + "/vpd_pg80");
  Bytes identity = sysfs::bytes(host.files, dir + "/vpd_pg83");
  if (serial.empty() && identity.empty()) {
    const auto pages = asker.pages(dir, disk.path, scsi_host);
    if (lists(pages, 0x80)) serial = asker.page(0x80, vpd_bytes, disk.path, scsi_host);
    if (lists(pages, 0x83)) identity = asker.page(0x83, vpd_bytes, disk.path, scsi_host);
  }
  auto serial_text = scsi::decode_unit_serial(serial);
  if (!serial_text.empty() && !sysfs::is_raid_volume(host.files, disk)) {
    set.tell(id, "serial", std::move(serial_text));
  }
  auto naa = scsi::decode_naa(identity);
  if (!naa.empty()) set.tell(id, "wwid", std::move(naa));
  // The disk's own word on its platters; the kernel's `rotational` may have been set by hand, and
  // is 1 where a disk said nothing.
  if (!sysfs::is_raid_volume(host.files, disk)) {
    if (const auto rate = scsi::decode_rotation_rate(sysfs::bytes(host.files, dir + "/vpd_pgb1")))
      set.tell(id, "media", std::string(*rate == 1 ? "ssd" : "hdd"));
  }
}

FactSet collect(const Host& host) {
  FactSet set;
  const auto controllers = sysfs::find_smart_arrays(host, sysfs::smart_array_drivers);
  if (!controllers) {
    set.status = SourceStatus::failed;
    set.detail = describe(controllers.error());
    return set;
  }
  Asker asker(host);
  std::set<std::string> smart_array_disks;
  for (const auto& controller : *controllers) {
    tell_controller(set, controller, host, asker);
    for (const auto& node : controller.nodes) smart_array_disks.insert(node.dir);
  }
  const auto nodes = host.devices.enumerate("block").value_or(std::vector<DeviceNode>{});
  for (const auto& disk : sysfs::real_disks(host.files, nodes)) {
    if (!disk.name.starts_with("sd")) continue;
    const auto dir = host.files.resolve(disk.syspath + "/device");
    if (!dir || smart_array_disks.contains(*dir)) continue;
    tell_plain_disk(set, disk, *dir, host, asker);
  }
  if (asker.failed()) {
    set.status = SourceStatus::failed;
    set.detail = describe(*asker.failed());
  } else if (asker.refused()) {
    set.status = SourceStatus::skipped;
    set.detail = "SCSI commands need root, so only what the kernel has read already is told: " +
                 describe(*asker.refused());
  } else if (set.entities.size() == 1) {
    sysfs::found_none(set, host, "no SCSI disk and no Smart Array");
  } else if (asker.not_live()) {
    set.detail = "no SCSI command could be sent, so only what the kernel has read already is told";
  }
  return set;
}

}  // namespace

const Source source_scsi_inquiry{"scsi_inquiry",
                                 "INQUIRY and vital product data of SCSI disks and Smart Arrays",
                                 PathName::scsi, 10, collect};

}  // namespace raidscope
