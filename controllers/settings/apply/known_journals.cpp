#include "controllers/settings/apply/known_journals.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include <sys/stat.h>

#include "controllers/inventory/fingerprint.h"
#include "controllers/settings/apply/journal_file.h"
#include "controllers/settings/apply/sync_folder.h"

namespace raidscope::settings {
namespace {

namespace fs = std::filesystem;

std::string links_folder() {
  return state_folder() + "/open-journals";
}

/// A path may be longer than a name can be.
std::string link_of(const std::string& path) {
  return links_folder() + "/" + sha256_hex(path).substr(0, 32);
}

/// What may not be looked at may be there.
bool is_gone(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

}  // namespace

std::string state_folder() {
  const char* const folder = std::getenv("RAIDSCOPE_STATE");
  return folder != nullptr && *folder == '/' ? folder : "/var/lib/raidscope";
}

std::vector<KnownJournal> known_journals() {
  std::vector<KnownJournal> out;
  if (JournalFile::is_open(JournalFile::default_path()))
    out.push_back({JournalFile::default_path(), {}, false});
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(links_folder(), problem)) {
    std::error_code unread;
    const std::string path = fs::read_symlink(entry.path(), unread).string();
    if (!unread) out.push_back({path, entry.path().string(), is_gone(path)});
  }
  // Those that can be put back come first, and always in the same order.
  std::sort(out.begin(), out.end(), [](const KnownJournal& a, const KnownJournal& b) {
    return std::tie(a.lost, a.link) < std::tie(b.lost, b.link);
  });
  return out;
}

Status announce_journal(const std::string& path) {
  if (path == JournalFile::default_path()) return Done{};
  std::error_code problem;
  fs::create_directories(links_folder(), problem);
  const std::string link = link_of(path);
  if (::symlink(path.c_str(), link.c_str()) != 0) {
    if (errno == EEXIST) return Done{};  // on the disk since the first change
    return fail(Errc::unwritable, "the journal of settings could not be announced", link,
                "nothing is changed without it", errno);
  }
  return sync_folder(link);
}

Status forget_journal(const std::string& path) {
  const std::string link = link_of(path);
  if (::unlink(link.c_str()) == 0) return sync_folder(link);
  if (errno == ENOENT || errno == ENOTDIR) return Done{};
  return fail(Errc::io, "everything was put back, but a link to the journal could not be removed",
              link, "remove it by hand, and the journal", errno);
}

}  // namespace raidscope::settings
