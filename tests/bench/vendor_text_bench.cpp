#include <benchmark/benchmark.h>
#include <span>
#include <string>

#include <fmt/format.h>

#include "probe/sources/vendor/vendor_text.h"

namespace raidscope {
namespace {

/// A `show config detail` answer of about `bytes`: whole controllers with 24 drives each.
std::string capture(std::size_t bytes) {
  std::string out;
  for (int slot = 0; out.size() < bytes; ++slot) {
    out += fmt::format(
        "\nSmart Array P440 in Slot {0}\n   Bus Interface: PCI\n   Slot: {0}\n"
        "   Serial Number: PDNLH{0:09}\n   Cache Serial Number: PDNLC{0:09}\n"
        "   RAID 6 (ADG) Status: Enabled\n   Controller Status: OK\n   Hardware Revision: B\n"
        "   Firmware Version: 6.60\n   Rebuild Priority: High\n   Surface Scan Delay: 3 secs\n"
        "   Queue Depth: Automatic\n   Elevator Sort: Enabled\n   Wait for Cache Room: Disabled\n"
        "   Cache Board Present: True\n   Cache Status: OK\n   Cache Ratio: 10% Read / 90% Write\n"
        "   Drive Write Cache: Disabled\n   Total Cache Size: 4.0 GB\n"
        "   Total Cache Memory Available: 3.8 GB\n   No-Battery Write Cache: Disabled\n"
        "   Cache Backup Power Source: Batteries\n   Battery/Capacitor Count: 1\n"
        "   Battery/Capacitor Status: OK\n   SATA NCQ Supported: True\n   Number of Ports: 1 "
        "Internal only\n"
        "   Driver Name: hpsa\n   Driver Version: 3.4.20\n   Driver Supports HPE SSD Smart Path: "
        "True\n"
        "   PCI Address (Domain:Bus:Device.Function): 0000:08:00.0\n\n"
        "   Internal Drive Cage at Port 1I, Box 1, OK\n      Drive Bays: 24\n      Port: 1I\n\n"
        "   Physical Drives\n",
        slot);
    for (int bay = 1; bay <= 24; ++bay) {
      out += fmt::format("      physicaldrive 1I:1:{0} (port 1I:box 1:bay {0}, SAS, 300 GB, OK)\n",
                         bay);
    }
    out += fmt::format(
        "\n   Array: A\n      Interface Type: SAS\n      Unused Space: 0  MB (0.0%)\n      Status: "
        "OK\n"
        "      Array Type: Data       HPE SSD Smart Path: disable\n\n      Logical Drive: 1\n"
        "         Size: 3.2 TB\n         Fault Tolerance: 1+0\n         Heads: 255\n"
        "         Strip Size: 256 KB\n         Status: OK\n         Caching:  Enabled\n"
        "         Unique Identifier: 600508B1001C{:020}\n         Disk Name: /dev/sda \n"
        "         Mount Points: /boot 512 MB Partition Number 2, / 3.2 TB Partition Number 3\n"
        "         Drive Type: Data\n         LD Acceleration Method: Controller Cache\n\n",
        slot);
    for (int bay = 1; bay <= 24; ++bay) {
      out += fmt::format(
          "      physicaldrive 1I:1:{0}\n         Port: 1I\n         Box: 1\n         Bay: {0}\n"
          "         Status: OK\n         Drive Type: Data Drive\n         Interface Type: SAS\n"
          "         Size: 300 GB\n         Drive exposed to OS: False\n         Native Block Size: "
          "512\n"
          "         Rotational Speed: 10000\n         Firmware Revision: HPD6\n"
          "         Serial Number: SN{1:06}{0:04}\n         Model: HP      EG0300FBVFL\n"
          "         Current Temperature (C): 31\n         Maximum Temperature (C): 44\n"
          "         PHY Count: 2\n         PHY Transfer Rate: 6.0Gbps, Unknown\n"
          "         Drive Authentication Status: OK\n         Carrier Application Version: 11\n"
          "         Carrier Bootloader Version: 6\n         Sanitize Erase Supported: False\n\n",
          bay, slot);
    }
  }
  return out;
}

/// Bytes a second and time for each 45 KB, for texts of 45 KB, 450 KB and 4.5 MB: it must not grow.
void parse_capture(benchmark::State& state) {
  const NamedText named{"bench", capture(static_cast<std::size_t>(state.range(0)))};
  for (auto _ : state) {
    auto set = parse_vendor_text(std::span<const NamedText>(&named, 1));
    benchmark::DoNotOptimize(set);
  }
  const auto bytes = static_cast<double>(named.text.size());
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.counters["bytes"] = bytes;
  state.counters["s_per_45KB"] =
      benchmark::Counter(bytes / 45'000.0, benchmark::Counter::kIsIterationInvariantRate |
                                               benchmark::Counter::kInvert);
}
BENCHMARK(parse_capture)->Arg(40'000)->Arg(450'000)->Arg(4'500'000)->Unit(benchmark::kMicrosecond);

/// Text that is no vendor output must be turned down at the speed of reading it.
void refuse_junk(benchmark::State& state) {
  std::string junk;
  std::uint64_t random = 1;
  while (junk.size() < 1'000'000) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    junk.push_back(static_cast<char>(random >> 57));
  }
  const NamedText named{"junk", junk};
  for (auto _ : state) {
    auto set = parse_vendor_text(std::span<const NamedText>(&named, 1));
    benchmark::DoNotOptimize(set);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(junk.size()) * state.iterations());
}
BENCHMARK(refuse_junk)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace raidscope

BENCHMARK_MAIN();
