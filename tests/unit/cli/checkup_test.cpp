#include "cli/checkup.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/memory_host.h"

namespace raidscope::cli {
namespace {

using raidscope::testing::MemoryHost;

/// A Smart Array that a driver holds, with its own node and one logical drive.
void add_smart_array(MemoryHost& machine, bool with_sg) {
  const std::string pci = "sys/devices/pci0000:00/0000:03:00.0";
  machine.files.file(pci + "/vendor", "0x103c\n");
  machine.files.file(pci + "/device", "0x323b\n");
  machine.files.file(pci + "/subsystem_vendor", "0x103c\n");
  machine.files.file(pci + "/subsystem_device", "0x3354\n");
  DeviceNode function;
  function.syspath = pci;
  machine.devices.add("pci", function);
  if (with_sg) machine.files.file("sys/class/scsi_generic/sg0/dev", "21:0\n");
}

const Check& find(const std::vector<Check>& checks, std::string_view id) {
  const auto found = std::find_if(checks.begin(), checks.end(),
                                  [&](const Check& check) { return check.id == id; });
  if (found == checks.end()) throw std::out_of_range(std::string(id));
  return *found;
}

TEST(CheckUp, WithoutASmartArrayNothingOfItsIsMissing) {
  MemoryHost machine;
  const auto checks = check_up(machine.host(), {});
  EXPECT_EQ(find(checks, "controller").health, Health::unneeded);
  EXPECT_EQ(find(checks, "vendor_tool").health, Health::unneeded);
  EXPECT_EQ(find(checks, "sg").health, Health::unneeded);
  EXPECT_EQ(find(checks, "vendor_tool").costs, "");
}

TEST(CheckUp, WhatIsMissingSaysWhatItCostsAndHowToGetIt) {
  MemoryHost machine;
  add_smart_array(machine, false);
  const auto checks = check_up(machine.host(), {});
  for (const char* id : {"controller", "vendor_tool", "sg"}) {
    EXPECT_EQ(find(checks, id).health, Health::missing) << id;
    EXPECT_NE(find(checks, id).costs, "") << id;
    EXPECT_NE(find(checks, id).get, "") << id;
  }
  EXPECT_NE(find(checks, "sg").get.find("modprobe sg"), std::string::npos);
}

TEST(CheckUp, AVendorToolIsAskedForItsVersionOnly) {
  MemoryHost machine;
  machine.tools.answer(ToolQuery::version, {"/usr/sbin/ssacli",
                                            "/usr/sbin/ssacli version",
                                            "\nSSACLI Version: 5.30.6.0 2022-09-13\n",
                                            0,
                                            {}});
  Surroundings around;
  around.vendor_tool = "/usr/sbin/ssacli";
  const Check tool = find(check_up(machine.host(), around), "vendor_tool");
  EXPECT_EQ(tool.health, Health::ok);
  EXPECT_EQ(tool.found, "/usr/sbin/ssacli: SSACLI Version: 5.30.6.0 2022-09-13");
  EXPECT_EQ(machine.tools.log(), std::vector<ToolQuery>{ToolQuery::version});

  machine.tools.fail_with({Errc::timeout, "the vendor tool did not end", "", ""});
  EXPECT_EQ(find(check_up(machine.host(), around), "vendor_tool").health, Health::limited);
}

TEST(CheckUp, PrivilegeIsRootWithTheCapabilityOfRawIo) {
  MemoryHost machine;
  Surroundings around;
  around.root = true;
  machine.files.file("proc/self/status", "Name:\tx\nCapEff:\t000001ffffffffff\n");
  EXPECT_EQ(find(check_up(machine.host(), around), "privilege").health, Health::ok);
  machine.files.file("proc/self/status", "Name:\tx\nCapEff:\t00000000a80425fb\n");
  const Check in_a_container = find(check_up(machine.host(), around), "privilege");
  EXPECT_EQ(in_a_container.health, Health::limited);
  EXPECT_NE(in_a_container.found.find("CAP_SYS_RAWIO"), std::string::npos);
  around.root = false;
  EXPECT_EQ(find(check_up(machine.host(), around), "privilege").get, "sudo raidscope …");
}

TEST(CheckUp, AnEngineThatCannotRunSaysWhy) {
  MemoryHost machine;
  Surroundings around;
  around.engines.push_back({"io_uring", "2.3", Error{Errc::unsupported, "forbidden", "", "allow"}});
  const Check engine = find(check_up(machine.host(), around), "engine_io_uring");
  EXPECT_EQ(engine.health, Health::limited);
  EXPECT_EQ(engine.get, "allow");
}

}  // namespace
}  // namespace raidscope::cli
