#include "reports/analysis/bypass_share.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "controllers/rules/readings.h"
#include "controllers/rules/strip_share.h"
#include "reports/text/units.h"
#include "workloads/derived.h"

namespace raidscope {
namespace {

/// What hpsa keeps free of a member's queue, and what it takes where it does not know the depth
/// (HPSA 4167-4178).
constexpr std::int64_t kept_free = 2;
constexpr std::int64_t least_depth = 7;

enum class DriverRules { hpsa, smartpqi, unknown };

DriverRules rules_of(const Controller& controller) {
  if (controller.driver.name == "hpsa") return DriverRules::hpsa;
  if (controller.driver.name == "smartpqi") return DriverRules::smartpqi;
  if (controller.driver.name) return DriverRules::unknown;
  if (!controller.generation) return DriverRules::unknown;
  return gen10(controller) ? DriverRules::smartpqi : DriverRules::hpsa;
}

/// Yes, no, or nobody told, with the words for a person.
struct Answer {
  Flag yes;
  std::string words;
};

bool is_raid(const LogicalDrive& drive, std::initializer_list<std::string_view> levels) {
  const auto in = [&](const std::string& level) {
    return std::find(levels.begin(), levels.end(), level) != levels.end();
  };
  if (drive.raid) return in(*drive.raid);
  return !drive.raid_candidates.empty() &&
         std::all_of(drive.raid_candidates.begin(), drive.raid_candidates.end(), in);
}

bool has_map(const LogicalDrive& drive) {
  return is_raid(drive, {"0", "1", "1+0", "1adm", "10adm", "5", "50", "6", "60"});
}

std::string level_words(const LogicalDrive& drive) {
  if (drive.raid) return "RAID " + *drive.raid;
  return fmt::format("RAID {}", fmt::join(drive.raid_candidates, " or "));
}

/// A switch of smartpqi as sysfs shows it ("0", "1", hexadecimal).
Flag sysfs_switch(const Controller& controller, std::string_view key) {
  const std::string* value = extra_value(controller.extra, key);
  if (value == nullptr || value->empty()) return std::nullopt;
  return value->find_first_not_of("0x \n") != std::string::npos;
}

Answer writes_bypass(DriverRules rules, const Controller& controller, const LogicalDrive& drive) {
  const std::string level = level_words(drive);
  if (is_raid(drive, {"0"})) return {true, "writes on RAID 0 can"};
  if (rules == DriverRules::hpsa)
    return {false, fmt::format("writes on {} never do (hpsa), and have no cache either", level)};
  struct Switch {
    std::string_view key, plain, spanned;
  };
  constexpr Switch switches[] = {{"enable_r5_writes", "5", "50"}, {"enable_r6_writes", "6", "60"}};
  for (const auto& [key, plain, spanned] : switches) {
    if (!is_raid(drive, {plain, spanned})) continue;
    const Flag on = sysfs_switch(controller, key);
    if (!on) {
      return {
          std::nullopt,
          fmt::format("whether writes on {} do is smartpqi's {}, which nobody told", level, key)};
    }
    return {on, fmt::format("writes on {} {} (smartpqi's {} is {})", level,
                            *on ? "can, up to a size that the firmware sets" : "do not", key,
                            *on ? "on" : "off")};
  }
  return {std::nullopt, fmt::format("whether writes on {} do is a feature of the firmware that "
                                    "smartpqi does not show; raid_bypass_cnt counts what did",
                                    level)};
}

/// Shares of all requests.
struct Shares {
  double reads = 0, writes = 0, trims = 0;
  double reads_inside = 0, writes_inside = 0;  ///< within one strip
};

Shares shares_of(const Workload& w, std::uint64_t strip) {
  std::vector<MixLine> lines = w.mix;
  if (lines.empty()) {
    MixLine line;
    line.block_bytes = w.block_bytes.empty() ? 0 : w.block_bytes.front();
    line.read_percent = w.read_percent;
    line.alignment_bytes = w.pattern == Pattern::random ? w.alignment_bytes
                           : w.stride_bytes != 0        ? w.stride_bytes
                                                        : line.block_bytes;
    lines.push_back(line);
  }
  Shares out;
  for (const MixLine& line : lines) {
    const double part = line.percent / 100;
    const double reads = part * line.read_percent / 100;
    const double trims = (part - reads) * w.trim_percent / 100;
    const double writes = part - reads - trims;
    const double inside =
        share_within_strip(line.block_bytes, line.alignment_bytes, w.base_bytes, strip);
    out.reads += reads;
    out.writes += writes;
    out.trims += trims;
    out.reads_inside += reads * inside;
    out.writes_inside += writes * inside;
  }
  return out;
}

std::string share_words(double share) {
  return fmt::format("{:.3g} %", share * 100);
}

/// Why nothing can bypass whatever the workload is; empty where something may.
std::string impossible(const DriveRef& at) {
  const Controller& controller = *at.controller;
  if (controller.smart_path.capable == false || before_smart_path(controller) == true) {
    return fmt::format("{} cannot do SSD Smart Path",
                       controller.model ? *controller.model : "this controller");
  }
  if (controller.smart_path.driver_supports == false)
    return "the driver does not support SSD Smart Path";
  if (controller.mode == ControllerMode::hba) return "the controller is in HBA mode";
  if (at.array != nullptr && at.array->media == Media::hdd)
    return "the array is of hard disks, and Smart Path is for solid-state arrays";
  return {};
}

void cap(const Workload& workload, const DriveRef& at, DriverRules rules, BypassShare& out) {
  if (!out.by_rule) {
    out.why_capped = "the share by rule is unknown";
    return;
  }
  if (*out.by_rule <= 0) {
    out.capped = 0;
    out.why_capped = "nothing can bypass by rule";
    return;
  }
  if (rules != DriverRules::hpsa) {
    out.why_capped = "no limit of smartpqi at the drives' queues is known";
    return;
  }
  const auto offered = static_cast<double>(outstanding(workload));
  const Integer& disks = at.drive->disk_count;
  const Integer depth = at.drive->block_device ? at.drive->block_device->queue_depth : Integer{};
  // Without a RAID map the driver gives the drive the controller's whole depth, which says nothing
  // of the members.
  const Flag map = smart_path_on(*at.controller, at.array, at.drive);
  if (offered * *out.by_rule <= static_cast<double>(least_depth - kept_free)) {
    out.capped = out.by_rule;
    out.why_capped = "so few outstanding fit into one drive's queue";
    return;
  }
  if (!disks || !depth || map != true) {
    out.why_capped = !disks   ? "the number of drives is unknown"
                     : !depth ? "the drives' queue depth is unknown"
                              : "the drives' queue depth shows only while Smart Path is on";
    return;
  }
  const auto room = static_cast<double>(std::max<std::int64_t>(*depth - kept_free * *disks, 0));
  out.capped = std::min(*out.by_rule, room / offered);
  out.why_capped = fmt::format(
      "{} drives take {:g} requests past the controller at a time (queue depth {} less "
      "{} each), of {:g} outstanding",
      *disks, room, *depth, kept_free, offered);
}

}  // namespace

BypassShare bypass_share(const Workload& workload, const DriveRef& at) {
  BypassShare out;
  if (at.controller == nullptr) {
    out.why = out.why_capped = "it is unknown on which controller the workload runs";
    return out;
  }
  if (const std::string why = impossible(at); !why.empty()) {
    out.by_rule = out.capped = 0;
    out.why = out.why_capped = why;
    return out;
  }
  const DriverRules rules = rules_of(*at.controller);
  if (rules == DriverRules::unknown) {
    out.why = at.controller->driver.name ? fmt::format("the rules of the driver {} are not known",
                                                       *at.controller->driver.name)
                                         : "the driver is unknown, and with it the rules";
    cap(workload, at, rules, out);
    return out;
  }
  if (at.drive == nullptr || (!at.drive->raid && at.drive->raid_candidates.empty())) {
    out.why = at.drive == nullptr ? "it is unknown which logical drive the workload uses"
                                  : "the RAID level is unknown";
    cap(workload, at, rules, out);
    return out;
  }
  const LogicalDrive& drive = *at.drive;
  if (!has_map(drive)) {
    out.why = fmt::format("no rule is known for {}", level_words(drive));
    cap(workload, at, rules, out);
    return out;
  }
  // A strip that nobody told matters only where a request may be longer or lie across.
  if (!drive.strip_bytes || *drive.strip_bytes < 512) {
    const Answer writes = writes_bypass(rules, *at.controller, drive);
    if (workload.read_percent == 0 && workload.mix.empty() && writes.yes == false) {
      out.by_rule = 0;
      out.why = "nothing can: the workload only writes, and " + writes.words;
    } else {
      out.why = "the strip size is unknown, and a request that crosses a strip cannot";
    }
    cap(workload, at, rules, out);
    return out;
  }
  const Shares shares = shares_of(workload, static_cast<std::uint64_t>(*drive.strip_bytes));
  double share = shares.reads_inside;
  std::vector<std::string> parts;
  if (shares.reads > 0) {
    parts.push_back(fmt::format("reads within one strip of {} can ({})",
                                binary_bytes(static_cast<double>(*drive.strip_bytes)),
                                share_words(shares.reads_inside)));
    if (shares.reads_inside < shares.reads)
      parts.push_back(share_words(shares.reads - shares.reads_inside) +
                      " are reads that cross a strip and cannot");
  }
  if (shares.writes > 0) {
    const Answer writes = writes_bypass(rules, *at.controller, drive);
    if (!writes.yes && shares.writes_inside > 0) {
      out.why = writes.words;
      cap(workload, at, rules, out);
      return out;
    }
    if (writes.yes == true) share += shares.writes_inside;
    parts.push_back(
        fmt::format("{} ({})", writes.words,
                    share_words(writes.yes == true ? shares.writes_inside : shares.writes)));
  }
  if (shares.trims > 0) parts.push_back("discards never do");
  out.by_rule = std::clamp(share, 0.0, 1.0);
  out.why = fmt::format("{}{}", fmt::join(parts, "; "),
                        shares.reads_inside + shares.writes_inside > 0
                            ? ", for a target that begins at a strip"
                            : "");
  cap(workload, at, rules, out);
  return out;
}

}  // namespace raidscope
