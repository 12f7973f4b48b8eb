#include "probe/os/sg_reader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <string>

#include <scsi/sg_lib.h>
#include <scsi/sg_pt.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "probe/base/os_error.h"
#include "probe/base/scsi.h"
#include "probe/os/unique_fd.h"

namespace raidscope {
namespace {

constexpr int did_time_out = 3;  // DID_TIME_OUT of the kernel's scsi host byte

std::string shown(std::string_view devnode, std::span<const std::byte> cdb) {
  return fmt::format("{} CDB {}", devnode, scsi::cdb_text(cdb));
}

std::optional<tl::unexpected<Error>> refusal(std::string_view devnode,
                                             std::span<const std::byte> cdb) {
  if (scsi::reads_only(cdb)) return std::nullopt;
  return fail(Errc::refused, "not a SCSI command that only reads", shown(devnode, cdb));
}

}  // namespace

Result<std::vector<std::byte>> SgReader::read(std::string_view devnode,
                                              std::span<const std::byte> cdb,
                                              std::size_t reply_capacity) const {
  if (auto refused = refusal(devnode, cdb)) return *std::move(refused);
  const std::string node(devnode);
  const UniqueFd fd(::open(node.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!fd) {
    const std::string hint = errno == EACCES || errno == EPERM ? "run as root" : "";
    return fail_errno(errno, "cannot open", node, hint);
  }
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return fail_errno(errno, "cannot open", node);
  if (!S_ISBLK(status.st_mode) && !S_ISCHR(status.st_mode)) {
    return fail(Errc::unsupported, "not a device", node);
  }

  const std::unique_ptr<sg_pt_base, void (*)(sg_pt_base*)> request(
      construct_scsi_pt_obj_with_fd(fd.get(), 0), destruct_scsi_pt_obj);
  if (!request) return fail_errno(ENOMEM, "cannot send a SCSI command", node);
  std::vector<std::uint8_t> command(cdb.size());
  std::transform(cdb.begin(), cdb.end(), command.begin(), std::to_integer<std::uint8_t>);
  std::vector<std::uint8_t> reply(reply_capacity);
  std::array<std::uint8_t, 64> sense{};
  set_scsi_pt_cdb(request.get(), command.data(), static_cast<int>(command.size()));
  set_scsi_pt_sense(request.get(), sense.data(), static_cast<int>(sense.size()));
  if (!reply.empty()) {
    set_scsi_pt_data_in(request.get(), reply.data(), static_cast<int>(reply.size()));
  }
  const int sent = do_scsi_pt(request.get(), -1, static_cast<int>(timeout_.count()), 0);
  if (sent == SCSI_PT_DO_TIMEOUT) {
    return fail(Errc::timeout, "no answer to a SCSI command in time", shown(devnode, cdb));
  }
  if (sent != 0) {
    const int problem = sent < 0 ? -sent : get_scsi_pt_os_err(request.get());
    return fail_errno(problem, "cannot send a SCSI command", shown(devnode, cdb));
  }
  switch (get_scsi_pt_result_category(request.get())) {
    case SCSI_PT_RESULT_GOOD:
      break;
    case SCSI_PT_RESULT_SENSE: {
      const int category =
          sg_err_category_sense(sense.data(), get_scsi_pt_sense_len(request.get()));
      if (category == SG_LIB_CAT_RECOVERED || category == SG_LIB_CAT_NO_SENSE) break;
      std::array<char, 128> words{};
      sg_get_category_sense_str(category, static_cast<int>(words.size()), words.data(), 0);
      const Errc code = category == SG_LIB_CAT_INVALID_OP || category == SG_LIB_CAT_ILLEGAL_REQ
                            ? Errc::unsupported
                        : category == SG_LIB_CAT_NOT_READY ? Errc::busy
                                                           : Errc::io;
      return fail(code, fmt::format("the device refused a SCSI command ({})", words.data()),
                  shown(devnode, cdb));
    }
    case SCSI_PT_RESULT_OS_ERR:
      return fail_errno(get_scsi_pt_os_err(request.get()), "cannot send a SCSI command",
                        shown(devnode, cdb));
    case SCSI_PT_RESULT_TRANSPORT_ERR:
      if (get_scsi_pt_transport_err(request.get()) == did_time_out) {
        return fail(Errc::timeout, "no answer to a SCSI command in time", shown(devnode, cdb));
      }
      return fail(Errc::io, "a SCSI command was lost on its way", shown(devnode, cdb));
    default:
      return fail(Errc::io,
                  fmt::format("the device answered with SCSI status {:#x}",
                              get_scsi_pt_status_response(request.get())),
                  shown(devnode, cdb));
  }
  const auto missing = static_cast<std::size_t>(std::max(0, get_scsi_pt_resid(request.get())));
  reply.resize(reply.size() - std::min(missing, reply.size()));
  std::vector<std::byte> out(reply.size());
  std::transform(reply.begin(), reply.end(), out.begin(),
                 [](std::uint8_t b) { return std::byte{b}; });
  return out;
}

Result<std::vector<std::byte>> NoScsiReader::read(std::string_view devnode,
                                                  std::span<const std::byte> cdb,
                                                  std::size_t /*reply_capacity*/) const {
  if (auto refused = refusal(devnode, cdb)) return *std::move(refused);
  return fail(Errc::not_found, "not a live machine: no SCSI command can be sent",
              std::string(devnode));
}

}  // namespace raidscope
