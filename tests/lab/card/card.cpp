#include "tests/lab/card/card.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "probe/base/json_document.h"
#include "probe/base/scsi.h"
#include "tests/lab/card/operations.h"
#include "tests/lab/card/raid_map.h"

namespace raidscope::lab {

struct Card::Target {
  std::string name;
  bool controller = false;
  std::optional<PlacedVolume> volume;
  std::optional<PlacedDrive> drive;
  std::size_t number = 0;  ///< the drive's
};

namespace {

bool names(const std::vector<std::string>& selectors, std::span<const std::byte> cdb) {
  const std::string selector = command_selector(cdb);
  return std::find(selectors.begin(), selectors.end(), selector) != selectors.end();
}

/// What the driver is told when the state went from one to the other.
std::uint32_t events_between(const Machine& before, const Machine& after) {
  std::uint32_t out = 0;
  const auto was = all_volumes(before);
  const auto is = all_volumes(after);
  if (was.size() != is.size()) return event_logical;
  for (std::size_t i = 0; i < is.size(); ++i) {
    if (was[i].drive->status != is[i].drive->status) out |= event_logical;
    if (was[i].array->smart_path != is[i].array->smart_path) out |= event_smart_path;
  }
  const auto had = all_drives(before);
  const auto has = all_drives(after);
  for (std::size_t i = 0; i < std::min(had.size(), has.size()); ++i) {
    if (had[i].drive->status != has[i].drive->status) out |= event_physical;
  }
  return out;
}

std::string text_of(std::span<const std::byte> bytes) {
  std::string out(bytes.size(), '\0');
  std::transform(bytes.begin(), bytes.end(), out.begin(),
                 [](std::byte b) { return static_cast<char>(b); });
  return out.substr(0, out.find('\0'));
}

/// The part of the state from `offset` on that fits, behind the size of the whole.
CissReply part_of(const std::string& state, std::size_t offset, std::size_t room) {
  CissReply reply = CissBytes(4).u32(0, static_cast<std::uint32_t>(state.size())).reply();
  if (offset >= state.size() || room <= 4) return reply;
  for (const char c : std::string_view(state).substr(offset, room - 4)) {
    reply.data.push_back(static_cast<std::byte>(c));
  }
  return reply;
}

}  // namespace

Card::Card(Machine machine, Log log) : machine_(std::move(machine)), log_(std::move(log)) {}

Card::Target Card::target_of(const Command& command) const {
  const auto& lun = command.lun;
  const bool all_zero =
      std::all_of(lun.begin(), lun.end(), [](std::byte b) { return b == std::byte{0}; });
  if (all_zero) return {"controller", true, {}, {}};
  const unsigned mode = byte_at(lun, 3) & 0xC0;
  if (mode == 0x40) {
    const unsigned number = byte_at(lun, 0) | byte_at(lun, 1) << 8;
    for (const PlacedVolume& volume : all_volumes(machine_)) {
      if (volume.drive->number == number + 1) {
        return {fmt::format("volume {}", number), false, volume, {}};
      }
    }
    return {fmt::format("no volume {}", number), false, {}, {}};
  }
  const unsigned bus = byte_at(lun, 7) & 0x3F;
  const unsigned number = bus == 0 ? ~0U : (bus - 1) << 8 | byte_at(lun, 6);
  const auto drives = all_drives(machine_);
  if (number < drives.size() && drives[number].drive->status != DriveStatus::missing) {
    return {fmt::format("drive {}", number), false, {}, drives[number], number};
  }
  return {"nothing", false, {}, {}};
}

bool Card::takes_command() {
  ++commands_;
  request_.reset();
  if (auto& after = machine_.faults.lock_up_after; after && (*after)-- == 0) {
    after.reset();
    machine_.faults.locked_up = true;
  }
  return !machine_.faults.locked_up;
}

std::optional<CissReply> Card::execute(const Command& command) {
  const bool takes = takes_command();
  const Target target = target_of(command);
  std::optional<CissReply> reply;
  if (takes) reply = answer(target, command);
  note(target.name, command, reply, "controller");
  return reply;
}

std::optional<CissReply> Card::execute_on_drive(std::uint32_t handle, const Command& command) {
  // The driver then sends the request to the controller and stops using Smart Path of the volume.
  constexpr std::uint16_t smart_path_is_off = 0x0E;
  const bool takes = takes_command();
  std::optional<CissReply> reply;
  const auto transfer = transfer_of(command.cdb);
  if (const auto place =
          transfer ? volume_block(machine_, handle, transfer->block) : std::nullopt) {
    if (takes) {
      reply = move(place->volume, place->block, *transfer, command.out);
      remember(Transfer{transfer->writes, place->block, transfer->blocks}, place->volume,
               place->drive);
    }
  } else if (takes) {
    reply = CissReply{smart_path_is_off, 0, {}, {}};
  }
  note(fmt::format("drive handle {}", handle), command, reply, "smart_path");
  return reply;
}

CissReply Card::move(const PlacedVolume& volume, std::uint64_t block, const Transfer& transfer,
                     std::span<const std::byte> out) {
  Transfer within = transfer;
  within.block = block;
  return transfer_blocks(media_[volume.drive->unique_id], volume.drive->size->bytes / sector_bytes,
                         bad_blocks(volume), within, out);
}

std::optional<CissReply> Card::answer(const Target& target, const Command& command) {
  const Faults& faults = machine_.faults;
  if (names(faults.never_answer, command.cdb)) return std::nullopt;
  const bool shortened = names(faults.short_replies, command.cdb);
  const bool zeroed = names(faults.zero_replies, command.cdb);
  CissReply reply = no_such_unit();
  if (target.controller) {
    reply = to_controller(command);
  } else if (target.volume) {
    reply = to_volume(*target.volume, command);
    remember(transfer_of(command.cdb), *target.volume, {});
  } else if (target.drive) {
    reply = to_drive(*target.drive, command);
    remember(transfer_of(command.cdb), {}, target.number);
  }
  if (shortened) reply.data.resize(reply.data.size() / 8);
  if (zeroed) std::fill(reply.data.begin(), reply.data.end(), std::byte{0});
  return reply;
}

CissReply Card::to_controller(const Command& command) {
  const Cdb cdb(command.cdb);
  switch (byte_at(cdb, 0)) {
    case op::test_unit_ready:
    case op::request_sense:
      return done();
    case op::inquiry:
      return controller_inquiry(machine_, cdb);
    case op::report_logical:
      return report_logical(machine_, cdb);
    case op::report_physical:
      return report_physical(machine_, cdb);
    case op::bmic_read:
      if (byte_at(cdb, 6) == lab_state) {
        return part_of(state_text(machine_), big_endian(cdb, 2, 4), command.room);
      }
      return bmic_read(machine_, cdb);
    case op::bmic_write:
      if (byte_at(cdb, 6) == lab_change) return change(command.out);
      return done();  // the driver's flush at shutdown, a mark
    default:
      return illegal_command();
  }
}

CissReply Card::to_volume(const PlacedVolume& volume, const Command& command) {
  const Cdb cdb(command.cdb);
  if (byte_at(cdb, 0) == op::inquiry) return volume_inquiry(machine_, volume, cdb);
  if (byte_at(cdb, 0) == op::ciss_read) {
    return byte_at(cdb, 1) == op::get_raid_map ? raid_map(machine_, volume) : illegal_command();
  }
  // A failed volume still tells who it is; nothing more.
  if (volume.drive->status == "Failed") return check_condition(4, 0x3E, 1);
  return disk_command(media_[volume.drive->unique_id], volume.drive->size->bytes / sector_bytes,
                      bad_blocks(volume), cdb, command.out);
}

std::vector<std::uint64_t> Card::bad_blocks(const PlacedVolume& volume) const {
  std::vector<std::uint64_t> out;
  for (const BadBlock& bad : machine_.faults.medium_errors) {
    if (bad.logical_drive == volume.drive->number) out.push_back(bad.block);
  }
  return out;
}

CissReply Card::to_drive(const PlacedDrive& drive, const Command& command) {
  const Cdb cdb(command.cdb);
  if (byte_at(cdb, 0) == op::inquiry) return drive_inquiry(drive, cdb);
  if (drive.role != Role::hba && byte_at(cdb, 0) != op::test_unit_ready) return illegal_command();
  return disk_command(media_[drive.drive->wwid], drive.drive->size->bytes / sector_bytes, {}, cdb,
                      command.out);
}

CissReply Card::change(std::span<const std::byte> words) {
  auto next = changed(machine_, text_of(words));
  if (!next) {
    refused_ = describe(next.error());
    return illegal_field();
  }
  events_ |= events_between(machine_, *next);
  machine_ = *std::move(next);
  return done();
}

void Card::remember(const std::optional<Transfer>& transfer, const PlacedVolume& volume,
                    std::optional<std::size_t> drive) {
  if (transfer && transfer->blocks > 0) request_ = Request{*transfer, volume, drive};
}

void Card::note(const std::string& to, const Command& command,
                const std::optional<CissReply>& reply, std::string_view path) {
  if (!log_) return;
  json::Json line{{"n", commands_}, {"path", path}, {"to", to}};
  line["cdb"] = scsi::cdb_text(command.cdb);
  line["name"] = command_name(command.cdb);
  line["out"] = command.out.size();
  line["room"] = command.room;
  if (reply) {
    line["status"] = reply->command_status;
    line["scsi_status"] = reply->scsi_status;
    line["replied"] = reply->data.size();
  } else {
    line["status"] = nullptr;  // never answered
  }
  const unsigned operation = byte_at(command.cdb, 0);
  if (operation == op::bmic_write && byte_at(command.cdb, 6) == lab_mark)
    line["mark"] = text_of(command.out);
  if (operation == op::bmic_write && byte_at(command.cdb, 6) == lab_change) {
    line["change"] = text_of(command.out);
    if (!refused_.empty()) line["refused"] = std::exchange(refused_, {});
  }
  log_(line.dump());
}

}  // namespace raidscope::lab
