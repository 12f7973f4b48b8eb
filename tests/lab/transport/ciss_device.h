#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tests/lab/card/card.h"
#include "tests/lab/timing/service_times.h"
#include "tests/lab/transport/command_block.h"
#include "tests/lab/vfio_user/guest_memory.h"
#include "tests/lab/vfio_user/pci_device.h"

namespace raidscope::lab {

/// The card as the driver sees it: registers, the configuration table, the simple transport that
/// the driver begins with and the performant one that it changes to. Source: the Open CISS
/// specification's transport and Linux' hpsa.h, hpsa_cmd.h as facts.
class CissDevice : public PciDevice {
 public:
  /// Time that never goes back; read only where the card has service times.
  using Clock = std::function<Time()>;
  CissDevice(Card& card, GuestMemory& memory, Clock clock);

  [[nodiscard]] std::size_t bar_bytes() const override { return bar_.size(); }
  [[nodiscard]] unsigned vectors() const override { return vector_count; }
  std::span<std::byte> configuration() override { return configuration_; }
  [[nodiscard]] bool may_be_set(std::size_t offset) const override;
  void read_bar(std::uint64_t offset, std::span<std::byte> out) override;
  void write_bar(std::uint64_t offset, std::span<const std::byte> data) override;
  void reset() override;
  std::optional<std::chrono::microseconds> run_due() override;
  [[nodiscard]] bool pin_asserted() const override { return pin_asserted_; }

 private:
  static constexpr unsigned vector_count = 8, most_queues = 64;

  [[nodiscard]] std::uint32_t word(std::size_t offset) const;
  void set_word(std::size_t offset, std::uint32_t value);
  void write_pci_identity();
  void write_configuration_table();
  void ring_doorbell(std::uint32_t bits);
  void change_transport();
  void fetch(std::uint32_t bus_address);
  void carry_out(const CommandBlock& block);
  void complete(const CommandBlock& command, const CissReply& reply);
  void post(std::uint64_t entry, unsigned queue);
  void interrupt(unsigned queue);
  [[nodiscard]] bool runs(std::uint32_t transport) const;
  /// Whether the driver may send requests straight to drives: firmware that knows Smart Path.
  [[nodiscard]] bool offers_smart_path() const;

  /// Where the next entry of a ring goes; the toggle bit turns with every round.
  struct Ring {
    std::uint32_t next = 0;
    bool toggle = true;
  };
  /// What the card has answered and the driver is not told yet, for its time is not over.
  struct Unfinished {
    CommandBlock command;
    CissReply reply;
  };
  Card& card_;
  GuestMemory& memory_;
  Clock clock_;
  std::unique_ptr<ServiceTimes> times_;
  std::map<std::uint64_t, Unfinished> unfinished_;
  std::uint64_t requests_ = 0;
  std::vector<std::byte> bar_;
  std::array<std::byte, 256> configuration_{};
  std::array<Ring, most_queues> rings_{};
  std::deque<std::uint32_t> simple_replies_;
  bool pin_asserted_ = false;
};

}  // namespace raidscope::lab
