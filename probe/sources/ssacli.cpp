#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "probe/source.h"
#include "probe/sources/sysfs/smart_array.h"
#include "probe/sources/vendor/vendor_text.h"

namespace raidscope {

namespace {

constexpr std::string_view what_it_adds =
    "array letters and membership, the array's Smart Path setting, caching of each drive, "
    "no-battery "
    "and drive write cache stay unknown without it; cache module and physical drives come from the "
    "controller's firmware (BMIC), which root may ask";

bool mentions(std::string_view text, std::string_view lower_case_words) {
  const auto same = [](char a, char b) { return text::to_lower(a) == b; };
  return std::search(text.begin(), text.end(), lower_case_words.begin(), lower_case_words.end(),
                     same) != text.end();
}

/// The first line that says something, cut to what fits a message.
std::string first_words(std::string_view output) {
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    std::string_view line = output.substr(0, end);
    while (!line.empty() && (line.back() == '\r' || text::is_blank(line.back()))) {
      line.remove_suffix(1);
    }
    line = text::trim(line);
    if (!line.empty()) return text::to_utf8(line.substr(0, 200));
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return {};
}

bool has_controller(const FactSet& set) {
  return std::any_of(set.entities.begin(), set.entities.end(),
                     [](const Entity& e) { return e.kind == EntityKind::controller; });
}

/// The vendor tools find controllers through /dev/sg nodes; without the driver they find none.
/// Where the PCI bus has no Smart Array, the driver would not help.
bool sg_driver_missing(const Host& host) {
  if (sysfs::smart_array_on_pci(host) == false) return false;
  return !sysfs::sg_driver_loaded(host.files);
}

FactSet finished(FactSet set, SourceStatus status, std::string detail, const ToolAnswer& answer) {
  set.path = PathName::ssacli;
  set.status = status;
  set.detail = std::move(detail);
  set.duration_ms = static_cast<double>(answer.duration.count());
  return set;
}

FactSet not_answered(const Error& error) {
  FactSet set;
  set.path = PathName::ssacli;
  set.status = SourceStatus::failed;
  set.detail = describe(error);
  if (error.code == Errc::not_found && error.where.empty()) {
    set.status = SourceStatus::absent;
    set.detail += fmt::format("; {}", what_it_adds);
  }
  return set;
}

FactSet collect(const Host& host) {
  // A tool that asks a dead controller may never come back, and keeps the driver waiting.
  if (const auto controllers = sysfs::find_smart_arrays(host, sysfs::smart_array_drivers)) {
    for (const auto& controller : *controllers) {
      if (!controller.locked_up()) continue;
      FactSet set;
      set.path = PathName::ssacli;
      set.status = SourceStatus::skipped;
      set.detail =
          fmt::format("controller {} has locked up (code {}): the vendor tool is not started",
                      controller.pci_address.empty() ? controller.dir : controller.pci_address,
                      controller.lockup);
      return set;
    }
  }
  const Result<ToolAnswer> asked = host.tools.run(ToolQuery::show_config_detail);
  if (!asked) return not_answered(asked.error());
  const ToolAnswer& answer = *asked;
  const std::string_view output = answer.output;

  const NamedText named{answer.command, answer.output, answer.exit_status == 0};
  Result<FactSet> parsed = parse_vendor_text(std::span<const NamedText>(&named, 1));
  const bool died = answer.exit_status > 128;
  const std::string end = died ? fmt::format("died by signal {}", answer.exit_status - 128)
                               : fmt::format("ended with {}", answer.exit_status);

  if (parsed && has_controller(*parsed)) {
    if (answer.exit_status == 0) return finished(*std::move(parsed), SourceStatus::ok, {}, answer);
    return finished(*std::move(parsed), SourceStatus::failed,
                    fmt::format("the vendor tool {} in the middle of its answer: {}; what it had "
                                "printed is used; run the command by hand to see whether it ends",
                                end, answer.command),
                    answer);
  }
  FactSet empty = parsed ? *std::move(parsed) : FactSet{};
  const auto failed = [&](std::string detail) {
    return finished(std::move(empty), SourceStatus::failed, std::move(detail), answer);
  };
  if (mentions(output, "no controllers detected")) {
    if (sg_driver_missing(host)) {
      return failed(
          fmt::format("the vendor tool found no controller, and the kernel's sg driver, "
                      "which it needs, is not loaded: {}; run modprobe sg and try again",
                      answer.command));
    }
    std::string detail = "the vendor tool found no controller: " + answer.command;
    if (answer.tool.ends_with("hpacucli")) {
      detail +=
          "; hpacucli finds none on kernels from 3.0 on unless it runs under setarch --uname-2.6";
    }
    return finished(std::move(empty), SourceStatus::ok, std::move(detail), answer);
  }
  if (mentions(output, "another instance")) {
    return failed(
        fmt::format("another instance of the vendor tool is running: {}; end the running "
                    "ssacli, Smart Storage Administrator or agent, then try again",
                    answer.command));
  }
  if (mentions(output, "administrator rights") || mentions(output, "root privilege") ||
      mentions(output, "must be root") || mentions(output, "permission denied")) {
    return failed(
        fmt::format("the vendor tool needs root: {}; run as root, or: sudo {} | raidscope "
                    "probe --from -",
                    answer.command, answer.command));
  }
  if (mentions(output, "not found") || mentions(output, "no such file")) {
    return failed(
        fmt::format("the vendor tool is not installed completely, its own script says "
                    "\"{}\": {}; install the package again",
                    first_words(output), answer.command));
  }
  if (output.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return failed(fmt::format("the vendor tool printed nothing and {}: {}; run the command by hand",
                              end, answer.command));
  }
  if (died || answer.exit_status != 0) {
    return failed(fmt::format("the vendor tool {} and said \"{}\": {}; run the command by hand",
                              end, first_words(output), answer.command));
  }
  return failed(
      fmt::format("what the vendor tool printed cannot be understood, it begins with "
                  "\"{}\": {}; run the command by hand and look at it",
                  first_words(output), answer.command));
}

}  // namespace

extern const Source source_ssacli;
const Source source_ssacli{
    .id = "ssacli",
    .summary = "asks ssacli, hpssacli or hpacucli once for its whole configuration report",
    .path = PathName::ssacli,
    .order = 30,
    .collect = &collect,
};

}  // namespace raidscope
