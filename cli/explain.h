#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/assemble.h"
#include "controllers/inventory/inventory.h"
#include "probe/base/result.h"

/// `probe --explain FACT`: who said what of a field.
namespace raidscope::cli {

struct Explanation {
  std::string fact;   ///< JSON pointer
  std::string value;  ///< as JSON
  std::vector<PathValue> told;
  std::string taken;  ///< path name, "none", or empty where nobody told it or it was derived
  std::string why;
};

/// Every field that `fact` names: a JSON pointer or the beginning of one ("/controllers/0/cache"),
/// or field names in dots ("cache.ratio", "firmware"), which stand for every object that has them.
/// `origins` is empty for a document, which keeps only what was contested. usage when no field is
/// named so.
Result<std::vector<Explanation>> explain(const Inventory& inventory,
                                         const std::vector<FactOrigin>& origins,
                                         std::string_view fact);

std::string explanation_text(const std::vector<Explanation>& facts);
/// `raidscope.explanation/1`.
std::string explanation_json(const std::vector<Explanation>& facts);

}  // namespace raidscope::cli
