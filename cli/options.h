#pragma once

#include "cli/verb.h"

/// The option table: every option that more than one verb takes stands here once.
namespace raidscope::cli {

extern const OptionGroup common_options;     ///< --help, --quiet
extern const OptionGroup format_options;     ///< --format text|json, -o
extern const OptionGroup machine_options;    ///< --sysroot, --ssacli, --tool-timeout
extern const OptionGroup source_options;     ///< --from, --only
extern const OptionGroup redact_options;     ///< --redact, --redact-key
extern const OptionGroup store_options;      ///< --store
extern const OptionGroup workload_options;   ///< what to do to the target
extern const OptionGroup syntax_options;     ///< --sqlio, --diskspd, --iometer, --fio, --map
extern const OptionGroup target_options;     ///< --target, --size, --keep, …
extern const OptionGroup resume_options;     ///< --resume, --accept-change
extern const OptionGroup inventory_options;  ///< --inventory, --inventory-after, --logical-drive
extern const OptionGroup bound_options;      ///< --drive-iops, --drive-mbps
extern const OptionGroup price_options;      ///< --price-drive, --price-module, …
extern const OptionGroup safety_options;     ///< --accept, --destroy-data, --max-write, --dry-run

}  // namespace raidscope::cli
