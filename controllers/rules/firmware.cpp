// Firmware and driver: F01 to F12.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "controllers/catalogue/catalogue.h"
#include "controllers/rules/drive_state.h"
#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_firmware;

namespace {

// Versions that the sources date or describe but do not number; docs/rules.md says so.
constexpr std::string_view fix_of_lockup_0x13 = "4.68";
constexpr std::string_view fix_of_lost_cache = "6.60";

constexpr std::string_view firmware_fact = "controller firmware";

std::string firmware_evidence(const Controller& controller) {
  return fmt::format("{}Firmware Version: {}",
                     controller.model ? *controller.model + ", " : std::string(),
                     controller.firmware.value_or("?"));
}

std::string update_to(std::string_view version) {
  return fmt::format("update the controller's firmware to {} or later", version);
}

std::string firmware_affects(const Controller& controller) {
  return whole_controller(controller, "the firmware is");
}

Flag has_expander(const Controller& controller) {
  const auto is_one = [](const Enclosure& enclosure) {
    return contains_word(enclosure.name, "expander");
  };
  if (std::any_of(controller.enclosures.begin(), controller.enclosures.end(), is_one)) return true;
  if (!controller.enclosures.empty() || printed_whole(controller)) return false;
  return std::nullopt;
}

void lockup_0x13(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    Condition holds;
    holds.require(model_in(controller, {"P220i", "P420i"}), "model")
        .require(older(controller.firmware, fix_of_lockup_0x13), std::string(firmware_fact))
        .require(negate(has_expander(controller)), "expanders");
    if (holds.refuted()) continue;
    const std::vector<PhysicalDriveRef> drives = context.physical_drives(controller);
    if (drives.empty()) continue;
    holds.require(drives.size() <= 8, "");
    for (const PhysicalDriveRef& at : drives) {
      holds.require(negate(is(at.drive->media, Media::ssd)),
                    fmt::format("media of drive {}", at.drive->bay.value_or("?")));
    }
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(
        subject_of(controller),
        {.evidence = fmt::format("{}; {} drives, no solid-state drive and no expander among them",
                                 firmware_evidence(controller), drives.size()),
         .fix = {update_to(fix_of_lockup_0x13)},
         .affects = firmware_affects(controller)});
  }
}

void capacitor_charging(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    Condition holds;
    holds.require(model_in(controller, {"P420i"}), "model")
        .require(older(controller.firmware, "5.42"), std::string(firmware_fact));
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(subject_of(controller), {.evidence = firmware_evidence(controller),
                                            .fix = {update_to("5.42") + " (the last is 8.32)"},
                                            .affects = firmware_affects(controller)});
  }
}

void lost_cache(RuleContext& context) {
  // A module printed as "4.0" may be short of four binary gigabytes by the print's rounding.
  constexpr std::int64_t four_gb = 4'000'000'000;
  for (const Controller& controller : context.controllers()) {
    const CacheModule& cache = controller.cache;
    Condition holds;
    holds.require(model_in(controller, {"P440", "P840"}), "model")
        .require(older(controller.firmware, fix_of_lost_cache), std::string(firmware_fact))
        .require(cache.present == false ? Flag{false}
                 : cache.size_bytes     ? Flag{*cache.size_bytes >= four_gb}
                                        : Flag{},
                 "cache size");
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(
        subject_of(controller),
        {.evidence = fmt::format(
             "{}; Total Cache Size: {}; the advisory names no version: taken is {}",
             firmware_evidence(controller), cache.size_text.value_or("4 GB"), fix_of_lost_cache),
         .fix = {update_to(fix_of_lost_cache)},
         .affects = firmware_affects(controller)});
  }
}

void misreported_battery(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    if (!has_cache_to_ask(controller)) continue;
    Condition holds;
    holds.require(is(controller.generation, "Gen9"), "generation")
        .require(older(controller.firmware, "6.60"), std::string(firmware_fact))
        .require(is(controller.cache.status, CacheStatus::permanently_disabled), "cache status")
        .require(backup_good(controller), "battery or capacitor status");
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(
        subject_of(controller),
        {.evidence = fmt::format("{}; {}; {}", firmware_evidence(controller),
                                 cache_evidence(controller), backup_evidence(controller)),
         .fix = {update_to("6.60"),
                 "then read it again:", context.command(controller, "show detail")},
         .affects = firmware_affects(controller)});
  }
}

/// Known true where a logical drive is being moved or expanded.
Flag migrating(const Controller& controller) {
  Flag out = drives_told(controller) ? Flag{false} : Flag{};
  const auto look = [&](const LogicalDrive& drive) {
    if (out == true) return;
    if (!drive.status) {
      out = std::nullopt;
    } else if (drive_state(*drive.status) == DriveState::transforming) {
      out = true;
    }
  };
  for (const Array& array : controller.arrays) {
    for (const LogicalDrive& drive : array.logical_drives) look(drive);
  }
  for (const LogicalDrive& drive : controller.logical_drives) look(drive);
  return out;
}

void migration_reboots(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    if (software_raid(controller)) continue;
    Condition holds;
    holds.require(controller.generation ? Flag{gen10(controller)} : Flag{}, "generation")
        .require(older(controller.firmware, "1.34"), std::string(firmware_fact));
    if (!context.decide(holds, subject_of(controller))) continue;
    const Flag moving = migrating(controller);
    FindingText text;
    text.evidence = firmware_evidence(controller);
    if (moving == true) {
      text.evidence += "; a logical drive is being transformed";
      text.fix = {"start no test while it lasts:",
                  context.command(controller, "ld all show status")};
    } else {
      text.severity = Severity::warning;
      text.evidence += moving ? "; no logical drive is being transformed"
                              : "; whether a logical drive is being transformed is not told";
      text.fix = {"start no migration or expansion on this firmware"};
    }
    text.fix.push_back(update_to("1.34"));
    text.affects = firmware_affects(controller);
    context.report(subject_of(controller), std::move(text));
  }
}

void write_errors(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const auto banner =
        std::find_if(controller.warnings.begin(), controller.warnings.end(),
                     [](const std::string& line) { return contains_word(line, "c01587778"); });
    const bool printed = banner != controller.warnings.end();
    const Flag model = model_in(controller, {"P400", "P400i", "P800"});
    Flag bad_firmware = model;
    if (model == true) {
      const std::vector<int> parts = version_parts(controller.firmware.value_or(""));
      bad_firmware =
          parts.empty() ? Flag{} : Flag{parts.size() > 1 && parts[0] == 2 && parts[1] == 4};
    }
    Condition holds;
    holds.require(printed ? Flag{true} : is(controller.generation, "G5"), "generation")
        .require(printed ? Flag{true} : bad_firmware, std::string(firmware_fact));
    if (!context.decide(holds, subject_of(controller))) continue;
    FindingText text;
    text.evidence = firmware_evidence(controller);
    if (printed) text.evidence += "; " + *banner;
    text.fix = {printed ? "update the controller's firmware, as the advisory c01587778 says"
                        : "update the controller's firmware: for 2.04 the update is mandatory"};
    text.affects = firmware_affects(controller);
    context.report(subject_of(controller), std::move(text));
  }
}

void wrong_transfers(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    Condition holds;
    holds.require(model_in(controller, {"P410", "P410i", "P411", "P812"}), "model")
        .require(older(controller.firmware, "3.52"), std::string(firmware_fact));
    if (!context.decide(holds, subject_of(controller))) continue;
    const Text& product = context.host().product;
    const bool there = product && contains_word(*product, "rx2800 i2");
    FindingText text;
    text.evidence = fmt::format("{}; {}", firmware_evidence(controller),
                                product ? "server: " + *product
                                        : std::string("which server it is in is not told; the "
                                                      "erratum is of the Integrity rx2800 i2"));
    if (!there) text.severity = Severity::warning;
    text.fix = {update_to("3.52")};
    text.affects = firmware_affects(controller);
    context.report(subject_of(controller), std::move(text));
  }
}

/// Drives that stop for good at a count of power-on hours. The models are those that the two
/// customer bulletins name as far as they were known when this was written; they were not at hand
/// to check.
struct HourLimit {
  std::int64_t hours = 0;
  char fixed_in = 0;  ///< the letter or digit after "HPD"
  std::span<const std::string_view> models;
};
constexpr std::array<std::string_view, 19> models_32768{
    "VO0480JFDGT",   "VO0960JFDGU",   "VO1920JFDGV",   "VO3840JFDHA",   "MO0400JFFCF",
    "MO0800JFFCH",   "MO1600JFFCK",   "MO3200JFFCL",   "VO000480JWDAR", "VO000960JWDAT",
    "VO001920JWDAU", "VO003840JWDAV", "VO007680JWCNK", "VO015300JWCNL", "VK000960JWSSQ",
    "VK001920JWSSR", "VK003840JWSST", "VK007680JWSSU", "VO015300JWSSV"};
constexpr std::array<std::string_view, 4> models_40000{"EK0800JVYPN", "EO1600JVYPP", "MK0800JVYPQ",
                                                       "MO1600JVYPR"};
constexpr std::array<HourLimit, 2> hour_limits{HourLimit{32768, '8', models_32768},
                                               HourLimit{40000, '7', models_40000}};
/// "near": the last tenth of the hours, a limit chosen here.
constexpr std::int64_t near_pct = 90;

void dying_ssd(RuleContext& context, const PhysicalDriveRef& at) {
  const PhysicalDrive& drive = *at.drive;
  for (const HourLimit& limit : hour_limits) {
    const bool listed = drive.model && std::any_of(limit.models.begin(), limit.models.end(),
                                                   [&](std::string_view model) {
                                                     return contains_word(*drive.model, model);
                                                   });
    Flag old;
    if (drive.firmware) {
      // HPD0 to HPD9, then HPDA and on; another scheme is another maker's drive.
      old = drive.firmware->size() > 3 && contains_word(drive.firmware->substr(0, 3), "HPD") &&
            (*drive.firmware)[3] < limit.fixed_in;
    }
    const std::int64_t near = limit.hours * near_pct / 100;
    Condition holds;
    if (listed) {
      holds.require(old, "drive firmware")
          .require(drive.power_on_hours ? Flag{*drive.power_on_hours >= near} : Flag{},
                   "power-on hours");
    } else {
      // The advisories speak of SAS drives. One that has passed the hour lives on; where a fact is
      // not told there is nothing that points to this drive.
      holds.require(drive.media == Media::ssd && drive.interface == DriveInterface::sas &&
                        old == true && drive.power_on_hours && *drive.power_on_hours >= near &&
                        *drive.power_on_hours <= limit.hours,
                    "");
    }
    if (!context.decide(holds, subject_of(at))) continue;
    FindingText text;
    text.evidence = fmt::format(
        "physicaldrive {} Model: {}; Firmware Revision: {}; Power On Hours: {}, limit {}",
        drive.bay.value_or("?"), drive.model.value_or("not told"), *drive.firmware,
        *drive.power_on_hours, limit.hours);
    if (!listed) {
      text.severity = Severity::warning;
      text.evidence += "; whether the advisory means this model is not known here";
    }
    text.fix = {
        fmt::format("back up, and update the drive's firmware to HPD{} or later", limit.fixed_in)};
    text.affects = "the drives of one delivery reach the hour together, whatever the RAID level";
    context.report(subject_of(at), std::move(text));
    return;
  }
}

void dying_ssds(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    for (const PhysicalDriveRef& at : context.physical_drives(controller)) {
      if (at.drive->media == Media::hdd) continue;
      dying_ssd(context, at);
    }
  }
}

void hpvsa_collapse(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const Driver& driver = controller.driver;
    Flag newer;
    if (driver.version) {
      const Text limit = "5.5.0-88";
      newer = version_parts(*driver.version).empty() ? Flag{} : older(limit, *driver.version);
    }
    Condition holds;
    holds.require(model_in(controller, {"B120i"}), "model")
        .require(is(driver.name, "hpvsa"), "driver")
        .require(newer, "driver version");
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(subject_of(controller),
                   {.evidence = fmt::format("driver hpvsa {}", *driver.version),
                    .fix = {"go back to the hpvsa driver 5.5.0-88"},
                    .affects = whole_controller(controller, "the driver is")});
  }
}

void queueing(RuleContext& context) {
  const auto driven_by = [&](std::string_view name) {
    return std::any_of(context.controllers().begin(), context.controllers().end(),
                       [&](const Controller& c) { return c.driver.name == name; });
  };
  const bool beside_hpsa = driven_by("hpsa");
  for (const Controller& controller : context.controllers()) {
    const Text& driver = controller.driver.name;
    if (driver && *driver == "cciss") {
      if (!beside_hpsa) continue;
      context.report(subject_of(controller),
                     {.evidence = "driver cciss, beside a controller on hpsa",
                      .fix = {"compare only what one driver drives; use hpsa for both"},
                      .affects = whole_controller(controller, "the driver is")});
      continue;
    }
    if (driver ? *driver != "hpsa" : software_raid(controller) || gen10(controller)) continue;
    const std::string* mode = extra_value(controller.extra, "transport_mode");
    // The vendor tool does not print it, and performant is what hpsa takes where it can.
    if (!mode && printed_whole(controller)) continue;
    Condition holds;
    holds.require(is(driver, "hpsa"), "driver")
        .require(mode ? Flag{contains_word(*mode, "simple")} : Flag{}, "hpsa transport mode");
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(subject_of(controller),
                   {.evidence = "driver hpsa; transport_mode: " + *mode,
                    .fix = {"load hpsa without hpsa_simple_mode"},
                    .affects = whole_controller(controller, "the mode is")});
  }
}

/// One machine can tell this only of its own cards; `diff` and `compare` tell it of two machines.
void differing_firmware(RuleContext& context) {
  const std::vector<Controller>& all = context.controllers();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!all[i].model || all[i].model != all[j].model) continue;
      const Text& a = all[j].firmware;
      const Text& b = all[i].firmware;
      Condition holds;
      holds.require(a && b ? any_of({older(a, *b), older(b, *a)}) : Flag{},
                    std::string(firmware_fact));
      if (!context.decide(holds, subject_of(all[i]))) continue;
      context.report(
          subject_of(all[i]),
          {.evidence = fmt::format("{} has Firmware Version: {}, the {} in slot {} has {}",
                                   *all[i].model, *b, *all[j].model, all[j].slot.value_or("?"), *a),
           .fix =
               {"bring both to one firmware before comparing drives of the one with the other's"},
           .affects = firmware_affects(all[i])});
      break;
    }
  }
}

void not_the_last(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const ControllerModel* row = controller.model ? find_model(*controller.model) : nullptr;
    if (row == nullptr || row->last_firmware.empty()) continue;
    Condition holds;
    holds.require(older(controller.firmware, row->last_firmware), std::string(firmware_fact));
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(subject_of(controller),
                   {.evidence = fmt::format("{}; the last for it is {}",
                                            firmware_evidence(controller), row->last_firmware),
                    .fix = {update_to(row->last_firmware)},
                    .affects = firmware_affects(controller)});
  }
}

constexpr Rule rules[] = {
    {.id = "F01",
     .severity = Severity::block,
     .condition = "a P220i or P420i on firmware before the fix of July 2013 (taken: 4.68) with at "
                  "most 8 drives, none of them solid state, and no expander",
     .why = "the controller may lock up (0x13, POST 1719, 1783, 1793 or 1797)",
     .source = "A-0x13; the version is chosen here",
     .evaluate = lockup_0x13},
    {.id = "F02",
     .severity = Severity::warning,
     .condition = "a P420i on firmware before 5.42",
     .why = "a fault in charging the capacitor may turn the cache off",
     .source = "A-5.42",
     .evaluate = capacitor_charging},
    {.id = "F03",
     .severity = Severity::warning,
     .condition = "a P440 or P840 with 4 GB of cache on old firmware (taken: before 6.60)",
     .why = "after a loss of power the cache may stay disabled (POST 1793)",
     .source = "A-4GB; the version is chosen here",
     .evaluate = lost_cache},
    {.id = "F04",
     .severity = Severity::error,
     .condition = "a Gen9 controller on firmware before 6.60 whose cache is permanently disabled "
                  "while its battery reads OK",
     .why = "a failed battery is misreported: the cache is off for a reason that is not shown",
     .source = "A-6.60",
     .evaluate = misreported_battery},
    {.id = "F05",
     .severity = Severity::block,
     .condition = "a Gen10 controller on firmware before 1.34 (warning where no logical drive is "
                  "known to be migrating)",
     .why = "a high load of writes during a migration reboots the machine",
     .source = "A-1.34",
     .evaluate = migration_reboots},
    {.id = "F06",
     .severity = Severity::block,
     .condition = "the tool prints the advisory c01587778 for a controller, or a P400, P400i or "
                  "P800 is on firmware 2.04",
     .why = "data may be written wrongly while the surface scan runs beside writes",
     .source = "A-PARITY, ACUCL",
     .evaluate = write_errors},
    {.id = "F07",
     .severity = Severity::block,
     .condition = "a P410, P410i, P411 or P812 on firmware before 3.52 (warning where the server "
                  "is not known to be an rx2800 i2)",
     .why = "data may be transferred wrongly",
     .source = "A-3.52",
     .evaluate = wrong_transfers},
    {.id = "F08",
     .severity = Severity::block,
     .condition = "a solid-state drive that the advisories list, on firmware before HPD8 (HPD7), "
                  "in the last tenth of 32,768 (40,000) power-on hours (warning for a SAS drive of "
                  "another model)",
     .why = "at that hour the drive dies for good, and those bought together die together",
     .source = "A-SSD32K, A-SSD40K; the tenth is chosen here",
     .evaluate = dying_ssds},
    {.id = "F09",
     .severity = Severity::error,
     .condition = "a B120i with the hpvsa driver newer than 5.5.0-88",
     .why = "writes collapse",
     .source = "A-B120",
     .evaluate = hpvsa_collapse},
    {.id = "F10",
     .severity = Severity::warning,
     .condition = "hpsa in its simple transport mode, or controllers on cciss and on hpsa in one "
                  "machine",
     .why = "requests are queued in another way: simple mode is slow, and results do not compare",
     .source = "DOC-hpsa",
     .evaluate = queueing},
    {.id = "F11",
     .severity = Severity::warning,
     .condition = "two controllers of one model in one machine have different firmware",
     .why = "a difference between their drives may be the firmware's",
     .source = "A-4GB, A-6.60, A-1.34, A-5.42",
     .evaluate = differing_firmware},
    {.id = "F12",
     .severity = Severity::info,
     .condition = "the firmware is not the last for the card (P410i 6.64, P420 and P420i 8.32)",
     .why = "it may have faults that were mended since",
     .source = "FW-P410i",
     .evaluate = not_the_last},
};

}  // namespace

const RuleTopic rule_topic_firmware{"firmware", "Firmware and driver", rules};

}  // namespace raidscope
