#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "probe/base/fact.h"
#include "probe/host.h"

namespace raidscope {

struct LiveHostOptions {
  std::string sysroot;      ///< empty: the live machine; else nothing live is asked unless named
  std::string vendor_tool;  ///< empty: the first of ssacli, hpssacli, hpacucli on PATH
  std::chrono::seconds tool_timeout{180};
  std::chrono::seconds scsi_timeout{60};
  /// Told of what the vendor tool is waited for; empty: nobody is.
  std::function<void(const std::string&)> say{};
  /// Ends a wait for a controller's own answers once it is true; null: nobody stops it.
  const std::atomic<bool>* stop = nullptr;
};

/// The machine itself, read only.
class LiveHost {
 public:
  explicit LiveHost(LiveHostOptions options);
  ~LiveHost();
  LiveHost(const LiveHost&) = delete;
  LiveHost& operator=(const LiveHost&) = delete;
  [[nodiscard]] Host host() const;
  /// Path of the vendor tool that would be run; empty when there is none.
  [[nodiscard]] std::string vendor_tool() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct DiscoverOptions {
  /// Paths to ask, each as it is named; empty: all, but bmic only where no vendor tool answered.
  std::vector<PathName> only;
  /// Also bmic beside a vendor tool, so that the paths can be held against each other.
  bool cross_check = false;
};

/// Runs the sources of the wanted paths in their order, each timed; bmic last where it stands in
/// for the vendor tool. Never fails: what a path could not do is in its FactSet.
std::vector<FactSet> discover(const Host& host, const DiscoverOptions& options);
std::vector<FactSet> discover(const Host& host, const std::vector<PathName>& only = {});

}  // namespace raidscope
