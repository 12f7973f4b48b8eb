#pragma once

#include <cstddef>
#include <cstdint>

/// Where things are in the card's memory BAR. Offsets of registers and of the fields of the tables
/// are the driver's (Linux hpsa.h, hpsa_cmd.h); where the tables begin is ours to choose.
namespace raidscope::lab::layout {

inline constexpr std::size_t bar_bytes = 0x100000;

// Registers
inline constexpr std::size_t doorbell = 0x20, interrupt_status = 0x30, request_port = 0x40,
                             reply_port = 0x44, outbound_doorbell = 0x9C,
                             outbound_doorbell_clear = 0xA0, scratchpad = 0xB0, table_bar = 0xB4,
                             table_offset = 0xB8;
inline constexpr std::size_t msix_table = 0x80000, msix_pending = 0x81000;
inline constexpr std::uint32_t firmware_ready = 0xFFFF0000;
/// Doorbell bits: take the host's choice of transport; forget the events that the host has seen;
/// reset the card, in the old way and in the new.
inline constexpr std::uint32_t ring_change = 0x1, ring_clear_events = 0x40,
                               ring_reset = 0x04 | 0x20;

// The configuration table, and the transport table behind it
inline constexpr std::size_t table = 0x400, transport_table = 0x200;
inline constexpr std::size_t active_transport = table + 0x0C, wanted_transport = table + 0x10,
                             heartbeat = table + 0x3C, events = table + 0xBC,
                             events_seen = table + 0xC0;
inline constexpr std::size_t queue_entries = table + transport_table + 0x20,
                             queue_count = table + transport_table + 0x24,
                             queue_addresses = table + transport_table + 0x30;
inline constexpr std::uint32_t simple = 0x2, performant = 0x4, accelerated = 0x80;
/// A reply ring of the accelerated transport has no toggle bit: a free entry is all ones.
inline constexpr std::uint64_t free_entry = ~0ULL;
/// The bits of a posted address that name the kind of the command.
inline constexpr std::uint32_t command_kind = 0x60, accelerated_command = 0x60;
inline constexpr std::uint32_t can_notify_events = 0x80, can_offload = 0x20;

}  // namespace raidscope::lab::layout
