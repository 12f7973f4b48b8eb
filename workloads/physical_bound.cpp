#include "workloads/physical_bound.h"

#include <algorithm>

#include <fmt/format.h>

#include "controllers/catalogue/catalogue.h"
#include "controllers/catalogue/rates.h"
#include "controllers/rules/readings.h"

namespace raidscope {
namespace {

constexpr std::string_view cache_words =
    "a cache served a part of it, or a unit is not what it seems";
constexpr std::string_view host_words =
    "memory of this machine served a part of it, or a unit is not what it seems";
/// The vendor tools make no strip smaller than this.
constexpr std::int64_t least_strip_bytes = 8192;
/// Below it a cited 4 KiB rate is no bound.
constexpr std::uint64_t cited_block_bytes = 4096;

/// One kind of request, as shares of all requests.
struct Kind {
  std::uint64_t block = 0;
  double reads = 0, writes = 0;  ///< share of all, any order; trims are neither
  double random_reads = 0, random_writes = 0;
};

std::vector<Kind> kinds_of(const Workload& w) {
  std::vector<MixLine> lines = w.mix;
  if (lines.empty() && !w.block_bytes.empty()) {
    const int random = w.random_percent >= 0          ? w.random_percent
                       : w.pattern == Pattern::random ? 100
                                                      : 0;
    lines.push_back({100, w.block_bytes.front(), w.read_percent, random, 0});
  }
  std::vector<Kind> out;
  for (const MixLine& line : lines) {
    const double share = line.percent / 100;
    const double random = line.random_percent / 100.0;
    Kind kind;
    kind.block = line.block_bytes;
    kind.reads = share * line.read_percent / 100;
    kind.writes = share * (100 - line.read_percent) / 100 * (100 - w.trim_percent) / 100;
    kind.random_reads = kind.reads * random;
    kind.random_writes = kind.writes * random;
    out.push_back(kind);
  }
  return out;
}

/// What a level makes of a write.
struct Level {
  std::string name;
  int copies = 1;
  int parity = 0;  ///< strips of parity in a stripe; of one group, with 50 and 60
  bool groups = false;
};

std::optional<Level> level_of(const BoundPlace& place) {
  if (place.device != nullptr) return Level{};
  const Text& raid = place.drive->raid;
  if (!raid) return std::nullopt;
  if (*raid == "0") return Level{*raid, 1, 0, false};
  if (*raid == "1" || *raid == "1+0") return Level{*raid, 2, 0, false};
  if (*raid == "1adm" || *raid == "10adm") return Level{*raid, 3, 0, false};
  if (*raid == "4" || *raid == "5") return Level{*raid, 1, 1, false};
  if (*raid == "50") return Level{*raid, 1, 1, true};
  if (*raid == "6") return Level{*raid, 1, 2, false};
  if (*raid == "60") return Level{*raid, 1, 2, true};
  return std::nullopt;  // 5+1: no source says what its writes cost
}

/// Drives that hold the data of one stripe, at least. Neighbouring strips of one drive are one
/// request.
double wide(const BoundPlace& place, const std::optional<Level>& level,
            const std::optional<std::int64_t>& drives) {
  if (place.device != nullptr || !drives || !level) return 1;
  // Groups have at least two drives with data, and there are two of them.
  if (level->groups) return 4;
  const std::int64_t data = (*drives - level->parity) / level->copies;
  return static_cast<double>(std::max<std::int64_t>(data, 1));
}

/// Requests at the drives for one read, at least; nothing where the strip is not known and may
/// matter.
std::optional<double> strips_of(const BoundPlace& place, std::uint64_t block, double most) {
  if (place.device != nullptr) return 1.0;
  const Integer& strip = place.drive->strip_bytes;
  if (!strip || *strip <= 0) {
    return block <= static_cast<std::uint64_t>(least_strip_bytes) ? std::optional<double>{1.0}
                                                                  : std::nullopt;
  }
  const auto whole = static_cast<double>(block / static_cast<std::uint64_t>(*strip));
  return std::clamp(whole, 1.0, most);
}

/// Requests at the drives for one write that fills `strips`.
double write_requests(const Level& level, double strips) {
  if (level.parity == 0) return strips * level.copies;
  // Old data and old parity are read, both are written. A whole stripe is written without reading.
  return strips <= 1 ? 2.0 * (1 + level.parity) : strips + level.parity;
}

std::string write_words(const Level& level) {
  if (level.parity > 0)
    return fmt::format("; a write on RAID {} is {} requests", level.name, 2 * (1 + level.parity));
  if (level.copies > 1)
    return fmt::format("; a write on RAID {} is {} requests", level.name, level.copies);
  return {};
}

/// Data drives below the target.
std::optional<std::int64_t> drives_of(const BoundPlace& place) {
  if (place.device != nullptr) return 1;
  if (place.drive->disk_count && *place.drive->disk_count > 0) return *place.drive->disk_count;
  return std::nullopt;
}

std::vector<const PhysicalDrive*> data_drives(const BoundPlace& place) {
  std::vector<const PhysicalDrive*> out;
  if (place.array == nullptr) return out;
  for (const PhysicalDrive& drive : place.array->physical_drives) {
    if (!drive.role || *drive.role == DriveRole::data) out.push_back(&drive);
  }
  return out;
}

bool all_hard_disks(const BoundPlace& place) {
  if (place.array == nullptr) return false;
  if (place.array->media) return *place.array->media == Media::hdd;
  const auto drives = data_drives(place);
  return !drives.empty() && std::all_of(drives.begin(), drives.end(), [](const auto* drive) {
    return drive->media == Media::hdd;
  });
}

std::string counted(std::int64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Bytes that one request moves on average, each way.
struct Flow {
  double read = 0, written = 0;
  [[nodiscard]] double busier() const { return std::max(read, written); }  // links are two-way
  [[nodiscard]] double sum() const { return read + written; }
};

class Bounds {
 public:
  Bounds(const Workload& workload, const BoundPlace& place, std::uint64_t target_bytes)
      : workload_(workload),
        place_(place),
        target_bytes_(target_bytes),
        kinds_(kinds_of(workload)) {
    for (const Kind& kind : kinds_) {
      const auto block = static_cast<double>(kind.block);
      host_.read += kind.reads * block;
      host_.written += kind.writes * block;
    }
  }

  void drives(const DriveRates& rates, bool emulated) {
    const auto count = drives_of(place_);
    if (!count) return;
    if (rates.iops) {
      drive_requests(*count, *rates.iops, "--drive-iops");
    } else if (!emulated && place_.drive != nullptr && all_hard_disks(place_) &&
               fills_the_drives() && cited_blocks()) {
      drive_requests(*count, fastest_hard_disk_iops.value,
                     fmt::format("the fastest hard disk: {}", fastest_hard_disk_iops.source));
    }
    if (rates.mbps) drive_bytes(*count, *rates.mbps);
  }

  void drive_links() {
    const auto count = drives_of(place_);
    const auto drives = data_drives(place_);
    if (!count || static_cast<std::int64_t>(drives.size()) != *count) return;
    double bytes_per_s = 0;
    for (const PhysicalDrive* drive : drives) {
      double own = 0;
      for (const Maybe<double>& rate : drive->phy_rates_gbps)
        own += rate ? drive_link_bytes_per_s(*rate).value_or(0) : 0;
      if (own == 0) return;  // not told
      bytes_per_s += own;
    }
    const auto flow = drive_flow();
    if (!flow) return;
    add(bytes_per_s, flow->busier(),
        fmt::format("links of {}: {:.0f} MB/s each way at the PHY rates shown",
                    counted(*count, "drive"), bytes_per_s / 1e6),
        cache_words);
  }

  void controller_lanes() {
    const ModelRates* rates = model_rates();
    if (rates == nullptr || rates->drive_lanes == 0) return;
    const auto lane = drive_link_bytes_per_s(rates->lane_gbps);
    const auto flow = drive_flow();
    if (!lane || !flow) return;
    add(*lane * rates->drive_lanes, flow->busier(),
        fmt::format("drive lanes of the {}: {} × {:.0f} MB/s ({:g} Gb/s; {})", rates->model,
                    rates->drive_lanes, *lane / 1e6, rates->lane_gbps, rates->lanes_source),
        cache_words);
  }

  void host_link() {
    if (place_.controller == nullptr || software_raid(*place_.controller)) return;
    const std::string* line = extra_value(place_.controller->extra, "Negotiated PCIe Data Rate");
    if (const auto link = line != nullptr ? parse_host_link(*line) : std::nullopt) {
      add_host_link(*link, "as negotiated");
    } else if (place_.controller->model) {
      const ControllerModel* model = find_model(*place_.controller->model);
      if (model == nullptr) return;
      if (const auto card = parse_host_link(model->host_link))
        add_host_link(*card, fmt::format("what a {} has: {}", model->model, model->citation));
    }
  }

  void controller_ceiling() {
    const ModelRates* rates = model_rates();
    if (rates == nullptr || rates->random_4k_iops == 0 || !cited_blocks()) return;
    // What takes Smart Path goes past the controller's processor.
    const bool through = place_.drive->io_path == IoPath::cache ||
                         place_.drive->io_path == IoPath::neither ||
                         before_smart_path(*place_.controller) == true;
    if (!through) return;
    double random = 0;
    for (const Kind& kind : kinds_) random += kind.random_reads + kind.random_writes;
    add(rates->random_4k_iops, random,
        fmt::format("processor of the {}: {:.0f} random 4 KiB IOPS ({})", rates->model,
                    rates->random_4k_iops, rates->iops_source),
        host_words);
  }

  std::vector<PhysicalBound> take() { return std::move(out_); }

 private:
  [[nodiscard]] const ModelRates* model_rates() const {
    if (place_.controller == nullptr || place_.drive == nullptr || !place_.controller->model)
      return nullptr;
    return find_rates(*place_.controller->model);
  }

  [[nodiscard]] bool cited_blocks() const {
    return std::all_of(kinds_.begin(), kinds_.end(), [](const Kind& kind) {
      return kind.random_reads + kind.random_writes <= 0 || kind.block >= cited_block_bytes;
    });
  }

  /// On a small part of a hard disk the heads hardly move, and the cited rate says nothing.
  [[nodiscard]] bool fills_the_drives() const {
    const Integer& size = place_.drive->size_bytes;
    const std::uint64_t area = workload_.area_bytes != 0 ? workload_.area_bytes : target_bytes_;
    return size && *size > 0 && area != 0 &&
           static_cast<double>(area) >= 0.5 * static_cast<double>(*size);
  }

  [[nodiscard]] bool writes() const {
    return std::any_of(kinds_.begin(), kinds_.end(), [](const Kind& k) { return k.writes > 0; });
  }

  /// Bytes at the drives for one request of the workload.
  [[nodiscard]] std::optional<Flow> drive_flow() const {
    if (!writes()) return Flow{host_.read, 0};
    const auto level = level_of(place_);
    if (!level) return std::nullopt;
    double more = level->copies;
    const auto drives = drives_of(place_);
    // Whole stripes carry their parity alone; how many drives a group of 50 or 60 has is not told.
    if (level->parity > 0 && !level->groups && drives && *drives > level->parity)
      more = static_cast<double>(*drives) / static_cast<double>(*drives - level->parity);
    return Flow{host_.read, host_.written * more};
  }

  void drive_requests(std::int64_t count, double each, std::string_view source) {
    const auto level = level_of(place_);
    const bool some_written = std::any_of(kinds_.begin(), kinds_.end(),
                                          [](const Kind& k) { return k.random_writes > 0; });
    if (some_written && !level) return;
    const double stripe = wide(place_, level, count);
    double requests = 0;
    for (const Kind& kind : kinds_) {
      if (kind.random_reads + kind.random_writes <= 0) continue;
      const auto strips = strips_of(place_, kind.block, stripe);
      if (!strips) return;
      requests += kind.random_reads * *strips;
      if (kind.random_writes > 0) requests += kind.random_writes * write_requests(*level, *strips);
    }
    add(static_cast<double>(count) * each, requests,
        fmt::format("{} × {:g} IOPS ({}){}", counted(count, "drive"), each, source,
                    some_written ? write_words(*level) : ""),
        cache_words);
  }

  void drive_bytes(std::int64_t count, double each_mb) {
    const auto flow = drive_flow();
    if (!flow) return;
    add(static_cast<double>(count) * each_mb * 1e6, flow->sum(),
        fmt::format("{} × {:g} MB/s (--drive-mbps)", counted(count, "drive"), each_mb),
        cache_words);
  }

  void add_host_link(const HostLink& link, std::string_view source) {
    const double mb = host_link_mb_per_s(link);
    add(mb * 1e6, host_.busier(),
        fmt::format("PCIe {}.0 x{}: {:.0f} MB/s each way ({})", link.generation, link.lanes, mb,
                    source),
        host_words);
  }

  /// A capacity, and how much of it one request takes on average.
  void add(double capacity, double each, std::string name, std::string_view above) {
    if (capacity > 0 && each > 0)
      out_.push_back({capacity / each, std::move(name), std::string(above)});
  }

  const Workload& workload_;
  const BoundPlace& place_;
  std::uint64_t target_bytes_;
  std::vector<Kind> kinds_;
  Flow host_;
  std::vector<PhysicalBound> out_;
};

}  // namespace

std::vector<PhysicalBound> physical_bounds(const Workload& workload, const BoundPlace& place,
                                           const DriveRates& rates, std::uint64_t target_bytes,
                                           bool emulated) {
  if (place.drive == nullptr && place.device == nullptr) return {};
  Bounds bounds(workload, place, target_bytes);
  bounds.drives(rates, emulated);
  if (place.drive != nullptr && !emulated) {
    bounds.drive_links();
    bounds.controller_lanes();
    bounds.controller_ceiling();
    bounds.host_link();
  }
  return bounds.take();
}

std::optional<PhysicalBound> smallest_bound(const std::vector<PhysicalBound>& bounds) {
  const auto least = std::min_element(
      bounds.begin(), bounds.end(),
      [](const PhysicalBound& a, const PhysicalBound& b) { return a.iops < b.iops; });
  return least == bounds.end() ? std::nullopt : std::optional<PhysicalBound>{*least};
}

std::string above_bound(const PhysicalBound& bound, const Workload& workload, double iops) {
  constexpr double margin = 0.02;
  const double edges = workload.duration_s > 0
                           ? static_cast<double>(workload.outstanding_total) / workload.duration_s
                           : 0;
  if (iops <= bound.iops * (1 + margin) + edges) return {};
  return fmt::format("{:.0f} IOPS are above the physical bound of {:.0f} ({}): {}", iops,
                     bound.iops, bound.name, bound.above);
}

}  // namespace raidscope
