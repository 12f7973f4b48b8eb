#include "workloads/native_syntax.h"

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "workloads/quantities.h"

namespace raidscope {
namespace {

/// What is wrong with one value, or nothing.
using Problem = std::optional<std::string>;

template <class T>
Problem whole_number(std::string_view text, T& out) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return fmt::format("expected a whole number, found \"{}\"", text);
  }
  out = value;
  return std::nullopt;
}

template <class E>
Problem word(std::string_view text, E& out) {
  if (const auto value = from_name<E>(text)) {
    out = *value;
    return std::nullopt;
  }
  std::string expected;
  for (const auto& [value, name] : EnumNames<E>::table) {
    expected += (expected.empty() ? "" : " or ") + std::string(name);
  }
  return fmt::format("expected {}, found \"{}\"", expected, text);
}

Problem size(std::string_view text, std::uint64_t& out) {
  const auto value = parse_size(text);
  if (!value) return describe(value.error());
  out = *value;
  return std::nullopt;
}

Problem duration(std::string_view text, double& out) {
  const auto value = parse_duration(text);
  if (!value) return describe(value.error());
  out = *value;
  return std::nullopt;
}

Problem sizes(std::string_view text, std::vector<std::uint64_t>& out) {
  out.clear();
  while (true) {
    const std::size_t comma = text.find(',');
    std::uint64_t value = 0;
    if (Problem problem = size(text.substr(0, comma), value)) return problem;
    out.push_back(value);
    if (comma == std::string_view::npos) return std::nullopt;
    text.remove_prefix(comma + 1);
  }
}

struct Option {
  std::string_view name;
  Problem (*take)(std::string_view value, Workload& workload);
};

constexpr Option options[] = {
    {"--name",
     [](std::string_view v, Workload& w) {
       w.name = v;
       return Problem();
     }},
    {"--target",
     [](std::string_view v, Workload& w) {
       w.targets.emplace_back(v);
       return Problem();
     }},
    {"--pattern", [](std::string_view v, Workload& w) { return word(v, w.pattern); }},
    {"--cursor", [](std::string_view v, Workload& w) { return word(v, w.cursor); }},
    {"--block-size", [](std::string_view v, Workload& w) { return sizes(v, w.block_bytes); }},
    {"--read-percent",
     [](std::string_view v, Workload& w) {
       Problem problem = whole_number(v, w.read_percent);
       if (!problem && (w.read_percent < 0 || w.read_percent > 100)) {
         problem = fmt::format("expected 0 to 100, found {}", v);
       }
       return problem;
     }},
    {"--workers", [](std::string_view v, Workload& w) { return whole_number(v, w.workers); }},
    {"--queue-depth",
     [](std::string_view v, Workload& w) { return whole_number(v, w.queue_depth_per_worker); }},
    {"--outstanding",
     [](std::string_view v, Workload& w) { return whole_number(v, w.outstanding_total); }},
    {"--area", [](std::string_view v, Workload& w) { return size(v, w.area_bytes); }},
    {"--align", [](std::string_view v, Workload& w) { return size(v, w.alignment_bytes); }},
    {"--time", [](std::string_view v, Workload& w) { return duration(v, w.duration_s); }},
    {"--ramp", [](std::string_view v, Workload& w) { return duration(v, w.ramp_s); }},
    {"--seed", [](std::string_view v, Workload& w) { return whole_number(v, w.seed); }},
    {"--sync", [](std::string_view v, Workload& w) { return word(v, w.sync); }},
    {"--source",
     [](std::string_view v, Workload& w) {
       w.source = v;
       return Problem();
     }},
    {"--warning",
     [](std::string_view v, Workload& w) {
       w.warnings.emplace_back(v);
       return Problem();
     }},
};

/// Splits one line into words; nothing when a quote stays open.
std::optional<std::vector<std::string>> split(std::string_view line) {
  std::vector<std::string> words;
  std::string current;
  bool in_word = false;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\' && i + 1 < line.size()) {
      const char next = line[++i];
      current += next == 'n' ? '\n' : next == 'r' ? '\r' : next;
      in_word = true;
    } else if (c == '"') {
      quoted = !quoted;
      in_word = true;
    } else if (!quoted && (c == ' ' || c == '\t' || c == '\r')) {
      if (in_word) words.push_back(std::exchange(current, {}));
      in_word = false;
    } else {
      current += c;
      in_word = true;
    }
  }
  if (quoted) return std::nullopt;
  if (in_word) words.push_back(std::move(current));
  return words;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::uint64_t product(const Workload& w) {
  const std::uint64_t targets = w.targets.empty() ? 1 : w.targets.size();
  return std::uint64_t{w.workers} * w.queue_depth_per_worker * targets;
}

Result<Workload> parse_line(std::string_view line, std::size_t number) {
  const auto malformed = [number](std::string what) {
    return fail(Errc::malformed, std::move(what), fmt::format("line {}", number));
  };
  const auto words = split(line);
  if (!words) return malformed("a quote is not closed");
  Workload workload;
  bool outstanding_given = false;
  for (std::size_t i = 0; i < words->size(); ++i) {
    std::string_view name = (*words)[i];
    if (name == "--buffered") {
      workload.direct = false;
      continue;
    }
    std::optional<std::string_view> value;
    if (const std::size_t equals = name.find('=');
        name.starts_with("--") && equals != std::string_view::npos) {
      value = name.substr(equals + 1);
      name = name.substr(0, equals);
    }
    const Option* found = nullptr;
    for (const Option& option : options) {
      if (option.name == name) found = &option;
    }
    if (found == nullptr) return malformed(fmt::format("unknown word \"{}\"", name));
    if (!value) {
      if (++i == words->size()) return malformed(fmt::format("{} has no value", name));
      value = (*words)[i];
    }
    if (const Problem problem = found->take(*value, workload)) {
      return malformed(fmt::format("{}: {}", name, *problem));
    }
    outstanding_given = outstanding_given || name == "--outstanding";
  }
  if (!outstanding_given) workload.outstanding_total = product(workload);
  return workload;
}

}  // namespace

Result<std::vector<Workload>> parse_native(std::string_view text) {
  std::vector<Workload> workloads;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#') continue;
    RAIDSCOPE_TRY(Workload workload, parse_line(line, number));
    workloads.push_back(std::move(workload));
  }
  if (workloads.empty()) {
    return fail(Errc::malformed, "no workload in the text", "line 1",
                "write one, as: --pattern random --block-size 4k --read-percent 67 --time 60");
  }
  return workloads;
}

std::string print_native(std::span<const Workload> workloads) {
  std::string out;
  for (const Workload& w : workloads) {
    const Workload defaults;
    if (!w.name.empty()) out += fmt::format("--name {} ", in_quotes(w.name));
    for (const std::string& target : w.targets)
      out += fmt::format("--target {} ", in_quotes(target));
    out += fmt::format("--pattern {} ", to_name(w.pattern));
    if (w.cursor != defaults.cursor) out += fmt::format("--cursor {} ", to_name(w.cursor));
    out += "--block-size ";
    for (std::size_t i = 0; i < w.block_bytes.size(); ++i) {
      out += (i == 0 ? "" : ",") + print_size(w.block_bytes[i]);
    }
    out += fmt::format(" --read-percent {} --workers {} --queue-depth {} ", w.read_percent,
                       w.workers, w.queue_depth_per_worker);
    if (w.outstanding_total != product(w)) {
      out += fmt::format("--outstanding {} ", w.outstanding_total);
    }
    if (w.area_bytes != 0) out += fmt::format("--area {} ", print_size(w.area_bytes));
    if (w.alignment_bytes != 0) out += fmt::format("--align {} ", print_size(w.alignment_bytes));
    out += fmt::format("--time {} ", print_duration(w.duration_s));
    if (w.ramp_s != 0) out += fmt::format("--ramp {} ", print_duration(w.ramp_s));
    out += fmt::format("--seed {}", w.seed);
    if (w.sync != Sync::none) out += fmt::format(" --sync {}", to_name(w.sync));
    if (!w.direct) out += " --buffered";
    if (!w.source.empty()) out += " --source " + in_quotes(w.source);
    for (const std::string& warning : w.warnings) out += " --warning " + in_quotes(warning);
    out += '\n';
  }
  return out;
}

}  // namespace raidscope
