#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace raidscope::html {

/// Text as HTML text or the value of a quoted attribute: the five characters that mean something
/// are written as entities, control characters and broken UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

/// "sha256-…" of an inline script or style, as a content security policy names it.
std::string policy_hash(std::string_view content);

struct Column {
  std::string_view title;
  bool number = false;
};
/// A table; cells are HTML already. `caption` is for those who hear the page.
std::string table(std::string_view caption, const std::vector<Column>& columns,
                  const std::vector<std::vector<std::string>>& rows);

/// A list of key and value; values are HTML already.
std::string facts(const std::vector<std::pair<std::string_view, std::string>>& items);

}  // namespace raidscope::html
