#include <algorithm>
#include <chrono>
#include <set>
#include <unistd.h>

#include <sys/stat.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/run_documents.h"
#include "cli/session_steps.h"
#include "cli/stores.h"
#include "cli/terminal.h"
#include "reports/words.h"
#include "workloads/plan_json.h"
#include "workloads/run/consent_hold.h"
#include "workloads/run/testfile.h"
#include "workloads/run/testfile_mark.h"

namespace raidscope::cli {
namespace {

/// What still stands in the way of writing a target when these ids are given.
std::vector<Refusal> refusals_after(const TargetExamination& examination,
                                    const std::vector<std::string>& ids) {
  return ask_to_write(examination, ids) ? std::vector<Refusal>{} : examination.refusals;
}

}  // namespace

std::vector<const TargetExamination*> Session::examinations() const {
  std::vector<const TargetExamination*> all{&examination_};
  for (const TargetExamination& other : others_) all.push_back(&other);
  return all;
}

std::vector<std::string> Session::destroy_ids(std::size_t target) const {
  return resumed_ == nullptr ? arguments_.all("destroy-data")
                             : destroy_ids_of(*resumed_, target, *examinations()[target]);
}

/// A plan for printing: a resumed session has measured some of its points.
void Session::leave_out_what_is_done() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < plan_.points.size(); ++i) {
    if (missing(i)) std::swap(plan_.points[kept++], plan_.points[i]);
  }
  plan_.points.resize(kept);
  plan_.duration_s = planned_seconds(plan_.points, options_.precondition_s);
}

int Session::print_plan() {
  // A look at the store, which makes nothing: the real run would be refused for it.
  if (const auto store = open_asked_store_to_read(arguments_);
      !store && !is_of_a_store_to_come(arguments_, store.error())) {
    plan_.refusals.push_back({"store", describe(store.error()), false});
  }
  for (const std::string& absent : absent_) plan_.refusals.push_back({"target", absent, false});
  if (any_writes() || file_size_ != 0) {
    const std::vector<const TargetExamination*> all = examinations();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::vector<Refusal> refusals = refusals_after(*all[i], destroy_ids(i));
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
  leave_out_what_is_done();
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
      for (const Refusal& refusal : refusals_after(examination_, destroy_ids(0)))
        complain(exit_refused, refusal.why);
    }
    return code;
  }
  if (!any_writes() && file_size_ == 0) return exit_done;
  const auto most = size_option(arguments_, "max-write");
  if (!most) return complain(most.error());
  if (*most) write_budget_.emplace(static_cast<std::int64_t>(**most - options_.testfile_bytes));
  std::vector<const TargetExamination*> all = examinations();
  if (!any_writes()) all.resize(1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto consent = ask_to_write(*all[i], destroy_ids(i));
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
  if (resumed_ == nullptr) {
    part_ = !session_id_.empty();
    if (!part_) session_id_ = new_id('s');
    const Status taken_up = part_ ? take_up_part() : Status(Done{});
    return taken_up ? static_cast<int>(exit_done) : complain(taken_up.error());
  }
  session_id_ = resumed_->record.session_id;
  if (const Status mine = store_->claim_session(session_id_, resumed_->owner, this_process());
      !mine)
    return complain(mine.error());
  recorded_ = true;
  results_ = resumed_->done;
  snapshots_ = resumed_->snapshots;
  return exit_done;
}

Status Session::take_up_part() {
  auto runs = store_->find(session_id_);
  if (!runs && runs.error().code == Errc::not_found) return Done{};
  if (!runs) return tl::unexpected<Error>(runs.error());
  std::set<std::string> names;
  for (const PlannedPoint& point : plan_.points) names.insert(name_of(point));
  for (RunResult& run : *runs) {
    if (!run.interrupted && names.contains(run.name)) results_.push_back(std::move(run));
  }
  missing_of_part_ = missing_points(plan_.points, results_);
  return Done{};
}

int Session::make_file() {
  const std::string path = target();
  if (made_by_the_session()) made_file_ = true;  // and so it goes away at the end
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
  const std::vector<const TargetExamination*> all = examinations();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i]->info.kind != "file") continue;
    auto claim = hold_file(all[i]->real_path.empty() ? options_.targets[i] : all[i]->real_path);
    if (!claim) return complain(claim.error());
    claims_.push_back(std::move(*claim));
  }
  return exit_done;
}

}  // namespace raidscope::cli
