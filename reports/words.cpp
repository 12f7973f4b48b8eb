#include "reports/words.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "reports/text/units.h"
#include "workloads/derived.h"
#include "workloads/repeat_name.h"

namespace raidscope {
namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string rates_words(const std::vector<Maybe<double>>& rates) {
  std::vector<double> known;
  for (const Maybe<double>& rate : rates) {
    if (rate) known.push_back(*rate);
  }
  if (known.empty()) return {};
  const auto [low, high] = std::minmax_element(known.begin(), known.end());
  if (*low == *high) return fmt::format("{:g} Gbit/s", *low);
  return fmt::format("{:g} and {:g} Gbit/s", *low, *high);
}

// "1I:1:4" as {"1I:1:", 4}; a bay without a number at its end has -1.
std::pair<std::string, long> split_bay(const std::string& bay) {
  std::size_t digits = bay.size();
  while (digits > 0 && bay[digits - 1] >= '0' && bay[digits - 1] <= '9') --digits;
  long number = -1;
  std::from_chars(bay.data() + digits, bay.data() + bay.size(), number);
  return {bay.substr(0, digits), number};
}

std::string bay_ranges(std::vector<std::string> bays) {
  std::vector<std::pair<std::string, long>> split;
  for (const std::string& bay : bays) split.push_back(split_bay(bay));
  std::sort(split.begin(), split.end());
  std::vector<std::string> parts;
  for (std::size_t first = 0; first < split.size();) {
    std::size_t last = first;
    while (last + 1 < split.size() && split[last].second >= 0 &&
           split[last + 1].first == split[first].first &&
           split[last + 1].second == split[last].second + 1) {
      ++last;
    }
    const auto whole = [&](std::size_t i) {
      return split[i].second < 0 ? split[i].first
                                 : split[i].first + std::to_string(split[i].second);
    };
    if (last == first) {
      parts.push_back(whole(first));
    } else {
      parts.push_back(whole(first) + (last == first + 1 ? ", " : " to ") + whole(last));
    }
    first = last + 1;
  }
  return joined(parts, ", ");
}

std::string drive_kind(const PhysicalDrive& drive) {
  std::string what;
  // A model often begins with the vendor's name already.
  const std::string model = text_or_unknown(drive.model);
  if (drive.vendor && !drive.vendor->empty() && model.rfind(*drive.vendor, 0) != 0) {
    what = *drive.vendor + " ";
  }
  what += drive.model ? model : "model unknown";
  if (drive.firmware) what += " fw " + *drive.firmware;
  std::string kind = drive.interface ? std::string(to_name(*drive.interface)) : "";
  if (drive.media) kind += (kind.empty() ? "" : " ") + media_words(drive.media);
  if (!kind.empty()) what += ", " + kind;
  if (drive.rpm && *drive.rpm > 0) {
    what += fmt::format(" {} rpm", grouped_count(static_cast<std::uint64_t>(*drive.rpm)));
  }
  if (drive.size_text || drive.size_bytes) {
    what += ", " + (drive.size_text ? *drive.size_text : decimal_bytes(drive.size_bytes));
  }
  const std::string rates = rates_words(drive.phy_rates_gbps);
  if (!rates.empty()) what += ", " + rates;
  return what;
}

}  // namespace

std::string block_words(const Workload& workload) {
  std::vector<std::string> sizes;
  for (const std::uint64_t size : workload.block_bytes) {
    sizes.push_back(binary_bytes(static_cast<double>(size)));
  }
  return sizes.empty() ? unknown_word : joined(sizes, " + ");
}

std::string mix_words(const Workload& workload) {
  if (workload.read_percent >= 100) return "read";
  if (workload.read_percent <= 0) return workload.trim_percent == 100 ? "trim" : "write";
  return fmt::format("{} % read", workload.read_percent);
}

std::string size_or_unknown(const TargetInfo& target) {
  return target.size_bytes ? binary_bytes(static_cast<double>(*target.size_bytes))
                           : std::string(unknown_word) + " size";
}

std::string workload_shape(const Workload& workload) {
  if (workload.instances > 1 || workload.targets.size() > 1 || !workload.groups.empty()) {
    return fmt::format("{} {} {}, {}", block_words(workload), to_name(workload.pattern),
                       mix_words(workload), outstanding_words(workload));
  }
  return fmt::format("{} {} {}, {} {} × depth {} = {} outstanding", block_words(workload),
                     to_name(workload.pattern), mix_words(workload), workload.workers,
                     workload.workers == 1 ? "worker" : "workers", workload.queue_depth_per_worker,
                     grouped_count(workload.outstanding_total));
}

namespace {

bool moved_nothing(const RunResult& run) {
  return run.engine.name == "null";
}

}  // namespace

std::string origin_words(Origin origin) {
  switch (origin) {
    case Origin::measured:
      return "measured";
    case Origin::imported:
      return "imported from another tool";
    case Origin::published:
      return "published by others";
    case Origin::simulated:
      return "simulated, not the speed of hardware";
  }
  return unknown_word;
}

std::string origin_words(const RunResult& run) {
  if (run.origin != Origin::simulated) return origin_words(run.origin);
  return moved_nothing(run) ? "simulated: the null engine moves no data"
                            : "simulated: an emulated controller, not hardware";
}

std::string undecided_words(const RunResult& run, const SnapshotRef& reference) {
  if (!reference.fingerprint.empty() || !reference.tag.empty()) return {};
  if (run.inventory_origin == "given") {
    return "undecided: which drive of the given inventory holds the target is not known; "
           "--logical-drive SLOT:NUMBER or DEVICE names it";
  }
  return "undecided: no drive of the inventory is known to hold the target; where one does, "
         "--logical-drive SLOT:NUMBER or DEVICE names it";
}

std::vector<std::string> run_warnings(const RunResult& run) {
  std::vector<std::string> out;
  if (run.origin == Origin::simulated && !moved_nothing(run)) {
    out.emplace_back(
        "Simulated: an emulated controller answered; this is not the speed of hardware");
  }
  if (run.interrupted)
    out.emplace_back("Interrupted: stopped before its time; what was measured stands");
  if (!run.checks.valid) out.emplace_back("Not valid as a measurement: see the suspicions");
  for (const std::string& suspicion : run.checks.suspicions)
    out.push_back("Suspicion: " + suspicion);
  if (run.config_changed == true) {
    std::string text = "The configuration changed during the run";
    if (!run.changes.empty()) text += ": " + joined(run.changes, "; ");
    out.push_back(std::move(text));
  } else if (!run.config_changed && run.inventory_before) {
    out.emplace_back(
        run.inventory_after
            ? "Whether the configuration changed during the run is unknown: the second look at it "
              "was not whole"
            : "Whether the configuration changed during the run is unknown: there is no second "
              "inventory to compare with");
  }
  if (run.steady_state.reached == false) {
    std::string text = "No steady state";
    if (run.steady_state.slope_pct) {
      text += fmt::format(": slope {}", percent(run.steady_state.slope_pct));
      if (run.steady_state.excursion_pct) {
        text += fmt::format(", excursion {}", percent(run.steady_state.excursion_pct));
      }
    }
    out.push_back(std::move(text));
  }
  if (run.workload.direct && !run.engine.direct && run.engine.name != "null" &&
      run.origin != Origin::imported && run.origin != Origin::published) {
    out.push_back("The page cache was not bypassed" +
                  (run.engine.direct_proof.empty() ? "" : ": " + run.engine.direct_proof));
  } else if (!run.workload.direct) {
    out.emplace_back("Buffered on purpose: the page cache is part of the number");
  }
  if (moved_nothing(run)) {
    out.emplace_back("The null engine moves no data: this measures the tool itself");
  }
  if (!run.inventory_before) {
    out.emplace_back("No inventory belongs to this run: what it was measured on is unknown");
  } else if (run.inventory_origin == "given") {
    out.emplace_back("The inventory was given by the user, not probed on this machine");
  }
  for (const std::string& rule : run.accepted) {
    out.push_back("Run in spite of blocker " + rule + ", accepted by the user");
  }
  for (const Finding& finding : run.audit) {
    if (finding.severity < Severity::error) continue;
    out.push_back(fmt::format("Audit {} {} ({}): {}", to_name(finding.severity), finding.rule,
                              subject_words(finding.subject), finding.evidence));
  }
  return out;
}

std::vector<std::string> run_notes(const RunResult& run) {
  return run.workload.warnings;
}

// Who looked and saw none, and who could not look. A vendor tool that is not there says nothing;
// the kernel's lists of buses and disks do when they are empty.
std::string no_controller_words(const Inventory& inventory) {
  std::vector<std::string> saw_none, failed;
  for (const SourceInfo& source : inventory.sources) {
    if (source.path == "host") continue;
    const bool kernel = source.path == "sysfs" || source.path == "scsi";
    if (source.status == "failed") failed.push_back(source.path);
    if (source.status == "ok" || (kernel && source.status == "absent"))
      saw_none.push_back(source.path);
  }
  if (failed.empty() && !saw_none.empty()) return "No Smart Array controller found.";
  std::string out = "Whether there is a Smart Array controller is unknown: ";
  out += failed.empty() ? "nothing that could tell was asked" : joined(failed, " and ") + " failed";
  if (!saw_none.empty()) out += "; " + joined(saw_none, " and ") + " saw none";
  return out + ".";
}

std::string disagreement_words(const Disagreement& disagreement) {
  std::vector<std::string> values;
  for (const PathValue& value : disagreement.values)
    values.push_back(value.path + " says " + value.value);
  return fmt::format("{}: {}; taken {}: {}{}", disagreement.fact, joined(values, ", "),
                     disagreement.taken, disagreement.why,
                     disagreement.settled ? "" : " (not settled)");
}

std::string subject_words(const Subject& subject) {
  std::vector<std::string> parts;
  if (subject.slot) parts.push_back("slot " + *subject.slot);
  if (subject.array) parts.push_back("array " + *subject.array);
  if (subject.logical_drive) parts.push_back(fmt::format("LD {}", *subject.logical_drive));
  if (subject.bay) parts.push_back("bay " + *subject.bay);
  return parts.empty() ? "this machine" : joined(parts, ", ");
}

std::string drive_place(const LogicalDrive& drive) {
  return drive.device && !drive.device->empty() ? *drive.device : "device unknown";
}

std::string raid_words(const LogicalDrive& drive) {
  if (drive.raid) return "RAID " + *drive.raid;
  if (!drive.raid_candidates.empty()) return "RAID " + joined(drive.raid_candidates, " or ");
  return "RAID unknown";
}

std::string media_words(const std::optional<Media>& media) {
  if (!media) return unknown_word;
  switch (*media) {
    case Media::ssd:
      return "SSD";
    case Media::hdd:
      return "HDD";
    case Media::mixed:
      return "mixed media";
  }
  return unknown_word;
}

std::string write_cache_words(EffectiveWriteCache value) {
  return std::string(to_name(value));
}

std::string io_path_words(IoPath value) {
  return value == IoPath::smart_path ? "Smart Path" : std::string(to_name(value));
}

std::string controller_smart_path_words(const ControllerSmartPath& smart_path) {
  if (!smart_path.capable && !smart_path.driver_supports && !smart_path.driver_enabled) {
    return unknown_word;
  }
  const char* driver = !smart_path.driver_enabled   ? unknown_word
                       : *smart_path.driver_enabled ? "on"
                                                    : "off";
  return fmt::format("capability {}, driver support {}, driver switch {}",
                     flag_words(smart_path.capable), flag_words(smart_path.driver_supports),
                     driver);
}

std::string switch_words(const std::optional<Switch>& value) {
  return value ? (*value == Switch::enabled ? "on" : "off") : unknown_word;
}

std::string flag_words(const std::optional<bool>& value) {
  return value ? (*value ? "yes" : "no") : unknown_word;
}

std::string cache_words(const CacheModule& cache) {
  if (cache.present == false) return "no cache module";
  if (cache == CacheModule{}) return unknown_word;
  std::vector<std::string> parts;
  std::string size = cache.size_bytes  ? binary_bytes(cache.size_bytes)
                     : cache.size_text ? *cache.size_text
                                       : "size unknown";
  if (cache.available_bytes) size += " (" + binary_bytes(cache.available_bytes) + " usable)";
  parts.push_back(size);
  if (!cache.present) parts.emplace_back("presence unknown");
  parts.push_back("status " + (cache.status_text ? *cache.status_text
                               : cache.status    ? std::string(to_name(*cache.status))
                                                 : unknown_word));
  parts.push_back(cache.ratio
                      ? fmt::format("{} % read / {} % write", cache.ratio->read, cache.ratio->write)
                      : "ratio unknown");
  const CacheBackup& backup = cache.backup;
  const std::string kind =
      backup.kind ? std::string(to_name(*backup.kind)) : "battery or capacitor";
  parts.push_back(kind + " " +
                  (backup.status_text ? *backup.status_text
                   : backup.status    ? std::string(to_name(*backup.status))
                                      : unknown_word));
  parts.push_back("no-battery writes " + (cache.no_battery_write_cache
                                              ? (*cache.no_battery_write_cache ? "on" : "off")
                                              : std::string(unknown_word)));
  std::string out = joined(parts, ", ");
  if (cache.disable_reason) out += "; " + *cache.disable_reason;
  if (cache.details) out += "; " + *cache.details;
  return out;
}

std::vector<AlikeDrives> group_drives(const std::vector<PhysicalDrive>& drives) {
  struct Building {
    AlikeDrives group;
    std::vector<std::string> bays;
    std::map<std::string, std::size_t> statuses;
  };
  std::vector<Building> building;
  for (const PhysicalDrive& drive : drives) {
    std::string what = drive_kind(drive);
    if (drive.role == DriveRole::spare) what += ", spare";
    auto found = std::find_if(building.begin(), building.end(),
                              [&](const Building& b) { return b.group.what == what; });
    if (found == building.end()) {
      building.push_back({});
      found = building.end() - 1;
      found->group.what = what;
    }
    ++found->group.count;
    if (drive.bay) found->bays.push_back(*drive.bay);
    ++found->statuses[drive.status ? *drive.status : "status unknown"];
    if (drive.status != "OK") found->group.healthy = false;
  }
  std::vector<AlikeDrives> out;
  for (Building& b : building) {
    std::vector<std::string> statuses;
    for (const auto& [status, count] : b.statuses) {
      statuses.push_back(b.statuses.size() == 1 ? status : fmt::format("{} {}", count, status));
    }
    b.group.status = joined(statuses, ", ");
    b.group.bays = bay_ranges(std::move(b.bays));
    out.push_back(std::move(b.group));
  }
  return out;
}

DriveRef target_drive(const RunResult& run, const Inventory& inventory) {
  // Without the vendor tool no drive has a number: then it is the one whose device is below the
  // target, else the only one that was set up as the run's was.
  const auto on_device = [&](const DriveRef& ref) {
    const auto& chain = run.target.device_chain;
    return ref.drive->device &&
           std::any_of(chain.begin(), chain.end(), [&](const std::string& entry) {
             return entry == *ref.drive->device || entry.starts_with(*ref.drive->device + " ");
           });
  };
  const std::vector<DriveRef> drives = all_logical_drives(inventory);
  const bool by_device =
      run.inventory_origin == "probed" && std::any_of(drives.begin(), drives.end(), on_device);
  const auto fits = [&](const DriveRef& ref) {
    if (run.target.logical_drive) return ref.drive->number == run.target.logical_drive;
    if (by_device) return on_device(ref);
    return run.inventory_before && !run.inventory_before->fingerprint.empty() &&
           ref.drive->fingerprint == run.inventory_before->fingerprint;
  };
  DriveRef only;
  for (const DriveRef& ref : drives) {
    if (!fits(ref)) continue;
    if (run.target.controller && ref.controller->slot != run.target.controller &&
        ref.controller->pci_address != run.target.controller) {
      continue;
    }
    if (only.drive != nullptr) return {};  // two controllers have such a drive and none is named
    only = ref;
  }
  return only;
}

bool is_doubtful(const RunResult& run) {
  return run.interrupted || !run.checks.valid || run.config_changed == true ||
         !run.checks.suspicions.empty() || run.steady_state.reached == false;
}

std::vector<PointGroup> group_points(const std::vector<RunResult>& runs) {
  /// What repeats have in common; the seed and the number in the name are each one's own.
  struct Key {
    std::string session, name, target, engine, fingerprint;
    Origin origin;
    Workload workload;
    bool operator==(const Key&) const = default;  // the cheap ones first
  };
  std::vector<PointGroup> out;
  std::vector<Key> keys;
  for (const RunResult& run : runs) {
    Key key{run.session_id,
            repeat_name(run.name),
            run.target.path,
            run.engine.name,
            run.inventory_before ? run.inventory_before->fingerprint : std::string(),
            run.origin,
            run.workload};
    key.workload.seed = 0;
    key.workload.source.clear();  // an import keeps the line of each run there
    key.workload.warnings.clear();
    key.workload.name = repeat_name(run.workload.name);
    const auto found = std::find(keys.begin(), keys.end(), key);
    if (found == keys.end()) {
      keys.push_back(std::move(key));
      out.push_back({{&run}});
    } else {
      out[static_cast<std::size_t>(found - keys.begin())].runs.push_back(&run);
    }
  }
  return out;
}

}  // namespace raidscope
