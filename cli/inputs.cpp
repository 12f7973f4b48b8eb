#include "cli/inputs.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <sys/stat.h>

#include <fmt/core.h>

#include "cli/settling.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "controllers/inventory/assemble.h"
#include "controllers/inventory/inventory_json.h"
#include "controllers/inventory/smart_path_states.h"
#include "probe/capture/recording_host.h"
#include "probe/capture/replay_host.h"
#include "probe/os/live_host.h"
#include "probe/sources/vendor/vendor_text.h"
#include "workloads/quantities.h"

namespace raidscope::cli {
namespace {

bool looks_like_document(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

Result<std::vector<NamedText>> read_folder(const std::string& folder) {
  DIR* directory = ::opendir(folder.c_str());
  if (directory == nullptr)
    return fail(Errc::not_found, "cannot read the folder", folder, "", errno);
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(directory)) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  ::closedir(directory);
  std::sort(names.begin(), names.end());
  std::vector<NamedText> texts;
  for (const std::string& name : names) {
    std::string path = folder;
    if (!path.ends_with('/')) path += '/';
    path += name;
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    RAIDSCOPE_TRY(std::string text, read_input(path));
    if (text.find_first_not_of(" \t\r\n") != std::string::npos)
      texts.push_back({path, std::move(text)});
  }
  if (texts.empty()) return fail(Errc::malformed, "the folder holds no capture", folder);
  return texts;
}

Result<Inventory> from_texts(std::vector<NamedText> texts, const std::string& from,
                             std::vector<FactOrigin>* origins) {
  const auto document = std::find_if(texts.begin(), texts.end(), [](const NamedText& t) {
    return looks_like_document(t.text) || capture::is_bundle(t.text);
  });
  if (document != texts.end()) {
    const bool bundle = capture::is_bundle(document->text);
    if (texts.size() > 1) {
      return fail(Errc::malformed,
                  fmt::format("a {} beside other captures: a folder is one machine",
                              bundle ? "capture bundle" : "snapshot document"),
                  from, fmt::format("name {} alone", document->name));
    }
    if (bundle) {
      RAIDSCOPE_TRY(const capture::Bundle read,
                    capture::read_bundle(document->text, document->name));
      return inventory_of_bundle(read, origins);
    }
    RAIDSCOPE_TRY(Inventory inventory, inventory_from_text(document->text, document->name));
    // A person may have edited it: what follows from other facts must follow from those it has now.
    derive(inventory);
    return inventory;
  }
  // A folder may hold a picture or a list of packages beside the captures; that is no reason to
  // lose them, and none to stay silent.
  std::vector<Note> left_out;
  Result<FactSet> parsed = parse_vendor_text(texts);
  while (!parsed && parsed.error().code == Errc::malformed && texts.size() > 1) {
    const auto stray = std::find_if(texts.begin(), texts.end(), [&](const NamedText& text) {
      return text.name == parsed.error().where;
    });
    if (stray == texts.end()) break;
    left_out.push_back({0, fmt::format("left out, {}: {}", parsed.error().message, stray->name)});
    texts.erase(stray);
    parsed = parse_vendor_text(texts);
  }
  RAIDSCOPE_TRY(FactSet facts, std::move(parsed));
  facts.notes.insert(facts.notes.end(), left_out.begin(), left_out.end());
  facts.path = PathName::file;
  const FactSet sets[] = {std::move(facts)};
  return assemble(sets, "", origins);
}

}  // namespace

Result<std::string> read_input(const std::string& path, std::size_t limit) {
  const int fd = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail(Errc::not_found, "cannot read the input", path, "", errno);
  std::string text;
  char buffer[65536];
  int problem = 0;
  while (true) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) problem = errno;
    if (n <= 0) break;
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.size() > limit) {
      problem = EFBIG;
      break;
    }
  }
  if (fd != STDIN_FILENO) ::close(fd);
  if (problem != 0) return fail(Errc::not_found, "cannot read the input", path, "", problem);
  return text;
}

namespace {

void keep_raw(const std::vector<NamedText>& texts, std::vector<std::string>* raw) {
  if (raw == nullptr) return;
  for (const NamedText& text : texts) raw->push_back(text.text);
}

}  // namespace

Result<Inventory> inventory_from(const std::string& from, std::vector<FactOrigin>* origins,
                                 std::vector<std::string>* raw) {
  struct stat status {};
  if (from != "-" && ::stat(from.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    RAIDSCOPE_TRY(std::vector<NamedText> texts, read_folder(from));
    keep_raw(texts, raw);
    return from_texts(std::move(texts), from, origins);
  }
  RAIDSCOPE_TRY(std::string text, read_input(from));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return fail(Errc::malformed, "the input is empty", from == "-" ? "standard input" : from);
  }
  std::vector<NamedText> texts;
  texts.push_back({from == "-" ? "standard input" : from, std::move(text)});
  keep_raw(texts, raw);
  return from_texts(std::move(texts), from, origins);
}

Result<LiveHostOptions> host_options(const Arguments& arguments) {
  LiveHostOptions options;
  options.sysroot = arguments.get_or("sysroot", "");
  options.vendor_tool = arguments.get_or("ssacli", "");
  options.stop = &StopSignals::stop();
  options.say = [&arguments](const std::string& line) { note(arguments, line); };
  if (!options.sysroot.empty()) {
    struct stat status {};
    if (::stat(options.sysroot.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
      return fail(Errc::not_found, "--sysroot is not a folder", options.sysroot,
                  "name the folder that holds the sys and proc of the machine to look at");
    }
  }
  RAIDSCOPE_TRY(const auto timeout, duration_option(arguments, "tool-timeout"));
  if (timeout) {
    if (*timeout < 1) return fail(Errc::usage, "--tool-timeout takes at least 1 second");
    options.tool_timeout = std::chrono::seconds(static_cast<long long>(*timeout));
  }
  return options;
}

Result<Inventory> inventory_of_kernel(const Arguments& arguments) {
  RAIDSCOPE_TRY(const LiveHostOptions options, host_options(arguments));
  const LiveHost live(options);
  return assemble(discover(live.host(), {PathName::host, PathName::sysfs}), utc_now());
}

Result<Inventory> inventory_of_machine(const Arguments& arguments, std::vector<FactOrigin>* origins,
                                       capture::Bundle* record) {
  RAIDSCOPE_TRY(const LiveHostOptions options, host_options(arguments));
  RAIDSCOPE_TRY(const std::vector<std::string> names, list_option(arguments, "only"));
  DiscoverOptions paths;
  paths.cross_check = arguments.has("cross-check");
  std::vector<PathName>& only = paths.only;
  for (const std::string& name : names) {
    bool found = false;
    for (const PathName path :
         {PathName::ssacli, PathName::sysfs, PathName::scsi, PathName::bmic, PathName::host}) {
      if (name_of(path) == name) {
        only.push_back(path);
        found = true;
      }
    }
    if (!found)
      return fail(Errc::usage,
                  fmt::format("--only takes ssacli, sysfs, scsi, bmic and host, not \"{}\"", name));
  }
  if (paths.cross_check && !only.empty() &&
      std::find(only.begin(), only.end(), PathName::bmic) == only.end()) {
    return fail(Errc::usage, "--cross-check asks bmic, which --only leaves out", "",
                "add bmic to --only, or leave one of them out");
  }
  const LiveHost live(options);
  const capture::RecordingHost recording(live.host());
  const Host host = record != nullptr ? recording.host() : live.host();
  const std::string taken_at = utc_now();
  std::vector<FactSet> sets = discover(host, paths);
  Inventory inventory = assemble(sets, taken_at, origins);
  int looks = 0;
  // A recorded tree does not change by being read again.
  if (options.sysroot.empty() && !arguments.has("no-wait"))
    looks = wait_for_smart_path(host, arguments, sets, inventory, origins);
  if (record != nullptr) {
    *record = recording.bundle(taken_at, "raidscope " RAIDSCOPE_VERSION, sets,
                               {looks, !has_unsettled_smart_path(inventory)});
  }
  return inventory;
}

Result<Inventory> probe_with_progress(const Arguments& arguments) {
  ProgressLine progress(arguments);
  progress.show("probing this machine");
  return inventory_of_machine(arguments);
}

Inventory inventory_of_bundle(const capture::Bundle& bundle, std::vector<FactOrigin>* origins) {
  const capture::Replay replayed = capture::replay(bundle);
  Inventory inventory = assemble(replayed.sets, bundle.taken_at, origins);
  if (replayed.settled) settle_smart_path(inventory);
  for (const std::string& text : replayed.notes) inventory.notes.push_back({0, text});
  return inventory;
}

Status only_of_a_machine(const Arguments& arguments) {
  if (!arguments.has("from")) return Done{};
  for (const char* name : {"only", "cross-check", "no-wait"}) {
    if (arguments.has(name)) {
      return fail(Errc::usage,
                  fmt::format("--{} is about asking this machine, and --from asks none", name), "",
                  "leave one of them out");
    }
  }
  return Done{};
}

Result<Inventory> inventory_asked_for(const Arguments& arguments) {
  RAIDSCOPE_CHECK(only_of_a_machine(arguments));
  const std::vector<std::string> from = arguments.all("from");
  if (from.size() > 1) return fail(Errc::usage, "--from can be given once here");
  if (!from.empty()) return inventory_from(from.front());
  return inventory_of_machine(arguments);
}

std::vector<std::string> discovery_failures(const Inventory& inventory) {
  std::vector<std::string> out;
  for (const SourceInfo& source : inventory.sources) {
    if (source.status == "failed")
      out.push_back(fmt::format("{}: {}", source.path, source.detail.value_or("failed")));
  }
  return out;
}

Result<std::optional<std::uint64_t>> size_option(const Arguments& arguments,
                                                 std::string_view name) {
  const auto text = arguments.get(name);
  if (!text) return std::optional<std::uint64_t>{};
  auto size = parse_size(*text);
  if (!size) return fail(Errc::usage, fmt::format("--{}: {}", name, describe(size.error())));
  return std::optional<std::uint64_t>{*size};
}

Result<std::optional<double>> duration_option(const Arguments& arguments, std::string_view name) {
  const auto text = arguments.get(name);
  if (!text) return std::optional<double>{};
  auto seconds = parse_duration(*text);
  if (!seconds) return fail(Errc::usage, fmt::format("--{}: {}", name, describe(seconds.error())));
  return std::optional<double>{*seconds};
}

Result<std::optional<std::int64_t>> integer_option(const Arguments& arguments,
                                                   std::string_view name, std::int64_t least,
                                                   std::int64_t most) {
  const auto text = arguments.get(name);
  if (!text) return std::optional<std::int64_t>{};
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (problem != std::errc{} || end != text->data() + text->size() || value < least ||
      value > most) {
    return fail(Errc::usage, fmt::format("--{} takes a whole number from {} to {}, not \"{}\"",
                                         name, least, most, *text));
  }
  return std::optional<std::int64_t>{value};
}

Result<std::vector<std::string>> list_option(const Arguments& arguments, std::string_view name) {
  std::vector<std::string> out;
  for (const std::string& given : arguments.all(name)) {
    std::string_view rest = given;
    while (true) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view part = rest.substr(0, comma);
      if (part.empty()) {
        return fail(Errc::usage,
                    fmt::format("--{}: an empty entry in the list \"{}\"", name, given));
      }
      out.emplace_back(part);
      if (comma == rest.size()) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return out;
}

}  // namespace raidscope::cli
