#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "tests/lab/guest/card_link.h"
#include "tests/standin/controller.h"

namespace raidscope::standin {
namespace {

namespace fs = std::filesystem;

/// The disks of the machine by unique id, as the driver's attribute has it.
std::map<std::string, std::string> disks_by_id() {
  std::map<std::string, std::string> out;
  std::error_code ignored;
  for (const auto& device : fs::directory_iterator("/sys/bus/scsi/devices", ignored)) {
    std::ifstream file(device.path() / "unique_id");
    std::string id;
    if (!(file >> id)) continue;
    for (const auto& disk : fs::directory_iterator(device.path() / "block", ignored)) {
      out[id] = "/dev/" + disk.path().filename().string();
    }
  }
  return out;
}

/// What the tool tells in place of the state, as changes of it.
std::string claims_of(const lab::Tool& tool) {
  std::string out;
  for (const auto& [pointer, value] : tool.claims) {
    out += fmt::format(R"({}"{}": {})", out.empty() ? "" : ", ", pointer, value);
  }
  return "{" + out + "}";
}

std::string upper(std::string words) {
  std::transform(words.begin(), words.end(), words.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return words;
}

}  // namespace

Result<std::vector<Controller>> FileBacking::controllers() {
  RAIDSCOPE_TRY(auto machine, lab::read_machine_file(path_));
  return std::vector<Controller>{{std::move(machine), "0000:0D:00.0", {}}};
}

Status FileBacking::change(std::size_t /*controller*/, const std::string& changes) {
  RAIDSCOPE_TRY(const auto all, controllers());
  RAIDSCOPE_TRY(const auto next, lab::changed(all.front().machine, changes));
  // What takes effect is written whole or not at all, as a controller does it.
  const std::string fresh = path_ + ".new";
  std::ofstream(fresh) << lab::state_text(next) << "\n";
  std::rename(fresh.c_str(), path_.c_str());
  return Done{};
}

void FileBacking::note(const std::string& command) {
  std::ofstream(path_ + ".log", std::ios::app) << command << "\n";
}

Result<std::vector<Controller>> CardBacking::controllers() {
  std::vector<Controller> out;
  nodes_.clear();
  const auto disks = disks_by_id();
  for (const lab::FoundCard& card : lab::find_cards()) {
    RAIDSCOPE_TRY(const std::string state, lab::CardLink(card.node).state());
    RAIDSCOPE_TRY(auto machine, lab::read_machine(state, card.node));
    if (!machine.tool.claims.empty()) {
      RAIDSCOPE_TRY(machine, lab::changed(machine, claims_of(machine.tool)));
    }
    nodes_.push_back(card.node);
    out.push_back({std::move(machine), upper(card.pci_address), disks});
  }
  return out;
}

Status CardBacking::change(std::size_t controller, const std::string& changes) {
  return lab::CardLink(nodes_.at(controller)).change(changes);
}

}  // namespace raidscope::standin
