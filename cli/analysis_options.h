#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/verb.h"
#include "probe/base/result.h"
#include "workloads/ratio_interval.h"

/// The options that `compare` and `decide` share.
namespace raidscope::cli {

/// Setting keys of a comma list, each as its document writes it.
Result<std::vector<std::string>> keys_option(const Arguments& arguments, std::string_view name);
/// A number of at least `least` and at most `most`; nullopt when it is not given.
Result<std::optional<double>> number_option(const Arguments& arguments, std::string_view name,
                                            double least, double most);
/// --margin as a share; 0.05 when it is not given.
Result<double> margin_option(const Arguments& arguments);
/// --method.
Result<IntervalMethod> method_option(const Arguments& arguments);
/// --format, else by the ending of -o: "json", "csv", "markdown" or "text".
std::string table_format(const Arguments& arguments);

}  // namespace raidscope::cli
