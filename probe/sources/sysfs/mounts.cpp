#include "probe/sources/sysfs/mounts.h"

#include <algorithm>
#include <set>

#include "probe/sources/sysfs/reading.h"

namespace raidscope::sysfs {
namespace {

std::string unescape(std::string_view text) {
  const auto octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && octal(text[i + 1]) && octal(text[i + 2]) &&
        octal(text[i + 3])) {
      const int code = (text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0');
      out += static_cast<char>(code & 0xFF);
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string number_of(const FileTree& files, const DeviceNode& node) {
  const auto major = node.properties.find("MAJOR");
  const auto minor = node.properties.find("MINOR");
  if (major != node.properties.end() && minor != node.properties.end()) {
    return major->second + ":" + minor->second;
  }
  return text(files, node.syspath + "/dev").value_or("");
}

/// btrfs mounts its subvolumes, which are no folders mounted twice.
bool is_whole(const Mount& mount) {
  return mount.root == "/" || mount.type == "btrfs";
}

bool is_partition(const FileTree& files, const DeviceNode& node) {
  if (const auto type = node.properties.find("DEVTYPE"); type != node.properties.end()) {
    return type->second == "partition";
  }
  return text(files, node.syspath + "/partition").has_value();
}

}  // namespace

std::vector<Mount> parse_mountinfo(std::string_view table) {
  std::vector<Mount> out;
  for (const auto line : lines(table)) {
    // 36 35 98:0 /root /point options [fields…] - type source options (proc(5))
    const auto fields = words(line);
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() < 6 || fields.end() - dash < 3) continue;
    out.push_back({std::string(fields[2]), unescape(fields[3]), unescape(fields[4]),
                   std::string(dash[1]), unescape(dash[2])});
  }
  return out;
}

std::vector<Mount> parse_mounts(std::string_view table) {
  std::vector<Mount> out;
  for (const auto line : lines(table)) {
    const auto fields = words(line);
    if (fields.size() < 3) continue;
    out.push_back({"", "/", unescape(fields[1]), std::string(fields[2]), unescape(fields[0])});
  }
  return out;
}

std::vector<Mount> read_mounts(const FileTree& files) {
  if (const auto table = files.read("proc/self/mountinfo"); table && !table->empty()) {
    return parse_mountinfo(*table);
  }
  const auto table = files.read("proc/mounts");
  return table ? parse_mounts(*table) : std::vector<Mount>{};
}

BlockStack::BlockStack(const FileTree& files, const std::vector<DeviceNode>& nodes) {
  for (const DeviceNode& node : nodes) {
    const std::string name(base_name(node.syspath));
    if (auto number = number_of(files, node); !number.empty()) {
      name_of_number_.emplace(std::move(number), name);
    }
    if (is_partition(files, node)) {
      const auto parent = node.syspath.substr(0, node.syspath.rfind('/'));
      above_[std::string(base_name(parent))].push_back(name);
    } else if (name.starts_with("dm-") || name.starts_with("md") || name.starts_with("bcache") ||
               name.starts_with("drbd")) {
      for (const auto& below : names(files, node.syspath + "/slaves")) {
        above_[below].push_back(name);
      }
    }
    for (const auto& holder : names(files, node.syspath + "/holders")) {
      above_[name].push_back(holder);
    }
  }
  // A folder mounted a second time elsewhere (a bind mount) says nothing new, unless it is all that
  // can be seen of its device, as in a container.
  const auto mounts = read_mounts(files);
  std::set<std::string> whole;
  for (const Mount& mount : mounts) {
    if (is_whole(mount)) whole.insert(mount.number);
  }
  for (const Mount& mount : mounts) {
    if (is_whole(mount) || !whole.contains(mount.number)) place(files, mount);
  }
}

void BlockStack::place(const FileTree& files, const Mount& mount) {
  Placed placed{mount.point, {}};
  if (const auto found = name_of_number_.find(mount.number); found != name_of_number_.end()) {
    placed.devices.push_back(found->second);
  } else if (mount.source.starts_with("/dev/")) {
    // btrfs mounts have a device number of their own, and /proc/mounts has none at all.
    const auto real = files.resolve(mount.source.substr(1));
    placed.devices.emplace_back(base_name(real ? *real : mount.source));
  } else {
    return;
  }
  if (mount.type == "btrfs") {
    for (const auto& id : names(files, "sys/fs/btrfs")) {
      const auto members = names(files, "sys/fs/btrfs/" + id + "/devices");
      if (std::find(members.begin(), members.end(), placed.devices.front()) != members.end()) {
        placed.devices = members;
      }
    }
  }
  placed_.push_back(std::move(placed));
}

std::vector<std::string> BlockStack::mount_points(std::string_view disk) const {
  std::set<std::string, std::less<>> stack{std::string(disk)};
  std::vector<std::string> todo{std::string(disk)};
  while (!todo.empty()) {
    const std::string name = std::move(todo.back());
    todo.pop_back();
    const auto found = above_.find(name);
    if (found == above_.end()) continue;
    for (const auto& next : found->second) {
      if (stack.insert(next).second) todo.push_back(next);
    }
  }
  std::vector<std::string> out;
  for (const Placed& placed : placed_) {
    const bool here = std::any_of(placed.devices.begin(), placed.devices.end(),
                                  [&stack](const std::string& d) { return stack.contains(d); });
    if (here && std::find(out.begin(), out.end(), placed.point) == out.end()) {
      out.push_back(placed.point);
    }
  }
  return out;
}

}  // namespace raidscope::sysfs
