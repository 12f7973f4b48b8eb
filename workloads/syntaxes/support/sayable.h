#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/base/result.h"
#include "workloads/workload.h"

/// What printers of other tools' syntaxes share: telling what a syntax cannot say.
namespace raidscope {

/// Sentences about one workload that a syntax could not say all of.
class Losses {
 public:
  Losses(const Workload& workload, std::string_view tool, std::vector<std::string>& out)
      : name_(workload.name.empty() ? "the workload" : workload.name), tool_(tool), out_(out) {}
  /// "4k read: SQLIO cannot say a ramp-up of 1m".
  void add(std::string_view what) {
    out_.push_back(name_ + ": " + std::string(tool_) + " cannot say " + std::string(what));
  }
  void add_if(bool lost, std::string_view what) {
    if (lost) add(what);
  }

 private:
  std::string name_;
  std::string_view tool_;
  std::vector<std::string>& out_;
};

/// The parts of a workload that a syntax may lack.
struct Sayable {
  bool mix = false, read_write = false, random_share = false, alignment = false, ramp = false;
  bool cooldown = false, seed = false, area = false, base = false, instances = false;
  bool open_rate = false, poisson = false, think = false, fsync = false, trim = false;
  bool data = false, verify = false, poll = false, hot_spots = false, skewed = false, once = false;
};

void add_unsayable(const Workload& workload, const Sayable& can, Losses& losses);

inline constexpr std::uint64_t largest_block = std::uint64_t{1} << 30U;

/// Errc::malformed at `where` for what no run can do whatever options are added: --buffered and
/// --time may still change what direct I/O and the time ask for.
Status possible(const Workload& workload, std::string where);

/// A whole number without sign of at most `most`.
std::optional<std::uint64_t> to_count(std::string_view text, std::uint64_t most = UINT64_MAX / 2);

/// Adds a text once.
void add_once(std::vector<std::string>& list, std::string text);
/// The index of a text in a list, which gets it when it is new.
std::uint32_t index_in(std::vector<std::string>& list, const std::string& text);

/// A name as a shell word of Windows: in quotes where it has blanks. Nothing when no quoting does.
std::optional<std::string> windows_word(std::string_view text);

}  // namespace raidscope
