#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "probe/base/fact.h"
#include "probe/base/result.h"
#include "workloads/run_result.h"

namespace raidscope {

/// What one file of another tool holds.
struct ImportedFile {
  /// In the file's order. A format that has no ids of its own leaves run_id and session_id empty,
  /// and the inventories null: the caller gives them.
  std::vector<RunResult> runs;
  std::map<std::string, Inventory> snapshots;  ///< by id; of raidscope's own exports alone
  std::vector<Note> notes;                     ///< what was left out, and why
};

/// One result format of another tool. To add one, add reports/imports/NAME.cpp that defines
/// `const ImportFormat import_format_NAME`; docs/adding-an-import.md says how.
struct ImportFormat {
  std::string_view id;  ///< what --as takes: "sqlio"
  std::string_view summary;
  /// Whether the text looks like this format. Told by what only it has, never by a file's name.
  bool (*recognises)(std::string_view text) = nullptr;
  /// UTF-8 without a byte order mark; lines may end in CR LF. Errc::malformed names file:line and
  /// what was expected there; a file without a finished result is malformed too.
  Result<ImportedFile> (*parse)(std::string_view text, std::string_view name) = nullptr;
};

std::span<const ImportFormat* const> import_formats() noexcept;  // generated
/// nullptr when there is none.
const ImportFormat* find_import_format(std::string_view id) noexcept;

/// Reads the bytes of a result file, whatever their encoding. `format` null: told from the text.
/// Every run is checked: rates are numbers, Little's law is applied, the schema is ours.
Result<ImportedFile> read_results(std::string_view bytes, std::string_view name,
                                  const ImportFormat* format = nullptr);

}  // namespace raidscope
