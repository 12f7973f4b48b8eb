#pragma once

#include <string_view>

namespace raidscope {

/// What the emulated controller of tests/lab and its guest say of themselves: in the vendor's bytes
/// of INQUIRY (kept as the extras "INQUIRY" and "inquiry"), in BMIC's name of the controller, in
/// DMI. Results on them are simulated.
inline constexpr std::string_view emulated_mark = "raidscope-lab";

}  // namespace raidscope
