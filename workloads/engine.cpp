#include "workloads/engine.h"

namespace raidscope {

const EngineType* find_engine(std::string_view id) noexcept {
  for (const EngineType* engine : engines()) {
    if (engine->id == id) return engine;
  }
  return nullptr;
}

}  // namespace raidscope
