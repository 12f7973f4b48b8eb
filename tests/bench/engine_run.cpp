// engine_run ENGINE BATCH 'OPTIONS': runs one reading workload written in the native syntax and
// prints one line of JSON. The other half of engine_vs_fio.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "workloads/native_syntax.h"
#include "workloads/run/runner.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: engine_run ENGINE BATCH 'OPTIONS of the native syntax'\n", stderr);
    return 64;
  }
  const auto workloads = raidscope::parse_native(argv[3]);
  if (!workloads) {
    fmt::print(stderr, "{}\n", raidscope::describe(workloads.error()));
    return 65;
  }
  raidscope::RunOptions options;
  options.engine = argv[1];
  options.completion_batch = static_cast<std::uint32_t>(std::atoi(argv[2]));
  const auto result = raidscope::run_workload(workloads->front(), options);
  if (!result) {
    fmt::print(stderr, "{}\n", raidscope::describe(result.error()));
    return 1;
  }
  fmt::print(
      "{{\"ios\": {}, \"iops\": {:.1f}, \"cpu_us_per_io\": {:.4f}, \"p50_us\": {:.2f}, \"p99_us\": "
      "{:.2f}, \"error_us\": {:.2f}, \"depth\": {:.2f}, \"littles_law_pct\": {:.2f}, \"details\": "
      "\"{}\"}}\n",
      result->read.ios.value_or(0), result->iops, result->cpu.us_per_io.value_or(0),
      result->latency_us.p50.value_or(0), result->latency_us.p99.value_or(0),
      result->checks.latency_error_us.value_or(0), result->checks.achieved_queue_depth.value_or(0),
      result->checks.littles_law_pct.value_or(0), result->engine.details);
  for (const std::string& suspicion : result->checks.suspicions) {
    fmt::print(stderr, "note: {}\n", suspicion);
  }
  return 0;
}
