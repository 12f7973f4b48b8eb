// What the intervals promise, held against a model whose truth is known: a closed queueing network
// of a controller and the drives behind it, run again and again with the seeds below. Nothing here
// says anything about the speed of hardware.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

#include "workloads/crossover.h"
#include "workloads/random.h"
#include "workloads/ratio_interval.h"

namespace raidscope {
namespace {

constexpr int trials = 4000;
constexpr std::size_t most_pairs = 12;
constexpr std::array<std::size_t, 3> pair_counts{4, 6, 12};

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  double unit() { return (static_cast<double>(bits_() >> 11U) + 0.5) * 0x1.0p-53; }
  double exponential() { return -std::log(unit()); }
  double normal() {
    return std::sqrt(2 * exponential()) * std::cos(2 * 3.14159265358979323846 * unit());
  }

 private:
  SplitMix64 bits_;
};

/// So many requests go round between one controller and `drives` drives, all with exponential
/// service times. The number at the controller is a birth and death process, whose stationary
/// distribution is known in closed form.
struct Network {
  double controller_rate, drive_rate;
  int drives, requests;

  double drives_rate(int at_controller) const {
    return drive_rate * std::min(requests - at_controller, drives);
  }

  /// I/Os a second, exactly.
  double throughput() const {
    std::vector<double> weight{1.0};
    for (int k = 1; k <= requests; ++k)
      weight.push_back(weight.back() * drives_rate(k - 1) / controller_rate);
    double sum = 0, flow = 0;
    for (int k = 0; k <= requests; ++k) {
      sum += weight[static_cast<std::size_t>(k)];
      flow += weight[static_cast<std::size_t>(k)] * drives_rate(k);
    }
    return flow / sum;
  }

  /// One run: how fast `completions` requests went, after as long a ramp as it takes to fill up.
  double measured(Random& random, int completions) const {
    int at_controller = requests / 2;
    double time = 0;
    for (int done = -completions / 4; done < completions;) {
      const double leave = at_controller > 0 ? controller_rate : 0;
      const double arrive = drives_rate(at_controller);
      if (done >= 0) time += random.exponential() / (leave + arrive);
      if (random.unit() * (leave + arrive) < leave) {
        --at_controller;
      } else {
        ++at_controller;
        ++done;
      }
    }
    return completions / time;
  }
};

/// What disturbs a run beside its own queues, as a factor; `at` is its place in the session, 0
/// to 1.
using Disturbance = double (*)(Random& random, double at);

double usual(Random& random, double) {
  return std::exp(0.02 * random.normal());
}
/// Now and then something else uses the machine.
double skewed(Random& random, double) {
  return random.unit() < 0.2 ? 1 - 0.6 * random.unit() : std::exp(0.01 * random.normal());
}
/// The drives get slower while they are written to.
double drifting(Random& random, double at) {
  return (1 - 0.25 * at) * std::exp(0.02 * random.normal());
}

struct Counts {
  int covered = 0, different = 0, intervals = 0;
  double coverage() const { return static_cast<double>(covered) / intervals; }
  double called_different() const { return static_cast<double>(different) / intervals; }
};

struct Outcome {
  std::array<Counts, pair_counts.size()> paired, welch, ranks;
};

void count(const LogRatio& interval, double truth, Counts& into) {
  if (!interval.low) return;
  ++into.intervals;
  if (*interval.low <= truth && truth <= *interval.high) ++into.covered;
  const Judgement judgement = judge(interval, 0);
  if (judgement == Judgement::above || judgement == Judgement::below) ++into.different;
}

/// Pairs in ABBA order: the two runs of a pair follow each other.
Outcome simulate(const Network& a, const Network& b, Disturbance disturbance, std::uint64_t seed) {
  constexpr int completions = 60;
  const double truth = std::log(b.throughput() / a.throughput());
  Outcome out;
  Random random(seed);
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> logs_a, logs_b, pairs;
    std::size_t next = 0;
    for (std::size_t pair = 0; pair < most_pairs; ++pair) {
      const double at = static_cast<double>(pair) / most_pairs;
      const double step = 1.0 / (2 * most_pairs);
      const bool a_first = pair % 2 == 0;
      logs_a.push_back(std::log(a.measured(random, completions) *
                                disturbance(random, a_first ? at : at + step)));
      logs_b.push_back(std::log(b.measured(random, completions) *
                                disturbance(random, a_first ? at + step : at)));
      pairs.push_back(logs_b.back() - logs_a.back());
      if (next == pair_counts.size() || pairs.size() != pair_counts[next]) continue;
      count(paired_t(pairs), truth, out.paired[next]);
      count(welch_t(logs_a, logs_b), truth, out.welch[next]);
      count(signed_rank(pairs), truth, out.ranks[next]);
      ++next;
    }
  }
  return out;
}

void report(const char* what, const Outcome& outcome) {
  for (std::size_t i = 0; i < pair_counts.size(); ++i) {
    std::printf("  %-22s %2zu pairs: paired t %.1f %%, Welch %.1f %%, signed rank ", what,
                pair_counts[i], outcome.paired[i].coverage() * 100,
                outcome.welch[i].coverage() * 100);
    if (outcome.ranks[i].intervals == 0) {
      std::printf("none\n");
    } else {
      std::printf("%.1f %%\n", outcome.ranks[i].coverage() * 100);
    }
  }
}

/// A controller that keeps four slow drives waiting, against drives that are waited for.
constexpr Network slow{1.0, 0.45, 4, 16};
constexpr Network fast{1.6, 0.45, 4, 16};

TEST(Coverage, TheModelIsWhatItSays) {
  Random random(5);
  for (const Network& network : {slow, fast})
    EXPECT_NEAR(network.measured(random, 400'000), network.throughput(),
                0.01 * network.throughput());
  EXPECT_GT(fast.throughput(), 1.3 * slow.throughput());
}

TEST(Coverage, IntervalsOf95PercentCoverAsOften) {
  const Outcome outcome = simulate(slow, fast, usual, 20260101);
  report("ratio 1.5 to 1.8", outcome);
  for (std::size_t i = 0; i < pair_counts.size(); ++i) {
    EXPECT_EQ(outcome.paired[i].intervals, trials);
    EXPECT_GE(outcome.paired[i].coverage(), 0.935) << pair_counts[i];
    EXPECT_LE(outcome.paired[i].coverage(), 0.975) << pair_counts[i];
    EXPECT_GE(outcome.welch[i].coverage(), 0.935) << pair_counts[i];
    EXPECT_LE(outcome.welch[i].coverage(), 0.975) << pair_counts[i];
    if (pair_counts[i] < 6) {
      EXPECT_EQ(outcome.ranks[i].intervals, 0);
      continue;
    }
    EXPECT_GE(outcome.ranks[i].coverage(), 0.935) << pair_counts[i];
    EXPECT_LE(outcome.ranks[i].coverage(), 0.975) << pair_counts[i];
  }
}

TEST(Coverage, EqualArmsAreSeldomCalledDifferent) {
  // Without a margin, which would hide most of them.
  const Outcome outcome = simulate(slow, slow, usual, 20260102);
  report("equal arms", outcome);
  for (std::size_t i = 0; i < pair_counts.size(); ++i) {
    for (const Counts* counts : {&outcome.paired[i], &outcome.welch[i], &outcome.ranks[i]}) {
      if (counts->intervals == 0) continue;
      EXPECT_LE(counts->called_different(), 0.059) << pair_counts[i];
    }
  }
}

TEST(Coverage, SkewedAndDriftingNoiseIsReported) {
  const Outcome skew = simulate(slow, fast, skewed, 20260103);
  report("skewed noise", skew);
  const Outcome drift = simulate(slow, fast, drifting, 20260104);
  report("drift, ABBA order", drift);
  for (std::size_t i = 0; i < pair_counts.size(); ++i) {
    // Differences of pairs take the skew and the drift away for the greater part.
    EXPECT_GE(skew.paired[i].coverage(), 0.925) << pair_counts[i];
    EXPECT_GE(drift.paired[i].coverage(), 0.935) << pair_counts[i];
  }
}

/// The second study's shape: the cache's advantage falls as disks are added, and is gone at 17.
double true_log_ratio(double disks) {
  return 0.9 * std::log((disks + 6) / 23.0);
}
constexpr double true_crossover = 17;

struct CrossoverOutcome {
  int held = 0, trials = 0;
  double width = 0;
  double rate() const { return static_cast<double>(held) / trials; }
};

CrossoverOutcome cross(std::size_t pairs, double noise, std::uint64_t seed) {
  constexpr int crossover_trials = 500;
  constexpr std::array<double, 9> disks{2, 4, 6, 8, 12, 16, 18, 20, 24};
  CrossoverOutcome out;
  Random random(seed);
  for (int trial = 0; trial < crossover_trials; ++trial) {
    std::vector<CrossoverPoint> points;
    for (const double count : disks) {
      std::vector<double> logs;
      for (std::size_t pair = 0; pair < pairs; ++pair)
        logs.push_back(true_log_ratio(count) + noise * random.normal());
      const LogRatio interval = paired_t(logs);
      points.push_back({count, interval.estimate, *interval.error, *interval.degrees});
    }
    const auto found = crossover(points, {.draws = 250, .seed = seed + 1});
    if (!found) continue;
    ++out.trials;
    if (found->low <= true_crossover && true_crossover <= found->high) ++out.held;
    out.width += std::min(found->high, 30.0) - std::max(found->low, 0.0);
  }
  out.width /= out.trials;
  return out;
}

TEST(Coverage, TheCrossoverLiesInItsInterval) {
  for (const std::size_t pairs : pair_counts) {
    for (const double noise : {0.02, 0.08}) {
      const CrossoverOutcome outcome = cross(pairs, noise, 20260105);
      std::printf("  crossover, %2zu pairs, noise %.0f %%: held in %.1f %%, %.1f disks wide\n",
                  pairs, noise * 100, outcome.rate() * 100, outcome.width);
      EXPECT_GE(outcome.rate(), 0.93) << pairs << " " << noise;
      EXPECT_LE(outcome.rate(), 0.995) << pairs << " " << noise;
    }
  }
}

}  // namespace
}  // namespace raidscope
