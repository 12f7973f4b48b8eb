#include "tests/lab/transport/ciss_device.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "controllers/catalogue/catalogue.h"
#include "probe/base/emulated_mark.h"
#include "tests/lab/transport/layout.h"

namespace raidscope::lab {

CissDevice::CissDevice(Card& card, GuestMemory& memory, Clock clock)
    : card_(card), memory_(memory), clock_(std::move(clock)), bar_(layout::bar_bytes) {
  write_pci_identity();
  reset();
}

std::uint32_t CissDevice::word(std::size_t offset) const {
  return GuestMemory::load<std::uint32_t>(bar_, offset);
}
void CissDevice::set_word(std::size_t offset, std::uint32_t value) {
  GuestMemory::store(std::span(bar_), offset, value);
}

void CissDevice::write_pci_identity() {
  const std::span<std::byte> space(configuration_);
  const PciIds& ids = *card_.machine().pci;
  const auto u8 = [&](std::size_t at, unsigned value) {
    space[at] = static_cast<std::byte>(value);
  };
  const auto u16 = [&](std::size_t at, std::uint32_t value) {
    GuestMemory::store(space, at, static_cast<std::uint16_t>(value));
  };
  constexpr std::uint16_t has_capabilities = 0x10;
  constexpr unsigned mass_storage = 0x01, raid = 0x04, bar_64_bit = 0x04, msix_at = 0xC0,
                     msix = 0x11;
  u16(0x00, ids.vendor);
  u16(0x02, ids.device);
  u16(0x06, has_capabilities);
  u8(0x08, 1);  // revision
  u8(0x0A, raid);
  u8(0x0B, mass_storage);
  u8(0x10, bar_64_bit);
  u16(0x2C, ids.subvendor);
  u16(0x2E, ids.subdevice);
  u8(0x34, msix_at);
  u8(0x3D, 1);  // pin A
  u8(msix_at, msix);
  u16(msix_at + 2, vector_count - 1);
  GuestMemory::store(space, msix_at + 4, static_cast<std::uint32_t>(layout::msix_table));
  GuestMemory::store(space, msix_at + 8, static_cast<std::uint32_t>(layout::msix_pending));
}

bool CissDevice::may_be_set(std::size_t offset) const {
  const bool command = offset == 0x04 || offset == 0x05;
  const bool base_address = offset >= 0x10 && offset < 0x18;
  constexpr std::size_t interrupt_line = 0x3C, msix_control = 0xC3;
  return command || base_address || offset == interrupt_line || offset == msix_control;
}

void CissDevice::reset() {
  std::fill(bar_.begin(), bar_.end(), std::byte{0});
  set_word(layout::scratchpad, layout::firmware_ready);
  set_word(layout::table_bar, 0x10);  // configuration space offset of the BAR that has the table
  set_word(layout::table_offset, layout::table);
  write_configuration_table();
  rings_.fill({});
  simple_replies_.clear();
  pin_asserted_ = false;
  unfinished_.clear();
  times_ = std::make_unique<ServiceTimes>();
}

void CissDevice::write_configuration_table() {
  const auto set = [&](std::size_t field, std::uint32_t value) {
    set_word(layout::table + field, value);
  };
  std::memcpy(bar_.data() + layout::table, "CISS", 4);
  set(0x04, 4);  // valence of the specification
  const bool smart_path = offers_smart_path();
  set(0x08, layout::simple | layout::performant | (smart_path ? layout::accelerated : 0U));
  set(0x20, 1024);  // commands at once
  set(0x28, layout::transport_table);
  constexpr std::size_t server_name = 0x2C;
  std::memcpy(bar_.data() + layout::table + server_name, emulated_mark.data(),
              emulated_mark.size());
  set(0x44, 544);                              // scatter-gather entries
  set(0x48, 64);                               // logical units
  set(0x4C, 255);                              // physical devices
  set(0x50, 255);                              // of one logical unit
  set(0x54, 1024);                             // commands in the performant transport
  set(0x58, 64);                               // blocks in a fetch
  set(0x64, 0x01010000 | 1U << 3 | 1U << 19);  // task management: abort, of volumes and drives
  set(0x78, layout::can_notify_events | (smart_path ? layout::can_offload : 0U));
  set(0xB0, 48);  // error information
  set(0xB4, 24);  // scatter-gather entries of a request to a drive
}

bool CissDevice::runs(std::uint32_t transport) const {
  return (word(layout::active_transport) & transport) != 0;
}

bool CissDevice::offers_smart_path() const {
  const ControllerModel* const model = find_model(card_.machine().model);
  return model != nullptr && model->smart_path == true;
}

void CissDevice::read_bar(std::uint64_t offset, std::span<std::byte> out) {
  std::fill(out.begin(), out.end(), std::byte{0xFF});
  if (out.size() > bar_.size() || offset > bar_.size() - out.size()) return;
  if (offset == layout::reply_port) {
    std::uint32_t reply = 0xFFFFFFFF;  // none
    if (!simple_replies_.empty()) {
      reply = simple_replies_.front();
      simple_replies_.pop_front();
    }
    if (simple_replies_.empty()) {
      set_word(layout::interrupt_status, word(layout::interrupt_status) & ~8U);
    }
    std::memcpy(out.data(), &reply, std::min(out.size(), sizeof reply));
    return;
  }
  if (offset == layout::heartbeat && !card_.has_stopped()) {
    set_word(layout::heartbeat, word(layout::heartbeat) + 1);
  }
  std::copy_n(bar_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
}

void CissDevice::write_bar(std::uint64_t offset, std::span<const std::byte> data) {
  if (data.size() > bar_.size() || offset > bar_.size() - data.size()) return;
  std::copy(data.begin(), data.end(), bar_.begin() + static_cast<std::ptrdiff_t>(offset));
  if (data.size() != 4) return;
  const auto value = GuestMemory::load<std::uint32_t>(data, 0);
  switch (offset) {
    case layout::doorbell:
      return ring_doorbell(value);
    case layout::request_port:
      return fetch(value);
    case layout::outbound_doorbell_clear:
      set_word(layout::outbound_doorbell, 0);
      set_word(layout::interrupt_status, 0);
      pin_asserted_ = false;
      return;
    default:
      return;
  }
}

void CissDevice::ring_doorbell(std::uint32_t bits) {
  if ((bits & layout::ring_change) != 0) change_transport();
  if ((bits & layout::ring_clear_events) != 0) {
    set_word(layout::events, word(layout::events) & ~word(layout::events_seen));
  }
  if ((bits & layout::ring_reset) != 0) reset();
  set_word(layout::doorbell, 0);  // taken
}

void CissDevice::change_transport() {
  const std::uint32_t wanted = word(layout::wanted_transport);
  const bool wants_performant = (wanted & layout::performant) != 0;
  set_word(layout::active_transport, wants_performant ? wanted : layout::simple);
  rings_.fill({});
}

/// The low bits of the address say how much of the command to fetch first; all of it is at hand.
void CissDevice::fetch(std::uint32_t bus_address) {
  const std::uint64_t address = bus_address & (runs(layout::performant) ? ~0x7FULL : ~0x1FULL);
  const bool to_drive = runs(layout::accelerated) &&
                        (bus_address & layout::command_kind) == layout::accelerated_command;
  const auto block = to_drive ? CommandBlock::accelerated_at(memory_, address)
                              : CommandBlock::at(memory_, address);
  if (block) carry_out(*block);
}

/// A command that is never answered simply stays without completion.
void CissDevice::carry_out(const CommandBlock& block) {
  if (block.kind != CommandBlock::Kind::command) {  // a message, task management
    if (!card_.has_stopped()) complete(block, {});
    return;
  }
  const std::vector<std::byte> out = block.gather();
  const Command command{block.lun, block.cdb, out, block.writes ? 0 : block.data_bytes};
  auto reply = block.drive_handle ? card_.execute_on_drive(*block.drive_handle, command)
                                  : card_.execute(command);
  if (const std::uint32_t events = card_.take_events(); events != 0) {
    set_word(layout::events, word(layout::events) | events);
  }
  const auto request = card_.take_request();
  if (!reply) return;
  if (!request || !card_.machine().timing) return complete(block, *reply);
  unfinished_.emplace(++requests_, Unfinished{block, *std::move(reply)});
  times_->arrive(clock_(), requests_, card_.machine(), *request);
}

std::optional<std::chrono::microseconds> CissDevice::run_due() {
  if (!times_->next()) return std::nullopt;
  const Time now = clock_();
  for (const std::uint64_t id : times_->done_by(now)) {
    const auto done = unfinished_.extract(id);
    if (!card_.has_stopped()) complete(done.mapped().command, done.mapped().reply);
  }
  const auto next = times_->next();
  return next ? std::optional(std::max(*next - now, Time(0))) : std::nullopt;
}

void CissDevice::complete(const CommandBlock& command, const CissReply& reply) {
  // A message has no reply to deliver, and nothing that could go wrong.
  const bool is_command = command.kind == CommandBlock::Kind::command;
  const std::uint64_t flag = is_command && command.deliver(reply) ? 2 : 0;
  if (runs(layout::performant)) return post((command.tag & ~3ULL) | flag, command.reply_queue);
  simple_replies_.push_back(static_cast<std::uint32_t>((command.tag & ~3ULL) | flag));
  set_word(layout::interrupt_status, word(layout::interrupt_status) | 8U);
  interrupt(command.reply_queue);
}

void CissDevice::post(std::uint64_t entry, unsigned queue) {
  const std::uint32_t queues = word(layout::queue_count), entries = word(layout::queue_entries);
  if (queue >= queues || queue >= most_queues) queue = 0;
  Ring& ring = rings_[queue];
  const auto base =
      GuestMemory::load<std::uint64_t>(bar_, layout::queue_addresses + queue * std::size_t{8});
  const auto place = memory_.at(base + std::uint64_t{ring.next} * 8, 8);
  if (place.empty() || entries == 0) return;
  if (!runs(layout::accelerated)) entry |= ring.toggle ? 1U : 0U;
  // The driver polls the entry: all that the command changed must be there before it.
  std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(place.data()))
      .store(entry, std::memory_order_release);
  if (++ring.next == entries) ring = {0, !ring.toggle};
  interrupt(queue);
}

void CissDevice::interrupt(unsigned queue) {
  if (interrupts.message && interrupts.message(queue)) return;
  pin_asserted_ = true;
  set_word(layout::outbound_doorbell, 1);
  set_word(layout::interrupt_status, word(layout::interrupt_status) | 0x10C);
  if (interrupts.pin) interrupts.pin();
}

}  // namespace raidscope::lab
