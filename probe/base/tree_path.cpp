#include "probe/base/tree_path.h"

#include <algorithm>
#include <cerrno>
#include <deque>
#include <utility>

#include "probe/base/os_error.h"

namespace raidscope::tree_path {
namespace {

using Parts = std::deque<std::string>;

Parts parts_of(std::string_view path) {
  Parts out;
  while (!path.empty()) {
    const auto slash = std::min(path.find('/'), path.size());
    if (slash > 0 && path.substr(0, slash) != ".") out.emplace_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return out;
}

std::string joined(const Parts& parts) {
  std::string out;
  for (const auto& part : parts) out += (out.empty() ? "" : "/") + part;
  return out;
}

}  // namespace

std::string plain(std::string_view path) {
  return joined(parts_of(path));
}

Result<std::string> follow(std::string_view path, const Links& links) {
  constexpr int max_links = 40;
  Parts todo = parts_of(path);
  Parts done;
  for (int followed = 0; !todo.empty();) {
    std::string part = std::move(todo.front());
    todo.pop_front();
    if (part == "..") {
      if (!done.empty()) done.pop_back();
      continue;
    }
    done.push_back(std::move(part));
    const auto found = links.find(joined(done));
    if (found == links.end()) continue;
    if (++followed > max_links) return fail_errno(ELOOP, "too many links", std::string(path));
    done.pop_back();
    if (found->second.starts_with('/')) done.clear();
    const Parts more = parts_of(found->second);
    todo.insert(todo.begin(), more.begin(), more.end());
  }
  return joined(done);
}

}  // namespace raidscope::tree_path
