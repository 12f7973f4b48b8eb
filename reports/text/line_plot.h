#pragma once

#include <string>
#include <vector>

#include "reports/text.h"

/// Plots out of block and braille characters, for a terminal.
namespace raidscope {

struct PlotLine {
  char mark = 'A';  ///< stands on each of its points, so that lines are told apart without colour
  std::string name;
  struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
  };
  std::vector<Point> points;  ///< by rising x
};

/// Lines of braille dots between the points of each line, its mark on the points, the ends of both
/// axes labelled and the names below. `y` from 0; `log_x` where the values double. Empty without a
/// point.
std::string line_plot(const std::vector<PlotLine>& lines, const std::string& y_title,
                      const std::string& x_title, bool log_x, const TextStyle& style);

/// "▁▃▇█", one character a value, of at most `columns` (means of neighbours); the lowest block is
/// 0. Empty without a value.
std::string sparkline(const std::vector<double>& values, std::size_t columns);

}  // namespace raidscope
