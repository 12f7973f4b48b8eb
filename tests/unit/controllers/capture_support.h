#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

/// What the tests over tests/captures share: reading a machine's folder, comparing a document with
/// what a reader wrote by hand, and writing goldens that a person can review.
/// docs/adding-a-capture.md describes the format of expected.json.
namespace raidscope::captures {

using Json = nlohmann::ordered_json;

inline std::filesystem::path captures_dir() {
  return std::filesystem::path(RAIDSCOPE_SOURCE_DIR) / "tests" / "captures";
}
inline std::filesystem::path golden_dir() {
  return std::filesystem::path(RAIDSCOPE_SOURCE_DIR) / "tests" / "golden";
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Every folder of tests/captures, sorted; RAIDSCOPE_CAPTURE=NAME leaves only that one.
inline std::vector<std::string> machines() {
  std::vector<std::string> names;
  const char* only = std::getenv("RAIDSCOPE_CAPTURE");
  for (const auto& entry : std::filesystem::directory_iterator(captures_dir())) {
    const auto name = entry.path().filename().string();
    if (entry.is_directory() && (only == nullptr || name == only)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::string one_line(const Json& value) {
  auto text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 200) text = text.substr(0, 200) + "…";
  return text;
}

/// The member that tells one element of a list from the others, or "" where there is none.
inline std::string_view identity_of(std::string_view list) {
  if (list == "controllers") return "slot";
  if (list == "arrays") return "letter";
  if (list == "logical_drives") return "number";
  if (list == "physical_drives" || list == "unassigned_drives" || list == "hba_drives")
    return "bay";
  if (list == "enclosures") return "port";
  if (list == "sensors") return "id";
  return "";
}

/// Lists of which a reader names every element, not just some.
inline bool is_complete_list(std::string_view list) {
  return list == "controllers" || list == "arrays" || list == "logical_drives";
}

/// Counts over a controller that expected.json may state under "counts".
inline Json counts_of(const Json& controller) {
  std::set<std::string> bays, spares, data;
  std::size_t logical = controller.at("logical_drives").size();
  const auto take = [&](const Json& drives) {
    for (const auto& drive : drives) {
      const std::string bay = drive.at("bay").is_string() ? drive.at("bay").get<std::string>() : "";
      bays.insert(bay);
      if (drive.at("role") == "spare") spares.insert(bay);
      if (drive.at("role") == "data") data.insert(bay);
    }
  };
  for (const auto& array : controller.at("arrays")) {
    logical += array.at("logical_drives").size();
    take(array.at("physical_drives"));
  }
  for (const auto* list : {"physical_drives", "unassigned_drives", "hba_drives"})
    take(controller.at(list));
  return Json{{"arrays", controller.at("arrays").size()},
              {"logical_drives", logical},
              {"physical_drives", bays.size()},
              {"data_drives", data.size()},
              {"spares", spares.size()},
              {"unassigned_drives", controller.at("unassigned_drives").size()},
              {"hba_drives", controller.at("hba_drives").size()}};
}

/// Where `actual` is not what `expected` says; empty when all holds. Members that `expected` does
/// not name are not looked at. {"$any": [..]}, {"$approx": n} (0.1 %) and {"$contains": text} stand
/// for values.
inline void differences(const Json& expected, const Json& actual, const std::string& path,
                        std::vector<std::string>& out) {
  const auto differs = [&] {
    out.push_back(path + ": expected " + one_line(expected) + ", got " + one_line(actual));
  };
  if (expected.is_object() && expected.size() == 1) {
    const std::string key = expected.begin().key();
    const Json& value = expected.begin().value();
    if (key == "$any") {
      for (const auto& candidate : value) {
        std::vector<std::string> found;
        differences(candidate, actual, path, found);
        if (found.empty()) return;
      }
      return differs();
    }
    if (key == "$approx") {
      if (!actual.is_number() || std::abs(actual.get<double>() - value.get<double>()) >
                                     std::abs(value.get<double>()) * 1e-3)
        differs();
      return;
    }
    if (key == "$contains") {
      if (!actual.is_string() ||
          actual.get<std::string>().find(value.get<std::string>()) == std::string::npos)
        differs();
      return;
    }
  }
  if (expected.is_object()) {
    if (!actual.is_object()) return differs();
    for (const auto& [key, value] : expected.items()) {
      const std::string here = path + "/" + key;
      if (key == "counts") {
        differences(value, counts_of(actual), here, out);
      } else if (!actual.contains(key)) {
        out.push_back(here + ": not in the document");
      } else {
        differences(value, actual.at(key), here, out);
      }
    }
    return;
  }
  const std::string list = path.substr(path.rfind('/') + 1);
  const std::string identity{identity_of(list)};
  if (expected.is_array() && !identity.empty()) {
    if (!actual.is_array()) return differs();
    if (is_complete_list(list) && expected.size() != actual.size())
      out.push_back(path + ": expected " + std::to_string(expected.size()) + " elements, got " +
                    std::to_string(actual.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Json& wanted = expected[i];
      const Json* id = wanted.contains(identity) ? &wanted.at(identity) : nullptr;
      if (id == nullptr || id->is_null() || id->is_object()) {  // then by position
        if (i < actual.size())
          differences(wanted, actual[i], path + "/" + std::to_string(i), out);
        else
          out.push_back(path + "/" + std::to_string(i) + ": missing");
        continue;
      }
      const auto name = path + "/[" + identity + "=" + one_line(*id) + "]";
      const auto found = std::find_if(actual.begin(), actual.end(), [&](const Json& element) {
        return element.contains(identity) && element.at(identity) == *id;
      });
      if (found == actual.end())
        out.push_back(name + ": missing");
      else
        differences(wanted, *found, name, out);
    }
    return;
  }
  if (expected.is_array()) {
    if (!actual.is_array() || actual.size() != expected.size()) return differs();
    for (std::size_t i = 0; i < expected.size(); ++i)
      differences(expected[i], actual[i], path + "/" + std::to_string(i), out);
    return;
  }
  if (expected.is_number() && actual.is_number()) {
    if (std::abs(expected.get<double>() - actual.get<double>()) > 1e-9) differs();
  } else if (expected != actual) {
    differs();
  }
}

/// JSON with what fits on one line on one line, so that a golden reads like a table.
inline std::string readable(const Json& value, std::size_t indent = 0) {
  const auto flat = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (!value.is_structured() || value.empty() || flat.size() + 2 * indent <= 116) return flat;
  const std::string pad(2 * indent + 2, ' ');
  std::string out{value.is_object() ? "{" : "["};
  bool first = true;
  for (const auto& [key, element] : value.items()) {
    out += first ? "\n" : ",\n";
    first = false;
    out += pad;
    if (value.is_object()) out += Json(key).dump() + ": ";
    out += readable(element, indent + 1);
  }
  return out + "\n" + std::string(2 * indent, ' ') + (value.is_object() ? "}" : "]");
}

/// Leaves out members that are null or empty: a golden shows what was told.
inline Json told(const Json& value) {
  if (value.is_object()) {
    Json out = Json::object();
    for (const auto& [key, element] : value.items()) {
      if (element.is_null()) continue;
      Json kept = told(element);
      if (kept.is_structured() && kept.empty()) continue;
      out[key] = std::move(kept);
    }
    return out;
  }
  if (value.is_array()) {
    Json out = Json::array();
    for (const auto& element : value) out.push_back(told(element));
    return out;
  }
  return value;
}

/// The first line in which two texts differ, for a failure message.
inline std::string first_difference(const std::string& a, const std::string& b) {
  const auto at = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  const auto line = 1 + std::count(a.begin(), a.begin() + at, '\n');
  const auto line_of = [&](const std::string& text) {
    const auto pos = std::min(static_cast<std::size_t>(at), text.size());
    const auto newline = pos == 0 ? std::string::npos : text.rfind('\n', pos - 1);
    const auto begin = newline == std::string::npos ? 0 : newline + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  return "line " + std::to_string(line) + "\n  golden:  " + line_of(a) +
         "\n  program: " + line_of(b);
}

}  // namespace raidscope::captures
