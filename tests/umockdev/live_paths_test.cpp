#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <span>
#include <sstream>
#include <string>
#include <umockdev.h>
#include <vector>

#include <linux/cciss_ioctl.h>
#include <scsi/sg.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "controllers/inventory/assemble.h"
#include "probe/base/ciss.h"
#include "probe/base/scsi.h"
#include "probe/os/live_host.h"
#include "tests/lab/card/card.h"

namespace raidscope {
namespace {

/// One ioctl that reached a device.
struct Seen {
  std::string node;
  unsigned long request = 0;
  std::vector<std::byte> cdb;
  unsigned direction = 0;
};

/// The eight bytes that address the controller itself, and a volume behind it.
using Lun = std::array<std::byte, 8>;
constexpr Lun controller_lun{};
Lun volume_lun(unsigned number) {
  Lun out{};
  out[0] = static_cast<std::byte>(number);
  out[3] = std::byte{0x40};
  return out;
}

/// A recorded machine whose SG_IO and CCISS ioctls are answered by the lab's card: host tests and
/// the guest hear one voice.
class MockMachine {
 public:
  /// Of a recording in umockdev's format; remarks may stand in front of it.
  MockMachine(const std::string& recording, lab::Machine machine, std::string pci_address)
      : card_(std::move(machine)),
        pci_address_(std::move(pci_address)),
        testbed_(umockdev_testbed_new()) {
    GError* error = nullptr;
    const std::size_t begin = std::min(recording.find("P: "), recording.size());
    loaded_ = umockdev_testbed_add_from_string(testbed_, recording.c_str() + begin, &error) != 0;
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

  void attach(const std::string& name, const Lun& lun) {
    auto node = std::make_unique<Node>();
    *node = {this, name, lun, umockdev_ioctl_base_new()};
    g_signal_connect(node->handler, "handle-ioctl", G_CALLBACK(on_ioctl), node.get());
    ASSERT_TRUE(umockdev_testbed_attach_ioctl(testbed_, name.c_str(), node->handler, nullptr));
    nodes_.push_back(std::move(node));
  }
  [[nodiscard]] bool loaded() const { return loaded_; }
  std::vector<Seen> log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }

 private:
  struct Node {
    MockMachine* machine = nullptr;
    std::string name;
    Lun lun{};
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
      const cciss_pci_info_struct info = node.machine->pci_info();
      std::memcpy(resolve(argument, 0, sizeof info), &info, sizeof info);
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
    const CissReply reply = execute(node.lun, {cdb, header.cmd_len}, header.dxfer_len);
    header.status = header.masked_status = 0;
    header.host_status = header.driver_status = 0;
    header.sb_len_wr = 0;
    header.info = 0;
    if (reply.command_status != CMD_SUCCESS) {
      if (sense != nullptr) std::copy(reply.sense.begin(), reply.sense.end(), sense);
      header.sb_len_wr = static_cast<unsigned char>(reply.sense.size());
      header.status = 2;
      header.masked_status = 1;
      header.driver_status = 8;
      header.info = SG_INFO_CHECK;
      header.resid = static_cast<int>(header.dxfer_len);
      return;
    }
    const std::size_t size = std::min<std::size_t>(reply.data.size(), header.dxfer_len);
    std::copy_n(reply.data.begin(), size, out);
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
    Lun lun{};
    std::memcpy(lun.data(), command.LUN_info.LunAddrBytes, lun.size());
    const CissReply reply = execute(lun, {cdb, command.Request.CDBLen}, command.buf_size);
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

  /// The card as the driver would ask it; its commands have 16 bytes.
  CissReply execute(const Lun& lun, std::span<const std::byte> cdb, std::size_t room) {
    lab::Command command{lun, {}, {}, room};
    std::copy(cdb.begin(), cdb.end(), command.cdb.begin());
    const std::lock_guard lock(mutex_);
    return card_.execute(command).value();
  }

  [[nodiscard]] cciss_pci_info_struct pci_info() const {
    const auto hex = [&](std::size_t at, std::size_t size) {
      return static_cast<unsigned>(std::stoul(pci_address_.substr(at, size), nullptr, 16));
    };
    cciss_pci_info_struct out{};
    out.bus = static_cast<unsigned char>(hex(5, 2));
    out.dev_fn = static_cast<unsigned char>(hex(8, 2) << 3 | hex(11, 1));
    out.domain = static_cast<unsigned short>(hex(0, 4));
    const lab::PciIds& ids = *card_.machine().pci;
    out.board_id = ids.subdevice << 16 | ids.subvendor;
    return out;
  }

  lab::Card card_;
  std::string pci_address_;
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

struct MadeVolume {
  std::string unique_id, raid;
  std::uint64_t blocks = 0;
};

/// A P420i with these volumes on four disks.
lab::Machine p420i(const std::vector<MadeVolume>& volumes) {
  std::string drives;
  for (const MadeVolume& volume : volumes) {
    drives +=
        fmt::format(R"({}{{"raid": "{}", "unique_id": "{}", "size": {}}})",
                    drives.empty() ? "" : ", ", volume.raid, volume.unique_id, volume.blocks * 512);
  }
  const std::string text = fmt::format(
      R"({{"model": "P420i", "serial": "MADECTRL0000001", "cache": {{}}, "arrays": [{{"drives": [{{"count": 4, "size": "400 GB"}}],)"
      R"( "logical_drives": [{}]}}]}})",
      drives);
  auto machine = lab::read_machine(text, "made");
  EXPECT_TRUE(machine) << describe(machine.error());
  return *std::move(machine);
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

/// The nodes of the second volume come first in one tree, as they may after any boot.
void tell_one_story(const std::string& path, const std::string& pci_address,
                    const std::vector<MadeVolume>& volumes) {
  std::ifstream file(RAIDSCOPE_SOURCE_DIR + path);
  std::stringstream recording;
  recording << file.rdbuf();
  MockMachine machine(recording.str(), p420i(volumes), pci_address);
  ASSERT_TRUE(machine.loaded());
  machine.attach("/dev/sg0", controller_lun);
  for (const char* const node : {"/dev/sg1", "/dev/sdb"}) machine.attach(node, volume_lun(0));
  for (const char* const node : {"/dev/sg2", "/dev/sda"}) machine.attach(node, volume_lun(1));
  expect_one_story(machine, volumes);
}

TEST(LivePaths, BmicScsiAndSysfsTellTheSameStory) {
  if (!is_mocked()) GTEST_SKIP() << "not under umockdev-wrapper";
  tell_one_story("/tests/umockdev/p420i.umockdev", "0000:00:03.0",
                 {{"600508B1001CA1B2C3D4E5F607182901", "1+0", 585871964},
                  {"600508B1001CA1B2C3D4E5F607182902", "5", 1171743928}});
}

TEST(LivePaths, AlsoOnATreeThatTheKernelShowed) {
  if (!is_mocked()) GTEST_SKIP() << "not under umockdev-wrapper";
  tell_one_story("/tests/support/machines/p420i.umockdev", "0000:00:01.0",
                 {{"600508B1001C1A2B3C4D5E6F70819201", "1+0", 131072},
                  {"600508B1001C1A2B3C4D5E6F70819202", "5", 262144}});
}

}  // namespace
}  // namespace raidscope
