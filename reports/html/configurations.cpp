#include <algorithm>

#include <fmt/format.h>

#include "reports/html/markup.h"
#include "reports/html/sections.h"
#include "reports/text/units.h"
#include "reports/words.h"

namespace raidscope::html {
namespace {

std::string host_facts(const Inventory& inventory) {
  const HostFacts& host = inventory.host;
  return facts({
      {"Host", escaped(text_or_unknown(host.product))},
      {"Processors",
       host.cpus ? escaped(fmt::format("{} × {}", *host.cpus, text_or_unknown(host.cpu_model)))
                 : unknown_word},
      {"Memory", binary_bytes(host.memory_bytes)},
      {"System",
       escaped(text_or_unknown(host.os)) + ", kernel " + escaped(text_or_unknown(host.kernel))},
      {"Hypervisor", host.hypervisor ? escaped(*host.hypervisor) : "none known"},
  });
}

std::string drive_card(const DriveRef& ref, bool target) {
  const LogicalDrive& drive = *ref.drive;
  std::string out = fmt::format(
      "<div class=\"drive{}\"><div class=\"head\"><h3>LD {}</h3><span "
      "class=\"sub\">{}</span>{}</div>\n",
      target ? " target" : "", drive.number ? std::to_string(*drive.number) : unknown_word,
      escaped(fmt::format("{}, {}, {} disks, {}", drive_place(drive), raid_words(drive),
                          drive.disk_count ? std::to_string(*drive.disk_count) : unknown_word,
                          drive.size_bytes  ? binary_bytes(drive.size_bytes)
                          : drive.size_text ? *drive.size_text
                                            : "size unknown")),
      target ? "<span class=\"badge\">measured</span>" : "");
  const Maybe<Switch> smart_path =
      ref.array != nullptr ? ref.array->smart_path : drive.smart_path.array_setting;
  out += facts({
      {"Write cache", "<b>" + escaped(write_cache_words(drive.effective_write_cache)) + "</b>: " +
                          (drive.effective_write_cache_reason.empty()
                               ? "no reason told"
                               : escaped(drive.effective_write_cache_reason))},
      {"Path", "<b>" + io_path_words(drive.io_path) + "</b>"},
      {"Caching", drive.caching ? std::string(to_name(*drive.caching)) : unknown_word},
      {"Smart Path", "array " + switch_words(smart_path) + ", firmware enabled " +
                         flag_words(drive.smart_path.firmware_enabled) + ", driver uses it " +
                         flag_words(drive.smart_path.driver_enabled)},
      {"Strip",
       binary_bytes(drive.strip_bytes) + ", full stripe " + binary_bytes(drive.full_stripe_bytes)},
      {"Status", escaped(text_or_unknown(drive.status)) + ", parity " +
                     (drive.parity_init ? std::string(to_name(*drive.parity_init)) : unknown_word)},
      {"Fingerprint", "<code>" +
                          escaped(drive.fingerprint.empty() ? unknown_word : drive.fingerprint) +
                          "</code>"},
  });
  if (ref.array != nullptr && !ref.array->physical_drives.empty()) {
    out += "<ul class=\"plain sub\">";
    for (const AlikeDrives& group : group_drives(ref.array->physical_drives)) {
      out += fmt::format("<li>{} × {}; {}</li>", group.count, escaped(group.what),
                         escaped(group.status));
    }
    out += "</ul>";
  }
  return out + "</div>\n";
}

std::string controller_part(const Inventory& inventory, const Controller& controller,
                            const LogicalDrive* target) {
  std::string out =
      fmt::format("<h4>{} in slot {}</h4>\n",
                  escaped(controller.name ? *controller.name
                                          : "Controller " + text_or_unknown(controller.model)),
                  escaped(text_or_unknown(controller.slot)));
  out += facts({
      {"Firmware", escaped(text_or_unknown(controller.firmware))},
      {"Driver", escaped(text_or_unknown(controller.driver.name) + " " +
                         text_or_unknown(controller.driver.version))},
      {"Cache", escaped(cache_words(controller.cache))},
      {"Drives&#39; own cache", controller.drive_write_cache
                                    ? std::string(to_name(*controller.drive_write_cache))
                                    : unknown_word},
      {"Smart Path", controller_smart_path_words(controller.smart_path)},
      {"Mode, status", (controller.mode ? std::string(to_name(*controller.mode)) : unknown_word) +
                           std::string(", ") + escaped(text_or_unknown(controller.status))},
  });
  // The measured drive first: it is what the numbers are about.
  std::vector<DriveRef> drives;
  for (const DriveRef& ref : all_logical_drives(inventory)) {
    if (ref.controller == &controller) drives.push_back(ref);
  }
  const auto others = std::stable_partition(
      drives.begin(), drives.end(), [&](const DriveRef& ref) { return ref.drive == target; });
  for (auto ref = drives.begin(); ref != others; ++ref) out += drive_card(*ref, true);
  if (others == drives.begin()) {
    for (const DriveRef& ref : drives) out += drive_card(ref, false);
  } else if (others != drives.end()) {
    const auto count = drives.end() - others;
    out += fmt::format(
        "<details class=\"numbers\" open><summary>{} other logical {} of this "
        "controller</summary>\n",
        count, count == 1 ? "drive" : "drives");
    for (auto ref = others; ref != drives.end(); ++ref) out += drive_card(*ref, false);
    out += "</details>\n";
  }
  return out;
}

std::string block_devices(const Inventory& inventory, const RunResult& run) {
  if (inventory.block_devices.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const BlockDevice& device : inventory.block_devices) {
    const auto& chain = run.target.device_chain;
    const bool target = std::find(chain.begin(), chain.end(), device.path) != chain.end();
    rows.push_back(
        {"<code>" + escaped(device.path) + "</code>" +
             (target ? " <span class=\"badge\">measured</span>" : ""),
         escaped(text_or_unknown(device.model)), escaped(text_or_unknown(device.firmware)),
         escaped(text_or_unknown(device.transport)), media_words(device.media),
         decimal_bytes(device.size_bytes), write_cache_words(device.effective_write_cache),
         escaped(text_or_unknown(device.block_device.scheduler))});
  }
  return "<h4>Disks</h4>\n" + table("Disks that no Smart Array controller owns",
                                    {{"Device"},
                                     {"Model"},
                                     {"Firmware"},
                                     {"Link"},
                                     {"Media"},
                                     {"Size", true},
                                     {"Write cache"},
                                     {"Scheduler"}},
                                    rows);
}

const char* severity_class(Severity severity) {
  switch (severity) {
    case Severity::block:
    case Severity::error:
      return " bad";
    case Severity::warning:
      return " warn";
    case Severity::info:
      return "";
  }
  return "";
}

std::string finding_part(const Finding& finding) {
  std::string out = fmt::format(
      "<div class=\"finding\"><div class=\"head\"><span class=\"badge{}\">{} {}</span><span "
      "class=\"sub\">{}</span></div><p>{}</p><p class=\"sub\">{}</p>\n",
      severity_class(finding.severity), to_name(finding.severity), escaped(finding.rule),
      escaped(subject_words(finding.subject)), escaped(finding.evidence), escaped(finding.why));
  if (!finding.fix.empty()) {
    out += "<pre>";
    for (std::size_t i = 0; i < finding.fix.size(); ++i) {
      out += (i == 0 ? "" : "\n") + escaped(finding.fix[i]);
    }
    out += "</pre>";
  }
  if (!finding.affects.empty())
    out += "<p class=\"sub\">Also affects: " + escaped(finding.affects) + "</p>";
  if (!finding.source.empty())
    out += "<p class=\"sub\">Source: " + escaped(finding.source) + "</p>";
  return out + "</div>\n";
}

// Findings of all runs on one inventory, worst first.
std::vector<const Finding*> findings_of(const std::vector<const RunResult*>& runs) {
  std::vector<const Finding*> out;
  for (const RunResult* run : runs) {
    for (const Finding& finding : run->audit) {
      if (std::none_of(out.begin(), out.end(),
                       [&](const Finding* have) { return *have == finding; })) {
        out.push_back(&finding);
      }
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Finding* a, const Finding* b) { return a->severity > b->severity; });
  return out;
}

struct Configuration {
  std::string snapshot, fingerprint, tag, inventory_origin;
  std::vector<std::size_t> series;
  std::vector<const RunResult*> runs;
};

std::vector<Configuration> distinct(const Model& model) {
  std::vector<Configuration> out;
  for (std::size_t s = 0; s < model.series.size(); ++s) {
    for (const RunResult* run : model.series[s].runs) {
      Configuration wanted;
      if (run->inventory_before) {
        wanted.snapshot = run->inventory_before->snapshot;
        wanted.fingerprint = run->inventory_before->fingerprint;
        wanted.tag = run->inventory_before->tag;
      }
      wanted.inventory_origin = run->inventory_origin;
      auto found = std::find_if(out.begin(), out.end(), [&](const Configuration& one) {
        return one.snapshot == wanted.snapshot && one.fingerprint == wanted.fingerprint &&
               one.inventory_origin == wanted.inventory_origin;
      });
      if (found == out.end()) {
        out.push_back(std::move(wanted));
        found = out.end() - 1;
      }
      if (std::find(found->series.begin(), found->series.end(), s) == found->series.end()) {
        found->series.push_back(s);
      }
      found->runs.push_back(run);
    }
  }
  return out;
}

std::string inventory_part(const Model& model, const Configuration& configuration) {
  if (configuration.snapshot.empty()) {
    return "<p>No inventory belongs to these runs: what they were measured on is unknown.</p>\n";
  }
  const auto found = model.input->snapshots.find(configuration.snapshot);
  if (found == model.input->snapshots.end()) {
    return "<p>The inventory <code>" + escaped(configuration.snapshot) +
           "</code> is not in this report.</p>\n";
  }
  const Inventory& inventory = found->second;
  const RunResult& run = *configuration.runs.front();
  const DriveRef target = target_drive(run, inventory);
  std::string out = host_facts(inventory);
  if (inventory.controllers.empty())
    out += "<p class=\"sub\">" + escaped(no_controller_words(inventory)) + "</p>\n";
  for (const Controller& controller : inventory.controllers) {
    out += controller_part(inventory, controller, target.drive);
  }
  return out + block_devices(inventory, run);
}

}  // namespace

std::string configurations(const Model& model) {
  std::string out;
  for (const Configuration& configuration : distinct(model)) {
    std::string keys;
    for (const std::size_t s : configuration.series) keys += series_key(model, s);
    out += fmt::format(
        "<article class=\"card\"><div class=\"head\">{}<h3>{}</h3></div>\n", keys,
        configuration.tag.empty() ? "Configuration unknown" : escaped(configuration.tag));
    out += fmt::format(
        "<p class=\"sub\">Inventory {}{}, fingerprint <code>{}</code></p>\n",
        configuration.inventory_origin == "given" ? "given by the user" : "probed on the machine",
        configuration.snapshot.empty()
            ? ""
            : " <code>" + escaped(configuration.snapshot.substr(0, 19)) + "…</code>",
        configuration.fingerprint.empty() ? unknown_word : escaped(configuration.fingerprint));
    const RunResult& first = *configuration.runs.front();
    const std::string undecided =
        first.inventory_before ? undecided_words(first, *first.inventory_before) : std::string();
    if (!undecided.empty()) out += "<p class=\"sub\">Measured on: " + escaped(undecided) + "</p>\n";
    out += "<div class=\"beside\"><div>\n" + inventory_part(model, configuration) +
           "</div><div>\n<h4>Audit findings</h4>\n";
    const auto findings = findings_of(configuration.runs);
    if (findings.empty())
      out += "<p class=\"sub\">No finding held when these runs were measured.</p>\n";
    for (const Finding* finding : findings) out += finding_part(*finding);
    out += "</div></div></article>\n";
  }
  return out;
}

}  // namespace raidscope::html
