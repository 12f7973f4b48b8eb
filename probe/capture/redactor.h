#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "probe/capture/bundle.h"
#include "probe/capture/secrets.h"

namespace raidscope::capture {

/// Puts pseudonyms in the place of secrets. The same secret gets the same pseudonym wherever it
/// stands and in whatever encoding: as text in either case, as hex of its ASCII, as raw bytes of a
/// hex id, with the bytes of each word swapped (ATA). A pseudonym has the length of its secret, a
/// digit for a digit, a letter for a letter (of hexadecimal for hexadecimal) and the type and maker
/// digits of an NAA id. A secret inside another one is replaced there the same. Pure.
class Redactor {
 public:
  /// `key` makes the pseudonyms: HMAC-SHA-256 of the secret, so that nobody without it can try
  /// guessed serial numbers.
  Redactor(const Secrets& secrets, std::string key);

  /// Every secret in a text or in bytes; the length stays.
  [[nodiscard]] std::string bytes(std::string_view content) const;
  /// The same, and what stands behind a key such as "Serial Number:", however short it is.
  [[nodiscard]] std::string text(std::string_view content) const;
  /// A value that stands where a secret stands.
  [[nodiscard]] std::string value(std::string_view value) const;
  [[nodiscard]] Bundle bundle(const Bundle& original) const;

  /// A secret that is still in a redacted bundle, in any encoding; empty when there is none.
  [[nodiscard]] std::string left_in(const Bundle& redacted) const;
  /// The same for a document or another text.
  [[nodiscard]] std::string left_in(std::string_view text) const;

 private:
  struct Pattern {
    std::string match;        ///< folded text, or raw bytes
    std::string replacement;  ///< of the same length
    bool raw = false;
    bool between_digits = false;
  };
  using Buckets = std::unordered_map<std::uint32_t, std::vector<std::size_t>>;

  /// Which bytes of a text a pseudonym was put to.
  using Cover = std::vector<bool>;

  void make_pseudonyms();
  /// `start`: the secret with those inside it replaced; `fixed`: what is then settled.
  [[nodiscard]] std::string pseudonym(const std::string& secret, const Cover& fixed,
                                      std::string start, unsigned attempt) const;
  /// Fixes the pseudonym of one secret.
  void settle(const std::string& secret, std::string made);
  void add_pattern(Pattern pattern);
  bool scan(std::string& content, std::size_t shortest, Cover* cover) const;
  void scan_hex_runs(std::string& content, Cover* cover) const;
  void scan_swapped(std::string& content) const;
  void scan_unwrapped(std::string& content) const;
  void apply(std::string& content, Cover* cover = nullptr) const;
  void apply_places(std::string& content, const std::vector<Place>& places) const;

  std::string key_;
  std::map<std::string, Reach> secrets_;
  std::map<std::string, std::string> pseudonyms_;
  std::vector<std::string> spelled_;
  std::vector<Pattern> patterns_;
  Buckets text_buckets_, raw_buckets_;
};

}  // namespace raidscope::capture
