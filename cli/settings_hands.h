#pragma once

#include <string>

#include "cli/verb.h"
#include "controllers/settings/apply/apply.h"
#include "controllers/settings/apply/journal_file.h"
#include "controllers/settings/apply/known_journals.h"
#include "probe/base/result.h"

/// What `settings` and `experiment` change settings with.
namespace raidscope::cli {

/// --journal, or the one that is open, or the place where it is kept by itself.
std::string journal_path(const Arguments& arguments);

/// That it is open or lost, and what to do.
std::string journal_words(const settings::KnownJournal& journal);

/// refused: one is open or lost, and it is not this one; nothing may be changed before it is put
/// back.
Status no_other_journal(const std::string& path);

/// Full path of the vendor tool. unsupported when there is none.
Result<std::string> tool_for_changes(const Arguments& arguments);

/// Probes this machine, gives the tool its commands, says each step, and stops with the user's
/// signals.
settings::Hands settings_hands(const Arguments& arguments, const std::string& tool);

}  // namespace raidscope::cli
