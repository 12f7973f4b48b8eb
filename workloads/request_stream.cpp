#include "workloads/request_stream.h"

#include <algorithm>

#include <fmt/format.h>

#include "workloads/quantities.h"

namespace raidscope {
namespace {

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) noexcept {
  return unit <= 1 ? value : (value + unit - 1) / unit * unit;
}

/// The lines of a mix, or the one line that a share of random requests makes.
std::vector<MixLine> lines_of(const Workload& w) {
  if (!w.mix.empty()) return w.mix;
  const bool one_kind = w.random_percent < 0;
  if (one_kind && (w.pattern == Pattern::sequential || w.spread == Spread::uniform)) return {};
  MixLine line;
  line.block_bytes = w.block_bytes.front();
  line.read_percent = w.read_percent;
  line.random_percent = one_kind ? (w.pattern == Pattern::random ? 100 : 0) : w.random_percent;
  line.alignment_bytes = w.alignment_bytes;
  return {line};
}

bool all_sequential(const Workload& w, const std::vector<MixLine>& lines) {
  if (lines.empty()) return w.pattern == Pattern::sequential;
  return std::all_of(lines.begin(), lines.end(),
                     [](const MixLine& line) { return line.random_percent == 0; });
}

std::uint64_t positions_in(std::uint64_t area, std::uint64_t block, std::uint64_t step) {
  return (area - block) / step + 1;
}

}  // namespace

Result<Extent> extent_of(const Workload& workload, std::uint64_t target_bytes) {
  if (workload.mix.empty() && workload.block_bytes.size() != 1) {
    return fail(Errc::usage,
                fmt::format("a run takes one block size, and this workload has {}",
                            workload.block_bytes.size()),
                workload.name, "make a point for each block size");
  }
  const std::vector<MixLine> lines = lines_of(workload);
  std::uint64_t block = workload.mix.empty() ? workload.block_bytes.front() : 0;
  for (const MixLine& line : lines) block = std::max(block, line.block_bytes);
  if (block == 0 || block > (std::uint64_t{1} << 30U)) {
    return fail(Errc::usage, fmt::format("a block size of {} bytes is not possible", block),
                workload.name, "give 512 bytes to 1G");
  }
  if (workload.base_bytes >= target_bytes && workload.base_bytes != 0) {
    return fail(Errc::usage,
                fmt::format("an area that begins at {} lies behind the target's end ({})",
                            print_size(workload.base_bytes), print_size(target_bytes)),
                workload.name, "choose a smaller beginning");
  }
  if (workload.area_bytes > target_bytes - workload.base_bytes) {
    return fail(
        Errc::usage,
        fmt::format("the area of {} is larger than the target ({}{})",
                    print_size(workload.area_bytes), print_size(target_bytes),
                    workload.base_bytes != 0 ? ", from " + print_size(workload.base_bytes) + " on"
                                             : std::string()),
        workload.name, "make the target larger (--size) or choose a smaller area");
  }
  Extent extent;
  extent.base_bytes = workload.base_bytes;
  extent.area_bytes =
      workload.area_bytes != 0 ? workload.area_bytes : target_bytes - workload.base_bytes;
  extent.block_bytes = static_cast<std::uint32_t>(block);
  extent.step_bytes = block;
  if (workload.pattern == Pattern::random && workload.alignment_bytes != 0)
    extent.step_bytes = workload.alignment_bytes;
  if (workload.pattern == Pattern::sequential && workload.stride_bytes != 0)
    extent.step_bytes = workload.stride_bytes;
  const std::uint64_t needed =
      all_sequential(workload, lines) && workload.cursor == SequentialCursor::per_worker
          ? block * std::max<std::uint64_t>(workload.workers, 1)
          : block;
  if (extent.area_bytes < needed) {
    return fail(Errc::usage,
                fmt::format("an area of {} is too small for requests of {}{}",
                            size_with_unit(extent.area_bytes), size_with_unit(block),
                            needed > block
                                ? fmt::format(" by {} workers with a region each", workload.workers)
                                : std::string()),
                workload.name, "choose a larger target or area");
  }
  extent.positions = positions_in(extent.area_bytes, block, extent.step_bytes);
  if (lines.empty() && extent.positions == 1 && extent.step_bytes > block &&
      extent.area_bytes >= 2 * block) {
    return fail(Errc::usage,
                fmt::format("an alignment of {} leaves one place for requests in an area of {}",
                            size_with_unit(extent.step_bytes), size_with_unit(extent.area_bytes)),
                workload.name, "take a smaller --alignment or a larger target");
  }
  for (const MixLine& line : lines) {
    ExtentLine out;
    out.percent = line.percent;
    out.block_bytes = static_cast<std::uint32_t>(line.block_bytes);
    out.step_bytes = line.alignment_bytes != 0 ? line.alignment_bytes : line.block_bytes;
    out.positions = positions_in(extent.area_bytes, line.block_bytes, out.step_bytes);
    out.align_bytes = std::max<std::uint64_t>(line.alignment_bytes, 1);
    out.read_percent = static_cast<std::uint32_t>(std::clamp(line.read_percent, 0, 100));
    out.random_percent = static_cast<std::uint32_t>(std::clamp(line.random_percent, 0, 100));
    extent.lines.push_back(out);
  }
  if (!extent.lines.empty()) {
    extent.positions = extent.lines.front().positions;
    extent.step_bytes = extent.lines.front().step_bytes;
  }
  return extent;
}

RequestStream::RequestStream(const Workload& workload, const Extent& extent, std::uint32_t worker,
                             std::uint32_t target, SharedCursor* cursor,
                             std::optional<Sharing> sharing)
    : random_(mix64(workload.seed + mix64((std::uint64_t{target} << 32U) + worker + 1))),
      cursor_(cursor),
      positions_(extent.positions),
      step_(extent.step_bytes),
      base_(extent.base_bytes),
      block_(extent.block_bytes),
      target_(target),
      read_percent_(static_cast<std::uint32_t>(std::clamp(workload.read_percent, 0, 100))),
      trim_percent_(static_cast<std::uint32_t>(std::clamp(workload.trim_percent, 0, 100))),
      mode_(!extent.lines.empty()                                              ? Mode::general
            : workload.pattern == Pattern::random                              ? Mode::random
            : workload.cursor == SequentialCursor::shared && cursor != nullptr ? Mode::shared
                                                                               : Mode::region),
      lines_(extent.lines),
      area_(extent.area_bytes),
      stride_(workload.stride_bytes) {
  const Sharing place =
      sharing.value_or(Sharing{worker, std::max<std::uint32_t>(workload.workers, 1)});
  // The beginning of a worker's own cursor; it comes back to it, not to the area's.
  std::uint64_t shift = 0;
  if (workload.cursor == SequentialCursor::own) {
    const std::uint64_t room = area_ - std::min<std::uint64_t>(area_, block_);
    shift = room == 0 ? 0 : workload.worker_offset_bytes * place.rank % (room + 1);
  }
  if (mode_ != Mode::general) {
    if (workload.cursor == SequentialCursor::per_worker) {
      const std::uint64_t region = positions_ / place.sharers;
      begin_ = region * place.rank;
      end_ = place.rank + 1 == place.sharers ? positions_ : begin_ + region;
    } else {
      if (mode_ == Mode::region) base_ += shift;
      end_ = mode_ == Mode::region ? positions_in(area_ - shift, block_, step_) : positions_;
    }
    position_ = begin_;
    return;
  }
  std::vector<double> weights;
  bool sequential = true;
  for (const ExtentLine& line : lines_) {
    weights.push_back(line.percent);
    spreads_.emplace_back(workload, line.positions, target, place.rank, place.sharers);
    sequential = sequential && line.random_percent == 0;
    unit_ = std::max(unit_, line.align_bytes);
  }
  if (lines_.size() > 1) pick_.emplace(weights);
  shared_bytes_ = sequential && workload.cursor == SequentialCursor::shared && cursor != nullptr;
  until_ = area_;
  if (sequential && workload.cursor == SequentialCursor::per_worker) {
    const std::uint64_t region = std::max<std::uint64_t>(area_ / place.sharers, block_);
    from_ = std::min(round_up(region * place.rank, unit_), area_ - block_);
    until_ = place.rank + 1 == place.sharers ? area_
                                             : std::max(region * (place.rank + 1), from_ + block_);
  } else {
    from_ = shift;
  }
  next_ = from_;
}

std::uint64_t RequestStream::sequential_offset(const ExtentLine& line) noexcept {
  if (!shared_bytes_) {
    std::uint64_t offset = round_up(next_, line.align_bytes);
    if (offset + line.block_bytes > until_) offset = round_up(from_, line.align_bytes);
    return offset + line.block_bytes > until_ ? from_ : offset;
  }
  const std::uint64_t claim = round_up(stride_ != 0 ? stride_ : line.block_bytes, unit_);
  // What would stand over the end is left out; half of the area always fits.
  for (;;) {
    const std::uint64_t offset =
        cursor_->next.fetch_add(claim, std::memory_order_relaxed) % round_up(area_, unit_);
    if (offset + line.block_bytes <= area_) return offset;
    if (area_ < 2 * claim) return 0;
  }
}

Request RequestStream::make_general() noexcept {
  const std::uint32_t which = pick_ ? pick_->draw(random_) : 0;
  const ExtentLine& line = lines_[which];
  const bool write = draw_write(line.read_percent);
  const bool random = line.random_percent >= 100 ||
                      (line.random_percent > 0 && below(random_(), 100) < line.random_percent);
  const std::uint64_t offset =
      random ? spreads_[which].draw(random_) * line.step_bytes : sequential_offset(line);
  next_ = offset + (stride_ != 0 ? stride_ : line.block_bytes);
  return {base_ + offset, line.block_bytes, static_cast<std::uint16_t>(target_), write};
}

void RequestStream::mark_trims(std::span<Request> out) noexcept {
  for (Request& request : out) {
    if (request.write && below(random_(), 100) < trim_percent_) request.kind = Request::Kind::trim;
  }
}

void RequestStream::fill(std::span<Request> out) noexcept {
  const auto target = static_cast<std::uint16_t>(target_);
  switch (mode_) {
    case Mode::random:
      for (Request& request : out) {
        const std::uint64_t offset = base_ + below(random_(), positions_) * step_;
        request = {offset, block_, target, draw_write(read_percent_)};
      }
      break;
    case Mode::shared: {
      // One atomic addition claims the whole batch; the remainder only costs a division a batch.
      std::uint64_t position =
          cursor_->next.fetch_add(out.size(), std::memory_order_relaxed) % positions_;
      for (Request& request : out) {
        request = {base_ + position * step_, block_, target, draw_write(read_percent_)};
        if (++position == positions_) position = 0;
      }
      break;
    }
    case Mode::region:
      for (Request& request : out) {
        request = {base_ + position_ * step_, block_, target, draw_write(read_percent_)};
        if (++position_ == end_) position_ = begin_;
      }
      break;
    case Mode::general:
      for (Request& request : out) request = make_general();
      break;
  }
  if (trim_percent_ != 0) mark_trims(out);
}

}  // namespace raidscope
