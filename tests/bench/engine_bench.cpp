// What the tool itself costs per request: the pieces of the run loop, and the whole loop on the
// null engine.
#include <benchmark/benchmark.h>
#include <cstddef>
#include <memory>
#include <random>
#include <vector>

#include "workloads/latency_histogram.h"
#include "workloads/request_stream.h"
#include "workloads/run/runner.h"
#include "workloads/run/worker.h"
#include "workloads/statistics.h"
#include "workloads/write_content.h"

namespace {

using raidscope::LatencyHistogram;

std::vector<std::uint64_t> latencies() {
  std::mt19937_64 rng(1);
  std::lognormal_distribution<double> d(11, 0.7);
  std::vector<std::uint64_t> out(4096);
  for (auto& ns : out) ns = static_cast<std::uint64_t>(d(rng));
  return out;
}

void HistogramRecord(benchmark::State& state) {
  const auto values = latencies();
  const auto histogram = std::make_unique<LatencyHistogram>();
  std::size_t i = 0;
  for (auto _ : state) histogram->record(values[i++ & 4095U]);
  benchmark::DoNotOptimize(histogram->count());
}
BENCHMARK(HistogramRecord);

void HistogramMerge(benchmark::State& state) {
  const auto one = std::make_unique<LatencyHistogram>();
  const auto two = std::make_unique<LatencyHistogram>();
  for (const std::uint64_t ns : latencies()) two->record(ns);
  for (auto _ : state) one->merge(*two);
}
BENCHMARK(HistogramMerge);

void HistogramSummary(benchmark::State& state) {
  const auto histogram = std::make_unique<LatencyHistogram>();
  for (const std::uint64_t ns : latencies()) histogram->record(ns);
  for (auto _ : state) benchmark::DoNotOptimize(raidscope::summarize(*histogram));
}
BENCHMARK(HistogramSummary);

void Stream(benchmark::State& state, raidscope::Pattern pattern, int read_percent) {
  raidscope::Workload w;
  w.pattern = pattern;
  w.read_percent = read_percent;
  const auto extent = raidscope::extent_of(w, std::uint64_t{100} << 30U);
  raidscope::SharedCursor cursor;
  raidscope::RequestStream stream(w, *extent, 0, 0, &cursor);
  std::vector<raidscope::Request> batch(16);
  for (auto _ : state) {
    stream.fill(batch);
    benchmark::DoNotOptimize(batch.data());
  }
  state.SetItemsProcessed(state.iterations() * 16);
}
BENCHMARK_CAPTURE(Stream, random_read, raidscope::Pattern::random, 100);
BENCHMARK_CAPTURE(Stream, random_67, raidscope::Pattern::random, 67);
BENCHMARK_CAPTURE(Stream, sequential_shared, raidscope::Pattern::sequential, 100);

void ContentRefresh(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  std::vector<std::byte> memory(16 * bytes);
  raidscope::WriteContent content(memory, bytes, 1);
  std::uint32_t slot = 0;
  for (auto _ : state) content.refresh(slot++ & 15U, bytes);
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(ContentRefresh)->Arg(4096)->Arg(65536);

void Clock(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(raidscope::clock_ns());
}
BENCHMARK(Clock);

/// The whole loop of one worker at a queue depth; the counter is CPU nanoseconds per request.
void NullEngine(benchmark::State& state) {
  raidscope::Workload w;
  w.targets = {"null"};
  w.duration_s = 0.5;
  w.read_percent = static_cast<int>(state.range(1));
  w.queue_depth_per_worker = static_cast<std::uint32_t>(state.range(0));
  raidscope::RunOptions options;
  options.engine = "null";
  double ns = 0;
  for (auto _ : state) {
    const auto result = raidscope::run_workload(w, options);
    if (!result) {
      state.SkipWithError(raidscope::describe(result.error()).c_str());
      return;
    }
    ns = result->cpu.us_per_io.value_or(0) * 1000;
  }
  state.counters["cpu_ns_per_io"] = ns;
}
BENCHMARK(NullEngine)
    ->Args({1, 100})
    ->Args({16, 100})
    ->Args({16, 67})
    ->Args({64, 100})
    ->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
