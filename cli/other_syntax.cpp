#include "cli/other_syntax.h"

#include <algorithm>
#include <optional>
#include <unistd.h>

#include <sys/stat.h>

#include <fmt/core.h>

#include "cli/inputs.h"
#include "probe/base/encoding.h"
#include "probe/base/text.h"
#include "workloads/syntax.h"

namespace raidscope::cli {
namespace {

constexpr std::size_t longest_text = std::size_t{16} << 20U;

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '/' ? '\\' : text::to_lower(c);
  return out;
}

/// "#1" (diskspd), "1:" (SQLIO), "PHYSICALDRIVE:1" (Iometer), "\\.\PhysicalDrive1" and "1".
std::optional<std::int64_t> disk_number(std::string_view name) {
  const std::string small = folded(name);
  std::string_view rest = small;
  for (const std::string_view prefix : {"#", "physicaldrive:", "\\\\.\\physicaldrive"}) {
    if (rest.starts_with(prefix)) {
      rest.remove_prefix(prefix.size());
      return text::to_integer(rest.substr(0, rest.find(' ')));
    }
  }
  if (rest.ends_with(':')) rest.remove_suffix(1);
  return text::to_integer(rest);
}

bool has_drive(std::string_view name) {
  return name.size() >= 2 && text::is_alpha(name[0]) && name[1] == ':' &&
         (name.size() == 2 || name[2] == '\\' || name[2] == '/' || name[2] == ' ');
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

struct Mapping {
  std::string from;
  std::string to;
};

Result<std::vector<Mapping>> mappings(const Arguments& arguments) {
  std::vector<Mapping> out;
  for (const std::string& text : arguments.all("map")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      return fail(Errc::usage, fmt::format("--map takes DRIVE=PATH, not \"{}\"", text), "",
                  "as in --map 'D:=/data' or --map '#1=/dev/sdb'");
    }
    std::string from = text.substr(0, equals);
    while (from.size() > 1 && (from.ends_with('\\') || from.ends_with('/'))) from.pop_back();
    if (from.size() == 1 && text::is_alpha(from[0])) from += ':';
    for (const Mapping& before : out) {
      const auto number = disk_number(from);
      if (folded(before.from) == folded(from) || (number && disk_number(before.from) == number)) {
        return fail(Errc::usage,
                    fmt::format("--map gives {} two paths: {} and {}", from, before.to,
                                text.substr(equals + 1)),
                    "", "give one of them");
      }
    }
    out.push_back({std::move(from), text.substr(equals + 1)});
  }
  return out;
}

std::string with_slashes(std::string_view windows) {
  std::string out(windows);
  std::replace(out.begin(), out.end(), '\\', '/');
  return out;
}

/// What stands for a target of another system here.
Result<std::string> path_of(const std::string& target, const std::vector<Mapping>& maps,
                            bool iometer) {
  if (target.starts_with('/')) return target;
  const auto number = disk_number(target);
  const Mapping* best = nullptr;
  for (const Mapping& map : maps) {
    if (number && disk_number(map.from) == number) return map.to;
    const std::string name = folded(target);
    const std::string from = folded(map.from);
    const bool whole = name.size() == from.size() ||
                       name[std::min(from.size(), name.size() - 1)] == '\\' ||
                       name[std::min(from.size(), name.size() - 1)] == ' ' || from.ends_with(':');
    if (name.starts_with(from) && whole && (best == nullptr || map.from.size() > best->from.size()))
      best = &map;
  }
  if (best != nullptr) {
    std::string rest = target.substr(best->from.size());
    if (iometer) rest.clear();  // a label behind the letter
    if (!rest.empty() && (rest.front() == '\\' || rest.front() == '/')) rest.erase(0, 1);
    if (!rest.empty())
      return (best->to.ends_with('/') ? best->to : best->to + "/") + with_slashes(rest);
    // Iometer's test file on a drive.
    return iometer && is_folder(best->to) ? best->to + "/iobw.tst" : best->to;
  }
  if (number || has_drive(target) || target.starts_with("\\\\")) {
    const std::string key = number              ? target.substr(0, target.find(' '))
                            : has_drive(target) ? target.substr(0, 2)
                                                : target;
    return fail(Errc::usage, fmt::format("{} is not mapped to anything here", target), "",
                fmt::format("give --map '{}=PATH', or --target in its place", key));
  }
  return with_slashes(target);
}

/// Texts that a script names: as they stand, beside the script, and by --map.
NamedTexts texts_beside(const std::string& folder, const std::vector<Mapping>& maps) {
  return [folder, maps](const std::string& name) -> Result<std::string> {
    RAIDSCOPE_TRY(const std::string path, path_of(name, maps, false));
    const std::string beside = folder + path;
    const bool is_beside = !path.starts_with('/') && ::access(beside.c_str(), R_OK) == 0;
    RAIDSCOPE_TRY(const std::string content, read_input(is_beside ? beside : path, longest_text));
    return text::decode(content);
  };
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

/// A value that is a file with a script in it, not a line.
bool is_script_file(const std::string& value) {
  struct stat status {};
  return value.find('\n') == std::string::npos &&
         (value == "-" || (::stat(value.c_str(), &status) == 0 && !S_ISDIR(status.st_mode)));
}

bool looks_like_file(const std::string& value) {
  if (value.find(' ') != std::string::npos) return false;
  for (const std::string_view ending : {".bat", ".cmd", ".ps1", ".txt"}) {
    if (value.size() > ending.size() &&
        text::iequals(std::string_view(value).substr(value.size() - ending.size()), ending))
      return true;
  }
  return false;
}

struct Source {
  const char* option;
  bool is_file;  ///< always; else a line, or a file of lines
};
constexpr Source sources[] = {
    {"sqlio", false}, {"diskspd", false}, {"iometer", true}, {"fio", true}};

Result<std::vector<Workload>> parse_source(const Source& source, const std::string& value,
                                           const std::vector<Mapping>& maps) {
  const Syntax* syntax = find_syntax(source.option);
  if (syntax == nullptr)
    return fail(Errc::unsupported, fmt::format("this build does not read {}", source.option));
  const bool file = source.is_file || is_script_file(value) || looks_like_file(value);
  std::string content = value;
  if (file) {
    RAIDSCOPE_TRY(content, read_input(value, longest_text));
  }
  auto parsed = syntax->parse(file ? text::decode(content) : text::to_utf8(content),
                              texts_beside(file ? folder_of(value) : std::string(), maps));
  if (parsed) return parsed;
  Error error = std::move(parsed).error();
  const std::string place = file ? value : fmt::format("--{}", source.option);
  if (error.code == Errc::malformed)
    error.where = error.where.empty() ? place : place + ", " + error.where;
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace

Result<std::vector<Workload>> workloads_of_syntaxes(const Arguments& arguments) {
  RAIDSCOPE_TRY(const std::vector<Mapping> maps, mappings(arguments));
  std::vector<Workload> out;
  const Source* used = nullptr;
  for (const Source& source : sources) {
    for (const std::string& value : arguments.all(source.option)) {
      if (used != nullptr && used != &source) {
        return fail(Errc::usage, fmt::format("--{} and --{} are given: give one of them",
                                             used->option, source.option));
      }
      used = &source;
      RAIDSCOPE_TRY(const std::vector<Workload> parsed, parse_source(source, value, maps));
      out.insert(out.end(), parsed.begin(), parsed.end());
    }
  }
  if (used == nullptr) {
    if (!maps.empty())
      return fail(Errc::usage, "--map goes with --sqlio, --diskspd, --iometer or --fio");
    return out;
  }
  std::vector<std::string> named;
  for (const Workload& w : out) {
    for (const std::string& target : w.targets) {
      if (std::find(named.begin(), named.end(), target) == named.end()) named.push_back(target);
    }
  }
  const std::vector<std::string> given = arguments.all("target");
  if (!named.empty() && given.size() > named.size()) {
    return fail(Errc::usage,
                fmt::format("--target is given {} times, and --{} names {} {}", given.size(),
                            used->option, named.size(), named.size() == 1 ? "target" : "targets"),
                "", "each --target stands for one of them, in order");
  }
  std::vector<std::string> paths = given;
  for (std::size_t i = given.size(); i < named.size(); ++i) {
    RAIDSCOPE_TRY(std::string path,
                  path_of(named[i], maps, std::string_view(used->option) == "iometer"));
    paths.push_back(std::move(path));
  }
  for (Workload& w : out) {
    for (std::string& target : w.targets) {
      const auto index = std::find(named.begin(), named.end(), target) - named.begin();
      target = paths[static_cast<std::size_t>(index)];
    }
  }
  return out;
}

}  // namespace raidscope::cli
