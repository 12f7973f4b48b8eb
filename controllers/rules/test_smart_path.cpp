// A planned test and SSD Smart Path: S02, S04, S10, S11, O14.

#include <algorithm>

#include <fmt/format.h>

#include "controllers/rules/readings.h"
#include "controllers/rules/strip_share.h"

namespace raidscope {
extern const RuleTopic rule_topic_test_smart_path;

namespace {

/// The published sweep saw Smart Path ahead from here on.
constexpr std::int64_t many_drives = 20;
constexpr int mostly_reads = 60;
/// What the driver keeps free of a member's queue.
constexpr std::int64_t kept_free = 2;

/// smartpqi has switches of its own for writes.
bool driven_by_hpsa(const Controller& controller) {
  if (controller.driver.name) return *controller.driver.name == "hpsa";
  return !gen10(controller);
}

void writes_never_bypass(RuleContext& context) {
  const auto at = context.target();
  if (!at || context.planned()->read_percent == 100 || !driven_by_hpsa(*at->controller)) return;
  Condition holds;
  holds.require(smart_path_on(group_of(*at)), "Smart Path setting")
      .require(at->drive->raid ? Flag{*at->drive->raid != "0"} : Flag{}, "RAID level");
  if (!context.decide(holds, subject_of(*at))) return;
  FindingText text;
  text.evidence =
      fmt::format("{}; RAID {}; planned test: {} % writes", smart_path_evidence(group_of(*at)),
                  *at->drive->raid, 100 - context.planned()->read_percent);
  text.fix = {"measure both; to try the cache:"};
  for (std::string& line : cache_in_place_of_smart_path(context, group_of(*at)))
    text.fix.push_back(std::move(line));
  text.affects = "every drive of the array";
  context.report(subject_of(*at), std::move(text));
}

void many_reading_drives(RuleContext& context) {
  const auto at = context.target();
  if (!at || context.planned()->read_percent < mostly_reads) return;
  if (before_smart_path(*at->controller) == true || at->controller->smart_path.capable == false)
    return;
  const Integer drives = solid_state_drives(group_of(*at));
  Condition holds;
  holds.require(drives ? Flag{*drives >= many_drives} : Flag{}, "count of solid-state drives")
      .require(negate(smart_path_on(group_of(*at))), "Smart Path setting");
  if (!context.decide(holds, subject_of(*at))) return;
  FindingText text;
  text.evidence = fmt::format("{} solid-state drives, {} % reads, Smart Path off", *drives,
                              context.planned()->read_percent);
  text.fix = {
      "measure both; to try Smart Path, turn caching off on every drive of the array first:"};
  if (at->drive->number)
    text.fix.push_back(context.command(
        *at->controller, fmt::format("ld {} modify caching=disable", *at->drive->number)));
  if (at->array && at->array->letter)
    text.fix.push_back(context.command(
        *at->controller, fmt::format("array {} modify ssdsmartpath=enable", *at->array->letter)));
  text.affects = "every drive of the array";
  context.report(subject_of(*at), std::move(text));
}

void strip_crossing(RuleContext& context) {
  const auto at = context.target();
  if (!at || context.planned()->block_bytes.empty()) return;
  const PlannedTest& test = *context.planned();
  const Integer& strip = at->drive->strip_bytes;
  double worst = 0;
  std::uint64_t worst_block = 0;
  for (const std::uint64_t block : test.block_bytes) {
    if (!strip || *strip < 512 || block == 0) continue;
    const std::uint64_t alignment =
        test.random && test.alignment_bytes != 0 ? test.alignment_bytes : block;
    if (alignment % 512 != 0) continue;
    const double share =
        1 - share_within_strip(block, alignment, test.partition_start_bytes.value_or(0),
                               static_cast<std::uint64_t>(*strip));
    if (share <= worst) continue;
    worst = share;
    worst_block = block;
  }
  Condition holds;
  holds.require(smart_path_on(group_of(*at)), "Smart Path setting")
      .require(strip ? Flag{worst > 0} : Flag{}, "strip size");
  if (!context.decide(holds, subject_of(*at))) return;
  context.report(subject_of(*at),
                 {.evidence = fmt::format(
                      "{:.0f} % of the requests of {} bytes cross a strip of {} KiB and take the "
                      "controller's path{}",
                      worst * 100, worst_block, *strip / 1024,
                      test.partition_start_bytes ? "" : " (taking the target to begin at a strip)"),
                  .fix = {"align the requests (--alignment) and keep blocks within a strip"},
                  .affects = "which path the requests take"});
}

void deeper_than_the_drives(RuleContext& context) {
  const auto at = context.target();
  if (!at || context.planned()->outstanding == 0 || !driven_by_hpsa(*at->controller)) return;
  // With a RAID map the driver gives the logical drive the sum of its members' depths.
  const Integer depth = at->drive->block_device ? at->drive->block_device->queue_depth : Integer{};
  const Integer& members = at->drive->disk_count;
  const Integer room = depth && members ? Integer{*depth - kept_free * *members} : Integer{};
  const auto outstanding = static_cast<std::int64_t>(context.planned()->outstanding);
  const Flag on = smart_path_on(group_of(*at));
  if (on && *on && !room && outstanding <= 7) return;  // fits whatever the drives' depth is
  Condition holds;
  holds.require(on, "Smart Path setting")
      .require(room ? Flag{outstanding > *room} : Flag{},
               depth ? "count of drives" : "queue depth of the logical drive");
  if (!context.decide(holds, subject_of(*at))) return;
  context.report(subject_of(*at),
                 {.evidence = fmt::format(
                      "{} outstanding; the members take {} (queue depth {} less {} for "
                      "each of {} drives), so {} wait on the controller's path",
                      outstanding, *room, *depth, kept_free, *members, outstanding - *room),
                  .fix = {"sweep --queue-depth over both sides of this, and report both"},
                  .affects = "which path the requests take"});
}

void partition_start(RuleContext& context) {
  const auto at = context.target();
  if (!at || !context.planned()->partition_start_bytes) return;
  const Integer& stripe = at->drive->full_stripe_bytes;
  const std::uint64_t start = *context.planned()->partition_start_bytes;
  Condition holds;
  holds.require(start == 0              ? Flag{false}
                : stripe && *stripe > 0 ? Flag{start % static_cast<std::uint64_t>(*stripe) != 0}
                                        : Flag{},
                "full stripe size");
  if (!context.decide(holds, subject_of(*at))) return;
  context.report(
      subject_of(*at),
      {.evidence = fmt::format("the partition begins at byte {}, which is no multiple of "
                               "the full stripe of {} KiB",
                               start, *stripe / 1024),
       .fix = {"make the partition again, beginning at a multiple of the full stripe"},
       .affects = "every file on this partition"});
}

constexpr Rule rules[] = {
    {.id = "S02",
     .severity = Severity::warning,
     .condition = "Smart Path on (hpsa), a RAID level other than 0, and a test that writes",
     .why = "hpsa never sends such writes past the controller, and they have no cache either",
     .source = "HPSA, N2",
     .evaluate = writes_never_bypass,
     .planned = true},
    {.id = "S04",
     .severity = Severity::info,
     .condition = "Smart Path off, 20 or more solid-state drives, and 60 % reads or more",
     .why = "the published sweep saw Smart Path ahead from 20 drives on",
     .source = "S2",
     .evaluate = many_reading_drives,
     .planned = true},
    {.id = "S10",
     .severity = Severity::warning,
     .condition = "Smart Path on, and requests that cross a strip",
     .why = "a request that crosses a strip takes the controller's path",
     .source = "HPSA",
     .evaluate = strip_crossing,
     .planned = true},
    {.id = "S11",
     .severity = Severity::warning,
     .condition = "Smart Path on (hpsa), and more outstanding than the members' queues take",
     .why = "what does not fit takes the controller's path, and nothing says so",
     .source = "HPSA 4167-4179",
     .evaluate = deeper_than_the_drives,
     .planned = true},
    {.id = "O14",
     .severity = Severity::warning,
     .condition = "the target's partition does not begin at a multiple of the full stripe",
     .why = "requests cross strips more often; 30 to 40 % were seen on SQL loads",
     .source = "mskb.pkisolutions.com/kb/2023571, go.microsoft.com/fwlink/p/?LinkID=134073",
     .evaluate = partition_start,
     .planned = true},
};

}  // namespace

const RuleTopic rule_topic_test_smart_path{"test_smart_path", "The test and Smart Path", rules};

}  // namespace raidscope
