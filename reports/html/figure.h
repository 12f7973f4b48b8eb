#pragma once

#include <string>
#include <string_view>

namespace raidscope::html {

/// A plot's place: what it is for those who do not see it, its numbers close by (`described_by`),
/// and a switch between linear and logarithmic for each letter of `axes` ("y", "xy", "").
std::string figure(const std::string& id, const std::string& caption,
                   const std::string& described_by, std::string_view axes);

}  // namespace raidscope::html
