#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "probe/base/text.h"
#include "probe/source.h"
#include "probe/sources/bmic/attributes.h"
#include "tests/support/memory_host.h"

namespace raidscope {
extern const Source source_bmic;
}

namespace {

using namespace raidscope;

/// A controller whose answers are the fuzzer's bytes, one piece a question: two bytes of length,
/// one of status, the data. The same question has the same answer but for the configuration
/// signature.
class FuzzedController final : public CissReader {
 public:
  FuzzedController(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  Result<CissReply> ask(std::string_view /*devnode*/, const CissAsk& ask) const override {
    if (++asked_ > 3000) return fail(Errc::timeout, "enough");
    const auto known = answers_.find({ask.query, ask.number});
    if (known != answers_.end()) return known->second;
    CissReply reply;
    if (end_ - at_ >= 3) {
      const auto length = static_cast<std::ptrdiff_t>(at_[0] | (at_[1] & 0x0F) << 8);
      reply.command_status = at_[2] < 0xF0 ? 0 : static_cast<std::uint16_t>(at_[2] & 0x0F);
      at_ += 3;
      const auto take = std::min(length, end_ - at_);
      const auto* const bytes = reinterpret_cast<const std::byte*>(at_);
      reply.data.assign(bytes, bytes + take);
      at_ += take;
    }
    answers_[{ask.query, ask.number}] = reply;
    return reply;
  }

 private:
  mutable const std::uint8_t* at_;
  const std::uint8_t* end_;
  mutable std::map<std::pair<CissQuery, std::uint32_t>, CissReply> answers_;
  mutable int asked_ = 0;
};

testing::MemoryHost machine_with_a_controller() {
  testing::MemoryHost out;
  const std::string host = "sys/devices/pci0000:00/0000:00:01.0/host0/scsi_host/host0";
  const std::string node = "sys/devices/pci0000:00/0000:00:01.0/host0/target0:0:0/0:0:0:0";
  out.files.file(host + "/proc_name", "hpsa\n");
  out.files.file(host + "/lockup_detected", "ld=0\n");
  out.files.link(host + "/device", "../../../host0");
  out.files.file("sys/devices/pci0000:00/0000:00:01.0/host0/uevent", "");
  out.files.file(node + "/type", "12\n");
  out.files.file(node + "/scsi_generic/sg0/dev", "21:0\n");
  out.devices.add("scsi_host", {host, "", {}});
  out.devices.add("scsi", {node, "", {}});
  return out;
}

}  // namespace

/// Any answers: no crash, and what comes out holds together.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const testing::MemoryHost machine = machine_with_a_controller();
  const FuzzedController ciss(data, size);
  const FactSet set =
      source_bmic.collect({machine.files, machine.devices, machine.scsi, machine.tools, ciss});
  for (const Fact& fact : set.facts) {
    if (fact.entity == machine_entity || fact.entity >= set.entities.size()) std::abort();
    const bool listed =
        std::any_of(bmic_attributes.begin(), bmic_attributes.end(), [&](const AttributeSpec& spec) {
          return spec.kind == set.entities[fact.entity].kind && spec.name == fact.attribute &&
                 static_cast<std::size_t>(spec.type) == fact.value.index();
        });
    if (!listed) std::abort();
    const auto* const words = std::get_if<std::string>(&fact.value);
    if (words != nullptr && !text::is_utf8(*words)) std::abort();
    const auto* const number = std::get_if<std::int64_t>(&fact.value);
    if (number != nullptr && *number < 0) std::abort();
  }
  for (const Extra& extra : set.extras) {
    if (extra.entity >= set.entities.size() || !text::is_utf8(extra.value)) std::abort();
  }
  return 0;
}
