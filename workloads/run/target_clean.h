#pragma once

#include "probe/base/result.h"
#include "workloads/run/consent.h"

namespace raidscope {

/// Leaves a block device that write tests have filled with random bytes as the safety rules want to
/// find one: zeros in the first and the last MiB, on the disk. Random bytes there are taken for a
/// partition table or a file system sooner or later (an AHDI table,
/// github.com/axboe/fio/issues/1942), and the next test would have to ask again. A file is left
/// alone.
Status zero_edges(const WriteConsent& consent);

}  // namespace raidscope
