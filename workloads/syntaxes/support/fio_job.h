#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/result.h"
#include "workloads/syntax.h"

/// What a job file of fio says, before any meaning is made of it.
namespace raidscope::fio {

struct Value {
  std::string text;  ///< "1" for an option without a value
  std::size_t line = 0;
  std::string file{};  ///< empty: the job file itself
};

/// One section, with what [global] said before it. Options have their first name ("rw", "bs").
struct Job {
  std::string name;
  std::size_t line = 0;
  std::map<std::string, Value, std::less<>> options;
};

/// "line 7" or "other.fio, line 7".
std::string where_of(const Value& value);

/// The sections of a job file but [global]. Errc::malformed names the line; a variable is refused
/// by name.
Result<std::vector<Job>> read_jobs(std::string_view text, const NamedTexts& files);

}  // namespace raidscope::fio
