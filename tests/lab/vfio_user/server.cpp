#include "tests/lab/vfio_user/server.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>

#include <linux/vfio.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "probe/base/os_error.h"

namespace raidscope::lab {
namespace {

enum Command : std::uint16_t {
  version = 1,
  dma_map = 2,
  dma_unmap = 3,
  device_info = 4,
  region_info = 5,
  irq_info = 7,
  set_irqs_command = 8,
  region_read = 9,
  region_write = 10,
  device_reset = 13,
};
constexpr std::uint32_t is_reply = 0x1, no_reply = 0x10, is_error = 0x20;
constexpr std::size_t header_bytes = 16, most_message = 4U << 20, most_transfer = 1U << 20,
                      access_bytes = 16, most_files = 64;

/// A field of a message; 0 where the message ends before it.
template <class T>
T field(std::span<const std::byte> body, std::size_t offset) {
  if (offset + sizeof(T) > body.size()) return T{};
  return GuestMemory::load<T>(body, offset);
}

std::span<const std::byte> bytes_of(std::span<const std::uint32_t> words) {
  return std::as_bytes(words);
}

void signal(int fd) {
  const std::uint64_t one = 1;
  // A full counter is a signal that was not taken yet.
  [[maybe_unused]] const ssize_t written = ::write(fd, &one, sizeof one);
}

}  // namespace

VfioUserServer::VfioUserServer(PciDevice& device, GuestMemory& memory)
    : device_(device), memory_(memory), vectors_(device.vectors()) {
  device_.interrupts.message = [this](unsigned vector) {
    if (vector >= vectors_.size() || vectors_[vector].get() < 0) vector = 0;
    if (vectors_[vector].get() < 0) return false;
    signal(vectors_[vector].get());
    return true;
  };
  device_.interrupts.pin = [this] {
    if (pin_.get() >= 0) signal(pin_.get());
  };
}

Status VfioUserServer::serve(const std::string& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.size() >= sizeof address.sun_path) {
    return fail(Errc::usage, "the socket's path is too long", socket, "take a shorter folder");
  }
  std::memcpy(address.sun_path, socket.data(), socket.size());
  const UniqueFd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ::unlink(socket.c_str());
  if (::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener.get(), 1) != 0) {
    return fail_errno(errno, "cannot listen", socket);
  }
  connection_ = UniqueFd(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  ::unlink(socket.c_str());
  if (connection_.get() < 0) return fail_errno(errno, "no client", socket);
  for (;;) {
    wait_for_message();
    auto message = receive();
    if (!message) return Done{};
    handle(*message);
  }
}

/// Meanwhile the device does what falls due.
void VfioUserServer::wait_for_message() {
  while (const auto wait = device_.run_due()) {
    const timespec most{static_cast<time_t>(wait->count() / 1'000'000),
                        static_cast<long>(wait->count() % 1'000'000 * 1000)};
    pollfd readable{connection_.get(), POLLIN, 0};
    if (::ppoll(&readable, 1, &most, nullptr) > 0) return;
  }
}

bool VfioUserServer::receive_bytes(std::span<std::byte> out, std::vector<UniqueFd>& files) {
  while (!out.empty()) {
    iovec place{out.data(), out.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * most_files)> control{};
    msghdr message{};
    message.msg_iov = &place;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t size = ::recvmsg(connection_.get(), &message, MSG_CMSG_CLOEXEC);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
      const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (std::size_t i = 0; i < count; ++i) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
        files.emplace_back(fd);
      }
    }
    out = out.subspan(static_cast<std::size_t>(size));
  }
  return true;
}

std::optional<VfioUserServer::Message> VfioUserServer::receive() {
  Message message;
  if (!receive_bytes(std::as_writable_bytes(std::span(&message.header, 1)), message.files)) {
    return std::nullopt;
  }
  if (message.header.size < header_bytes || message.header.size > most_message) return std::nullopt;
  message.body.resize(message.header.size - header_bytes);
  if (!receive_bytes(message.body, message.files)) return std::nullopt;
  return message;
}

void VfioUserServer::reply(const Header& to, std::span<const std::byte> body, int error) {
  if ((to.flags & no_reply) != 0) return;
  if (error != 0) body = {};
  Header header{to.id, to.command, static_cast<std::uint32_t>(header_bytes + body.size()),
                is_reply | (error != 0 ? is_error : 0), static_cast<std::uint32_t>(error)};
  std::vector<std::byte> bytes(header.size);
  std::memcpy(bytes.data(), &header, header_bytes);
  std::copy(body.begin(), body.end(), bytes.begin() + header_bytes);
  std::span<const std::byte> rest(bytes);
  while (!rest.empty()) {
    const ssize_t sent = ::send(connection_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;  // the client has gone: the next receive ends the service
    rest = rest.subspan(static_cast<std::size_t>(sent));
  }
}

void VfioUserServer::handle(Message& message) {
  switch (message.header.command) {
    case version:
      return answer_version(message);
    case dma_map:
      return map_memory(message);
    case dma_unmap:
      memory_.unmap(field<std::uint64_t>(message.body, 8));
      return reply(message.header,
                   std::span(message.body).first(std::min<std::size_t>(message.body.size(), 24)));
    case device_info:
      return answer_device_info(message);
    case region_info:
      return answer_region_info(message);
    case irq_info:
      return answer_irq_info(message);
    case set_irqs_command:
      return set_irqs(message);
    case region_read:
      return read_region(message);
    case region_write:
      return write_region(message);
    case device_reset:
      device_.reset();
      return reply(message.header, {});
    default:
      return reply(message.header, {}, ENOTSUP);
  }
}

void VfioUserServer::answer_version(const Message& message) {
  constexpr std::string_view capabilities =
      R"({"capabilities":{"max_msg_fds":16,"max_data_xfer_size":1048576}})";
  std::vector<std::byte> out(4 + capabilities.size() + 1);
  std::copy_n(message.body.begin(), std::min<std::size_t>(4, message.body.size()), out.begin());
  std::memcpy(out.data() + 4, capabilities.data(), capabilities.size());
  reply(message.header, out);
}

void VfioUserServer::map_memory(const Message& message) {
  constexpr std::uint32_t may_write = 0x2;
  // Memory without a file would have to be asked for piece by piece; QEMU shares all that matters.
  if (message.files.empty()) return reply(message.header, {});
  const auto flags = field<std::uint32_t>(message.body, 4);
  const int error = memory_.map(field<std::uint64_t>(message.body, 16),
                                field<std::uint64_t>(message.body, 24), message.files.front().get(),
                                field<std::uint64_t>(message.body, 8), (flags & may_write) != 0);
  reply(message.header, {}, error);
}

void VfioUserServer::answer_device_info(const Message& message) {
  const std::array<std::uint32_t, 4> out{16, VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI,
                                         VFIO_PCI_NUM_REGIONS, VFIO_PCI_NUM_IRQS};
  reply(message.header, bytes_of(out));
}

void VfioUserServer::answer_region_info(const Message& message) {
  const auto index = field<std::uint32_t>(message.body, 8);
  const std::uint64_t size = index == VFIO_PCI_BAR0_REGION_INDEX ? device_.bar_bytes()
                             : index == VFIO_PCI_CONFIG_REGION_INDEX
                                 ? device_.configuration().size()
                                 : 0;
  const std::uint32_t flags =
      size != 0 ? VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE : 0U;
  std::array<std::uint32_t, 8> out{32, flags, index, 0};
  out[4] = static_cast<std::uint32_t>(size);
  reply(message.header, bytes_of(out));
}

void VfioUserServer::answer_irq_info(const Message& message) {
  const auto index = field<std::uint32_t>(message.body, 8);
  std::array<std::uint32_t, 4> out{16, 0, index, 0};
  if (index == VFIO_PCI_INTX_IRQ_INDEX) {
    out[1] = VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_MASKABLE | VFIO_IRQ_INFO_AUTOMASKED;
    out[3] = 1;
  } else if (index == VFIO_PCI_MSIX_IRQ_INDEX) {
    out[1] = VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_NORESIZE;
    out[3] = device_.vectors();
  }
  reply(message.header, bytes_of(out));
}

void VfioUserServer::set_irqs(Message& message) {
  const auto flags = field<std::uint32_t>(message.body, 4);
  const auto index = field<std::uint32_t>(message.body, 8);
  const auto start = field<std::uint32_t>(message.body, 12);
  const auto count = field<std::uint32_t>(message.body, 16);
  const bool with_files = (flags & VFIO_IRQ_SET_DATA_EVENTFD) != 0;
  const bool trigger = (flags & VFIO_IRQ_SET_ACTION_TRIGGER) != 0;
  const bool off = (flags & VFIO_IRQ_SET_DATA_NONE) != 0 && trigger && count == 0;
  auto& files = message.files;
  if (index == VFIO_PCI_MSIX_IRQ_INDEX) {
    if (off) std::generate(vectors_.begin(), vectors_.end(), [] { return UniqueFd(); });
    for (std::uint32_t i = 0; with_files && trigger && i < count && start + i < vectors_.size();
         ++i) {
      vectors_[start + i] = i < files.size() ? std::move(files[i]) : UniqueFd();
    }
  } else if (index == VFIO_PCI_INTX_IRQ_INDEX) {
    const bool unmask = (flags & VFIO_IRQ_SET_ACTION_UNMASK) != 0 && !with_files;
    if (with_files && trigger) pin_ = files.empty() ? UniqueFd() : std::move(files.front());
    if (off) pin_ = UniqueFd();
    if (unmask && device_.pin_asserted()) device_.interrupts.pin();
  }
  reply(message.header, {});
}

void VfioUserServer::read_region(const Message& message) {
  const auto offset = field<std::uint64_t>(message.body, 0);
  const auto region = field<std::uint32_t>(message.body, 8);
  const auto count = field<std::uint32_t>(message.body, 12);
  if (count > most_transfer || message.body.size() < access_bytes)
    return reply(message.header, {}, EINVAL);
  std::vector<std::byte> out(access_bytes + count);
  std::copy_n(message.body.begin(), access_bytes, out.begin());
  const std::span<std::byte> data = std::span(out).subspan(access_bytes);
  const auto configuration = device_.configuration();
  if (region == VFIO_PCI_BAR0_REGION_INDEX) {
    device_.read_bar(offset, data);
  } else if (region == VFIO_PCI_CONFIG_REGION_INDEX && offset + count <= configuration.size()) {
    std::copy_n(configuration.begin() + static_cast<std::ptrdiff_t>(offset), count, data.begin());
  }
  reply(message.header, out);
}

void VfioUserServer::write_region(const Message& message) {
  const auto offset = field<std::uint64_t>(message.body, 0);
  const auto region = field<std::uint32_t>(message.body, 8);
  const auto count = field<std::uint32_t>(message.body, 12);
  if (message.body.size() < access_bytes + count) return reply(message.header, {}, EINVAL);
  const std::span<const std::byte> data = std::span(message.body).subspan(access_bytes, count);
  // Answered first: what the write starts may wait for memory that QEMU holds until then.
  reply(message.header, std::span(message.body).first(access_bytes));
  if (region == VFIO_PCI_BAR0_REGION_INDEX) return device_.write_bar(offset, data);
  const auto configuration = device_.configuration();
  if (region != VFIO_PCI_CONFIG_REGION_INDEX || offset + count > configuration.size()) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (device_.may_be_set(offset + i)) configuration[offset + i] = data[i];
  }
}

}  // namespace raidscope::lab
