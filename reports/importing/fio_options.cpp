#include "reports/importing/fio_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "reports/importing/result_text.h"

namespace raidscope::importing {
namespace {

using Options = std::map<std::string, std::string>;

std::optional<std::string> given(const Options& options, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const auto found = options.find(name); found != options.end()) return found->second;
  }
  return std::nullopt;
}

bool is_on(const Options& options, const char* name) {
  const auto found = options.find(name);
  return found != options.end() && found->second != "0";
}

std::uint32_t whole(const Options& options, const char* name, std::uint32_t fallback,
                    std::uint32_t most) {
  const auto text = given(options, {name});
  const auto value = text ? count_of(*text) : std::nullopt;
  return value && *value <= most ? static_cast<std::uint32_t>(*value) : fallback;
}

double seconds_of(std::string_view text) {
  std::string_view unit;
  const auto value = text::leading_decimal(text, unit);
  if (!value) return 0;
  if (unit == "ms") return *value / 1000;
  if (unit == "us") return *value / 1e6;
  if (unit == "m") return *value * 60;
  if (unit == "h") return *value * 3600;
  if (unit == "d") return *value * 86400;
  return *value;
}

void add_pattern(const Options& options, FioOptions& out) {
  Workload& w = out.workload;
  std::string rw = given(options, {"rw", "readwrite"}).value_or("read");
  rw = rw.substr(0, rw.find(':'));
  w.pattern = rw.starts_with("rand") ? Pattern::random : Pattern::sequential;
  w.cursor = SequentialCursor::own;
  if (rw == "write" || rw == "randwrite") {
    w.read_percent = 0;
  } else if (rw == "rw" || rw == "readwrite" || rw == "randrw") {
    w.read_percent = static_cast<int>(std::min(whole(options, "rwmixread", 50, 100), 100U));
    if (options.contains("rwmixwrite"))
      w.read_percent = 100 - static_cast<int>(whole(options, "rwmixwrite", 50, 100));
  } else if (rw.find("trim") != std::string::npos) {
    w.read_percent = 0;
    w.trim_percent = rw == "trimwrite" || rw == "randtrimwrite" ? 50 : 100;
  }
  const std::string distribution = given(options, {"random_distribution"}).value_or("random");
  if (w.pattern == Pattern::random) {
    const std::size_t colon = distribution.find(':');
    const std::string kind = distribution.substr(0, colon);
    std::string_view rest;
    const auto skew =
        colon == std::string::npos
            ? std::nullopt
            : text::leading_decimal(std::string_view(distribution).substr(colon + 1), rest);
    if (kind == "zipf" || kind == "pareto") {
      w.spread = kind == "zipf" ? Spread::zipf : Spread::pareto;
      w.skew = skew.value_or(kind == "zipf" ? 1.1 : 0.2);
    } else if (kind == "random") {
      w.spread = is_on(options, "norandommap") ? Spread::uniform : Spread::once;
    } else {
      out.warnings.push_back(
          fmt::format("random_distribution={} is kept in the source alone", distribution));
    }
  }
}

void add_sizes(const Options& options, FioOptions& out) {
  Workload& w = out.workload;
  const std::string bs = given(options, {"bs", "blocksize"}).value_or("4k");
  if (options.contains("bssplit") || options.contains("bsrange") ||
      bs.find_first_of(",:/-") != bs.npos) {
    out.warnings.emplace_back(
        "the block sizes of this job differ and are kept in the source alone");
    w.block_bytes.clear();
    std::string_view rest = bs;
    while (!rest.empty()) {
      const std::size_t end = rest.find_first_of(",:/-");
      const auto size = fio_size(rest.substr(0, end));
      if (size && *size > 0 &&
          std::find(w.block_bytes.begin(), w.block_bytes.end(), *size) == w.block_bytes.end()) {
        w.block_bytes.push_back(*size);
      }
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
    if (w.block_bytes.empty()) w.block_bytes = {4096};
  } else {
    const auto size = fio_size(bs);
    w.block_bytes = {size && *size > 0 ? *size : 4096};
    out.block_bytes = w.block_bytes.front();
  }
  if (const auto align = given(options, {"blockalign", "ba"}))
    w.alignment_bytes = fio_size(*align).value_or(0);
  if (const auto size = given(options, {"io_size", "size"}); size && !size->ends_with('%')) {
    if (const auto area = given(options, {"size"})) w.area_bytes = fio_size(*area).value_or(0);
  }
  if (const auto offset = given(options, {"offset"})) w.base_bytes = fio_size(*offset).value_or(0);
}

}  // namespace

std::optional<std::uint64_t> fio_size(std::string_view text) {
  std::string_view unit;
  const auto value = text::leading_decimal(text, unit);
  if (!value || *value < 0) return std::nullopt;
  double factor = 1;
  if (!unit.empty()) {
    switch (text::to_lower(unit.front())) {
      case 'k':
        factor = 1024.0;
        break;
      case 'm':
        factor = 1024.0 * 1024;
        break;
      case 'g':
        factor = 1024.0 * 1024 * 1024;
        break;
      case 't':
        factor = 1024.0 * 1024 * 1024 * 1024;
        break;
      case 'b':
        break;
      default:
        return std::nullopt;
    }
  }
  const double bytes = *value * factor;
  if (bytes > 9e18) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

FioOptions fio_options(const Options& options) {
  FioOptions out;
  add_pattern(options, out);
  add_sizes(options, out);
  Workload& w = out.workload;
  w.direct = is_on(options, "direct");
  w.sync =
      is_on(options, "sync") && options.at("sync") != "none" ? Sync::write_through : Sync::none;
  w.fsync_every = whole(options, "fsync", 0, 1'000'000'000);
  w.seed = whole(options, "randseed", 1, 4'000'000'000U);
  if (const auto ramp = given(options, {"ramp_time"})) w.ramp_s = seconds_of(*ramp);
  if (const auto rate = given(options, {"rate_iops"})) {
    if (const auto iops = number_of(*rate); iops && *iops > 0) {
      w.rate_iops = *iops;
      w.arrivals = given(options, {"rate_process"}).value_or("") == "poisson" ? Arrivals::poisson
                                                                              : Arrivals::regular;
    }
  } else if (options.contains("rate")) {
    w.arrivals = Arrivals::regular;
    out.warnings.push_back(fmt::format("rate={} is kept in the source alone", options.at("rate")));
  }
  if (const auto think = given(options, {"thinktime"})) {
    std::string_view unit;
    w.think_us = text::leading_decimal(*think, unit).value_or(0);
    if (!unit.empty()) w.think_us = seconds_of(*think) * 1e6;
    w.burst = std::max(whole(options, "thinktime_blocks", 1, 1'000'000), 1U);
  }
  out.numjobs = std::max(whole(options, "numjobs", 1, 100'000), 1U);
  const std::string engine = given(options, {"ioengine"}).value_or("psync");
  out.engine = fmt::format("fio's {}", engine);
  out.depth = std::max(whole(options, "iodepth", 1, 10'000'000), 1U);
  constexpr std::string_view one_at_a_time[] = {"sync",    "psync", "vsync", "pvsync",
                                                "pvsync2", "mmap",  "splice"};
  if (std::find(std::begin(one_at_a_time), std::end(one_at_a_time), engine) !=
      std::end(one_at_a_time)) {
    if (out.depth > 1) {
      out.warnings.push_back(
          fmt::format("iodepth={} has no effect with ioengine={}, which has one "
                      "I/O in flight a job",
                      out.depth, engine));
    }
    out.depth = 1;
  }
  if (const auto files = given(options, {"filename"})) {
    std::string name;
    for (std::size_t i = 0; i < files->size(); ++i) {
      if ((*files)[i] == '\\' && i + 1 < files->size()) {
        name.push_back((*files)[++i]);
      } else if ((*files)[i] == ':') {
        if (!name.empty()) out.targets.push_back(std::move(name));
        name.clear();
      } else {
        name.push_back((*files)[i]);
      }
    }
    if (!name.empty()) out.targets.push_back(std::move(name));
  } else if (const auto directory = given(options, {"directory"})) {
    out.targets.push_back(*directory);
  }
  return out;
}

}  // namespace raidscope::importing
