#include <fmt/format.h>

#include "cli/experiment_run.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/terminal.h"

namespace raidscope {
namespace {

using namespace cli;

constexpr Option own[] = {
    {"print-plan", 0, "", "write a plan of these options in place of measuring"},
    {"arms", 0, "ARM,…",
     "for --print-plan: cache (Smart Path off, caching on), smart_path, neither, as-is (default: "
     "cache,smart_path)",
     true},
    {"blocks", 0, "N", "for --print-plan: how often every arm is measured (default: 4)"},
    {"disks", 0, "N,…", "for --print-plan: numbers of disks; a person makes the drive before each",
     true},
    {"raid", 0, "LEVEL", "with --disks: the RAID level"},
    {"strip", 0, "SIZE", "with --disks: the strip"},
    {"apply", 0, "", "let the arms change settings; they are put back at the end"},
    {"resume", 0, "", "go on with an experiment that was interrupted"},
    {"state", 0, "FILE", "where its state is kept (default: the plan's name with .state)"},
    {"journal", 0, "FILE",
     "where the original settings are kept (default: /var/lib/raidscope/settings-journal.json)"},
};
constexpr OptionGroup experiment_options{"Experiment", own};
constexpr const OptionGroup* run_groups[] = {&target_options, &workload_options,
                                             &syntax_options, &inventory_options,
                                             &bound_options,  &safety_options};
constexpr const OptionGroup* groups[] = {&experiment_options, &target_options,    &workload_options,
                                         &syntax_options,     &inventory_options, &bound_options,
                                         &safety_options,     &machine_options,   &store_options,
                                         &format_options,     &common_options};

/// The options of `run` among those that were given, as words.
std::vector<std::string> run_words(const Arguments& arguments) {
  std::vector<std::string> out;
  for (const OptionGroup* group : run_groups) {
    for (const Option& option : group->options) {
      if (!arguments.has(option.name)) continue;
      if (option.argument.empty()) out.push_back(fmt::format("--{}", option.name));
      for (const std::string& value : arguments.all(option.name))
        out.insert(out.end(), {fmt::format("--{}", option.name), value});
    }
  }
  return out;
}

int print_plan(const Arguments& arguments) {
  if (!arguments.words().empty())
    return complain(exit_usage, "--print-plan makes a plan; it takes none");
  Experiment plan;
  const auto blocks = integer_option(arguments, "blocks", 1, 1000);
  if (!blocks) return complain(blocks.error());
  plan.blocks = static_cast<int>(blocks->value_or(4));
  auto names = list_option(arguments, "arms");
  if (!names) return complain(names.error());
  if (names->empty()) *names = {"cache", "smart_path"};
  for (const std::string& name : *names) {
    auto arm = named_arm(name);
    if (!arm) return complain(arm.error());
    plan.arms.push_back(std::move(*arm));
  }
  const auto disks = list_option(arguments, "disks");
  if (!disks) return complain(disks.error());
  const auto strip = size_option(arguments, "strip");
  if (!strip) return complain(strip.error());
  for (const std::string& word : *disks) {
    char* end = nullptr;
    const long count = std::strtol(word.c_str(), &end, 10);
    if (*end != '\0' || count < 1 || count > 1000)
      return complain(exit_usage, fmt::format("--disks takes numbers, not \"{}\"", word));
    Layout layout;
    layout.disk_count = count;
    layout.raid = arguments.get("raid");
    if (*strip) layout.strip_bytes = static_cast<std::int64_t>(**strip);
    plan.layouts.push_back(std::move(layout));
  }
  if (plan.layouts.empty() && (arguments.has("raid") || *strip))
    return complain(exit_usage, "--raid and --strip stand beside --disks");
  plan.run = run_words(arguments);
  if (arguments.all("target").empty()) return complain(exit_usage, "name the target with --target");
  if (const Status fits = check_experiment(plan); !fits) return complain(fits.error());
  return write_data(arguments, experiment_text(plan));
}

int run_experiment_verb(const Arguments& arguments) {
  if (arguments.has("print-plan")) return print_plan(arguments);
  if (arguments.words().empty()) {
    return complain(exit_usage,
                    "name the plan: raidscope experiment PLAN.json; --print-plan writes one");
  }
  if (const auto words = run_words(arguments); !words.empty()) {
    return complain(exit_usage,
                    fmt::format("{} stands in the plan's run, not beside it", words.front()));
  }
  const std::string& path = arguments.words().front();
  const auto text = read_input(path);
  if (!text) return complain(text.error());
  const auto plan = experiment_from_text(*text, path);
  if (!plan) return complain(plan.error());
  return run_experiment(arguments, path, *plan);
}

constexpr Example examples[] = {
    {"raidscope experiment --print-plan --target /data/test.dat --preset iometer-database --time "
     "60 "
     "-o plan.json",
     "controller cache against Smart Path, four times each"},
    {"sudo raidscope experiment plan.json --apply",
     "carries it out: random order within each block, settings put back at the end"},
    {"sudo raidscope experiment plan.json --apply --resume", "goes on after an interruption"},
    {"raidscope experiment --print-plan --disks 4,8,16 --raid 1+0 --strip 256k --target /dev/sdb "
     "--preset iometer-database -o sweep.json",
     "a sweep: before each number of disks it prints the command that makes the drive, and stops"},
};

}  // namespace

extern const Verb verb_experiment;
const Verb verb_experiment{
    .name = "experiment",
    .order = 67,
    .synopsis = "PLAN.json [--apply] [--resume] | --print-plan [OPTIONS OF run]",
    .summary = "measure arms that differ in settings, in random interleaved order",
    .description =
        "A plan has arms (how the controller is set), blocks (each holds every arm once, in an "
        "order drawn from the seed) and the options of `run`. Every visit is a session of its own, "
        "probed before and after. Settings are changed as `raidscope settings apply` does it, only "
        "with --apply, and put back at the end, on a failure and on Ctrl-C. What is done is kept "
        "beside the plan, so that --resume goes on after a crash. A plan with layouts stops where "
        "a "
        "person has to make a logical drive, prints the commands and what they destroy, and goes "
        "on when the probe finds it.\n"
        "Exit codes: 0 done; 1 a part is left to do; 78 refused.",
    .groups = groups,
    .examples = examples,
    .most_words = 1,
    .words_name = "PLAN.json",
    .run = run_experiment_verb};

}  // namespace raidscope
