#pragma once

#include <string>
#include <string_view>

namespace raidscope {

/// The text with every byte that is not part of well-formed UTF-8 replaced by U+FFFD: documents are
/// UTF-8 whatever bytes a capture holds. Linear; ASCII is only copied.
std::string clean_utf8(std::string_view text);

}  // namespace raidscope
