#include "workloads/syntax.h"

namespace raidscope {

const Syntax* find_syntax(std::string_view id) noexcept {
  for (const Syntax* syntax : syntaxes()) {
    if (syntax->id == id) return syntax;
  }
  return nullptr;
}

}  // namespace raidscope
