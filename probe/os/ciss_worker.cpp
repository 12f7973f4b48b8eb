#include "probe/os/ciss_worker.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <unistd.h>

#include <linux/cciss_ioctl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "probe/base/ciss.h"

namespace raidscope {
namespace {

static_assert(sizeof(cciss_pci_info_struct) == 8);
static_assert(sizeof(IOCTL_Command_struct) == 88 || sizeof(void*) != 8);

struct Buffer {
  std::array<std::byte, ciss_data_capacity> bytes;
};
Buffer buffer;  // one child, one question at a time

CissAnswer failed(CissStage stage, int error) {
  CissAnswer answer;
  answer.stage = stage;
  answer.error = error;
  return answer;
}

/// Any node of the controller's SCSI host takes the ioctls, but no other driver's: only one that
/// answers CCISS_GETPCIINFO is sent more.
CissAnswer open_controller(const char* devnode, int& fd) {
  // sg takes foreign ioctls only from a descriptor that may write.
  fd = ::open(devnode, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return failed(CissStage::open, errno);
  struct stat status {};
  int error = 0;
  cciss_pci_info_struct info{};
  if (::fstat(fd, &status) != 0) {
    error = errno;
  } else if (!S_ISCHR(status.st_mode) && !S_ISBLK(status.st_mode)) {
    error = ENOTTY;
  } else if (::ioctl(fd, CCISS_GETPCIINFO, &info) != 0) {
    error = errno;
  }
  if (error == 0) return {};
  ::close(fd);
  fd = -1;
  return failed(CissStage::no_ciss, error);
}

CissAnswer pass_through(int fd, const CissAsk& ask) {
  const auto command = ciss::command_of(ask);
  if (!command || command->reply_bytes > buffer.bytes.size()) {
    return failed(CissStage::refused, EINVAL);
  }
  IOCTL_Command_struct request{};
  std::memcpy(request.LUN_info.LunAddrBytes, command->lun.data(), command->lun.size());
  std::memcpy(request.Request.CDB, command->cdb.data(), command->cdb.size());
  request.Request.CDBLen = command->cdb_length;
  request.Request.Type.Type = TYPE_CMD;
  request.Request.Type.Attribute = ATTR_SIMPLE;
  request.Request.Type.Direction = XFER_READ;
  request.buf_size = static_cast<std::uint16_t>(command->reply_bytes);
  request.buf = reinterpret_cast<unsigned char*>(buffer.bytes.data());
  std::fill(buffer.bytes.begin(), buffer.bytes.end(), std::byte{0});
  // The bytes that are about to be sent, not those that were meant.
  ciss::Command sent = *command;
  std::memcpy(sent.cdb.data(), request.Request.CDB, sent.cdb.size());
  std::memcpy(sent.lun.data(), request.LUN_info.LunAddrBytes, sent.lun.size());
  sent.cdb_length = request.Request.CDBLen;
  sent.direction = static_cast<ciss::Direction>(request.Request.Type.Direction);
  if (!ciss::reads_only(sent)) return failed(CissStage::refused, EPERM);
  if (::ioctl(fd, CCISS_PASSTHRU, &request) != 0) return failed(CissStage::ioctl, errno);

  CissAnswer answer;
  const ErrorInfo_struct& info = request.error_info;
  answer.command_status = info.CommandStatus;
  answer.scsi_status = info.ScsiStatus;
  if (info.CommandStatus == CMD_TARGET_STATUS) {
    answer.sense_size = std::min<std::uint8_t>(info.SenseLen, SENSEINFOBYTES);
    std::memcpy(answer.sense.data(), info.SenseInfo, answer.sense_size);
  }
  if (info.CommandStatus == CMD_SUCCESS || info.CommandStatus == CMD_DATA_UNDERRUN) {
    answer.data_size =
        command->reply_bytes - std::min<std::uint32_t>(info.ResidualCnt, command->reply_bytes);
    ciss::blank_secrets(ask.query, std::span(buffer.bytes).first(answer.data_size));
  }
  return answer;
}

CissAnswer answer_to(int fd, const CissAsk& ask) {
  switch (ask.query) {
    case CissQuery::pci_info: {
      cciss_pci_info_struct info{};
      if (::ioctl(fd, CCISS_GETPCIINFO, &info) != 0) return failed(CissStage::ioctl, errno);
      std::memcpy(buffer.bytes.data(), &info, sizeof info);
      CissAnswer answer;
      answer.data_size = sizeof info;
      return answer;
    }
    case CissQuery::driver_version: {
      DriverVer_type version = 0;
      if (::ioctl(fd, CCISS_GETDRIVVER, &version) != 0) return failed(CissStage::ioctl, errno);
      std::memcpy(buffer.bytes.data(), &version, sizeof version);
      CissAnswer answer;
      answer.data_size = sizeof version;
      return answer;
    }
    default:
      return pass_through(fd, ask);
  }
}

}  // namespace

void serve_ciss(int socket, const char* devnode) {
  int fd = -1;
  CissAsk ask;
  for (;;) {
    const ssize_t got = ::recv(socket, &ask, sizeof ask, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got != static_cast<ssize_t>(sizeof ask)) return;
    CissAnswer answer;
    if (fd < 0) answer = open_controller(devnode, fd);
    if (fd >= 0) answer = answer_to(fd, ask);
    std::array<iovec, 2> parts{{{&answer, sizeof answer}, {buffer.bytes.data(), answer.data_size}}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    if (::sendmsg(socket, &message, MSG_NOSIGNAL) < 0) return;
  }
}

}  // namespace raidscope
