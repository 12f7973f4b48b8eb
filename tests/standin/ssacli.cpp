// A stand-in for the vendor tool, with state: what it is asked to change it changes, and it prints
// its present state in the dialect of its version. It refuses what the real tool refuses, in the
// real tool's words, and holds a lock of its own. The state lies beside the program: ssacli.state.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <sys/file.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

void pause_ms(const Json& state, const char* key) {
  std::this_thread::sleep_for(std::chrono::milliseconds(state.value(key, 0)));
}

int error(const std::string& text) {
  fmt::print("\nError: {}\n\n", text);
  return 1;
}

/// Old dialects say it otherwise; so does the newest.
bool old_dialect(const Json& state) {
  return state.value("dialect", "ssacli") == "hpacucli";
}

std::string smart_path_key(const Json& state) {
  const std::string dialect = state.value("dialect", "ssacli");
  return dialect == "ssacli" ? "Smart Path" : "HP SSD Smart Path";
}

bool cache_in_use(const Json& state) {
  for (const Json& array : state["arrays"]) {
    for (const Json& drive : array["drives"]) {
      if (drive["caching"] == true) return true;
    }
  }
  return false;
}

/// KiB of data in a stripe of 256 KiB strips.
int full_stripe(const Json& array, const std::string& raid) {
  const auto disks = static_cast<int>(array.value("bays", Json::array()).size());
  const int data = raid == "1+0" ? disks / 2 : raid == "1" ? 1 : disks;
  return 256 * std::max(data, 1);
}

void print_drive(const Json& state, const Json& array, const Json& drive) {
  const bool caching = drive["caching"] == true;
  const bool smart_path = array.value("smart_path", Json()) == true;
  fmt::print(
      "      Logical Drive: {}\n         Size: 838.3 GB\n         Fault Tolerance: {}\n"
      "         Strip Size: 256 KB\n         Full Stripe Size: {} KB\n         Status: OK\n",
      drive["number"].get<int>(), drive.value("raid", "1+0"),
      full_stripe(array, drive.value("raid", "1+0")));
  if (old_dialect(state)) {
    fmt::print("         Array Accelerator: {}\n", caching ? "Enabled" : "Disabled");
  } else {
    fmt::print("         Caching:  {}\n", caching ? "Enabled" : "Disabled");
  }
  fmt::print(
      "         Unique Identifier: {}\n         Disk Name: {} \n         Mount Points: None\n"
      "         Drive Type: Data\n",
      drive["unique_id"].get<std::string>(), drive.value("disk", "/dev/sdz"));
  if (!old_dialect(state)) {
    fmt::print("         LD Acceleration Method: {}\n", smart_path ? smart_path_key(state)
                                                        : caching  ? "Controller Cache"
                                                                   : "None");
  }
  fmt::print("\n");
}

void print_state(const Json& state) {
  const bool in_use = cache_in_use(state);
  fmt::print(
      "\nSmart Array {} in Slot {}{}\n   Bus Interface: PCI\n   Slot: {}\n"
      "   Serial Number: {}\n   Controller Status: OK\n   Hardware Revision: B\n"
      "   Firmware Version: {}\n   Rebuild Priority: High\n   Surface Scan Delay: 3 secs\n"
      "   Surface Scan Mode: {}\n   Queue Depth: Automatic\n"
      "   Monitor and Performance Delay: 60  min\n   Elevator Sort: Enabled\n"
      "   Degraded Performance Optimization: Disabled\n   Wait for Cache Room: Disabled\n"
      "   Post Prompt Timeout: 0 secs\n   Cache Board Present: True\n   Cache Status: {}\n",
      state["model"].get<std::string>(), state["slot"].get<std::string>(),
      state["slot"] == "0" ? " (Embedded)" : "", state["slot"].get<std::string>(),
      state["serial"].get<std::string>(), state.value("firmware", "8.32"),
      state["surface_scan_mode"].get<std::string>(), in_use ? "OK" : "Not Configured");
  // No ratio is kept, nor told, while nothing uses the cache.
  if (in_use) {
    fmt::print("   {}: {}% Read / {}% Write\n",
               old_dialect(state) ? "Accelerator Ratio" : "Cache Ratio",
               state["ratio"][0].get<int>(), state["ratio"][1].get<int>());
  }
  fmt::print(
      "   Drive Write Cache: Disabled\n   Total Cache Size: 2.0 GB\n"
      "   Total Cache Memory Available: 1.8 GB\n   No-Battery Write Cache: Disabled\n"
      "   Cache Backup Power Source: Capacitors\n   Battery/Capacitor Count: 1\n"
      "   Battery/Capacitor Status: {}\n   SATA NCQ Supported: True\n"
      "   Controller Temperature (C): 71\n   Number of Ports: 2 Internal only\n"
      "   Driver Name: hpsa\n   Driver Version: 3.4.20\n",
      state.value("backup", "OK"));
  if (!old_dialect(state)) {
    fmt::print(
        "   Driver Supports HP SSD Smart Path: True\n"
        "   PCI Address (Domain:Bus:Device.Function): 0000:0D:00.0\n");
  }
  fmt::print("\n");
  for (const Json& array : state["arrays"]) {
    fmt::print(
        "   Array: {}\n      Interface Type: SAS\n      Unused Space: 0  MB\n      Status: OK\n"
        "      Array Type: Data \n",
        array["letter"].get<std::string>());
    if (!array.value("smart_path", Json()).is_null())
      fmt::print("      {}: {}\n", smart_path_key(state),
                 array["smart_path"] == true ? "enable" : "disable");
    fmt::print("\n");
    for (const Json& drive : array["drives"]) print_drive(state, array, drive);
    int bay = 1;
    for (const Json& drive : array.value("bays", Json::array())) {
      fmt::print(
          "      physicaldrive {0}\n         Port: 1I\n         Box: 1\n         Bay: {1}\n"
          "         Status: OK\n         Drive Type: Data Drive\n         Interface Type: SAS\n"
          "         Size: 900 GB\n         Serial Number: STANDIN{1:02}\n\n",
          drive.get<std::string>(), bay++);
    }
  }
}

/// What takes effect is written whole or not at all, as a controller does it.
void write_state(const std::string& path, const Json& state) {
  const std::string fresh = path + ".new";
  {
    std::ofstream file(fresh);
    file << state.dump(1) << "\n";
  }
  std::rename(fresh.c_str(), path.c_str());
}

Json* find_array(Json& state, const std::string& letter) {
  for (Json& array : state["arrays"]) {
    if (array["letter"] == letter) return &array;
  }
  return nullptr;
}

std::string invalid(const std::string& value, const std::string& options) {
  return fmt::format("\"{}\" is not a valid option.\n\nAvailable options are:\n{}", value, options);
}

/// "1" or an error in the tool's words; changes the state.
std::string change_drive(Json& state, const std::string& number, const std::string& parameter,
                         const std::string& value) {
  if (parameter != "caching" && parameter != "aa" && parameter != "arrayaccelerator")
    return fmt::format("Parameter \"{}\" is not supported by this stand-in.", parameter);
  if (value != "enable" && value != "disable") return invalid(value, "enable\ndisable");
  for (Json& array : state["arrays"]) {
    for (Json& drive : array["drives"]) {
      if (std::to_string(drive["number"].get<int>()) != number) continue;
      // The real message is as misleading.
      if (value == "enable" && array.value("smart_path", Json()) == true)
        return fmt::format("Invalid drive specified: {}", number);
      drive["caching"] = value == "enable";
      return {};
    }
  }
  return fmt::format("Invalid drive specified: {}", number);
}

std::string change_array(Json& state, const std::string& letter, const std::string& parameter,
                         const std::string& value) {
  Json* const array = find_array(state, letter);
  if (array == nullptr) return "The specified array does not exist.";
  if (parameter != "ssdsmartpath" || array->value("smart_path", Json()).is_null())
    return "This operation is not supported with the current configuration. Use the \"show\" "
           "command "
           "on devices to show additional details about the configuration.";
  if (value != "enable" && value != "disable") return invalid(value, "enable\ndisable");
  if (value == "enable") {
    for (const Json& drive : (*array)["drives"]) {
      if (drive["caching"] != true) continue;
      return "SSD Smart Path cannot be enabled while an array has caching enabled on any of its "
             "logical drives.";
    }
  }
  (*array)["smart_path"] = value == "enable";
  // What the real tool leaves behind is not settled; a test may want either.
  if (value == "disable" && state.value("off_turns_caching_on", false)) {
    for (Json& drive : (*array)["drives"]) drive["caching"] = true;
  }
  return {};
}

std::string change_controller(Json& state, const std::string& parameter, const std::string& value) {
  if (parameter == "cacheratio" || parameter == "cr") {
    int read = 0;
    int write = 0;
    if (std::sscanf(value.c_str(), "%d/%d", &read, &write) != 2 || read + write != 100)
      return invalid(value, "100/0\n75/25\n50/50\n25/75\n10/90\n0/100");
    if (!cache_in_use(state))
      return "This operation is not supported with the current configuration. Use the \"show\" "
             "command on devices to show additional details about the configuration.";
    state["ratio"] = {read, write};
    return {};
  }
  if (parameter == "surfacescanmode") {
    if (value != "disable" && value != "idle" && value != "high")
      return invalid(value, "disable\nhigh\nidle");
    state["surface_scan_mode"] = value == "idle" ? "Idle" : value == "high" ? "High" : "Disabled";
    return {};
  }
  return fmt::format("Parameter \"{}\" is not supported by this stand-in.", parameter);
}

int modify(Json& state, const std::string& path, const Words& words) {
  if (words[1] != "slot=" + state["slot"].get<std::string>())
    return error(fmt::format("The controller identified by \"{}\" was not detected.", words[1]));
  std::size_t at = 2;
  std::string kind;
  std::string which;
  if (words[at] == "ld" || words[at] == "array") {
    kind = words[at];
    which = words[at + 1];
    at += 2;
  }
  if (at + 1 >= words.size() || words[at] != "modify") return error("Syntax error.");
  const std::string& assignment = words[at + 1];
  const std::size_t equal = assignment.find('=');
  if (equal == std::string::npos) return error("Syntax error at \"" + assignment + "\"");
  const std::string parameter = assignment.substr(0, equal);
  const std::string value = assignment.substr(equal + 1);
  if (words.back() != "forced") {
    // It asks, and there is nobody: the end of input is no yes.
    fmt::print("\nWarning: This may affect data. Continue? (y/n) ");
    return 1;
  }
  if (state.value("fail_on", "") == assignment)
    return error("An internal controller error occurred.");
  if (state.value("ignore", "") == assignment) return 0;
  if (const std::string hang = state.value("hang_on", ""); hang == assignment)
    std::this_thread::sleep_for(std::chrono::seconds(3600));
  pause_ms(state, "before_ms");
  const std::string wrong = kind == "ld"      ? change_drive(state, which, parameter, value)
                            : kind == "array" ? change_array(state, which, parameter, value)
                                              : change_controller(state, parameter, value);
  if (!wrong.empty()) return error(wrong);
  write_state(path, state);
  std::ofstream(path + ".log", std::ios::app) << fmt::format("{}\n", fmt::join(words, " "));
  pause_ms(state, "after_ms");
  return 0;  // a change that worked prints nothing
}

}  // namespace

int main(int argc, char** argv) {
  const Words words(argv + 1, argv + argc);
  const std::string path = std::string(argv[0]) + ".state";
  const int lock = ::open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) != 0)
    return error(
        "Another instance of ACU is already running (possibly a service). Please terminate "
        "the ACU application before running the ACU CLI.");
  std::ifstream file(path);
  Json state = Json::parse(file, nullptr, false);
  if (state.is_discarded()) return error("No controllers detected.");
  pause_ms(state, "start_ms");
  if (words == Words{"version"}) {
    fmt::print("\nSSACLI Version: 3.40.3.0  2019-01-10\nSOULAPI Version: 3.40.3.0\n\n");
    return 0;
  }
  if (words == Words{"ctrl", "all", "show", "config", "detail"}) {
    print_state(state);
    return 0;
  }
  if (words.size() >= 4 && words[0] == "ctrl") return modify(state, path, words);
  return error("Invalid command.");
}
