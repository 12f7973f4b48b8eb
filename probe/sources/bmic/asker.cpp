#include "probe/sources/bmic/asker.h"

#include <utility>

#include <fmt/format.h>

namespace raidscope::bmic {
namespace {

/// A controller that gives nothing sensible so often is left alone.
constexpr int most_failures = 3;

SourceStatus status_of(Errc code) {
  switch (code) {
    case Errc::permission:
      return SourceStatus::skipped;
    case Errc::not_found:
    case Errc::unsupported:
      return SourceStatus::absent;
    default:
      return SourceStatus::failed;
  }
}

}  // namespace

void Asker::lose(SourceStatus status, std::string detail) {
  if (problem_) return;
  status_ = status;
  problem_ = std::move(detail);
}

std::optional<std::vector<std::byte>> Asker::ask(CissQuery query, std::uint32_t number) {
  if (stopped_) return std::nullopt;
  auto reply = host_.ciss.ask(node_, {query, number});
  if (!reply) {
    stopped_ = true;
    lose(status_of(reply.error().code), describe(reply.error()));
    return std::nullopt;
  }
  const auto what = [&] {
    return fmt::format("{}: {}: {}", node_, ciss::name_of(query), ciss::status_text(*reply));
  };
  switch (ciss::judge(query, *reply)) {
    case ciss::Verdict::answered:
      return std::move(reply->data);
    case ciss::Verdict::absent:
      return std::nullopt;
    case ciss::Verdict::locked_up:
      stopped_ = true;
      locked_up_ = true;
      lose(SourceStatus::failed, what());
      return std::nullopt;
    case ciss::Verdict::failed:
      lose(SourceStatus::failed, what());
      if (++failures_ >= most_failures) stopped_ = true;
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace raidscope::bmic
