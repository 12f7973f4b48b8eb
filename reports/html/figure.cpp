#include "reports/html/figure.h"

#include <fmt/format.h>

namespace raidscope::html {

std::string figure(const std::string& id, const std::string& caption,
                   const std::string& described_by, std::string_view axes) {
  std::string switches;
  for (const char axis : axes) {
    switches += fmt::format(
        "<button type=\"button\" class=\"switch\" data-plot=\"{0}\" data-axis=\"{1}\" "
        "aria-pressed=\"false\" aria-label=\"Logarithmic {1} axis of: {2}\">log {1}</button>",
        id, axis, caption);
  }
  return fmt::format(
      "<figure><div class=\"caption\"><figcaption>{0}</figcaption>{3}</div><div "
      "class=\"plot\"><canvas id=\"{1}\" role=\"img\" tabindex=\"0\" "
      "aria-label=\"Plot: {0}. The arrow keys walk along its points; the numbers stand in a table "
      "below.\" aria-describedby=\"{2}\"></canvas></div></figure>\n",
      caption, id, described_by, switches);
}

}  // namespace raidscope::html
