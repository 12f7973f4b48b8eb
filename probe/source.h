#pragma once

#include <span>
#include <string_view>

#include "probe/base/fact.h"
#include "probe/host.h"

namespace raidscope {

/// One way to learn about the machine. A constant: data plus one function, no state. To add one, add
/// probe/sources/NAME.cpp that defines `const Source source_NAME`.
struct Source {
  std::string_view id;  ///< file name: "hpsa_sysfs"
  std::string_view summary;
  PathName path;      ///< the path it belongs to; several sources may share one
  int order = 0;      ///< sysfs (0) before SCSI (10) before BMIC (20) before vendor tools (30)
  /// Never throws and never fails as a whole: what went wrong is in the set's status and detail.
  FactSet (*collect)(const Host& host) = nullptr;
};

std::span<const Source* const> sources() noexcept;  // generated

}  // namespace raidscope
