#pragma once

#include <span>
#include <string>
#include <string_view>

#include "probe/base/fact.h"
#include "probe/base/result.h"

namespace raidscope {

struct NamedText {
  std::string name;  ///< file name for messages; "-" for standard input
  std::string text;
};

/// Reads what hpacucli, hpssacli or ssacli printed: one or several answers in one or several texts
/// of one machine, in any dialect, with prompts, log noise and damage around and inside.
/// Controllers that several answers describe are merged by name and slot. Pure, linear in the size
/// of the text, never throws.
///
/// Errc::malformed with the text's name when nothing in it is vendor output. A text that says that
/// there is no controller gives a FactSet without controllers whose detail says so.
Result<FactSet> parse_vendor_text(std::span<const NamedText> texts);

}  // namespace raidscope
