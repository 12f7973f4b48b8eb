#pragma once

#include <string>
#include <vector>

#include "probe/base/result.h"

/// Which journals of settings are open on this machine, wherever they are kept: one that lies
/// elsewhere is announced by a link in the state folder before anything is changed, so that every
/// verb finds it.
namespace raidscope::settings {

/// /var/lib/raidscope, root's like the changes; $RAIDSCOPE_STATE in its place where it is absolute.
std::string state_folder();

struct KnownJournal {
  std::string path;   ///< absolute
  std::string link;   ///< that announces it; empty: it is the one in the state folder
  bool lost = false;  ///< announced, and not there: removed by hand, or its file system is away
};

/// Those that are open, and those that are lost. Empty on most machines at most times.
std::vector<KnownJournal> known_journals();

/// On the disk when it returns. Nothing is done for a journal in the state folder itself.
Status announce_journal(const std::string& path);
Status forget_journal(const std::string& path);

}  // namespace raidscope::settings
