#include "reports/text/line_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "reports/text/layout.h"
#include "reports/text/units.h"

namespace raidscope {
namespace {

constexpr std::size_t rows = 10;
constexpr std::size_t dots_across = 2, dots_down = 4;  // of one braille character
constexpr std::size_t label_columns = 10;

std::string utf8(std::uint32_t code) {
  return {static_cast<char>(0xE0U | code >> 12U), static_cast<char>(0x80U | (code >> 6U & 0x3FU)),
          static_cast<char>(0x80U | (code & 0x3FU))};
}

/// The dots of a braille character, by column and row.
constexpr std::uint8_t dot_bits[dots_across][dots_down] = {{0x01, 0x02, 0x04, 0x40},
                                                           {0x08, 0x10, 0x20, 0x80}};

class Canvas {
 public:
  explicit Canvas(std::size_t columns)
      : columns_(columns), dots_(columns * rows), marks_(columns * rows) {}

  [[nodiscard]] double width() const { return static_cast<double>(columns_ * dots_across - 1); }
  [[nodiscard]] static double height() { return static_cast<double>(rows * dots_down - 1); }

  void dot(double x, double y) {
    const auto [column, row] = place(x, y);
    dots_[row / dots_down * columns_ + column / dots_across] |=
        dot_bits[column % dots_across][row % dots_down];
  }
  void mark(double x, double y, char letter) {
    const auto [column, row] = place(x, y);
    char& cell = marks_[row / dots_down * columns_ + column / dots_across];
    // Two lines in one place.
    cell = cell == 0 || cell == letter ? letter : '*';
  }
  [[nodiscard]] std::string row_text(std::size_t row) const {
    std::string out;
    for (std::size_t column = 0; column < columns_; ++column) {
      const std::size_t at = row * columns_ + column;
      out += marks_[at] != 0  ? std::string(1, marks_[at])
             : dots_[at] != 0 ? utf8(0x2800U + dots_[at])
                              : std::string(" ");
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
  }

 private:
  /// y upwards in dots, row downwards.
  [[nodiscard]] std::pair<std::size_t, std::size_t> place(double x, double y) const {
    const double column = std::clamp(std::round(x), 0.0, width());
    const double row = std::clamp(std::round(height() - y), 0.0, height());
    return {static_cast<std::size_t>(column), static_cast<std::size_t>(row)};
  }

  std::size_t columns_;
  std::vector<std::uint8_t> dots_;
  std::vector<char> marks_;
};

}  // namespace

std::string line_plot(const std::vector<PlotLine>& lines, const std::string& y_title,
                      const std::string& x_title, bool log_x, const TextStyle& style) {
  double least_x = 0, most_x = 0, most_y = 0;
  bool any = false;
  for (const PlotLine& line : lines) {
    for (const PlotLine::Point& point : line.points) {
      least_x = any ? std::min(least_x, point.x) : point.x;
      most_x = any ? std::max(most_x, point.x) : point.x;
      most_y = std::max(most_y, point.y);
      any = true;
    }
  }
  if (!any || !(most_y > 0) || (log_x && !(least_x > 0))) return {};
  const auto along = [&](double x) { return log_x ? std::log(x) : x; };
  const double span = along(most_x) - along(least_x);
  const std::size_t wide = usable_width(style);
  Canvas canvas(
      std::clamp<std::size_t>(wide > label_columns + 4 ? wide - label_columns - 4 : 20, 20, 64));
  const auto place = [&](const PlotLine::Point& point) {
    return PlotLine::Point{span > 0 ? (along(point.x) - along(least_x)) / span * canvas.width() : 0,
                           point.y / most_y * Canvas::height()};
  };
  for (const PlotLine& line : lines) {
    for (std::size_t i = 0; i + 1 < line.points.size(); ++i) {
      const PlotLine::Point a = place(line.points[i]), b = place(line.points[i + 1]);
      const double steps = std::max({std::abs(b.x - a.x), std::abs(b.y - a.y), 1.0});
      for (double step = 0; step <= steps; ++step)
        canvas.dot(a.x + (b.x - a.x) * step / steps, a.y + (b.y - a.y) * step / steps);
    }
  }
  for (const PlotLine& line : lines) {
    for (const PlotLine::Point& point : line.points) {
      const PlotLine::Point at = place(point);
      canvas.mark(at.x, at.y, line.mark);
    }
  }
  std::string out = "  " + printable(y_title) + "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string label = row == 0 ? grouped(most_y) : row + 1 == rows ? "0" : "";
    out += fmt::format("  {:>{}} {}{}\n", label, label_columns,
                       row + 1 == rows ? "└"
                       : row == 0      ? "┤"
                                       : "│",
                       canvas.row_text(row));
  }
  const std::string left = fmt::format("{:g}", least_x), right = fmt::format("{:g}", most_x);
  const auto width = static_cast<std::size_t>(canvas.width() + 1) / dots_across;
  const std::string middle = display_width(x_title) + left.size() + right.size() + 4 < width
                                 ? printable(x_title)
                                 : std::string();
  const std::size_t used = left.size() + right.size() + display_width(middle);
  const std::size_t gap = width > used ? width - used : 2;
  out += std::string(label_columns + 4, ' ') + left + std::string(gap / 2, ' ') + middle +
         std::string(gap - gap / 2, ' ') + right + "\n";
  for (const PlotLine& line : lines)
    out += std::string(label_columns + 4, ' ') + line.mark + "  " + printable(line.name) + "\n";
  return out;
}

std::string sparkline(const std::vector<double>& values, std::size_t columns) {
  if (values.empty() || columns == 0) return {};
  const std::size_t count = std::min(values.size(), columns);
  std::vector<double> means;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * values.size() / count, end = (i + 1) * values.size() / count;
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) sum += values[k];
    means.push_back(sum / static_cast<double>(end - begin));
  }
  const double most = *std::max_element(means.begin(), means.end());
  std::string out;
  for (const double mean : means) {
    const double level = most > 0 ? std::clamp(mean / most, 0.0, 1.0) * 7 : 0;
    out += utf8(0x2581U + static_cast<std::uint32_t>(std::lround(level)));
  }
  return out;
}

}  // namespace raidscope
