#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/lab/card/machine.h"

namespace raidscope::lab {

/// "2 GiB" -> 2147483648; nothing for what is no size.
std::optional<std::uint64_t> bytes_of(std::string_view words);

/// Makes up what a description leaves out, from the catalogue and from what is customary, so that
/// the same description always gives the same card. What is wrong with it, as a JSON pointer and
/// words; empty when nothing is.
std::string complete(Machine& machine);

}  // namespace raidscope::lab
