#include "controllers/settings/apply/journal_file.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <utility>

#include <sys/file.h>
#include <sys/stat.h>

#include "controllers/settings/apply/known_journals.h"
#include "controllers/settings/apply/sync_folder.h"
#include "probe/base/text.h"
#include "probe/os/unique_fd.h"

namespace raidscope::settings {
Status sync_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0)
    return fail(Errc::unwritable, "the journal's folder could not be synchronised", folder,
                "nothing further is changed", errno);
  return Done{};
}

std::string JournalFile::default_path() {
  return state_folder() + "/settings-journal.json";
}

std::string JournalFile::restore_command(const std::string& path) {
  std::string out = "raidscope settings restore";
  if (path != default_path()) out += " --journal " + text::shell_word(path);
  return out;
}

bool JournalFile::is_open(const std::string& path) noexcept {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

Result<JournalFile> JournalFile::hold(std::string path) {
  std::error_code problem;
  path = std::filesystem::absolute(path, problem).string();
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), problem);
  // One for the machine, wherever the journal lies.
  std::filesystem::create_directories(state_folder(), problem);
  const std::string lock = default_path() + ".lock";
  UniqueFd fd(::open(lock.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) {
    return fail(errno == EACCES ? Errc::permission : Errc::unwritable,
                "changes of settings cannot be kept apart without this lock", lock,
                "nothing was changed; $RAIDSCOPE_STATE names another folder", errno);
  }
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    return fail(Errc::busy, "another raidscope is changing settings", path,
                "wait until it has ended");
  }
  return JournalFile(std::move(path), fd.release());
}

JournalFile::JournalFile(JournalFile&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

JournalFile::~JournalFile() {
  if (lock_ >= 0) ::close(lock_);
}

Result<std::optional<Journal>> JournalFile::read() const {
  if (!is_open(path_)) return std::optional<Journal>{};
  const std::ifstream file(path_, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || !text)
    return fail(Errc::io, "the journal of settings cannot be read", path_, "", errno);
  RAIDSCOPE_TRY(Journal journal, journal_from_text(text.str(), path_));
  return std::optional<Journal>(std::move(journal));
}

Status JournalFile::write(const Journal& journal) const {
  const std::string text = journal_text(journal);
  const std::string fresh = path_ + ".new";
  const bool first = !is_open(path_);
  const auto failed = [&] {
    const int why = errno;
    ::unlink(fresh.c_str());
    return fail(Errc::unwritable, "the journal of settings could not be written", path_,
                "nothing is changed without it", why);
  };
  {
    const UniqueFd fd(
        ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd) return failed();
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = ::write(fd.get(), text.data() + done, text.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return failed();
      done += static_cast<std::size_t>(n);
    }
    if (::fsync(fd.get()) != 0) return failed();
  }
  if (::rename(fresh.c_str(), path_.c_str()) != 0) return failed();
  RAIDSCOPE_CHECK(sync_folder(path_));
  // After the journal: a crash between the two leaves one that nothing was changed under.
  const Status announced = announce_journal(path_);
  if (!announced && first) ::unlink(path_.c_str());
  return announced;
}

Status JournalFile::close() const {
  RAIDSCOPE_CHECK(forget_journal(path_));
  if (::unlink(path_.c_str()) != 0 && errno != ENOENT) {
    return fail(Errc::io, "everything was put back, but the journal could not be removed", path_,
                "remove it by hand", errno);
  }
  return sync_folder(path_);
}

}  // namespace raidscope::settings
