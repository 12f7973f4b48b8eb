#include "reports/text/diff.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/words.h"

namespace raidscope {
namespace {

/// "P420i slot 0 / LD 1 / caching" is the fact "caching" of the object before it.
std::pair<std::string_view, std::string_view> object_and_fact(std::string_view path) {
  const std::size_t cut = path.rfind(" / ");
  if (cut == std::string_view::npos) return {"this machine", path};
  return {path.substr(0, cut), path.substr(cut + 3)};
}

/// What the fingerprint holds, and what follows from it and says most.
bool changes_results(const Difference& difference) {
  const std::string_view fact = object_and_fact(difference.fact).second;
  return difference.performance || fact == "io_path" || fact == "effective_write_cache";
}

std::string facts_text(const std::vector<Difference>& differences, bool performance,
                       const TextStyle& style) {
  std::string out;
  // The objects in the order of their first difference; a later one joins the others of its object.
  std::vector<std::string_view> objects;
  for (const Difference& difference : differences) {
    const std::string_view object = object_and_fact(difference.fact).first;
    if (changes_results(difference) == performance &&
        std::find(objects.begin(), objects.end(), object) == objects.end())
      objects.push_back(object);
  }
  for (const std::string_view object : objects) {
    out += "  " + paint(printable(object), Ink::strong, style) + "\n";
    for (const Difference& difference : differences) {
      const auto [of, fact] = object_and_fact(difference.fact);
      if (changes_results(difference) != performance || of != object) continue;
      out += "    " +
             wrapped(printable(fmt::format("{}: {} -> {}", fact, difference.a, difference.b)),
                     usable_width(style) - 4, 6) +
             "\n";
    }
  }
  return out;
}

Ink ink_of(const std::string& word) {
  if (word == "clear") return Ink::good;
  if (word == "unknown") return Ink::dim;
  if (word == "info") return Ink::plain;
  return word == "warning" ? Ink::warn : Ink::bad;
}

std::string rules_text(const std::vector<RuleChange>& rules, const TextStyle& style) {
  std::string out;
  for (const RuleChange& change : rules) {
    const bool everywhere = change.subject == Subject{};
    out += fmt::format("  {}{}  {} -> {}\n", paint(printable(change.rule), Ink::strong, style),
                       everywhere ? "" : "  " + printable(subject_words(change.subject)),
                       paint(change.a, ink_of(change.a), style),
                       paint(change.b, ink_of(change.b), style));
    if (!change.evidence.empty())
      out += "    " + wrapped(printable(change.evidence), usable_width(style) - 4, 4) + "\n";
  }
  return out;
}

}  // namespace

std::string diff_text(const std::vector<Difference>& differences,
                      const std::vector<RuleChange>& rules, const TextStyle& style) {
  if (differences.empty() && rules.empty()) return "no difference\n";
  std::string out;
  const auto part = [&out](std::string_view title, const std::string& lines) {
    if (!lines.empty()) out += fmt::format("{}{}\n{}", out.empty() ? "" : "\n", title, lines);
  };
  part("Differs, and changes what a test measures:", facts_text(differences, true, style));
  part("Differs, without a bearing on performance:", facts_text(differences, false, style));
  part("Audit rules that changed verdict:", rules_text(rules, style));
  return out;
}

}  // namespace raidscope
