#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/judging.h"
#include "cli/options.h"
#include "cli/planning.h"
#include "cli/terminal.h"
#include "cli/test_surroundings.h"
#include "controllers/rules/audit_json.h"
#include "reports/words.h"
#include "workloads/run/consent.h"

namespace raidscope {
namespace {

using namespace cli;

std::string list_rules() {
  std::string out;
  for (const RuleTopic* topic : rule_topics()) {
    out += fmt::format("{}\n", topic->title);
    for (const Rule& rule : topic->rules) {
      out += fmt::format("  {:<5}{:<9}{}\n", rule.id, to_name(rule.severity), rule.condition);
    }
  }
  return out;
}

nlohmann::ordered_json rule_document(const Rule& rule) {
  return {{"rule", rule.id},
          {"severity", to_name(rule.severity)},
          {"condition", rule.condition},
          {"why", rule.why},
          {"source", rule.source}};
}

/// Every rule, or the one that is explained.
nlohmann::ordered_json rules_document(const Rule* only) {
  nlohmann::ordered_json rules = nlohmann::ordered_json::array();
  for (const RuleTopic* topic : rule_topics()) {
    for (const Rule& rule : topic->rules) {
      if (only != nullptr && rule.id != only->id) continue;
      nlohmann::ordered_json row = rule_document(rule);
      row["topic"] = topic->id;
      rules.push_back(std::move(row));
    }
  }
  return {{"schema", "raidscope.rules/1"}, {"rules", rules}};
}

int run_audit(const Arguments& arguments) {
  const std::string format = arguments.get_or("format", "text");
  const bool nagios = format == "nagios";
  const auto failed = [&](const Error& error) -> int {
    const ExitCode code = complain(error);
    if (!nagios) return code;
    write_data(arguments, fmt::format("UNKNOWN - {}\n", describe(error)));
    return 3;
  };

  if (arguments.has("list-rules")) {
    return write_data(arguments,
                      format == "json" ? json_text(rules_document(nullptr)) : list_rules());
  }
  if (const auto id = arguments.get("explain")) {
    const Rule* rule = find_rule(rule_id(*id));
    if (rule == nullptr) {
      return failed(Error{Errc::usage, fmt::format("no rule \"{}\"", *id), "",
                          "`raidscope audit --list-rules` lists them"});
    }
    if (format == "json") return write_data(arguments, json_text(rules_document(rule)));
    return write_data(
        arguments, fmt::format("{} ({})\n\nWhen: {}\nWhy: {}\nSource: {}\n", rule->id,
                               to_name(rule->severity), rule->condition, rule->why, rule->source));
  }

  AuditOptions options;
  auto ignored = list_option(arguments, "ignore");
  if (!ignored) return failed(ignored.error());
  options.ignore = std::move(*ignored);
  for (std::string& id : options.ignore) {
    id = rule_id(id);
    if (find_rule(id) == nullptr) {
      return failed(Error{Errc::usage, fmt::format("--ignore: no rule \"{}\"", id), "",
                          "`raidscope audit --list-rules` lists them"});
    }
  }
  const auto fail_on = from_name<Severity>(arguments.get_or("fail-on", "warning"));
  if (!fail_on) {
    return failed(Error{Errc::usage,
                        fmt::format("--fail-on takes info, warning, error or block, not \"{}\"",
                                    arguments.get_or("fail-on", "")),
                        "", ""});
  }

  const auto inventory = inventory_asked_for(arguments);
  if (!inventory) return failed(inventory.error());
  options.tool = vendor_tool_word(*inventory);
  for (const std::string& failure : discovery_failures(*inventory)) warn(failure);
  // The findings rest on the value that was taken; whoever reads them must know of the other.
  for (const Disagreement& one : inventory->disagreements)
    note(arguments, "the paths disagree: " + disagreement_words(one));

  std::vector<PlannedTest> tests;
  auto options_given = plan_options(arguments);
  if (!options_given) return failed(options_given.error());
  const auto plan = make_plan(*options_given);
  if (!plan) return failed(plan.error());
  const auto size = size_option(arguments, "size");
  if (!size) return failed(size.error());
  const std::vector<std::string>& targets = options_given->targets;
  if (!targets.empty() || !options_given->preset.empty() || !options_given->base.empty() ||
      options_given->described()) {
    std::vector<std::string> chain;
    std::optional<TargetExamination> seen;
    std::uint64_t target_bytes = size->value_or(0);
    if (!targets.empty()) {
      const std::string& target = targets.front();
      auto examination = examine_target(target, 0, arguments.get_or("sysroot", ""));
      if (!examination) return failed(examination.error());
      seen = *examination;
      if (!examination->exists && !*size) {
        return failed(Error{Errc::not_found, "the target is not there", target,
                            "say how large the file will be with --size, or name one that is"});
      }
      chain = examination->info.device_chain;
      if (target_bytes == 0) target_bytes = examination->info.size_bytes.value_or(0);
    }
    const auto place = place_of_target(arguments, *inventory, chain);
    if (!place) return failed(place.error());
    for (const PlannedPoint& point : plan->points) {
      tests.push_back(planned_test(point.workload, *place));
      if (tests.back().area_bytes == 0) tests.back().area_bytes = target_bytes;
    }
    add_plan(*plan, tests);
    add_rests(arguments, *plan, *place, tests);
    TargetInfo target;
    target.device_chain = chain;
    target.size_bytes = target_bytes;
    say_bounds(arguments, *inventory, *place, *plan, target);
    if (seen)
      add_surroundings(*seen, arguments.get_or("sysroot", ""), !arguments.has("from"), tests);
  }
  const AuditReport report = audit_all(*inventory, tests, options);

  std::string out;
  if (nagios) {
    out = audit_nagios(report, *fail_on);
  } else if (format == "json") {
    out = json_text(to_json(report));
  } else {
    out = audit_text(report, output_style(arguments));
  }
  const ExitCode written = write_data(arguments, out);
  if (written != exit_done) return nagios ? 3 : written;
  return audit_exit_code(report, *fail_on);
}

constexpr Option own[] = {
    {"format", 0, "text|json|nagios", "how to print the findings (default: text)"},
    {"output", 'o', "FILE", "write the findings to FILE, whole or not at all"},
    {"list-rules", 0, "", "list the rules and end"},
    {"explain", 0, "RULE", "say when a rule holds, why, and where it comes from"},
    {"ignore", 0, "RULE", "leave rules out; a comma list", true},
    {"fail-on", 0, "info|warning|error|block", "findings below this end with 0 (default: warning)"},
    {"target", 0, "FILE|DEVICE", "audit a planned test on this target too", true},
    {"size", 0, "SIZE", "of the planned test's area"},
    {"logical-drive", 0, "DRIVE",
     "the drive that the target lies on, where nothing else tells: SLOT:NUMBER, its device or its "
     "unique id"},
};
constexpr OptionGroup own_options{"Audit", own};
constexpr const OptionGroup* groups[] = {&own_options,    &source_options, &workload_options,
                                         &syntax_options, &bound_options,  &machine_options,
                                         &common_options};
constexpr Example examples[] = {
    {"raidscope audit",
     "is anything on this machine set so that a test would measure something else?"},
    {"raidscope audit --from p420i.txt --fail-on error",
     "a capture; warnings are listed but end with 0"},
    {"raidscope audit --target /data/test.dat --sqlio 'sqlio -kW -s120 -frandom -o16 -b64 -t4 -LS "
     "-BN test.dat'",
     "the test that is planned too: its area against the cache, its length, what else is going on"},
    {"raidscope audit --format nagios", "for a monitoring system"},
    {"raidscope audit --explain C09",
     "the trap of turning Smart Path off and leaving the cache off"},
};

}  // namespace

extern const Verb verb_audit;
const Verb verb_audit{
    .name = "audit",
    .order = 20,
    .synopsis = "[--from FILE|DIR|-] [--target FILE|DEVICE …] [OPTIONS]",
    .summary = "check cache, Smart Path and array state before a test",
    .description =
        "Runs the audit rules over the inventory of this machine or a capture, and with a target "
        "and a workload over "
        "the planned test too. Nothing is changed: fix commands are printed, never run.\n"
        "Exit codes: 0 nothing at or above warning; 1 warnings; 2 an error or a blocker; 3 cannot "
        "tell (no Smart "
        "Array, or a fact that a rule needs is unknown and nothing worse was found).",
    .groups = groups,
    .examples = examples,
    .run = run_audit};

}  // namespace raidscope
