#pragma once

#include <string>
#include <vector>

#include "reports/analysis/beside_references.h"
#include "reports/text.h"

namespace raidscope {

/// The cells of one row: point, our IOPS with its origin, the reference, its IOPS, the ratio, what
/// differs, what nobody told.
std::vector<std::string> reference_cells(const ReferencePosition& row);
std::vector<std::string> reference_titles();

/// Empty where there are none; else with a heading and an empty line before it.
std::string references_text(const std::vector<ReferencePosition>& rows, const TextStyle& style);
std::string references_markdown(const std::vector<ReferencePosition>& rows);

/// "S2-18 (published claim): at 18 disks both are equal; not told: …".
std::string claim_words(const Reference& reference);

}  // namespace raidscope
