#pragma once

#include <string>
#include <vector>

#include "controllers/inventory/inventory.h"

namespace raidscope {

/// One fact that differs between two inventories.
struct Difference {
  std::string fact;  ///< readable path by identity, not index: "P420i slot 0 / LD 1 / caching"
  std::string a, b;  ///< values as text; "unknown" for null
  bool performance = false;  ///< part of the fingerprint: it changes what a test measures
  bool one_side_unknown = false;
  bool operator==(const Difference&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("fact", s.fact);
    f("a", s.a);
    f("b", s.b);
    f("performance", s.performance);
    f("one_side_unknown", s.one_side_unknown);
  }
};

/// Objects are matched by identity (controller by PCI address, serial or slot; logical drive by
/// unique id or number; drive by serial or bay). What varies by itself is left out
/// (docs/fingerprint.md).
std::vector<Difference> diff_inventories(const Inventory& a, const Inventory& b);

/// For a run: what changed among facts known in both, and which facts could not be compared because
/// one side does not know them.
struct ConfigChange {
  bool changed = false;
  std::vector<std::string> changes, unverified;
};
ConfigChange config_change(const Inventory& before, const Inventory& after);

}  // namespace raidscope
