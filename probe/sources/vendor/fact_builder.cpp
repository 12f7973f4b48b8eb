#include "probe/sources/vendor/fact_builder.h"

#include <algorithm>
#include <utility>

#include "probe/base/text.h"

namespace raidscope::vendor {

namespace {

constexpr std::size_t most_notes = 500;
static_assert(vendor_attributes.size() <= 192, "Meta::told has a bit for each attribute");

std::uint64_t extra_hash(EntityId entity, std::string_view key, std::string_view value) {
  const std::uint64_t a = std::hash<std::string_view>{}(key);
  const std::uint64_t b = std::hash<std::string_view>{}(value);
  return (a ^ (b * 0x9E3779B97F4A7C15ull) ^ (b >> 31)) + entity * 0xFF51AFD7ED558CCDull;
}

}  // namespace

EntityId FactBuilder::open(EntityKind kind, EntityId scope, std::string_view id, EntityId parent,
                           std::uint32_t line) {
  const auto [at, made] = index_.try_emplace(Key{scope, kind, id}, 0u);
  if (made) {
    at->second = set_.add(kind, parent, std::string(id), line);
    meta_.emplace_back();
  } else {
    reopen(at->second);
  }
  return at->second;
}

void FactBuilder::reserve(std::size_t facts) {
  const std::size_t bounded = std::min<std::size_t>(facts, 4096);
  set_.facts.reserve(bounded);
  fact_meta_.reserve(bounded);
  set_.extras.reserve(bounded / 2);
}

EntityId FactBuilder::find(EntityKind kind, EntityId scope, std::string_view id) const {
  const auto at = index_.find(Key{scope, kind, id});
  return at == index_.end() ? 0 : at->second;
}

void FactBuilder::alias(EntityId entity, EntityId scope, std::string_view id) {
  index_.try_emplace(Key{scope, set_.entities[entity].kind, id}, entity);
}

void FactBuilder::reopen(EntityId entity) {
  Meta& meta = meta_[entity];
  ++meta.block;
  if (meta.extras_indexed) return;
  meta.extras_indexed = true;
  for (std::int32_t i = meta.last_extra; i >= 0; i = extra_previous_[static_cast<std::size_t>(i)]) {
    const Extra& extra = set_.extras[static_cast<std::size_t>(i)];
    extra_index_.try_emplace(extra_hash(entity, extra.key, extra.value),
                             extra_block_[static_cast<std::size_t>(i)]);
  }
}

std::int32_t FactBuilder::find_fact(EntityId entity, std::uint8_t attribute) const {
  const Meta& meta = meta_[entity];
  if ((meta.told[attribute / 64] >> (attribute % 64) & 1u) == 0) return -1;
  std::int32_t i = meta.last_fact;
  while (i >= 0 && fact_meta_[static_cast<std::size_t>(i)].attribute != attribute) {
    i = fact_meta_[static_cast<std::size_t>(i)].previous;
  }
  return i;
}

void FactBuilder::push(EntityId entity, std::uint8_t attribute, Value value, std::uint32_t line) {
  Meta& meta = meta_[entity];
  fact_meta_.push_back({meta.last_fact, answer_, attribute});
  meta.last_fact = static_cast<std::int32_t>(set_.facts.size());
  set_.facts.push_back({entity, vendor_attributes[attribute].name, std::move(value), line});
}

FactBuilder::Told FactBuilder::tell(EntityId entity, std::uint8_t attribute, Value value,
                                    std::uint32_t line) {
  const std::int32_t at = find_fact(entity, attribute);
  if (at < 0) {
    meta_[entity].told[attribute / 64] |= std::uint64_t{1} << (attribute % 64);
    push(entity, attribute, std::move(value), line);
    return Told::fresh;
  }
  Fact& fact = set_.facts[static_cast<std::size_t>(at)];
  FactMeta& meta = fact_meta_[static_cast<std::size_t>(at)];
  if (fact.value == value) {
    meta.answer = answer_;
    return Told::same;
  }
  if (meta.answer == answer_) return Told::different;
  meta.answer = answer_;
  fact.value = std::move(value);
  fact.line = line;
  return Told::replaced;
}

void FactBuilder::force(EntityId entity, std::uint8_t attribute, Value value, std::uint32_t line) {
  const std::int32_t at = find_fact(entity, attribute);
  if (at < 0) {
    tell(entity, attribute, std::move(value), line);
    return;
  }
  Fact& fact = set_.facts[static_cast<std::size_t>(at)];
  fact_meta_[static_cast<std::size_t>(at)].answer = answer_;
  fact.value = std::move(value);
  fact.line = line;
}

void FactBuilder::retract(EntityId entity, std::uint8_t attribute) {
  const std::int32_t at = find_fact(entity, attribute);
  if (at < 0) return;
  set_.facts[static_cast<std::size_t>(at)].attribute = {};
  fact_meta_[static_cast<std::size_t>(at)].attribute = static_cast<std::uint8_t>(0xFF);
  meta_[entity].told[attribute / 64] &= ~(std::uint64_t{1} << (attribute % 64));
}

const Value* FactBuilder::told(EntityId entity, std::uint8_t attribute) const {
  const std::int32_t at = find_fact(entity, attribute);
  return at < 0 ? nullptr : &set_.facts[static_cast<std::size_t>(at)].value;
}

void FactBuilder::tell_another(EntityId entity, std::uint8_t attribute, Value value,
                               std::uint32_t line) {
  push(entity, attribute, std::move(value), line);
}

void FactBuilder::extra(EntityId entity, std::string_view key, std::string_view value,
                        std::uint32_t line) {
  std::string name = text::collapse_blanks(key);
  Meta& meta = meta_[entity];
  if (meta.extras_indexed) {
    const auto [at, made] = extra_index_.try_emplace(extra_hash(entity, name, value), meta.block);
    if (!made && at->second != meta.block) return;
  }
  extra_previous_.push_back(meta.last_extra);
  extra_block_.push_back(meta.block);
  meta.last_extra = static_cast<std::int32_t>(set_.extras.size());
  set_.extras.push_back({entity, std::move(name), std::string(value), line});
}

void FactBuilder::note(std::uint32_t line, std::string words) {
  if (set_.notes.size() >= most_notes) {
    ++notes_dropped_;
    return;
  }
  constexpr std::size_t longest = 300;
  if (words.size() > longest) {
    std::size_t cut = longest;
    while (cut > 0 && (static_cast<unsigned char>(words[cut]) & 0xC0u) == 0x80u) --cut;
    words.resize(cut);
    words += " …";
  }
  set_.notes.push_back({line, std::move(words)});
}

FactSet FactBuilder::take() {
  std::erase_if(set_.facts, [](const Fact& fact) { return fact.attribute.empty(); });
  if (notes_dropped_ > 0) {
    set_.notes.push_back(
        {0, std::to_string(notes_dropped_) + " further lines could not be placed"});
  }
  return std::move(set_);
}

}  // namespace raidscope::vendor
