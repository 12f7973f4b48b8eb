#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "probe/capture/bundle.h"
#include "probe/capture/redactor.h"
#include "probe/capture/secrets.h"

namespace {

using namespace raidscope::capture;

/// Where a secret is planted: "@" stands for it, whatever else is of the answer.
struct Ground {
  std::string_view kind, key, line, secret;
};
constexpr std::string_view volume = "600508b1001ca98d5d765bea5a0dd3fa";
constexpr std::array<Ground, 14> grounds{{
    {"file", "proc/mounts", "@:/x /mnt fuse.sshfs rw 0 0\n", "quokkahost7"},
    {"file", "proc/mounts", "/dev/sda1 / ext4 rw 0 0\n//@/x /mnt cifs rw,addr=10.9.8.77 0 0\n",
     "quokkahost7"},
    {"file", "proc/mounts", "[@]:/x /mnt nfs rw,addr=@ 0 0\n", "2001:db8:7::dead:beef"},
    {"file", "proc/mounts", "/dev/disk/by-label/@ /mnt ext4 rw 0 0\n", "QuokkaVol"},
    {"file", "proc/self/mountinfo", "26 25 0:40 / /mnt rw - nfs4 @:/x rw\n", "quokkahost7"},
    {"file", "proc/sys/kernel/hostname", "@\n", "quokkahost7"},
    {"file", "sys/devices/x/block/sda/uevent", "PARTNAME=@\n", "QuokkaVol"},
    {"devices", "block", "P sys/x\nE DEVLINKS=/dev/disk/by-id/ata-MAKER_MODEL_@\n", "QK7WL3C0D009"},
    {"devices", "block", "P sys/x\nE ID_SERIAL_SHORT=@\n", "QK7WL3C0D009"},
    {"devices", "block", "P sys/x\nE MD_NAME=@:0\n", "quokkahost7"},
    {"tool", "show_config_detail", "   Serial Number: @\n", "QK7WL3C0D009"},
    {"tool", "show_config_detail", "   Logical Drive Label: @\n", "Quokka Vol 77"},
    {"tool", "show_config_detail", "cannot read serial @\n", "QK7WL3C0D009"},
    {"file", "sys/devices/x/unique_id", "@\n", volume},
}};

std::string planted(const Ground& ground) {
  std::string out;
  for (const char c : ground.line) {
    if (c == '@') {
      out += ground.secret;
    } else {
      out += c;
    }
  }
  return out;
}

void require(bool holds) {
  if (!holds) std::abort();
}

/// The letters of hex digits would be found by chance where the text holds them itself, so only the
/// whole counts.
void require_gone(const std::string& text, std::string_view secret) {
  const std::string low = folded(text);
  require(low.find(folded(secret)) == std::string::npos);
  require(low.find(to_hex(secret)) == std::string::npos);
  require(low.find(to_hex(folded(secret))) == std::string::npos);
}

}  // namespace

/// An answer of the machine around a planted secret: no crash, lengths stay, the secret is gone
/// from every section or is named as left, and the bundle is still one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 4096) return 0;
  const Ground& ground = grounds[data[0] % grounds.size()];
  const std::string_view given(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t split = given.size() * data[1] / 256;
  const std::string before(given.substr(0, split));
  const std::string after(given.substr(split));
  const std::string line = planted(ground);
  // A line of its own: what stands in front of a key or a source may well make another of it.
  const bool alone = ground.key.ends_with("hostname") || ground.key.ends_with("unique_id");
  Bundle bundle;
  bundle.taken_at = "2026-01-01T00:00:00Z";
  bundle.sections.push_back({std::string(ground.kind),
                             std::string(ground.key),
                             {{"message", after.substr(0, after.find('\n'))}},
                             alone ? line : before + "\n" + line + after,
                             0});
  bundle.sections.push_back(
      {"file", "sys/any", {}, before + std::string(ground.secret) + after, 0});
  bundle.sections.push_back({"tool", "version", {}, std::string(given), 0});

  Secrets secrets;
  collect(bundle, secrets);
  collect_words(given, secrets);
  const Redactor redactor(secrets, "0123456789abcdef0123456789abcdef");
  const Bundle out = redactor.bundle(bundle);
  require(out.sections.size() == bundle.sections.size());
  for (std::size_t i = 0; i < out.sections.size(); ++i) {
    require(out.sections[i].content.size() == bundle.sections[i].content.size());
    require(out.sections[i].key.size() == bundle.sections[i].key.size());
  }
  require(redactor.bundle(bundle).sections == out.sections);
  // The program writes nothing in that case.
  if (!redactor.left_in(out).empty()) return 0;
  for (const Section& section : out.sections) {
    require_gone(section.content, ground.secret);
    for (const auto& [name, value] : section.fields) require_gone(value, ground.secret);
  }
  return 0;
}
