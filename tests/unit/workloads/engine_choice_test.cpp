#include "workloads/run/engine_choice.h"

#include <array>

#include <gtest/gtest.h>

namespace raidscope {
namespace {

Status here() {
  return Done{};
}
Status not_here() {
  return fail(Errc::unsupported, "not in this kernel", "x", "take another");
}

struct Machine {
  EngineType uring{.id = "io_uring", .available = here};
  EngineType aio{.id = "libaio", .available = here};
  EngineType psync{.id = "psync", .max_in_flight = 1, .available = here};
  [[nodiscard]] EngineChoice choose(const EngineNeeds& needs, std::string_view asked = {}) const {
    const std::array<const EngineType*, 3> all{&uring, &aio, &psync};
    const auto choice = choose_engine(asked, needs, all);
    EXPECT_TRUE(choice) << describe(choice.error());
    return choice ? *choice : EngineChoice{};
  }
};

TEST(EngineChoice, IoUringWhereItCan) {
  const Machine machine;
  const EngineChoice choice = machine.choose({.in_flight = 8});
  EXPECT_EQ(choice.type->id, "io_uring");
  EXPECT_NE(choice.reason.find("least CPU"), std::string::npos);
}

TEST(EngineChoice, LibaioOnKernelsWithoutIoUringKeepsTheDepthOfDirectIo) {
  Machine old;
  old.uring.available = not_here;
  EXPECT_EQ(old.choose({.in_flight = 8}).type->id, "libaio");
  EXPECT_NE(old.choose({.in_flight = 8}).reason.find("not in this kernel"), std::string::npos);
  EXPECT_EQ(old.choose({.in_flight = 8, .direct = false}).type->id, "psync");
  EXPECT_EQ(old.choose({.in_flight = 1}).type->id, "psync");
  old.aio.available = not_here;
  EXPECT_EQ(old.choose({.in_flight = 8}).type->id, "psync");
}

TEST(EngineChoice, NeverThreadsInTheKernelWhereAnotherEngineDoesWithout) {
  const Machine now;
  const auto of = [&](std::uint32_t depth, bool direct) {
    return now.choose({.in_flight = depth, .direct = direct, .waiting_target = "/dev/zram0"});
  };
  EXPECT_EQ(of(1, true).type->id, "psync");
  EXPECT_EQ(of(16, true).type->id, "libaio");
  EXPECT_NE(of(16, true).reason.find("/dev/zram0"), std::string::npos);
  EXPECT_EQ(of(16, false).type->id, "io_uring");
  EXPECT_NE(of(16, false).reason.find("io-wq"), std::string::npos);
}

TEST(EngineChoice, PollingThatTheEngineCannotDoIsNamed) {
  Machine machine;
  machine.uring.polls = true;
  const auto says = [&](const EngineNeeds& needs, std::string_view asked = {}) {
    return machine.choose(needs, asked).reason.find("cannot poll") != std::string::npos;
  };
  EXPECT_FALSE(says({.in_flight = 8, .poll = true}));
  EXPECT_TRUE(says({.in_flight = 8, .poll = true}, "libaio"));
  EXPECT_FALSE(says({.in_flight = 8}, "libaio"));
}

TEST(EngineChoice, TakesTheOneAskedForOrSaysWhyNot) {
  Machine machine;
  EXPECT_EQ(machine.choose({}, "psync").reason, "asked for");
  machine.aio.available = not_here;
  const std::array<const EngineType*, 3> all{&machine.uring, &machine.aio, &machine.psync};
  const auto missing = choose_engine("libaio", {}, all);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::unsupported);
  const auto unknown = choose_engine("sync", {}, all);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Errc::usage);
  EXPECT_NE(unknown.error().hint.find("libaio"), std::string::npos);
}

}  // namespace
}  // namespace raidscope
