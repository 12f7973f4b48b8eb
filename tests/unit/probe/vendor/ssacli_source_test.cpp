#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "probe/source.h"

namespace raidscope {
extern const Source source_ssacli;

namespace {

/// A machine with a vendor tool that gives one answer; it counts how often it is asked.
class FakeMachine : public FileTree,
                    public DeviceDb,
                    public ScsiReader,
                    public ToolRunner,
                    public CissReader {
 public:
  Result<std::string> read(std::string_view path) const override {
    if (const auto known = files.find(std::string(path)); known != files.end())
      return known->second;
    return fail(Errc::not_found, "no such file", std::string(path));
  }
  Result<std::vector<std::string>> list(std::string_view path) const override {
    if (folders.count(std::string(path)) > 0) return std::vector<std::string>{};
    return fail(Errc::not_found, "no such folder", std::string(path));
  }
  Result<std::string> resolve(std::string_view path) const override { return std::string(path); }
  Result<std::vector<DeviceNode>> enumerate(std::string_view subsystem) const override {
    if (subsystem == "pci") return functions;
    return std::vector<DeviceNode>{};
  }
  Result<std::vector<std::byte>> read(std::string_view, std::span<const std::byte>,
                                      std::size_t) const override {
    return std::vector<std::byte>{};
  }
  Result<CissReply> ask(std::string_view devnode, const CissAsk&) const override {
    return fail(Errc::not_found, "no controller", std::string(devnode));
  }
  Result<ToolAnswer> run(ToolQuery query) const override {
    queries.push_back(query);
    return answer;
  }

  FactSet collect() const { return source_ssacli.collect(Host{*this, *this, *this, *this, *this}); }
  void says(std::string output, int exit_status = 0) {
    answer = ToolAnswer{"/usr/sbin/ssacli", "/usr/sbin/ssacli ctrl all show config detail",
                        std::move(output), exit_status, std::chrono::milliseconds(1234)};
  }

  void has_function(std::string vendor, std::string device) {
    DeviceNode node;
    node.syspath = "sys/devices/pci0/0000:03:00.0";
    functions.push_back(node);
    files[node.syspath + "/vendor"] = std::move(vendor);
    files[node.syspath + "/device"] = std::move(device);
    files[node.syspath + "/subsystem_vendor"] = "0x103c";
    files[node.syspath + "/subsystem_device"] = "0x3354";
  }

  std::set<std::string> folders{"sys/class/scsi_generic"};
  std::map<std::string, std::string> files;
  std::vector<DeviceNode> functions;
  Result<ToolAnswer> answer = fail(Errc::not_found, "no vendor tool is installed");
  mutable std::vector<ToolQuery> queries;
};

constexpr const char* report =
    "\nSmart Array P420i in Slot 0 (Embedded)\n   Bus Interface: PCI\n   Slot: 0\n"
    "   Controller Status: OK\n\n";

::testing::AssertionResult says(const FactSet& set, std::string_view words) {
  if (set.detail.find(words) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "\"" << set.detail << "\" does not say \"" << words << "\"";
}

TEST(SsacliSource, AsksOnceAndReadsTheReport) {
  FakeMachine machine;
  machine.says(report);
  const FactSet set = machine.collect();
  EXPECT_EQ(set.path, PathName::ssacli);
  EXPECT_EQ(set.status, SourceStatus::ok);
  EXPECT_EQ(set.detail, "");
  EXPECT_EQ(set.duration_ms, 1234);
  EXPECT_EQ(machine.queries, std::vector<ToolQuery>{ToolQuery::show_config_detail});
  ASSERT_EQ(set.entities.size(), 2u);
  EXPECT_EQ(set.entities[1].name, "Smart Array P420i");
}

TEST(SsacliSource, NoToolSaysWhatItWouldAdd) {
  FakeMachine machine;
  const FactSet set = machine.collect();
  EXPECT_EQ(set.status, SourceStatus::absent);
  EXPECT_TRUE(says(set, "stay unknown without it"));
}

TEST(SsacliSource, NamedToolThatIsMissingIsAFailure) {
  FakeMachine machine;
  machine.answer = fail(Errc::not_found, "no such program", "/opt/ssacli", "name it with --ssacli");
  EXPECT_EQ(machine.collect().status, SourceStatus::failed);
}

TEST(SsacliSource, RunnerErrorsKeepTheirHints) {
  for (const Errc code : {Errc::permission, Errc::timeout, Errc::busy}) {
    FakeMachine machine;
    machine.answer = fail(code, "it did not work", "/usr/sbin/ssacli", "do this");
    const FactSet set = machine.collect();
    EXPECT_EQ(set.status, SourceStatus::failed);
    EXPECT_TRUE(says(set, "do this"));
  }
}

TEST(SsacliSource, NoControllersIsAnAnswer) {
  FakeMachine machine;
  machine.says("\nError: No controllers detected.\n\n", 1);
  const FactSet set = machine.collect();
  EXPECT_EQ(set.status, SourceStatus::ok);
  EXPECT_TRUE(says(set, "found no controller"));
}

TEST(SsacliSource, NoControllersWithoutSgDriverNamesTheModule) {
  FakeMachine machine;
  machine.folders.clear();
  machine.says("\nError: No controllers detected.\n\n", 1);
  const FactSet set = machine.collect();
  EXPECT_EQ(set.status, SourceStatus::failed);
  EXPECT_TRUE(says(set, "modprobe sg"));
  machine.has_function("0x103c", "0x323b");
  EXPECT_EQ(machine.collect().status, SourceStatus::failed);
}

// The tool is right there: no module would show it a controller.
TEST(SsacliSource, NoControllersIsNoFailureWhereThePciBusHasNone) {
  FakeMachine machine;
  machine.folders.clear();
  machine.has_function("0x8086", "0x10d3");
  machine.says("\nError: No controllers detected.\n\n", 1);
  EXPECT_EQ(machine.collect().status, SourceStatus::ok);
}

TEST(SsacliSource, TroubleInTheUsersWords) {
  const std::pair<const char*, const char*> cases[] = {
      {"Error: Another instance of ACU is already running (possibly a service).\n",
       "end the running"},
      {"Error: You need to have administrator rights to continue.\n", "needs root"},
      {"/usr/sbin/ssacli: 16: /opt/ssacli/bld/ssacli: not found\n", "install the package again"},
      {"\n \n", "printed nothing"},
      {"lorem ipsum\n", "\"lorem ipsum\""}};
  for (const auto& [output, words] : cases) {
    FakeMachine machine;
    machine.says(output, 1);
    const FactSet set = machine.collect();
    EXPECT_EQ(set.status, SourceStatus::failed) << output;
    EXPECT_TRUE(says(set, words));
    EXPECT_TRUE(says(set, "ctrl all show config detail"));
  }
}

TEST(SsacliSource, GarbageWithSuccessIsAFailure) {
  FakeMachine machine;
  machine.says("\x01\x02garbage\xFF\n", 0);
  const FactSet set = machine.collect();
  EXPECT_EQ(set.status, SourceStatus::failed);
  EXPECT_TRUE(says(set, "cannot be understood"));
}

TEST(SsacliSource, DeathInTheMiddleKeepsWhatWasPrinted) {
  FakeMachine machine;
  machine.says(report, 139);
  const FactSet set = machine.collect();
  EXPECT_EQ(set.status, SourceStatus::failed);
  EXPECT_TRUE(says(set, "signal 11"));
  EXPECT_EQ(set.entities.size(), 2u);
}

}  // namespace
}  // namespace raidscope
