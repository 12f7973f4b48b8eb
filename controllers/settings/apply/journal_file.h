#pragma once

#include <optional>
#include <string>

#include "controllers/settings/journal.h"
#include "probe/base/result.h"

namespace raidscope::settings {

/// The journal on disk. One process of the machine at a time holds one (a lock in the state
/// folder), so that no two change settings.
class JournalFile {
 public:
  /// settings-journal.json in the state folder.
  static std::string default_path();
  static bool is_open(const std::string& path) noexcept;

  /// Makes the folder when it is missing. busy: another process is changing settings.
  static Result<JournalFile> hold(std::string path);
  JournalFile(JournalFile&& other) noexcept;
  JournalFile& operator=(JournalFile&&) = delete;
  ~JournalFile();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// What a person types to put the settings of the journal at this path back.
  static std::string restore_command(const std::string& path);
  /// nullopt: none is open. malformed: there is one that cannot be read; it is left alone.
  [[nodiscard]] Result<std::optional<Journal>> read() const;
  /// On the disk when it returns: written beside it, synchronised, renamed, the folder too; and
  /// announced where it lies outside of the state folder.
  [[nodiscard]] Status write(const Journal& journal) const;
  [[nodiscard]] Status close() const;

 private:
  JournalFile(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::string path_;
  int lock_ = -1;
};

}  // namespace raidscope::settings
