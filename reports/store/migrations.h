#pragma once

#include <span>

/// How a store file came to be what it is, step by step. A step is never edited once released: a
/// change of the tables is a new step at the end.
namespace raidscope::sqlite {

struct Migration {
  const char* what;  ///< for people: docs/store.md lists them
  const char* sql;   ///< brings a file of the version before to this one
};

/// Step i makes version i + 1.
std::span<const Migration> migrations() noexcept;

inline constexpr int application_id = 0x52534350;  ///< "RSCP" in the file's header

}  // namespace raidscope::sqlite
