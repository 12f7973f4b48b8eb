#include "controllers/inventory/fingerprint.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "controllers/inventory/fact_weight.h"
#include "controllers/inventory/fingerprinter.h"

namespace raidscope {
namespace {

constexpr std::size_t digits = 12;

void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

/// The performance facts of one object as a JSON object in the order of its fields.
template <class T>
std::string facts_json(const T& object) {
  std::string out = "{", path;
  facts::visit(object, path, FactWeight::performance,
               [&](std::string_view name, const auto& value, FactWeight weight) {
                 if (weight != FactWeight::performance) return;
                 if (out.size() > 1) out += ',';
                 append_json(out, name);
                 out += ':';
                 if (const auto text = facts::comparable(name, value)) {
                   append_json(out, *text);
                 } else {
                   out += "null";
                 }
               });
  return out += '}';
}

std::string finish(const std::string& body) {
  return sha256_hex(fmt::format("{{\"version\":{},{}}}", fingerprint_version, body))
      .substr(0, digits);
}

}  // namespace

Fingerprinter::Fingerprinter(const Inventory& inventory, const Controller& controller) {
  Text version = controller.driver.version;
  if (!version && controller.driver.name) {
    const auto& versions = inventory.host.driver_versions;
    if (const auto found = versions.find(*controller.driver.name); found != versions.end()) {
      version = found->second;
    }
  }
  if (version == controller.driver.version) {
    controller_part_ = facts_json(controller);
  } else {
    // Copies the controller's own fields alone: its arrays and drives are no part of this.
    Controller own;
    own.model = controller.model;
    own.firmware = controller.firmware;
    own.driver = {controller.driver.name, version};
    own.mode = controller.mode;
    own.status = controller.status;
    own.cache = controller.cache;
    own.drive_write_cache = controller.drive_write_cache;
    own.smart_path = controller.smart_path;
    own.settings = controller.settings;
    controller_part_ = facts_json(own);
  }
}

std::string Fingerprinter::of_controller() const {
  return finish("\"controller\":" + controller_part_);
}

std::string Fingerprinter::of_drive(const std::string& array_part,
                                    const LogicalDrive& drive) const {
  return finish(fmt::format("\"controller\":{},\"array\":{},\"logical_drive\":{}", controller_part_,
                            array_part, facts_json(drive)));
}

std::string Fingerprinter::array_part(const Array* array) {
  if (array == nullptr) return "null";
  std::vector<std::string> drives;
  drives.reserve(array->physical_drives.size());
  for (const PhysicalDrive& drive : array->physical_drives) drives.push_back(facts_json(drive));
  std::sort(drives.begin(), drives.end());
  return fmt::format("{{\"facts\":{},\"drives\":[{}]}}", facts_json(*array),
                     fmt::join(drives, ","));
}

std::string fingerprint(const Inventory& inventory, const Controller& controller,
                        const Array* array, const LogicalDrive* drive) {
  const Fingerprinter fingerprinter(inventory, controller);
  if (drive == nullptr) return fingerprinter.of_controller();
  return fingerprinter.of_drive(Fingerprinter::array_part(array), *drive);
}

std::string fingerprint(const Inventory&, const BlockDevice& device) {
  return finish("\"block_device\":" + facts_json(device));
}

}  // namespace raidscope
