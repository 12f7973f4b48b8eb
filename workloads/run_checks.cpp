#include "workloads/run_checks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace raidscope {
namespace {

std::string decimal_bytes(double bytes) {
  constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(units)) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.2f} {}", bytes, units[unit]);
}

struct Share {
  double device = 0, own = 0;
  [[nodiscard]] double ratio() const { return own == 0 ? 1 : device / own; }
};

/// The direction in which fewer bytes reached the device than were asked for, else the busier one.
double served_by_device(const Share& read, const Share& write) {
  if (read.own == 0) return write.ratio();
  if (write.own == 0) return read.ratio();
  return std::min(read.ratio(), write.ratio());
}

Share share(std::uint64_t sectors, std::uint64_t own) {
  constexpr double sector = 512;
  return {static_cast<double>(sectors) * sector, static_cast<double>(own)};
}

/// Memory is never a drive, however the request travelled.
void judge_memory(const RunEvidence& e, RunVerdict& out) {
  out.direct_proof = fmt::format(
      "{}, but {}", e.direct ? "O_DIRECT was accepted" : "buffered, as asked", e.in_memory);
  out.checks.suspicions.push_back(
      fmt::format("{}: these are the memory's figures, not a drive's", e.in_memory));
  out.checks.valid = false;
}

void judge_device(const RunEvidence& e, RunVerdict& out) {
  const DeviceCounters& d = *e.device;
  const Share read = share(d.sectors_read, e.bytes_read);
  const Share write = share(d.sectors_written, e.bytes_written);
  double served = served_by_device(read, write);
  std::string figures =
      fmt::format("{}: {} read and {} written at the device, {} and {} by this run",
                  e.counters_name, decimal_bytes(read.device), decimal_bytes(write.device),
                  decimal_bytes(read.own), decimal_bytes(write.own));
  if (e.ground) {
    const Share read_below = share(e.ground->sectors_read, e.bytes_read);
    const Share written_below = share(e.ground->sectors_written, e.bytes_written);
    served = std::min(served, served_by_device(read_below, written_below));
    figures += fmt::format("; {}: {} and {} at what it lies on", e.ground_name,
                           decimal_bytes(read_below.device), decimal_bytes(written_below.device));
  } else if (!e.ground_unknown.empty()) {
    figures += "; " + e.ground_unknown;
    out.checks.suspicions.push_back(
        "whether a cache below the device served the requests is unknown: " + e.ground_unknown);
  }
  std::vector<std::string>& suspicions = out.checks.suspicions;
  if (!e.direct) {
    out.direct_proof = fmt::format("buffered, as asked ({})", figures);
    if (served < 0.9) {
      suspicions.push_back(
          fmt::format("buffered: the page cache served {:.0f} % of the bytes, so these are not the "
                      "device's figures",
                      100 * (1 - served)));
    }
    if (served < 0.5) out.checks.valid = false;
    return;
  }
  if (served < 0.9) {
    out.direct_proof =
        fmt::format("O_DIRECT was accepted, but a cache served the requests ({})", figures);
    suspicions.push_back(fmt::format(
        "only {:.0f} % of the bytes reached the device although O_DIRECT was accepted: {}",
        100 * served, figures));
    if (served < 0.5) out.checks.valid = false;
  } else if (!e.page_cache.empty()) {
    out.direct_proof = fmt::format("O_DIRECT was accepted, but {} ({})", e.page_cache, figures);
  } else {
    out.direct = true;
    out.direct_proof = fmt::format("O_DIRECT, and {}", figures);
  }
  if (!e.page_cache.empty()) {
    suspicions.push_back(e.page_cache +
                         ", so memory may answer a part of the requests; losetup "
                         "--direct-io=on changes that");
  }
  const double others =
      std::max(0.0, read.device - read.own) + std::max(0.0, write.device - write.own);
  const double own = read.own + write.own;
  const bool alone = others <= 0.1 * own;
  if (!alone && own > 0) {
    suspicions.push_back(fmt::format("others used the device meanwhile: {} beside this run's {}",
                                     decimal_bytes(others), decimal_bytes(own)));
  }
  const std::uint64_t requests = d.reads + d.writes;
  if (alone && !e.mixed_sizes && served >= 0.9 && requests != 0 && e.total_ios >= 100) {
    const double size = (read.device + write.device) / static_cast<double>(requests);
    const double asked = e.block_bytes;
    if (size < 0.9 * asked || size > 1.1 * asked) {
      suspicions.push_back(fmt::format(
          "requests were {} on the way: {:.1f} KiB on average at the device for {:.1f} KiB asked",
          size < asked ? "split" : "merged", size / 1024, asked / 1024));
    }
  }
  if (alone && e.total_s >= 0.5 && e.achieved_depth && *e.achieved_depth >= 2) {
    const double queued = static_cast<double>(d.queue_ms) / 1000 / e.total_s;
    if (queued < 0.5 * *e.achieved_depth && queued > 0) {
      suspicions.push_back(
          fmt::format("the device's queue held {:.1f} requests on average where {:.1f} were "
                      "outstanding: something "
                      "above it holds them back (the queue's nr_requests, a lock of the file "
                      "system, io-wq threads)",
                      queued, *e.achieved_depth));
    }
  }
}

}  // namespace

RunVerdict check_run(const RunEvidence& e) {
  RunVerdict out;
  Checks& checks = out.checks;
  std::vector<std::string>& suspicions = checks.suspicions;

  if (!e.moves_data) {
    out.direct_proof = fmt::format("the {} engine moves no data", e.engine);
    suspicions.push_back(fmt::format(
        "the {} engine moves no data: these figures are the tool's own cost, not a device's",
        e.engine));
  } else if (!e.in_memory.empty()) {
    judge_memory(e, out);
  } else if (e.device) {
    judge_device(e, out);
  } else {
    out.direct = e.direct;
    out.direct_proof = fmt::format("{}; unproven: {}", e.direct ? "O_DIRECT" : "buffered, as asked",
                                   e.counters_missing);
    suspicions.push_back(
        fmt::format("the device's counters could not be compared: {}", e.counters_missing));
  }

  if (e.ios == 0) {
    checks.valid = false;
    suspicions.emplace_back(e.interrupted ? "stopped before anything was measured"
                                          : "no request completed inside the measurement");
    return out;
  }

  checks.achieved_queue_depth = e.achieved_depth;
  const bool keeps_depth = e.rate_asked == 0 && !e.pauses;
  if (e.rate_asked > 0 && e.window_s > 0) {
    const double rate = static_cast<double>(e.ios) / e.window_s;
    // What chance leaves of a Poisson stream is a few square roots.
    const double chance = 4 * std::sqrt(static_cast<double>(e.ios)) / static_cast<double>(e.ios);
    if (rate < e.rate_asked * (1 - std::max(0.01, chance)) || e.backlog > 2 * e.outstanding_asked) {
      suspicions.push_back(fmt::format(
          "{:.0f} requests a second were to start and {:.0f} ended, {} were still due at the end: "
          "the target or the depth is the limit, and latencies hold the waiting",
          e.rate_asked, rate, e.backlog));
    }
  }
  if (e.outstanding_possible < e.outstanding_asked) {
    suspicions.push_back(
        fmt::format("the {} engine has {} request{} in flight in all ({} asked): each worker's "
                    "achieved depth is 1",
                    e.engine, e.outstanding_possible, e.outstanding_possible == 1 ? "" : "s",
                    e.outstanding_asked));
  } else if (keeps_depth && e.achieved_depth &&
             *e.achieved_depth < 0.9 * static_cast<double>(e.outstanding_asked)) {
    suspicions.push_back(
        fmt::format("{:.1f} requests were outstanding on average, {} were asked for",
                    *e.achieved_depth, e.outstanding_asked));
  }

  // With arrivals of their own, requests wait before they are outstanding, and may be few.
  if (e.window_s > 0 && keeps_depth) {
    const auto expected = static_cast<double>(e.outstanding_possible);
    const double seen = static_cast<double>(e.ios) * e.mean_us * 1e-6 / e.window_s;
    const double pct = (seen / expected - 1) * 100;
    checks.littles_law_pct = pct;
    // Requests that cross an edge of the window are counted whole or not at all.
    const double edges = 100 * 2 * e.mean_us * 1e-6 / e.window_s;
    if (std::abs(pct) > 10 + edges && e.moves_data) {
      suspicions.push_back(
          fmt::format("Little's law: IOPS × mean latency gives {:.1f} outstanding, {:.0f} were to "
                      "be kept ({:+.0f} %)",
                      seen, expected, pct));
    }
    // Latencies and the count of requests in flight are taken apart from each other: when they
    // disagree, one of them is wrong, whatever the device did.
    if (e.achieved_depth && std::abs(seen / *e.achieved_depth - 1) * 100 > 20 + edges) {
      suspicions.push_back(
          fmt::format("Little's law does not hold: {:.1f} outstanding by latency, {:.1f} by count",
                      seen, *e.achieved_depth));
      checks.valid = false;
    }
  }

  if (e.io_wq_threads > 0) {
    suspicions.push_back(fmt::format(
        "io_uring handed requests to {} kernel worker thread{} (io-wq), because the file system or "
        "device "
        "cannot take them without waiting: latency and CPU include that; compare --engine psync",
        e.io_wq_threads, e.io_wq_threads == 1 ? "" : "s"));
  }
  if (e.window_s > 0 && e.cpu_s / e.window_s > 0.9 * e.cpus && e.moves_data) {
    suspicions.push_back(
        fmt::format("the run used {:.1f} of {} CPUs: this machine may be the limit, not the device",
                    e.cpu_s / e.window_s, e.cpus));
  }
  if (e.window_s > 0 && e.steal_s / e.window_s > 0.05 * e.cpus) {
    suspicions.push_back(fmt::format(
        "the hypervisor took {:.0f} % of this machine's CPU time away during the measurement",
        100 * e.steal_s / e.window_s / e.cpus));
  }
  if (e.blurred_seconds > 0) {
    suspicions.push_back(fmt::format(
        "{} second{} of the series hold{} their neighbours' requests: the monitor came late",
        e.blurred_seconds, e.blurred_seconds == 1 ? "" : "s", e.blurred_seconds == 1 ? "s" : ""));
  }
  if (e.write_limit_reached) {
    suspicions.emplace_back("stopped early: the limit of bytes to write (--max-write) was reached");
  }
  return out;
}

}  // namespace raidscope
