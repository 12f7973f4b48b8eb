#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace raidscope {

/// The ids that a person may have meant, nearest first: by letters to change, with a shared
/// beginning counting in favour. Empty where nothing is near. Pure.
std::vector<std::string> near_ids(std::string_view wanted, const std::vector<std::string>& known,
                                  std::size_t most = 3);

}  // namespace raidscope
