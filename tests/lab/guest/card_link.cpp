#include "tests/lab/guest/card_link.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>

#include <linux/cciss_ioctl.h>
#include <sys/ioctl.h>

#include <fmt/format.h>

#include "probe/base/os_error.h"
#include "probe/base/scsi.h"
#include "probe/os/unique_fd.h"
#include "tests/lab/card/card.h"
#include "tests/lab/card/operations.h"

namespace raidscope::lab {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::array<std::byte, 10> lab_cdb(unsigned operation, unsigned below, std::size_t offset,
                                  std::size_t size) {
  const auto low = [](std::size_t value) { return static_cast<std::byte>(value & 0xFF); };
  return {low(operation), std::byte{0}, low(offset >> 24), low(offset >> 16), low(offset >> 8),
          low(offset),    low(below),   low(size >> 8),    low(size),         std::byte{0}};
}

}  // namespace

std::vector<FoundCard> find_cards() {
  std::vector<FoundCard> out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/sys/class/scsi_generic", ignored)) {
    const fs::path device = fs::canonical(entry.path() / "device", ignored);
    if (first_line(device / "type") != "12") continue;
    // …/0000:00:10.0/host0/…: the PCI function is what the SCSI host hangs on.
    std::string function;
    for (const fs::path& part : device) {
      if (part.string().starts_with("host")) break;
      function = part.string();
    }
    out.push_back({"/dev/" + entry.path().filename().string(), function});
  }
  std::sort(out.begin(), out.end(),
            [](const FoundCard& a, const FoundCard& b) { return a.pci_address < b.pci_address; });
  return out;
}

Result<std::size_t> CardLink::pass(std::span<const std::byte> cdb, std::span<std::byte> data,
                                   Way way) const {
  const UniqueFd node(::open(node_.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (!node) return fail_errno(errno, "cannot open the controller's node", node_);
  IOCTL_Command_struct command{};
  command.Request.CDBLen = static_cast<BYTE>(cdb.size());
  command.Request.Type.Type = TYPE_CMD;
  command.Request.Type.Attribute = ATTR_SIMPLE;
  command.Request.Type.Direction = way == Way::to_card ? XFER_WRITE : XFER_READ;
  std::memcpy(command.Request.CDB, cdb.data(), cdb.size());
  command.buf_size = static_cast<WORD>(data.size());
  command.buf = reinterpret_cast<BYTE*>(data.data());
  if (::ioctl(node.get(), CCISS_PASSTHRU, &command) != 0) {
    return fail_errno(errno, "the driver refused the command", scsi::cdb_text(cdb));
  }
  const unsigned status = command.error_info.CommandStatus;
  if (status != CMD_SUCCESS && status != CMD_DATA_UNDERRUN) {
    return fail(Errc::io, fmt::format("the card refused the command (status {})", status),
                scsi::cdb_text(cdb));
  }
  return data.size() - command.error_info.ResidualCnt;
}

Result<std::string> CardLink::state() const {
  constexpr std::size_t part = 32 << 10, header = 4;
  std::string out;
  std::vector<std::byte> buffer(part);
  std::uint32_t whole = 0;
  do {
    RAIDSCOPE_TRY(const std::size_t got, pass(lab_cdb(op::bmic_read, lab_state, out.size(), part),
                                              buffer, Way::from_card));
    if (got <= header) return fail(Errc::malformed, "the card sent no state", node_);
    std::memcpy(&whole, buffer.data(), header);
    for (std::size_t i = header; i < got; ++i) out += static_cast<char>(buffer[i]);
  } while (out.size() < whole);
  return out;
}

Status CardLink::write(unsigned operation, std::string_view words) const {
  std::vector<std::byte> data(words.size() + 1);
  std::memcpy(data.data(), words.data(), words.size());
  RAIDSCOPE_CHECK(pass(lab_cdb(op::bmic_write, operation, 0, data.size()), data, Way::to_card));
  return Done{};
}

Status CardLink::change(std::string_view changes) const {
  return write(lab_change, changes);
}
Status CardLink::mark(std::string_view words) const {
  return write(lab_mark, words);
}

Status CardLink::send(std::span<const std::byte> cdb) const {
  std::vector<std::byte> data(512);
  RAIDSCOPE_CHECK(pass(cdb, data, Way::from_card));
  return Done{};
}

}  // namespace raidscope::lab
