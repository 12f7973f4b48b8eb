#include <string>

#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/redaction.h"
#include "cli/terminal.h"
#include "probe/capture/bundle.h"

namespace raidscope {
namespace {

using namespace cli;

/// An earlier bundle, to be redacted.
Result<Inventory> of_bundle(const std::string& from, std::optional<capture::Bundle>& bundle) {
  RAIDSCOPE_TRY(const std::string text, read_input(from));
  if (!capture::is_bundle(text)) {
    return fail(
        Errc::malformed, "not a capture bundle", from,
        "give one that `raidscope capture` or capture.sh wrote; of a vendor tool's text, "
        "`raidscope probe --from FILE --redact --format json` makes a document to send away");
  }
  RAIDSCOPE_TRY(bundle, capture::read_bundle(text, from));
  return inventory_of_bundle(*bundle);
}

int run_capture(const Arguments& arguments) {
  const std::vector<std::string> from = arguments.all("from");
  if (from.size() > 1) return complain(exit_usage, "--from can be given once here");
  if (const Status live = only_of_a_machine(arguments); !live) return complain(live.error());
  const bool redacts = arguments.has("redact") || arguments.has("redact-key");
  if (!from.empty() && !redacts) {
    return complain(exit_usage, "--from takes a bundle to be redacted: give --redact too");
  }
  std::optional<RedactKey> key;
  if (redacts) {
    auto made = redact_key(arguments);
    if (!made) return complain(made.error());
    key = std::move(*made);
  }
  RawInput raw;
  raw.bundle.emplace();
  const auto inventory = from.empty() ? inventory_of_machine(arguments, nullptr, &*raw.bundle)
                                      : of_bundle(from.front(), raw.bundle);
  if (!inventory) return complain(inventory.error());
  int code = exit_done;
  std::vector<std::string> failures = discovery_failures(*inventory);
  if (key) {
    auto redacted = redact(*key, *inventory, raw);
    if (!redacted) return complain(redacted.error());
    if (!redacted->replays) {
      warn("the redacted bundle does not give the very same inventory; please report this");
      code = exit_partly;
    }
    raw.bundle = std::move(redacted->bundle);
    // What goes to the terminal may be sent away too.
    failures = discovery_failures(redacted->inventory);
  }
  for (const std::string& failure : failures) {
    warn(failure);
    code = exit_partly;
  }
  const ExitCode written = write_data(arguments, capture::write_bundle(*raw.bundle));
  return written == exit_done ? code : written;
}

constexpr Option own[] = {
    {"from", 0, "FILE|-", "with --redact: redact this bundle in place of making one", true},
    {"only", 0, "PATHS", "ask only these paths: a comma list of ssacli, sysfs, scsi, bmic, host",
     true},
    {"cross-check", 0, "",
     "ask the controller's firmware (BMIC) beside the vendor tool too, as `probe --cross-check`"},
    {"output", 'o', "FILE",
     "write the bundle to FILE, whole or not at all, in place of standard output"},
};
constexpr OptionGroup own_options{"Capture", own};

constexpr const OptionGroup* groups[] = {&own_options, &machine_options, &redact_options,
                                         &common_options};
constexpr Example examples[] = {
    {"raidscope capture -o machine.capture", "keep every answer that a probe of this machine gets"},
    {"raidscope capture --redact -o bug.capture", "the same to send away: no serial number in it"},
    {"raidscope capture --from machine.capture --redact -o bug.capture",
     "take the serial numbers out of a bundle made earlier"},
    {"raidscope probe --from machine.capture", "the same inventory from it, on any machine"},
};

}  // namespace

extern const Verb verb_capture;
const Verb verb_capture{
    .name = "capture",
    .order = 15,
    .synopsis = "[-o FILE] [OPTIONS]",
    .summary = "save every raw answer that probe uses in one bundle that probe --from reads",
    .description =
        "Probes this machine once and writes every answer it got, failures too, as one text file: "
        "attributes of the kernel, INQUIRY and vital product data, replies of the controller, the "
        "vendor tool's output. `probe`, `audit`, `diff` and `run` read it with --from or "
        "--inventory and see the same inventory. The format is described in docs/capture.md.\n"
        "With --redact, serial numbers, WWNs, labels and host names become others of the same "
        "length "
        "and kind, in whatever form they stand; nothing is written if one were left.\n"
        "Exit codes: 0; 1 when a discovery path failed (the bundle holds the failure); 73 when the "
        "bundle cannot be written; 78 when a secret would be left in it.",
    .groups = groups,
    .examples = examples,
    .run = run_capture};

}  // namespace raidscope
