#include "cli/session.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/json_text.h"
#include "cli/pacing.h"
#include "cli/run_documents.h"
#include "cli/session_steps.h"
#include "cli/stores.h"
#include "cli/terminal.h"
#include "reports/report.h"
#include "workloads/run/target_clean.h"
#include "workloads/run/testfile.h"

namespace raidscope::cli {

int Session::run() {
  for (const auto step : {&Session::plan, &Session::probe, &Session::examine,
                          &Session::compare_with_beginning, &Session::audit}) {
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
  if (any_writes() && (measured_ > 0 || wrote_before_)) {
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

int run_session(const Arguments& arguments, bool profile) {
  const StopSignals signals;
  if (arguments.has("resume")) {
    const auto resumed = take_up_session(arguments, profile ? "profile" : "run");
    if (!resumed) return complain(resumed.error());
    return Session(*resumed, profile).run();
  }
  if (arguments.has("accept-change"))
    return complain(exit_usage, "--accept-change goes with --resume");
  return Session(arguments, profile).run();
}

int run_part_of(const std::string& session_id, const Arguments& arguments) {
  return Session(arguments, session_id).run();
}

}  // namespace raidscope::cli
