#include "probe/base/ciss.h"

#include <array>
#include <set>

#include <gtest/gtest.h>

#include "probe/base/scsi.h"
#include "tests/support/ciss_bytes.h"

namespace raidscope::ciss {
namespace {

using raidscope::testing::CissBytes;
using raidscope::testing::illegal_request;

constexpr std::array every_query{CissQuery::pci_info,
                                 CissQuery::driver_version,
                                 CissQuery::identify_logical_drive,
                                 CissQuery::identify_controller,
                                 CissQuery::logical_drive_status,
                                 CissQuery::identify_physical_drive,
                                 CissQuery::controller_parameters,
                                 CissQuery::subsystem_information,
                                 CissQuery::cache_configuration,
                                 CissQuery::report_logical,
                                 CissQuery::report_physical,
                                 CissQuery::report_physical_plain,
                                 CissQuery::raid_map};

std::string cdb(const CissAsk& ask) {
  const auto command = command_of(ask);
  return command ? scsi::cdb_text(command->cdb_bytes()) : "";
}

TEST(CissCommand, CdbsAreThoseOfTheFactSheet) {
  EXPECT_EQ(cdb({CissQuery::identify_controller, 0}), "26 00 00 00 00 00 11 02 00 00");
  EXPECT_EQ(cdb({CissQuery::cache_configuration, 0}), "26 00 00 00 00 00 c1 02 00 00");
  EXPECT_EQ(cdb({CissQuery::controller_parameters, 0}), "26 00 00 00 00 00 64 02 00 00");
  EXPECT_EQ(cdb({CissQuery::subsystem_information, 0}), "26 00 00 00 00 00 66 02 00 00");
  EXPECT_EQ(cdb({CissQuery::identify_logical_drive, 0x0203}), "26 03 00 00 00 00 10 02 00 02");
  EXPECT_EQ(cdb({CissQuery::logical_drive_status, 0x0203}), "26 03 00 00 00 00 12 04 00 02");
  EXPECT_EQ(cdb({CissQuery::identify_physical_drive, 0x0107}), "26 00 07 00 00 00 15 0a 00 01");
  EXPECT_EQ(cdb({CissQuery::report_logical, 0}), "c2 00 00 00 00 00 00 00 20 08 00 00");
  EXPECT_EQ(cdb({CissQuery::report_physical, 0}), "c3 02 00 00 00 00 00 00 c0 08 00 00");
  EXPECT_EQ(cdb({CissQuery::report_physical_plain, 0}), "c3 00 00 00 00 00 00 00 c0 08 00 00");
  EXPECT_EQ(cdb({CissQuery::raid_map, 5}), "c0 c8 00 00 00 00 00 00 08 40 00 00");
  EXPECT_EQ(cdb({CissQuery::pci_info, 0}), "");
  const auto map = command_of({CissQuery::raid_map, 0x0105});
  EXPECT_EQ(scsi::cdb_text(map->lun), "05 01 00 40 00 00 00 00");
  EXPECT_FALSE(command_of({CissQuery::identify_logical_drive, 0x10000}));
  EXPECT_FALSE(command_of({CissQuery::identify_physical_drive, 0x10000}));
  EXPECT_FALSE(command_of({CissQuery::raid_map, 0x40000000}));
}

TEST(CissCommand, EveryQuestionPassesTheAllowList) {
  for (const CissQuery query : every_query) {
    EXPECT_FALSE(name_of(query).empty());
    const auto command = command_of({query, 1});
    if (!command) continue;
    EXPECT_TRUE(reads_only(*command)) << name_of(query);
    EXPECT_LE(command->reply_bytes, 0xFFFFU);
  }
}

/// Every pair of CDB[0] and CDB[6], in every direction and length, with every CDB[1] for the codes
/// that have an operation there.
TEST(CissAllowList, LetsThroughWhatIsListedAndNothingElse) {
  std::set<std::pair<unsigned, unsigned>> passed;
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned seventh = 0; seventh < 256; ++seventh) {
      for (unsigned second = 0; second < 256; ++second) {
        // Elsewhere CDB[1] is a number or a reserved byte: ends of its range are enough.
        if (second > 3 && second < 255 && first != 0xC0 && first != 0xC2 && first != 0xC3) continue;
        std::array<std::byte, 16> cdb{};
        cdb[0] = static_cast<std::byte>(first);
        cdb[1] = static_cast<std::byte>(second);
        cdb[6] = static_cast<std::byte>(seventh);
        for (const std::size_t length : {0U, 6U, 10U, 12U, 16U}) {
          const auto bytes = std::span(cdb).first(length);
          EXPECT_FALSE(reads_only(bytes, Direction::write));
          EXPECT_FALSE(reads_only(bytes, Direction::none));
          if (!reads_only(bytes, Direction::read)) continue;
          EXPECT_EQ(length, first == 0x26 ? 10U : 12U);
          EXPECT_TRUE(first != 0xC0 || second == 0xC8U);
          EXPECT_TRUE(first != 0xC2 || second == 0U);
          EXPECT_TRUE(first != 0xC3 || second == 0U || second == 2U);
          passed.emplace(first, first == 0x26 ? seventh : 0x100U);
          EXPECT_TRUE(first == 0x26 || seventh == 0U);
        }
      }
    }
  }
  const std::set<std::pair<unsigned, unsigned>> listed{
      {0x26, 0x10}, {0x26, 0x11}, {0x26, 0x12},  {0x26, 0x15},  {0x26, 0x64},
      {0x26, 0x66}, {0x26, 0xC1}, {0xC0, 0x100}, {0xC2, 0x100}, {0xC3, 0x100}};
  EXPECT_EQ(passed, listed);
}

/// A build with one of these in the list does not compile: the header asserts only_reads() of it.
TEST(CissAllowList, AForbiddenCommandInTheListIsCaught) {
  EXPECT_TRUE(only_reads(allow_list));
  for (const int below :
       {0x16, 0x40, 0x51, 0x57, 0x60, 0x61, 0x63, 0x68, 0xA5, 0xC2, 0xD0, 0xD1, 0xE0, 0xF4, 0xF7}) {
    const std::array<AllowedCommand, 2> list{
        {{0x26, 0x11}, {0x26, static_cast<std::uint8_t>(below)}}};
    EXPECT_FALSE(only_reads(list)) << below;
  }
  for (const AllowedCommand command :
       {AllowedCommand{0x27, 0x11}, AllowedCommand{0x26, std::nullopt}, AllowedCommand{0xC1, 0xC8},
        AllowedCommand{0x0A, std::nullopt}, AllowedCommand{0x2A, std::nullopt},
        AllowedCommand{0xC0, std::nullopt}}) {
    EXPECT_FALSE(only_reads(std::span(&command, 1))) << int{command.operation};
  }
}

TEST(CissAllowList, TheAddressMustFit) {
  auto map = *command_of({CissQuery::raid_map, 1});
  map.lun[3] = std::byte{0};  // a physical device
  EXPECT_FALSE(reads_only(map));
  auto identify = *command_of({CissQuery::identify_controller, 0});
  identify.lun[3] = std::byte{0xC0};
  EXPECT_FALSE(reads_only(identify));
  auto longer = *command_of({CissQuery::report_logical, 0});
  longer.reply_bytes = 0x10000;
  EXPECT_FALSE(reads_only(longer));
  auto cache = *command_of({CissQuery::cache_configuration, 0});
  cache.cdb[6] = std::byte{0xC2};  // flush and disable
  EXPECT_FALSE(reads_only(cache));
  cache.cdb_length = 17;
  EXPECT_FALSE(reads_only(cache));
}

TEST(CissVerdict, StatusesAreReadAsTheDriversMeanThem) {
  const CissReply done = CissBytes(64).u8(0, 1).reply();
  const auto with_status = [&](unsigned status) {
    CissReply reply = done;
    reply.command_status = static_cast<std::uint16_t>(status);
    return judge(CissQuery::identify_controller, reply);
  };
  EXPECT_EQ(with_status(0), Verdict::answered);
  EXPECT_EQ(with_status(2), Verdict::answered);  // a short reply
  EXPECT_EQ(with_status(4), Verdict::absent);
  EXPECT_EQ(with_status(0xFFFF), Verdict::locked_up);
  for (const unsigned status : {1U, 3U, 5U, 6U, 7U, 8U, 0xBU, 0xEU, 0x7777U}) {
    EXPECT_EQ(with_status(status), Verdict::failed) << status;
  }
  EXPECT_EQ(judge(CissQuery::cache_configuration, illegal_request()), Verdict::absent);
  CissReply descriptors{1, 2, {}, {}};
  descriptors.sense = {std::byte{0x72}, std::byte{5}, std::byte{0x20}, std::byte{0}};
  EXPECT_EQ(judge(CissQuery::cache_configuration, descriptors), Verdict::absent);
  descriptors.sense[1] = std::byte{4};  // hardware error
  EXPECT_EQ(judge(CissQuery::cache_configuration, descriptors), Verdict::failed);
  EXPECT_EQ(status_text(illegal_request()), "SCSI status 2, sense 5/20/00");
}

TEST(CissVerdict, NothingButZerosOfTheControllerIsAFailure) {
  const CissReply zeros = CissBytes(512).reply();
  for (const CissQuery query : {CissQuery::identify_controller, CissQuery::controller_parameters,
                                CissQuery::subsystem_information, CissQuery::cache_configuration}) {
    EXPECT_EQ(judge(query, zeros), Verdict::failed) << name_of(query);
    EXPECT_EQ(judge(query, CissReply{}), Verdict::failed) << name_of(query);
  }
  // No logical drives, and the state OK, are zeros.
  EXPECT_EQ(judge(CissQuery::report_logical, zeros), Verdict::answered);
  EXPECT_EQ(judge(CissQuery::logical_drive_status, zeros), Verdict::answered);
}

TEST(CissSecrets, ThePasswordIsBlankedAndNothingElse) {
  std::vector<std::byte> data(512, std::byte{0x41});
  blank_secrets(CissQuery::identify_controller, data);
  EXPECT_EQ(data, std::vector<std::byte>(512, std::byte{0x41}));
  blank_secrets(CissQuery::controller_parameters, data);
  EXPECT_EQ(data[135], std::byte{0x41});
  for (std::size_t i = 136; i < data.size(); ++i) EXPECT_EQ(data[i], std::byte{0}) << i;
  data.resize(100);
  blank_secrets(CissQuery::controller_parameters, data);
  EXPECT_EQ(data, std::vector<std::byte>(100, std::byte{0x41}));
}

}  // namespace
}  // namespace raidscope::ciss
