#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/base/result.h"

/// The capture bundle: one text file with every answer of one probe. docs/capture.md is the
/// format's definition. Pure: text in, values out.
namespace raidscope::capture {

inline constexpr std::string_view bundle_magic = "raidscope-capture";
inline constexpr int bundle_version = 1;

/// One question and its answer. What kinds there are is not the format's business but that of
/// answers.h; one that a reader does not know is kept.
struct Section {
  std::string kind;  ///< "file", "scsi", …: no blanks
  std::string key;   ///< what was asked
  std::vector<std::pair<std::string, std::string>> fields;
  std::string content;     ///< any bytes
  std::uint32_t line = 0;  ///< of its heading, 1-based; 0 when it was not read from a text

  /// Empty when there is no such field.
  [[nodiscard]] std::string_view field(std::string_view name) const noexcept;
  /// Equal answers; the line does not count.
  bool operator==(const Section& other) const {
    return kind == other.kind && key == other.key && fields == other.fields &&
           content == other.content;
  }
};

struct Bundle {
  std::string taken_at;    ///< ISO 8601 UTC
  std::string written_by;  ///< "raidscope 0.1.0", "capture.sh 1"
  /// True: the sections are parts of a file tree, and whatever is not in them is not there. False:
  /// they are the very answers that were given, and nothing else is known.
  bool tree = false;
  std::vector<Section> sections;
  /// False when the end marker is missing or counts other sections. The last section of a text that
  /// was cut off is then left out, but for a vendor tool's: its reader knows how to take a cut
  /// text.
  bool whole = true;
  bool lost_parts = false;         ///< the end marker is there and counts other sections
  std::vector<std::string> notes;  ///< what is odd about the text, for a person
};

/// True for a text that calls itself a bundle, of whatever version.
bool is_bundle(std::string_view text) noexcept;

std::string write_bundle(const Bundle& bundle);

/// malformed: no bundle, one of a later version, or a line that cannot be; the line is named. A
/// text that was cut off is no error: see Bundle::whole.
Result<Bundle> read_bundle(std::string_view text, std::string_view where);

/// How keys, fields and words in lists are written: "%" and two hex digits for a percent sign,
/// control characters and bytes that are no UTF-8.
std::string encode_word(std::string_view word);
std::string decode_word(std::string_view word);

std::string to_hex(std::string_view bytes);
/// False, and `out` as it was, for an odd number of digits or other letters.
bool append_hex(std::string_view digits, std::string& out);

}  // namespace raidscope::capture
