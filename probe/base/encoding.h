#pragma once

#include <string>
#include <string_view>

namespace raidscope::text {

/// Bytes to UTF-8 without a byte order mark: UTF-16 of either order by its mark or by its zero
/// bytes (PowerShell's `>` writes it), else as they are with malformed bytes replaced.
std::string decode(std::string_view bytes);

}  // namespace raidscope::text
