#pragma once

#include <memory>
#include <string>

#include "reports/store/store.h"

namespace raidscope::sqlite {

/// The store in one file, made where it is missing unless options say read only.
Result<std::unique_ptr<Store>> open_file(const std::string& path, const StoreOptions& options);

}  // namespace raidscope::sqlite
