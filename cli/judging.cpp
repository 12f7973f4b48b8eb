#include "cli/judging.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "cli/inputs.h"
#include "cli/pacing.h"
#include "cli/terminal.h"
#include "controllers/rules/measured_test.h"
#include "reports/words.h"
#include "workloads/result_facts.h"
#include "workloads/workload_check.h"

namespace raidscope::cli {
namespace {

Result<std::optional<double>> rate_option(const Arguments& arguments, std::string_view name) {
  const auto text = arguments.get(name);
  if (!text) return std::optional<double>{};
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  if (text->empty() || *end != '\0' || !std::isfinite(value) || value <= 0 || value > 1e9) {
    return fail(Errc::usage, fmt::format("--{} takes a number above 0, not \"{}\"", name, *text),
                "", "it is the rate of one drive, as its data sheet tells");
  }
  return std::optional<double>{value};
}

/// Of the drives that the inventory lists, how many the target lies on.
std::size_t drives_below(const Inventory& inventory, const std::vector<std::string>& chain) {
  std::set<std::string> found;
  for (const std::string& entry : chain) {
    const std::string path = device_of(entry);
    if (path.empty()) continue;
    for (const DriveRef& ref : all_logical_drives(inventory)) {
      if (ref.drive->device == path) found.insert(path);
    }
    for (const BlockDevice& device : inventory.block_devices) {
      if (device.path == path) found.insert(path);
    }
  }
  return found.size();
}

}  // namespace

Result<DriveRates> drive_rates(const Arguments& arguments) {
  DriveRates out;
  RAIDSCOPE_TRY(out.iops, rate_option(arguments, "drive-iops"));
  RAIDSCOPE_TRY(out.mbps, rate_option(arguments, "drive-mbps"));
  return out;
}

std::vector<PhysicalBound> bounds_of(const Arguments& arguments, const Inventory& inventory,
                                     const TargetPlace& place, const Workload& workload,
                                     const TargetInfo& target) {
  if (workload.targets.size() > 1 || drives_below(inventory, target.device_chain) > 1) return {};
  const auto rates = drive_rates(arguments);
  return physical_bounds(workload, place, rates ? *rates : DriveRates{},
                         target.size_bytes.value_or(0), is_lab(inventory));
}

void say_bounds(const Arguments& arguments, const Inventory& inventory, const TargetPlace& place,
                const Plan& plan, const TargetInfo& target) {
  std::set<std::string> said;  // every round of a point has the same
  for (const PlannedPoint& point : plan.points) {
    const auto bound =
        smallest_bound(bounds_of(arguments, inventory, place, point.workload, target));
    if (!bound || !said.insert(round_key(point.workload)).second) continue;
    note(arguments, fmt::format("physical bound of \"{}\": {:.0f} IOPS ({})", point.name,
                                bound->iops, bound->name));
  }
}

void judge_result(const Arguments& arguments, const Inventory& inventory, const TargetPlace& place,
                  RunResult& result) {
  // Nothing is moved, so nothing of the hardware binds it.
  const auto bounds = result.engine.name == "null"
                          ? std::vector<PhysicalBound>{}
                          : bounds_of(arguments, inventory, place, result.workload, result.target);
  apply_bound(result, bounds);
  AuditOptions options;
  options.tool = vendor_tool_word(inventory);
  AuditReport report = audit_result(inventory, planned_test(result.workload, place),
                                    measured_test(result, bounds), options);
  for (const Finding& finding : report.findings) {
    if (finding.severity < Severity::error) continue;
    warn(fmt::format("{} {} ({}): {}", finding.rule, to_name(finding.severity), result.name,
                     finding.evidence));
  }
  add_findings(result, std::move(report.findings));
}

void add_findings(RunResult& result, std::vector<Finding> findings) {
  std::move(findings.begin(), findings.end(), std::back_inserter(result.audit));
  std::stable_sort(result.audit.begin(), result.audit.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
}

void add_rests(const Arguments& arguments, const Plan& plan, const TargetPlace& place,
               std::vector<PlannedTest>& tests) {
  const auto asked = asked_rest(arguments);
  const bool known = place.controller != nullptr && place.drive != nullptr;
  for (std::size_t i = 1; i < tests.size() && i < plan.points.size(); ++i) {
    const Workload& last = plan.points[i - 1].workload;
    if (!workload_writes(last)) continue;
    double rest_s = 0;
    if (asked && *asked) {
      rest_s = **asked;
    } else if (asked && known &&
               rests_between(last.duration_s, plan.points[i].workload.duration_s)) {
      // Before it is measured how fast the cache drains.
      rest_s = drain_seconds({}, {});
    }
    tests[i].rest_s = rest_s;
  }
}

}  // namespace raidscope::cli
