#include "cli/stored_runs.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/stores.h"
#include "cli/terminal.h"
#include "probe/base/text.h"
#include "workloads/experiment/session_record.h"

namespace raidscope::cli {

Result<StoredRuns> stored_runs(const Arguments& arguments) {
  if (arguments.words().empty()) {
    // A store that cannot be read is the first thing to say.
    RAIDSCOPE_TRY(const auto store, open_asked_store_to_read(arguments));
    return fail(Errc::usage, "which runs? `raidscope list` names them; \"latest\" is the newest");
  }
  return stored_runs_of(arguments, {arguments.words()});
}

Result<StoredRuns> stored_runs_of(const Arguments& arguments,
                                  const std::vector<std::vector<std::string>>& groups) {
  RAIDSCOPE_TRY(const auto store, open_asked_store_to_read(arguments));
  StoredRuns out;
  std::set<std::string> seen;
  for (const std::vector<std::string>& group : groups) {
    std::vector<std::string>& ids = out.groups.emplace_back();
    std::set<std::string> of_group;
    for (const std::string& word : group) {
      RAIDSCOPE_TRY(auto runs, store->find(word));
      for (RunResult& run : runs) {
        if (!of_group.insert(run.run_id).second) continue;
        ids.push_back(run.run_id);
        if (seen.insert(run.run_id).second) out.input.runs.push_back(std::move(run));
      }
    }
  }
  for (const RunResult& run : out.input.runs) {
    for (const auto* ref : {&run.inventory_before, &run.inventory_after}) {
      if (!*ref || out.input.snapshots.contains((*ref)->snapshot)) continue;
      auto snapshot = store->snapshot((*ref)->snapshot);
      if (!snapshot) {
        warn(describe(snapshot.error()));
        out.whole = false;
        continue;
      }
      out.input.snapshots.emplace((*ref)->snapshot, std::move(*snapshot));
    }
  }
  out.input.made_at = utc_now();
  out.input.program_version = RAIDSCOPE_VERSION;
  return out;
}

void leave_out_made_again(const Arguments& arguments, StoredRuns& runs) {
  const std::set<std::string> again = made_again(runs.input.runs);
  if (again.empty()) return;
  std::erase_if(runs.input.runs, [&](const RunResult& run) { return again.contains(run.run_id); });
  for (std::vector<std::string>& group : runs.groups)
    std::erase_if(group, [&](const std::string& id) { return again.contains(id); });
  note(arguments,
       fmt::format("interrupted and made again, so not counted: {}", fmt::join(again, ", ")));
}

Result<const ReportFormat*> asked_format(const Arguments& arguments, std::string_view fallback,
                                         std::span<const std::string_view> allowed) {
  const auto may = [&](std::string_view id) {
    return allowed.empty() || std::find(allowed.begin(), allowed.end(), id) != allowed.end();
  };
  std::string output = arguments.get_or("output", "");
  std::transform(output.begin(), output.end(), output.begin(), text::to_lower);
  std::string format = arguments.get_or("format", "");
  if (format.empty()) {
    format = fallback;
    bool known_ending = false;
    for (const ReportFormat* candidate : report_formats()) {
      if (candidate->file_suffix.empty() || !output.ends_with(candidate->file_suffix) ||
          !may(candidate->id)) {
        continue;
      }
      format = candidate->id;
      known_ending = true;
    }
    const std::string name = output.substr(output.rfind('/') + 1);
    const std::size_t dot = name.rfind('.');
    if (!known_ending && dot != std::string::npos && dot > 0 && name.substr(dot) != ".txt") {
      return fail(Errc::usage, fmt::format("no format of this verb ends in \"{}\"; say which one "
                                           "with --format",
                                           name.substr(dot)));
    }
  }
  if (format == "text") format = "terminal";
  const ReportFormat* chosen = may(format) ? find_report_format(format) : nullptr;
  if (chosen == nullptr) {
    std::string known;
    for (const ReportFormat* candidate : report_formats()) {
      if (may(candidate->id))
        known += fmt::format("{}{}", known.empty() ? "" : ", ", candidate->id);
    }
    return fail(Errc::usage, fmt::format("no report format \"{}\"; there are {}", format, known));
  }
  return chosen;
}

}  // namespace raidscope::cli
