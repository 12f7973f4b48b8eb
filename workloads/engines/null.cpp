#include <algorithm>

#include "workloads/engine.h"

namespace raidscope {
namespace {

/// Completes every request at once. Running it measures the tool itself: the floor under every
/// result.
class NullEngine final : public Engine {
 public:
  Status open(const EngineSetup& setup) override {
    done_.resize(setup.depth);
    return Done{};
  }

  std::int32_t submit(std::span<const Request> requests,
                      std::span<const std::uint32_t> slots) override {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      done_[count_++] = {slots[i], static_cast<std::int32_t>(requests[i].length)};
    }
    return static_cast<std::int32_t>(requests.size());
  }

  std::int32_t reap(std::span<Completion> out, std::uint32_t /*least*/,
                    std::chrono::nanoseconds /*patience*/) override {
    const std::size_t n = std::min(out.size(), count_);
    std::copy_n(done_.begin(), n, out.begin());
    std::copy(done_.begin() + static_cast<std::ptrdiff_t>(n),
              done_.begin() + static_cast<std::ptrdiff_t>(count_), done_.begin());
    count_ -= n;
    return static_cast<std::int32_t>(n);
  }

 private:
  std::vector<Completion> done_;
  std::size_t count_ = 0;
};

}  // namespace

extern const EngineType engine_null;
const EngineType engine_null{
    .id = "null",
    .summary = "completes at once and moves no data: measures the tool's own cost",
    .moves_data = false,
    .trims = true,
    .available = []() -> Status { return Done{}; },
    .version = [] { return std::string("1"); },
    .make = []() -> std::unique_ptr<Engine> { return std::make_unique<NullEngine>(); },
};

}  // namespace raidscope
