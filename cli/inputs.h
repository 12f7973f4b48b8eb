#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/verb.h"
#include "controllers/inventory/assemble.h"
#include "controllers/inventory/inventory.h"
#include "probe/base/fact.h"
#include "probe/base/result.h"
#include "probe/os/live_host.h"

namespace raidscope::capture {
struct Bundle;
}

/// Inventories from the machine, from files, and from what a person names.
namespace raidscope::cli {

/// A file, "-", or a folder that holds the captures of one machine: vendor-tool output, a capture
/// bundle or a raidscope.snapshot document. not_found for a missing or unreadable input, malformed
/// for an empty one or one that is none of these. `raw`: gets the texts that were read.
Result<Inventory> inventory_from(const std::string& from,
                                 std::vector<FactOrigin>* origins = nullptr,
                                 std::vector<std::string>* raw = nullptr);

/// What the answers of a bundle come to: the inventory of the machine that it was made on.
Inventory inventory_of_bundle(const capture::Bundle& bundle,
                              std::vector<FactOrigin>* origins = nullptr);

/// Asks this machine (or --sysroot) along the paths of --only. usage for an unknown path name.
/// Waits for Smart Path states that do not fit yet, unless --no-wait. `origins`: who said what.
/// `record`: gets every answer.
Result<Inventory> inventory_of_machine(const Arguments& arguments,
                                       std::vector<FactOrigin>* origins = nullptr,
                                       capture::Bundle* record = nullptr);

/// The same, with a line on a terminal that says so.
Result<Inventory> probe_with_progress(const Arguments& arguments);

/// The same along the paths that cost the machine nothing: sysfs and the host's own files.
Result<Inventory> inventory_of_kernel(const Arguments& arguments);

/// --sysroot, --ssacli and --tool-timeout, checked.
Result<LiveHostOptions> host_options(const Arguments& arguments);

/// usage when an option that says how to ask this machine stands beside --from.
Status only_of_a_machine(const Arguments& arguments);

/// The inventory of --from when it is given (once), else of the machine.
Result<Inventory> inventory_asked_for(const Arguments& arguments);

/// What discovery could not do, in words: one line a failed source.
std::vector<std::string> discovery_failures(const Inventory& inventory);

/// Bytes of a file of at most `limit`, "-" for standard input.
Result<std::string> read_input(const std::string& path, std::size_t limit = std::size_t{256} << 20);

/// A size option ("4k", "100G") or nullopt when it is not given.
Result<std::optional<std::uint64_t>> size_option(const Arguments& arguments, std::string_view name);
/// A duration option in seconds ("90s", "9m", "30").
Result<std::optional<double>> duration_option(const Arguments& arguments, std::string_view name);
/// A whole number within bounds.
Result<std::optional<std::int64_t>> integer_option(const Arguments& arguments,
                                                   std::string_view name, std::int64_t least,
                                                   std::int64_t most);
/// Comma lists of every time an option was given, split; empty parts are an error.
Result<std::vector<std::string>> list_option(const Arguments& arguments, std::string_view name);

}  // namespace raidscope::cli
