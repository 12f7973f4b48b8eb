#include "cli/checkup.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "probe/sources/sysfs/reading.h"
#include "probe/sources/sysfs/smart_array.h"

namespace raidscope::cli {
namespace {

/// linux/capability.h.
constexpr unsigned cap_sys_rawio = 17;
constexpr unsigned cap_sys_admin = 21;

struct Capabilities {
  bool known = false;
  std::uint64_t bits = 0;
  [[nodiscard]] bool has(unsigned bit) const { return known && ((bits >> bit) & 1U) != 0; }
};

Capabilities capabilities(const FileTree& files) {
  const std::string status = sysfs::text(files, "proc/self/status").value_or("");
  for (const auto line : sysfs::lines(status)) {
    if (!line.starts_with("CapEff:")) continue;
    const auto hex = sysfs::trim(line.substr(7));
    Capabilities out;
    out.known =
        std::from_chars(hex.data(), hex.data() + hex.size(), out.bits, 16).ec == std::errc{};
    return out;
  }
  return {};
}

class CheckUp {
 public:
  CheckUp(const Host& host, const Surroundings& surroundings)
      : host_(host), around_(surroundings), capabilities_(capabilities(host.files)) {
    if (auto found = sysfs::find_smart_arrays(host, sysfs::smart_array_drivers))
      controllers_ = std::move(*found);
    any_smart_array_ = !controllers_.empty() || sysfs::smart_array_on_pci(host).value_or(false) ||
                       !sysfs::names(host.files, "proc/driver/cciss").empty();
  }

  std::vector<Check> run() {
    controller();
    driver();
    vendor_tool();
    sg_module();
    privilege();
    pass_through();
    udev();
    engines();
    return std::move(out_);
  }

 private:
  void add(std::string id, std::string what, Health health, std::string found,
           std::string costs = {}, std::string get = {}) {
    out_.push_back({std::move(id), std::move(what), health, std::move(found), std::move(costs),
                    std::move(get)});
  }
  [[nodiscard]] Health lack() const {
    return any_smart_array_ ? Health::missing : Health::unneeded;
  }

  void controller() {
    if (!controllers_.empty()) {
      std::vector<std::string> places;
      bool locked = false;
      for (const auto& one : controllers_) {
        places.push_back(fmt::format("{} ({}{})", one.pci_address, one.driver,
                                     one.locked_up() ? ", LOCKED UP" : ""));
        locked = locked || one.locked_up();
      }
      add("controller", "Smart Array controllers", locked ? Health::limited : Health::ok,
          fmt::format("{}", fmt::join(places, ", ")),
          locked ? "a controller that locked up answers nothing" : "",
          locked ? "restart the machine, and update the controller's firmware" : "");
      return;
    }
    if (sysfs::shows_no_devices(host_)) {
      add("controller", "Smart Array controllers", Health::limited,
          "unknown: " + std::string(sysfs::no_devices_shown),
          "whether there is a controller cannot be seen",
          "mount /sys, or name with --sysroot the folder that holds the machine's sys and proc");
      return;
    }
    const bool on_bus = any_smart_array_;
    add("controller", "Smart Array controllers", on_bus ? Health::missing : Health::unneeded,
        on_bus ? "on the PCI bus, but no driver holds it" : "none on this machine",
        on_bus ? "its drives are not there at all" : "",
        on_bus ? "modprobe hpsa (Gen8, Gen9 and older) or modprobe smartpqi (Gen10 and later)"
               : "");
  }

  void driver() {
    for (const std::string_view name : sysfs::smart_array_drivers) {
      const bool holds = std::any_of(controllers_.begin(), controllers_.end(),
                                     [&](const auto& c) { return c.driver == name; });
      if (!holds) continue;
      const auto version =
          sysfs::text(host_.files, fmt::format("sys/module/{}/version", name)).value_or("");
      const auto kernel = sysfs::text(host_.files, "proc/sys/kernel/osrelease").value_or("unknown");
      const std::string found = fmt::format(
          "{} {} on kernel {}", name, version.empty() ? "of unknown version" : version, kernel);
      const bool tells_smart_path = std::any_of(
          controllers_.begin(), controllers_.end(),
          [&](const sysfs::SmartArrayHost& c) { return c.driver == name && shows_smart_path(c); });
      if (tells_smart_path) {
        add(fmt::format("driver_{}", name), "the controller's driver", Health::ok, found);
      } else {
        add(fmt::format("driver_{}", name), "the controller's driver", Health::limited, found,
            "this driver does not show whether it uses Smart Path (hpsa does since 3.15)",
            "a newer kernel; until then the vendor tool's word is all there is");
      }
    }
  }

  [[nodiscard]] bool shows_smart_path(const sysfs::SmartArrayHost& controller) const {
    if (sysfs::text(host_.files, controller.dir + "/hp_ssd_smart_path_status")) return true;
    return std::any_of(controller.nodes.begin(), controller.nodes.end(), [&](const auto& node) {
      return sysfs::text(host_.files, node.dir + "/ssd_smart_path_enabled").has_value() ||
             sysfs::text(host_.files, node.dir + "/hp_ssd_smart_path_enabled").has_value();
    });
  }

  void vendor_tool() {
    const std::string what = "the vendor tool (ssacli, hpssacli, hpacucli)";
    if (around_.vendor_tool.empty()) {
      add("vendor_tool", what, lack(), "not installed",
          any_smart_array_
              ? "array letters and membership, the array's Smart Path setting, no-battery and "
                "drive "
                "write cache, caching of each drive, battery words and temperatures stay unknown; "
                "the cache module, its ratio and the drives come from the firmware (BMIC)"
              : "",
          any_smart_array_ ? "install ssacli from HPE's Software Delivery Repository "
                             "(hpssacli for Gen8, hpacucli for older systems), or name it with "
                             "--ssacli"
                           : "");
      return;
    }
    const auto answer = host_.tools.run(ToolQuery::version);
    if (!answer) {
      add("vendor_tool", what, Health::limited, around_.vendor_tool,
          "it does not answer: " + describe(answer.error()),
          "run it by hand: " + around_.vendor_tool + " version");
      return;
    }
    std::string version;
    for (const auto line : sysfs::lines(answer->output)) {
      if (!sysfs::trim(line).empty() && version.empty()) version = sysfs::trim(line);
    }
    if (answer->exit_status != 0) {
      add("vendor_tool", what, Health::limited, around_.vendor_tool,
          fmt::format("it does not say its version: \"{}\"", version),
          "run it by hand: " + answer->command);
      return;
    }
    add("vendor_tool", what, Health::ok, fmt::format("{}: {}", around_.vendor_tool, version));
  }

  void sg_module() {
    if (sysfs::sg_driver_loaded(host_.files)) {
      add("sg", "the kernel's sg driver", Health::ok, "loaded");
      return;
    }
    add("sg", "the kernel's sg driver", lack(), "not loaded",
        any_smart_array_
            ? "the vendor tool finds no controller, and the controller's own node cannot "
              "be asked"
            : "",
        any_smart_array_ ? "modprobe sg" : "");
  }

  void privilege() {
    if (!around_.live) return;
    const bool rawio = capabilities_.has(cap_sys_rawio);
    const bool admin = capabilities_.has(cap_sys_admin);
    if (around_.root && (rawio || !capabilities_.known)) {
      add("privilege", "privilege", Health::ok, admin ? "root" : "root without CAP_SYS_ADMIN");
      return;
    }
    const std::string found = around_.root
                                  ? "root, but without CAP_SYS_RAWIO (a container?)"
                                  : fmt::format("not root{}", rawio ? ", with CAP_SYS_RAWIO" : "");
    add("privilege", "privilege", Health::limited, found,
        "the vendor tool, SCSI commands and the firmware (BMIC) cannot be asked, the open files of "
        "other users are not seen, and block devices cannot be measured",
        around_.root ? "run it outside of the container, or add the capability"
                     : "sudo raidscope …");
  }

  void pass_through() {
    for (const auto& controller : controllers_) {
      const std::string node = controller.ioctl_node();
      const std::string id = "bmic_" + controller.pci_address;
      const std::string what = "questions to the firmware of " + controller.pci_address + " (BMIC)";
      if (controller.locked_up()) continue;
      if (node.empty()) {
        add(id, what, Health::missing, "no node to ask through",
            "without the vendor tool the cache module and the drives stay unknown", "modprobe sg");
        continue;
      }
      const auto answer = host_.ciss.ask(node, {CissQuery::pci_info, 0});
      if (answer) {
        add(id, what, Health::ok, "through " + node);
      } else {
        add(id, what, Health::limited, node,
            "without the vendor tool the cache module and the drives stay unknown: " +
                describe(answer.error()),
            around_.root ? "" : "sudo raidscope …");
      }
    }
  }

  void udev() {
    const auto devices = host_.devices.enumerate("block");
    if (devices) {
      add("udev", "the list of devices (udev)", Health::ok,
          fmt::format("{} block devices", devices->size()));
    } else {
      add("udev", "the list of devices (udev)", Health::missing, describe(devices.error()),
          "no device can be found", "mount /sys");
    }
  }

  void engines() {
    for (const EngineState& engine : around_.engines) {
      if (!engine.why_not) {
        add("engine_" + engine.id, engine.id + " engine", Health::ok, engine.version);
        continue;
      }
      add("engine_" + engine.id, engine.id + " engine", Health::limited, describe(*engine.why_not),
          "a slower way of doing I/O is used, and the result says which", engine.why_not->hint);
    }
    if (!around_.engine_chosen.empty())
      add("engine", "the engine of a run", Health::ok, around_.engine_chosen);
  }

  const Host& host_;
  const Surroundings& around_;
  Capabilities capabilities_;
  std::vector<sysfs::SmartArrayHost> controllers_;
  bool any_smart_array_ = false;
  std::vector<Check> out_;
};

}  // namespace

std::vector<Check> check_up(const Host& host, const Surroundings& surroundings) {
  return CheckUp(host, surroundings).run();
}

std::string_view to_name(Health health) noexcept {
  switch (health) {
    case Health::ok:
      return "ok";
    case Health::limited:
      return "limited";
    case Health::missing:
      return "missing";
    case Health::unneeded:
      break;
  }
  return "unneeded";
}

}  // namespace raidscope::cli
