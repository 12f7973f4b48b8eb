#pragma once

#include <string>
#include <string_view>

namespace raidscope {

/// The name of a result without what only tells its repeats apart: the " #3" of a plan's rounds and
/// the "block 2, " of an experiment's visits. Results that share it, and all else that is measured
/// by, are repeats of each other.
std::string repeat_name(std::string_view name);

}  // namespace raidscope
