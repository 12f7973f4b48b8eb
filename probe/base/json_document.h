#pragma once

// As heavy as json_fields.h: include it only in .cpp files.

#include <string>
#include <string_view>

#include "probe/base/json_fields.h"

namespace raidscope::json {

/// A document as it is kept on disk. Paths may hold any bytes: what is no UTF-8 becomes U+FFFD.
template <class T>
std::string document_text(const T& document) {
  return encode(document).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Reads a document that names its schema. malformed: it is no JSON, not of this schema (`hint`
/// says what to do then), or does not hold what the schema says.
template <class T>
Result<T> document_of(std::string_view text, std::string_view where, std::string_view schema,
                      std::string_view hint) {
  RAIDSCOPE_TRY(const Json document, parse_text(text, where));
  const bool named = document.is_object() && document.contains("schema") &&
                     document["schema"].is_string() && document["schema"] == std::string(schema);
  if (!named) {
    return fail(Errc::malformed, fmt::format("this is no {} document", schema), std::string(where),
                std::string(hint));
  }
  return decode_document<T>(document, where);
}

/// The first key, as a JSON pointer, that a document has and `known` does not; empty: none. Of a
/// document that a person may have written: a misspelt key must not be one that is left alone.
std::string unknown_key(const Json& document, const Json& known, const std::string& at = {});

}  // namespace raidscope::json
