#include "reports/text/references.h"

#include <fmt/format.h>

#include "reports/analysis/comparison.h"
#include "reports/text/escape.h"
#include "reports/text/layout.h"
#include "reports/text/units.h"

namespace raidscope {
namespace {

std::string listed(const std::vector<std::string>& words) {
  return words.empty() ? "nothing that is known" : fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace

std::vector<std::string> reference_titles() {
  return {"Point", "IOPS", "Published", "Published IOPS", "Ratio", "Differs", "Not told there"};
}

std::vector<std::string> reference_cells(const ReferencePosition& row) {
  const Reference& reference = *row.reference;
  return {row.name.empty() ? row.workload : row.name,
          fmt::format("{} ({})", grouped(row.iops), to_name(row.origin)),
          fmt::format("{}: {}", reference.id, reference.configuration),
          fmt::format("{} (published)", grouped(reference.iops.value_or(0))),
          ratio_words(row.ratio) + "×",
          listed(row.differs),
          listed(reference.unknown)};
}

std::string references_text(const std::vector<ReferencePosition>& rows, const TextStyle& style) {
  if (rows.empty()) return {};
  std::string out =
      "\n" + paint("Beside published results of the same workload", Ink::strong, style) + "\n";
  for (const ReferencePosition& row : rows) {
    const std::vector<std::string> cells = reference_cells(row);
    out += keyed_line(
        row.reference->id,
        fmt::format("{}: {}, {} the published {} of {}", cells[0], cells[1], cells[4],
                    grouped(row.reference->iops.value_or(0)), row.reference->configuration),
        12, style);
    out += keyed_line("", "differs: " + cells[5] + "; not told there: " + cells[6], 12, style,
                      Ink::dim);
  }
  return out;
}

std::string references_markdown(const std::vector<ReferencePosition>& rows) {
  if (rows.empty()) return {};
  std::string out =
      "## Beside published results\n\nOf the same workload; a single published number has no "
      "interval, so there is no verdict.\n\n|";
  std::string rule = "|";
  for (const std::string& title : reference_titles()) {
    out += " " + title + " |";
    rule += " --- |";
  }
  out += "\n" + rule + "\n";
  for (const ReferencePosition& row : rows) {
    out += "|";
    for (const std::string& cell : reference_cells(row)) out += " " + markdown_text(cell) + " |";
    out += "\n";
  }
  return out + "\n";
}

std::string claim_words(const Reference& reference) {
  return fmt::format("{} (published claim; {}): {}; not told: {}", reference.id,
                     reference.configuration, reference.says, fmt::join(reference.unknown, ", "));
}

}  // namespace raidscope
