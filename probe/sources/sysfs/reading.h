#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/fact.h"
#include "probe/host.h"

/// Small readers for sysfs and procfs attributes. An attribute that is not there, is empty or that
/// the driver refuses is nothing: whoever asks tells no fact then.
namespace raidscope::sysfs {

/// Without blanks, newlines and NULs at both ends: drivers pad fixed-width fields with either.
std::string_view trim(std::string_view text) noexcept;
std::vector<std::string_view> lines(std::string_view text);
std::vector<std::string_view> words(std::string_view text);
/// The last part of a path.
std::string_view base_name(std::string_view path) noexcept;
/// Decimal, or hexadecimal after "0x"; the whole text or nothing.
std::optional<std::int64_t> to_integer(std::string_view text) noexcept;
bool all_digits(std::string_view text) noexcept;
/// "naa.600508B1…" and "0x6005…" as upper-case hex; other names as they are.
std::string plain_wwid(std::string_view wwid);

std::optional<std::string> text(const FileTree& files, std::string_view path);
std::optional<std::int64_t> integer(const FileTree& files, std::string_view path);
/// A binary attribute such as vpd_pg83; empty when there is none.
std::vector<std::byte> bytes(const FileTree& files, std::string_view path);
/// Names in a folder; empty when there is none.
std::vector<std::string> names(const FileTree& files, std::string_view folder);

/// Neither a PCI bus nor block devices: a tree without /sys, or a machine whose /sys is not
/// mounted. Who looks there has seen nothing, which is not the same as having seen that there is
/// none.
bool shows_no_devices(const Host& host);
/// The status of a set in which nothing was found: absent, or skipped where there was nothing to
/// look at.
void found_none(FactSet& set, const Host& host, std::string detail);
inline constexpr std::string_view no_devices_shown =
    "there is no sys to read here: neither a PCI bus nor block devices";

/// Tells a fact only where there is one.
template <class T>
void tell(FactSet& set, EntityId entity, std::string_view attribute, std::optional<T> value) {
  if (value) set.tell(entity, attribute, *std::move(value));
}

}  // namespace raidscope::sysfs
