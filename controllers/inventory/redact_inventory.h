#pragma once

#include "controllers/inventory/inventory.h"
#include "probe/capture/redactor.h"
#include "probe/capture/secrets.h"

namespace raidscope {

/// Adds the serial numbers, WWNs, ids, labels and names of an inventory, those in `extra` too, and
/// keeps its models, versions and states readable.
void collect_secrets(const Inventory& inventory, capture::Secrets& secrets);

/// The inventory with pseudonyms in every text. Fingerprints stay: they leave secrets out.
Inventory redacted(const Inventory& inventory, const capture::Redactor& redactor);

}  // namespace raidscope
