#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "probe/host.h"
#include "probe/os/unique_fd.h"

namespace raidscope {

struct VendorToolOptions {
  std::string tool;  ///< a path or a bare name; empty: the first of the known tools, newest first
  std::chrono::milliseconds timeout{std::chrono::seconds(180)};
  /// From SIGTERM to SIGKILL. The tool holds a lock of its own that it should give back.
  std::chrono::milliseconds grace{std::chrono::seconds(2)};
  std::size_t output_limit = std::size_t{64} << 20;
  /// Pauses before asking again a tool that says that another instance is running.
  std::vector<std::chrono::milliseconds> busy_pauses{
      std::chrono::seconds(1), std::chrono::seconds(2), std::chrono::seconds(4)};
  /// Where the lock file may be, best first; a folder that cannot be used is passed over.
  std::vector<std::string> lock_folders;
  /// Told of what is waited for; empty: nobody is.
  std::function<void(const std::string&)> say{};
  /// False for a machine that is not the running one: only a tool that was named is run.
  bool live = true;
};

/// Full path of the tool to run, or empty. Looks at $PATH and the packages' own folders.
std::string find_vendor_tool(std::string_view named);

/// /run for root, where nobody else can make a file first; $XDG_RUNTIME_DIR for others; then /tmp.
std::vector<std::string> default_lock_folders();
/// One name for root, one for each other user: a user's file is not another's to lock.
std::string vendor_tool_lock_name();

/// Held while the tool runs, by everyone who runs it; `say` hears of a wait. busy: somebody else
/// holds it for longer than `patience`. interrupted: a signal to end came meanwhile.
Result<UniqueFd> take_vendor_tool_lock(const std::vector<std::string>& folders,
                                       std::chrono::milliseconds patience,
                                       const std::function<void(const std::string&)>& say = {});
/// What a started tool has of this process beside its words and an environment in English.
struct ToolStart {
  int out = -1, err = -1;    ///< where it prints
  int kept = -1;             ///< a descriptor that lives as long as the tool does; -1: none
  bool own_session = false;  ///< neither the terminal's Ctrl-C nor its end reaches it
};
/// No shell, closed input, signals as by default, in "/". Gives posix_spawn's error, 0 for none.
int start_vendor_tool(std::vector<std::string> argv, const ToolStart& how, pid_t& pid);
/// Whether it refused to work because another of its kind does.
bool says_another_instance(std::string_view output) noexcept;

/// Runs one vendor tool at a time: no shell, closed standard input, a timeout, its own process
/// group of which nothing is left behind.
class VendorToolRunner final : public ToolRunner {
 public:
  explicit VendorToolRunner(VendorToolOptions options);
  Result<ToolAnswer> run(ToolQuery query) const override;
  [[nodiscard]] const std::string& tool() const { return tool_; }

 private:
  VendorToolOptions options_;
  std::string tool_;
};

}  // namespace raidscope
