#pragma once

#include <cstdint>
#include <string>

namespace raidscope {

/// A run's id: 9 characters of time and 3 of chance in Crockford's base 32, lower case:
/// "1m7q2x4kd7fa". Ids made later sort later (to the millisecond, until the year 3084), have no
/// letter that is mistaken for a digit, and a prefix that is unique is enough to name one.
/// Pure: `milliseconds` since 1970 UTC and 15 bits of `random` are the caller's.
std::string make_run_id(std::uint64_t milliseconds, std::uint64_t random);

/// A session's id: "s" before an id of the same kind, so that no prefix names both a session and a
/// run.
std::string make_session_id(std::uint64_t milliseconds, std::uint64_t random);

}  // namespace raidscope
