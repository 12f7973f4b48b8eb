#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/result.h"
#include "workloads/workload.h"

namespace raidscope {

/// The text of a file that a workload text names (SQLIO's -F, fio's include). Parsers read no
/// files: whoever can gives this.
using NamedTexts = std::function<Result<std::string>(const std::string& name)>;

/// Warnings of --fio that no longer hold when --spread says which offsets are taken.
inline constexpr std::string_view fio_map_warning =
    "without norandommap fio takes each block once before it takes one again, which a cache "
    "serves worse and a drive better than free choice";
inline constexpr std::string_view fio_mixed_map_warning =
    "without norandommap fio marks what it has taken in units of the smallest block; with several "
    "block sizes that has no equivalent here: offsets are drawn freely, and requests may repeat a "
    "position before all were taken";

/// What came of writing workloads down. `losses`: one sentence for each thing that the syntax
/// cannot say, which is then not in the text; with none, parsing the text gives the same workloads,
/// but for `source`, `warnings`, and names where the syntax has none.
struct Printed {
  std::string text;
  std::vector<std::string> losses{};
};

/// A way to write workloads down. parse(print(w)) == w is a property test over every syntax. To add
/// one, add workloads/syntaxes/NAME.cpp that defines `const Syntax syntax_NAME`.
struct Syntax {
  std::string_view id;
  std::string_view summary;
  /// Errc::malformed names the line or word and what was expected. Nothing is dropped in silence:
  /// what a Workload cannot hold is refused, what does not touch the I/O is in `warnings`.
  Result<std::vector<Workload>> (*parse)(std::string_view text, const NamedTexts& files) = nullptr;
  Printed (*print)(std::span<const Workload> workloads) = nullptr;
};

std::span<const Syntax* const> syntaxes() noexcept;  // generated

/// Null when there is none of this name.
const Syntax* find_syntax(std::string_view id) noexcept;

}  // namespace raidscope
