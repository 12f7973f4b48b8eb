#include "reports/analysis/report_series.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "reports/analysis/run_settings.h"
#include "reports/words.h"

namespace raidscope {
namespace {

std::string letter_of(std::size_t index) {
  std::string out(1, static_cast<char>('A' + static_cast<int>(index % 26)));
  if (index >= 26) out += std::to_string(index / 26 + 1);
  return out;
}

std::string configuration_key(const ReportSeries& series) {
  return fmt::format(
      "{}\n{}\n{}",
      series.fingerprint.empty() ? "session " + series.session_id : series.fingerprint,
      to_name(series.origin), series.target);
}

/// "cache", "Smart Path"; empty where it is unknown.
std::string path_of(const ReportSeries& series, const std::map<std::string, Inventory>& snapshots) {
  const Inventory* inventory = inventory_of(*series.runs.front(), snapshots);
  if (inventory == nullptr) return {};
  const DriveRef at = target_drive(*series.runs.front(), *inventory);
  if (at.drive == nullptr || at.drive->io_path == IoPath::unknown) return {};
  std::string out = io_path_words(at.drive->io_path);
  if (at.drive->disk_count) out += fmt::format(", {} disks", *at.drive->disk_count);
  return out;
}

}  // namespace

std::vector<ReportSeries> report_series(const std::vector<RunResult>& runs) {
  std::vector<ReportSeries> all;
  for (const RunResult& run : runs) {
    ReportSeries wanted;
    wanted.session_id = run.session_id;
    wanted.origin = run.origin;
    wanted.target = run.target.path;
    if (run.inventory_before) {
      wanted.fingerprint = run.inventory_before->fingerprint;
      wanted.tag = run.inventory_before->tag;
    }
    auto found = std::find_if(all.begin(), all.end(), [&](const ReportSeries& one) {
      return one.session_id == wanted.session_id && one.fingerprint == wanted.fingerprint &&
             one.origin == wanted.origin && one.target == wanted.target;
    });
    if (found == all.end()) {
      wanted.letter = letter_of(all.size());
      all.push_back(std::move(wanted));
      found = all.end() - 1;
    }
    found->runs.push_back(&run);
  }
  return all;
}

std::vector<RunGroup> report_groups(const std::vector<ReportSeries>& series,
                                    const std::map<std::string, Inventory>& snapshots) {
  std::set<std::string> distinct;
  for (const ReportSeries& one : series) distinct.insert(configuration_key(one));
  const bool by_session = distinct.size() < 2;
  std::vector<RunGroup> out;
  std::vector<std::string> keys, paths;
  for (const ReportSeries& one : series) {
    const std::string key = by_session ? one.session_id : configuration_key(one);
    const auto found = std::find(keys.begin(), keys.end(), key);
    if (found == keys.end()) {
      keys.push_back(key);
      paths.push_back(path_of(one, snapshots));
      out.push_back({one.letter, one.runs});
      continue;
    }
    RunGroup& group = out[static_cast<std::size_t>(found - keys.begin())];
    group.label += "+" + one.letter;
    group.runs.insert(group.runs.end(), one.runs.begin(), one.runs.end());
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!paths[i].empty()) out[i].label += " (" + paths[i] + ")";
  }
  return out;
}

}  // namespace raidscope
