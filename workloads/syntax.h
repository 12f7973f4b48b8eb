#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/result.h"
#include "workloads/workload.h"

namespace raidscope {

/// A way to write workloads down. parse(print(w)) == w is a property test over every syntax. To add
/// one, add workloads/syntaxes/NAME.cpp that defines `const Syntax syntax_NAME`.
struct Syntax {
  std::string_view id;
  std::string_view summary;
  /// Errc::malformed names the line or word and what was expected.
  Result<std::vector<Workload>> (*parse)(std::string_view text) = nullptr;
  std::string (*print)(std::span<const Workload> workloads) = nullptr;
};

std::span<const Syntax* const> syntaxes() noexcept;  // generated

}  // namespace raidscope
