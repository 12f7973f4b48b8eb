#include "cli/session.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <unistd.h>

#include <sys/stat.h>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/pacing.h"
#include "cli/planning.h"
#include "cli/result_place.h"
#include "cli/run_documents.h"
#include "cli/signals.h"
#include "cli/stores.h"
#include "cli/terminal.h"
#include "cli/test_file_choice.h"
#include "cli/test_surroundings.h"
#include "controllers/inventory/assemble.h"
#include "controllers/inventory/fingerprint.h"
#include "controllers/inventory/inventory_diff.h"
#include "controllers/rules/window.h"
#include "reports/report.h"
#include "reports/words.h"
#include "workloads/plan_json.h"
#include "workloads/run/consent.h"
#include "workloads/run/consent_hold.h"
#include "workloads/run/runner.h"
#include "workloads/run/target_clean.h"
#include "workloads/run/testfile.h"
#include "workloads/run/testfile_mark.h"
#include "workloads/workload_check.h"

namespace raidscope::cli {
namespace {

/// What still stands in the way of writing a target when these ids are given.
std::vector<Refusal> refusals_after(const TargetExamination& examination,
                                    const std::vector<std::string>& ids) {
  return ask_to_write(examination, ids) ? std::vector<Refusal>{} : examination.refusals;
}

/// One command from start to end. Every step gives an exit code; exit_done means go on.
class Session {
 public:
  Session(const Arguments& arguments, bool profile) : arguments_(arguments), profile_(profile) {}

  int run() {
    for (const auto step : {&Session::plan, &Session::probe, &Session::examine, &Session::audit}) {
      if (const int code = (this->*step)(); code != exit_done) return code;
      if (StopSignals::stop()) return StopSignals::exit_code();
    }
    if (arguments_.has("dry-run")) return print_plan();
    for (const auto step : {&Session::ask_consent, &Session::open_results, &Session::make_file,
                            &Session::claim_files}) {
      if (const int code = (this->*step)(); code != exit_done) return finish(code);
      if (StopSignals::stop()) return finish(StopSignals::exit_code());
    }
    return finish(measure());
  }

 private:
  int plan();
  int probe();
  int examine();
  int examine_others();
  int audit();
  int print_plan();
  int ask_consent();
  int open_results();
  int make_file();
  int claim_files();
  Status existing_file_fits(const std::optional<std::uint64_t>& size);
  Status check_outputs();
  void refuse_what_does_not_fit_in_memory();
  int measure();
  int finish(int code);

  [[nodiscard]] static bool writes(const PlannedPoint& point) {
    return workload_writes(point.workload);
  }
  [[nodiscard]] bool any_writes() const {
    return std::any_of(plan_.points.begin(), plan_.points.end(), writes);
  }
  [[nodiscard]] const std::string& target() const { return options_.targets.front(); }
  [[nodiscard]] TargetPlace place_in(const Inventory& inventory) const;
  Status refine_plan();
  [[nodiscard]] std::optional<SnapshotRef> snapshot_ref(const Inventory& inventory);
  Result<RunResult> measure_point(const PlannedPoint& point, double done_s);
  enum class Look { between, closing, stopped };
  void close_inventory(RunResult& result, const PlannedPoint& point, Look look);
  void audit_what_happened(RunResult& result, const PlannedPoint& point, const Inventory& after);
  int print_results();

  const Arguments& arguments_;
  const bool profile_;
  PlanOptions options_;
  Plan plan_;
  Inventory before_;
  Inventory last_look_;  // the latest one before the point that is being measured
  bool given_ = false;
  bool partly_ = false;
  TargetExamination examination_;
  std::vector<TargetExamination> others_;  // further targets
  std::vector<std::string> absent_;        // targets that a dry run did not find, in words
  std::uint64_t file_size_ = 0;            // of the file to make; 0: none is made
  bool default_target_ = false;            // nobody named it
  bool remakes_file_ = false;              // a file of ours that is there is filled (again)
  bool left_behind_ = false;               // by a profile that was killed
  std::uint64_t unfilled_size_ = 0;        // of a file that was not filled to its end
  std::uint64_t present_bytes_ = 0;        // of the target before anything was done
  bool made_file_ = false;
  AuditReport audit_;
  std::vector<std::string> accepted_;
  std::vector<WriteConsent> consents_;
  std::vector<std::shared_ptr<const void>> claims_;        // locks on the files that are written
  std::optional<std::atomic<std::int64_t>> write_budget_;  // --max-write, less the test file
  std::vector<std::string> file_problems_;
  bool file_misleads_ = false;
  std::unique_ptr<Store> store_;
  std::string session_id_;
  std::vector<RunResult> results_;
  std::map<std::string, Inventory> snapshots_;
};

int Session::plan() {
  auto options = plan_options(arguments_, profile_ ? "sqlio-study" : "");
  if (!options) return complain(options.error());
  options_ = std::move(*options);
  if (options_.targets.empty()) {
    if (!profile_) {
      return complain(
          exit_usage,
          "no target; name a file or device with --target, or let `raidscope profile` make a file");
    }
    auto path = default_test_file();
    if (!path) return complain(path.error());
    options_.targets.push_back(std::move(*path));
    default_target_ = true;
    if (options_.targets.front().front() != '.')
      warn(fmt::format(
          "no test file can be made here (the folder is not writable or takes no direct "
          "I/O), so another disk may be measured: {}; name a file with --target",
          options_.targets.front()));
  }
  const std::set<std::string> distinct(options_.targets.begin(), options_.targets.end());
  if (distinct.size() != options_.targets.size())
    return complain(exit_usage, "the same --target is given twice");
  auto plan = make_plan(options_);
  if (!plan) return complain(plan.error());
  plan_ = std::move(*plan);
  return exit_done;
}

Status Session::refine_plan() {
  std::uint64_t smallest = file_size_ != 0 ? file_size_ : examination_.info.size_bytes.value_or(0);
  for (const TargetExamination& other : others_)
    smallest = std::min(smallest, other.info.size_bytes.value_or(0));
  if (absent_.empty()) options_.target_bytes = smallest;
  options_.testfile_bytes = file_size_ > present_bytes_ ? file_size_ - present_bytes_ : 0;
  const TargetPlace place = place_in(before_);
  const BlockSettings* block = nullptr;
  if (place.drive != nullptr && place.drive->block_device) block = &*place.drive->block_device;
  if (place.device != nullptr) block = &place.device->block_device;
  if (block != nullptr && block->logical_block_bytes && *block->logical_block_bytes > 0) {
    options_.logical_block_bytes = static_cast<std::uint64_t>(*block->logical_block_bytes);
  }
  RAIDSCOPE_TRY(plan_, make_plan(options_));
  refuse_what_does_not_fit_in_memory();
  RAIDSCOPE_TRY(const auto most, size_option(arguments_, "max-write"));
  if (most && (!plan_.bytes_to_write || *plan_.bytes_to_write > *most)) {
    plan_.refusals.push_back(
        {"max_write",
         plan_.bytes_to_write
             ? fmt::format("the plan writes up to {}, more than --max-write {}",
                           size_words(static_cast<double>(*plan_.bytes_to_write)),
                           size_words(static_cast<double>(*most)))
             : std::string("how much the plan writes is not known, and --max-write is given"),
         false});
  }
  return Done{};
}

/// Every request in flight has a buffer of its own.
void Session::refuse_what_does_not_fit_in_memory() {
  const auto available = available_memory();
  if (!available || arguments_.get_or("engine", "") == "null") return;
  for (const PlannedPoint& point : plan_.points) {
    const Workload& w = point.workload;
    const std::uint64_t block =
        w.block_bytes.empty() ? 0 : *std::max_element(w.block_bytes.begin(), w.block_bytes.end());
    const double needed = static_cast<double>(w.outstanding_total) *
                          static_cast<double>(std::max<std::uint64_t>(block, 4096));
    if (needed < 0.5 * static_cast<double>(*available)) continue;
    plan_.refusals.push_back(
        {"memory",
         fmt::format("{}: {} requests outstanding of {} need {} of memory, and {} are free; take "
                     "fewer workers or a smaller queue depth",
                     point.name, w.outstanding_total, size_words(static_cast<double>(block)),
                     size_words(needed), size_words(static_cast<double>(*available))),
         false});
    return;
  }
}

TargetPlace Session::place_in(const Inventory& inventory) const {
  return place_of_target(arguments_, inventory, examination_.info.device_chain)
      .value_or(TargetPlace{});
}

int Session::probe() {
  if (const auto file = arguments_.get("inventory")) {
    auto inventory = inventory_from(*file);
    if (!inventory) return complain(inventory.error());
    before_ = std::move(*inventory);
    given_ = true;
    return exit_done;
  }
  if (arguments_.has("inventory-after")) {
    return complain(exit_usage, "--inventory-after needs --inventory: both or neither are given");
  }
  auto inventory = probe_with_progress(arguments_);
  if (!inventory) return complain(inventory.error());
  before_ = std::move(*inventory);
  if (StopSignals::stop()) return StopSignals::exit_code();
  for (const std::string& failure : discovery_failures(before_)) {
    warn(failure);
    partly_ = true;
  }
  return exit_done;
}

/// What `profile` does with a test file of ours that is there already: one that was left by a
/// killed `profile` is made anew, one that is not full yet is filled, and a person's own keeps its
/// size.
Status Session::existing_file_fits(const std::optional<std::uint64_t>& size) {
  if (!profile_ || !examination_.made_by_raidscope) return Done{};
  const std::string& path = examination_.real_path.empty() ? target() : examination_.real_path;
  const auto mark = own_test_file(path);
  if (!mark) return Done{};
  left_behind_ = default_target_ && is_temporary(path);
  if (left_behind_) {
    remakes_file_ = true;
  } else if (!mark->complete() && (!size || *size == mark->size)) {
    remakes_file_ = true;
    unfilled_size_ = mark->size;
  } else if (size && *size > mark->size) {
    return fail(Errc::usage,
                fmt::format("the test file has {}, and --size asks for {}",
                            size_words(static_cast<double>(mark->size)),
                            size_words(static_cast<double>(*size))),
                target(),
                fmt::format("make it so with `raidscope testfile create {} --size {}`, or name a "
                            "file that is not there yet",
                            target(), arguments_.get_or("size", "")));
  }
  return Done{};
}

int Session::examine() {
  const std::string sysroot = arguments_.get_or("sysroot", "");
  auto first = examine_target(target(), 0, sysroot);
  if (!first) return complain(first.error());
  examination_ = std::move(*first);
  if (const auto place = place_of_target(arguments_, before_, examination_.info.device_chain);
      !place) {
    return complain(place.error());
  }
  const auto size = size_option(arguments_, "size");
  if (!size) return complain(size.error());
  if (*size && **size < (1U << 20U)) return complain(exit_usage, "--size takes at least 1M");

  const bool file = examination_.info.kind != "block";
  present_bytes_ = examination_.exists ? examination_.info.size_bytes.value_or(0) : 0;
  if (const Status fits = existing_file_fits(*size); !fits) return complain(fits.error());
  if (file && (!examination_.exists || remakes_file_)) {
    std::string absent = fmt::format(
        "the target is not there: {0}; make it with `raidscope testfile create {0} --size 10G`, or "
        "use `raidscope profile`",
        target());
    if (!profile_ && !arguments_.has("dry-run")) return complain(exit_no_input, absent);
    if (!profile_) {
      absent_.push_back(std::move(absent));
      if (*size) options_.area_bytes = *size;
      return examine_others();
    }
    std::uint64_t area = 0;
    for (const PlannedPoint& point : plan_.points) area = std::max(area, point.workload.area_bytes);
    const auto space = space_at(target());
    if (!space) return complain(space.error());
    file_size_ = *size ? **size
                 : unfilled_size_ != 0
                     ? unfilled_size_
                     : default_file_size(usable_cache(place_in(before_)), *space, area);
    auto again = examine_target(
        target(), file_size_ > present_bytes_ ? file_size_ - present_bytes_ : 0, sysroot);
    if (!again) return complain(again.error());
    examination_ = std::move(*again);
  } else if (*size) {
    options_.area_bytes = *size;
  }
  return examine_others();
}

int Session::examine_others() {
  const std::string sysroot = arguments_.get_or("sysroot", "");
  for (std::size_t i = 1; i < options_.targets.size(); ++i) {
    auto other = examine_target(options_.targets[i], 0, sysroot);
    if (!other) return complain(other.error());
    if (!other->exists) {
      std::string absent = fmt::format("the target is not there: {}", options_.targets[i]);
      if (!arguments_.has("dry-run")) return complain(exit_no_input, absent);
      absent_.push_back(std::move(absent));
    }
    for (std::size_t j = 0; j < i; ++j) {
      const TargetExamination& known = j == 0 ? examination_ : others_[j - 1];
      if (known.exists && other->exists && known.identity == other->identity) {
        return complain(exit_usage, fmt::format("{} and {} are one target under two names",
                                                options_.targets[j], options_.targets[i]));
      }
    }
    others_.push_back(std::move(*other));
  }
  if (const Status refined = refine_plan(); !refined) return complain(refined.error());
  return exit_done;
}

int Session::audit() {
  std::vector<PlannedTest> tests;
  for (const PlannedPoint& point : plan_.points) {
    PlannedTest test = planned_test(point.workload, place_in(before_));
    if (test.area_bytes == 0) test.area_bytes = options_.target_bytes.value_or(0);
    test.writes_raw_device = writes(point) && examination_.info.kind == "block";
    tests.push_back(std::move(test));
  }
  add_plan(plan_, tests);
  add_surroundings(examination_, arguments_.get_or("sysroot", ""), !arguments_.has("dry-run"),
                   tests);
  AuditOptions options;
  options.tool = vendor_tool_word(before_);
  audit_ = audit_all(before_, tests, options);

  auto accepted = list_option(arguments_, "accept");
  if (!accepted) return complain(accepted.error());
  std::vector<std::string> accept = std::move(*accepted);
  for (std::string& id : accept) {
    id = rule_id(id);
    if (find_rule(id) == nullptr) {
      return complain(
          exit_usage,
          fmt::format("--accept: no rule \"{}\"; `raidscope audit --list-rules` lists them", id));
    }
  }
  std::vector<std::string> blockers;
  for (const Finding& finding : audit_.findings) {
    if (finding.severity == Severity::info) continue;
    warn(fmt::format("{} {} ({}): {}", finding.rule, to_name(finding.severity),
                     subject_words(finding.subject), finding.evidence));
    if (finding.severity != Severity::block) continue;
    if (std::find(accept.begin(), accept.end(), finding.rule) != accept.end()) {
      if (std::find(accepted_.begin(), accepted_.end(), finding.rule) == accepted_.end())
        accepted_.push_back(finding.rule);
    } else if (std::find(blockers.begin(), blockers.end(), finding.rule) == blockers.end()) {
      blockers.push_back(finding.rule);
    }
  }
  if (!blockers.empty() && !arguments_.has("dry-run")) {
    return complain(
        exit_refused,
        fmt::format(
            "the audit blocks this test ({}); `raidscope audit` says how to mend it, --accept RULE "
            "goes on and stores that in the result",
            fmt::join(blockers, ", ")));
  }
  return exit_done;
}

int Session::print_plan() {
  // A look at the store, which makes nothing: the real run would be refused for it.
  if (const auto store = open_asked_store_to_read(arguments_);
      !store && !is_of_a_store_to_come(arguments_, store.error())) {
    plan_.refusals.push_back({"store", describe(store.error()), false});
  }
  for (const std::string& absent : absent_) plan_.refusals.push_back({"target", absent, false});
  if (any_writes() || file_size_ != 0) {
    std::vector<Refusal> refusals = refusals_after(examination_, arguments_.all("destroy-data"));
    plan_.refusals.insert(plan_.refusals.end(), refusals.begin(), refusals.end());
    for (const TargetExamination& other : others_) {
      refusals = refusals_after(other, arguments_.all("destroy-data"));
      plan_.refusals.insert(plan_.refusals.end(), refusals.begin(), refusals.end());
    }
  }
  for (const Finding& finding : audit_.findings) {
    if (finding.severity != Severity::block) continue;
    if (std::find(accepted_.begin(), accepted_.end(), finding.rule) != accepted_.end()) continue;
    plan_.refusals.push_back({finding.rule,
                              fmt::format("{} ({}); --accept {} goes on", finding.evidence,
                                          subject_words(finding.subject), finding.rule),
                              true});
  }
  return write_data(arguments_, arguments_.get_or("format", "text") == "json"
                                    ? json_text(to_json(plan_))
                                    : plan_text(plan_));
}

int Session::ask_consent() {
  if (!plan_.refusals.empty()) {
    int code = exit_usage;
    for (const Refusal& refusal : plan_.refusals) {
      if (refusal.code == "max_write") code = exit_refused;
      complain(exit_refused, refusal.why);
    }
    if (any_writes() || file_size_ != 0) {
      for (const Refusal& refusal : refusals_after(examination_, arguments_.all("destroy-data")))
        complain(exit_refused, refusal.why);
    }
    return code;
  }
  if (!any_writes() && file_size_ == 0) return exit_done;
  const auto most = size_option(arguments_, "max-write");
  if (!most) return complain(most.error());
  if (*most) write_budget_.emplace(static_cast<std::int64_t>(**most - options_.testfile_bytes));
  std::vector<const TargetExamination*> all{&examination_};
  if (any_writes()) {
    for (const TargetExamination& other : others_) all.push_back(&other);
  }
  for (const TargetExamination* one : all) {
    auto consent = ask_to_write(*one, arguments_.all("destroy-data"));
    if (!consent) return complain(consent.error());
    consents_.push_back(std::move(*consent));
  }
  return exit_done;
}

/// A typing error in -o must not show after minutes of measuring.
Status Session::check_outputs() {
  const auto output = arguments_.get("output");
  if (!output || *output == "-") return Done{};
  struct stat status {};
  const bool there = ::stat(output->c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode))
    return fail(Errc::io, "the output is a folder", *output, "name a file in it");
  const std::size_t slash = output->rfind('/');
  const std::string folder = slash == std::string::npos ? "."
                             : slash == 0               ? "/"
                                                        : output->substr(0, slash);
  if (there && !S_ISREG(status.st_mode)) return Done{};  // a device or pipe is written through
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return fail(Errc::io, "no output can be written in this folder", folder,
                "nothing was measured; name another file with -o", errno);
  return Done{};
}

int Session::open_results() {
  if (const Status writable = check_outputs(); !writable) {
    complain(writable.error());
    return exit_cannot_write;
  }
  auto store = open_asked_store(arguments_);
  if (!store) {
    const ExitCode code = complain(store.error());
    return store.error().code == Errc::unsupported || store.error().code == Errc::malformed
               ? code
               : exit_cannot_write;
  }
  store_ = std::move(*store);
  session_id_ = new_id('s');
  return exit_done;
}

int Session::make_file() {
  const std::string path = target();
  if (file_size_ != 0) {
    const bool was_there = examination_.exists;
    bool said_temporary = false;
    ProgressLine progress(arguments_);
    const auto began = std::chrono::steady_clock::now();
    const Status made = create_test_file(
        consents_.front(), file_size_, options_.seed.value_or(1),
        [&](std::uint64_t done, std::uint64_t total) {
          const double elapsed =
              std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
          const double rate = elapsed > 0 ? static_cast<double>(done) / elapsed : 0;
          // At once, so that a kill in the middle leaves a file that is known for what it is.
          if (!was_there && default_target_ && !said_temporary) {
            mark_temporary(path);
            said_temporary = true;
          }
          progress.show(fmt::format(
              "making {}: {} of {}, {} left", path, size_words(static_cast<double>(done)),
              size_words(static_cast<double>(total)),
              rate > 0 ? duration_words(static_cast<double>(total - done) / rate) : "?"));
          return !StopSignals::stop();
        });
    progress.clear();
    if (!made) {
      if (!was_there || left_behind_) (void)remove_test_file(path);
      if (StopSignals::exit_code() != 0) return StopSignals::exit_code();
      return complain(made.error());
    }
    made_file_ = !was_there || left_behind_;
    auto again = examine_target(path, 0, arguments_.get_or("sysroot", ""));
    if (!again) return complain(again.error());
    examination_ = std::move(*again);
  }
  if (examination_.info.kind == "file") {
    const auto check = check_test_file(path, usable_cache(place_in(before_)));
    if (!check) {
      warn(fmt::format("the test file could not be checked: {}", describe(check.error())));
      file_problems_.push_back("the test file could not be checked: " + describe(check.error()));
    } else {
      file_problems_ = check->problems;
      file_misleads_ = check->sparse || check->repeated == true || check->compressible == true;
      for (const std::string& problem : file_problems_) warn(problem);
    }
  }
  return exit_done;
}

/// Devices are held by their consents; a file that is written belongs to one run at a time too.
int Session::claim_files() {
  if (!any_writes()) return exit_done;
  for (std::size_t i = 0; i < options_.targets.size(); ++i) {
    const TargetExamination& one = i == 0 ? examination_ : others_[i - 1];
    if (one.info.kind != "file") continue;
    auto claim = hold_file(one.real_path.empty() ? options_.targets[i] : one.real_path);
    if (!claim) return complain(claim.error());
    claims_.push_back(std::move(*claim));
  }
  return exit_done;
}

std::optional<SnapshotRef> Session::snapshot_ref(const Inventory& inventory) {
  auto id = store_->put_snapshot(inventory);
  if (!id) {
    warn(describe(id.error()));
    partly_ = true;
    return std::nullopt;
  }
  snapshots_.emplace(*id, inventory);
  return reference_to(inventory, place_in(inventory), *id);
}

Result<RunResult> Session::measure_point(const PlannedPoint& point, double done_s) {
  ProgressLine line(arguments_);
  RunOptions options;
  options.engine = arguments_.get_or("engine", "");
  if (writes(point)) options.consents = consents_;
  options.stop = &StopSignals::stop();
  if (write_budget_) options.write_budget = &*write_budget_;
  options.progress = [&](const RunProgress& now) {
    line.show(fmt::format("{}: {}{:.0f} IOPS, {}/s, {:.2f} ms; {} left in all", point.name,
                          now.ramping ? "ramping, " : "", now.iops, size_words(now.bytes_per_s),
                          now.mean_us / 1000,
                          duration_words(plan_.duration_s - done_s - now.elapsed_s)));
  };
  return run_workload(point.workload, options);
}

void Session::audit_what_happened(RunResult& result, const PlannedPoint& point,
                                  const Inventory& after) {
  AuditOptions options;
  options.tool = vendor_tool_word(before_);
  AuditReport report = audit_window({before_, last_look_, after},
                                    planned_test(point.workload, place_in(before_)), options);
  for (Finding& finding : report.findings) {
    warn(fmt::format("{} {} ({}): {}", finding.rule, to_name(finding.severity),
                     subject_words(finding.subject), finding.evidence));
    result.audit.push_back(std::move(finding));
  }
  std::stable_sort(result.audit.begin(), result.audit.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  if (!given_) last_look_ = after;  // a given pair is around every point
}

void Session::close_inventory(RunResult& result, const PlannedPoint& point, Look look) {
  if (given_) {
    const auto file = arguments_.get("inventory-after");
    if (!file) return;
    auto after = inventory_from(*file);
    if (!after) {
      warn(describe(after.error()));
      partly_ = true;
      return;
    }
    result.inventory_after = snapshot_ref(*after);
    ConfigChange change = config_change(before_, *after);
    result.config_changed = change.changed;
    result.changes = std::move(change.changes);
    result.unverified = std::move(change.unverified);
    audit_what_happened(result, point, *after);
    return;
  }
  // Between points the kernel's own files are enough; the vendor tool is asked again at the end, so
  // that it does not disturb what is measured.
  auto after =
      look == Look::closing ? inventory_of_machine(arguments_) : inventory_of_kernel(arguments_);
  // A person who stops a run does not wait for the vendor tool.
  if (StopSignals::stop()) {
    if (look == Look::closing) after = inventory_of_kernel(arguments_);
    look = Look::stopped;
  }
  if (!after) {
    warn(describe(after.error()));
    partly_ = true;
    return;
  }
  audit_what_happened(result, point, *after);
  ConfigChange change = config_change(before_, *after);
  result.unverified = std::move(change.unverified);
  result.changes = std::move(change.changes);
  if (look == Look::stopped) {
    // The kernel's files do not tell what the vendor tool would: a change is one, no change is
    // none.
    if (change.changed == true || !controllers_told(before_))
      result.config_changed = change.changed;
    result.inventory_after = snapshot_ref(*after);
  } else if (look == Look::closing) {
    for (const std::string& failure : discovery_failures(*after)) {
      warn("after the run: " + failure);
      partly_ = true;
    }
    const bool complete = discovery_failures(*after).size() <= discovery_failures(before_).size();
    if (complete || change.changed) result.config_changed = change.changed;
    result.inventory_after = snapshot_ref(*after);
  } else {
    result.config_changed = change.changed;
    result.inventory_after = change.changed ? snapshot_ref(*after) : result.inventory_before;
  }
}

int Session::measure() {
  note(arguments_,
       fmt::format("{} {} on {}, about {}", plan_.points.size(),
                   plan_.points.size() == 1 ? "point" : "points", fmt::join(options_.targets, ", "),
                   duration_words(plan_.duration_s)));
  std::optional<SnapshotRef> before = snapshot_ref(before_);
  int code = exit_done;
  double done_s = 0;
  last_look_ = before_;
  if (!given_) {
    // Counters of the driver move while the test file is made, so they are read again here.
    if (auto look = inventory_of_kernel(arguments_)) last_look_ = std::move(*look);
  }
  const auto until = rounds_rule(arguments_);
  if (!until) return complain(until.error());
  MeasuredRounds rounds;
  const auto spared = [&](std::size_t i) {
    return *until && rounds.enough(plan_.points[i], **until);
  };
  const auto is_last = [&](std::size_t i) {
    while (++i < plan_.points.size()) {
      if (!spared(i)) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < plan_.points.size(); ++i) {
    if (spared(i)) {
      done_s += plan_.points[i].workload.ramp_s + plan_.points[i].workload.duration_s;
      continue;
    }
    if (!results_.empty()) {
      const TargetPlace place = place_in(before_);
      const auto pause = pause_before_next(arguments_, results_.back(), plan_.points[i],
                                           place.controller, place.drive);
      if (!pause) return complain(pause.error());
      leave_idle(arguments_, *pause);
      if (StopSignals::stop()) break;
    }
    auto result = measure_point(plan_.points[i], done_s);
    if (!result) {
      code = complain(result.error());
      break;
    }
    done_s += plan_.points[i].workload.ramp_s + plan_.points[i].workload.duration_s;
    result->run_id = new_id('r');
    result->session_id = session_id_;
    result->name = arguments_.has("name")
                       ? fmt::format("{}: {}", *arguments_.get("name"), plan_.points[i].name)
                       : plan_.points[i].name;
    if (is_lab(before_)) result->origin = Origin::simulated;
    name_place(result->target, place_in(before_));
    if (result->target.device_chain.empty())
      result->target.device_chain = examination_.info.device_chain;
    result->inventory_origin = given_ ? "given" : "probed";
    result->inventory_before = before;
    result->audit = audit_.findings;
    result->accepted = accepted_;
    for (const std::string& problem : file_problems_) result->checks.suspicions.push_back(problem);
    if (file_misleads_) result->checks.valid = false;
    const bool stopped = StopSignals::stop();
    if (stopped && result->read.ios == 0U && result->write.ios == 0U) break;
    if (*until) rounds.add(*result);
    close_inventory(*result, plan_.points[i],
                    stopped      ? Look::stopped
                    : is_last(i) ? Look::closing
                                 : Look::between);
    if (result->config_changed.value_or(false)) {
      // The vendor tool is asked only before the first point and after the last.
      warn(fmt::format("the configuration changed {} \"{}\": {}",
                       plan_.points.size() > 1 && !given_ ? "during or before" : "during",
                       result->name, fmt::join(result->changes, "; ")));
      if (plan_.points.size() > 1 && i > 0)
        warn(
            "earlier points of this session may have been measured with either configuration; "
            "measure them again");
      partly_ = true;
    }
    // The after of one point is the before of the next.
    if (result->inventory_after) before = result->inventory_after;
    if (const Status stored = store_->put_run(*result); !stored) {
      complain(stored.error());
      code = exit_cannot_write;
    }
    results_.push_back(std::move(*result));
    if (stopped || code != exit_done) break;
  }
  if (StopSignals::exit_code() != 0) code = StopSignals::exit_code();
  if (!results_.empty()) {
    const int printed = print_results();
    if (code == exit_done) code = printed;
  }
  return code == exit_done && partly_ ? static_cast<int>(exit_partly) : code;
}

int Session::print_results() {
  const bool json = arguments_.get_or("format", "text") == "json";
  std::string out = json ? json_text(list_document(list_entries(results_)))
                         : runs_table(results_, output_style(arguments_));
  for (const std::string& line : sweet_spot_lines(results_)) note(arguments_, line);
  int code = exit_done;
  if (profile_) {
    ReportInput input{results_, snapshots_, utc_now(), RAIDSCOPE_VERSION};
    const ReportFormat* html = find_report_format("html");
    const std::string path = report_path(arguments_, session_id_);
    const Status written = write_file_atomically(path, html->render(input));
    if (!written) {
      complain(written.error());
      warn(fmt::format("the results are stored all the same: raidscope report {} -o FILE",
                       session_id_));
      code = exit_cannot_write;
    } else if (json) {
      note(arguments_, "report: " + path);
    } else {
      out += fmt::format("\nReport: {}\n", path);
    }
    const ExitCode printed = print_data(out);
    return code == exit_done ? printed : code;
  }
  return write_data(arguments_, out);
}

int Session::finish(int code) {
  if (any_writes() && !results_.empty()) {
    for (const WriteConsent& consent : consents_) {
      if (const Status zeroed = zero_edges(consent); !zeroed) warn(describe(zeroed.error()));
    }
  }
  if (made_file_ && !arguments_.has("keep")) {
    if (const Status removed = remove_test_file(target()); !removed) {
      warn(fmt::format("the test file could not be removed: {}", describe(removed.error())));
    }
  }
  return code;
}

}  // namespace

int run_session(const Arguments& arguments, bool profile) {
  const StopSignals signals;
  return Session(arguments, profile).run();
}

}  // namespace raidscope::cli
