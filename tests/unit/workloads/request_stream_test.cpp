#include "workloads/request_stream.h"

#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace raidscope {
namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30U;

Workload random_4k() {
  Workload w;
  w.name = "w";
  w.pattern = Pattern::random;
  w.block_bytes = {4096};
  return w;
}

std::vector<Request> take(RequestStream& stream, std::size_t n, std::size_t batch = 16) {
  std::vector<Request> out(n);
  for (std::size_t i = 0; i < n; i += batch) {
    stream.fill(std::span(out).subspan(i, std::min(batch, n - i)));
  }
  return out;
}

RequestStream stream_of(const Workload& w, std::uint64_t bytes, std::uint32_t worker = 0,
                        std::uint32_t target = 0, SharedCursor* cursor = nullptr) {
  return RequestStream(w, extent_of(w, bytes).value(), worker, target, cursor);
}

/// Chi-square of counts that should be equal, in standard deviations above its mean.
double excess(const std::vector<std::uint64_t>& counts) {
  double total = 0;
  for (const std::uint64_t c : counts) total += static_cast<double>(c);
  const double expected = total / static_cast<double>(counts.size());
  double chi = 0;
  for (const std::uint64_t c : counts) {
    chi += std::pow(static_cast<double>(c) - expected, 2) / expected;
  }
  const double freedom = static_cast<double>(counts.size()) - 1;
  return (chi - freedom) / std::sqrt(2 * freedom);
}

TEST(RequestStream, SameSeedSameStreamWhateverTheBatches) {
  Workload w = random_4k();
  w.read_percent = 70;
  w.seed = 42;
  RequestStream a = stream_of(w, gib);
  RequestStream b = stream_of(w, gib);
  EXPECT_EQ(take(a, 1000, 1), take(b, 1000, 64));
}

TEST(RequestStream, SeedsWorkersAndTargetsDiffer) {
  Workload w = random_4k();
  Workload other = w;
  other.seed = w.seed + 1;
  RequestStream a = stream_of(w, gib, 0, 0);
  RequestStream b = stream_of(w, gib, 1, 0);
  RequestStream c = stream_of(w, gib, 0, 1);
  RequestStream d = stream_of(other, gib, 0, 0);
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  for (RequestStream* s : {&a, &b, &c, &d}) {
    for (const Request& r : take(*s, 100)) seen.insert(r.offset);
    drawn += 100;
  }
  EXPECT_GT(seen.size(), drawn - 10);
}

TEST(RequestStream, StaysInsideOnAlignedOffsetsUpToTheLastBlock) {
  for (const std::uint64_t alignment : {0U, 512U, 4096U, 8192U}) {
    Workload w = random_4k();
    w.alignment_bytes = alignment;
    RequestStream s = stream_of(w, 10 * 4096 + 700);
    const std::uint64_t step = alignment != 0 ? alignment : 4096;
    std::uint64_t highest = 0;
    for (const Request& r : take(s, 20'000)) {
      ASSERT_EQ(r.offset % step, 0U);
      ASSERT_LE(r.offset + r.length, 10U * 4096 + 700);
      ASSERT_EQ(r.length, 4096U);
      highest = std::max(highest, r.offset);
    }
    EXPECT_EQ(highest, (9 * 4096 + 700) / step * step) << "the last position is never drawn";
  }
}

TEST(RequestStream, OffsetsAreUniformAlsoModuloStripAndArrayWidth) {
  Workload w = random_4k();
  RequestStream s = stream_of(w, 7 * gib);
  std::vector<std::uint64_t> strip(64);   // 4 KiB blocks in a 256 KiB strip
  std::vector<std::uint64_t> disk(6);     // strips over 6 disks
  std::vector<std::uint64_t> area(1000);  // the whole area
  for (const Request& r : take(s, 1'000'000)) {
    ++strip[r.offset / 4096 % 64];
    ++disk[r.offset / (256 * 1024) % 6];
    ++area[r.offset / 4096 * 1000 / (7 * gib / 4096)];
  }
  EXPECT_LT(excess(strip), 5);
  EXPECT_LT(excess(disk), 5);
  EXPECT_LT(excess(area), 5);
}

TEST(RequestStream, ReachesMostOfASmallAreaSoon) {
  Workload w = random_4k();
  RequestStream s = stream_of(w, 10'000 * 4096);
  std::set<std::uint64_t> seen;
  for (const Request& r : take(s, 50'000)) seen.insert(r.offset);
  EXPECT_NEAR(static_cast<double>(seen.size()), 10'000 * (1 - std::exp(-5.0)), 60);
}

TEST(RequestStream, DrawsReadsAndWritesInTheAskedShare) {
  for (const int percent : {0, 1, 33, 67, 99, 100}) {
    Workload w = random_4k();
    w.read_percent = percent;
    RequestStream s = stream_of(w, gib);
    int reads = 0;
    for (const Request& r : take(s, 100'000)) reads += r.write ? 0 : 1;
    if (percent == 0 || percent == 100) {
      EXPECT_EQ(reads, percent * 1000);
    } else {
      EXPECT_NEAR(reads, percent * 1000, 800);
    }
  }
}

TEST(RequestStream, SharedCursorGivesEachBlockOnceToSomeWorkerAndWraps) {
  Workload w = random_4k();
  w.pattern = Pattern::sequential;
  w.cursor = SequentialCursor::shared;
  w.workers = 2;
  SharedCursor cursor;
  RequestStream a = stream_of(w, 100 * 4096, 0, 0, &cursor);
  RequestStream b = stream_of(w, 100 * 4096, 1, 0, &cursor);
  std::vector<int> times(100);
  for (int turn = 0; turn < 15; ++turn) {
    for (const Request& r : take(a, 7, 7)) ++times[r.offset / 4096];
    for (const Request& r : take(b, 13, 13)) ++times[r.offset / 4096];
  }
  for (const int n : times) EXPECT_EQ(n, 3);
}

TEST(RequestStream, RegionsAreDisjointCoverAllAndWrapInThemselves) {
  Workload w = random_4k();
  w.pattern = Pattern::sequential;
  w.cursor = SequentialCursor::per_worker;
  w.workers = 3;
  std::set<std::uint64_t> seen;
  for (std::uint32_t worker = 0; worker < 3; ++worker) {
    RequestStream s = stream_of(w, 100 * 4096, worker);
    const std::size_t length = worker == 2 ? 34 : 33;
    const std::vector<Request> round = take(s, 2 * length);
    for (std::size_t i = 0; i < length; ++i) {
      EXPECT_TRUE(seen.insert(round[i].offset).second);
      EXPECT_EQ(round[i], round[i + length]);
      if (i > 0) {
        EXPECT_EQ(round[i].offset, round[i - 1].offset + 4096);
      }
    }
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST(Extent, SaysWhatDoesNotFit) {
  Workload w = random_4k();
  EXPECT_EQ(extent_of(w, 4095).error().code, Errc::usage);
  EXPECT_EQ(extent_of(w, 4096)->positions, 1U);
  w.area_bytes = 2 * gib;
  const auto too_large = extent_of(w, gib);
  ASSERT_FALSE(too_large);
  EXPECT_NE(describe(too_large.error()).find("2G"), std::string::npos);
  EXPECT_NE(describe(too_large.error()).find("1G"), std::string::npos);
  w.area_bytes = 0;
  w.block_bytes = {4096, 8192};
  EXPECT_FALSE(extent_of(w, gib));
  w.block_bytes = {};
  EXPECT_FALSE(extent_of(w, gib));
  w = random_4k();
  w.pattern = Pattern::sequential;
  w.cursor = SequentialCursor::per_worker;
  w.workers = 8;
  EXPECT_FALSE(extent_of(w, 7 * 4096));
  EXPECT_TRUE(extent_of(w, 8 * 4096));
}

TEST(Extent, SectorAlignedPositionsOfTheIometerStudy) {
  Workload w = random_4k();
  w.area_bytes = 8'388'608ULL * 512;
  w.alignment_bytes = 512;
  EXPECT_EQ(extent_of(w, 8 * gib)->positions, 8'388'608U - 7);
}

}  // namespace
}  // namespace raidscope
