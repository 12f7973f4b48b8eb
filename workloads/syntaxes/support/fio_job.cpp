#include "workloads/syntaxes/support/fio_job.h"

#include <algorithm>

#include <fmt/format.h>

#include "probe/base/text.h"

namespace raidscope::fio {
namespace {

constexpr int deepest_include = 8;

constexpr std::pair<std::string_view, std::string_view> aliases[] = {
    {"readwrite", "rw"},
    {"blocksize", "bs"},
    {"blockalign", "ba"},
    {"blocksize_range", "bsrange"},
    {"blocksize_unaligned", "bs_unaligned"},
    {"iodepth_batch_submit", "iodepth_batch"},
    {"wait_for_previous", "stonewall"},
    {"io_limit", "io_size"},
    {"fileoffset", "offset"},
    {"iomem", "mem"},
    {"trim_verify", "trim_verify_zero"},
    {"hipri_percentage", "hipri_percentage"},
};

class Reader {
 public:
  explicit Reader(const NamedTexts& files) : files_(files) {}

  Status take(std::string_view text, const std::string& file, int depth) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::size_t number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++number;
      if (line.ends_with('\r')) line.remove_suffix(1);
      // fio cuts every line there, with or without a blank before it, values and names alike.
      line = text::trim(line.substr(0, line.find_first_of(";#")));
      if (line.empty()) continue;
      RAIDSCOPE_CHECK(take_line(line, {"", number, file}, depth));
    }
    return Done{};
  }

  std::vector<Job> jobs;

 private:
  Status take_line(std::string_view line, Value place, int depth) {
    if (line.front() == '[') return section(line, place);
    if (line.starts_with("include ") || line.starts_with("include\t")) {
      const std::string name(text::trim(line.substr(8)));
      if (depth >= deepest_include)
        return fail(Errc::malformed, "files include each other", where_of(place));
      if (!files_) return fail(Errc::malformed, "no file can be included here", where_of(place));
      RAIDSCOPE_TRY(const std::string content, files_(name));
      return take(content, name, depth + 1);
    }
    const std::size_t equals = line.find('=');
    std::string key(text::trim(line.substr(0, equals)));
    place.text = equals == std::string_view::npos ? "1" : text::trim(line.substr(equals + 1));
    if (const std::size_t dollar = place.text.find('$'); dollar != std::string::npos) {
      const std::size_t end =
          std::min(place.text.find_first_of("}/:, ", dollar), place.text.size());
      return fail(
          Errc::malformed,
          fmt::format(
              "{} in {} is a variable, and its value is not known",
              place.text.substr(dollar, end - dollar + (place.text.substr(end, 1) == "}" ? 1 : 0)),
              key),
          where_of(place), "put the value in its place");
    }
    for (const auto& [alias, name] : aliases) {
      if (key == alias) key = name;
    }
    if (!in_section_) {
      return fail(Errc::malformed, fmt::format("{} stands before any [section]", key),
                  where_of(place), "a job file begins with [global] or a job's name");
    }
    (in_global_ ? global_ : jobs.back().options)[key] = std::move(place);
    return Done{};
  }

  Status section(std::string_view line, const Value& place) {
    const std::size_t end = line.rfind(']');
    if (end == std::string_view::npos)
      return fail(Errc::malformed, "expected ] behind the section's name", where_of(place));
    const std::string name(line.substr(1, end - 1));
    in_section_ = true;
    in_global_ = text::iequals(name, "global");
    if (!in_global_) jobs.push_back({name, place.line, global_});
    return Done{};
  }

  const NamedTexts& files_;
  std::map<std::string, Value, std::less<>> global_;
  bool in_section_ = false;
  bool in_global_ = false;
};

}  // namespace

std::string where_of(const Value& value) {
  return value.file.empty() ? fmt::format("line {}", value.line)
                            : fmt::format("{}, line {}", value.file, value.line);
}

Result<std::vector<Job>> read_jobs(std::string_view text, const NamedTexts& files) {
  Reader reader(files);
  RAIDSCOPE_CHECK(reader.take(text, "", 0));
  if (reader.jobs.empty()) {
    return fail(Errc::malformed, "the job file has no job", "line 1",
                "a job is a [name] with its options below");
  }
  return std::move(reader.jobs);
}

}  // namespace raidscope::fio
