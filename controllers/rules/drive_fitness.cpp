// What drives are and how worn they are: D01, D02, D07 to D11, D15, D16.

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_drive_fitness;

namespace {

constexpr double worn_below_pct = 20;
/// "near" its own maximum: within 2 degrees, and only where the drive is warm at all: the record of
/// a new drive is the temperature of its room.
constexpr std::int64_t near_degrees = 2;
constexpr std::int64_t warm_c = 40;

std::string name_of(const PhysicalDrive& drive) {
  return "physicaldrive " + drive.bay.value_or("?");
}

/// Calls `check(drive, condition)`, which requires what must hold, and then `found`.
template <class Check, class Found>
void each_drive(RuleContext& context, Check check, Found found) {
  for (const Controller& controller : context.controllers()) {
    for (const PhysicalDriveRef& at : context.physical_drives(controller)) {
      Condition holds;
      check(at, holds);
      if (context.decide(holds, subject_of(at))) found(at);
    }
  }
}

/// The value of a line, unknown where the line is not told; false where a whole block has none, as
/// older tools do.
Flag line_says(const PhysicalDriveRef& at, const std::string* value,
               bool (*test)(const std::string&)) {
  if (value != nullptr) return test(*value);
  return printed_whole(*at.controller, *at.drive) ? Flag{false} : Flag{};
}

// D01 -------------------------------------------------------------------------------------------

/// One attribute over the drives of an array: what values there are, and whether all told one.
struct Spread {
  std::map<std::string, std::vector<std::string>> bays;  ///< by value
  bool untold = false;

  void add(const PhysicalDrive& drive, const Text& value, bool may_lack) {
    if (value) {
      bays[*value].push_back(drive.bay.value_or("?"));
    } else if (!may_lack) {
      untold = true;
    }
  }
  [[nodiscard]] Flag mixed() const {
    if (bays.size() > 1) return true;
    return untold ? Flag{} : Flag{false};
  }
};

Text words_of(const Integer& number) {
  return number ? Text{std::to_string(*number)} : Text{};
}

void mixed_array(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    (void)context.physical_drives(controller);  // notes the arrays whose drives are not told
    for (const Array& array : controller.arrays) {
      Spread model;
      Spread size;
      Spread firmware;
      Spread speed;
      std::size_t drives = 0;
      for (const PhysicalDrive& drive : array.physical_drives) {
        if (drive.role == DriveRole::spare) continue;
        const bool whole = printed_whole(controller, drive);
        ++drives;
        model.add(drive, drive.model, whole);
        size.add(drive, drive.size_text ? drive.size_text : words_of(drive.size_bytes), whole);
        firmware.add(drive, drive.firmware, whole);
        speed.add(drive, words_of(drive.rpm), whole || drive.media == Media::ssd);
      }
      if (drives < 2) continue;
      const Subject subject = subject_of(controller, &array);
      Condition holds;
      holds.require(any_of({model.mixed(), size.mixed(), firmware.mixed(), speed.mixed()}),
                    "model, capacity, firmware and speed of every drive");
      if (!context.decide(holds, subject)) continue;
      FindingText text;
      const auto say = [&](std::string_view what, const Spread& spread) {
        if (spread.bays.size() < 2) return;
        text.evidence += fmt::format("{}{}: ", text.evidence.empty() ? "" : "; ", what);
        std::string_view between;
        for (const auto& [value, bays] : spread.bays) {
          text.evidence +=
              fmt::format("{}{} ({}, first {})", between, value, bays.size(), bays.front());
          between = ", ";
        }
      };
      say("Model", model);
      say("Size", size);
      say("Firmware Revision", firmware);
      say("Rotational Speed", speed);
      text.fix = {"make the array of drives of one model, capacity and firmware"};
      text.affects = "every logical drive of the array";
      context.report(subject, std::move(text));
    }
  }
}

// D02 -------------------------------------------------------------------------------------------

void shared_by_both_media(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    std::vector<std::string> solid;
    std::vector<std::string> spinning;
    bool unknown = false;
    const std::vector<DriveGroup> groups = context.drive_groups(controller);
    for (const DriveGroup& group : groups) {
      const Flag is_solid = solid_state(group);
      const std::string name =
          group.array ? "array " + group.array->letter.value_or("?") : name_drives(group.drives);
      if (!is_solid) {
        unknown = true;
      } else if (*is_solid) {
        solid.push_back(name);
      } else if (!group.array || group.array->media != Media::mixed) {
        spinning.push_back(name);
      }
    }
    Condition holds;
    if (solid.empty() || spinning.empty()) {
      const bool may_be = unknown && groups.size() > 1;
      holds.require(may_be ? Flag{} : Flag{false}, "media of every array");
    }
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(subject_of(controller),
                   {.evidence = fmt::format("solid state: {}; hard disks: {}; whether both are "
                                            "loaded at once is not told",
                                            fmt::join(solid, ", "), fmt::join(spinning, ", ")),
                    .fix = {"keep the arrays that are not measured idle"},
                    .affects = ""});
  }
}

// D07 to D10 ------------------------------------------------------------------------------------

const std::string* trip_line(const PhysicalDrive& drive) {
  const std::string* line = extra_value(drive.extra, "SSD Smart Trip Wearout");
  return line != nullptr ? line : extra_value(drive.extra, "Smart Trip Wearout");
}

bool says_true(const std::string& value) {
  return value.starts_with("True") || value.starts_with("true");
}

void worn_out(RuleContext& context) {
  each_drive(
      context,
      [](const PhysicalDriveRef& at, Condition& holds) {
        const PhysicalDrive& drive = *at.drive;
        if (drive.media == Media::hdd) {
          holds.require(false, "");
          return;
        }
        const Flag low = drive.wear_remaining_pct ? Flag{*drive.wear_remaining_pct < worn_below_pct}
                         : printed_whole(*at.controller, drive) ? Flag{false}
                                                                : Flag{};
        const Flag worn = any_of({low, line_says(at, trip_line(drive), says_true)});
        if (worn != true) holds.require(is(drive.media, Media::ssd), "media");
        holds.require(worn, "usage remaining and wear-out trip");
      },
      [&](const PhysicalDriveRef& at) {
        const PhysicalDrive& drive = *at.drive;
        const std::string* trip = trip_line(drive);
        FindingText text;
        text.evidence = name_of(drive);
        if (drive.wear_remaining_pct) {
          text.evidence += fmt::format(" Usage remaining: {:.2f}%", *drive.wear_remaining_pct);
        }
        if (trip != nullptr) {
          text.evidence += fmt::format("{} SSD Smart Trip Wearout: {}",
                                       drive.wear_remaining_pct ? ";" : "", *trip);
          if (says_true(*trip)) text.severity = Severity::block;
        }
        text.fix = {"replace the drive"};
        context.report(subject_of(at), std::move(text));
      });
}

bool not_authentic(const std::string& value) {
  return !value.empty() && !same_word(value, "OK") && !contains_word(value, "not applicable") &&
         !same_word(value, "N/A");
}

void not_genuine(RuleContext& context) {
  const auto unsupported = [](const PhysicalDrive& drive) {
    return drive.status && (contains_word(*drive.status, "unsupported") ||
                            contains_word(*drive.status, "not supported"));
  };
  each_drive(
      context,
      [&](const PhysicalDriveRef& at, Condition& holds) {
        const Text& line = at.drive->authentication;
        holds.require(any_of({Flag{unsupported(*at.drive)},
                              line_says(at, line ? &*line : nullptr, not_authentic)}),
                      "drive authentication status");
      },
      [&](const PhysicalDriveRef& at) {
        FindingText text;
        text.evidence = name_of(*at.drive);
        if (at.drive->authentication) {
          text.evidence += " Drive Authentication Status: " + *at.drive->authentication;
        }
        if (unsupported(*at.drive)) text.evidence += " Status: " + *at.drive->status;
        if (at.drive->model) text.evidence += "; Model: " + *at.drive->model;
        text.fix = {"use drives that the controller knows, or name the drives with the result"};
        context.report(subject_of(at), std::move(text));
      });
}

void hot_drive(RuleContext& context) {
  each_drive(
      context,
      [](const PhysicalDriveRef& at, Condition& holds) {
        const PhysicalDrive& drive = *at.drive;
        const Flag untold = printed_whole(*at.controller, drive) ? Flag{false} : Flag{};
        holds
            .require(drive.temperature_c ? Flag{*drive.temperature_c >= warm_c} : untold,
                     "drive temperature")
            .require(drive.temperature_c && drive.temperature_max_c
                         ? Flag{*drive.temperature_c + near_degrees >= *drive.temperature_max_c}
                         : untold,
                     "highest drive temperature so far");
      },
      [&](const PhysicalDriveRef& at) {
        context.report(
            subject_of(at),
            {.evidence = fmt::format(
                 "{} Current Temperature (C): {}; Maximum Temperature (C): {}; near is taken as "
                 "within {} degrees, from {} on",
                 name_of(*at.drive), *at.drive->temperature_c, *at.drive->temperature_max_c,
                 near_degrees, warm_c),
             .fix = {"improve the flow of air over the drives"},
             .affects = ""});
      });
}

bool shingled(const std::string& value) {
  return !value.empty() && !same_word(value, "None") && !contains_word(value, "unknown") &&
         !contains_word(value, "not supported") && !contains_word(value, "not applicable");
}

void shingled_drive(RuleContext& context) {
  constexpr std::string_view key = "Shingled Magnetic Recording Support";
  each_drive(
      context,
      [&](const PhysicalDriveRef& at, Condition& holds) {
        if (at.drive->media == Media::ssd) {
          holds.require(false, "");
          return;
        }
        const std::string* line = extra_value(at.drive->extra, key);
        if (line != nullptr && contains_word(*line, "unknown")) {
          holds.require({}, "shingled recording");
          return;
        }
        holds.require(line_says(at, line, shingled), "shingled recording");
      },
      [&](const PhysicalDriveRef& at) {
        FindingText text;
        text.evidence =
            fmt::format("{} {}: {}", name_of(*at.drive), key, *extra_value(at.drive->extra, key));
        if (at.drive->model) text.evidence += "; Model: " + *at.drive->model;
        text.fix = {"use drives without shingled recording"};
        context.report(subject_of(at), std::move(text));
      });
}

// D11 -------------------------------------------------------------------------------------------

/// Sectors of 512 bytes over blocks of 4096. Null where neither the drives nor the kernel told.
Flag emulates_512(const DriveRef& at) {
  if (at.drive->block_device && at.drive->block_device->physical_block_bytes == 4096 &&
      at.drive->block_device->logical_block_bytes == 512) {
    return true;
  }
  if (at.array == nullptr) return std::nullopt;
  Flag out;
  for (const PhysicalDrive& drive : at.array->physical_drives) {
    const std::string* line = extra_value(drive.extra, "Logical/Physical Block Size");
    if (line == nullptr) continue;
    if (line->starts_with("512/4096")) return true;
    out = false;
  }
  return out;
}

/// Logical drives begin on a strip, so only the partition under the planned test can lie askew.
void not_aligned(RuleContext& context) {
  const PlannedTest* planned = context.planned();
  if (planned == nullptr || !planned->slot || !planned->drive || planned->target.empty()) return;
  for (const Controller& controller : context.controllers()) {
    if (controller.slot != planned->slot) continue;
    for (const DriveRef& at : context.logical_drives(controller)) {
      if (at.drive->number != planned->drive) continue;
      const bool whole_drive = at.drive->device == planned->target;
      const auto& start = planned->partition_start_bytes;
      Condition holds;
      holds.require(emulates_512(at), "block sizes of the drives")
          .require(whole_drive ? Flag{false}
                   : start     ? Flag{*start % 4096 != 0}
                               : Flag{},
                   "start of the partition that holds the target");
      if (!context.decide(holds, subject_of(at))) continue;
      context.report(subject_of(at),
                     {.evidence = fmt::format("drives of 512-byte sectors over blocks of 4096; {} "
                                              "lies in a partition that starts at byte {}",
                                              planned->target, *start),
                      .fix = {"make the partition anew so that it starts on a multiple of 1 MiB"},
                      .affects = "all data of that partition"});
    }
  }
}

// D15, D16 --------------------------------------------------------------------------------------

void unprotected_ssd(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    for (const DriveGroup& group : context.drive_groups(controller)) {
      for (const LogicalDrive* drive : group.drives) {
        if (drive->effective_write_cache != EffectiveWriteCache::volatile_) continue;
        const DriveRef at{&controller, group.array, drive};
        Condition holds;
        holds.require(solid_state(group), "media of the drives")
            .require({}, "power-loss protection of the drives");
        (void)context.decide(holds, subject_of(at));
      }
    }
  }
}

void no_trim(RuleContext& context) {
  constexpr std::string_view key = "discard_max_bytes";
  for (const Controller& controller : context.controllers()) {
    for (const DriveGroup& group : context.drive_groups(controller)) {
      for (const LogicalDrive* drive : group.drives) {
        const DriveRef at{&controller, group.array, drive};
        const std::string* most = extra_value(drive->extra, key);
        Condition holds;
        holds.require(solid_state(group), "media of the drives")
            .require(most != nullptr ? Flag{*most == "0"} : Flag{},
                     "whether the logical drive passes TRIM on");
        if (!context.decide(holds, subject_of(at))) continue;
        context.report(subject_of(at),
                       {.evidence = fmt::format("{}: 0", key),
                        .fix = {"leave a part of the drives unused (overprovision), and "
                                "precondition before measuring"},
                        .affects = ""});
      }
    }
  }
}

constexpr Rule rules[] = {
    {.id = "D01",
     .severity = Severity::warning,
     .condition = "an array mixes models, capacities, firmware or speeds of drives (spares aside)",
     .why = "the slowest member rules the array",
     .source = "principle without a source; case 3",
     .evaluate = mixed_array},
    {.id = "D02",
     .severity = Severity::warning,
     .condition = "solid-state and hard-disk arrays on one card",
     .why = "they share the cache and the processor of the card: with both loaded the traffic of "
            "the hard disks evicts the other's data",
     .source = "case 3",
     .evaluate = shared_by_both_media},
    {.id = "D07",
     .severity = Severity::warning,
     .condition =
         "\"Usage remaining\" of a solid-state drive is below 20 % (block where its wear-out "
         "trip is set)",
     .why = "writes are slow, and the drive may fail",
     .source = "FX-netdata, FX-redhat",
     .evaluate = worn_out},
    {.id = "D08",
     .severity = Severity::warning,
     .condition = "\"Drive Authentication Status\" is not OK, or the drive is not supported",
     .why = "fans run high, drive firmware is not managed, and the drive's cache policy may be odd",
     .source = "https://prohoster.info/en/blog/administrirovanie/"
               "hp-vash-originalnyj-disk-sovsem-ne-originalen-kto-vinovat-i-chto-delat",
     .evaluate = not_genuine},
    {.id = "D09",
     .severity = Severity::warning,
     .condition = "a drive is within 2 degrees of its own highest temperature, and at 40 or above "
                  "(limits chosen here)",
     .why = "the drive may be throttled",
     .source = "the tool's own lines; limits chosen here",
     .evaluate = hot_drive},
    {.id = "D10",
     .severity = Severity::error,
     .condition = "\"Shingled Magnetic Recording Support\" of a drive is not None",
     .why = "writes collapse once the drive's cache is full",
     .source = "FX-redhat",
     .evaluate = shingled_drive},
    {.id = "D11",
     .severity = Severity::warning,
     .condition =
         "the planned test's partition lies on drives with 512-byte sectors over 4096-byte "
         "blocks and does not start on a multiple of 4 KiB",
     .why = "every write reads, changes and writes a block",
     .source = "https://mskb.pkisolutions.com/kb/2023571",
     .evaluate = not_aligned},
    {.id = "D15",
     .severity = Severity::warning,
     .condition = "solid-state drives without power-loss protection behind a volatile write cache",
     .why = "writes are lost at a power failure",
     .source = "DWC-ISS",
     .evaluate = unprotected_ssd},
    {.id = "D16",
     .severity = Severity::info,
     .condition = "a logical drive of solid-state drives does not pass TRIM on",
     .why = "the drives slow down in the long run, and preconditioning matters more",
     .source = "https://github.com/im-0/hpsahba/issues/3",
     .evaluate = no_trim},
};

}  // namespace

const RuleTopic rule_topic_drive_fitness{"drive_fitness", "What drives are, and their wear", rules};

}  // namespace raidscope
