#include "reports/import_format.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "probe/base/encoding.h"
#include "reports/importing/result_text.h"

namespace raidscope {
namespace {

/// A number that no device can have is a broken file, whatever the format let through.
Status check_rates(const RunResult& run, std::string_view name) {
  const double numbers[] = {run.iops,       run.bytes_per_s,      run.read.iops,
                            run.write.iops, run.read.bytes_per_s, run.write.bytes_per_s};
  for (const double number : numbers) {
    if (!std::isfinite(number) || number < 0)
      return fail(Errc::malformed, "expected rates of zero or more", std::string(name));
  }
  return Done{};
}

}  // namespace

const ImportFormat* find_import_format(std::string_view id) noexcept {
  for (const ImportFormat* format : import_formats()) {
    if (format->id == id) return format;
  }
  return nullptr;
}

Result<ImportedFile> read_results(std::string_view bytes, std::string_view name,
                                  const ImportFormat* format) {
  const std::string text = text::decode(bytes);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(Errc::malformed, "the file is empty", std::string(name));
  if (format == nullptr) {
    const auto formats = import_formats();
    const auto found = std::find_if(formats.begin(), formats.end(),
                                    [&](const ImportFormat* one) { return one->recognises(text); });
    if (found == formats.end()) {
      std::string known;
      for (const ImportFormat* one : formats)
        known += fmt::format("{}{}", known.empty() ? "" : "; ", one->summary);
      return importing::malformed(name, 1, "the file holds no results that are understood",
                                  fmt::format("expected one of: {}", known));
    }
    format = *found;
  }
  RAIDSCOPE_TRY(ImportedFile file, format->parse(text, name));
  if (file.runs.empty())
    return fail(Errc::malformed, "the file holds no finished result", std::string(name));
  for (const RunResult& run : file.runs) RAIDSCOPE_CHECK(check_rates(run, name));
  return file;
}

}  // namespace raidscope
