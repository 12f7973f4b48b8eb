#include "controllers/inventory/drive_name.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "controllers/inventory/precedence.h"
#include "probe/base/text.h"

namespace raidscope {
namespace {

/// "1:1 (/dev/sda)", or "/dev/sda (600508B1…)" where no number is told; empty for one without any
/// name.
std::string names_of(const DriveRef& ref) {
  std::vector<std::string> names;
  if (ref.controller->slot && ref.drive->number)
    names.push_back(fmt::format("{}:{}", *ref.controller->slot, *ref.drive->number));
  if (ref.drive->device) names.push_back(*ref.drive->device);
  if (ref.drive->unique_id) names.push_back(*ref.drive->unique_id);
  if (names.size() < 2) return names.empty() ? "" : names.front();
  return fmt::format("{} ({})", names[0], names[1]);
}

bool is_id(std::string_view words) {
  return words.size() >= 16 && std::all_of(words.begin(), words.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F');
         });
}

}  // namespace

Result<DriveName> DriveName::of(std::string_view words) {
  DriveName out;
  out.words_ = words;
  if (words.starts_with("/dev/")) {
    out.kind_ = Kind::device;
    return out;
  }
  const std::size_t colon = words.rfind(':');
  if (colon != std::string_view::npos && colon > 0) {
    if (const auto number = text::to_integer(words.substr(colon + 1))) {
      out.slot_ = words.substr(0, colon);
      out.number_ = *number;
      return out;
    }
  }
  if (is_id(normal_id(words))) {
    out.kind_ = Kind::unique_id;
    return out;
  }
  return fail(Errc::usage,
              fmt::format("a logical drive is named as SLOT:NUMBER, by its device or by its unique "
                          "id, not \"{}\"",
                          words));
}

bool DriveName::names(const DriveRef& ref) const {
  switch (kind_) {
    case Kind::device:
      return ref.drive->device == words_;
    case Kind::unique_id:
      return ref.drive->unique_id && normal_id(*ref.drive->unique_id) == normal_id(words_);
    case Kind::number:
      break;
  }
  return ref.controller->slot == slot_ && ref.drive->number == number_;
}

Result<DriveRef> DriveName::find_in(const Inventory& inventory) const {
  for (const DriveRef& ref : all_logical_drives(inventory)) {
    if (names(ref)) return ref;
  }
  return tl::unexpected(none_in(inventory));
}

Error DriveName::none_in(const Inventory& inventory) const {
  std::vector<std::string> known;
  bool numbered = false;
  for (const DriveRef& ref : all_logical_drives(inventory)) {
    numbered = numbered || ref.drive->number.has_value();
    if (auto names = names_of(ref); !names.empty()) known.push_back(std::move(names));
  }
  Error error;
  error.code = Errc::usage;
  error.message = fmt::format("the inventory has no logical drive {}; ", words_);
  error.message += known.empty() ? std::string("it has none that could be named")
                                 : fmt::format("there is {}", fmt::join(known, ", "));
  if (!known.empty() && !numbered && kind_ == Kind::number) {
    error.hint =
        "without the vendor tool no drive has a number: name it by its device or its unique id";
  }
  return error;
}

}  // namespace raidscope
