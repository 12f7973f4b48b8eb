// The shapes of request streams beyond one block size and one pattern.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "workloads/derived.h"
#include "workloads/request_stream.h"
#include "workloads/worker_seats.h"
#include "workloads/workload_check.h"

namespace raidscope {
namespace {

constexpr std::uint64_t MiB = 1U << 20U;

std::vector<Request> requests(const Workload& w, std::size_t count, std::uint32_t worker = 0,
                              std::uint64_t target_bytes = 64 * MiB,
                              SharedCursor* cursor = nullptr) {
  const auto extent = extent_of(w, target_bytes);
  EXPECT_TRUE(extent) << describe(extent.error());
  if (!extent) return {};
  SharedCursor own;
  RequestStream stream(w, *extent, worker, 0, cursor != nullptr ? cursor : &own);
  std::vector<Request> out(count);
  stream.fill(out);
  for (const Request& r : out) {
    EXPECT_GE(r.offset, extent->base_bytes);
    EXPECT_LE(r.offset + r.length, extent->base_bytes + extent->area_bytes);
  }
  return out;
}

Workload iometer_mix() {
  Workload w;
  w.mix = {{50, 4096, 67, 100, 0}, {30, 8192, 100, 0, 4096}, {20, 65536, 0, 40, 8192}};
  w.block_bytes = {4096, 8192, 65536};
  return w;
}

TEST(RequestShapes, AMixHasItsSharesOfSizesReadsAndRandom) {
  EXPECT_TRUE(check_workload(iometer_mix()));
  const auto all = requests(iometer_mix(), 100'000);
  std::map<std::uint32_t, double> share;
  std::map<std::uint32_t, double> reads;
  std::map<std::uint32_t, double> following;
  std::uint64_t next = ~0ULL;
  for (const Request& r : all) {
    share[r.length] += 1;
    reads[r.length] += r.write ? 0 : 1;
    const std::uint64_t align = r.length == 65536 ? 8192 : 4096;
    if (r.offset == (next + align - 1) / align * align) following[r.length] += 1;
    next = r.offset + r.length;
    EXPECT_EQ(r.offset % (r.length == 65536 ? 8192 : 4096), 0U);
  }
  EXPECT_NEAR(share[4096] / 1e5, 0.5, 0.01);
  EXPECT_NEAR(share[8192] / 1e5, 0.3, 0.01);
  EXPECT_NEAR(share[65536] / 1e5, 0.2, 0.01);
  EXPECT_NEAR(reads[4096] / share[4096], 0.67, 0.01);
  EXPECT_EQ(reads[8192], share[8192]);
  EXPECT_EQ(reads[65536], 0);
  EXPECT_NEAR(following[65536] / share[65536], 0.6, 0.02);
  EXPECT_GT(following[8192] / share[8192], 0.98);
  EXPECT_LT(following[4096] / share[4096], 0.01);
}

TEST(RequestShapes, AShareOfRandomRequests) {
  Workload w;
  w.random_percent = 25;
  w.pattern = Pattern::sequential;
  const auto all = requests(w, 50'000);
  double following = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    following += all[i].offset == all[i - 1].offset + 4096 ? 1 : 0;
  EXPECT_NEAR(following / 50'000, 0.75, 0.01);
}

TEST(RequestShapes, AnAreaBeginsAtItsBase) {
  for (const Pattern pattern : {Pattern::random, Pattern::sequential}) {
    for (const auto cursor :
         {SequentialCursor::shared, SequentialCursor::per_worker, SequentialCursor::own}) {
      Workload w;
      w.pattern = pattern;
      w.cursor = cursor;
      w.base_bytes = 8 * MiB;
      w.area_bytes = MiB;
      std::set<std::uint64_t> offsets;
      for (const Request& r : requests(w, 4096)) offsets.insert(r.offset);
      EXPECT_EQ(*offsets.begin(), 8 * MiB);
      EXPECT_EQ(*offsets.rbegin(), 9 * MiB - 4096);
    }
  }
  Workload w;
  w.base_bytes = 63 * MiB;
  EXPECT_EQ(extent_of(w, 64 * MiB)->area_bytes, MiB);
  w.area_bytes = 2 * MiB;
  EXPECT_FALSE(extent_of(w, 64 * MiB));
  w.base_bytes = 64 * MiB;
  EXPECT_FALSE(extent_of(w, 64 * MiB));
}

TEST(RequestShapes, AStrideIsTheDistanceOfSequentialRequests) {
  Workload w;
  w.pattern = Pattern::sequential;
  w.block_bytes = {8192};
  w.stride_bytes = 65536;
  const auto all = requests(w, 2000);
  EXPECT_EQ(all[0].offset, 0U);
  EXPECT_EQ(all[1].offset, 65536U);
  EXPECT_EQ(all[1023].offset, 1023U * 65536);
  EXPECT_EQ(all[1024].offset, 0U);
  EXPECT_EQ(all[1].length, 8192U);
}

TEST(RequestShapes, OwnCursorsReadTheSameBlocksFromTheirOwnBeginnings) {
  Workload w;
  w.pattern = Pattern::sequential;
  w.cursor = SequentialCursor::own;
  w.workers = 3;
  EXPECT_EQ(requests(w, 10, 0), requests(w, 10, 2));
  w.worker_offset_bytes = MiB;
  const auto third = requests(w, 62 * 256 + 1, 2);
  EXPECT_EQ(third.front().offset, 2 * MiB);
  EXPECT_EQ(third[62 * 256 - 1].offset, 64 * MiB - 4096);
  EXPECT_EQ(third.back().offset, 2 * MiB);  // back to its own beginning
}

TEST(RequestShapes, SequentialMixesWithASharedCursorOverlapNowhere) {
  Workload w;
  w.pattern = Pattern::sequential;
  w.workers = 4;
  w.mix = {{50, 4096, 100, 0, 0}, {50, 12288, 100, 0, 0}};
  w.block_bytes = {4096, 12288};
  SharedCursor cursor;
  std::vector<Request> all;
  for (std::uint32_t worker = 0; worker < 4; ++worker) {
    const auto some = requests(w, 500, worker, 64 * MiB, &cursor);
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end(),
            [](const Request& a, const Request& b) { return a.offset < b.offset; });
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_EQ(all[i].offset, all[i - 1].offset + all[i - 1].length);
}

TEST(RequestShapes, TrimsAreAShareOfWhatDoesNotRead) {
  Workload w;
  w.read_percent = 50;
  w.trim_percent = 40;
  double trims = 0;
  double writes = 0;
  for (const Request& r : requests(w, 50'000)) {
    if (r.kind == Request::Kind::trim) trims += 1;
    if (r.write) writes += 1;
    EXPECT_TRUE(r.write || r.kind == Request::Kind::data);
  }
  EXPECT_NEAR(trims / writes, 0.4, 0.01);
}

TEST(WorkerSeats, GroupsHaveTheirOwnTargetsAndDepths) {
  Workload w;
  w.targets = {"a", "b", "c"};
  w.groups = {{2, 8, {0}}, {1, 4, {1, 2}}, {1, 1, {0}}};
  w.workers = 4;
  EXPECT_TRUE(check_workload(w));
  const auto seats = seats_of(w);
  ASSERT_EQ(seats.size(), 4U);
  EXPECT_EQ(seats[0].slots, 8U);
  EXPECT_EQ(seats[2].slots, 8U);
  EXPECT_EQ(seats[2].targets, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(seats[3].sharing[0].rank, 2U);
  EXPECT_EQ(seats[3].sharing[0].sharers, 3U);
  EXPECT_EQ(seats[2].sharing[0].sharers, 1U);
  EXPECT_EQ(outstanding(w), 8U + 8 + 8 + 1);
  w.workers = 3;
  EXPECT_FALSE(check_workload(w));
}

TEST(WorkerSeats, ADepthOverTargetsIsTheWorkers) {
  Workload w;
  w.targets = {"a", "b", "c"};
  w.workers = 2;
  w.queue_depth_per_worker = 5;
  EXPECT_EQ(outstanding(w), 30U);
  w.depth_over_targets = true;
  EXPECT_EQ(outstanding(w), 10U);
  EXPECT_EQ(seats_of(w, 1)[0].slots, 1U);
}

TEST(WorkloadCheck, RefusesWhatIsImpossible) {
  const auto refused = [](auto change) {
    Workload w;
    change(w);
    return !check_workload(w);
  };
  EXPECT_TRUE(refused([](Workload& w) { w.mix = {{50, 4096, 100, 100, 0}}; }));
  EXPECT_TRUE(refused([](Workload& w) { w.mix = {{100, 4000, 100, 100, 0}}; }));
  EXPECT_TRUE(refused([](Workload& w) { w.spread = Spread::zipf; }));
  EXPECT_TRUE(refused([](Workload& w) { w.spread = Spread::pareto, w.skew = 1; }));
  EXPECT_TRUE(refused([](Workload& w) { w.spread = Spread::hot_spots; }));
  EXPECT_TRUE(refused([](Workload& w) { w.arrivals = Arrivals::poisson; }));
  EXPECT_TRUE(refused([](Workload& w) { w.rate_iops = 100; }));
  EXPECT_TRUE(refused([](Workload& w) { w.stride_bytes = 1000; }));
  EXPECT_TRUE(refused([](Workload& w) { w.verify = true, w.duplicate_percent = 10; }));
  EXPECT_TRUE(refused([](Workload& w) { w.cooldown_s = -1; }));
  EXPECT_FALSE(refused([](Workload& w) { w.spread = Spread::once; }));
}

}  // namespace
}  // namespace raidscope
