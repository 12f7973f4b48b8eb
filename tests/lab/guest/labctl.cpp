// labctl, in the guest: speaks to the emulated card through the same ioctl as raidscope.
//   labctl [-c N] state            prints the card's state
//   labctl [-c N] change JSON      changes it: {"/cache/backup/status": "failed"}
//   labctl [-c N] mark WORDS       writes words into the card's log
//   labctl [-c N] send HEX…        sends one command to the controller: a test of what must never
//   be sent
// -c N: the N-th controller, from 0.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tests/lab/guest/card_link.h"

namespace {

int usage() {
  fmt::print(stderr, "usage: labctl [-c N] state | change JSON | mark WORDS | send HEX...\n");
  return 64;
}

int report(const raidscope::Status& status) {
  if (status) return 0;
  fmt::print(stderr, "labctl: {}\n", raidscope::describe(status.error()));
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace raidscope;
  std::vector<std::string> words(argv + 1, argv + argc);
  std::size_t which = 0;
  if (words.size() > 2 && words[0] == "-c") {
    which = std::strtoul(words[1].c_str(), nullptr, 10);
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.empty()) return usage();
  const auto cards = lab::find_cards();
  if (which >= cards.size()) {
    fmt::print(stderr, "labctl: there are {} controllers\n", cards.size());
    return 69;
  }
  const lab::CardLink link(cards[which].node);
  if (words[0] == "state" && words.size() == 1) {
    const auto state = link.state();
    if (!state) return report(tl::unexpected(state.error()));
    fmt::print("{}\n", *state);
    return 0;
  }
  if (words[0] == "change" && words.size() == 2) return report(link.change(words[1]));
  if (words[0] == "mark" && words.size() == 2) return report(link.mark(words[1]));
  if (words[0] == "send" && words.size() > 6) {
    std::vector<std::byte> cdb;
    for (std::size_t i = 1; i < words.size(); ++i) {
      cdb.push_back(static_cast<std::byte>(std::strtoul(words[i].c_str(), nullptr, 16)));
    }
    return report(link.send(cdb));
  }
  return usage();
}
