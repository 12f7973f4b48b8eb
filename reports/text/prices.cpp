#include "reports/text/prices.h"

#include <fmt/format.h>

#include "reports/text/escape.h"
#include "reports/text/layout.h"

namespace raidscope {
namespace {

constexpr std::size_t first_number = 2, behind_numbers = 6;

bool is_number(std::size_t column) {
  return column >= first_number && column < behind_numbers;
}

}  // namespace

std::vector<std::string> price_titles() {
  return {"Configuration",  "Workload",      "Price",  "IOPS per unit",
          "Per 1,000 IOPS", "Per usable GB", "Counted"};
}

std::vector<std::string> price_cells(const PricedResult& row) {
  return {row.group,
          row.workload,
          price_words(row.price),
          price_words(row.iops_per_unit),
          price_words(row.per_kiops),
          price_words(row.per_gb),
          row.what};
}

std::string prices_text(const std::vector<PricedResult>& prices, const TextStyle& style) {
  if (prices.empty()) return {};
  std::vector<TableColumn> columns;
  const std::vector<std::string> titles = price_titles();
  for (std::size_t c = 0; c < titles.size(); ++c)
    columns.push_back({titles[c], is_number(c), is_number(c) ? 0U : 12U});
  std::vector<std::vector<Cell>> rows;
  for (const PricedResult& row : prices) {
    std::vector<Cell> cells;
    for (const std::string& text : price_cells(row)) cells.push_back({printable(text), Ink::plain});
    rows.push_back(std::move(cells));
  }
  return "\n" + paint("Prices", Ink::strong, style) + "\n" +
         table_text(columns, rows, style, true, 2);
}

std::string prices_markdown(const std::vector<PricedResult>& prices) {
  if (prices.empty()) return {};
  std::string out = "\n## Prices\n\n|", rule = "|";
  const std::vector<std::string> titles = price_titles();
  for (std::size_t c = 0; c < titles.size(); ++c) {
    out += " " + titles[c] + " |";
    rule += is_number(c) ? " ---: |" : " --- |";
  }
  out += "\n" + rule + "\n";
  for (const PricedResult& row : prices) {
    out += "|";
    for (const std::string& text : price_cells(row)) out += " " + markdown_text(text) + " |";
    out += "\n";
  }
  return out;
}

}  // namespace raidscope
