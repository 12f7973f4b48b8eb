#pragma once

#include <cstdint>
#include <string_view>

#include "probe/sources/vendor/vendor_keys.h"

namespace raidscope::vendor {

/// What one line of tool output is, told from its words alone: indentation is lost too often.
enum class LineKind : std::uint8_t {
  heading,      ///< "Smart Array P420i in Slot 0 (Embedded)  (sn: …)"
  array,        ///< "Array: A", "array A (SAS, Unused Space: 0  MB)", "array B (Failed)"
  unassigned,   ///< "unassigned"
  hba_drives,   ///< "HBA Drives"
  cage_drives,  ///< "Physical Drives"
  nothing,      ///< "None attached", "Disk Partition Information", greetings: no meaning of its own
  logical_drive,  ///< "Logical Drive: 1"
  logical_line,  ///< "logicaldrive 1 (1.8 TB, RAID 1+0, OK)", "logicaldrive 1 (2.7 TB, RAID 5): OK"
  drive,         ///< "physicaldrive 1I:1:1"
  drive_line,    ///< "physicaldrive 1I:1:1 (port 1I:box 1:bay 1, SAS, 300 GB, OK)"
  group,         ///< "Mirror Group 1:", "Parity Group 0:"
  cage,          ///< "Internal Drive Cage at Port 1I, Box 1, OK"
  device,        ///< "Expander 250", "SEP (Vendor ID …, Model …) 380 (WWID: …)"
  port,          ///< "Port Name: 1I (Mixed)"
  sensor,        ///< "Sensor ID: 0"
  license,       ///< "licensekey …"
  key,           ///< "Key: value" with a key that the tools are known to print
  unknown_key,   ///< "Key: value" with another key
  message,       ///< begins a paragraph: "Warning: …", "FIRMWARE UPGRADE REQUIRED: …"
  error,         ///< begins a paragraph: "Error: …"
  version,       ///< "ACU CLI Version: 9.40.12.0", "… CLI 9.20.9.0"
  prompt,        ///< a shell or tool prompt, the echo of a command
  noise,         ///< rules, log lines, elisions
  unfinished,    ///< begins like a structural line whose rest is missing
  plain,         ///< anything else
};

struct Line {
  LineKind kind = LineKind::plain;
  std::string_view text;            ///< the whole line, outer blanks off
  std::string_view key, value;      ///< key, unknown_key, version
  const KnownKey* known = nullptr;  ///< key
  std::string_view name;            ///< id, letter, number, or heading without its particulars
  std::string_view detail;          ///< inside the parentheses of a one-line drive or array
  std::string_view tail;            ///< status behind "): "
  // heading, cage, device
  std::string_view slot, chassis, serial, mode;
  std::string_view port, box, state, vendor, model, wwid;
  bool embedded = false;
};

/// `text` has its outer blanks off and is not empty.
Line read_line(std::string_view text);

/// "slot=3" of an echoed command, else empty.
std::string_view command_slot(std::string_view text);

/// True where every "(" of `text` has its ")".
bool balanced(std::string_view text);

/// Splits at commas outside parentheses; `rest` keeps what follows.
std::string_view take_field(std::string_view& rest);

}  // namespace raidscope::vendor
