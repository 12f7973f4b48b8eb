#pragma once

#include <string>

#include "reports/analysis/report_analysis.h"
#include "reports/html/model.h"

/// The parts of the page, each HTML of its own. Pure.
namespace raidscope::html {

std::string origin_badge(Origin origin);
std::string series_key(const Model& model, std::size_t series);  ///< the coloured letter

std::string verdict(const ReportAnalysis& analysis);  ///< the sentence at the top
/// To those parts of the page that not every report has.
std::string links(const ReportAnalysis& analysis);
/// The arms of a Smart Path decision over the disks; empty without two of them.
std::string arms(const ReportAnalysis& analysis);
std::string comparison(const ReportAnalysis& analysis);  ///< groups; empty with one
std::string references(const ReportAnalysis& analysis);  ///< empty without a match
std::string prices(const ReportAnalysis& analysis);      ///< empty without prices
/// Raw data, and the buttons that save it.
std::string downloads(const ReportInput& input, const ReportAnalysis& analysis);

std::string glance(const Model& model);          ///< a card for each series, with its verdicts
std::string warnings(const Model& model);        ///< what to know before trusting a number
std::string notes(const Model& model);           ///< traps of the workloads, folded
std::string results(const Model& model);         ///< the IOPS plot and the table of all points
std::string points(const Model& model);          ///< percentiles and time series of each point
std::string configurations(const Model& model);  ///< inventories with their findings beside them
std::string run_details(const Model& model);     ///< everything else that a run says

}  // namespace raidscope::html
