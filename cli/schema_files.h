#pragma once

#include <span>
#include <string_view>

namespace raidscope::cli {

struct SchemaFile {
  std::string_view name;  ///< "snapshot"
  std::string_view text;  ///< of docs/schema/NAME.schema.json, embedded when the program was built
};
std::span<const SchemaFile> schema_files() noexcept;  // generated from docs/schema

}  // namespace raidscope::cli
