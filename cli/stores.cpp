#include "cli/stores.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include <sys/random.h>

#include "reports/run_id.h"

namespace raidscope::cli {

std::string store_location(const Arguments& arguments) {
  if (const auto given = arguments.get("store")) return *given;
  const auto environment = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string data = environment("XDG_DATA_HOME"); !data.empty())
    return data + "/raidscope/runs.db";
  if (::geteuid() == 0) return "/var/lib/raidscope/runs.db";
  return environment("HOME") + "/.local/share/raidscope/runs.db";
}

std::string new_id(char kind) {
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  std::uint64_t chance = 0;
  if (::getrandom(&chance, sizeof chance, 0) != static_cast<ssize_t>(sizeof chance)) {
    chance = static_cast<std::uint64_t>(::getpid());
  }
  const auto milliseconds = static_cast<std::uint64_t>(now.count());
  return kind == 's' ? make_session_id(milliseconds, chance) : make_run_id(milliseconds, chance);
}

Result<std::unique_ptr<Store>> open_asked_store(const Arguments& arguments) {
  return open_store(store_location(arguments));
}

Result<std::unique_ptr<Store>> open_asked_store_to_read(const Arguments& arguments) {
  return open_store(store_location(arguments), {.read_only = true});
}

bool is_of_a_store_to_come(const Arguments& arguments, const Error& error) {
  if (error.code != Errc::not_found || error.os_errno != ENOENT) return false;
  if (!arguments.has("store")) return true;
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(error.where).parent_path();
  return folder.empty() || std::filesystem::is_directory(folder, ignored);
}

}  // namespace raidscope::cli
