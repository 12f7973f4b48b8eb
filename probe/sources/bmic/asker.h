#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "probe/base/ciss.h"
#include "probe/base/fact.h"
#include "probe/host.h"

namespace raidscope::bmic {

/// Asks one controller and remembers what went wrong. What the controller does not know is no
/// answer and no failure; a failure is remembered, and one that says that the controller itself or
/// the way to it is gone ends the asking.
class Asker {
 public:
  Asker(const Host& host, std::string node) : host_(host), node_(std::move(node)) {}

  /// The data of an answer; nothing when there is none.
  std::optional<std::vector<std::byte>> ask(CissQuery query, std::uint32_t number = 0);

  [[nodiscard]] bool stopped() const { return stopped_; }
  /// An answer was the driver's word for a controller that is dead.
  [[nodiscard]] bool locked_up() const { return locked_up_; }
  [[nodiscard]] bool failed() const { return problem_.has_value(); }
  /// What the outcome is for the path: ok, failed (something was lost), skipped (not permitted),
  /// absent (nobody there to be asked).
  [[nodiscard]] SourceStatus status() const { return problem_ ? status_ : SourceStatus::ok; }
  /// The first thing that went wrong; empty when nothing did.
  [[nodiscard]] std::string detail() const { return problem_.value_or(""); }

 private:
  void lose(SourceStatus status, std::string detail);

  const Host& host_;
  std::string node_;
  bool stopped_ = false;
  bool locked_up_ = false;
  int failures_ = 0;
  SourceStatus status_ = SourceStatus::ok;
  std::optional<std::string> problem_;
};

}  // namespace raidscope::bmic
