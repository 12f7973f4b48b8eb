#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "probe/base/result.h"

/// Paths inside a root that is not the file system's: no leading slash, links kept in a map. Pure.
namespace raidscope::tree_path {

/// Link paths and what each link says: relative to its folder, or absolute in the root.
using Links = std::map<std::string, std::string, std::less<>>;

/// Without empty parts and "."; ".." stays.
std::string plain(std::string_view path);

/// Where the path leads, links followed as inside a chroot; nothing says that something is there.
/// Errors: io with ELOOP after as many links as the kernel itself follows.
Result<std::string> follow(std::string_view path, const Links& links);

}  // namespace raidscope::tree_path
