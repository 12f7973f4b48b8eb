#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "probe/capture/bundle.h"

/// What must not leave a machine: serial numbers, world wide names, labels and host names, found by
/// where they stand and by their shape. Pure.
namespace raidscope::capture {

enum class SecretKind : std::uint8_t {
  serial,  ///< of a controller, module, chassis, drive
  id,      ///< hexadecimal: WWN, SAS address, volume id, UUID
  name,    ///< given by a person: label, host name
};

/// Where a secret is looked for.
enum class Reach : std::uint8_t {
  everywhere,      ///< also inside longer words
  between_digits,  ///< a number: not inside a longer number
  in_its_place,    ///< too short or too common a word: only where it is known to stand
};

/// Letters of ASCII in lower case: the form that secrets are compared in.
std::string folded(std::string_view text);

class Secrets {
 public:
  /// Blanks at the ends do not count. Words that tell nothing ("None", zeros) are passed over, and
  /// so is what is too short for its kind.
  void add(std::string_view value, SecretKind kind);
  /// A text that stays readable. A name that is part of it is replaced only in its place, so that a
  /// host called p420i does not take the model away.
  void keep(std::string_view public_text);
  /// The same for one secret, by its folded form.
  void confine(const std::string& secret) { confined_[secret] = true; }

  /// Folded secrets with where each is looked for.
  [[nodiscard]] std::map<std::string, Reach> all() const;
  /// Secrets as they were spelled.
  [[nodiscard]] const std::map<std::string, SecretKind>& spelled() const { return spelled_; }
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::map<std::string, SecretKind> spelled_;
  std::map<std::string, SecretKind> kinds_;
  std::map<std::string, bool> confined_;
  std::string public_;
};

/// A stretch of a text that is a secret, whatever it says.
struct Place {
  std::size_t at = 0;
  std::size_t length = 0;
  SecretKind kind = SecretKind::serial;
};

/// "Serial Number", "Logical Drive Label": whether the value of such a key is a secret.
bool is_secret_key(std::string_view key, SecretKind& kind);
/// Values behind such keys in the text of a tool, a log or a note.
std::vector<Place> places_in_text(std::string_view text);
/// Places of a section's content: by key, by the file's name, by the offset in a binary answer.
std::vector<Place> places_in(const Section& section);

/// Names in what was asked: "dev/disk/by-label/…".
std::vector<Place> places_in_key(const Section& section);

/// How udev and the mount table write a character that they do not leave as it is: "\x20",
/// "\040", and "\134x20" for the one in the other. Length 0 when the text begins with none.
struct Escape {
  std::size_t length = 0;
  char stands_for = 0;
};
Escape escape_at(std::string_view text) noexcept;

/// Whether a field of a section may hold words; the others are numbers and codes.
bool is_text_field(std::string_view name) noexcept;

/// All that a text tells: by key and by the shape of ids.
void collect(std::string_view text, Secrets& secrets);
/// Of a text that nobody understood, where no key tells: every word in which letters and digits are
/// mixed as in a serial number. A model has that shape too, so they count as names.
void collect_words(std::string_view text, Secrets& secrets);
void collect(const Bundle& bundle, Secrets& secrets);

}  // namespace raidscope::capture
