#include "probe/capture/redactor.h"

#include <algorithm>
#include <array>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <set>
#include <utility>

#include "probe/base/text.h"
#include "probe/capture/answers.h"

namespace raidscope::capture {
namespace {

constexpr unsigned most_attempts = 200;

bool is_hex(char c) noexcept {
  return text::is_digit(c) || (text::to_lower(c) >= 'a' && text::to_lower(c) <= 'f');
}
bool is_alnum(char c) noexcept {
  return text::is_digit(c) || text::is_alpha(c);
}
bool all_hex(std::string_view s) noexcept {
  return !s.empty() && std::all_of(s.begin(), s.end(), is_hex);
}
unsigned hex_value(char c) noexcept {
  return static_cast<unsigned>(text::is_digit(c) ? c - '0' : text::to_lower(c) - 'a' + 10);
}

std::string from_hex(std::string_view digits) {
  std::string out;
  append_hex(digits, out);
  return out;
}

std::string reversed(std::string_view s) {
  return {s.rbegin(), s.rend()};
}

std::uint32_t bucket(std::string_view s) noexcept {
  const auto at = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(s[i]));
  };
  return at(0) | at(1) << 8U | at(2) << 16U | at(3) << 24U;
}
constexpr std::size_t bucket_bytes = 4;

/// The pseudonym in the letter case of what it replaces. Where a letter comes for a digit, which
/// only hex of ASCII does, the case of the other letters is taken.
std::string in_case_of(std::string_view pseudonym, std::string_view original) {
  const bool upper = std::any_of(original.begin(), original.end(), text::is_upper);
  std::string out(pseudonym);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool raise = text::is_alpha(original[i]) ? text::is_upper(original[i]) : upper;
    if (raise && text::is_lower(out[i])) out[i] = static_cast<char>(out[i] - 32);
  }
  return out;
}

/// How long the UTF-8 sequence at the front is; 1 for ASCII and for bytes that are none.
std::size_t sequence_length(std::string_view s) noexcept {
  const auto lead = static_cast<unsigned char>(s.front());
  const std::size_t n = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
  return n <= s.size() && text::is_utf8(s.substr(0, n)) ? n : 1;
}

/// Digits of an id that stay, so that it is still an id of its kind: the NAA type, the maker's OUI,
/// and for the volume ids of Smart Arrays the form they have.
std::size_t kept_digits(std::string_view s) noexcept {
  if (!all_hex(s)) return 0;
  if (s.size() == 32 && s.front() == '6') return 12;
  if (s.size() == 16 && s.front() == '6') return 12;
  if (s.size() == 16 && s.front() == '5') return 7;
  return 0;
}

constexpr std::size_t volume_half = 16;
bool is_volume_id(std::string_view s) noexcept {
  return s.size() == 2 * volume_half && s.front() == '6' && all_hex(s);
}

std::string hmac(const std::string& key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &size);
  return {reinterpret_cast<const char*>(digest.data()), size};
}

/// Numbers drawn from the key and the secret.
class Draws {
 public:
  Draws(const std::string& key, std::string seed) : key_(key), seed_(std::move(seed)) {}
  unsigned below(unsigned bound) {
    if (at_ + 2 > block_.size()) {
      block_ = hmac(key_, seed_ + '\0' + static_cast<char>('A' + blocks_++ % 64));
      at_ = 0;
      if (block_.size() < 2) return 0;
    }
    const unsigned value = static_cast<unsigned char>(block_[at_]) * 256U +
                           static_cast<unsigned char>(block_[at_ + 1]);
    at_ += 2;
    return value % bound;
  }

 private:
  const std::string& key_;
  std::string seed_;
  std::string block_;
  std::size_t at_ = 0;
  int blocks_ = 0;
};

/// What the draws go by: how marks are written does not matter.
std::string seed_of(std::string_view secret) {
  std::string out;
  for (std::size_t i = 0; i < secret.size();) {
    const Escape escape = escape_at(secret.substr(i));
    const char c = escape.length > 0 ? escape.stands_for : secret[i];
    out += is_alnum(c) || static_cast<unsigned char>(c) >= 0x80 ? c : ' ';
    i += std::max<std::size_t>(escape.length, 1);
  }
  return out;
}

bool bounded(std::string_view content, std::size_t at, std::size_t length) noexcept {
  if (at > 0 && text::is_digit(content[at - 1])) return false;
  return at + length >= content.size() || !text::is_digit(content[at + length]);
}

/// A stretch of hex digits, whole pairs or not, with where each digit stands.
struct HexRun {
  std::vector<std::size_t> at;
};

/// Runs of at least 8 digits; pairs may be set apart by one blank, colon or dash.
std::vector<HexRun> hex_runs(std::string_view content) {
  std::vector<HexRun> out;
  for (std::size_t i = 0; i < content.size();) {
    if (!is_hex(content[i])) {
      ++i;
      continue;
    }
    HexRun run;
    while (i < content.size() && is_hex(content[i])) run.at.push_back(i++);
    if (run.at.size() == 2) {
      const char separator = i < content.size() ? content[i] : '\0';
      while ((separator == ' ' || separator == ':' || separator == '-') && i + 2 < content.size() &&
             content[i] == separator && is_hex(content[i + 1]) && is_hex(content[i + 2]) &&
             (i + 3 >= content.size() || !is_hex(content[i + 3]))) {
        run.at.push_back(i + 1);
        run.at.push_back(i + 2);
        i += 3;
      }
    }
    if (run.at.size() >= 8) out.push_back(std::move(run));
  }
  return out;
}

std::string swap_pairs(std::string_view content, std::size_t from) {
  std::string out(content);
  for (std::size_t i = from; i + 1 < out.size(); i += 2) std::swap(out[i], out[i + 1]);
  return out;
}

}  // namespace

Redactor::Redactor(const Secrets& secrets, std::string key)
    : key_(std::move(key)), secrets_(secrets.all()) {
  for (const auto& [spelled, kind] : secrets.spelled()) spelled_.push_back(spelled);
  make_pseudonyms();
}

void Redactor::add_pattern(Pattern pattern) {
  if (pattern.match.size() < bucket_bytes || pattern.match == pattern.replacement) return;
  Buckets& buckets = pattern.raw ? raw_buckets_ : text_buckets_;
  auto& list = buckets[bucket(pattern.match)];
  // Longest first.
  const auto place = std::find_if(list.begin(), list.end(), [&](std::size_t other) {
    return patterns_[other].match.size() < pattern.match.size();
  });
  list.insert(place, patterns_.size());
  patterns_.push_back(std::move(pattern));
}

void Redactor::make_pseudonyms() {
  std::vector<std::string> order;
  std::set<std::string> halves;
  for (const auto& [secret, reach] : secrets_) {
    if (!is_volume_id(secret)) continue;
    halves.insert(secret.substr(0, volume_half));
    halves.insert(secret.substr(volume_half));
  }
  for (const auto& [secret, reach] : secrets_) {
    if (!halves.contains(secret)) order.push_back(secret);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::set<std::string> taken;
  for (const std::string& secret : order) {
    // Secrets inside this one first: the shorter ones have their pseudonyms already.
    std::string start = secret;
    Cover fixed(secret.size());
    if (is_volume_id(secret)) {
      // The letters of a serial number in the old form lie across the halves, so they come first.
      scan_hex_runs(start, &fixed);
      if (start == secret) scan(start, bucket_bytes, &fixed);
    } else {
      apply(start, &fixed);
    }
    std::string made;
    for (unsigned attempt = 0; attempt < most_attempts; ++attempt) {
      made = pseudonym(secret, fixed, start, attempt);
      if (made == secret || taken.contains(made) || secrets_.contains(made)) continue;
      const bool holds_another =
          std::any_of(secrets_.begin(), secrets_.end(), [&](const auto& other) {
            return other.second != Reach::in_its_place &&
                   made.find(other.first) != std::string::npos;
          });
      if (!holds_another) break;
    }
    taken.insert(made);
    if (is_volume_id(secret)) {
      for (const std::size_t at : {std::size_t{0}, volume_half}) {
        const std::string half = secret.substr(at, volume_half);
        if (secrets_.contains(half) && !pseudonyms_.contains(half))
          settle(half, made.substr(at, volume_half));
      }
    }
    settle(secret, std::move(made));
  }
}

void Redactor::settle(const std::string& secret, std::string made) {
  const Reach reach = secrets_.at(secret);
  if (reach != Reach::in_its_place) {
    const bool digits = reach == Reach::between_digits;
    add_pattern({secret, made, false, digits});
    if (all_hex(secret) && secret.size() % 2 == 0 && secret.size() >= 12) {
      const std::string raw = from_hex(secret);
      const std::string raw_made = from_hex(made);
      add_pattern({raw, raw_made, true, false});
      add_pattern({reversed(raw), reversed(raw_made), true, false});
    }
  }
  pseudonyms_.emplace(secret, std::move(made));
}

std::string Redactor::pseudonym(const std::string& secret, const Cover& fixed, std::string start,
                                unsigned attempt) const {
  Draws draws(key_, seed_of(secret) + '\0' + std::to_string(attempt));
  const std::size_t kept = kept_digits(secret);
  const std::string plain = seed_of(secret);
  const bool hex =
      (plain.size() >= 8 || secret.find(':') != std::string::npos) &&
      std::all_of(plain.begin(), plain.end(), [](char c) { return is_hex(c) || !is_alnum(c); });
  for (std::size_t i = 0; i < secret.size();) {
    if (const Escape escape = escape_at(std::string_view(secret).substr(i)); escape.length > 0) {
      draws.below(1);  // as for the character that stands there elsewhere
      i += escape.length;
      continue;
    }
    const std::size_t n = sequence_length(std::string_view(secret).substr(i));
    const char c = secret[i];
    const unsigned drawn = draws.below(65521);
    if (!fixed[i] && i >= kept) {
      if (text::is_digit(c)) {
        start[i] = static_cast<char>('0' + drawn % 10);
      } else if (text::is_alpha(c)) {
        start[i] = static_cast<char>('a' + drawn % (hex ? 6 : 26));
      } else if (n == 2) {
        // U+00E0 to U+00F6: letters.
        start[i] = '\xC3';
        start[i + 1] = static_cast<char>(0xA0 + drawn % 23);
      } else if (n == 3 && !std::string_view(secret).substr(i).starts_with("\xEF\xBF\xBD")) {
        const unsigned code = 0x4E00 + drawn % 20000;
        start[i] = static_cast<char>(0xE0 | code >> 12U);
        start[i + 1] = static_cast<char>(0x80 | (code >> 6U & 63U));
        start[i + 2] = static_cast<char>(0x80 | (code & 63U));
      } else if (n == 4) {
        const unsigned code = 0x20000 + drawn % 40000;
        start[i] = static_cast<char>(0xF0 | code >> 18U);
        start[i + 1] = static_cast<char>(0x80 | (code >> 12U & 63U));
        start[i + 2] = static_cast<char>(0x80 | (code >> 6U & 63U));
        start[i + 3] = static_cast<char>(0x80 | (code & 63U));
      }
    }
    i += n;
  }
  return start;
}

bool Redactor::scan(std::string& content, std::size_t shortest, Cover* cover) const {
  if (content.size() < bucket_bytes) return false;
  const std::string low = folded(content);
  const std::string before = content;
  bool changed = false;
  for (std::size_t at = 0; at + bucket_bytes <= low.size();) {
    const Pattern* best = nullptr;
    const auto look = [&](const Buckets& buckets, std::string_view in) {
      const auto found = buckets.find(bucket(in.substr(at, bucket_bytes)));
      if (found == buckets.end()) return;
      for (const std::size_t index : found->second) {
        const Pattern& pattern = patterns_[index];
        if (pattern.match.size() < shortest || in.substr(at, pattern.match.size()) != pattern.match)
          continue;
        if (pattern.between_digits && !bounded(in, at, pattern.match.size())) continue;
        if (best == nullptr || pattern.match.size() > best->match.size()) best = &pattern;
        return;
      }
    };
    look(text_buckets_, low);
    look(raw_buckets_, before);
    if (best == nullptr) {
      ++at;
      continue;
    }
    const std::size_t n = best->match.size();
    content.replace(at, n,
                    best->raw
                        ? best->replacement
                        : in_case_of(best->replacement, std::string_view(before).substr(at, n)));
    if (cover != nullptr) {
      for (std::size_t i = 0; i < n; ++i) (*cover)[at + i] = true;
    }
    changed = true;
    at += n;
  }
  return changed;
}

void Redactor::scan_hex_runs(std::string& content, Cover* cover) const {
  for (const HexRun& run : hex_runs(content)) {
    for (std::size_t from = 0; from < 2; ++from) {
      std::string decoded;
      for (std::size_t i = from; i + 1 < run.at.size(); i += 2) {
        decoded += static_cast<char>(hex_value(content[run.at[i]]) * 16 +
                                     hex_value(content[run.at[i + 1]]));
      }
      Cover decoded_cover(decoded.size());
      if (!scan(decoded, bucket_bytes, &decoded_cover)) continue;
      const bool upper = std::any_of(run.at.begin(), run.at.end(),
                                     [&](std::size_t i) { return text::is_upper(content[i]); });
      for (std::size_t i = 0; i < decoded.size(); ++i) {
        if (!decoded_cover[i]) continue;
        std::string digits = to_hex(std::string_view(decoded).substr(i, 1));
        for (std::size_t half = 0; half < 2; ++half) {
          char digit = digits[half];
          if (upper && text::is_lower(digit)) digit = static_cast<char>(digit - 32);
          const std::size_t at = run.at[from + i * 2 + half];
          content[at] = digit;
          if (cover != nullptr) (*cover)[at] = true;
        }
      }
    }
  }
}

void Redactor::scan_swapped(std::string& content) const {
  constexpr std::size_t shortest = 8;  // a shorter one would be found by chance
  for (std::size_t from = 0; from < 2; ++from) {
    std::string swapped = swap_pairs(content, from);
    if (scan(swapped, shortest, nullptr)) content = swap_pairs(swapped, from);
  }
}

void Redactor::scan_unwrapped(std::string& content) const {
  // Some tools break a long value by the blanks of a whole column; its reader joins it again.
  constexpr std::size_t column = 16;
  if (content.find(std::string(column, ' ')) == std::string::npos) return;
  std::string joined;
  std::vector<std::size_t> from;
  for (std::size_t i = 0; i < content.size();) {
    const std::size_t end = std::min(content.find_first_not_of(' ', i), content.size());
    if (end - i >= column) {
      i = end;
      continue;
    }
    from.push_back(i);
    joined += content[i++];
  }
  Cover cover(joined.size());
  if (!scan(joined, column / 2, &cover)) return;
  for (std::size_t i = 0; i < joined.size(); ++i) {
    if (cover[i]) content[from[i]] = joined[i];
  }
}

void Redactor::apply(std::string& content, Cover* cover) const {
  if (patterns_.empty()) return;
  scan(content, bucket_bytes, cover);
  scan_hex_runs(content, cover);
  if (cover == nullptr) {
    scan_swapped(content);
    scan_unwrapped(content);
  }
}

void Redactor::apply_places(std::string& content, const std::vector<Place>& places) const {
  for (const Place& place : places) {
    const std::string_view value = std::string_view(content).substr(place.at, place.length);
    const auto known = pseudonyms_.find(folded(value));
    if (known == pseudonyms_.end() || secrets_.at(known->first) != Reach::in_its_place) continue;
    content.replace(place.at, place.length, in_case_of(known->second, value));
  }
}

std::string Redactor::bytes(std::string_view content) const {
  std::string out(content);
  apply(out);
  return out;
}

std::string Redactor::text(std::string_view content) const {
  std::string out(content);
  apply_places(out, places_in_text(out));
  apply(out);
  return out;
}

std::string Redactor::value(std::string_view value) const {
  const auto known = pseudonyms_.find(folded(value));
  return known != pseudonyms_.end() ? in_case_of(known->second, value) : bytes(value);
}

Bundle Redactor::bundle(const Bundle& original) const {
  Bundle out = original;
  out.written_by = bytes(out.written_by);
  for (Section& section : out.sections) {
    const auto places = places_in(section);
    apply_places(section.key, places_in_key(section));
    apply(section.key);
    for (auto& [name, value] : section.fields) {
      if (is_text_field(name)) {
        value = text(value);
      }
    }
    apply_places(section.content, places);
    apply(section.content);
  }
  return out;
}

std::string Redactor::left_in(std::string_view text) const {
  const std::string low = folded(text);
  for (const auto& [secret, reach] : secrets_) {
    if (reach == Reach::in_its_place || pseudonyms_.at(secret) == secret) continue;
    for (auto at = low.find(secret); at != std::string::npos; at = low.find(secret, at + 1)) {
      if (reach != Reach::between_digits || bounded(low, at, secret.size())) return secret;
    }
    std::string upper = secret;
    for (char& c : upper) {
      if (text::is_lower(c)) c = static_cast<char>(c - 32);
    }
    if (low.find(to_hex(secret)) != std::string::npos) return secret;
    if (low.find(to_hex(upper)) != std::string::npos) return secret;
  }
  for (const std::string& secret : spelled_) {
    if (secrets_.at(folded(secret)) == Reach::in_its_place) continue;
    if (low.find(to_hex(secret)) != std::string::npos) return folded(secret);
  }
  return {};
}

std::string Redactor::left_in(const Bundle& redacted) const {
  std::string left = left_in(write_bundle(redacted));
  for (const Section& section : redacted.sections) {
    if (!left.empty()) break;
    // As hex, so that the raw bytes of an id and of a text are seen at any place.
    left = left_in(to_hex(section.content));
    if (left.empty()) left = left_in(section.content);
    for (std::size_t from = 0; from < 2 && left.empty(); ++from) {
      const std::string swapped = folded(swap_pairs(section.content, from));
      for (const auto& [secret, reach] : secrets_) {
        if (reach != Reach::in_its_place && secret.size() >= 8 &&
            swapped.find(secret) != std::string::npos) {
          left = secret;
        }
      }
    }
    if (!left.empty()) break;
    for (const Place& place : places_in(section)) {
      const std::string value =
          folded(std::string_view(section.content).substr(place.at, place.length));
      const auto known = secrets_.find(value);
      if (known != secrets_.end() && known->second == Reach::in_its_place &&
          pseudonyms_.at(value) != value) {
        left = value;
      }
    }
  }
  return left;
}

}  // namespace raidscope::capture
