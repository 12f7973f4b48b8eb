#include "probe/capture/replay_host.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "probe/base/os_error.h"
#include "probe/base/scsi.h"
#include "probe/base/text.h"
#include "probe/base/tree_path.h"
#include "probe/capture/answers.h"
#include "probe/os/live_host.h"
#include "probe/os/udev_devices.h"

namespace raidscope::capture {
namespace {

/// The bundle's sections by what was asked; each question remembers how often it was asked.
class Answers {
 public:
  explicit Answers(const Bundle& bundle) : tree_(bundle.tree) {
    for (const Section& section : bundle.sections) {
      asked_[{section.kind, section.key}].runs.push_back(&section);
    }
  }

  [[nodiscard]] bool tree() const noexcept { return tree_; }
  [[nodiscard]] std::size_t unanswered() const noexcept { return unanswered_; }

  /// Null when the bundle does not hold the question.
  const Section* next(std::string_view kind, std::string_view key) {
    const auto found = asked_.find(std::pair(std::string(kind), std::string(key)));
    if (found == asked_.end()) {
      if (!tree_) ++unanswered_;
      return nullptr;
    }
    Asked& asked = found->second;
    const Section* const now = asked.runs[asked.run];
    const auto times = text::to_integer(now->field("times")).value_or(1);
    if (++asked.used >= times && asked.run + 1 < asked.runs.size()) {
      ++asked.run;
      asked.used = 0;
    }
    return now;
  }

  static tl::unexpected<Error> missing(std::string_view what) {
    return fail(Errc::not_found, "the capture holds no answer to this", std::string(what));
  }

 private:
  struct Asked {
    std::vector<const Section*> runs;
    std::size_t run = 0;
    std::int64_t used = 0;
  };
  std::map<std::pair<std::string, std::string>, Asked> asked_;
  bool tree_;
  std::size_t unanswered_ = 0;
};

class ExactFiles final : public FileTree {
 public:
  explicit ExactFiles(Answers& answers) : answers_(answers) {}
  Result<std::string> read(std::string_view path) const override {
    const Section* const section = answers_.next(kind_file, path);
    return section != nullptr ? text_answer(*section) : Answers::missing(path);
  }
  Result<std::vector<std::string>> list(std::string_view directory) const override {
    const Section* const section = answers_.next(kind_list, directory);
    return section != nullptr ? list_answer(*section) : Answers::missing(directory);
  }
  Result<std::string> resolve(std::string_view path) const override {
    const Section* const section = answers_.next(kind_link, path);
    return section != nullptr ? text_answer(*section) : Answers::missing(path);
  }

 private:
  Answers& answers_;
};

/// Files, folders and links of a tree, followed as inside a chroot.
class TreeFiles final : public FileTree {
 public:
  explicit TreeFiles(const Bundle& bundle) {
    if (!bundle.tree) return;
    for (const Section& section : bundle.sections) {
      std::string path = tree_path::plain(section.key);
      if (section.kind == kind_file) files_.insert_or_assign(std::move(path), &section);
      if (section.kind == kind_symlink) {
        std::string_view target = section.content;
        while (target.ends_with('\n')) target.remove_suffix(1);
        links_.insert_or_assign(std::move(path), std::string(target));
      }
      if (section.kind == kind_list) {
        known_.insert(path);
        for (const std::string& name : list_answer(section).value_or(std::vector<std::string>{})) {
          known_.insert(path.empty() ? name : path + "/" + name);
        }
      }
    }
    for (const auto& [path, section] : files_) add_parents(path);
    for (const auto& [path, target] : links_) add_parents(path);
  }

  Result<std::string> read(std::string_view path) const override {
    RAIDSCOPE_TRY(const std::string real, resolve(path));
    if (const auto found = files_.find(real); found != files_.end()) {
      return text_answer(*found->second);
    }
    return fail_errno(EISDIR, "cannot read", std::string(path));
  }

  Result<std::vector<std::string>> list(std::string_view directory) const override {
    RAIDSCOPE_TRY(const std::string real, resolve(directory));
    if (files_.contains(real)) return fail_errno(ENOTDIR, "cannot list", std::string(directory));
    const std::string prefix = real.empty() ? "" : real + "/";
    std::vector<std::string> out;
    for (auto at = known_.lower_bound(prefix); at != known_.end() && at->starts_with(prefix);
         ++at) {
      const std::string_view name = std::string_view(*at).substr(prefix.size());
      if (!name.empty() && name.find('/') == std::string_view::npos) out.emplace_back(name);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  Result<std::string> resolve(std::string_view path) const override {
    RAIDSCOPE_TRY(std::string real, tree_path::follow(path, links_));
    if (!real.empty() && !known_.contains(real)) {
      return fail_errno(ENOENT, "not in the capture", std::string(path));
    }
    return real;
  }

 private:
  void add_parents(std::string_view path) {
    for (std::size_t end = path.size(); end != std::string_view::npos && end > 0;
         end = path.rfind('/', end - 1)) {
      if (!known_.insert(std::string(path.substr(0, end))).second) break;
    }
  }

  std::map<std::string, const Section*, std::less<>> files_;
  tree_path::Links links_;
  std::set<std::string, std::less<>> known_;  ///< every path there is
};

class ReplayDevices final : public DeviceDb {
 public:
  ReplayDevices(Answers& answers, const FileTree& files) : answers_(answers), from_tree_(files) {}
  Result<std::vector<DeviceNode>> enumerate(std::string_view subsystem) const override {
    if (const Section* const section = answers_.next(kind_devices, subsystem)) {
      return devices_answer(*section);
    }
    if (answers_.tree()) return from_tree_.enumerate(subsystem);
    return Answers::missing(subsystem);
  }

 private:
  Answers& answers_;
  UeventDevices from_tree_;
};

class ReplayScsi final : public ScsiReader {
 public:
  explicit ReplayScsi(Answers& answers) : answers_(answers) {}
  Result<std::vector<std::byte>> read(std::string_view devnode, std::span<const std::byte> cdb,
                                      std::size_t reply_capacity) const override {
    if (!scsi::reads_only(cdb)) {
      return fail(Errc::refused, "not a SCSI command that only reads", std::string(devnode));
    }
    const std::string key = scsi_key(devnode, cdb, reply_capacity);
    const Section* const section = answers_.next(kind_scsi, key);
    return section != nullptr ? scsi_answer(*section) : Answers::missing(key);
  }

 private:
  Answers& answers_;
};

class ReplayTools final : public ToolRunner {
 public:
  explicit ReplayTools(Answers& answers) : answers_(answers) {}
  Result<ToolAnswer> run(ToolQuery query) const override {
    const Section* const section = answers_.next(kind_tool, tool_key(query));
    if (section != nullptr) return tool_answer(*section);
    return fail(Errc::not_found, "the capture holds no answer of a vendor tool");
  }

 private:
  Answers& answers_;
};

class ReplayCiss final : public CissReader {
 public:
  explicit ReplayCiss(Answers& answers) : answers_(answers) {}
  Result<CissReply> ask(std::string_view devnode, const CissAsk& question) const override {
    const std::string key = ciss_key(devnode, question);
    const Section* const section = answers_.next(kind_ciss, key);
    return section != nullptr ? ciss_answer(*section) : Answers::missing(key);
  }

 private:
  Answers& answers_;
};

constexpr std::array<PathName, 5> every_path{PathName::host, PathName::sysfs, PathName::scsi,
                                             PathName::bmic, PathName::ssacli};

/// The paths that the bundle was made by, with how long each took.
std::vector<std::pair<PathName, double>> paths_of(const Bundle& bundle) {
  std::vector<std::pair<PathName, double>> out;
  bool asked_controllers = false;
  for (const Section& section : bundle.sections) {
    asked_controllers = asked_controllers || section.kind == kind_ciss;
    if (section.kind != kind_path) continue;
    for (const PathName path : every_path) {
      if (name_of(path) != section.key) continue;
      const std::string_view text = section.field("duration_ms");
      double took = 0;
      std::from_chars(text.data(), text.data() + text.size(), took);
      out.emplace_back(path, took);
    }
  }
  if (!out.empty() || (!bundle.tree && bundle.whole)) return out;
  for (const PathName path : every_path) {
    if (path != PathName::bmic || asked_controllers) out.emplace_back(path, 0);
  }
  return out;
}

/// The later looks of the probe: they got answers of their own.
const Section* looks_of(const Bundle& bundle) {
  const auto found = std::find_if(bundle.sections.begin(), bundle.sections.end(),
                                  [](const Section& s) { return s.kind == kind_look; });
  return found == bundle.sections.end() ? nullptr : &*found;
}

/// Follows the paths as the probe did: once, then some of them again.
std::vector<FactSet> follow(const Host& host, const std::vector<PathName>& paths,
                            const Section* looks) {
  // More looks than a probe can make are not of a probe.
  constexpr std::int64_t most_looks = 1000;
  std::vector<FactSet> sets = discover(host, paths);
  if (looks == nullptr) return sets;
  std::vector<PathName> again;
  for (const PathName path : paths) {
    if (looks->key.find(name_of(path)) != std::string::npos) again.push_back(path);
  }
  if (again.empty()) return sets;
  const auto times = text::to_integer(looks->field("times")).value_or(0);
  for (std::int64_t look = 0; look < std::min(times, most_looks); ++look) {
    for (FactSet& fresh : discover(host, again)) {
      const auto old = std::find_if(sets.begin(), sets.end(),
                                    [&](const FactSet& set) { return set.path == fresh.path; });
      if (old != sets.end()) *old = std::move(fresh);
    }
  }
  return sets;
}

}  // namespace

struct ReplayHost::Parts {
  explicit Parts(const Bundle& bundle)
      : answers(bundle),
        exact(answers),
        tree(bundle),
        files(bundle.tree ? static_cast<const FileTree&>(tree) : exact),
        devices(answers, files),
        scsi(answers),
        tools(answers),
        ciss(answers) {}
  Answers answers;
  ExactFiles exact;
  TreeFiles tree;
  const FileTree& files;
  ReplayDevices devices;
  ReplayScsi scsi;
  ReplayTools tools;
  ReplayCiss ciss;
};

ReplayHost::ReplayHost(const Bundle& bundle) : parts_(std::make_unique<Parts>(bundle)) {}
ReplayHost::~ReplayHost() = default;

Host ReplayHost::host() const {
  return {parts_->files, parts_->devices, parts_->scsi, parts_->tools, parts_->ciss};
}

std::size_t ReplayHost::unanswered() const {
  return parts_->answers.unanswered();
}

Replay replay(const Bundle& bundle) {
  Replay out;
  out.notes = bundle.notes;
  const auto paths = paths_of(bundle);
  const Section* const looks = looks_of(bundle);
  out.settled = looks != nullptr && looks->field("settled") == "yes";
  if (bundle.whole) {
    const ReplayHost machine(bundle);
    std::vector<PathName> names;
    for (const auto& [path, took] : paths) names.push_back(path);
    if (!names.empty()) out.sets = follow(machine.host(), names, looks);
    if (machine.unanswered() > 0) {
      out.notes.push_back(fmt::format(
          "the capture was made by {} and holds no answer to {} questions that this version asks",
          bundle.written_by.empty() ? "another version" : bundle.written_by, machine.unanswered()));
    }
  } else {
    const bool has_tool = std::any_of(bundle.sections.begin(), bundle.sections.end(),
                                      [](const Section& s) { return s.kind == kind_tool; });
    // The tool's text stands last: where the cut is in it, all else is there.
    const bool cut_in_tool =
        !bundle.lost_parts && !bundle.sections.empty() && bundle.sections.back().kind == kind_tool;
    for (const auto& [path, took] : paths) {
      const ReplayHost machine(bundle);
      for (FactSet& set : follow(machine.host(), {path}, looks)) {
        // Of a tree nobody can say what else is missing.
        const bool holes = path == PathName::ssacli ? !has_tool : bundle.tree && !cut_in_tool;
        if (machine.unanswered() > 0 || holes) {
          FactSet nothing;
          nothing.path = set.path;
          nothing.status = SourceStatus::skipped;
          nothing.detail = "the capture was cut off and lacks answers that this path needs";
          set = std::move(nothing);
        }
        out.sets.push_back(std::move(set));
      }
    }
  }
  // In the order of the probe, which may have asked the controllers last.
  const auto place = [&](const FactSet& set) {
    return std::find_if(paths.begin(), paths.end(),
                        [&](const auto& path) { return path.first == set.path; });
  };
  std::stable_sort(out.sets.begin(), out.sets.end(),
                   [&](const FactSet& a, const FactSet& b) { return place(a) < place(b); });
  for (FactSet& set : out.sets) {
    const auto recorded = place(set);
    set.duration_ms = recorded == paths.end() ? 0 : recorded->second;
  }
  return out;
}

}  // namespace raidscope::capture
