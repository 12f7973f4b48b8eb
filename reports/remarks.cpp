#include "reports/remarks.h"

#include <algorithm>

#include <fmt/format.h>

namespace raidscope {

std::vector<Remark> remarks(std::span<const RunResult> runs,
                            std::vector<std::string> (*of_run)(const RunResult&)) {
  std::vector<Remark> out;
  for (const RunResult& run : runs) {
    for (std::string& text : of_run(run)) {
      auto found =
          std::find_if(out.begin(), out.end(), [&](const Remark& one) { return one.text == text; });
      if (found == out.end()) found = out.insert(out.end(), {std::move(text), {}, false});
      if (found->runs.empty() || found->runs.back() != run.run_id)
        found->runs.push_back(run.run_id);
    }
  }
  for (Remark& remark : out) remark.all = remark.runs.size() == runs.size();
  return out;
}

std::string where_words(const Remark& remark, std::string (*paint)(std::string_view id)) {
  if (remark.all) return remark.runs.size() == 1 ? "" : "all runs";
  std::string out;
  for (std::size_t i = 0; i < remark.runs.size() && i < most_named_runs; ++i)
    out += (i == 0 ? "" : ", ") + paint(remark.runs[i]);
  if (remark.runs.size() > most_named_runs)
    out += fmt::format(" and {} more", remark.runs.size() - most_named_runs);
  return out;
}

}  // namespace raidscope
