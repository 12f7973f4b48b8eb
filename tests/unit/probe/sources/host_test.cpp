#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "probe/source.h"
#include "tests/support/facts.h"
#include "tests/support/memory_host.h"

namespace raidscope {

extern const Source source_host;
extern const Source source_pci_sysfs;

namespace {

using raidscope::testing::MemoryHost;
using raidscope::testing::told_integer;
using raidscope::testing::told_text;
using raidscope::testing::told_texts;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class HostSource : public ::testing::Test {
 protected:
  HostSource() {
    auto& files = machine.files;
    files.file("proc/cpuinfo",
               "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) CPU E5-2690 0 @ 2.90GHz\n"
               "flags\t\t: fpu vme sse2\n\nprocessor\t: 1\nmodel name\t: other\n");
    files.file("proc/meminfo", "MemTotal:       131072 kB\nMemFree:  1 kB\n");
    files.file("proc/sys/kernel/osrelease", "6.1.0-28-amd64\n");
    files.file("proc/sys/kernel/hostname", "db1\n");
    files.file("usr/lib/os-release",
               "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
    files.link("etc/os-release", "../usr/lib/os-release");
    files.file("sys/devices/virtual/dmi/id/sys_vendor", "HP\n");
    files.file("sys/devices/virtual/dmi/id/product_name", "ProLiant DL380p Gen8\n");
    files.file("sys/devices/virtual/dmi/id/bios_vendor", "HP\n");
    files.file("sys/devices/virtual/dmi/id/bios_version", "P70\n");
    files.file("sys/devices/virtual/dmi/id/bios_date", "07/01/2015\n");
    files.link("sys/class/dmi/id", "../../devices/virtual/dmi/id");
    files.file("sys/devices/system/cpu/online", "0-15,32-47\n");
    files.file("sys/module/hpsa/version", "3.4.20-200\n");
    files.file("sys/module/nvme/version", "1.0\n");
  }
  FactSet ask() { return source_host.collect(machine.host()); }
  std::optional<std::string> text(std::string_view attribute) {
    return told_text(ask(), machine_entity, attribute);
  }
  MemoryHost machine;
};

TEST_F(HostSource, TellsTheMachine) {
  EXPECT_EQ(ask().status, SourceStatus::ok);
  EXPECT_EQ(text("hostname"), "db1");
  EXPECT_EQ(text("product"), "HP ProLiant DL380p Gen8");
  EXPECT_EQ(text("bios"), "HP P70 07/01/2015");
  EXPECT_EQ(text("cpu_model"), "Intel(R) Xeon(R) CPU E5-2690 0 @ 2.90GHz");
  EXPECT_EQ(told_integer(ask(), machine_entity, "cpus"), 32);
  EXPECT_EQ(told_integer(ask(), machine_entity, "memory_bytes"), 131072 * 1024);
  EXPECT_EQ(text("kernel"), "6.1.0-28-amd64");
  EXPECT_EQ(text("os"), "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(text("hypervisor"), std::nullopt);
}

TEST_F(HostSource, TellsWhatTheCpusMayDo) {
  EXPECT_EQ(text("cpu_governor"), std::nullopt);
  EXPECT_EQ(told_integer(ask(), machine_entity, "cpu_idle_exit_us"), std::nullopt);
  EXPECT_EQ(told_integer(ask(), machine_entity, "numa_nodes"), std::nullopt);
  auto& files = machine.files;
  files.file("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave\n");
  files.file("sys/devices/system/cpu/cpu0/cpuidle/state0/latency", "0\n");
  files.file("sys/devices/system/cpu/cpu0/cpuidle/state0/disable", "0\n");
  files.file("sys/devices/system/cpu/cpu0/cpuidle/state1/latency", "33\n");
  files.file("sys/devices/system/cpu/cpu0/cpuidle/state2/latency", "133\n");
  files.file("sys/devices/system/cpu/cpu0/cpuidle/state2/disable", "1\n");
  files.file("sys/devices/system/node/online", "0-1\n");
  EXPECT_EQ(text("cpu_governor"), "powersave");
  EXPECT_EQ(told_integer(ask(), machine_entity, "cpu_idle_exit_us"), 33);
  EXPECT_EQ(told_integer(ask(), machine_entity, "numa_nodes"), 2);
  files.file("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n");
  EXPECT_EQ(text("cpu_governor"), "mixed: performance, powersave");
}

TEST_F(HostSource, EachDriverIsOneFact) {
  std::vector<std::vector<std::string>> drivers;
  for (const Fact& fact : ask().facts) {
    if (fact.attribute == "driver_versions") {
      drivers.push_back(std::get<std::vector<std::string>>(fact.value));
    }
  }
  EXPECT_THAT(drivers, ElementsAre(ElementsAre("hpsa", "3.4.20-200"), ElementsAre("nvme", "1.0")));
}

TEST_F(HostSource, CpusAreCountedWhenNoListIsThere) {
  machine.files.remove("sys/devices/system/cpu/online");
  EXPECT_EQ(told_integer(ask(), machine_entity, "cpus"), 2);
}

TEST_F(HostSource, TheHypervisorIsNamedByItsFirmwareStrings) {
  machine.files.file("proc/cpuinfo", "flags : fpu hypervisor sse2\n");
  EXPECT_EQ(text("hypervisor"), "unknown");
  machine.files.file("sys/devices/virtual/dmi/id/sys_vendor", "QEMU\n");
  EXPECT_EQ(text("hypervisor"), "KVM");
  machine.files.file("sys/devices/virtual/dmi/id/sys_vendor", "VMware, Inc.\n");
  EXPECT_EQ(text("hypervisor"), "VMware");
  machine.files.file("sys/hypervisor/type", "xen\n");
  EXPECT_EQ(text("hypervisor"), "xen");
}

TEST_F(HostSource, AMakerInTheProductNameStandsOnce) {
  machine.files.file("sys/devices/virtual/dmi/id/product_name", "HP Z420\n");
  EXPECT_EQ(text("product"), "HP Z420");
  machine.files.remove("sys/devices/virtual/dmi/id/product_name");
  EXPECT_EQ(text("product"), "HP");
}

TEST(HostSourceAlone, WhatIsNotToldIsNotThere) {
  MemoryHost machine;
  const FactSet nothing = source_host.collect(machine.host());
  EXPECT_EQ(nothing.status, SourceStatus::absent);
  EXPECT_TRUE(nothing.facts.empty());
  machine.files.file("proc/meminfo", "MemTotal: much kB\n");
  machine.files.file("proc/cpuinfo", "processor\n:\n model name:\n");
  machine.files.file("sys/devices/system/cpu/online", "3-1\n");
  machine.files.file("etc/os-release", "PRETTY_NAME=\n");
  machine.files.file("proc/sys/kernel/osrelease", "6.1\n");
  const FactSet set = source_host.collect(machine.host());
  EXPECT_EQ(told_text(set, machine_entity, "kernel"), "6.1");
  EXPECT_EQ(told_text(set, machine_entity, "os"), std::nullopt);
  EXPECT_EQ(told_text(set, machine_entity, "cpu_model"), std::nullopt);
  EXPECT_EQ(told_integer(set, machine_entity, "memory_bytes"), std::nullopt);
}

TEST(PciSource, ASmartArrayWithoutADriverIsIdentified) {
  MemoryHost machine;
  const auto add = [&machine](const std::string& address, const std::string& vendor,
                              const std::string& device) {
    const std::string dir = "sys/devices/pci0000:00/" + address;
    machine.files.file(dir + "/vendor", vendor + "\n");
    machine.files.file(dir + "/device", device + "\n");
    machine.files.file(dir + "/subsystem_vendor", "0x103c\n");
    machine.files.file(dir + "/subsystem_device", "0x3354\n");
    machine.devices.add("pci", {dir, "", {}});
    return dir;
  };
  const auto cciss = add("0000:04:00.0", "0x103c", "0x323a");
  machine.files.link(cciss + "/driver", "../../../bus/pci/drivers/cciss");
  machine.files.file("sys/bus/pci/drivers/cciss/bind", "");
  machine.files.file("sys/module/cciss/version", "3.6.26\n");
  add("0000:05:00.0", "0x103c", "0x323b");
  add("0000:06:00.0", "0x8086", "0x1521");

  const FactSet set = source_pci_sysfs.collect(machine.host());
  EXPECT_EQ(set.status, SourceStatus::ok);
  ASSERT_EQ(testing::count_entities(set, EntityKind::controller), 2U);
  const auto old = testing::find_entity(set, EntityKind::controller, "0000:04:00.0");
  EXPECT_EQ(told_text(set, old, "driver.name"), "cciss");
  EXPECT_EQ(told_text(set, old, "driver.version"), "3.6.26");
  const auto bare = testing::find_entity(set, EntityKind::controller, "0000:05:00.0");
  EXPECT_EQ(told_text(set, bare, "pci_id"), "103c:323b/103c:3354");
  EXPECT_EQ(told_text(set, bare, "driver.name"), std::nullopt);
  ASSERT_EQ(set.notes.size(), 1U);
  EXPECT_THAT(set.notes[0].text, HasSubstr("0000:05:00.0"));
}

}  // namespace
}  // namespace raidscope
