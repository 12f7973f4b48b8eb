#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "probe/base/enum_names.h"
#include "workloads/run_result.h"

/// Published numbers as data: to be held against one's own with `compare --reference`, and to be
/// read with what their authors left out.
namespace raidscope {

/// Given: a number that was printed. Derived: computed from such. Claim: words without a number.
enum class ReferenceKind { given, derived, claim };
template <>
struct EnumNames<ReferenceKind> {
  static constexpr std::pair<ReferenceKind, std::string_view> table[] = {
      {ReferenceKind::given, "given"},
      {ReferenceKind::derived, "derived"},
      {ReferenceKind::claim, "claim"}};
};

/// What a drive cost, as its study says.
struct PublishedPrice {
  std::string what;
  double price = 0;
  std::string currency;
  double gb = 0;  ///< decimal, as the drive is sold
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("what", s.what);
    f("price", s.price);
    f("currency", s.currency);
    f("gb", s.gb);
  }
};

/// Of a GB; nullopt where the size is not told.
std::optional<double> capacity_price(const PublishedPrice& price);

/// One published result. Null and empty: not told.
struct Reference {
  std::string id;  ///< "S1-c1"
  std::string study, source;
  std::string configuration, workload;  ///< in words
  ReferenceKind kind = ReferenceKind::given;
  std::optional<double> iops, bytes_per_s, mean_us, p99_us;
  std::string says;                  ///< what else it says; of a claim all there is
  std::vector<std::string> unknown;  ///< what would be needed to repeat or to trust it
  std::vector<PublishedPrice> prices;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("id", s.id);
    f("study", s.study);
    f("source", s.source);
    f("configuration", s.configuration);
    f("workload", s.workload);
    f("kind", s.kind);
    f("iops", s.iops);
    f("bytes_per_s", s.bytes_per_s);
    f("mean_us", s.mean_us);
    f("p99_us", s.p99_us);
    f("says", s.says);
    f("unknown", s.unknown);
    f("prices", s.prices);
  }
};

const std::vector<Reference>& references();
/// Letters without case; nullptr when there is none.
const Reference* find_reference(std::string_view id);

/// A reference with a number of IOPS as a run of origin "published" on the little that is known of
/// its configuration; nullopt for one without.
struct ReferenceRun {
  RunResult run;
  Inventory inventory;
};
std::optional<ReferenceRun> reference_run(const Reference& reference);

/// The pattern, block size, share of reads and area that a claim speaks of; the depth is not clear.
/// nullopt where it names no workload.
std::optional<Workload> workload_of_claim(const Reference& reference);

}  // namespace raidscope
