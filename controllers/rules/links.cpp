// Links between drives, controller and host: D03 to D06, D12 to D14.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "controllers/catalogue/rates.h"
#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_links;

namespace {

/// Generations whose SAS runs at 6 Gb/s and whose SATA at 3 at most.
Flag gen6(const Controller& controller) {
  if (!controller.generation) return std::nullopt;
  return *controller.generation == "G6" || *controller.generation == "G7";
}

/// Gb/s that the card can do with such a drive; 0 where no source tells.
double cap_of(const Controller& controller, const PhysicalDrive& drive) {
  const bool sata = drive.interface == DriveInterface::sata;
  if (gen6(controller) == true) return sata ? 3 : 6;
  if (controller.generation == "G5") return 3;
  if (controller.generation == "Gen8") return 6;
  if (controller.generation == "Gen8+" && sata) return 6;
  if (controller.generation == "Gen9" || gen10(controller)) return sata ? 6 : 12;
  return 0;
}

using Rates = std::vector<Maybe<double>>;

std::string rates(const Rates& gbps) {
  std::string out;
  for (const Maybe<double>& rate : gbps) {
    if (!out.empty()) out += ", ";
    out += rate ? fmt::format("{:.1f}Gbps", *rate) : "Unknown";
  }
  return out;
}

bool any_known(const Rates& gbps) {
  return std::any_of(gbps.begin(), gbps.end(),
                     [](const Maybe<double>& rate) { return rate.has_value(); });
}

std::string phy_evidence(const PhysicalDrive& drive) {
  std::string out = fmt::format("physicaldrive {} PHY Transfer Rate: {}", drive.bay.value_or("?"),
                                rates(drive.phy_rates_gbps));
  if (any_known(drive.phy_max_gbps)) {
    out += "; PHY Maximum Link Rate: " + rates(drive.phy_max_gbps);
  }
  return out;
}

/// False where a whole block has no such line, as those of older tools and of unused ports.
Flag untold(const PhysicalDriveRef& at) {
  return printed_whole(*at.controller, *at.drive) ? Flag{false} : Flag{};
}

Flag has_rate(const PhysicalDriveRef& at, double rate) {
  const Rates& all = at.drive->phy_rates_gbps;
  if (!any_known(all)) return untold(at);
  return std::find(all.begin(), all.end(), rate) != all.end();
}

void slow_phy(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    for (const PhysicalDriveRef& at : context.physical_drives(controller)) {
      const PhysicalDrive& drive = *at.drive;
      const double cap = cap_of(controller, drive);
      Flag below = any_known(drive.phy_rates_gbps) && any_known(drive.phy_max_gbps) ? Flag{false}
                                                                                    : untold(at);
      const std::size_t phys = std::min(drive.phy_rates_gbps.size(), drive.phy_max_gbps.size());
      for (std::size_t phy = 0; phy < phys; ++phy) {
        const Maybe<double>& rate = drive.phy_rates_gbps[phy];
        const Maybe<double>& most = drive.phy_max_gbps[phy];
        if (!rate || !most || *rate >= *most) continue;
        if (cap > 0) {
          if (*rate < std::min(*most, cap)) below = true;
        } else if (below != true) {
          below = std::nullopt;
        }
      }
      Condition holds;
      holds.require(below, cap > 0 ? "PHY rate and the drive's highest"
                                   : "PHY rate, the drive's highest and the card's");
      if (!context.decide(holds, subject_of(at))) continue;
      context.report(subject_of(at),
                     {.evidence = fmt::format("{}; the card does {:.1f}Gbps with such a drive",
                                              phy_evidence(drive), cap),
                      .fix = {"reseat the drive and its cable; look for an expander or backplane "
                              "of the lower rate"},
                      .affects = ""});
    }
  }
}

void capped_by_gen6(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    if (gen6(controller) == false) continue;
    for (const PhysicalDriveRef& at : context.physical_drives(controller)) {
      Condition holds;
      holds.require(gen6(controller), "generation")
          .require(is(at.drive->interface, DriveInterface::sata), "interface")
          .require(is(at.drive->media, Media::ssd), "media")
          .require(has_rate(at, 3.0), "PHY rate");
      if (!context.decide(holds, subject_of(at))) continue;
      context.report(subject_of(at),
                     {.evidence = fmt::format("{}; SATA on {}", phy_evidence(*at.drive),
                                              *controller.generation),
                      .fix = {"say so with the result; it cannot be mended"},
                      .affects = ""});
    }
  }
}

void slowest_phy(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    for (const PhysicalDriveRef& at : context.physical_drives(controller)) {
      Condition holds;
      holds.require(has_rate(at, 1.5), "PHY rate");
      if (!context.decide(holds, subject_of(at))) continue;
      context.report(subject_of(at), {.evidence = phy_evidence(*at.drive),
                                      .fix = {"reseat the drive; replace cable or backplane"},
                                      .affects = ""});
    }
  }
}

Flag says_true(const std::string* value) {
  if (value == nullptr) return std::nullopt;
  if (contains_word(*value, "true") || contains_word(*value, "enable")) return true;
  if (contains_word(*value, "false") || contains_word(*value, "disable")) return false;
  return std::nullopt;
}

void queuing_off(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const Text& card = controller.settings.sata_ncq;
    const Flag supported = says_true(card ? &*card : nullptr);
    if (supported == false) continue;
    for (const PhysicalDriveRef& at : context.physical_drives(controller)) {
      const PhysicalDrive& drive = *at.drive;
      if (drive.interface && *drive.interface != DriveInterface::sata) continue;
      const Flag enabled = says_true(extra_value(drive.extra, "SATA NCQ Enabled"));
      const Flag capable = says_true(extra_value(drive.extra, "SATA NCQ Capable"));
      Condition holds;
      holds.require(is(drive.interface, DriveInterface::sata), "interface")
          .require(enabled ? negate(enabled) : untold(at), "SATA NCQ enabled")
          .require(capable ? capable : supported, "SATA NCQ capable");
      if (!context.decide(holds, subject_of(at))) continue;
      context.report(subject_of(at),
                     {.evidence = fmt::format("physicaldrive {} SATA NCQ Enabled: False; {}: True",
                                              drive.bay.value_or("?"),
                                              capable ? "SATA NCQ Capable" : "SATA NCQ Supported"),
                      .fix = {"enable native command queuing for this drive"},
                      .affects = ""});
    }
  }
}

// D12 -------------------------------------------------------------------------------------------

/// What the slot of such a card gives at best; null for cards of which no source tells.
std::optional<HostLink> full_link(const Controller& controller) {
  if (gen6(controller) == true) return HostLink{2, 8};
  if (gen10(controller) || controller.generation == "Gen8" || controller.generation == "Gen8+" ||
      controller.generation == "Gen9") {
    return HostLink{3, 8};
  }
  return std::nullopt;
}

void narrow_host_link(RuleContext& context) {
  constexpr std::string_view key = "Negotiated PCIe Data Rate";
  for (const Controller& controller : context.controllers()) {
    if (software_raid(controller)) continue;
    const std::string* line = extra_value(controller.extra, key);
    if (line == nullptr && printed_whole(controller)) continue;  // an older tool's
    const std::optional<HostLink> link = line != nullptr ? parse_host_link(*line) : std::nullopt;
    const std::optional<HostLink> full = full_link(controller);
    if (controller.generation && !full) continue;
    Condition holds;
    if (link && link->generation >= 3 && link->lanes >= 8) continue;
    holds.require(full ? Flag{true} : Flag{}, "generation")
        .require(
            link && full ? Flag{host_link_mb_per_s(*link) < host_link_mb_per_s(*full)} : Flag{},
            "negotiated PCIe link");
    if (!context.decide(holds, subject_of(controller))) continue;
    const double most = host_link_mb_per_s(*link);
    context.report(
        subject_of(controller),
        {.evidence = fmt::format("{}: {}; such a card does PCIe {}.0 x{}; what a test asks of it "
                                 "is not told: above {:.0f} MB/s this is an error",
                                 key, *line, full->generation, full->lanes, most / 2),
         .fix = {"put the card into a slot of full width, or reseat it"},
         .affects = whole_controller(controller, "the link is"),
         .severity = Severity::warning});
  }
}

// D13, D14 --------------------------------------------------------------------------------------

void many_ssds_on_gen6(RuleContext& context) {
  constexpr std::int64_t advised = 8;
  for (const Controller& controller : context.controllers()) {
    if (gen6(controller) == false) continue;
    std::int64_t solid = 0;
    std::int64_t untold_media = 0;
    for (const PhysicalDriveRef& at : context.physical_drives(controller)) {
      if (at.drive->role == DriveRole::spare || at.drive->role == DriveRole::unassigned) continue;
      if (at.drive->media == Media::ssd) ++solid;
      if (!at.drive->media) ++untold_media;
    }
    Condition holds;
    holds.require(gen6(controller), "generation")
        .require(solid > advised                  ? Flag{true}
                 : solid + untold_media > advised ? Flag{}
                                                  : Flag{false},
                 "media of the drives");
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(
        subject_of(controller),
        {.evidence = fmt::format("{} solid-state drives behind a controller of {}; HP advises at "
                                 "most {}, and measured 50,000 to 60,000 IOPS",
                                 solid, *controller.generation, advised),
         .fix = {"report the result as bound by the controller"},
         .affects = whole_controller(controller, "the limit is")});
  }
}

/// A connector is four channels wide.
constexpr std::int64_t channels_per_port = 4;

void crowded_channels(RuleContext& context) {
  const PlannedTest* planned = context.planned();
  if (planned == nullptr || planned->random || !planned->slot || !planned->drive) return;
  for (const Controller& controller : context.controllers()) {
    if (controller.slot != planned->slot) continue;
    for (const Array& array : controller.arrays) {
      const bool target =
          std::any_of(array.logical_drives.begin(), array.logical_drives.end(),
                      [&](const LogicalDrive& drive) { return drive.number == planned->drive; });
      if (!target) continue;
      std::map<std::string, std::int64_t> on_port;
      std::map<std::string, double> rate_of;
      bool told = !array.physical_drives.empty();
      for (const PhysicalDrive& drive : array.physical_drives) {
        if (drive.role == DriveRole::spare) continue;
        const std::size_t colon = drive.bay ? drive.bay->find(':') : std::string::npos;
        if (colon == std::string::npos || !any_known(drive.phy_rates_gbps)) {
          told = false;
          continue;
        }
        const std::string port = drive.bay->substr(0, colon);
        ++on_port[port];
        for (const Maybe<double>& rate : drive.phy_rates_gbps) {
          rate_of[port] = std::max(rate_of[port], rate.value_or(0));
        }
      }
      std::string crowded;
      for (const auto& [port, drives] : on_port) {
        const double rate = rate_of[port];
        // No source tells of 12 Gb/s.
        const std::int64_t most = rate == 3.0 ? 2 : rate == 6.0 ? 3 : 0;
        if (most == 0 || drives <= most * channels_per_port) continue;
        crowded += fmt::format("{}{} drives at {:.1f}Gbps on the {} channels of port {}",
                               crowded.empty() ? "" : "; ", drives, rate, channels_per_port, port);
      }
      Condition holds;
      holds.require(!crowded.empty() ? Flag{true}
                    : told           ? Flag{false}
                                     : Flag{},
                    "bays and PHY rates of the drives");
      const Subject subject = subject_of(controller, &array);
      if (!context.decide(holds, subject)) continue;
      context.report(subject, {.evidence = crowded + "; the planned test is sequential",
                               .fix = {"spread the drives over the ports"},
                               .affects = ""});
    }
  }
}

constexpr Rule rules[] = {
    {.id = "D03",
     .severity = Severity::error,
     .condition = "a drive's PHY runs below both the drive's highest rate and the card's",
     .why = "a cable, expander or backplane holds the drive back",
     .source = "DSA, DAS-3",
     .evaluate = slow_phy},
    {.id = "D04",
     .severity = Severity::info,
     .condition = "a SATA solid-state drive runs at 3.0 Gb/s on a controller of Gen6",
     .why = "it is the card's own cap: 300 MB/s on the line, about 285 of them usable",
     .source = "G6; case 30",
     .evaluate = capped_by_gen6},
    {.id = "D05",
     .severity = Severity::error,
     .condition = "a drive's PHY runs at 1.5 Gb/s",
     .why = "that is far below any drive of the last decade",
     .source = "FX-netdata",
     .evaluate = slowest_phy},
    {.id = "D06",
     .severity = Severity::error,
     .condition = "\"SATA NCQ Enabled: False\" for a drive that can do it",
     .why = "the drive takes one request at a time",
     .source = "ACUCL",
     .evaluate = queuing_off},
    {.id = "D12",
     .severity = Severity::error,
     .condition = "\"Negotiated PCIe Data Rate\" is below PCIe 3.0 x8 (Gen8 and later) or 2.0 x8 "
                  "(Gen6); warning as long as it is not told what the test asks of the link",
     .why = "the link caps the throughput",
     .source = "FX-netdata, FX-redhat, PCIE; case 31",
     .evaluate = narrow_host_link},
    {.id = "D13",
     .severity = Severity::warning,
     .condition = "more than 8 solid-state drives behind a controller of Gen6",
     .why = "the controller is measured, not the drives",
     .source = "SSDEND, PERF-3",
     .evaluate = many_ssds_on_gen6},
    {.id = "D14",
     .severity = Severity::warning,
     .condition = "a planned sequential test of an array with more than 2 drives (3 Gb/s) or 3 "
                  "drives (6 Gb/s) a SAS channel, a port being 4 channels",
     .why = "the channels are measured, not the drives",
     .source = "PERF-7",
     .evaluate = crowded_channels},
};

}  // namespace

const RuleTopic rule_topic_links{"links", "Links of drives and host", rules};

}  // namespace raidscope
