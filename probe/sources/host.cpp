#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "probe/source.h"
#include "probe/sources/sysfs/reading.h"

namespace raidscope {

extern const Source source_host;

namespace {

using sysfs::text;

/// Drivers of disks whose version changes performance. Those without a version of their own are the
/// kernel's and have no file here.
constexpr std::array<std::string_view, 14> drivers{
    "hpsa", "smartpqi", "cciss",   "hpvsa",        "hpdsa",   "nvme",       "nvme_core",
    "ahci", "isci",     "mpt3sas", "megaraid_sas", "aacraid", "virtio_blk", "virtio_scsi"};

/// Value of "key<blanks>: value" in the text of /proc/cpuinfo.
std::optional<std::string> cpuinfo_value(std::string_view cpuinfo, std::string_view key) {
  for (const auto line : sysfs::lines(cpuinfo)) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || sysfs::trim(line.substr(0, colon)) != key) continue;
    const auto value = sysfs::trim(line.substr(colon + 1));
    if (!value.empty()) return std::string(value);
  }
  return std::nullopt;
}

/// How many numbers a list such as "0-3,8" has.
std::optional<std::int64_t> count_list(std::string_view list) {
  std::int64_t count = 0;
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    const auto part = list.substr(0, comma);
    const auto dash = part.find('-');
    const auto first = sysfs::to_integer(part.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : sysfs::to_integer(part.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    count += *last - *first + 1;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return count > 0 ? std::optional(count) : std::nullopt;
}

std::optional<std::int64_t> cpu_count(const FileTree& files, std::string_view cpuinfo) {
  if (const auto online = text(files, "sys/devices/system/cpu/online")) {
    if (auto count = count_list(*online)) return count;
  }
  std::int64_t count = 0;
  for (const auto line : sysfs::lines(cpuinfo)) {
    if (line.starts_with("processor")) ++count;
  }
  return count > 0 ? std::optional(count) : std::nullopt;
}

std::optional<std::int64_t> memory_bytes(const FileTree& files) {
  const auto meminfo = text(files, "proc/meminfo").value_or("");
  for (const auto line : sysfs::lines(meminfo)) {
    const auto words = sysfs::words(line);
    if (words.size() != 3 || words[0] != "MemTotal:" || words[2] != "kB") continue;
    if (const auto kib = sysfs::to_integer(words[1])) return *kib * 1024;
  }
  return std::nullopt;
}

/// Of all CPUs; null where the kernel sets no frequencies, as in most guests.
std::optional<std::string> cpu_governor(const FileTree& files) {
  constexpr std::string_view folder = "sys/devices/system/cpu/cpufreq";
  std::set<std::string> found;
  for (const std::string& policy : sysfs::names(files, folder)) {
    if (!policy.starts_with("policy")) continue;
    if (auto name = text(files, fmt::format("{}/{}/scaling_governor", folder, policy)))
      found.insert(*std::move(name));
  }
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return *found.begin();
  return fmt::format("mixed: {}", fmt::join(found, ", "));
}

/// Of the first CPU; the others are alike but for unlike cores.
std::optional<std::int64_t> cpu_idle_exit_us(const FileTree& files) {
  constexpr std::string_view folder = "sys/devices/system/cpu/cpu0/cpuidle";
  std::optional<std::int64_t> out;
  for (const std::string& state : sysfs::names(files, folder)) {
    if (!state.starts_with("state")) continue;
    const auto latency = sysfs::integer(files, fmt::format("{}/{}/latency", folder, state));
    const auto disabled = sysfs::integer(files, fmt::format("{}/{}/disable", folder, state));
    if (latency && disabled.value_or(0) == 0) out = std::max(out.value_or(0), *latency);
  }
  return out;
}

std::optional<std::int64_t> numa_nodes(const FileTree& files) {
  const auto online = text(files, "sys/devices/system/node/online");
  return online ? count_list(*online) : std::nullopt;
}

std::optional<std::string> os_name(const FileTree& files) {
  for (const std::string_view path : {"etc/os-release", "usr/lib/os-release"}) {
    const auto release = text(files, path);
    if (!release) continue;
    for (const auto line : sysfs::lines(*release)) {
      if (!line.starts_with("PRETTY_NAME=")) continue;
      auto name = sysfs::trim(line.substr(12));
      if (name.size() >= 2 && (name.front() == '"' || name.front() == '\'') &&
          name.back() == name.front()) {
        name = name.substr(1, name.size() - 2);
      }
      if (!name.empty()) return std::string(name);
    }
  }
  return std::nullopt;
}

std::optional<std::string> bios(const FileTree& files) {
  std::string out;
  for (const std::string_view part : {"bios_vendor", "bios_version", "bios_date"}) {
    const auto words = text(files, "sys/class/dmi/id/" + std::string(part));
    if (!words) continue;
    if (!out.empty()) out += ' ';
    out += *words;
  }
  return out.empty() ? std::nullopt : std::optional(out);
}

/// The maker's name and the product's, the maker only once: "HP ProLiant DL380p Gen8".
std::optional<std::string> product(const FileTree& files) {
  const auto name = text(files, "sys/class/dmi/id/product_name");
  const auto maker = text(files, "sys/class/dmi/id/sys_vendor");
  if (!name || !maker || name->starts_with(*maker)) return name ? name : maker;
  return *maker + " " + *name;
}

std::optional<std::string> hypervisor(const FileTree& files, std::string_view cpuinfo) {
  if (auto type = text(files, "sys/hypervisor/type")) return type;
  const auto flags = cpuinfo_value(cpuinfo, "flags").value_or("");
  const auto words = sysfs::words(flags);
  if (std::find(words.begin(), words.end(), "hypervisor") == words.end()) return std::nullopt;
  // Words of the DMI strings, as hypervisors set them by default.
  constexpr std::array<std::array<std::string_view, 2>, 11> makers{{{"QEMU", "KVM"},
                                                                    {"KVM", "KVM"},
                                                                    {"VMware", "VMware"},
                                                                    {"Microsoft", "Hyper-V"},
                                                                    {"innotek", "VirtualBox"},
                                                                    {"VirtualBox", "VirtualBox"},
                                                                    {"Xen", "Xen"},
                                                                    {"Amazon EC2", "KVM"},
                                                                    {"Google", "KVM"},
                                                                    {"Bochs", "Bochs"},
                                                                    {"Parallels", "Parallels"}}};
  std::string told;
  for (const std::string_view part : {"sys_vendor", "product_name", "bios_vendor"}) {
    told += text(files, "sys/class/dmi/id/" + std::string(part)).value_or("") + "\n";
  }
  for (const auto& [word, name] : makers) {
    if (told.find(word) != std::string::npos) return std::string(name);
  }
  return "unknown";
}

std::optional<std::string> hostname(const FileTree& files) {
  if (auto name = text(files, "proc/sys/kernel/hostname")) return name;
  return text(files, "etc/hostname");
}

FactSet collect(const Host& host) {
  FactSet set;
  const FileTree& files = host.files;
  const auto cpuinfo = text(files, "proc/cpuinfo").value_or("");
  sysfs::tell(set, machine_entity, "hostname", hostname(files));
  sysfs::tell(set, machine_entity, "product", product(files));
  sysfs::tell(set, machine_entity, "bios", bios(files));
  sysfs::tell(set, machine_entity, "cpu_model", cpuinfo_value(cpuinfo, "model name"));
  sysfs::tell(set, machine_entity, "cpus", cpu_count(files, cpuinfo));
  sysfs::tell(set, machine_entity, "memory_bytes", memory_bytes(files));
  sysfs::tell(set, machine_entity, "cpu_governor", cpu_governor(files));
  sysfs::tell(set, machine_entity, "cpu_idle_exit_us", cpu_idle_exit_us(files));
  sysfs::tell(set, machine_entity, "numa_nodes", numa_nodes(files));
  sysfs::tell(set, machine_entity, "kernel", text(files, "proc/sys/kernel/osrelease"));
  sysfs::tell(set, machine_entity, "os", os_name(files));
  sysfs::tell(set, machine_entity, "hypervisor", hypervisor(files, cpuinfo));
  for (const std::string_view driver : drivers) {
    if (auto version = text(files, "sys/module/" + std::string(driver) + "/version")) {
      set.tell(machine_entity, "driver_versions",
               std::vector<std::string>{std::string(driver), *std::move(version)});
    }
  }
  if (set.facts.empty()) {
    set.status = SourceStatus::absent;
    set.detail = "nothing of the host can be read below /proc and /sys";
  }
  return set;
}

}  // namespace

const Source source_host{"host", "the machine: product, BIOS, CPU, memory, kernel, OS",
                         PathName::host, 0, collect};

}  // namespace raidscope
