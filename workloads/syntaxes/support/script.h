#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/result.h"

namespace raidscope {

/// One call of a tool in a script, its own name and what the shell keeps for itself taken off.
struct ToolCall {
  std::size_t line = 0;  ///< from 1
  std::string text;      ///< as written, without redirection: "sqlio -kR -s120 testfile.dat"
  std::vector<std::string> words;
};

struct Script {
  std::vector<ToolCall> calls;
  /// What `echo text > name` and `>>` make of files, which is how scripts write parameter files.
  std::map<std::string, std::string> files;
  std::vector<std::string> notes;  ///< lines that are not followed
};

/// The calls of a tool in one line, with or without its name in front, or in a whole batch or
/// PowerShell script: .\SQLIO.EXE -kR …, start /wait sqlio …, & "C:\tools\sqlio.exe" … >> out.txt.
/// Comments, echo and pauses are passed over; other commands are noted. Errc::malformed when no
/// call is there, for an open quote, and for what is only known when the script runs: a variable
/// (by name), or a call inside a loop or condition.
Result<Script> read_script(std::string_view text, std::string_view tool);

}  // namespace raidscope
