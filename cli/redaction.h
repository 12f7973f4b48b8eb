#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "controllers/inventory/inventory.h"
#include "probe/base/result.h"
#include "probe/capture/bundle.h"

namespace raidscope::cli {

/// The key that pseudonyms are made with: of --redact-key FILE, which is made when it is not there,
/// else a random one for this time only. usage: --redact-key without --redact; malformed: a file
/// that holds anything but hex digits, as many as make guessing hopeless.
struct RedactKey {
  std::string bytes;
  bool random = true;
};
Result<RedactKey> redact_key(const Arguments& arguments);

/// What an inventory came from: secrets may stand there that the inventory does not show.
struct RawInput {
  std::optional<capture::Bundle> bundle;
  std::vector<std::string> texts;
  /// Of the file; it may be called after a serial number.
  std::string name;
};

struct Redacted {
  Inventory inventory;
  std::optional<capture::Bundle> bundle;
  std::string name;  ///< of the input, to be printed
  /// False when the redacted bundle does not replay to the redacted inventory.
  bool replays = true;
};

/// Takes every secret out of both. refused when one would be left: then nothing may be written.
Result<Redacted> redact(const RedactKey& key, const Inventory& inventory, const RawInput& raw);

}  // namespace raidscope::cli
