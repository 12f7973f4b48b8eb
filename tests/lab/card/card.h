#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/lab/card/answers.h"
#include "tests/lab/card/block_io.h"
#include "tests/lab/card/medium.h"
#include "tests/lab/card/request.h"

namespace raidscope::lab {

/// One command as it reaches the card, whoever brings it: the emulated PCI device, or a handler of
/// ioctls in a host test.
struct Command {
  std::array<std::byte, 8> lun{};
  std::array<std::byte, 16> cdb{};
  std::span<const std::byte> out{};  ///< data towards the card
  std::size_t room = 0;              ///< for data towards the host
};

/// Commands of our own: no Smart Array has them. They carry the state to the guest's vendor tool
/// and changes back, so that the card is the one place where the state lives.
/// They are BMIC reads and writes (operations.h).
inline constexpr std::uint8_t lab_state =
    0xEA;  ///< reply: u32 size of the whole, then the part from CDB 2..5
inline constexpr std::uint8_t lab_change = 0xEB;  ///< data: what changed() takes
inline constexpr std::uint8_t lab_mark = 0xEC;    ///< data: words for the log

/// What a driver that listens is told of a change.
enum Event : std::uint32_t {
  event_controller = 1U << 0,
  event_physical = 1U << 2,
  event_logical = 1U << 3,
  event_smart_path = 1U << 31,
};

class Card {
 public:
  /// One line of JSON about each command, and about each mark; may be empty.
  using Log = std::function<void(const std::string& line)>;
  explicit Card(Machine machine, Log log = {});

  /// Nothing: the card never answers this command.
  std::optional<CissReply> execute(const Command& command);
  /// A request that the driver sent straight to the drive that RAID maps call `handle`.
  std::optional<CissReply> execute_on_drive(std::uint32_t handle, const Command& command);

  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] bool has_stopped() const { return machine_.faults.locked_up; }
  /// Since they were last taken.
  std::uint32_t take_events() { return std::exchange(events_, 0); }
  /// What the last command asked of the drives; nothing where it moved no data.
  std::optional<Request> take_request() { return std::exchange(request_, std::nullopt); }

 private:
  struct Target;
  Target target_of(const Command& command) const;
  /// Whether the firmware still runs, this command counted.
  bool takes_command();
  std::optional<CissReply> answer(const Target& target, const Command& command);
  CissReply to_controller(const Command& command);
  CissReply to_volume(const PlacedVolume& volume, const Command& command);
  CissReply move(const PlacedVolume& volume, std::uint64_t block, const Transfer& transfer,
                 std::span<const std::byte> out);
  [[nodiscard]] std::vector<std::uint64_t> bad_blocks(const PlacedVolume& volume) const;
  CissReply to_drive(const PlacedDrive& drive, const Command& command);
  CissReply change(std::span<const std::byte> words);
  /// For take_request().
  void remember(const std::optional<Transfer>& transfer, const PlacedVolume& volume,
                std::optional<std::size_t> drive);
  void note(const std::string& to, const Command& command, const std::optional<CissReply>& reply,
            std::string_view path);

  Machine machine_;
  Log log_;
  std::map<std::string, Medium>
      media_;  ///< by unique id or WWID: what is renumbered keeps its data
  std::uint64_t commands_ = 0;
  std::uint32_t events_ = 0;
  std::optional<Request> request_;
  std::string refused_;  ///< why the last change was refused, until it is logged
};

/// "BMIC identify controller", "READ(10)": for the log; empty for a code without a name here.
std::string command_name(std::span<const std::byte> cdb);
/// How faults name a command: "26:c1", "12:c3", "28".
std::string command_selector(std::span<const std::byte> cdb);

}  // namespace raidscope::lab
