#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/rules/context.h"

/// Readings of the inventory that several rules share. Each answers yes, no or unknown.
namespace raidscope {

// Text ------------------------------------------------------------------------------------------

/// True when `text` holds `word`, letters compared without case.
bool contains_word(std::string_view text, std::string_view word);
bool same_word(std::string_view a, std::string_view b);

/// The value that the source printed under `key`, or null.
const std::string* extra_value(const ExtraFields& extra, std::string_view key);

// What was printed ------------------------------------------------------------------------------

/// The whole controller block was printed, so that a line missing from it has nothing to say.
bool printed_whole(const Controller& controller);
/// The drive's own block with its settings was printed, inside a whole controller block.
bool printed_whole(const Controller& controller, const LogicalDrive& drive);

/// The drive's own block was printed, inside a whole controller block.
bool printed_whole(const Controller& controller, const PhysicalDrive& drive);

/// The source spoke of drives at all: an answer about the controller alone tells nothing of arrays,
/// and ports and cages stand before them in a text that may be cut off.
bool drives_told(const Controller& controller);

// Models ----------------------------------------------------------------------------------------

/// Whether the model is made to have a cache module: false for the HBAs and the software RAID of
/// the catalogue, true for the P series.
Flag cache_by_design(const Controller& controller);
/// Generations before Gen8, none of which can do Smart Path.
Flag before_smart_path(const Controller& controller);
bool gen10(const Controller& controller);

/// RAID done by the processor of the server: no card, no PCIe link, no firmware of its own.
bool software_raid(const Controller& controller);
/// The model is one of these product words; unknown where the model is.
Flag model_in(const Controller& controller, std::initializer_list<std::string_view> models);

// Versions ---------------------------------------------------------------------------------------

/// "8.32-0" is {8, 32, 0}, "Linux 2.1.20-035" is {2, 1, 20, 35}: the numbers from the first digit
/// on, parted by points and dashes. Empty when there is none.
std::vector<int> version_parts(std::string_view version);
/// Part by part as numbers, missing parts as 0: 6.6 is older than 6.60, 8.32 and 8.32-0 are one.
/// Every Smart Array family writes two digits after the point. Unknown for a text without a number.
Flag older(const Text& version, std::string_view than);

// Cache -----------------------------------------------------------------------------------------

/// False where there is no cache whose state could be asked: the board is absent, the model never
/// has one, or HBA mode hides it.
bool has_cache_to_ask(const Controller& controller);
/// "cache disabled": its status says so.
Flag cache_disabled(const Controller& controller);

enum class Backup { good, recharging, failed, none, unknown };
/// The battery or capacitor, with the reading that a missing line means none only in a block
/// printed whole.
Backup backup_of(const Controller& controller);
Flag backup_good(const Controller& controller);
Flag backup_failed_or_none(const Controller& controller);

// Smart Path ------------------------------------------------------------------------------------

/// The array's switch, from the array, the drive, the drive's method or firmware's page. Null when
/// nobody told it; false for models and hard-disk arrays that cannot have it.
Flag smart_path_on(const Controller& controller, const Array* array, const LogicalDrive* drive);
Flag smart_path_on(const DriveGroup& group);
Flag solid_state(const DriveGroup& group);
/// Data drives of the group that are solid state; null when their count or media are unknown.
Integer solid_state_drives(const DriveGroup& group);

// Evidence and fixes in the vendor tool's words ---------------------------------------------------

std::string cache_evidence(const Controller& controller);   ///< "Cache Status: OK; …"
std::string backup_evidence(const Controller& controller);  ///< "Battery/Capacitor Status: OK"
std::string smart_path_evidence(const DriveGroup& group);
std::string caching_evidence(const LogicalDrive& drive);

/// "logical drive 1", "logical drives 1, 2"; empty when there is none.
std::string name_drives(const std::vector<const LogicalDrive*>& drives);
/// The other logical drives of the controller, as a sentence for `affects`; empty when there are
/// none.
std::string other_drives(const Controller& controller, const LogicalDrive* but);
/// "the whole controller: logical drives 1, 2", with what of it in front.
std::string whole_controller(const Controller& controller, std::string_view what);

/// Turn Smart Path off, then the cache on, drive by drive: the order matters.
std::vector<std::string> cache_in_place_of_smart_path(const RuleContext& context,
                                                      const DriveGroup& group);
std::string caching_on(const RuleContext& context, const Controller& controller,
                       const LogicalDrive& drive);

}  // namespace raidscope
