#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/explain.h"
#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/redaction.h"
#include "cli/terminal.h"
#include "controllers/inventory/inventory_json.h"

namespace raidscope {
namespace {

using namespace cli;

/// A badly damaged input has a note on every line; a person reads the first ones.
constexpr std::size_t most_notes = 20;

/// The inventory of one --from, or of the machine where `from` is null; redacted where that is
/// asked for, `name` too then.
Result<Inventory> inventory_to_print(const Arguments& arguments, const std::string* from,
                                     const std::optional<RedactKey>& key, std::string& name,
                                     std::vector<FactOrigin>* origins) {
  if (!key) {
    return from == nullptr ? inventory_of_machine(arguments, origins)
                           : inventory_from(*from, origins);
  }
  RawInput raw;
  if (from == nullptr) {
    raw.bundle.emplace();
    RAIDSCOPE_TRY(const Inventory inventory,
                  inventory_of_machine(arguments, nullptr, &*raw.bundle));
    RAIDSCOPE_TRY(Redacted out, redact(*key, inventory, raw));
    return std::move(out.inventory);
  }
  RAIDSCOPE_TRY(const Inventory inventory, inventory_from(*from, nullptr, &raw.texts));
  if (raw.texts.size() == 1 && capture::is_bundle(raw.texts.front())) {
    RAIDSCOPE_TRY(raw.bundle, capture::read_bundle(raw.texts.front(), *from));
    raw.texts.clear();
  }
  raw.name = *from;
  RAIDSCOPE_TRY(Redacted out, redact(*key, inventory, raw));
  name = std::move(out.name);
  return std::move(out.inventory);
}

int run_probe(const Arguments& arguments) {
  const bool json = arguments.get_or("format", "text") == "json";
  const TextStyle style = output_style(arguments);
  const std::vector<std::string> inputs = arguments.all("from");
  std::vector<Inventory> inventories;
  std::vector<std::string> input_names = inputs;
  std::vector<FactOrigin> origins;
  std::vector<FactOrigin>* const wanted = arguments.has("explain") ? &origins : nullptr;
  if (const Status live = only_of_a_machine(arguments); !live) return complain(live.error());
  if (!inputs.empty() && arguments.has("sysroot"))
    return complain(exit_usage, "--sysroot names a machine to look at, and --from asks none");
  if (wanted != nullptr && inputs.size() > 1)
    return complain(exit_usage, "--explain asks about one inventory: give one --from");
  std::optional<RedactKey> key;
  if (arguments.has("redact") || arguments.has("redact-key")) {
    if (wanted != nullptr)
      return complain(exit_usage, "--explain prints what the paths said: it cannot be redacted");
    auto made = redact_key(arguments);
    if (!made) return complain(made.error());
    key = std::move(*made);
  }
  input_names.resize(std::max<std::size_t>(inputs.size(), 1));
  for (std::size_t i = 0; i < input_names.size(); ++i) {
    auto inventory = inventory_to_print(arguments, inputs.empty() ? nullptr : &inputs[i], key,
                                        input_names[i], wanted);
    if (!inventory) return complain(inventory.error());
    inventories.push_back(std::move(*inventory));
  }
  if (wanted != nullptr) {
    const auto facts = explain(inventories.front(), origins, *arguments.get("explain"));
    if (!facts) return complain(facts.error());
    return write_data(arguments, json ? explanation_json(*facts) : explanation_text(*facts));
  }

  std::string out;
  int code = exit_done;
  for (std::size_t i = 0; i < inventories.size(); ++i) {
    const Inventory& inventory = inventories[i];
    if (json) {
      // One document stands indented for a person; several stand one a line for a program.
      out += json_text(to_json(inventory), inventories.size() == 1 ? 2 : -1);
    } else {
      if (inventories.size() > 1)
        out += fmt::format("{}== {} ==\n", i == 0 ? "" : "\n", input_names[i]);
      out += inventory_text(inventory, style);
    }
    const std::string where = inputs.empty() ? "" : input_names[i] + ": ";
    std::size_t noted = 0;
    for (const NoteLine& line : inventory.notes) {
      if (++noted > most_notes) {
        note(arguments, fmt::format("{}{} more notes; --format json has them all", where,
                                    inventory.notes.size() - most_notes));
        break;
      }
      note(arguments, line.line > 0 ? fmt::format("{}line {}: {}", where, line.line, line.text)
                                    : where + line.text);
    }
    for (const std::string& failure : discovery_failures(inventory)) {
      warn(where + failure);
      code = exit_partly;
    }
  }
  const ExitCode written = write_data(arguments, out);
  return written == exit_done ? code : written;
}

constexpr Option own[] = {
    {"explain", 0, "FACT",
     "who said what of a field, and why one was believed: firmware, cache.ratio, "
     "/controllers/0/cache"},
};
constexpr OptionGroup own_options{"Probe", own};
constexpr const OptionGroup* groups[] = {&own_options,    &source_options, &machine_options,
                                         &redact_options, &format_options, &common_options};
constexpr Example examples[] = {
    {"raidscope probe",
     "what is in this machine: controllers, cache modules, arrays, drives, or plain disks"},
    {"ssacli ctrl all show config detail > p420i.txt; raidscope probe --from p420i.txt",
     "the same from a capture taken elsewhere"},
    {"raidscope probe --redact --format json", "a document to send away: no serial number in it"},
    {"raidscope probe --format json -o before.json", "keep the inventory as a document"},
    {"raidscope probe --explain smart_path", "which path told which of the Smart Path states"},
};

}  // namespace

extern const Verb verb_probe;
const Verb verb_probe{
    .name = "probe",
    .order = 10,
    .synopsis = "[--from FILE|DIR|-]… [OPTIONS]",
    .summary = "discover controllers, cache modules, arrays and drives, and print the inventory",
    .description =
        "Discovers RAID controllers, cache modules, arrays, logical and physical drives through "
        "the vendor tool, "
        "SCSI and sysfs, and prints the inventory. Nothing is changed: probing is read-only.\n"
        "Exit codes: 0 also when there is no Smart Array; 1 when a discovery path failed.",
    .groups = groups,
    .examples = examples,
    .run = run_probe};

}  // namespace raidscope
