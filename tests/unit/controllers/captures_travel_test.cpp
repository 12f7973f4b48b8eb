#include <gtest/gtest.h>

#include "capture_support.h"
#include "controllers/inventory/assemble.h"
#include "controllers/inventory/inventory_json.h"
#include "probe/sources/vendor/vendor_text.h"

/// What happens to vendor text on its way to us must not change what is read from it, and text that
/// is cut anywhere must never tell something that the whole text does not.
namespace raidscope::captures {
namespace {

/// null where the text is refused.
Json controllers_in(const std::string& text) {
  const NamedText named{"capture.txt", text};
  auto facts = parse_vendor_text(std::span(&named, 1));
  if (!facts) return nullptr;
  const std::array sets{*std::move(facts)};
  return to_json(assemble(sets, "")).at("controllers");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const auto end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    out.push_back(std::move(line));
    begin = end + 1;
  }
  return out;
}

template <class F>
std::string each_line(const std::string& text, F&& change) {
  std::string out;
  for (const auto& line : lines_of(text)) out += change(line) + "\n";
  return out;
}

std::string squeezed(const std::string& line) {
  std::string out;
  for (const char c : line)
    if ((c != ' ' && c != '\t') || (!out.empty() && out.back() != ' ')) out += c == '\t' ? ' ' : c;
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

struct Travel {
  const char* name;
  std::string (*change)(const std::string& text);
  bool same_words;  ///< nothing but the margin changed: the inventory must be equal, not only as
                    ///< expected
};

constexpr std::array travels{
    Travel{"line ends of Windows",
           [](const std::string& t) {
             return each_line(t, [](const std::string& l) { return l + "\r"; });
           },
           true},
    Travel{"a TAB before every line",
           [](const std::string& t) {
             return each_line(t, [](const std::string& l) { return "\t" + l; });
           },
           true},
    Travel{"a # before every line",
           [](const std::string& t) {
             return each_line(t, [](const std::string& l) { return "#" + l; });
           },
           true},
    Travel{"shifted by two",
           [](const std::string& t) {
             return each_line(t, [](const std::string& l) { return "  " + l; });
           },
           true},
    Travel{"shifted by four, not on blank lines",
           [](const std::string& t) {
             return each_line(t, [](const std::string& l) { return l.empty() ? l : "    " + l; });
           },
           true},
    Travel{"blanks behind every line",
           [](const std::string& t) {
             return each_line(t, [](const std::string& l) { return l + "   "; });
           },
           true},
    Travel{"a byte order mark in front", [](const std::string& t) { return "\xEF\xBB\xBF" + t; },
           true},
    Travel{"UTF-16 without a byte order mark",
           [](const std::string& t) {
             std::string out;
             for (const char c : t)
               if (static_cast<unsigned char>(c) < 0x80) out.append({c, '\0'});
             return out;
           },
           true},
    Travel{"carriage returns for line ends",
           [](const std::string& t) {
             std::string out;
             for (const auto& line : lines_of(t)) out += line + "\r";
             return out;
           },
           true},
    Travel{"a terminal's colours and window title",
           [](const std::string& t) {
             return "\x1b]0;root@host: ~\a" + each_line(t, [](const std::string& l) {
                      const auto colon = l.find(": ");
                      if (l.empty() || l.find_first_not_of(' ') == std::string::npos) return l;
                      if (colon == std::string::npos) return "\x1b[1m" + l + "\x1b[0m";
                      return l.substr(0, colon + 2) + "\x1b[1;32m" + l.substr(colon + 2) +
                             "\x1b[0m\x1b[K";
                    });
           },
           true},
    Travel{"log noise in front",
           [](const std::string& t) { return "collected by nightly job\n\n" + t; }, true},
    Travel{"a blank line after every line",
           [](const std::string& t) {
             return each_line(t, [](const std::string& l) { return l + "\n"; });
           },
           false},
    Travel{"no blank lines",
           [](const std::string& t) {
             std::string out;
             for (const auto& line : lines_of(t))
               if (line.find_first_not_of(" \t") != std::string::npos) out += line + "\n";
             return out;
           },
           false},
    Travel{"indentation lost and runs of blanks squeezed",
           [](const std::string& t) { return each_line(t, squeezed); }, false},
};

/// Paragraphs that the tool wraps over several lines end at a blank line, so blank lines put into
/// or taken out of them change what belongs to them.
bool holds_a_paragraph(const std::string& machine) {
  static const std::set<std::string> some{"p410-unclean-shutdown-mail-wrapped",
                                          "p410-cache-problem-banner", "p816i-a-media-errors",
                                          "p816i-a-same-warning-twice", "p800-predictive-failure"};
  return some.count(machine) != 0;
}

TEST(CapturesTravel, WhatHappensOnTheWayChangesNoFact) {
  for (const auto& machine : machines()) {
    const auto text = read_file(captures_dir() / machine / "capture.txt");
    const Json expected = Json::parse(read_file(captures_dir() / machine / "expected.json"));
    const bool refused = expected.at("exit_code") == 65;
    // The end of a cut text is what makes it cut; every travel here ends its last line.
    if (expected.value("notes", false) || text.empty()) continue;
    const Json plain = controllers_in(text);
    for (const auto& travel : travels) {
      const Json travelled = controllers_in(travel.change(text));
      if (refused) {
        EXPECT_TRUE(travelled.is_null()) << machine << ": read as vendor output, " << travel.name;
        continue;
      }
      if (travelled.is_null()) {
        ADD_FAILURE() << machine << ": refused, " << travel.name;
        continue;
      }
      if (travel.same_words) {
        EXPECT_TRUE(plain == travelled)
            << machine << ", " << travel.name << ": differs at "
            << first_difference(readable(told(plain)), readable(told(travelled)));
        continue;
      }
      if (holds_a_paragraph(machine)) continue;
      std::vector<std::string> found;
      differences(expected.at("controllers"), travelled, "/controllers", found);
      std::string all;
      for (const auto& line : found) all += "\n  " + line;
      EXPECT_TRUE(found.empty()) << machine << ", " << travel.name << all;
    }
  }
}

/// Follows from other facts, or is no fact of its own.
bool is_derived(std::string_view key) {
  static const std::set<std::string_view> some{"effective_write_cache_reason",
                                               "fingerprint",
                                               "tag",
                                               "media",
                                               "whole_block",
                                               "warnings",
                                               "extra",
                                               "role",
                                               "member_drives",
                                               "mirror_groups",
                                               "raid_candidates"};
  return some.count(key) != 0;
}

const Json* find_drive(const Json& controller, const Json& bay) {
  const auto in = [&](const Json& drives) -> const Json* {
    for (const auto& drive : drives)
      if (drive.at("bay") == bay) return &drive;
    return nullptr;
  };
  for (const auto* list : {"physical_drives", "unassigned_drives", "hba_drives"})
    if (const auto* found = in(controller.at(list))) return found;
  for (const auto& array : controller.at("arrays"))
    if (const auto* found = in(array.at("physical_drives"))) return found;
  return nullptr;
}

/// What `part` tells and `whole` does not. `controller` is the whole text's, for drives that a cut
/// text cannot place yet.
void contradictions(const Json& part, const Json& whole, const Json& controller,
                    const std::string& path, std::vector<std::string>& out) {
  if (part.is_null()) return;
  const std::string key = path.substr(path.rfind('/') + 1);
  if (key == "effective_write_cache" || key == "io_path") {
    if (part != "unknown" && part != whole)
      out.push_back(path + ": " + one_line(part) + ", whole " + one_line(whole));
    return;
  }
  if (part.is_object()) {
    for (const auto& [member, value] : part.items())
      if (!is_derived(member))
        contradictions(value, whole.is_object() ? whole.value(member, Json()) : Json(), controller,
                       path + "/" + member, out);
    return;
  }
  const std::string identity{identity_of(key)};
  if (part.is_array() && identity == "bay") {
    for (const auto& drive : part) {
      const auto here = path + "/" + one_line(drive.at("bay"));
      if (const auto* found = find_drive(controller, drive.at("bay")))
        contradictions(drive, *found, controller, here, out);
      else
        out.push_back(here + ": a drive that is not there");
    }
    return;
  }
  if (part.is_array() && (!identity.empty() || key == "ports")) {
    const std::string id = key == "ports" || key == "enclosures" ? "name" : identity;
    for (const auto& element : part) {
      const auto here = path + "/" + one_line(element.at(id));
      // A heading cut before its end names no slot; there is nothing to compare it with.
      if (key == "controllers" && element.at(id).is_null()) continue;
      const auto found = std::find_if(whole.begin(), whole.end(), [&](const Json& candidate) {
        return candidate.at(id) == element.at(id) &&
               (key != "enclosures" || candidate.at("port") == element.at("port") ||
                element.at("port").is_null());
      });
      if (found == whole.end())
        out.push_back(here + ": is not there");
      else
        contradictions(element, *found, key == "controllers" ? *found : controller, here, out);
    }
    return;
  }
  if (part.is_array() && part.empty()) return;
  if (part != whole) out.push_back(path + ": " + one_line(part) + ", whole " + one_line(whole));
}

/// Behind lines, where a list is shorter and nothing looks cut, and inside them; behind every line
/// with RAIDSCOPE_THOROUGH.
std::vector<std::size_t> cuts_of(const std::string& text) {
  const bool thorough = std::getenv("RAIDSCOPE_THOROUGH") != nullptr;
  const std::size_t step = thorough ? 1 : 11;
  std::vector<std::size_t> out;
  std::size_t line = 0;
  for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1))
    if (line++ % step == 0 && end + 1 < text.size()) out.push_back(end + 1);
  const std::size_t inside = thorough ? 96 : 12;
  for (std::size_t i = 1; i < inside; ++i) out.push_back(text.size() * i / inside);
  return out;
}

TEST(CapturesTravel, ACutTextTellsNothingThatTheWholeDoesNot) {
  for (const auto& machine : machines()) {
    if (machine == "p440ar-interactive-session") continue;  // later answers change earlier ones
    const auto text = read_file(captures_dir() / machine / "capture.txt");
    const Json whole = controllers_in(text);
    if (whole.is_null()) continue;
    std::set<std::string> found;
    for (const auto length : cuts_of(text)) {
      const Json part = controllers_in(text.substr(0, length));
      if (part.is_null()) continue;
      std::vector<std::string> here;
      contradictions(part, whole, Json::object(), "/controllers", here);
      for (const auto& line : here) {
        // Behind a drive's whole block; while an array is reshaped no stripe tells how many there
        // must be.
        if (machine == "p420i-transforming" && line.find("/disk_count: 3,") != std::string::npos)
          continue;
        found.insert(line + " (cut behind " +
                     one_line(text.substr(length < 24 ? 0 : length - 24,
                                          std::min<std::size_t>(length, 24))) +
                     ")");
      }
    }
    std::string all;
    for (const auto& line : found) all += "\n  " + line;
    EXPECT_TRUE(found.empty()) << machine << all;
  }
}

}  // namespace
}  // namespace raidscope::captures
