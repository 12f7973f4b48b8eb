#include "cli/planning.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/core.h>

#include "cli/inputs.h"
#include "cli/judging.h"
#include "cli/other_syntax.h"
#include "cli/pacing.h"
#include "probe/base/emulated_mark.h"
#include "probe/base/text.h"
#include "workloads/native_syntax.h"
#include "workloads/quantities.h"

namespace raidscope::cli {
namespace {

/// What `profile` does when it is not told: long enough to see something, short enough to wait for.
constexpr double shortened_s = 5;
constexpr double shortened_ramp_s = 1;
/// A mistyped unit ("9000h") is more likely than a test of months.
constexpr double longest_point_s = 30.0 * 86400;
constexpr std::size_t longest_name = 200;

template <class T>
Result<std::vector<T>> number_list(const Arguments& arguments, std::string_view name, T least,
                                   T most) {
  RAIDSCOPE_TRY(const std::vector<std::string> parts, list_option(arguments, name));
  std::vector<T> out;
  for (const std::string& part : parts) {
    T value{};
    const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (problem != std::errc{} || end != part.data() + part.size() || value < least ||
        value > most) {
      return fail(Errc::usage, fmt::format("--{} takes whole numbers from {} to {}, not \"{}\"",
                                           name, least, most, part));
    }
    out.push_back(value);
  }
  return out;
}

/// Options that the workload syntax knows by the same name.
constexpr const char* settings[] = {"mix",           "random-percent",
                                    "cursor",        "stride",
                                    "worker-offset", "base",
                                    "spread",        "groups",
                                    "instances",     "rate",
                                    "arrivals",      "think-time",
                                    "burst",         "depth-over-targets",
                                    "verify",        "poll",
                                    "cooldown",      "fsync-every",
                                    "duplicate",     "trim-percent",
                                    "compressible"};

Result<std::vector<WorkloadSetting>> workload_settings(const Arguments& arguments) {
  std::vector<WorkloadSetting> out;
  Workload scratch;
  for (const char* name : settings) {
    if (!arguments.has(name)) continue;
    WorkloadSetting setting{fmt::format("--{}", name), arguments.get_or(name, "")};
    RAIDSCOPE_CHECK(set_native_option(scratch, setting.name, setting.value));
    out.push_back(std::move(setting));
  }
  if (arguments.has("rate") && !arguments.has("arrivals")) out.push_back({"--arrivals", "regular"});
  if (arguments.has("arrivals") && !arguments.has("rate"))
    return fail(Errc::usage, "--arrivals goes with --rate");
  if (arguments.has("mix")) {
    for (const char* name : {"block-size", "read-percent", "pattern", "random-percent"}) {
      if (arguments.has(name))
        return fail(Errc::usage, fmt::format("--mix says what --{} says: give one of them", name));
    }
  }
  if (arguments.has("groups")) {
    for (const char* name : {"workers", "queue-depth"}) {
      if (arguments.has(name))
        return fail(Errc::usage,
                    fmt::format("--groups says what --{} says: give one of them", name));
    }
  }
  return out;
}

/// The targets of the points, each once.
std::vector<std::string> targets_of(const std::vector<Workload>& workloads) {
  std::vector<std::string> out;
  for (const Workload& w : workloads) {
    for (const std::string& target : w.targets) {
      if (std::find(out.begin(), out.end(), target) == out.end()) out.push_back(target);
    }
  }
  return out;
}

}  // namespace

Result<PlanOptions> plan_options(const Arguments& arguments, std::string_view fallback_preset) {
  PlanOptions options;
  RAIDSCOPE_TRY([[maybe_unused]] const DriveRates rates, drive_rates(arguments));
  options.preset = arguments.get_or("preset", "");
  options.targets = arguments.all("target");
  RAIDSCOPE_TRY(options.base, workloads_of_syntaxes(arguments));
  RAIDSCOPE_TRY(options.settings, workload_settings(arguments));
  if (!options.base.empty() && !options.preset.empty())
    return fail(Errc::usage, "--preset and another tool's words are given: give one of them");
  if (std::vector<std::string> named = targets_of(options.base); !named.empty())
    options.targets = std::move(named);
  options.preset_options.reading_total = arguments.get_or("reading", "per-worker") == "total";
  RAIDSCOPE_TRY(const std::vector<std::string> blocks, list_option(arguments, "block-size"));
  for (const std::string& block : blocks) {
    auto size = parse_size(block);
    if (!size) return fail(Errc::usage, fmt::format("--block-size: {}", describe(size.error())));
    options.block_bytes.push_back(*size);
  }
  RAIDSCOPE_TRY(options.read_percent, number_list<int>(arguments, "read-percent", 0, 100));
  RAIDSCOPE_TRY(options.workers, number_list<std::uint32_t>(arguments, "workers", 1, 1024));
  RAIDSCOPE_TRY(options.queue_depth,
                number_list<std::uint32_t>(arguments, "queue-depth", 1, 16384));
  RAIDSCOPE_TRY(const std::vector<std::string> patterns, list_option(arguments, "pattern"));
  for (const std::string& word : patterns) {
    const auto pattern = from_name<Pattern>(word);
    if (!pattern)
      return fail(Errc::usage,
                  fmt::format("--pattern takes sequential or random, not \"{}\"", word));
    options.patterns.push_back(*pattern);
  }
  for (const auto& [name, into] :
       {std::pair{"time", &options.duration_s}, std::pair{"ramp", &options.ramp_s}}) {
    RAIDSCOPE_TRY(*into, duration_option(arguments, name));
    if (into->value_or(0) > longest_point_s)
      return fail(Errc::usage, fmt::format("--{} takes at most 30d", name));
  }
  if (const auto name = arguments.get("name")) {
    const bool control = std::any_of(name->begin(), name->end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    });
    if (name->empty() || name->size() > longest_name || control || !text::is_utf8(*name)) {
      return fail(Errc::usage,
                  fmt::format("--name takes 1 to {} bytes of one line of text", longest_name));
    }
  }
  RAIDSCOPE_TRY(options.alignment_bytes, size_option(arguments, "alignment"));
  if (options.alignment_bytes == std::uint64_t{0})
    return fail(Errc::usage, "--alignment takes at least 512");
  RAIDSCOPE_TRY(const auto seed,
                integer_option(arguments, "seed", 0, std::numeric_limits<std::int64_t>::max()));
  if (seed) options.seed = static_cast<std::uint64_t>(*seed);
  RAIDSCOPE_TRY(const auto repeat, integer_option(arguments, "repeat", 1, 10000));
  if (repeat) options.repeat = static_cast<int>(*repeat);
  RAIDSCOPE_TRY(const auto until, rounds_rule(arguments));
  if (until && !repeat) options.repeat = until->steady ? most_steady_rounds : most_rounds;
  if (until && until->steady && repeat && *repeat < until->steady->rounds) {
    return fail(Errc::usage,
                fmt::format("--until steady needs --repeat {} or more, for the last {} "
                            "rounds are judged",
                            until->steady->rounds, until->steady->rounds));
  }
  RAIDSCOPE_TRY(const auto precondition, duration_option(arguments, "precondition"));
  if (precondition && !(*precondition > 0))
    return fail(Errc::usage, "--precondition takes a time above 0");
  if (precondition.value_or(0) > longest_point_s)
    return fail(Errc::usage, "--precondition takes at most 30d");
  options.precondition_s = precondition.value_or(0);
  RAIDSCOPE_TRY(const auto passes, integer_option(arguments, "fill-passes", 1, 100));
  options.fill_passes = static_cast<int>(passes.value_or(0));
  if (const auto drain = arguments.get("drain"); drain && *drain != "auto" && *drain != "none")
    RAIDSCOPE_CHECK(duration_option(arguments, "drain"));
  if (arguments.has("write-through")) options.sync = Sync::write_through;
  if (arguments.has("buffered")) options.direct = false;

  const bool fixed = !options.base.empty() || !options.preset.empty();
  if (!fixed && !options.described() && !fallback_preset.empty()) {
    options.preset = fallback_preset;
    if (!options.duration_s) options.duration_s = shortened_s;
    if (!options.ramp_s) options.ramp_s = shortened_ramp_s;
  }
  if (options.preset.empty() && options.base.empty() && !options.ramp_s) options.ramp_s = 2;
  if (arguments.has("reading") && options.preset != "iometer-database") {
    return fail(Errc::usage, "--reading goes with --preset iometer-database");
  }
  return options;
}

std::string device_of(std::string_view chain_entry) {
  // "/dev/dm-0 (LVM vg-lv)" names a device before the first blank; "ext4 on /mnt" names none.
  if (!chain_entry.starts_with("/dev/")) return "";
  return std::string(chain_entry.substr(0, chain_entry.find(' ')));
}

/// The option's name in front of what is wrong with it.
Error of_option(Error error) {
  error.message = "--logical-drive: " + error.message;
  return error;
}

Result<DriveName> named_drive(const std::string& words) {
  auto name = DriveName::of(words);
  if (!name) return tl::unexpected(of_option(std::move(name).error()));
  return name;
}

Result<TargetPlace> place_of_target(const Arguments& arguments, const Inventory& inventory,
                                    const std::vector<std::string>& device_chain) {
  const std::vector<DriveRef> drives = all_logical_drives(inventory);
  const auto place = [](const DriveRef& ref) {
    return TargetPlace{ref.controller, ref.array, ref.drive, nullptr};
  };
  if (const auto named = arguments.get("logical-drive")) {
    RAIDSCOPE_TRY(const DriveName name, named_drive(*named));
    auto ref = name.find_in(inventory);
    if (!ref) return tl::unexpected(of_option(std::move(ref).error()));
    return place(*ref);
  }
  // A given inventory is of a controller that this machine cannot see: its /dev names are another
  // machine's.
  if (!arguments.has("inventory")) {
    for (auto entry = device_chain.rbegin(); entry != device_chain.rend(); ++entry) {
      const std::string path = device_of(*entry);
      if (path.empty()) continue;
      for (const DriveRef& ref : drives) {
        if (ref.drive->device == path) return place(ref);
      }
      for (const BlockDevice& device : inventory.block_devices) {
        if (device.path == path) return TargetPlace{nullptr, nullptr, nullptr, &device};
      }
    }
    return TargetPlace{};
  }
  if (drives.size() == 1) return place(drives.front());
  return TargetPlace{};
}

PlannedTest planned_test(const Workload& workload, const TargetPlace& place) {
  PlannedTest test;
  if (!workload.targets.empty()) test.target = workload.targets.front();
  if (place.controller != nullptr) test.slot = place.controller->slot;
  if (place.drive != nullptr) {
    test.drive = place.drive->number;
    test.drive_id = place.drive->unique_id;
  }
  test.block_bytes = workload.block_bytes;
  test.read_percent = workload.read_percent;
  test.random = workload.pattern == Pattern::random;
  test.area_bytes = workload.area_bytes;
  test.outstanding = static_cast<std::uint32_t>(workload.outstanding_total);
  test.duration_s = workload.duration_s;
  test.alignment_bytes = workload.alignment_bytes;
  test.direct = workload.direct;
  test.paced = workload.arrivals != Arrivals::closed || workload.think_us > 0;
  if (place.device != nullptr) test.device = place.device->path;
  return test;
}

AuditReport audit_all(const Inventory& inventory, const std::vector<PlannedTest>& tests,
                      const AuditOptions& options) {
  AuditReport all = audit(inventory, std::nullopt, options);
  for (const PlannedTest& test : tests) {
    AuditReport one = audit(inventory, test, options);
    all.verdict = std::max(all.verdict, one.verdict, [](Verdict a, Verdict b) {
      const auto rank = [](Verdict v) {
        return v == Verdict::ok        ? 0
               : v == Verdict::unknown ? 1
               : v == Verdict::warning ? 2
               : v == Verdict::error   ? 3
                                       : 4;
      };
      return rank(a) < rank(b);
    });
    for (Finding& finding : one.findings) {
      const auto same =
          std::find_if(all.findings.begin(), all.findings.end(), [&](const Finding& f) {
            return f.rule == finding.rule && f.subject == finding.subject &&
                   f.severity == finding.severity;
          });
      if (same == all.findings.end()) all.findings.push_back(std::move(finding));
    }
    for (NotEvaluated& rule : one.not_evaluated) {
      const auto same = std::find_if(all.not_evaluated.begin(), all.not_evaluated.end(),
                                     [&](const NotEvaluated& n) { return n.rule == rule.rule; });
      if (same == all.not_evaluated.end()) all.not_evaluated.push_back(std::move(rule));
    }
  }
  std::stable_sort(all.findings.begin(), all.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return all;
}

std::string rule_id(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return word;
}

bool controllers_told(const Inventory& inventory) {
  return std::any_of(inventory.sources.begin(), inventory.sources.end(), [](const SourceInfo& s) {
    return (s.path == "ssacli" || s.path == "bmic") && s.status == "ok";
  });
}

std::string vendor_tool_word(const Inventory& inventory) {
  for (const SourceInfo& source : inventory.sources) {
    if (source.path != "ssacli" && source.path != "file") continue;
    for (const std::string_view tool : {"hpssacli", "hpacucli", "ssacli"}) {
      if (source.version && source.version->find(tool) != std::string::npos)
        return std::string(tool);
    }
  }
  return "ssacli";
}

std::optional<std::uint64_t> usable_cache(const TargetPlace& place) {
  return place.controller == nullptr ? std::nullopt : raidscope::usable_cache(*place.controller);
}

std::optional<std::uint64_t> largest_usable_cache(const Inventory& inventory) {
  std::optional<std::uint64_t> largest;
  for (const Controller& controller : inventory.controllers) {
    if (const auto size = raidscope::usable_cache(controller))
      largest = std::max(largest.value_or(0), *size);
  }
  return largest;
}

bool is_lab(const Inventory& inventory) {
  const auto says = [](const Text& text) {
    return text && text->find(emulated_mark) != std::string::npos;
  };
  const auto inquiry_says = [](const auto& device) {
    const auto& items = device.extra.items;
    return std::any_of(items.begin(), items.end(), [](const auto& item) {
      return (item.first == "INQUIRY" || item.first == "inquiry") &&
             item.second.find(emulated_mark) != std::string::npos;
    });
  };
  if (says(inventory.host.product)) return true;
  return std::any_of(
      inventory.controllers.begin(), inventory.controllers.end(), [&](const Controller& c) {
        if (says(c.name) || says(c.model) || says(c.vendor) || inquiry_says(c)) return true;
        const auto drives = logical_drives_of(c);
        return std::any_of(drives.begin(), drives.end(),
                           [&](const DriveRef& ref) { return inquiry_says(*ref.drive); });
      });
}

}  // namespace raidscope::cli
