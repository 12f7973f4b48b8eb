#include "probe/capture/recording_host.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "probe/capture/answers.h"

namespace raidscope::capture {
namespace {

class Log {
 public:
  void keep(Section section) {
    auto& runs = runs_[section.kind + "\n" + section.key];
    if (!runs.empty() && entries_[runs.back()].section == section) {
      ++entries_[runs.back()].times;
      return;
    }
    runs.push_back(entries_.size());
    entries_.push_back({std::move(section), 1});
  }

  [[nodiscard]] std::vector<Section> sections() const {
    std::vector<Section> out;
    out.reserve(entries_.size());
    for (const Entry& entry : entries_) {
      out.push_back(entry.section);
      const auto& runs = runs_.at(entry.section.kind + "\n" + entry.section.key);
      if (runs.size() > 1 && entry.times > 1) {
        out.back().fields.emplace_back("times", fmt::format("{}", entry.times));
      }
    }
    return out;
  }

 private:
  struct Entry {
    Section section;
    std::size_t times;
  };
  std::vector<Entry> entries_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> runs_;
};

class RecordingFiles final : public FileTree {
 public:
  RecordingFiles(const FileTree& inner, Log& log) : inner_(inner), log_(log) {}
  Result<std::string> read(std::string_view path) const override {
    auto answer = inner_.read(path);
    log_.keep(text_section(kind_file, std::string(path), answer));
    return answer;
  }
  Result<std::vector<std::string>> list(std::string_view directory) const override {
    auto answer = inner_.list(directory);
    log_.keep(list_section(std::string(directory), answer));
    return answer;
  }
  Result<std::string> resolve(std::string_view path) const override {
    auto answer = inner_.resolve(path);
    log_.keep(text_section(kind_link, std::string(path), answer));
    return answer;
  }

 private:
  const FileTree& inner_;
  Log& log_;
};

class RecordingDevices final : public DeviceDb {
 public:
  RecordingDevices(const DeviceDb& inner, Log& log) : inner_(inner), log_(log) {}
  Result<std::vector<DeviceNode>> enumerate(std::string_view subsystem) const override {
    auto answer = inner_.enumerate(subsystem);
    log_.keep(devices_section(std::string(subsystem), answer));
    return answer;
  }

 private:
  const DeviceDb& inner_;
  Log& log_;
};

class RecordingScsi final : public ScsiReader {
 public:
  RecordingScsi(const ScsiReader& inner, Log& log) : inner_(inner), log_(log) {}
  Result<std::vector<std::byte>> read(std::string_view devnode, std::span<const std::byte> cdb,
                                      std::size_t reply_capacity) const override {
    auto answer = inner_.read(devnode, cdb, reply_capacity);
    log_.keep(scsi_section(scsi_key(devnode, cdb, reply_capacity), answer));
    return answer;
  }

 private:
  const ScsiReader& inner_;
  Log& log_;
};

class RecordingTools final : public ToolRunner {
 public:
  RecordingTools(const ToolRunner& inner, Log& log) : inner_(inner), log_(log) {}
  Result<ToolAnswer> run(ToolQuery query) const override {
    auto answer = inner_.run(query);
    log_.keep(tool_section(query, answer));
    return answer;
  }

 private:
  const ToolRunner& inner_;
  Log& log_;
};

class RecordingCiss final : public CissReader {
 public:
  RecordingCiss(const CissReader& inner, Log& log) : inner_(inner), log_(log) {}
  Result<CissReply> ask(std::string_view devnode, const CissAsk& question) const override {
    auto answer = inner_.ask(devnode, question);
    log_.keep(ciss_section(ciss_key(devnode, question), answer));
    return answer;
  }

 private:
  const CissReader& inner_;
  Log& log_;
};

}  // namespace

struct RecordingHost::Parts {
  explicit Parts(const Host& inner)
      : files(inner.files, log),
        devices(inner.devices, log),
        scsi(inner.scsi, log),
        tools(inner.tools, log),
        ciss(inner.ciss, log) {}
  Log log;
  RecordingFiles files;
  RecordingDevices devices;
  RecordingScsi scsi;
  RecordingTools tools;
  RecordingCiss ciss;
};

RecordingHost::RecordingHost(const Host& inner) : parts_(std::make_unique<Parts>(inner)) {}
RecordingHost::~RecordingHost() = default;

Host RecordingHost::host() const {
  return {parts_->files, parts_->devices, parts_->scsi, parts_->tools, parts_->ciss};
}

Bundle RecordingHost::bundle(std::string taken_at, std::string written_by,
                             std::span<const FactSet> sets, LaterLooks later) const {
  Bundle out;
  out.taken_at = std::move(taken_at);
  out.written_by = std::move(written_by);
  for (const FactSet& set : sets) {
    // The shortest text that reads back as the same number.
    out.sections.push_back({std::string(kind_path),
                            std::string(name_of(set.path)),
                            {{"duration_ms", fmt::format("{}", set.duration_ms)}},
                            {},
                            0});
  }
  if (later.looks > 0) {
    out.sections.push_back(
        {std::string(kind_look),
         "sysfs scsi",
         {{"times", fmt::format("{}", later.looks)}, {"settled", later.settled ? "yes" : "no"}},
         {},
         0});
  }
  for (Section& section : parts_->log.sections()) out.sections.push_back(std::move(section));
  return out;
}

}  // namespace raidscope::capture
