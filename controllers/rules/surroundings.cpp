// Paths, enclosures and temperature: T17, T18, T19.

#include <fmt/format.h>

#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_surroundings;

namespace {

/// 88 was seen on a P420i and on P822s without a complaint of the tool, and a card fell from 73 to
/// 51 with more air; the limit sits just below what was seen.
constexpr std::int64_t controller_limit_c = 85;

void path_loss(RuleContext& context) {
  constexpr std::string_view key = "MultiDomain Status";
  /// Whether the line was there; "O" is one that was cut off.
  const auto check = [&](const std::string* value, const Subject& subject,
                         const Controller& controller) {
    if (!value || value->empty() || same_word(*value, "O")) return false;
    if (same_word(*value, "OK")) return true;
    context.report(subject, {.evidence = fmt::format("{}: {}", key, *value),
                             .fix = {"reseat the cables and I/O modules of the second path",
                                     context.command(controller, "show config detail")},
                             .affects = "every drive on that path"});
    return true;
  };
  for (const Controller& controller : context.controllers()) {
    for (const DriveGroup& group : context.drive_groups(controller)) {
      bool told = false;
      if (group.array) {
        told = check(extra_value(group.array->extra, key), subject_of(group), controller);
      }
      for (const LogicalDrive* drive : group.drives) {
        const DriveRef at{&controller, group.array, drive};
        told |= check(extra_value(drive->extra, key), subject_of(at), controller);
      }
      // Printed only where there are two domains, so a whole block without it has one.
      if (!told && !printed_whole(controller)) {
        context.missing("MultiDomain status", subject_of(group));
      }
    }
  }
}

bool outside(const Enclosure& enclosure) {
  if (enclosure.location) return contains_word(*enclosure.location, "external");
  if (contains_word(enclosure.name, "internal")) return false;
  return enclosure.port && !enclosure.port->empty() &&
         (enclosure.port->back() == 'E' || enclosure.port->back() == 'e');
}

bool says_nothing(std::string_view value) {
  return value.empty() || contains_word(value, "unknown") ||
         contains_word(value, "not applicable") || contains_word(value, "not supported");
}

void enclosure_state(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    for (const Enclosure& enclosure : controller.enclosures) {
      std::string faults;
      const auto check = [&](std::string_view key, const Text& value) {
        if (!value || says_nothing(*value) || same_word(*value, "OK")) return;
        fmt::format_to(std::back_inserter(faults), "{}{}: {}", faults.empty() ? "" : "; ", key,
                       *value);
      };
      check("Status", enclosure.status);
      check("Fan Status", enclosure.fan_status);
      check("Temperature Status", enclosure.temperature_status);
      const Text& supply = enclosure.power_supply_status;
      // An internal cage says "Not Redundant" and is fine: the server's own supplies feed it.
      const bool fine = supply && (same_word(*supply, "Redundant") ||
                                   (same_word(*supply, "Not Redundant") && !outside(enclosure)));
      if (!fine) check("Power Supply Status", supply);
      if (faults.empty()) continue;
      std::string place = enclosure.name;
      if (enclosure.port) place += " at Port " + *enclosure.port;
      if (enclosure.box) place += ", Box " + *enclosure.box;
      context.report(subject_of(controller),
                     {.evidence = place + ": " + faults,
                      .fix = {"repair the fan, the cooling or the power supply of this enclosure"},
                      .affects = "the drives in it"});
    }
  }
}

void hot_controller(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const Integer& degrees = controller.temperature_c;
    // A whole block without the line is of a card without the sensor, or read 0: see C21.
    if (!degrees && printed_whole(controller)) continue;
    Condition holds;
    holds.require(degrees ? Flag{*degrees >= controller_limit_c} : Flag{},
                  "controller temperature");
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(subject_of(controller),
                   {.evidence = fmt::format("Controller Temperature (C): {} (limit taken: {})",
                                            *degrees, controller_limit_c),
                    .fix = {"improve the flow of air over the card"},
                    .affects = whole_controller(controller, "the processor is")});
  }
}

constexpr Rule rules[] = {
    {.id = "T17",
     .severity = Severity::warning,
     .condition = "\"MultiDomain Status\" of an array or logical drive is not OK",
     .why = "a path is lost, or the paths carry unequal load",
     .source = "DSA",
     .evaluate = path_loss},
    {.id = "T18",
     .severity = Severity::warning,
     .condition =
         "fan, temperature or power supply of an enclosure is not OK; \"Not Redundant\" counts "
         "for external ones only",
     .why = "drives may be throttled by heat, or lost with a power supply",
     .source = "FX-wmf, FX-netdata",
     .evaluate = enclosure_state},
    {.id = "T19",
     .severity = Severity::warning,
     .condition =
         "the controller is at 85 degrees or above (limit chosen here: 88 was seen without a "
         "complaint, and 73 fell to 51 with more air)",
     .why = "the processor may be throttled (unverified)",
     .source = "FX-wmf, PB-kCTGDd44, evilbox review; limit chosen here",
     .evaluate = hot_controller},
};

}  // namespace

const RuleTopic rule_topic_surroundings{"surroundings", "Paths, enclosures, temperature", rules};

}  // namespace raidscope
