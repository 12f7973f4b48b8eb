#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "probe/host.h"
#include "probe/os/ciss_worker.h"

namespace raidscope {

/// What runs in the child: serve_ciss(), or a test's.
using CissServer = void (*)(int socket, const char* devnode);

struct CissReaderOptions {
  /// How long one command may take, and all commands to one controller together.
  std::chrono::milliseconds command_timeout{std::chrono::seconds(120)};
  std::chrono::milliseconds controller_timeout{std::chrono::seconds(600)};
  /// Pauses before asking again a driver whose pass-through slots are all taken.
  std::vector<std::chrono::milliseconds> busy_pauses{
      std::chrono::milliseconds(200), std::chrono::seconds(1), std::chrono::seconds(3)};
  /// Ends a wait with Errc::interrupted once it is true; null: nobody stops it.
  const std::atomic<bool>* stop = nullptr;
  CissServer serve = serve_ciss;
};

/// Asks through the CCISS ioctls of the hpsa and smartpqi drivers. These wait uninterruptibly and
/// without a timeout, so each controller has a child process that asks for it, and a watchdog here.
/// When the time is up the controller is marked: it is not asked again, its child is killed as far
/// as the kernel lets it be and never waited for.
class LiveCissReader final : public CissReader {
 public:
  explicit LiveCissReader(CissReaderOptions options = {});
  ~LiveCissReader() override;
  LiveCissReader(const LiveCissReader&) = delete;
  LiveCissReader& operator=(const LiveCissReader&) = delete;
  Result<CissReply> ask(std::string_view devnode, const CissAsk& ask) const override;

 private:
  class Worker;
  CissReaderOptions options_;
  mutable std::map<std::string, std::unique_ptr<Worker>, std::less<>> workers_;
};

/// A machine that is not the running one: no controller can be asked.
class NoCissReader final : public CissReader {
 public:
  Result<CissReply> ask(std::string_view devnode, const CissAsk& ask) const override;
};

}  // namespace raidscope
