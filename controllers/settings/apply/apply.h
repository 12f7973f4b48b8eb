#pragma once

#include <functional>
#include <string>

#include "controllers/settings/apply/journal_file.h"
#include "controllers/settings/change.h"
#include "probe/base/result.h"

namespace raidscope::settings {

/// What applying needs of its surroundings.
struct Hands {
  std::function<Result<Inventory>()> look;  ///< probes, the vendor tool among the paths
  std::function<Status(const ChangeCommand&)> change;
  std::function<void(const std::string&)> say;  ///< what is done now, a line
  std::function<bool()> stop;                   ///< the user wants to end
  std::string tool = "ssacli";                  ///< that commands are said with
  std::string now;                              ///< ISO 8601 UTC, for the journal
};

/// Takes the steps of a plan. The journal is on disk before the first one, and each change is read
/// back. On a failure or a stop everything is put back before this returns with the error. After
/// success the journal stays open: restore() puts the originals back. refused: a journal is open
/// already, or a present value is not the plan's.
Status apply(const Plan& plan, const JournalFile& file, const Hands& hands);

/// The same on top of an open journal, whose originals stay the originals: an experiment goes from
/// one arm to the next without going back in between. Opens a journal where none is.
Status apply_further(const Plan& plan, const JournalFile& file, const Hands& hands);

/// Puts the originals of an open journal back, reads each back, and closes the journal; nothing to
/// do when none is open. refused, with both values, when a setting is neither what it was nor what
/// we made it: somebody else changed it, and nothing is touched. The journal stays open on any
/// error.
Status restore(const JournalFile& file, const Hands& hands);

}  // namespace raidscope::settings
