#include "workloads/run/engine_choice.h"

#include <fmt/format.h>

namespace raidscope {
namespace {

const EngineType* find(std::span<const EngineType* const> known, std::string_view id) {
  for (const EngineType* engine : known) {
    if (engine->id == id) return engine;
  }
  return nullptr;
}

Result<EngineChoice> the_one_asked_for(std::string_view asked, bool trims,
                                       std::span<const EngineType* const> known) {
  const EngineType* const type = find(known, asked);
  if (type == nullptr) {
    std::string names;
    for (const EngineType* engine : known) {
      names += (names.empty() ? "" : ", ") + std::string(engine->id);
    }
    return fail(Errc::usage, "there is no engine of this name", std::string(asked),
                "known: " + names);
  }
  RAIDSCOPE_CHECK(type->available());
  if (trims && !type->trims) {
    return fail(Errc::unsupported, fmt::format("the {} engine cannot trim", asked),
                std::string(asked), "use --engine psync");
  }
  return EngineChoice{type, "asked for"};
}

Result<EngineChoice> the_best(const EngineNeeds& needs, std::span<const EngineType* const> known) {
  const EngineType* const uring = find(known, "io_uring");
  const EngineType* const aio = find(known, "libaio");
  const EngineType* const psync = find(known, "psync");
  if (uring == nullptr || psync == nullptr) {
    return fail(Errc::unsupported, "this build has no engine of its own choice", {},
                "name one with --engine");
  }
  if (needs.trims)
    return EngineChoice{psync, "trims are blocking calls (BLKDISCARD), and psync makes them"};
  const bool has_aio = aio != nullptr && aio->available().has_value();
  const Status usable = uring->available();
  if (!needs.waiting_target.empty() && usable) {
    const std::string why = fmt::format(
        "{} takes no request without waiting, so that io_uring would hand each to a kernel thread",
        needs.waiting_target);
    if (needs.in_flight == 1)
      return EngineChoice{psync, why + "; at depth 1 blocking calls do the same for less"};
    if (has_aio && needs.direct) return EngineChoice{aio, why + "; libaio submits without threads"};
    return EngineChoice{
        uring, fmt::format("keeps the asked queue depth, though {} makes it use kernel threads "
                           "(io-wq)",
                           needs.waiting_target)};
  }
  if (usable)
    return EngineChoice{uring, "keeps the asked queue depth at the least CPU per request"};
  const std::string why = "io_uring cannot be used: " + describe(usable.error());
  if (has_aio && needs.direct && needs.in_flight > 1)
    return EngineChoice{aio, why + "; libaio keeps the asked queue depth of direct I/O"};
  return EngineChoice{psync, why};
}

}  // namespace

Result<EngineChoice> choose_engine(std::string_view asked, const EngineNeeds& needs,
                                   std::span<const EngineType* const> known) {
  RAIDSCOPE_TRY(EngineChoice choice, asked.empty() ? the_best(needs, known)
                                                   : the_one_asked_for(asked, needs.trims, known));
  if (needs.poll && choice.type->moves_data && !choice.type->polls)
    choice.reason += "; it cannot poll for completions, so they come by interrupt";
  return choice;
}

}  // namespace raidscope
