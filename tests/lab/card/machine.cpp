#include "tests/lab/card/machine.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "controllers/catalogue/catalogue.h"
#include "probe/base/json_document.h"
#include "probe/base/scsi.h"
#include "probe/base/text.h"
#include "tests/lab/card/complete.h"

namespace raidscope::json {

template <>
struct Codec<lab::Size> {
  static Json encode(const lab::Size& size) { return size.bytes; }
  static void decode(const Json& in, lab::Size& out, const std::string& at) {
    if (in.is_number_unsigned()) {
      out.bytes = in.get<std::uint64_t>();
      return;
    }
    if (in.is_string()) {
      if (const auto bytes = lab::bytes_of(in.get_ref<const std::string&>())) {
        out.bytes = *bytes;
        return;
      }
    }
    throw fmt::format("{}: expected a number of bytes or a text like \"2 GiB\" or \"300 GB\"", at);
  }
};

}  // namespace raidscope::json

namespace raidscope::lab {
namespace {

using json::Json;

Result<Machine> of_document(const Json& document, std::string_view where) {
  RAIDSCOPE_TRY(auto machine, json::decode_document<Machine>(document, where));
  // A misspelt field would silently leave a default in place.
  if (const auto key = json::unknown_key(document, json::encode(machine)); !key.empty()) {
    return fail(Errc::malformed, key + ": no field of a machine description", std::string(where),
                "docs/lab.md lists the fields");
  }
  if (const auto wrong = complete(machine); !wrong.empty()) {
    return fail(Errc::malformed, wrong, std::string(where), "docs/lab.md lists the fields");
  }
  return machine;
}

}  // namespace

std::optional<std::uint64_t> bytes_of(std::string_view words) {
  struct Unit {
    std::string_view name;
    std::uint64_t bytes;
  };
  constexpr auto units = std::to_array<Unit>({{"B", 1},
                                              {"KiB", 1ULL << 10},
                                              {"MiB", 1ULL << 20},
                                              {"GiB", 1ULL << 30},
                                              {"TiB", 1ULL << 40},
                                              {"KB", 1000},
                                              {"MB", 1'000'000},
                                              {"GB", 1'000'000'000},
                                              {"TB", 1'000'000'000'000}});
  const std::size_t blank = words.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const auto number = text::to_decimal(words.substr(0, blank));
  const std::string_view name = words.substr(blank + 1);
  const auto* const unit =
      std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == name; });
  if (!number || unit == units.end() || *number > 1e6) return std::nullopt;
  return static_cast<std::uint64_t>(*number * static_cast<double>(unit->bytes));
}

Result<Machine> read_machine(std::string_view text, std::string_view where) {
  RAIDSCOPE_TRY(const Json document, json::parse_text(text, where));
  return of_document(document, where);
}

Result<Machine> read_machine_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  if (!(text << file.rdbuf())) {
    return fail(Errc::not_found, "cannot read the machine description", path);
  }
  return read_machine(text.str(), path);
}

std::string state_text(const Machine& machine) {
  return json::encode(machine).dump();
}

Result<Machine> changed(const Machine& machine, std::string_view changes) {
  RAIDSCOPE_TRY(const Json wanted, json::parse_text(changes, "changes"));
  if (!wanted.is_object()) {
    return fail(Errc::malformed, "expected an object of JSON pointers and values", "changes");
  }
  Json document = json::encode(machine);
  for (const auto& [pointer, value] : wanted.items()) {
    try {
      document.at(Json::json_pointer(pointer)) = value;
    } catch (const Json::exception&) {
      return fail(Errc::malformed, "no such place in the state", pointer,
                  "labctl state prints the whole of it");
    }
  }
  return of_document(document, "changes");
}

std::vector<PlacedDrive> all_drives(const Machine& machine) {
  std::vector<PlacedDrive> out;
  const auto add = [&](const std::vector<Drive>& drives, Role role, const Array* array) {
    for (const Drive& drive : drives) out.push_back({&drive, role, array});
  };
  for (const Array& array : machine.arrays) {
    add(array.drives, Role::data, &array);
    add(array.spares, Role::spare, &array);
  }
  add(machine.unassigned, Role::unassigned, nullptr);
  add(machine.hba_drives, Role::hba, nullptr);
  return out;
}

std::size_t first_number(const Machine& machine, const Array& array) {
  std::size_t out = 0;
  for (const Array& before : machine.arrays) {
    if (&before == &array) break;
    out += before.drives.size() + before.spares.size();
  }
  return out;
}

std::vector<PlacedVolume> all_volumes(const Machine& machine) {
  std::vector<PlacedVolume> out;
  for (const Array& array : machine.arrays) {
    for (const LogicalDrive& drive : array.logical_drives) out.push_back({&drive, &array});
  }
  std::sort(out.begin(), out.end(), [](const PlacedVolume& a, const PlacedVolume& b) {
    return a.drive->number < b.drive->number;
  });
  return out;
}

bool uses_cache(const Machine& machine) noexcept {
  for (const Array& array : machine.arrays) {
    for (const LogicalDrive& drive : array.logical_drives) {
      if (drive.caching.value_or(false)) return true;
    }
  }
  return false;
}

CacheStatus cache_status(const Machine& machine) noexcept {
  if (!machine.cache) return CacheStatus::not_configured;
  const CacheStatus said = machine.cache->status;
  const bool trouble =
      said == CacheStatus::temporarily_disabled || said == CacheStatus::permanently_disabled;
  if (trouble) return said;
  return uses_cache(machine) ? CacheStatus::ok : CacheStatus::not_configured;
}

std::uint8_t status_code(std::string_view name) noexcept {
  for (std::uint8_t code = 0; code < 28; ++code) {
    if (!name.empty() && scsi::volume_status_name(code) == name) return code;
  }
  return 0xFF;
}

std::optional<Place> place_of(std::string_view bay) {
  const std::size_t first = bay.find(':');
  const std::size_t second = bay.find(':', first == std::string_view::npos ? first : first + 1);
  if (first != 2 || second == std::string_view::npos) return std::nullopt;
  const auto box = text::to_integer(bay.substr(first + 1, second - first - 1));
  const auto number = text::to_integer(bay.substr(second + 1));
  if (!box || !number || *box < 1 || *box > 254 || *number < 1 || *number > 254)
    return std::nullopt;
  return Place{std::string(bay.substr(0, first)), static_cast<std::uint32_t>(*box),
               static_cast<std::uint32_t>(*number)};
}

}  // namespace raidscope::lab
