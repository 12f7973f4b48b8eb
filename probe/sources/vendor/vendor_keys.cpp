#include "probe/sources/vendor/vendor_keys.h"

#include <cstring>
#include <memory>
#include <vector>

#include "probe/base/text.h"

namespace raidscope::vendor {

namespace {

static_assert(vendor_attributes.size() < no_attribute);

template <EntityKind kind>
struct On {
  static consteval KeyRule typed(std::string_view key, How how, std::string_view attribute,
                                 bool after_battery = false) {
    return {kind, key, how, attribute_index(kind, attribute), after_battery};
  }
  static consteval KeyRule extra(std::string_view key, bool after_battery = false) {
    return {kind, key, How::extra, no_attribute, after_battery};
  }
  static consteval KeyRule special(std::string_view key, How how) {
    return {kind, key, how, no_attribute, false};
  }
};
using C = On<EntityKind::controller>;
using A = On<EntityKind::array>;
using L = On<EntityKind::logical_drive>;
using D = On<EntityKind::physical_drive>;
using E = On<EntityKind::enclosure>;
using P = On<EntityKind::port>;
using S = On<EntityKind::sensor>;
constexpr bool behind_battery = true;

// One row for each object that prints the key. A key that stands here without an attribute is
// "known": it tells which object a line belongs to when indentation does not.
constexpr KeyRule key_rules[] = {
    C::extra("Bus Interface"),
    C::special("Slot", How::slot),
    C::typed("Serial Number", How::text, "serial"),
    C::typed("Cache Serial Number", How::text, "cache.serial"),
    C::typed("RAID 6 (ADG) Status", How::setting, "settings.raid_6_status"),
    C::typed("RAID 6 Status", How::setting, "settings.raid_6_status"),
    C::typed("Controller Status", How::status, "status"),
    C::extra("Hardware Revision"),
    C::extra("Chassis Slot"),
    C::typed("Firmware Version", How::firmware, "firmware"),
    C::extra("RAID Stack Version"),
    C::extra("HBA Firmware Version"),
    C::extra("HBA Mode Option ROM Version"),
    C::extra("Option ROM Version"),
    C::extra("Firmware Supports Online Firmware Activation"),
    C::extra("Driver Supports Online Firmware Activation"),
    C::extra("Firmware Supports NAND Field"),
    C::extra("Firmware Supports NOR Field"),
    C::extra("Firmware Supports NVMe Log Pages"),
    C::typed("Rebuild Priority", How::setting, "settings.rebuild_priority"),
    C::typed("Expand Priority", How::setting, "settings.expand_priority"),
    C::typed("Surface Scan Delay", How::integer, "settings.surface_scan_delay_s"),
    C::typed("Surface Scan Mode", How::setting, "settings.surface_scan_mode"),
    C::typed("Parallel Surface Scan Supported", How::setting, "settings.parallel_surface_scan"),
    C::extra("Current Parallel Surface Scan Count"),
    C::extra("Max Parallel Surface Scan Count"),
    C::extra("Surface Scan Completion Supported"),
    C::typed("Queue Depth", How::setting, "settings.queue_depth"),
    C::typed("Monitor and Performance Delay", How::integer,
             "settings.monitor_and_performance_delay_min"),
    C::typed("Elevator Sort", How::setting, "settings.elevator_sort"),
    C::typed("Degraded Performance Optimization", How::setting,
             "settings.degraded_performance_optimization"),
    C::typed("Inconsistency Repair Policy", How::setting, "settings.inconsistency_repair_policy"),
    C::typed("Write Cache Bypass Threshold Size", How::bytes, "cache.write_bypass_threshold_bytes"),
    C::typed("Wait for Cache Room", How::setting, "settings.wait_for_cache_room"),
    C::typed("Surface Analysis Inconsistency Notification", How::setting,
             "settings.surface_analysis_notification"),
    C::typed("Raid1 Write Buffering", How::setting, "settings.raid1_write_buffering"),
    C::typed("Post Prompt Timeout", How::integer, "settings.post_prompt_timeout_s"),
    C::typed("Cache Board Present", How::cache_board, "cache.present"),
    C::typed("Cache Status", How::cache_status, "cache.status"),
    C::typed("Cache Status Details", How::text, "cache.details"),
    C::typed("Cache Disable Reason", How::text, "cache.disable_reason"),
    C::special("Cache Ratio", How::cache_ratio),
    C::special("Accelerator Ratio", How::cache_ratio),
    C::extra("Read Cache Size"),
    C::extra("Write Cache Size"),
    C::typed("Drive Write Cache", How::drive_write_cache, "drive_write_cache"),
    C::typed("Configured Drive Write Cache Policy", How::drive_write_cache_policy,
             "settings.configured_drive_write_cache_policy"),
    C::typed("Unconfigured Drive Write Cache Policy", How::setting,
             "settings.unconfigured_drive_write_cache_policy"),
    C::typed("HBA Drive Write Cache Policy", How::setting, "settings.hba_drive_write_cache_policy"),
    C::typed("Total Cache Size", How::size_binary, "cache.size_bytes"),
    C::typed("Total Cache Memory Available", How::size_binary, "cache.available_bytes"),
    C::extra("Battery Backed Cache Size"),
    C::extra("Controller Memory Size"),
    C::typed("No-Battery Write Cache", How::switched, "cache.no_battery_write_cache"),
    C::extra("SSD Caching RAID5 WriteBack Enabled"),
    C::extra("SSD Caching Version"),
    C::typed("Cache Backup Power Source", How::backup_kind, "cache.backup.kind"),
    C::typed("Battery/Capacitor Count", How::backup_count, "cache.backup.count"),
    C::typed("Battery/Capacitor Status", How::backup_status, "cache.backup.status"),
    C::extra("Failed Battery Location"),
    C::typed("SATA NCQ Supported", How::setting, "settings.sata_ncq", behind_battery),
    C::extra("Spare Spindown Policy Supported", behind_battery),
    C::typed("Spare Activation Mode", How::text, "settings.spare_activation_mode", behind_battery),
    C::typed("Controller Temperature (C)", How::temperature, "temperature_c", behind_battery),
    C::typed("Cache Module Temperature (C)", How::temperature, "cache.temperature_c",
             behind_battery),
    C::typed("Capacitor Temperature (C)", How::temperature, "cache.capacitor_temperature_c",
             behind_battery),
    C::extra("Number of Ports", behind_battery),
    C::extra("Encryption", behind_battery),
    C::extra("Encryption Supported", behind_battery),
    C::extra("Encryption Login Status"),
    C::extra("Encryption Allow Plaintext Volumes"),
    C::extra("Encryption Key Management Mode"),
    C::extra("Encryption RTC SRAM Status"),
    C::extra("Encryption Master Key reset in Progress"),
    C::extra("Encryption Local Key Cache Enabled"),
    C::extra("Encryption Crypto Officer Password"),
    C::extra("Encryption User Password"),
    C::extra("Encryption License Installed"),
    C::extra("Encryption FW Locked for Update"),
    C::extra("Encryption Controller Password"),
    C::extra("Encryption Local Key Cache Supported"),
    C::extra("Encryption Controller Locked"),
    C::extra("Encryption Has Suspended Controller Password"),
    C::extra("Encryption Controller Password Unlock Attempts Remaining"),
    C::extra("Encryption Logical Drive(s) Locked For Missing Controller Password"),
    C::extra("Encryption Password Recovery Parameters Set"),
    C::extra("Encryption Master Key"),
    C::extra("Encryption Remote Mode Master Key Mismatch"),
    C::extra("Encryption/HP SSD Smart Path Mixing Supported"),
    C::extra("Encryption/HP SmartCache Mixing Supported"),
    C::extra("Express Local Encryption"),
    C::typed("Driver Name", How::text, "driver.name", behind_battery),
    C::typed("Driver Version", How::text, "driver.version", behind_battery),
    C::typed("Driver Supports HP SSD Smart Path", How::truth, "smart_path.driver_supports",
             behind_battery),
    C::typed("Driver Supports HPE SSD Smart Path", How::truth, "smart_path.driver_supports",
             behind_battery),
    C::typed("Driver Supports SSD Smart Path", How::truth, "smart_path.driver_supports",
             behind_battery),
    C::typed("Driver Supports Smart Path", How::truth, "smart_path.driver_supports",
             behind_battery),
    C::typed("Driver Supports SSD I/O Bypass", How::truth, "smart_path.driver_supports",
             behind_battery),
    C::typed("PCI Address (Domain:Bus:Device.Function)", How::pci_address, "pci_address"),
    C::extra("I2C Address"),
    C::extra("Negotiated PCIe Data Rate"),
    C::typed("Controller Mode", How::mode, "mode"),
    C::extra("Controller Mode Reboot"),
    C::typed("HBA Mode Enabled", How::hba_mode_enabled, "mode"),
    C::typed("Pending Controller Mode", How::setting, "settings.pending_controller_mode"),
    C::extra("Port Max Phy Rate Limiting Supported"),
    C::typed("Latency Scheduler Setting", How::setting, "settings.latency_scheduler"),
    C::typed("Current Power Mode", How::text, "settings.power_mode"),
    C::typed("Survival Mode", How::setting, "settings.survival_mode"),
    C::extra("Host Serial Number"),
    C::extra("Sanitize Erase Supported"),
    C::extra("Sanitize Lock"),
    C::extra("SED Encryption"),
    C::extra("SED Based Encryption Supported"),
    C::extra("UEFI Health Reporting Mode Supported"),
    C::extra("Persistent Event Log Policy Change Supported"),
    C::extra("SPDM Supports Get Controller Info"),
    C::extra("SPDM Supports Get Slot Certificate Chain"),
    C::extra("SPDM Supports Get Slot Info"),
    C::extra("SPDM Supports Set Import Certificate"),
    C::extra("SPDM Supports Set Invalidate Slot"),
    C::extra("WWN Port"),
    C::extra("Primary Boot Volume"),
    C::extra("Secondary Boot Volume"),
    C::extra("Days in Demo License"),
    C::extra("Feature Name"),
    C::extra("Key Created"),
    C::extra("Key Installed"),
    C::extra("Key Version"),
    C::extra("License Type"),

    A::typed("Interface Type", How::interface, "interface"),
    A::typed("Unused Space", How::bytes, "unused_bytes"),
    A::extra("Used Space"),
    A::typed("Status", How::status, "status"),
    A::extra("MultiDomain Status"),
    A::extra("Array Type"),
    A::typed("HP SSD Smart Path", How::enabled, "smart_path"),
    A::typed("HPE SSD Smart Path", How::enabled, "smart_path"),
    A::typed("SSD Smart Path", How::enabled, "smart_path"),
    A::typed("Smart Path", How::enabled, "smart_path"),
    A::typed("I/O Bypass", How::enabled, "smart_path"),
    A::typed("SSD I/O Bypass", How::enabled, "smart_path"),
    A::extra("Spare Type"),

    L::typed("Size", How::size_binary, "size_bytes"),
    L::typed("Fault Tolerance", How::raid, "raid"),
    L::extra("Heads"),
    L::extra("Sectors Per Track"),
    L::extra("Cylinders"),
    L::typed("Strip Size", How::bytes, "strip_bytes"),
    L::typed("Stripe Size", How::bytes, "strip_bytes"),
    L::typed("Full Stripe Size", How::bytes, "full_stripe_bytes"),
    L::typed("Status", How::status, "status"),
    L::typed("Unrecoverable Media Errors", How::setting, "media_errors"),
    L::extra("MultiDomain Status"),
    L::typed("Caching", How::enabled, "caching"),
    L::typed("Array Accelerator", How::enabled, "caching"),
    L::extra("Caching Association"),
    L::typed("Parity Initialization Status", How::parity_init, "parity_init"),
    L::typed("Parity Initialization Progress", How::percent, "parity_progress_pct"),
    L::extra("Number of Parity Groups"),
    L::typed("Unique Identifier", How::text, "unique_id"),
    L::typed("Disk Name", How::text, "device"),
    L::typed("Mount Points", How::mount_points, "mount_points"),
    L::extra("Boot Volume"),
    L::extra("OS Status"),
    L::typed("Logical Drive Label", How::text, "label"),
    L::extra("Drive Type"),
    L::typed("LD Acceleration Method", How::acceleration, "acceleration"),
    L::extra("Last Surface Scan Completed"),
    L::extra("Last Surface Scan Completion Timestamp"),
    L::extra("Last Surface Scan Duration"),

    D::extra("Port"),
    D::extra("Box"),
    D::extra("Bay"),
    D::extra("ID"),
    D::typed("Status", How::status, "status"),
    D::typed("Drive Type", How::role, "role"),
    D::typed("Interface Type", How::interface, "interface"),
    D::typed("Size", How::size_decimal, "size_bytes"),
    D::extra("Drive exposed to OS"),
    D::extra("Native Block Size"),
    D::extra("Logical/Physical Block Size"),
    D::typed("Rotational Speed", How::rpm, "rpm"),
    D::typed("Firmware Revision", How::drive_firmware, "firmware"),
    D::typed("Serial Number", How::text, "serial"),
    D::typed("WWID", How::text, "wwid"),
    D::typed("Model", How::model, "model"),
    D::extra("SATA NCQ Capable"),
    D::extra("SATA NCQ Enabled"),
    D::typed("Current Temperature (C)", How::temperature, "temperature_c"),
    D::typed("Maximum Temperature (C)", How::temperature, "temperature_max_c"),
    D::extra("SSD Smart Trip Wearout"),
    D::typed("Usage remaining", How::percent, "wear_remaining_pct"),
    D::typed("Power On Hours", How::integer, "power_on_hours"),
    D::extra("Estimated Life Remaining based on workload to date"),
    D::extra("PHY Count"),
    D::typed("PHY Transfer Rate", How::rates, "phy_rates_gbps"),
    D::extra("PHY Physical Link Rate"),
    D::typed("PHY Maximum Link Rate", How::rates, "phy_max_gbps"),
    D::typed("Drive Authentication Status", How::setting, "authentication"),
    D::extra("Carrier Application Version"),
    D::extra("Carrier Bootloader Version"),
    D::extra("Sanitize Erase Supported"),
    D::extra("Sanitize Estimated Max Erase Time"),
    D::extra("Unrestricted Sanitize Supported"),
    D::extra("Sanitize Anti-Freeze Lock Supported"),
    D::extra("Sanitize Freeze Lock Supported"),
    D::extra("Sanitize Lock"),
    D::extra("Shingled Magnetic Recording Support"),
    D::extra("Drive Unique ID"),
    D::extra("Multi-Actuator Drive"),
    D::extra("Self Encrypting Drive"),
    D::extra("Write Cache Status"),
    D::typed("Disk Name", How::text, "device"),
    D::typed("Mount Points", How::mount_points, "mount_points"),
    D::typed("Last Failure Reason", How::text, "last_failure_reason"),
    D::extra("Erase Pattern"),
    D::typed("Erase Percent Complete", How::whole_percent, "progress_pct"),

    E::typed("Fan Status", How::status, "fan_status"),
    E::typed("Temperature Status", How::status, "temperature_status"),
    E::typed("Power Supply Status", How::status, "power_supply_status"),
    E::typed("Vendor ID", How::text, "vendor"),
    E::typed("Serial Number", How::text, "serial"),
    E::typed("Firmware Version", How::firmware, "firmware"),
    E::extra("Hardware Revision"),
    E::typed("Drive Bays", How::integer, "drive_bays"),
    E::typed("Port", How::text, "port"),
    E::typed("Box", How::text, "box"),
    E::typed("Location", How::text, "location"),
    E::extra("Device Number"),
    E::typed("WWID", How::text, "wwid"),
    E::typed("Model", How::text, "model"),
    E::extra("SEP"),
    E::extra("SEP Zoning"),
    E::extra("Backplane Module (BPM)"),
    E::extra("Fan Control Module (FCM)"),
    E::extra("Health Monitor Module (HMM)"),
    E::extra("Seven Segment LED Display"),
    E::extra("Backplane 1 Board Serial Number"),
    E::extra("Backplane 1 Part Number"),
    E::extra("Backplane 1 Serial Number"),
    E::extra("Backplane 1 Spare Part Number"),
    E::extra("Backplane 1 System SKU"),
    E::extra("IO Module Board Serial Number"),
    E::extra("IO Module Part Number"),
    E::extra("IO Module Serial Number"),
    E::extra("IO Module Spare Part Number"),

    P::extra("Port ID"),
    P::extra("Port Connection Number"),
    P::extra("SAS Address"),
    P::extra("Port Location"),
    P::typed("Port Mode", How::text, "mode"),
    P::extra("Port Phy Count"),
    P::extra("Managed Cable Connected"),
    P::extra("Managed Cable Length"),
    P::extra("Managed Cable Part Number"),
    P::extra("Managed Cable Serial Number"),

    S::typed("Location", How::text, "location"),
    S::typed("Current Value (C)", How::temperature, "current_c"),
    S::typed("Max Value Since Power On", How::temperature, "max_c"),
};

std::uint64_t hash_of(std::string_view s) noexcept {
  std::uint64_t h = s.size() * 0x9E3779B97F4A7C15ull;
  const char* p = s.data();
  std::size_t n = s.size();
  for (; n >= 8; n -= 8, p += 8) {
    std::uint64_t chunk = 0;
    std::memcpy(&chunk, p, 8);
    h = (h ^ chunk) * 0xFF51AFD7ED558CCDull;
    h ^= h >> 32;
  }
  std::uint64_t tail = 0;
  std::memcpy(&tail, p, n);
  h = (h ^ tail) * 0xC4CEB9FE1A85EC53ull;
  return h ^ (h >> 29);
}

class KeyTable {
 public:
  KeyTable() {
    keys_.reserve(std::size(key_rules));
    slots_.fill(empty);
    for (const KeyRule& rule : key_rules) {
      KnownKey& known = add(rule.key);
      known.kinds = static_cast<std::uint8_t>(known.kinds | bit(rule.kind));
      known.rules[static_cast<std::size_t>(rule.kind)] = &rule;
    }
    for (const KnownKey& known : keys_) longest_ = std::max(longest_, known.key.size());
  }

  const KnownKey* find(std::string_view key) const noexcept {
    if (key.size() > longest_) return nullptr;
    for (std::size_t i = hash_of(key) & mask;; i = (i + 1) & mask) {
      if (slots_[i] == empty) return nullptr;
      if (keys_[slots_[i]].key == key) return &keys_[slots_[i]];
    }
  }

 private:
  static constexpr std::uint16_t empty = 0xFFFF;
  static constexpr std::size_t mask = 1023;
  static_assert(std::size(key_rules) < 700, "the hash table must stay sparse");

  KnownKey& add(std::string_view key) {
    std::size_t i = hash_of(key) & mask;
    while (slots_[i] != empty) {
      if (keys_[slots_[i]].key == key) return keys_[slots_[i]];
      i = (i + 1) & mask;
    }
    slots_[i] = static_cast<std::uint16_t>(keys_.size());
    keys_.push_back({key});
    return keys_.back();
  }

  std::vector<KnownKey> keys_;
  std::array<std::uint16_t, mask + 1> slots_{};
  std::size_t longest_ = 0;
};

}  // namespace

const KnownKey* find_key(std::string_view key) noexcept {
  static const KeyTable table;
  bool runs = false;
  for (std::size_t i = 1; i < key.size(); ++i) {
    if (text::is_blank(key[i]) && (key[i] == '\t' || text::is_blank(key[i - 1]))) {
      runs = true;
      break;
    }
  }
  if (!runs) return table.find(key);
  char packed[128];
  std::size_t n = 0;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (text::is_blank(key[i])) {
      if (n > 0 && packed[n - 1] == ' ') continue;
      if (n == sizeof packed) return nullptr;
      packed[n++] = ' ';
    } else {
      if (n == sizeof packed) return nullptr;
      packed[n++] = key[i];
    }
  }
  return table.find(std::string_view(packed, n));
}

}  // namespace raidscope::vendor
