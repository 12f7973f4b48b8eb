#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <umockdev.h>
#include <vector>

#include <linux/cciss_ioctl.h>
#include <scsi/sg.h>

#include <gtest/gtest.h>

#include "controllers/inventory/assemble.h"
#include "probe/base/ciss.h"
#include "probe/base/scsi.h"
#include "probe/os/live_host.h"
#include "tests/support/ciss_machine.h"

namespace raidscope {
namespace {

using namespace raidscope::testing;

/// One ioctl that reached a device.
struct Seen {
  std::string node;
  unsigned long request = 0;
  std::vector<std::byte> cdb;
  unsigned direction = 0;
};

/// A recorded machine whose controller answers SG_IO and the CCISS ioctls.
class MockMachine {
 public:
  explicit MockMachine(const std::string& recording) : testbed_(umockdev_testbed_new()) {
    GError* error = nullptr;
    loaded_ = umockdev_testbed_add_from_file(testbed_, recording.c_str(), &error) != 0;
    if (error != nullptr) ADD_FAILURE() << error->message;
    g_clear_error(&error);
  }
  MockMachine(const MockMachine&) = delete;
  MockMachine& operator=(const MockMachine&) = delete;
  ~MockMachine() {
    for (const auto& node : nodes_) {
      umockdev_testbed_detach_ioctl(testbed_, node->name.c_str(), nullptr);
      g_object_unref(node->handler);
    }
    g_object_unref(testbed_);
  }

  void attach(const std::string& name, unsigned type, const std::string& product,
              std::map<unsigned, std::vector<std::uint8_t>> pages) {
    auto node = std::make_unique<Node>();
    *node = {this, name, type, product, std::move(pages), umockdev_ioctl_base_new()};
    g_signal_connect(node->handler, "handle-ioctl", G_CALLBACK(on_ioctl), node.get());
    ASSERT_TRUE(umockdev_testbed_attach_ioctl(testbed_, name.c_str(), node->handler, nullptr));
    nodes_.push_back(std::move(node));
  }
  CissMachine ciss;
  [[nodiscard]] bool loaded() const { return loaded_; }
  std::vector<Seen> log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }

 private:
  struct Node {
    MockMachine* machine = nullptr;
    std::string name;
    unsigned type = 0;
    std::string product;
    std::map<unsigned, std::vector<std::uint8_t>> pages;
    UMockdevIoctlBase* handler = nullptr;
  };

  static std::byte* resolve(UMockdevIoctlData* data, std::size_t offset, std::size_t size) {
    UMockdevIoctlData* const found = umockdev_ioctl_data_resolve(data, offset, size, nullptr);
    return found == nullptr ? nullptr : reinterpret_cast<std::byte*>(found->data);
  }

  static gboolean on_ioctl(UMockdevIoctlBase* /*base*/, UMockdevIoctlClient* client,
                           gpointer user_data) {
    const Node& node = *static_cast<const Node*>(user_data);
    UMockdevIoctlData* const argument = umockdev_ioctl_client_get_arg(client);
    const unsigned long request = umockdev_ioctl_client_get_request(client);
    int error = 0;
    if (request == SG_IO) {
      node.machine->sg_io(node, argument);
    } else if (request == SG_GET_VERSION_NUM) {
      const int version = 30536;
      std::memcpy(resolve(argument, 0, sizeof version), &version, sizeof version);
    } else if (request == CCISS_GETPCIINFO) {
      node.machine->note({node.name, request, {}, 2});
      const auto& info = node.machine->ciss.replies.at({CissQuery::pci_info, 0}).data;
      std::memcpy(resolve(argument, 0, info.size()), info.data(), info.size());
    } else if (request == CCISS_PASSTHRU) {
      node.machine->pass_through(node, argument);
    } else {
      node.machine->note({node.name, request, {}, 0});
      error = ENOTTY;
    }
    umockdev_ioctl_client_complete(client, error == 0 ? 0 : -1, error);
    return TRUE;
  }

  void note(Seen seen) {
    const std::lock_guard lock(mutex_);
    log_.push_back(std::move(seen));
  }

  void sg_io(const Node& node, UMockdevIoctlData* argument) {
    UMockdevIoctlData* const data =
        umockdev_ioctl_data_resolve(argument, 0, sizeof(sg_io_hdr_t), nullptr);
    auto& header = *reinterpret_cast<sg_io_hdr_t*>(data->data);
    const std::byte* const cdb = resolve(data, offsetof(sg_io_hdr_t, cmdp), header.cmd_len);
    std::byte* const out = resolve(data, offsetof(sg_io_hdr_t, dxferp), header.dxfer_len);
    std::byte* const sense = resolve(data, offsetof(sg_io_hdr_t, sbp), header.mx_sb_len);
    note({node.name,
          SG_IO,
          {cdb, cdb + header.cmd_len},
          header.dxfer_direction == SG_DXFER_FROM_DEV ? 2U : 1U});
    std::vector<std::byte> reply;
    const bool vital = (std::to_integer<unsigned>(cdb[1]) & 1U) != 0;
    if (std::to_integer<unsigned>(cdb[0]) == scsi::inquiry && !vital) {
      CissBytes inquiry(36);
      inquiry.u8(0, node.type).u8(2, 5).u8(3, 0x12).u8(4, 31).text(8, "HP", 8);
      reply = inquiry.text(16, node.product, 16).text(32, "8.32").bytes();
    } else if (const auto page = node.pages.find(std::to_integer<unsigned>(cdb[2]));
               vital && page != node.pages.end()) {
      CissBytes bytes(4 + page->second.size());
      bytes.u8(0, node.type).u8(1, page->first).u8(3, static_cast<unsigned>(page->second.size()));
      for (std::size_t i = 0; i < page->second.size(); ++i) bytes.u8(4 + i, page->second[i]);
      reply = bytes.bytes();
    }
    header.status = header.masked_status = 0;
    header.host_status = header.driver_status = 0;
    header.sb_len_wr = 0;
    header.info = 0;
    if (reply.empty()) {
      const CissReply refusal = illegal_request();
      if (sense != nullptr) std::copy(refusal.sense.begin(), refusal.sense.end(), sense);
      header.sb_len_wr = static_cast<unsigned char>(refusal.sense.size());
      header.status = 2;
      header.masked_status = 1;
      header.driver_status = 8;
      header.info = SG_INFO_CHECK;
      header.resid = static_cast<int>(header.dxfer_len);
      return;
    }
    const std::size_t size = std::min<std::size_t>(reply.size(), header.dxfer_len);
    std::copy_n(reply.begin(), size, out);
    header.resid = static_cast<int>(header.dxfer_len - size);
  }

  void pass_through(const Node& node, UMockdevIoctlData* argument) {
    UMockdevIoctlData* const data =
        umockdev_ioctl_data_resolve(argument, 0, sizeof(IOCTL_Command_struct), nullptr);
    auto& command = *reinterpret_cast<IOCTL_Command_struct*>(data->data);
    std::byte* const out = resolve(data, offsetof(IOCTL_Command_struct, buf), command.buf_size);
    const auto* const cdb = reinterpret_cast<const std::byte*>(command.Request.CDB);
    note({node.name,
          CCISS_PASSTHRU,
          {cdb, cdb + command.Request.CDBLen},
          command.Request.Type.Direction});
    CissReply reply = illegal_request();
    for (const auto& [ask, known] : ciss.replies) {
      const auto expected = ciss::command_of({ask.first, ask.second});
      if (!expected || expected->cdb_length != command.Request.CDBLen) continue;
      if (std::memcmp(expected->cdb.data(), cdb, expected->cdb_length) != 0) continue;
      if (std::memcmp(expected->lun.data(), command.LUN_info.LunAddrBytes, 8) == 0) reply = known;
    }
    command.error_info.CommandStatus = reply.command_status;
    command.error_info.ScsiStatus = reply.scsi_status;
    command.error_info.SenseLen = static_cast<unsigned char>(reply.sense.size());
    std::memcpy(command.error_info.SenseInfo, reply.sense.data(), reply.sense.size());
    const std::size_t size = std::min<std::size_t>(reply.data.size(), command.buf_size);
    std::copy_n(reply.data.begin(), size, out);
    command.error_info.ResidualCnt = static_cast<unsigned>(command.buf_size - size);
    if (reply.command_status == CMD_SUCCESS && size < command.buf_size) {
      command.error_info.CommandStatus = CMD_DATA_UNDERRUN;
    }
  }

  UMockdevTestbed* testbed_;
  bool loaded_ = false;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::mutex mutex_;
  std::vector<Seen> log_;
};

/// Only a testbed shows whether the wrapper is there.
bool is_mocked() {
  UMockdevTestbed* const testbed = umockdev_testbed_new();
  const bool mocked = umockdev_in_mock_environment() != 0;
  g_object_unref(testbed);
  return mocked;
}

/// What the drives' own pages say: RAID level, Smart Path off, all well.
std::map<unsigned, std::vector<std::uint8_t>> pages_of(std::uint8_t tolerance) {
  return {{0xC1, {0, 0, 255, 32, tolerance, 0, 0, 0}},
          {0xC2, {0, 0, 0, 0}},
          {0xC3, {0, 0, 0, 0, 0, 0, 0, 0}}};
}

void expect_only_reads(const std::vector<Seen>& log) {
  std::size_t passed = 0;
  for (const Seen& seen : log) {
    if (seen.request == SG_IO) {
      EXPECT_TRUE(scsi::reads_only(seen.cdb)) << scsi::cdb_text(seen.cdb);
      EXPECT_EQ(seen.direction, 2U);
    } else if (seen.request == CCISS_PASSTHRU) {
      ++passed;
      EXPECT_TRUE(ciss::reads_only(seen.cdb, static_cast<ciss::Direction>(seen.direction)))
          << scsi::cdb_text(seen.cdb);
      EXPECT_EQ(seen.node, "/dev/sg0");
    } else {
      EXPECT_EQ(seen.request, CCISS_GETPCIINFO) << std::hex << seen.request;
    }
  }
  EXPECT_GT(passed, 10U);
}

std::string all_of(const std::vector<Disagreement>& disagreements) {
  std::string out;
  for (const auto& d : disagreements) {
    out += d.fact;
    for (const auto& value : d.values) out += " " + value.path + "=" + value.value;
    out += "\n";
  }
  return out;
}

/// The paths tell one story of a machine with two volumes on one controller.
void expect_one_story(MockMachine& machine, const std::vector<MadeVolume>& volumes) {
  LiveHostOptions options;
  options.vendor_tool = "/nonexistent/ssacli";
  const LiveHost live(options);
  const auto sets = discover(live.host(), DiscoverOptions{{}, true});
  for (const FactSet& set : sets) {
    if (set.path == PathName::ssacli) continue;
    EXPECT_EQ(set.status, SourceStatus::ok) << name_of(set.path) << ": " << set.detail;
  }
  const Inventory inventory = assemble(sets, "2020-01-01T00:00:00Z");
  EXPECT_TRUE(inventory.disagreements.empty()) << all_of(inventory.disagreements);
  ASSERT_EQ(inventory.controllers.size(), 1U);
  const Controller& controller = inventory.controllers.front();
  EXPECT_EQ(controller.model, "P420i");
  EXPECT_EQ(controller.firmware, "8.32");
  EXPECT_EQ(controller.cache.present, true);
  ASSERT_EQ(controller.logical_drives.size(), volumes.size());
  for (const auto& drive : controller.logical_drives) {
    EXPECT_EQ(drive.status, "OK");
    EXPECT_TRUE(drive.device);
    EXPECT_TRUE(std::any_of(volumes.begin(), volumes.end(), [&](const MadeVolume& volume) {
      return drive.unique_id == volume.unique_id &&
             drive.size_bytes == static_cast<std::int64_t>(volume.blocks * 512);
    })) << drive.unique_id.value_or("");
  }
  EXPECT_EQ(controller.physical_drives.size(), 4U);
  EXPECT_TRUE(inventory.block_devices.empty());
  expect_only_reads(machine.log());
}

TEST(LivePaths, BmicScsiAndSysfsTellTheSameStory) {
  if (!is_mocked()) GTEST_SKIP() << "not under umockdev-wrapper";
  const std::vector<MadeVolume> volumes{{"600508B1001CA1B2C3D4E5F607182901", 2, 585871964},
                                        {"600508B1001CA1B2C3D4E5F607182902", 3, 1171743928}};
  MockMachine machine(RAIDSCOPE_SOURCE_DIR "/tests/umockdev/p420i.umockdev");
  ASSERT_TRUE(machine.loaded());
  machine.ciss = made_p420i(volumes, "0000:00:03.0");
  machine.attach("/dev/sg0", 0x0C, "P420i", {});
  for (const char* const node : {"/dev/sg1", "/dev/sdb"}) {
    machine.attach(node, 0, "LOGICAL VOLUME", pages_of(2));
  }
  for (const char* const node : {"/dev/sg2", "/dev/sda"}) {
    machine.attach(node, 0, "LOGICAL VOLUME", pages_of(3));
  }
  expect_one_story(machine, volumes);
}

TEST(LivePaths, AlsoOnATreeThatTheKernelShowed) {
  const std::string recording =
      RAIDSCOPE_SOURCE_DIR "/../shared/sketch/lab/umockdev/recorded-p420i.umockdev";
  if (!is_mocked()) GTEST_SKIP() << "not under umockdev-wrapper";
  if (!std::filesystem::exists(recording)) GTEST_SKIP() << "no recorded tree beside the project";
  const std::vector<MadeVolume> volumes{{"600508B1001C1A2B3C4D5E6F70819201", 2, 131072},
                                        {"600508B1001C1A2B3C4D5E6F70819202", 3, 262144}};
  MockMachine machine(recording);
  ASSERT_TRUE(machine.loaded());
  machine.ciss = made_p420i(volumes);
  machine.attach("/dev/sg0", 0x0C, "P420i", {});
  for (const char* const node : {"/dev/sg1", "/dev/sdb"}) {
    machine.attach(node, 0, "LOGICAL VOLUME", pages_of(2));
  }
  for (const char* const node : {"/dev/sg2", "/dev/sda"}) {
    machine.attach(node, 0, "LOGICAL VOLUME", pages_of(3));
  }
  expect_one_story(machine, volumes);
}

}  // namespace
}  // namespace raidscope
