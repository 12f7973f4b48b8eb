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
  bool ended_well = false;  ///< the tool itself said, by its exit code, that it had printed all
};

/// Every note on a text that was cut off, or may have been, holds these words.
inline constexpr std::string_view text_ends_words = "the text ends in";

/// The note on a text that ends in an array, inside a drive's block or in a list of drives without
/// the blank line that the tools print behind one: it may have been cut off at a line's end.
inline constexpr std::string_view open_list_note =
    "the text ends in an array: more of its drives may have followed";

/// The note on a text that ends where no answer of the tools ends.
inline constexpr std::string_view cut_off_note =
    "the text ends inside an answer of the tool: what followed was cut off";

/// Reads what hpacucli, hpssacli or ssacli printed: one or several answers in one or several texts
/// of one machine, in any dialect, with prompts, log noise and damage around and inside.
/// Controllers that several answers describe are merged by name and slot. Pure, linear in the size
/// of the text, never throws.
///
/// Errc::malformed with the text's name when nothing in it is vendor output. A text that says that
/// there is no controller gives a FactSet without controllers whose detail says so.
Result<FactSet> parse_vendor_text(std::span<const NamedText> texts);

}  // namespace raidscope
