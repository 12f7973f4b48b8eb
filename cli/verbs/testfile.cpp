#include "workloads/run/testfile.h"

#include <chrono>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/planning.h"
#include "cli/run_documents.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "probe/base/result.h"
#include "reports/text/layout.h"

namespace raidscope {
namespace {

using namespace cli;

int create(const Arguments& arguments, const std::string& path) {
  const auto size = size_option(arguments, "size");
  if (!size) return complain(size.error());
  if (!*size) return complain(exit_usage, "how large? give --size, e.g. --size 100G");
  if (**size < (1U << 20U)) return complain(exit_usage, "--size takes at least 1M");
  const auto seed = integer_option(arguments, "seed", 0, INT64_MAX);
  if (!seed) return complain(seed.error());

  auto examination = examine_target(path, **size);
  if (!examination) return complain(examination.error());
  if (examination->info.kind == "block") {
    return complain(
        exit_usage,
        fmt::format(
            "{} is a device; testfile makes files, and `raidscope run` takes devices as they are",
            path));
  }
  const std::uint64_t present = examination->info.size_bytes.value_or(0);
  if (examination->exists && present > 0) {
    // What is there already does not need to be found again.
    const std::uint64_t more = **size > present ? **size - present : 0;
    examination = examine_target(path, more);
    if (!examination) return complain(examination.error());
  }
  const auto consent = ask_to_write(*examination, arguments.all("destroy-data"));
  if (!consent) return complain(consent.error());

  const StopSignals signals;
  ProgressLine progress(arguments);
  const auto began = std::chrono::steady_clock::now();
  double elapsed = 0;
  const Status made = create_test_file(
      *consent, **size, static_cast<std::uint64_t>(seed->value_or(1)),
      [&](std::uint64_t done, std::uint64_t total) {
        elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        const double rate = elapsed > 0 ? static_cast<double>(done) / elapsed : 0;
        progress.show(fmt::format(
            "{}: {} of {} at {}/s, {} left", path, size_words(static_cast<double>(done)),
            size_words(static_cast<double>(total)), size_words(rate),
            rate > 0 ? duration_words(static_cast<double>(total - done) / rate) : "?"));
        return !StopSignals::stop();
      });
  progress.clear();
  elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (!made) {
    if (StopSignals::exit_code() != 0) {
      warn(fmt::format("stopped; {} is not full yet, and the same command goes on from there",
                       path));
      return StopSignals::exit_code();
    }
    const ExitCode code = complain(made.error());
    return made.error().code == Errc::io ? exit_cannot_write : code;
  }
  if (arguments.get_or("format", "text") == "json") {
    const auto result = check_test_file(path, std::nullopt);
    if (!result) return complain(result.error());
    return write_data(arguments, json_text(testfile_document(*result)));
  }
  return write_data(arguments,
                    fmt::format("{}: {} of incompressible data in {}\n", printable(path),
                                size_words(static_cast<double>(**size)), duration_words(elapsed)));
}

int check(const Arguments& arguments, const std::string& path) {
  std::optional<std::uint64_t> cache;
  if (arguments.has("from") || arguments.has("inventory")) {
    const std::string from =
        arguments.has("inventory") ? *arguments.get("inventory") : *arguments.get("from");
    const auto inventory = inventory_from(from);
    if (!inventory) return complain(inventory.error());
    cache = largest_usable_cache(*inventory);
  } else {
    const auto inventory = inventory_of_machine(arguments);
    if (!inventory) return complain(inventory.error());
    cache = largest_usable_cache(*inventory);
  }
  const auto result = check_test_file(path, cache);
  if (!result) return complain(result.error());
  std::string out;
  if (arguments.get_or("format", "text") == "json") {
    out = json_text(testfile_document(*result));
  } else {
    out = fmt::format("{}: {}{}\n", printable(path),
                      size_words(static_cast<double>(result->size_bytes)),
                      result->made_by_raidscope ? ", made by raidscope" : "");
    for (const std::string& problem : result->problems) out += "  " + problem + "\n";
    if (result->problems.empty()) out += "  real, incompressible, not repeated\n";
    if (!result->small_for_cache)
      out +=
          "  the controller's cache size is unknown, so whether the file is small for it is too\n";
  }
  const ExitCode written = write_data(arguments, out);
  if (written != exit_done) return written;
  if (result->sparse || result->compressible.value_or(false) || result->repeated.value_or(false))
    return 2;
  return result->small_for_cache.value_or(false) ? 1 : 0;
}

int run_testfile(const Arguments& arguments) {
  const auto& words = arguments.words();
  if (words.size() == 2 && words[0] == "create") return create(arguments, words[1]);
  if (words.size() == 2 && words[0] == "check") return check(arguments, words[1]);
  return complain(
      exit_usage,
      "say `raidscope testfile create PATH --size 100G` or `raidscope testfile check PATH`");
}

constexpr Option own[] = {
    {"size", 0, "SIZE", "create: how large (k, M, G, T are powers of 1024)"},
    {"seed", 0, "N", "create: seed of the content (default: 1)"},
    {"destroy-data", 0, "ID",
     "create: overwrite a file that raidscope did not make, named by its real path", true},
    {"inventory", 0, "FILE",
     "check: take the cache size from this capture or snapshot, not from this machine"},
};
constexpr OptionGroup own_options{"Test file", own};
constexpr const OptionGroup* groups[] = {&own_options, &machine_options, &format_options,
                                         &common_options};
constexpr Example examples[] = {
    {"raidscope testfile create /data/test.dat --size 100G",
     "100 GiB that no cache or SSD can compress or deduplicate"},
    {"raidscope testfile check /data/old.dat", "is this file fit to measure with?"},
};

}  // namespace

extern const Verb verb_testfile;
const Verb verb_testfile{
    .name = "testfile",
    .order = 30,
    .synopsis = "create PATH --size SIZE | check PATH",
    .summary = "make a file of real data to measure with, or check one",
    .description =
        "create fills a file with incompressible data that does not repeat, with direct writes at "
        "the target's speed. check says "
        "whether a file is sparse, compressible, repeated, or small for the controller's cache.\n"
        "--format json prints the same document for both.\n"
        "Exit codes of check: 0 fit; 1 small for the cache; 2 sparse, compressible or repeated.",
    .groups = groups,
    .examples = examples,
    .most_words = 2,
    .words_name = "create|check PATH",
    .run = run_testfile};

}  // namespace raidscope
