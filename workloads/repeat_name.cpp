#include "workloads/repeat_name.h"

#include <algorithm>

#include "probe/base/text.h"

namespace raidscope {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), text::is_digit);
}

}  // namespace

std::string repeat_name(std::string_view name) {
  if (const std::size_t mark = name.rfind(" #");
      mark != std::string_view::npos && is_number(name.substr(mark + 2)))
    name = name.substr(0, mark);
  std::string out(name);
  constexpr std::string_view word = "block ";
  for (std::size_t at = out.find(word); at != std::string::npos; at = out.find(word, at + 1)) {
    const std::size_t comma = out.find(", ", at);
    const bool begins = at == 0 || out[at - 1] == ' ';
    const std::size_t number = at + word.size();
    if (!begins || comma == std::string::npos ||
        !is_number(std::string_view(out).substr(number, comma - number)))
      continue;
    out.erase(at, comma + 2 - at);
    break;
  }
  return out;
}

}  // namespace raidscope
