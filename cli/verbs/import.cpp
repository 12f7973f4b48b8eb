#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/judging.h"
#include "cli/options.h"
#include "cli/planning.h"
#include "cli/result_place.h"
#include "cli/run_documents.h"
#include "cli/stores.h"
#include "cli/terminal.h"
#include "controllers/inventory/inventory_diff.h"
#include "controllers/inventory/inventory_json.h"
#include "reports/import_format.h"

namespace raidscope {
namespace {

using namespace cli;

/// One command from start to end: every file is read before anything is stored.
class Import {
 public:
  explicit Import(const Arguments& arguments) : arguments_(arguments) {}

  int run() {
    for (const auto step :
         {&Import::read_files, &Import::take_inventories, &Import::tie, &Import::store}) {
      if (const int code = (this->*step)(); code != exit_done) return code;
    }
    return print();
  }

 private:
  int read_files() {
    if (arguments_.words().empty())
      return complain(exit_usage, "which files? name the results that another tool printed");
    if (const auto rates = drive_rates(arguments_); !rates) return complain(rates.error());
    const ImportFormat* format = nullptr;
    if (const auto id = arguments_.get("as")) {
      format = find_import_format(*id);
      if (format == nullptr) {
        std::string known;
        for (const ImportFormat* one : import_formats())
          known += fmt::format("{}{}", known.empty() ? "" : ", ", one->id);
        return complain(exit_usage,
                        fmt::format("--as: no format \"{}\"; there are {}", *id, known));
      }
    }
    for (const std::string& word : arguments_.words()) {
      const std::string name = word == "-" ? "standard input" : word;
      const auto bytes = read_input(word);
      if (!bytes) return refuse(bytes.error());
      auto file = read_results(*bytes, name, format);
      if (!file) return refuse(file.error());
      for (const Note& line : file->notes) {
        warn(fmt::format("{}:{}: {}", name, line.line, line.text));
        partly_ = true;
      }
      const bool own = !file->runs.front().run_id.empty();
      (own ? restored_ : foreign_) += file->runs.size();
      std::move(file->runs.begin(), file->runs.end(), std::back_inserter(runs_));
      snapshots_.merge(file->snapshots);
    }
    if (restored_ != 0 && (arguments_.has("inventory") || arguments_.has("logical-drive"))) {
      return complain(exit_usage,
                      "an export of raidscope brings its own inventories: leave --inventory and "
                      "--logical-drive away");
    }
    return exit_done;
  }

  int refuse(const Error& error) const {
    const int code = complain(error);
    if (arguments_.words().size() > 1)
      warn("nothing was stored: the files of one command are taken together or not at all");
    return code;
  }

  int take_inventories() {
    if (arguments_.has("inventory-after") && !arguments_.has("inventory"))
      return complain(exit_usage, "--inventory-after needs --inventory");
    if (foreign_ == 0) return exit_done;
    if (const auto file = arguments_.get("inventory")) {
      auto inventory = inventory_from(*file);
      if (!inventory) return complain(inventory.error());
      before_ = std::move(*inventory);
      given_ = true;
    } else {
      auto inventory = probe_with_progress(arguments_);
      if (!inventory) return complain(inventory.error());
      before_ = std::move(*inventory);
      for (const std::string& failure : discovery_failures(before_)) {
        warn(failure);
        partly_ = true;
      }
    }
    if (const auto file = arguments_.get("inventory-after")) {
      auto inventory = inventory_from(*file);
      if (!inventory) return complain(inventory.error());
      after_ = std::move(*inventory);
    }
    return exit_done;
  }

  SnapshotRef reference(const Inventory& inventory, const TargetPlace& place) {
    const std::string id = snapshot_id(inventory);
    snapshots_.emplace(id, inventory);
    return reference_to(inventory, place, id);
  }

  /// The emulated card says so itself, whatever an edited file says.
  void keep_simulated(RunResult& run) const {
    for (const auto* reference : {&run.inventory_before, &run.inventory_after}) {
      if (!*reference) continue;
      const auto found = snapshots_.find((*reference)->snapshot);
      if (found != snapshots_.end() && is_lab(found->second)) run.origin = Origin::simulated;
    }
  }

  /// Ties every result of another tool to the inventory, and audits what it was measured on.
  int tie() {
    const std::string session = new_id('s');
    for (RunResult& run : runs_) {
      if (!run.run_id.empty()) {
        keep_simulated(run);
        continue;
      }
      run.run_id = new_id('r');
      run.session_id = session;
      if (const auto name = arguments_.get("name"))
        run.name = fmt::format("{}: {}", *name, run.name);
      const auto place = place_of_result(arguments_, before_, run.workload.targets);
      if (!place) return complain(place.error());
      name_place(run.target, *place);
      run.inventory_origin = given_ ? "given" : "probed";
      run.inventory_before = reference(before_, *place);
      if (after_) {
        const auto after = place_of_result(arguments_, *after_, run.workload.targets);
        if (!after) return complain(after.error());
        run.inventory_after = reference(*after_, *after);
        const ConfigChange change = config_change(before_, *after_);
        run.config_changed = change.changed;
        run.changes = change.changes;
        run.unverified = change.unverified;
      }
      if (!given_) {
        run.workload.warnings.emplace_back(
            "the inventory was taken when the result was imported, not when it was measured");
      }
      if (is_lab(before_)) run.origin = Origin::simulated;
      AuditOptions options;
      options.tool = vendor_tool_word(before_);
      run.audit = audit_all(before_, {planned_test(run.workload, *place)}, options).findings;
      judge_result(arguments_, before_, *place, run);
    }
    return exit_done;
  }

  int store() {
    auto store = open_asked_store(arguments_);
    if (!store) return write_failure(store.error());
    const auto known = (*store)->list();
    if (!known) return complain(known.error());
    if (const Status fits = no_other_result_is_there(**store, *known); !fits)
      return complain(fits.error());
    for (const auto& [id, inventory] : snapshots_) {
      if (const auto put = (*store)->put_snapshot(inventory); !put)
        return write_failure(put.error());
    }
    for (const RunResult& run : runs_) {
      warn_of_twin(run, *known);
      if (const Status put = (*store)->put_run(run); !put) return write_failure(put.error());
      stored_.push_back(run);
    }
    return exit_done;
  }

  static int write_failure(const Error& error) {
    const ExitCode code = complain(error);
    return error.code == Errc::unsupported || error.code == Errc::malformed ? code
                                                                            : exit_cannot_write;
  }

  /// An export brings its ids: a stored run of the same id must be the same run.
  [[nodiscard]] Status no_other_result_is_there(const Store& store,
                                                const std::vector<RunListEntry>& known) const {
    if (restored_ == 0) return Done{};
    std::set<std::string_view> ids;
    for (const RunListEntry& entry : known) ids.insert(entry.run_id);
    for (const RunResult& run : runs_) {
      if (!ids.contains(run.run_id)) continue;
      RAIDSCOPE_TRY(const auto stored, store.find(run.run_id));
      if (stored.empty() || stored.front() == run) continue;
      return fail(Errc::malformed, "another result is stored under a run id of the file",
                  run.run_id, "one of the two was changed; nothing was stored");
    }
    return Done{};
  }

  static void warn_of_twin(const RunResult& run, const std::vector<RunListEntry>& known) {
    const auto twin = std::find_if(known.begin(), known.end(), [&](const RunListEntry& entry) {
      return entry.run_id != run.run_id && entry.origin == run.origin &&
             run.origin == Origin::imported && entry.name == run.name && entry.iops == run.iops &&
             entry.bytes_per_s == run.bytes_per_s && entry.target == run.target.path;
    });
    if (twin != known.end())
      warn(fmt::format("\"{}\" looks like {}, which is stored already; it is stored again",
                       run.name, twin->run_id));
  }

  int print() {
    const bool json = arguments_.get_or("format", "text") == "json";
    const ExitCode written =
        write_data(arguments_, json ? json_text(list_document(list_entries(stored_)))
                                    : runs_table(stored_, output_style(arguments_)));
    return written == exit_done && partly_ ? exit_partly : written;
  }

  const Arguments& arguments_;
  std::vector<RunResult> runs_, stored_;
  std::map<std::string, Inventory> snapshots_;
  std::size_t restored_ = 0, foreign_ = 0;
  Inventory before_;
  std::optional<Inventory> after_;
  bool given_ = false, partly_ = false;
};

constexpr Option own[] = {
    {"as", 0, "FORMAT",
     "sqlio, iometer, diskspd, diskspd_text, fio or raidscope (default: told from the file)"},
    {"name", 0, "TEXT", "a name for the results"},
};
constexpr OptionGroup own_options{"Import", own};
constexpr const OptionGroup* groups[] = {&own_options,     &inventory_options, &bound_options,
                                         &machine_options, &store_options,     &format_options,
                                         &common_options};
constexpr Example examples[] = {
    {"raidscope import sqlio.txt --inventory server.txt",
     "every run in the text, tied to a captured vendor-tool output"},
    {"raidscope import result.json", "fio's JSON or JSON+, tied to this machine as it is now"},
    {"raidscope import results.csv --inventory before.json --inventory-after after.json "
     "--logical-drive 0:1",
     "Iometer results with the configuration before and after, on logical drive 1 of slot 0"},
    {"raidscope import session.json", "an export of raidscope: the runs come back as they were"},
};

}  // namespace

extern const Verb verb_import;
const Verb verb_import{
    .name = "import",
    .order = 50,
    .synopsis = "FILE… [--inventory SNAPSHOT] [OPTIONS]",
    .summary = "bring in results that another tool measured, and tie them to an inventory",
    .description =
        "Reads SQLIO text, Iometer CSV, diskspd XML and text, fio JSON and JSON+, and raidscope's "
        "own exports; \"-\" is standard input. One run is stored for each result found; its "
        "origin is \"imported\" wherever it is shown. What the other tool did not tell stays "
        "unknown.\n"
        "All files are read before anything is stored: if one is refused, nothing is. Exit codes: "
        "0 done; 1 a part of a file was left out, which is said; 65 a file cannot be understood, "
        "with its line and what was expected there.",
    .groups = groups,
    .examples = examples,
    .most_words = 1000,
    .words_name = "FILE…",
    .run = [](const Arguments& arguments) { return Import(arguments).run(); }};

}  // namespace raidscope
