#pragma once

#include <string_view>

/// The files that the HTML page is made of, embedded when the program is built.
namespace raidscope {

std::string_view page_css() noexcept;
std::string_view page_js() noexcept;           ///< draws the plots
std::string_view controls_js() noexcept;       ///< switches, keys, printing, raw data
std::string_view chart_js() noexcept;          ///< Chart.js, from libjs-chart.js
std::string_view chart_js_licence() noexcept;  ///< third_party/licences/chart.js.txt

}  // namespace raidscope
