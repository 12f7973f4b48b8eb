#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "probe/capture/answers.h"
#include "probe/capture/bundle.h"

/// Any bytes: no crash, and what was read is written and read again as the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace raidscope;
  using namespace raidscope::capture;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto bundle = read_bundle(text, "fuzz");
  if (!bundle) return bundle.error().code == Errc::malformed ? 0 : (std::abort(), 0);
  for (const Section& section : bundle->sections) {
    if (section.kind == kind_list) static_cast<void>(list_answer(section));
    if (section.kind == kind_devices) static_cast<void>(devices_answer(section));
    if (section.kind == kind_scsi) static_cast<void>(scsi_answer(section));
    if (section.kind == kind_ciss) static_cast<void>(ciss_answer(section));
    if (section.kind == kind_tool) static_cast<void>(tool_answer(section));
  }
  if (!bundle->whole) return 0;
  const auto again = read_bundle(write_bundle(*bundle), "fuzz");
  if (!again || again->sections != bundle->sections || again->taken_at != bundle->taken_at ||
      again->tree != bundle->tree) {
    std::abort();
  }
  return 0;
}
