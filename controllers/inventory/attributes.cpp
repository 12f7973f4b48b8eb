#include "controllers/inventory/attributes.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "controllers/inventory/utf8.h"

namespace raidscope {
namespace {

template <class T>
struct OptionalOf {
  using type = void;
};
template <class U>
struct OptionalOf<std::optional<U>> {
  using type = U;
};

template <class T>
concept HasFields = requires(T& t) {
  T::fields(t, [](const char*, auto&) {});
};

template <class T>
concept OptionalObject = HasFields<typename OptionalOf<T>::type>;

template <class T>
bool assign(T& out, const Value& value) {
  if constexpr (!std::is_void_v<typename OptionalOf<T>::type>) {
    typename OptionalOf<T>::type inner{};
    if (!assign(inner, value)) return false;
    out = std::move(inner);
    return true;
  } else if constexpr (NamedEnum<T>) {
    const auto* word = std::get_if<std::string>(&value);
    const auto found = word != nullptr ? from_name<T>(*word) : std::nullopt;
    if (found) out = *found;
    return found.has_value();
  } else if constexpr (std::is_same_v<T, std::string>) {
    const auto* text = std::get_if<std::string>(&value);
    if (text != nullptr) out = clean_utf8(*text);
    return text != nullptr;
  } else if constexpr (std::is_same_v<T, bool>) {
    const auto* flag = std::get_if<bool>(&value);
    if (flag != nullptr) out = *flag;
    return flag != nullptr;
  } else if constexpr (std::is_integral_v<T>) {
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr || !std::in_range<T>(*number)) return false;
    out = static_cast<T>(*number);
    return true;
  } else if constexpr (std::is_same_v<T, double>) {
    if (const auto* real = std::get_if<double>(&value)) {
      out = *real;
      return true;
    }
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number != nullptr) out = static_cast<double>(*number);
    return number != nullptr;
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    if (texts == nullptr) return false;
    out.clear();
    for (const std::string& text : *texts) out.push_back(clean_utf8(text));
    return true;
  } else if constexpr (std::is_same_v<T, std::vector<Maybe<double>>>) {
    const auto* reals = std::get_if<std::vector<double>>(&value);
    if (reals == nullptr) return false;
    out.clear();
    // A list keeps its places: the second phy may be known where the first is not, and a source
    // says 0 for the unknown one.
    for (const double real : *reals)
      out.push_back(real == 0 ? Maybe<double>() : Maybe<double>(real));
    return true;
  } else if constexpr (std::is_same_v<T, std::vector<MirrorGroup>>) {
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    if (texts == nullptr || texts->empty()) return false;
    MirrorGroup group{clean_utf8(texts->front()), {}};
    for (std::size_t i = 1; i < texts->size(); ++i) group.drives.push_back(clean_utf8((*texts)[i]));
    out.push_back(std::move(group));
    return true;
  } else {
    static_assert(std::is_same_v<T, std::map<std::string, std::string>>);
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    if (texts == nullptr || texts->size() != 2) return false;
    out[clean_utf8(texts->front())] = clean_utf8(texts->back());
    return true;
  }
}

template <class T>
inline constexpr bool is_told_as_entities =
    std::is_same_v<T, std::vector<Array>> || std::is_same_v<T, std::vector<LogicalDrive>> ||
    std::is_same_v<T, std::vector<PhysicalDrive>> || std::is_same_v<T, std::vector<Enclosure>> ||
    std::is_same_v<T, std::vector<Port>> || std::is_same_v<T, std::vector<Sensor>> ||
    std::is_same_v<T, ExtraFields>;

/// Where a field lies in its object and how to fill it. An object inside an optional is made first.
struct Setter {
  std::size_t offset = 0;
  void* (*enter)(void* optional_object) = nullptr;
  std::size_t inner_offset = 0;
  bool (*assign)(void* field, const Value& value) = nullptr;
};

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};
using SetterTable = std::unordered_map<std::string, Setter, TextHash, std::equal_to<>>;

template <class T>
void list_setters(const std::string& prefix, const Setter& place, SetterTable& table) {
  const T sample{};
  T::fields(sample, [&](const char* name, const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    Setter setter = place;
    (place.enter == nullptr ? setter.offset : setter.inner_offset) += static_cast<std::size_t>(
        reinterpret_cast<const std::byte*>(&member) - reinterpret_cast<const std::byte*>(&sample));
    if constexpr (is_told_as_entities<Member>) {
      return;
    } else if constexpr (OptionalObject<Member>) {
      setter.enter = [](void* field) -> void* {
        auto& optional_object = *static_cast<Member*>(field);
        if (!optional_object) optional_object.emplace();
        return &*optional_object;
      };
      list_setters<typename OptionalOf<Member>::type>(prefix + name + ".", setter, table);
    } else if constexpr (HasFields<Member>) {
      list_setters<Member>(prefix + name + ".", setter, table);
    } else {
      setter.assign = [](void* field, const Value& value) {
        return assign(*static_cast<Member*>(field), value);
      };
      table.emplace(prefix + name, setter);
    }
  });
}

template <class T>
const SetterTable& setters_of() {
  static const SetterTable table = [] {
    SetterTable out;
    list_setters<T>("", Setter{}, out);
    return out;
  }();
  return table;
}

template <class T>
SetOutcome set(T& object, std::string_view attribute, const Value& value) {
  const SetterTable& table = setters_of<T>();
  const auto found = table.find(attribute);
  if (found == table.end()) return SetOutcome::no_such_field;
  const Setter& setter = found->second;
  std::byte* field = reinterpret_cast<std::byte*>(&object) + setter.offset;
  if (setter.enter != nullptr) {
    field = static_cast<std::byte*>(setter.enter(field)) + setter.inner_offset;
  }
  return setter.assign(field, value) ? SetOutcome::done : SetOutcome::wrong_value;
}

template <class T>
bool has(std::string_view attribute) {
  return setters_of<T>().contains(attribute);
}

}  // namespace

SetOutcome set_attribute(HostFacts& object, std::string_view attribute, const Value& value) {
  return set(object, attribute, value);
}
SetOutcome set_attribute(Controller& object, std::string_view attribute, const Value& value) {
  return set(object, attribute, value);
}
SetOutcome set_attribute(Array& object, std::string_view attribute, const Value& value) {
  return set(object, attribute, value);
}
SetOutcome set_attribute(LogicalDrive& object, std::string_view attribute, const Value& value) {
  return set(object, attribute, value);
}
SetOutcome set_attribute(PhysicalDrive& object, std::string_view attribute, const Value& value) {
  return set(object, attribute, value);
}
SetOutcome set_attribute(Enclosure& object, std::string_view attribute, const Value& value) {
  return set(object, attribute, value);
}
SetOutcome set_attribute(Port& object, std::string_view attribute, const Value& value) {
  return set(object, attribute, value);
}
SetOutcome set_attribute(Sensor& object, std::string_view attribute, const Value& value) {
  return set(object, attribute, value);
}
SetOutcome set_attribute(BlockDevice& object, std::string_view attribute, const Value& value) {
  return set(object, attribute, value);
}

bool is_attribute(EntityKind kind, std::string_view attribute) {
  switch (kind) {
    case EntityKind::machine:
      return has<HostFacts>(attribute);
    case EntityKind::controller:
      return has<Controller>(attribute);
    case EntityKind::array:
      return has<Array>(attribute);
    case EntityKind::logical_drive:
      return has<LogicalDrive>(attribute);
    case EntityKind::physical_drive:
      return has<PhysicalDrive>(attribute);
    case EntityKind::enclosure:
      return has<Enclosure>(attribute);
    case EntityKind::port:
      return has<Port>(attribute);
    case EntityKind::sensor:
      return has<Sensor>(attribute);
    case EntityKind::block_device:
      return has<BlockDevice>(attribute);
  }
  return false;
}

}  // namespace raidscope
