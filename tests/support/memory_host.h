#pragma once

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/base/os_error.h"
#include "probe/base/scsi.h"
#include "probe/base/tree_path.h"
#include "probe/host.h"

namespace raidscope::testing {

/// Files and links of a made-up root, with a log of what was read.
class MemoryFiles final : public FileTree {
 public:
  void file(const std::string& path, std::string content) { files_[path] = std::move(content); }
  /// `target` as in a real link: relative to the link's folder, or absolute in the root.
  void link(const std::string& path, std::string target) { links_[path] = std::move(target); }
  /// Reading `path` fails so, as a driver's attribute that answers ENODEV.
  void refuse(const std::string& path, int os_errno) { refused_[path] = os_errno; }
  void remove(const std::string& path) {
    files_.erase(path);
    links_.erase(path);
  }
  [[nodiscard]] const std::vector<std::string>& log() const { return log_; }

  Result<std::string> read(std::string_view path) const override {
    log_.emplace_back(path);
    RAIDSCOPE_TRY(const std::string real, resolve(path));
    if (const auto no = refused_.find(real); no != refused_.end()) {
      return fail_errno(no->second, "cannot read", std::string(path));
    }
    if (const auto found = files_.find(real); found != files_.end()) return found->second;
    return fail_errno(EISDIR, "cannot read", std::string(path));
  }

  Result<std::vector<std::string>> list(std::string_view directory) const override {
    log_.emplace_back(directory);
    RAIDSCOPE_TRY(const std::string real, resolve(directory));
    std::set<std::string> names;
    collect_names(files_, real, names);
    collect_names(links_, real, names);
    collect_names(refused_, real, names);
    if (names.empty()) return fail_errno(ENOTDIR, "cannot list", std::string(directory));
    return std::vector<std::string>(names.begin(), names.end());
  }

  Result<std::string> resolve(std::string_view path) const override {
    RAIDSCOPE_TRY(std::string real, tree_path::follow(path, links_));
    if (!exists(real)) return fail_errno(ENOENT, "no such file", std::string(path));
    return real;
  }

 private:
  template <class Map>
  static void collect_names(const Map& map, const std::string& folder, std::set<std::string>& out) {
    const std::string prefix = folder.empty() ? "" : folder + "/";
    for (auto at = map.lower_bound(prefix); at != map.end() && at->first.starts_with(prefix);
         ++at) {
      out.insert(
          at->first.substr(prefix.size(), at->first.find('/', prefix.size()) - prefix.size()));
    }
  }
  template <class Map>
  static bool has(const Map& map, const std::string& path) {
    if (map.contains(path)) return true;
    const auto below = map.lower_bound(path + "/");
    return below != map.end() && below->first.starts_with(path + "/");
  }
  [[nodiscard]] bool exists(const std::string& path) const {
    return path.empty() || has(files_, path) || has(links_, path) || has(refused_, path);
  }

  std::map<std::string, std::string, std::less<>> files_;
  tree_path::Links links_;
  std::map<std::string, int, std::less<>> refused_;
  mutable std::vector<std::string> log_;
};

/// Devices by subsystem.
class MemoryDevices final : public DeviceDb {
 public:
  void add(const std::string& subsystem, DeviceNode node) {
    nodes_[subsystem].push_back(std::move(node));
  }
  /// Every question fails so.
  void fail_with(Error error) { error_ = std::move(error); }
  /// Every subsystem asked for, in order.
  [[nodiscard]] const std::vector<std::string>& log() const { return log_; }
  Result<std::vector<DeviceNode>> enumerate(std::string_view subsystem) const override {
    log_.emplace_back(subsystem);
    if (error_) return tl::unexpected<Error>(*error_);
    const auto found = nodes_.find(subsystem);
    return found == nodes_.end() ? std::vector<DeviceNode>{} : found->second;
  }

 private:
  std::map<std::string, std::vector<DeviceNode>, std::less<>> nodes_;
  mutable std::vector<std::string> log_;
  std::optional<Error> error_;
};

/// Canned answers by device node and CDB ("12 01 00 00 40 00"), refusing what the live one refuses.
class MemoryScsi final : public ScsiReader {
 public:
  void answer(const std::string& devnode, std::string cdb, std::vector<std::byte> reply) {
    answers_[{devnode, std::move(cdb)}] = std::move(reply);
  }
  /// A vital product data page, for whatever allocation length; the header is made here.
  void page(const std::string& devnode, std::uint8_t page, std::vector<std::uint8_t> payload) {
    std::vector<std::byte> reply{std::byte{0}, std::byte{page}, std::byte{0},
                                 std::byte{static_cast<std::uint8_t>(payload.size())}};
    for (const auto b : payload) reply.push_back(std::byte{b});
    pages_[{devnode, page}] = std::move(reply);
  }
  /// Every command to the node fails so.
  void fail_with(const std::string& devnode, Error error) { errors_[devnode] = std::move(error); }
  /// "node: CDB" of every command, refused ones too.
  [[nodiscard]] const std::vector<std::string>& log() const { return log_; }

  Result<std::vector<std::byte>> read(std::string_view devnode, std::span<const std::byte> cdb,
                                      std::size_t reply_capacity) const override {
    const std::string node(devnode);
    const std::string text = scsi::cdb_text(cdb);
    log_.push_back(node + ": " + text);
    if (!scsi::reads_only(cdb)) return fail(Errc::refused, "not a command that only reads", node);
    if (const auto no = errors_.find(node); no != errors_.end()) {
      return tl::unexpected<Error>(no->second);
    }
    const auto cut = [reply_capacity](std::vector<std::byte> reply) {
      reply.resize(std::min(reply.size(), reply_capacity));
      return reply;
    };
    if (const auto found = answers_.find({node, text}); found != answers_.end()) {
      return cut(found->second);
    }
    const bool vpd =
        std::to_integer<int>(cdb[0]) == scsi::inquiry && (std::to_integer<int>(cdb[1]) & 1) == 1;
    if (vpd) {
      const auto found = pages_.find({node, std::to_integer<std::uint8_t>(cdb[2])});
      if (found != pages_.end()) return cut(found->second);
    }
    return fail(Errc::unsupported, "the device refused a SCSI command", node + " CDB " + text);
  }

 private:
  std::map<std::pair<std::string, std::string>, std::vector<std::byte>> answers_;
  std::map<std::pair<std::string, std::uint8_t>, std::vector<std::byte>> pages_;
  std::map<std::string, Error> errors_;
  mutable std::vector<std::string> log_;
};

/// A vendor tool that answers with what it was given; not found until then.
class MemoryTools final : public ToolRunner {
 public:
  void answer(ToolQuery query, ToolAnswer reply) { answers_[query] = std::move(reply); }
  void fail_with(Error error) { error_ = std::move(error); }
  [[nodiscard]] const std::vector<ToolQuery>& log() const { return log_; }
  Result<ToolAnswer> run(ToolQuery query) const override {
    log_.push_back(query);
    if (error_) return tl::unexpected<Error>(*error_);
    const auto found = answers_.find(query);
    if (found == answers_.end()) return fail(Errc::not_found, "no vendor tool is installed");
    return found->second;
  }

 private:
  std::map<ToolQuery, ToolAnswer> answers_;
  std::optional<Error> error_;
  mutable std::vector<ToolQuery> log_;
};

/// A controller that answers with what it was given; each question is logged. A node that was told
/// nothing is no controller's.
class MemoryCiss final : public CissReader {
 public:
  void answer(const std::string& devnode, const CissAsk& ask, CissReply reply) {
    answers_[devnode][{ask.query, ask.number}] = std::move(reply);
  }
  /// Every question to the node fails so.
  void fail_with(const std::string& devnode, Error error) { errors_[devnode] = std::move(error); }
  [[nodiscard]] const std::vector<std::pair<std::string, CissAsk>>& log() const { return log_; }

  Result<CissReply> ask(std::string_view devnode, const CissAsk& ask) const override {
    const std::string node(devnode);
    log_.emplace_back(node, ask);
    if (const auto no = errors_.find(node); no != errors_.end()) {
      return tl::unexpected<Error>(no->second);
    }
    const auto known = answers_.find(node);
    if (known == answers_.end()) {
      return fail(Errc::unsupported, "the driver has no such ioctl", node);
    }
    const auto found = known->second.find({ask.query, ask.number});
    if (found != known->second.end()) return found->second;
    CissReply refused;
    refused.command_status = 4;  // invalid command
    return refused;
  }

 private:
  std::map<std::string, std::map<std::pair<CissQuery, std::uint32_t>, CissReply>> answers_;
  std::map<std::string, Error> errors_;
  mutable std::vector<std::pair<std::string, CissAsk>> log_;
};

/// A machine made of values.
struct MemoryHost {
  MemoryFiles files;
  MemoryDevices devices;
  MemoryScsi scsi;
  MemoryTools tools;
  MemoryCiss ciss;
  [[nodiscard]] Host host() const { return {files, devices, scsi, tools, ciss}; }
};

}  // namespace raidscope::testing
