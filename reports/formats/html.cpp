#include <set>

#include <fmt/format.h>

#include "reports/analysis/report_analysis.h"
#include "reports/html/assets.h"
#include "reports/html/markup.h"
#include "reports/html/model.h"
#include "reports/html/sections.h"
#include "reports/report.h"
#include "reports/text/units.h"

namespace raidscope {
namespace {

constexpr std::string_view how_to_read =
    "<p>A point is one workload; its repeats are shown as their median with the least and the "
    "greatest. Bands "
    "and ranges that are called intervals hold the true value in 95 of 100 cases; two repeats give "
    "none. Latency is the time from submit to "
    "reap; a quantile "
    "is at most 1/64 too high and never too low. Little&#39;s law compares IOPS × mean latency "
    "with the requests "
    "that were outstanding: a large difference means that one of them is wrong. A bound is what a "
    "cited figure says "
    "that the hardware can do at most.</p>\n"
    "<p>The fingerprint is the same for two machines that are set up alike. The write cache is "
    "<b>protected</b> "
    "when a write is safe in a backed-up cache, <b>volatile</b> when a loss of power would lose "
    "it, and <b>none</b> "
    "when writes wait for the disks. <b>Unknown</b> means that nobody told: it is never a no. "
    "Numbers that were "
    "measured, imported, published and simulated are never to be compared with each other.</p>\n";

std::string policy() {
  return fmt::format(
      "default-src 'none'; script-src '{}' '{}' '{}'; style-src '{}'; img-src data:; base-uri "
      "'none'; "
      "form-action 'none'",
      html::policy_hash(chart_js()), html::policy_hash(page_js()), html::policy_hash(controls_js()),
      html::policy_hash(page_css()));
}

std::string origins(const ReportInput& input) {
  std::set<Origin> seen;
  for (const RunResult& run : input.runs) seen.insert(run.origin);
  std::string out;
  for (const Origin origin : seen) out += " " + html::origin_badge(origin);
  if (seen.size() > 1)
    out += " <span class=\"badge bad\">origins are mixed: do not compare across them</span>";
  return out;
}

std::string body(const ReportInput& input, const ReportAnalysis& analysis) {
  const html::Model model = html::make_model(input);
  if (input.runs.empty()) return "<main><p>There are no runs in this report.</p></main>\n";
  return "<main>\n" + html::warnings(model) + html::arms(analysis) + html::comparison(analysis) +
         "<h2 id=\"glance\">At a glance</h2>\n" + html::glance(model) + html::notes(model) +
         "<h2 id=\"results\">Results</h2>\n" + html::results(model) + html::references(analysis) +
         html::prices(analysis) + "<h2 id=\"points\">Point by point</h2>\n" + html::points(model) +
         "<h2 id=\"configuration\">Configuration and findings</h2>\n" +
         html::configurations(model) + "<h2 id=\"runs\">Runs in full</h2>\n" +
         html::run_details(model) + html::downloads(input, analysis) +
         "<p id=\"plot-says\" class=\"unseen\" aria-live=\"polite\"></p></main>\n" +
         "<script type=\"application/json\" id=\"plot-data\">" + html::plot_data(model, analysis) +
         "</script>\n";
}

std::string render_html(const ReportInput& input) {
  const std::string title = "raidscope report";
  const ReportAnalysis analysis = analyse(input);
  std::set<std::string> sessions;
  for (const RunResult& run : input.runs) sessions.insert(run.session_id);
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy());
  out +=
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n";
  out += fmt::format("<title>{}, {}</title>\n<style>{}</style>\n</head>\n<body>\n", title,
                     html::escaped(input.made_at), page_css());
  out += fmt::format(
      "<header class=\"top\"><h1>{}</h1>\n<p class=\"sub\">{} {} of {} {}, made {} by raidscope "
      "{}{}</p>\n",
      title, input.runs.size(), input.runs.size() == 1 ? "run" : "runs", sessions.size(),
      sessions.size() == 1 ? "session" : "sessions",
      input.made_at.empty() ? unknown_word : html::escaped(input.made_at),
      html::escaped(input.program_version), origins(input));
  if (!input.runs.empty()) out += html::verdict(analysis);
  out += "<nav aria-label=\"Parts of this report\">" + html::links(analysis) +
         "<a href=\"#glance\">At a glance</a><a "
         "href=\"#results\">Results</a>"
         "<a href=\"#points\">Point by point</a><a href=\"#configuration\">Configuration and "
         "findings</a>"
         "<a href=\"#runs\">Runs in full</a><a href=\"#raw\">Raw data</a><a href=\"#reading\">How "
         "to read this</a></nav></header>\n"
         "<noscript><div class=\"top\"><p class=\"note\">Plots need JavaScript. Every number that "
         "they show stands "
         "in the tables.</p></div></noscript>\n";
  out += body(input, analysis);
  out += "<footer><h2 id=\"reading\">How to read this</h2>\n";
  out += how_to_read;
  out += fmt::format(
      "<details><summary>Licence of the plotting "
      "library</summary><pre>{}</pre></details></footer>\n",
      // escaped() would join its lines.
      chart_js_licence());
  if (!input.runs.empty()) {
    out += fmt::format("<script>{}</script>\n<script>{}</script>\n<script>{}</script>\n",
                       chart_js(), page_js(), controls_js());
  }
  return out + "</body>\n</html>\n";
}

}  // namespace

extern const ReportFormat report_format_html;
const ReportFormat report_format_html{
    "html", "one page with plots that needs nothing else and asks nobody", ".html", render_html};

}  // namespace raidscope
