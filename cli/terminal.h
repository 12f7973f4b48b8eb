#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "cli/exit_code.h"
#include "cli/verb.h"
#include "probe/base/result.h"
#include "reports/text.h"

/// Where words go: data to standard output or -o FILE, everything else to standard error.
namespace raidscope::cli {

/// Colour only on a terminal and never with NO_COLOR; the width of the terminal, else 100.
TextStyle output_style(const Arguments& arguments);

/// Writes the data to -o FILE (whole or not at all) or standard output. Gives exit_done or, after
/// saying why, exit_cannot_write.
ExitCode write_data(const Arguments& arguments, std::string_view data);
/// To standard output, whatever -o says.
ExitCode print_data(std::string_view data);
/// The same for a file that a verb names itself.
Status write_file_atomically(const std::string& path, std::string_view data);

/// "raidscope: …" on standard error; gives the code for the error.
ExitCode complain(const Error& error);
ExitCode complain(ExitCode code, const std::string& message);
/// "raidscope: note: …", not with --quiet.
void note(const Arguments& arguments, std::string_view text);
/// "raidscope: warning: …", also with --quiet.
void warn(std::string_view text);

/// A line on standard error that is rewritten in place; nothing unless that is a terminal, and
/// nothing before two seconds have passed.
class ProgressLine {
 public:
  explicit ProgressLine(const Arguments& arguments);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(std::string_view text);
  void clear();

 private:
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point last_{};
};

/// "1 h 02 min", "3 min 20 s", "45 s".
std::string duration_words(double seconds);
/// Bytes for people: "4.0 GiB".
std::string size_words(double bytes);

/// ISO 8601 UTC, whole seconds.
std::string utc_now();

}  // namespace raidscope::cli
