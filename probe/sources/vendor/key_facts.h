#pragma once

#include <cstdint>
#include <string_view>

#include "probe/sources/vendor/fact_builder.h"
#include "probe/sources/vendor/vendor_keys.h"
#include "probe/sources/vendor/vendor_lines.h"

namespace raidscope::vendor {

/// Tells the facts of one "Key: value". False when the value is not (wholly) told by them, so that
/// the key and the value belong into the extras too. `whole` is false for a line that the end of
/// the text may have cut: then only a value of a closed set is told.
bool tell_key(FactBuilder& out, EntityId entity, const KeyRule& rule, std::string_view value,
              std::uint32_t line, bool whole);

/// True when nothing can follow the value: what stands on the next line is no continuation of it.
bool is_complete_value(const KeyRule& rule, std::string_view value);

/// Tells the facts of a one-line drive: interface, size, status, spare.
void tell_drive_line(FactBuilder& out, EntityId drive, const Line& line, std::uint32_t number,
                     bool whole);
/// Tells the facts of a one-line logical drive: size, level, status.
void tell_logical_line(FactBuilder& out, EntityId drive, const Line& line, std::uint32_t number,
                       bool whole);

/// True when a one-line drive is listed as a spare.
bool is_spare_line(const Line& line);

}  // namespace raidscope::vendor
