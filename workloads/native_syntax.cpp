#include "workloads/native_syntax.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "workloads/derived.h"
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

Problem real(std::string_view text, double& out) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      value < 0) {
    return fmt::format("expected a number from 0, found \"{}\"", text);
  }
  out = value;
  return std::nullopt;
}

template <class T>
Problem percent(std::string_view text, T& out) {
  Problem problem = whole_number(text, out);
  if (!problem && (out < 0 || out > 100)) {
    problem = fmt::format("expected 0 to 100, found {}", text);
  }
  return problem;
}

/// Calls take(part) for each part of a list; an empty text has none.
template <class F>
Problem each_part(std::string_view text, char separator, F&& take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (Problem problem = take(text.substr(0, end))) return problem;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  (void)each_part(text, separator, [&](std::string_view part) {
    out.push_back(part);
    return Problem();
  });
  return out;
}

// SIZE:PERCENT[:READ[:RANDOM[:ALIGNMENT]]]
Problem mix(std::string_view text, Workload& w) {
  w.mix.clear();
  return each_part(text, ',', [&](std::string_view part) -> Problem {
    const auto words = parts_of(part, ':');
    if (words.size() < 2 || words.size() > 5) {
      return fmt::format("expected SIZE:PERCENT[:READ%[:RANDOM%[:ALIGNMENT]]], found \"{}\"", part);
    }
    MixLine line;
    if (Problem p = size(words[0], line.block_bytes)) return p;
    if (Problem p = real(words[1], line.percent)) return p;
    if (words.size() > 2) {
      if (Problem p = percent(words[2], line.read_percent)) return p;
    }
    if (words.size() > 3) {
      if (Problem p = percent(words[3], line.random_percent)) return p;
    }
    if (words.size() > 4) {
      if (Problem p = size(words[4], line.alignment_bytes)) return p;
    }
    w.mix.push_back(line);
    return std::nullopt;
  });
}

// uniform | once | zipf:THETA | pareto:H | hot:ACCESS/AREA[:ACCESS/AREA…]
Problem spread(std::string_view text, Workload& w) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view kind = text.substr(0, colon);
  const std::string_view rest = text.substr(std::min(colon + 1, text.size()));
  Workload made;
  if (kind == "hot") {
    made.spread = Spread::hot_spots;
    const Problem problem = each_part(rest, ':', [&](std::string_view part) -> Problem {
      const auto words = parts_of(part, '/');
      if (words.size() != 2) return fmt::format("expected ACCESS%/AREA%, found \"{}\"", part);
      HotSpot spot;
      if (Problem p = real(words[0], spot.access_percent)) return p;
      if (Problem p = real(words[1], spot.area_percent)) return p;
      made.hot_spots.push_back(spot);
      return std::nullopt;
    });
    if (problem) return problem;
  } else {
    const auto value = from_name<Spread>(kind);
    if (!value || *value == Spread::hot_spots) {
      return fmt::format(
          "expected uniform, once, zipf:THETA, pareto:H or hot:ACCESS%/AREA%:…, found \"{}\"",
          text);
    }
    made.spread = *value;
    if (!rest.empty()) {
      if (Problem p = real(rest, made.skew)) return p;
    }
  }
  w.spread = made.spread;
  w.skew = made.skew;
  w.hot_spots = std::move(made.hot_spots);
  return std::nullopt;
}

std::string spread_text(const Workload& w) {
  std::string out(w.spread == Spread::hot_spots ? "hot" : to_name(w.spread));
  if (w.spread != Spread::hot_spots && w.skew != 0) out += fmt::format(":{}", w.skew);
  if (w.spread != Spread::hot_spots) return out;
  for (const HotSpot& spot : w.hot_spots)
    out += fmt::format(":{}/{}", spot.access_percent, spot.area_percent);
  return out;
}

// WORKERSxDEPTH[@TARGET+TARGET…], comma separated; targets are counted from 0
Problem groups(std::string_view text, Workload& w) {
  w.groups.clear();
  return each_part(text, ',', [&](std::string_view part) -> Problem {
    const std::size_t at = std::min(part.find('@'), part.size());
    const auto numbers = parts_of(part.substr(0, at), 'x');
    if (numbers.size() != 2) {
      return fmt::format("expected WORKERSxDEPTH@TARGET+TARGET…, found \"{}\"", part);
    }
    WorkerGroup group;
    if (Problem p = whole_number(numbers[0], group.workers)) return p;
    if (Problem p = whole_number(numbers[1], group.queue_depth)) return p;
    const Problem problem = each_part(part.substr(std::min(at + 1, part.size())), '+',
                                      [&](std::string_view index) -> Problem {
                                        group.targets.push_back(0);
                                        return whole_number(index, group.targets.back());
                                      });
    if (problem) return problem;
    w.groups.push_back(std::move(group));
    return std::nullopt;
  });
}

using Values = std::vector<std::string>;  ///< one each time the option is printed

template <class T>
Values unless(T value, T fallback, std::string text) {
  return value == fallback ? Values{} : Values{std::move(text)};
}
template <NamedEnum E>
Values unless(E value, E fallback) {
  return unless(value, fallback, std::string(to_name(value)));
}
template <class T>
Values number_unless(T value, T fallback) {
  return unless(value, fallback, fmt::format("{}", value));
}
Values size_unless_0(std::uint64_t value) {
  return unless(value, std::uint64_t{0}, print_size(value));
}
Values words_of(const std::string& text) {
  return text.empty() ? Values{} : Values{text};
}

struct Option {
  std::string_view name;
  bool has_value;
  Problem (*take)(std::string_view value, Workload& workload);
  Values (*show)(const Workload& workload);  ///< null: another spelling, never printed
};

#define TAKE [](std::string_view v, Workload & w) -> Problem
#define SHOW [](const Workload& w) -> Values

constexpr Option options[] = {{"--name", true, TAKE{w.name = v;
return {};
}  // namespace
, SHOW {
  return words_of(w.name);
}
}  // namespace raidscope
, {"--target", true, TAKE{w.targets.emplace_back(v);
return {};
}
, SHOW {
  return w.targets;
}
}
, {"--pattern", true, TAKE{return word(v, w.pattern);
}
, SHOW {
  return Values{std::string(to_name(w.pattern))};
}
}
, {"--cursor", true, TAKE{return word(v, w.cursor);
}
, SHOW {
  return unless(w.cursor, SequentialCursor::shared);
}
}
, {"--block-size", true, TAKE{return sizes(v, w.block_bytes);
}
, SHOW {
  std::string out;
  for (const std::uint64_t block : w.block_bytes)
    out += (out.empty() ? "" : ",") + print_size(block);
  return Values{out};
}
}
, {"--read-percent", true, TAKE{return percent(v, w.read_percent);
}
, SHOW {
  return Values{fmt::format("{}", w.read_percent)};
}
}
, {"--workers", true, TAKE{return whole_number(v, w.workers);
}
, SHOW {
  return Values{fmt::format("{}", w.workers)};
}
}
, {"--queue-depth", true, TAKE{return whole_number(v, w.queue_depth_per_worker);
}
, SHOW {
  return Values{fmt::format("{}", w.queue_depth_per_worker)};
}
}
, {"--mix", true, TAKE{return mix(v, w);
}
, SHOW {
  std::string out;
  for (const MixLine& line : w.mix) {
    out += fmt::format("{}{}:{}:{}:{}", out.empty() ? "" : ",", print_size(line.block_bytes),
                       line.percent, line.read_percent, line.random_percent);
    if (line.alignment_bytes != 0) out += ":" + print_size(line.alignment_bytes);
  }
  return words_of(out);
}
}
, {"--groups", true, TAKE{return groups(v, w);
}
, SHOW {
  std::string out;
  for (const WorkerGroup& group : w.groups) {
    out += fmt::format("{}{}x{}", out.empty() ? "" : ",", group.workers, group.queue_depth);
    char separator = '@';
    for (const std::uint32_t target : group.targets) {
      out += fmt::format("{}{}", separator, target);
      separator = '+';
    }
  }
  return words_of(out);
}
}
, {"--outstanding", true, TAKE{return whole_number(v, w.outstanding_total);
}
, SHOW {
  return number_unless(w.outstanding_total, outstanding(w));
}
}
, {"--size", true, TAKE{return size(v, w.area_bytes);
}
, SHOW {
  return size_unless_0(w.area_bytes);
}
}
, {"--area", true, TAKE{return size(v, w.area_bytes);
}
, nullptr
}
, {"--base", true, TAKE{return size(v, w.base_bytes);
}
, SHOW {
  return size_unless_0(w.base_bytes);
}
}
, {"--alignment", true, TAKE{return size(v, w.alignment_bytes);
}
, SHOW {
  return size_unless_0(w.alignment_bytes);
}
}
, {"--align", true, TAKE{return size(v, w.alignment_bytes);
}
, nullptr
}
, {"--random-percent", true, TAKE{return percent(v, w.random_percent);
}
, SHOW {
  return number_unless(w.random_percent, -1);
}
}
, {"--stride", true, TAKE{return size(v, w.stride_bytes);
}
, SHOW {
  return size_unless_0(w.stride_bytes);
}
}
, {"--worker-offset", true, TAKE{return size(v, w.worker_offset_bytes);
}
, SHOW {
  return size_unless_0(w.worker_offset_bytes);
}
}
, {"--spread", true, TAKE{return spread(v, w);
}
, SHOW {
  const std::string text = spread_text(w);
  return unless<std::string>(text, "uniform", text);
}
}
, {"--depth-over-targets", false, TAKE{(void)v;
w.depth_over_targets = true;
return {};
}
, SHOW {
  return unless(w.depth_over_targets, false, "");
}
}
, {"--instances", true, TAKE{return whole_number(v, w.instances);
}
, SHOW {
  return number_unless(w.instances, 1U);
}
}
, {"--arrivals", true, TAKE{return word(v, w.arrivals);
}
, SHOW {
  return unless(w.arrivals, Arrivals::closed);
}
}
, {"--rate", true, TAKE{return real(v, w.rate_iops);
}
, SHOW {
  return number_unless(w.rate_iops, 0.0);
}
}
, {"--think-time", true,
   TAKE{// Microseconds as they stand: by way of seconds the last digit would be lost.
        if (v.ends_with("us")) return real(v.substr(0, v.size() - 2), w.think_us);
double seconds = 0;
Problem problem = duration(v, seconds);
if (!problem) w.think_us = seconds * 1e6;
return problem;
}
, SHOW {
  return unless(w.think_us, 0.0, fmt::format("{}us", w.think_us));
}
}
, {"--burst", true, TAKE{return whole_number(v, w.burst);
}
, SHOW {
  return number_unless(w.burst, 1U);
}
}
, {"--fsync-every", true, TAKE{return whole_number(v, w.fsync_every);
}
, SHOW {
  return number_unless(w.fsync_every, 0U);
}
}
, {"--trim-percent", true, TAKE{return percent(v, w.trim_percent);
}
, SHOW {
  return number_unless(w.trim_percent, 0);
}
}
, {"--compressible", true, TAKE{return percent(v, w.compressible_percent);
}
, SHOW {
  return number_unless(w.compressible_percent, 0);
}
}
, {"--duplicate", true, TAKE{return percent(v, w.duplicate_percent);
}
, SHOW {
  return number_unless(w.duplicate_percent, 0);
}
}
, {"--verify", false, TAKE{(void)v;
w.verify = true;
return {};
}
, SHOW {
  return unless(w.verify, false, "");
}
}
, {"--poll", false, TAKE{(void)v;
w.poll = true;
return {};
}
, SHOW {
  return unless(w.poll, false, "");
}
}
, {"--time", true, TAKE{return duration(v, w.duration_s);
}
, SHOW {
  return Values{print_duration(w.duration_s)};
}
}
, {"--ramp", true, TAKE{return duration(v, w.ramp_s);
}
, SHOW {
  return unless(w.ramp_s, 0.0, print_duration(w.ramp_s));
}
}
, {"--cooldown", true, TAKE{return duration(v, w.cooldown_s);
}
, SHOW {
  return unless(w.cooldown_s, 0.0, print_duration(w.cooldown_s));
}
}
, {"--seed", true, TAKE{return whole_number(v, w.seed);
}
, SHOW {
  return Values{fmt::format("{}", w.seed)};
}
}
, {"--write-through", false, TAKE{(void)v;
w.sync = Sync::write_through;
return {};
}
, SHOW {
  return unless(w.sync, Sync::none, "");
}
}
, {"--sync", true, TAKE{return word(v, w.sync);
}
, nullptr
}
, {"--buffered", false, TAKE{(void)v;
w.direct = false;
return {};
}
, SHOW {
  return unless(w.direct, true, "");
}
}
, {"--source", true, TAKE{w.source = v;
return {};
}
, SHOW {
  return words_of(w.source);
}
}
, {"--warning", true, TAKE{w.warnings.emplace_back(v);
return {};
}
, SHOW {
  return w.warnings;
}
}
,
}
;

#undef TAKE
#undef SHOW

const Option* find_option(std::string_view name) {
  for (const Option& option : options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

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

/// A word as it stands, or in quotes where it needs them.
std::string quoted_word(std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(" \t\r\n\"\\") == std::string_view::npos;
  return plain ? std::string(text) : in_quotes(text);
}

Result<Workload> parse_line(std::string_view line, std::size_t number) {
  const auto malformed = [number](std::string what) {
    return fail(Errc::malformed, std::move(what), fmt::format("line {}", number));
  };
  const auto words = split(line);
  if (!words) return malformed("a quote is not closed");
  Workload workload;
  std::vector<std::string_view> given;
  for (std::size_t i = 0; i < words->size(); ++i) {
    std::string_view name = (*words)[i];
    std::optional<std::string_view> value;
    if (const std::size_t equals = name.find('=');
        name.starts_with("--") && equals != std::string_view::npos) {
      value = name.substr(equals + 1);
      name = name.substr(0, equals);
    }
    const Option* found = find_option(name);
    if (found == nullptr) return malformed(fmt::format("unknown word \"{}\"", name));
    if (value && !found->has_value) return malformed(fmt::format("{} takes no value", name));
    if (!value && found->has_value) {
      if (++i == words->size()) return malformed(fmt::format("{} has no value", name));
      value = (*words)[i];
    }
    if (const Problem problem = found->take(value.value_or(""), workload)) {
      return malformed(fmt::format("{}: {}", name, *problem));
    }
    given.push_back(found->name);
  }
  // What follows from the rest, but for what was said.
  Workload derived = workload;
  derive(derived);
  const auto was_given = [&](std::string_view name) {
    return std::find(given.begin(), given.end(), name) != given.end();
  };
  if (!was_given("--block-size")) workload.block_bytes = derived.block_bytes;
  if (!was_given("--read-percent")) workload.read_percent = derived.read_percent;
  if (!was_given("--pattern")) workload.pattern = derived.pattern;
  if (!was_given("--workers")) workload.workers = derived.workers;
  if (!was_given("--queue-depth")) workload.queue_depth_per_worker = derived.queue_depth_per_worker;
  if (!was_given("--outstanding")) workload.outstanding_total = outstanding(workload);
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
    std::string line;
    for (const Option& option : options) {
      if (option.show == nullptr) continue;
      for (const std::string& value : option.show(w)) {
        line += fmt::format("{}{}", line.empty() ? "" : " ", option.name);
        if (option.has_value) line += " " + quoted_word(value);
      }
    }
    out += line + "\n";
  }
  return out;
}

Status set_native_option(Workload& workload, std::string_view name, std::string_view value) {
  const Option* option = find_option(name);
  if (option == nullptr)
    return fail(Errc::usage, "no workload option has this name", std::string(name));
  if (const Problem problem = option->take(value, workload)) {
    return fail(Errc::usage, fmt::format("{}: {}", name, *problem));
  }
  return Done{};
}

}  // namespace raidscope
