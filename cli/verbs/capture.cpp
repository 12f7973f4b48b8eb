#include <string>

#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "probe/capture/bundle.h"

namespace raidscope {
namespace {

using namespace cli;

int run_capture(const Arguments& arguments) {
  capture::Bundle bundle;
  const auto inventory = inventory_of_machine(arguments, &bundle);
  if (!inventory) return complain(inventory.error());
  int code = exit_done;
  for (const std::string& failure : discovery_failures(*inventory)) {
    warn(failure);
    code = exit_partly;
  }
  const ExitCode written = write_data(arguments, capture::write_bundle(bundle));
  return written == exit_done ? code : written;
}

constexpr Option own[] = {
    {"only", 0, "PATHS", "ask only these paths: a comma list of ssacli, sysfs, scsi, host", true},
    {"output", 'o', "FILE",
     "write the bundle to FILE, whole or not at all, in place of standard output"},
};
constexpr OptionGroup own_options{"Capture", own};

constexpr const OptionGroup* groups[] = {&own_options, &machine_options, &common_options};
constexpr Example examples[] = {
    {"raidscope capture -o machine.capture", "keep every answer that a probe of this machine gets"},
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
        "Exit codes: 0; 1 when a discovery path failed (the bundle holds the failure); 73 when the "
        "bundle cannot be written.",
    .groups = groups,
    .examples = examples,
    .run = run_capture};

}  // namespace raidscope
