#include "controllers/inventory/inventory_diff.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "controllers/inventory/fact_weight.h"
#include "controllers/inventory/precedence.h"

namespace raidscope {
namespace {

/// What tells an object from its siblings, strongest first; two objects are one where the first key
/// that both know is the same. A pass allows the keys from `from` on, so that two machines set up
/// alike are compared by place where no serial can match.
using Keys = std::array<std::string, 3>;

std::string id(const Text& text) {
  return text ? normal_id(*text) : std::string();
}

Keys keys_of(const Controller& c) {
  return {id(c.pci_address), id(c.serial), id(c.slot)};
}
Keys keys_of(const Array& a) {
  return {id(a.letter), "", ""};
}
Keys keys_of(const PhysicalDrive& d) {
  return {id(d.serial), id(d.bay), ""};
}
Keys keys_of(const Enclosure& e) {
  return {fmt::format("{}/{}/{}", e.name, e.port.value_or(""), e.box.value_or("")), "", ""};
}
Keys keys_of(const BlockDevice& d) {
  return {id(d.wwid), id(d.serial), d.path};
}

struct PlacedDrive {
  const LogicalDrive* drive = nullptr;
  const Array* array = nullptr;
};
Keys keys_of(const PlacedDrive& d) {
  return {id(d.drive->unique_id), d.drive->number ? std::to_string(*d.drive->number) : "", ""};
}
Keys keys_of(const PhysicalDrive* d) {
  return keys_of(*d);
}

template <class T>
struct Pair {
  const T* a = nullptr;
  const T* b = nullptr;
};

/// In the order of `a`, then what only `b` has. At most |a| × |b| comparisons a key.
template <class T>
std::vector<Pair<T>> match(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<Pair<T>> out;
  std::vector<Keys> keys_b;
  for (const T& item : b) keys_b.push_back(keys_of(item));
  std::vector<const T*> partner(a.size(), nullptr);
  std::vector<bool> taken(b.size(), false);
  for (std::size_t key = 0; key < std::tuple_size_v<Keys>; ++key) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (partner[i] != nullptr) continue;
      const std::string mine = keys_of(a[i])[key];
      if (mine.empty()) continue;
      for (std::size_t j = 0; j < b.size(); ++j) {
        if (taken[j] || keys_b[j][key] != mine) continue;
        partner[i] = &b[j];
        taken[j] = true;
        break;
      }
    }
  }
  for (std::size_t i = 0; i < a.size(); ++i) out.push_back({&a[i], partner[i]});
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (!taken[j]) out.push_back({nullptr, &b[j]});
  }
  return out;
}

struct Leaf {
  std::optional<std::string> a, b;
  FactWeight weight = FactWeight::information;
};

/// Two objects' facts side by side, in document order.
template <class T>
std::vector<std::pair<std::string, Leaf>> side_by_side(const T& a, const T& b) {
  std::vector<std::pair<std::string, Leaf>> out;
  std::string path;
  facts::visit(a, path, FactWeight::performance,
               [&](std::string_view name, const auto& value, FactWeight weight) {
                 out.emplace_back(name, Leaf{facts::comparable(name, value), {}, weight});
               });
  std::size_t i = 0;
  facts::visit(b, path, FactWeight::performance,
               [&](std::string_view name, const auto& value, FactWeight) {
                 out[i++].second.b = facts::comparable(name, value);
               });
  return out;
}

std::string readable(std::string path) {
  std::string out;
  for (const char c : path) out += c == '.' ? std::string(" / ") : std::string(1, c);
  return out;
}

bool varies_by_its_name(std::string_view key) {
  constexpr std::string_view words[] = {
      "emperature", "erial", "Hours",  "Remaining", "remaining", "Complete",
      "WWN",        "WWID",  "Unique", "Time",      "Date",      "Uptime",
      "Progress",   "Count", "Life",   "Volume",    "I2C"};
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) {
    return key.find(word) != std::string_view::npos;
  });
}

std::map<std::string, std::string> by_key(const ExtraFields& extra) {
  std::map<std::string, std::string> out;
  for (const auto& [key, value] : extra.items) {
    if (varies_by_its_name(key)) continue;
    std::string& all = out[key];
    all += (all.empty() ? "" : ", ") + value;
  }
  return out;
}

class Differ {
 public:
  std::vector<Difference> compare(const Inventory& a, const Inventory& b) {
    compare_facts("host", &a.host, &b.host);
    const auto controllers = with_leftovers_by_model(match(a.controllers, b.controllers));
    for (const Pair<Controller>& pair : controllers) {
      const std::string label = label_of(pair.a != nullptr ? *pair.a : *pair.b);
      if (!both(label, pair, a.controllers.empty() || b.controllers.empty())) continue;
      compare_controllers(label, *pair.a, *pair.b);
    }
    for (const Pair<BlockDevice>& pair : match(a.block_devices, b.block_devices)) {
      const BlockDevice& named = pair.a != nullptr ? *pair.a : *pair.b;
      if (!both(named.path, pair, a.block_devices.empty() || b.block_devices.empty())) continue;
      compare_facts(named.path, pair.a, pair.b);
    }
    return std::move(out_);
  }

 private:
  static std::string label_of(const Controller& controller) {
    const std::string name = controller.model ? *controller.model : controller.name.value_or("?");
    if (controller.slot) return fmt::format("{} slot {}", name, *controller.slot);
    if (controller.pci_address) return fmt::format("{} at {}", name, *controller.pci_address);
    return name;
  }

  /// Two machines: the same model in another slot is the nearest thing to compare with.
  static std::vector<Pair<Controller>> with_leftovers_by_model(
      std::vector<Pair<Controller>> pairs) {
    for (Pair<Controller>& left : pairs) {
      if (left.a == nullptr || left.b != nullptr) continue;
      const auto found =
          std::find_if(pairs.begin(), pairs.end(), [&](const Pair<Controller>& right) {
            return right.a == nullptr && right.b != nullptr && right.b->model == left.a->model;
          });
      if (found == pairs.end()) continue;
      left.b = found->b;
      found->b = nullptr;
    }
    std::erase_if(pairs,
                  [](const Pair<Controller>& p) { return p.a == nullptr && p.b == nullptr; });
    return pairs;
  }

  /// Reports an object that one side lacks. `unseen`: that side saw none of its kind at all, so it
  /// may not have looked.
  template <class T>
  bool both(const std::string& label, const Pair<T>& pair, bool unseen) {
    if (pair.a != nullptr && pair.b != nullptr) return true;
    const auto word = [&](const T* side) {
      return std::string(side != nullptr ? "present" : unseen ? "unknown" : "missing");
    };
    out_.push_back({label, word(pair.a), word(pair.b), true, unseen});
    return false;
  }

  template <class T>
  void compare_facts(const std::string& label, const T* a, const T* b) {
    for (const auto& [name, leaf] : side_by_side(*a, *b)) {
      if (leaf.a == leaf.b) continue;
      out_.push_back({fmt::format("{} / {}", label, readable(name)), leaf.a.value_or("unknown"),
                      leaf.b.value_or("unknown"), leaf.weight == FactWeight::performance,
                      !leaf.a || !leaf.b});
    }
  }

  void compare_extra(const std::string& label, const ExtraFields& a, const ExtraFields& b) {
    const auto left = by_key(a), right = by_key(b);
    auto keys = left;
    keys.insert(right.begin(), right.end());
    for (const auto& [key, unused] : keys) {
      const auto i = left.find(key), j = right.find(key);
      const bool known = i != left.end() && j != right.end();
      if (known && i->second == j->second) continue;
      out_.push_back({fmt::format("{} / {}", label, key), i == left.end() ? "unknown" : i->second,
                      j == right.end() ? "unknown" : j->second, false, !known});
    }
  }

  void compare_controllers(const std::string& label, const Controller& a, const Controller& b) {
    compare_facts(label, &a, &b);
    compare_extra(label, a.extra, b.extra);
    for (const Pair<Array>& pair : match(a.arrays, b.arrays)) {
      const Array& named = pair.a != nullptr ? *pair.a : *pair.b;
      const std::string name = fmt::format("{} / array {}", label, named.letter.value_or("?"));
      if (!both(name, pair, a.arrays.empty() || b.arrays.empty())) continue;
      compare_facts(name, pair.a, pair.b);
      compare_extra(name, pair.a->extra, pair.b->extra);
    }
    const auto drives_a = logical(a), drives_b = logical(b);
    for (const Pair<PlacedDrive>& pair : match(drives_a, drives_b)) {
      const LogicalDrive& named = *(pair.a != nullptr ? *pair.a : *pair.b).drive;
      const std::string name =
          fmt::format("{} / LD {}", label, named.number ? std::to_string(*named.number) : "?");
      if (!both(name, pair, drives_a.empty() || drives_b.empty())) continue;
      compare_facts(name, pair.a->drive, pair.b->drive);
      compare_extra(name, pair.a->drive->extra, pair.b->drive->extra);
    }
    const auto disks_a = physical(a), disks_b = physical(b);
    for (const Pair<const PhysicalDrive*>& pair : match(disks_a, disks_b)) {
      const PhysicalDrive& named = **(pair.a != nullptr ? pair.a : pair.b);
      const std::string name = fmt::format("{} / drive {}", label, named.bay.value_or("?"));
      if (!both(name, pair, disks_a.empty() || disks_b.empty())) continue;
      compare_facts(name, *pair.a, *pair.b);
      compare_extra(name, (*pair.a)->extra, (*pair.b)->extra);
    }
    for (const Pair<Enclosure>& pair : match(a.enclosures, b.enclosures)) {
      const Enclosure& named = pair.a != nullptr ? *pair.a : *pair.b;
      const std::string name = fmt::format("{} / {}", label, named.name);
      if (pair.a == nullptr || pair.b == nullptr) {
        const bool unseen = a.enclosures.empty() || b.enclosures.empty();
        both(name, pair, unseen);
        out_.back().performance = false;
        continue;
      }
      compare_facts(name, pair.a, pair.b);
    }
  }

  static std::vector<PlacedDrive> logical(const Controller& controller) {
    std::vector<PlacedDrive> out;
    for (const Array& array : controller.arrays) {
      for (const LogicalDrive& drive : array.logical_drives) out.push_back({&drive, &array});
    }
    for (const LogicalDrive& drive : controller.logical_drives) out.push_back({&drive, nullptr});
    return out;
  }

  static std::vector<const PhysicalDrive*> physical(const Controller& controller) {
    std::vector<const PhysicalDrive*> out;
    const auto add = [&](const std::vector<PhysicalDrive>& list) {
      for (const PhysicalDrive& drive : list) out.push_back(&drive);
    };
    for (const Array& array : controller.arrays) add(array.physical_drives);
    add(controller.physical_drives);
    add(controller.unassigned_drives);
    add(controller.hba_drives);
    return out;
  }

  std::vector<Difference> out_;
};

}  // namespace

std::vector<Difference> diff_inventories(const Inventory& a, const Inventory& b) {
  return Differ().compare(a, b);
}

ConfigChange config_change(const Inventory& before, const Inventory& after) {
  ConfigChange out;
  for (const Difference& difference : diff_inventories(before, after)) {
    if (!difference.performance) continue;
    if (difference.one_side_unknown) {
      out.unverified.push_back(
          fmt::format("{} ({} before, {} after)", difference.fact, difference.a, difference.b));
    } else {
      out.changed = true;
      out.changes.push_back(
          fmt::format("{}: {} before, {} after", difference.fact, difference.a, difference.b));
    }
  }
  return out;
}

}  // namespace raidscope
