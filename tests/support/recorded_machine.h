#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/support/memory_host.h"

namespace raidscope::testing {

/// Fills a MemoryHost's files and devices from a text in umockdev's recording format: P path,
/// N node, E property, A attribute, H attribute in hex, L link. Makes the links below sys/class,
/// sys/bus and sys/block that the kernel has.
inline void load_recorded_machine(MemoryHost& machine, std::string_view recording) {
  const auto unescape = [](std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\\' && i + 1 < text.size()) {
        ++i;
        out += text[i] == 'n' ? '\n' : text[i];
      } else {
        out += text[i];
      }
    }
    return out;
  };
  const auto from_hex = [](const std::string& hex) {
    std::string out;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
      out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return out;
  };
  DeviceNode node;
  const auto finish = [&] {
    if (node.syspath.empty()) return;
    const auto subsystem = node.properties["SUBSYSTEM"];
    const std::string name = node.syspath.substr(node.syspath.rfind('/') + 1);
    std::string uevent;
    for (const auto& [key, value] : node.properties) uevent += key + "=" + value + "\n";
    machine.files.file(node.syspath + "/uevent", uevent);
    const bool bus = subsystem == "scsi" || subsystem == "pci";
    const std::string folder = bus ? "sys/bus/" + subsystem + "/devices" : "sys/class/" + subsystem;
    machine.files.link(folder + "/" + name, "/" + node.syspath);
    if (subsystem == "block") machine.files.link("sys/block/" + name, "/" + node.syspath);
    machine.devices.add(subsystem, node);
    node = {};
  };
  std::istringstream in{std::string(recording)};
  for (std::string line; std::getline(in, line);) {
    if (line.size() < 3 || line[1] != ':') continue;
    const std::string rest = line.substr(3);
    const auto equals = rest.find('=');
    const std::string key = rest.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : rest.substr(equals + 1);
    switch (line[0]) {
      case 'P':
        finish();
        node.syspath = "sys" + rest;
        break;
      case 'N':
        node.devnode = "/dev/" + rest;
        break;
      case 'E':
        node.properties[key] = value;
        break;
      case 'A':
        machine.files.file(node.syspath + "/" + key, unescape(value));
        break;
      case 'H':
        machine.files.file(node.syspath + "/" + key, from_hex(value));
        break;
      case 'L':
        machine.files.link(node.syspath + "/" + key, value);
        break;
      default:
        break;
    }
  }
  finish();
}

/// A file below tests/support/machines, as text.
inline std::string read_machine(const std::string& name) {
  std::ifstream in(std::string(RAIDSCOPE_SOURCE_DIR) + "/tests/support/machines/" + name);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace raidscope::testing
