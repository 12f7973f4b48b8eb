#include "cli/resume.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>
#include <unistd.h>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/stores.h"
#include "cli/target_record.h"
#include "cli/terminal.h"
#include "workloads/run/target_system.h"
#include "workloads/workload_check.h"

namespace raidscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lines = 3;

/// Of this command and not of the session: never recorded.
constexpr std::string_view of_the_command[] = {"store",  "quiet",         "format",
                                               "resume", "accept-change", "dry-run"};
/// May stand beside --resume.
constexpr std::string_view beside_resume[] = {
    "resume",       "store",     "quiet",         "format",  "output", "accept",
    "destroy-data", "max-write", "accept-change", "dry-run", "keep"};

template <class List>
bool is_in(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

std::string boot_id() {
  return read_small("/proc/sys/kernel/random/boot_id");
}

/// When a process began, in ticks since boot; empty: there is none, or only its remains.
std::string start_of_process(const std::string& pid) {
  const std::string stat = read_small("/proc/" + pid + "/stat");
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream in(stat.substr(name_end + 1));
  std::string word, state;
  in >> state;
  for (int field = 4; field <= 22; ++field) in >> word;
  return state == "Z" || state == "X" ? std::string() : word;
}

/// The process id where the owner of a session is at work on this machine; empty: it is not.
std::string running(const std::string& owner) {
  std::istringstream in(owner);
  std::string boot, pid, start;
  in >> boot >> pid >> start;
  if (pid.empty() || boot != boot_id() || pid.find_first_not_of("0123456789") != std::string::npos)
    return {};
  return start_of_process(pid) == start ? pid : std::string();
}

std::string command_for(const std::string& verb, const std::string& id) {
  return fmt::format("raidscope {} --resume {}", verb, id);
}

/// By id, by the beginning of one, or the newest unfinished one of this verb.
Result<SessionEntry> chosen_session(const std::vector<SessionEntry>& all, const std::string& wanted,
                                    const std::string& verb) {
  if (wanted.empty()) {
    const SessionEntry* other = nullptr;
    for (const SessionEntry& entry : all) {
      if (entry.finished_at || !running(entry.owner).empty()) continue;
      if (entry.verb == verb) return entry;
      if (other == nullptr) other = &entry;
    }
    return fail(Errc::not_found, fmt::format("no session of `raidscope {}` is unfinished", verb),
                "",
                other == nullptr ? std::string()
                                 : fmt::format("one of `raidscope {}` is: {}", other->verb,
                                               command_for(other->verb, other->session_id)));
  }
  std::vector<const SessionEntry*> found;
  for (const SessionEntry& entry : all) {
    if (entry.session_id == wanted) found = {&entry};
    if (entry.session_id == wanted) break;
    if (entry.session_id.starts_with(wanted)) found.push_back(&entry);
  }
  if (found.empty())
    return fail(Errc::not_found, "no such session in the store", wanted,
                "`raidscope list` names those that are unfinished");
  if (found.size() > 1)
    return fail(Errc::usage, fmt::format("{} sessions begin with this", found.size()), wanted,
                "give more of it");
  const SessionEntry& entry = *found.front();
  if (entry.verb != verb)
    return fail(Errc::usage, fmt::format("this is a session of `raidscope {}`", entry.verb),
                entry.session_id, command_for(entry.verb, entry.session_id));
  if (entry.finished_at)
    return fail(Errc::usage, "all points of this session are measured", entry.session_id,
                fmt::format("raidscope show {}", entry.session_id));
  if (const std::string pid = running(entry.owner); !pid.empty())
    return fail(Errc::refused, fmt::format("process {} is measuring this session", pid),
                entry.session_id, "let it end, or stop it with Ctrl-C");
  return entry;
}

Status only_fitting_options(const Arguments& now) {
  for (const auto& [name, values] : now.given()) {
    if (is_in(beside_resume, name)) continue;
    return fail(
        Errc::usage,
        fmt::format("--{} beside --resume: the session has said already what is measured", name),
        "",
        fmt::format("leave it out, or begin a new session without --resume; these may "
                    "stand beside it: --{}",
                    fmt::join(beside_resume, ", --")));
  }
  return Done{};
}

Result<Arguments> merged(const Arguments& now, const SessionRecord& record) {
  Arguments out;
  for (const auto& [name, values] : record.options) {
    if (name != "max-write") out.set(name, values);
  }
  const bool writes =
      std::any_of(record.points.begin(), record.points.end(),
                  [](const PlannedPoint& p) { return workload_writes(p.workload); });
  if (record.options.contains("max-write") && !now.has("max-write") && writes)
    return fail(Errc::usage,
                fmt::format("the session began with --max-write {}, and how much of it was used up "
                            "is not known",
                            fmt::join(record.options.at("max-write"), "")),
                record.session_id, "give --max-write SIZE anew, for what is left to measure");
  for (const auto& [name, values] : now.given()) {
    if (name == "resume" || name == "accept-change") continue;
    if (name != "accept" && name != "destroy-data") {
      out.set(name, values);
      continue;
    }
    for (const std::string& value : values) out.add(name, value);
  }
  // Before going to the session's folder, where they would mean another file.
  for (const std::string_view name : {"output", "store"}) {
    const auto path = now.get(name);
    if (!path || path->empty() || *path == "-" || path->starts_with('/')) continue;
    if (name == "store" && path->find(':') != std::string::npos) continue;
    std::error_code error;
    out.set(name, {fs::absolute(*path, error).string()});
  }
  return out;
}

}  // namespace

std::string this_process() {
  const std::string pid = std::to_string(::getpid());
  return fmt::format("{} {} {}", boot_id(), pid, start_of_process(pid));
}

Result<Resumed> take_up_session(const Arguments& arguments, const std::string& verb) {
  RAIDSCOPE_CHECK(only_fitting_options(arguments));
  RAIDSCOPE_TRY(const auto store, open_asked_store_to_read(arguments));
  RAIDSCOPE_TRY(const std::vector<SessionEntry> all, store->sessions());
  RAIDSCOPE_TRY(const SessionEntry entry,
                chosen_session(all, arguments.get_or("resume", ""), verb));
  Resumed out;
  RAIDSCOPE_TRY(out.record, store->session(entry.session_id));
  if (out.record.verb != verb)
    return fail(Errc::malformed, "the session's document names another verb", entry.session_id);
  out.owner = entry.owner;
  out.destroy_now = arguments.all("destroy-data");
  out.change_accepted = arguments.has("accept-change");
  RAIDSCOPE_TRY(out.arguments, merged(arguments, out.record));
  if (auto runs = store->find(entry.session_id)) {
    for (RunResult& run : *runs) {
      if (!run.interrupted) out.done.push_back(std::move(run));
    }
  } else if (runs.error().code != Errc::not_found) {
    return tl::unexpected<Error>(runs.error());
  }
  out.missing = missing_points(out.record.points, out.done);
  if (!out.record.inventory)
    return fail(Errc::malformed, "the session's document names no inventory", entry.session_id);
  RAIDSCOPE_TRY(out.inventory, store->snapshot(out.record.inventory->snapshot));
  for (const RunResult& run : out.done) {
    for (const auto* ref : {&run.inventory_before, &run.inventory_after}) {
      if (!*ref || out.snapshots.contains((*ref)->snapshot)) continue;
      RAIDSCOPE_TRY(Inventory inventory, store->snapshot((*ref)->snapshot));
      out.snapshots.emplace((*ref)->snapshot, std::move(inventory));
    }
  }
  if (::chdir(out.record.working_folder.c_str()) != 0)
    return fail(Errc::not_found, "the folder in which the session was begun cannot be entered",
                out.record.working_folder, "the paths of its options are meant in it", errno);
  RAIDSCOPE_TRY(out.targets, resolve_targets(out.record, out.arguments.get_or("sysroot", "")));
  if (out.record.boot_id != boot_id() && !out.record.boot_id.empty())
    note(arguments,
         "the machine was restarted since the session began; its targets were looked up "
         "by their ids");
  return out;
}

SessionRecord record_of_session(const Arguments& arguments, const std::string& verb,
                                const std::string& session_id, const Plan& plan,
                                const std::vector<std::string>& names,
                                const std::vector<const TargetExamination*>& examinations) {
  SessionRecord record;
  record.session_id = session_id;
  record.started_at = utc_now();
  record.verb = verb;
  record.program = RAIDSCOPE_VERSION;
  record.boot_id = boot_id();
  std::error_code error;
  record.working_folder = fs::current_path(error).string();
  for (const auto& [name, values] : arguments.given()) {
    if (!is_in(of_the_command, name)) record.options[name] = values;
  }
  record.points = plan.points;
  const TargetSystem system = TargetSystem::read(arguments.get_or("sysroot", ""));
  for (std::size_t i = 0; i < names.size() && i < examinations.size(); ++i)
    record.targets.push_back(record_of_target(names[i], *examinations[i], system));
  return record;
}

void rename_targets(PlanOptions& options, const Resumed& resumed) {
  const auto rename = [&](std::string& name) {
    for (std::size_t i = 0; i < resumed.targets.size(); ++i) {
      if (name != resumed.record.targets[i].path) continue;
      name = resumed.targets[i];
      return;
    }
  };
  for (std::string& target : options.targets) rename(target);
  for (Workload& workload : options.base) {
    for (std::string& target : workload.targets) rename(target);
  }
}

std::vector<std::string> destroy_ids_of(const Resumed& resumed, std::size_t target,
                                        const TargetExamination& examination) {
  const std::vector<std::string>& then = resumed.record.targets[target].overridden;
  const std::vector<std::string> now = data_at_rest(examination);
  const bool known = std::all_of(now.begin(), now.end(),
                                 [&](const std::string& what) { return is_in(then, what); });
  return known ? resumed.arguments.all("destroy-data") : resumed.destroy_now;
}

std::vector<std::string> unfinished_lines(const std::vector<SessionEntry>& sessions) {
  std::vector<std::string> out;
  std::size_t more = 0;
  for (const SessionEntry& entry : sessions) {
    if (entry.finished_at) continue;
    if (out.size() == most_lines) {
      ++more;
      continue;
    }
    if (const std::string pid = running(entry.owner); !pid.empty())
      out.push_back(
          fmt::format("session {} is being measured by process {}", entry.session_id, pid));
    else
      out.push_back(fmt::format("session {} is unfinished: {}", entry.session_id,
                                command_for(entry.verb, entry.session_id)));
  }
  if (more > 0)
    out.push_back(fmt::format("{} older {} too", more,
                              more == 1 ? "session is unfinished" : "sessions are unfinished"));
  return out;
}

}  // namespace raidscope::cli
