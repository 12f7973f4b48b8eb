#include <algorithm>

#include "controllers/rules/drive_state.h"
#include "controllers/rules/readings.h"

namespace raidscope {
namespace {

bool any_word(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return contains_word(text, word); });
}

}  // namespace

DriveState drive_state(std::string_view status) {
  if (same_word(status, "OK")) return DriveState::ok;
  if (any_word(status, {"transform", "expan", "migrat", "queued for"})) {
    return DriveState::transforming;
  }
  if (any_word(status, {"parity init"})) return DriveState::parity;
  if (any_word(status, {"erase in progress", "erasing", "sanitize in progress"})) {
    return DriveState::erasing;
  }
  if (any_word(status, {"interim recovery", "ready for rebuild", "ready for recovery"})) {
    return DriveState::degraded;
  }
  if (any_word(status, {"recover", "rebuild"})) return DriveState::rebuilding;
  if (any_word(status, {"queued"})) return DriveState::transforming;
  return DriveState::degraded;
}

DriveState physical_drive_state(std::string_view status) {
  if (same_word(status, "OK")) return DriveState::ok;
  if (any_word(status, {"predictive"})) return DriveState::predictive_failure;
  if (any_word(status, {"erase complete", "sanitize complete"})) return DriveState::other;
  if (any_word(status, {"erase", "erasing", "sanitiz"})) return DriveState::erasing;
  if (any_word(status, {"fail", "offline", "missing"})) return DriveState::failed;
  if (any_word(status, {"rebuild", "recover"})) return DriveState::rebuilding;
  return DriveState::other;
}

}  // namespace raidscope
