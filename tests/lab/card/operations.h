#pragma once

/// Operation codes that the card knows: of SPC-4 and SBC-3, and CISS's own. Written here anew and
/// not taken from the program's list, so that a mistake in that one is seen.
namespace raidscope::lab::op {

inline constexpr unsigned test_unit_ready = 0x00, request_sense = 0x03, read_6 = 0x08,
                          write_6 = 0x0A, inquiry = 0x12, mode_sense_6 = 0x1A, start_stop = 0x1B,
                          lock_door = 0x1E, read_capacity_10 = 0x25, read_10 = 0x28,
                          write_10 = 0x2A, synchronize_10 = 0x35, mode_sense_10 = 0x5A,
                          read_16 = 0x88, write_16 = 0x8A, synchronize_16 = 0x91,
                          service_action_in = 0x9E, read_12 = 0xA8, write_12 = 0xAA;
inline constexpr unsigned bmic_read = 0x26, bmic_write = 0x27, ciss_read = 0xC0,
                          report_logical = 0xC2, report_physical = 0xC3;
/// Below ciss_read.
inline constexpr unsigned get_raid_map = 0xC8;

}  // namespace raidscope::lab::op
