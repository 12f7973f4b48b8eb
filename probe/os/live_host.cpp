#include "probe/os/live_host.h"

#include <utility>

#include "probe/os/ciss_reader.h"
#include "probe/os/rooted_files.h"
#include "probe/os/sg_reader.h"
#include "probe/os/tool_runner.h"
#include "probe/os/udev_devices.h"

namespace raidscope {
namespace {

VendorToolOptions tool_options(const LiveHostOptions& options, bool live) {
  VendorToolOptions out;
  out.tool = options.vendor_tool;
  out.timeout = options.tool_timeout;
  out.live = live;
  out.say = options.say;
  return out;
}

CissReaderOptions ciss_options(const LiveHostOptions& options) {
  CissReaderOptions out;
  out.stop = options.stop;
  return out;
}

}  // namespace

struct LiveHost::Parts {
  explicit Parts(const LiveHostOptions& options)
      : live(options.sysroot.empty() || options.sysroot == "/"),
        files(options.sysroot),
        captured_devices(files),
        live_scsi(options.scsi_timeout),
        live_ciss(ciss_options(options)),
        tools(tool_options(options, live)) {}

  bool live;
  RootedFiles files;
  UdevDevices live_devices;
  UeventDevices captured_devices;
  SgReader live_scsi;
  NoScsiReader no_scsi;
  LiveCissReader live_ciss;
  NoCissReader no_ciss;
  VendorToolRunner tools;
};

LiveHost::LiveHost(LiveHostOptions options) : parts_(std::make_unique<Parts>(options)) {}
LiveHost::~LiveHost() = default;

Host LiveHost::host() const {
  const Parts& parts = *parts_;
  if (parts.live)
    return {parts.files, parts.live_devices, parts.live_scsi, parts.tools, parts.live_ciss};
  return {parts.files, parts.captured_devices, parts.no_scsi, parts.tools, parts.no_ciss};
}

std::string LiveHost::vendor_tool() const {
  return parts_->tools.tool();
}

}  // namespace raidscope
