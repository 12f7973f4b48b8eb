#include "probe/capture/answers.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "probe/base/enum_names.h"
#include "probe/base/text.h"

namespace raidscope {

template <>
struct EnumNames<Errc> {
  static constexpr std::pair<Errc, std::string_view> table[] = {
      {Errc::not_found, "not_found"},     {Errc::permission, "permission"},
      {Errc::unsupported, "unsupported"}, {Errc::malformed, "malformed"},
      {Errc::timeout, "timeout"},         {Errc::busy, "busy"},
      {Errc::refused, "refused"},         {Errc::usage, "usage"},
      {Errc::interrupted, "interrupted"}, {Errc::io, "io"}};
};

}  // namespace raidscope

namespace raidscope::capture {
namespace {

/// A switch, so that a question added to the enum does not compile until it has a name here.
constexpr std::string_view query_name(CissQuery query) noexcept {
  switch (query) {
    case CissQuery::pci_info:
      return "pci_info";
    case CissQuery::driver_version:
      return "driver_version";
    case CissQuery::identify_logical_drive:
      return "identify_logical_drive";
    case CissQuery::identify_controller:
      return "identify_controller";
    case CissQuery::logical_drive_status:
      return "logical_drive_status";
    case CissQuery::identify_physical_drive:
      return "identify_physical_drive";
    case CissQuery::controller_parameters:
      return "controller_parameters";
    case CissQuery::subsystem_information:
      return "subsystem_information";
    case CissQuery::cache_configuration:
      return "cache_configuration";
    case CissQuery::report_logical:
      return "report_logical";
    case CissQuery::report_physical:
      return "report_physical";
    case CissQuery::report_physical_plain:
      return "report_physical_plain";
    case CissQuery::raid_map:
      return "raid_map";
  }
  return "?";
}

std::string bytes_text(std::span<const std::byte> bytes) {
  std::string out(bytes.size(), '\0');
  std::transform(bytes.begin(), bytes.end(), out.begin(),
                 [](std::byte b) { return static_cast<char>(b); });
  return out;
}

std::vector<std::byte> text_bytes(std::string_view text) {
  std::vector<std::byte> out(text.size());
  std::transform(text.begin(), text.end(), out.begin(),
                 [](char c) { return static_cast<std::byte>(c); });
  return out;
}

void put_error(Section& section, const Error& error) {
  const auto put = [&](std::string_view name, std::string value) {
    if (!value.empty()) section.fields.emplace_back(name, std::move(value));
  };
  put("error", std::string(to_name(error.code)));
  put("message", error.message);
  put("where", error.where);
  put("hint", error.hint);
  if (error.os_errno != 0) put("errno", fmt::format("{}", error.os_errno));
}

std::int64_t number(const Section& section, std::string_view field) noexcept {
  return text::to_integer(section.field(field)).value_or(0);
}

template <class T>
T number_as(const Section& section, std::string_view field) noexcept {
  const std::int64_t value = number(section, field);
  constexpr auto most = static_cast<std::int64_t>(std::numeric_limits<T>::max());
  return static_cast<T>(std::min(value, most));
}

std::optional<Error> error_in(const Section& section) {
  const std::string_view code = section.field("error");
  if (code.empty()) return std::nullopt;
  return Error{from_name<Errc>(code).value_or(Errc::io), std::string(section.field("message")),
               std::string(section.field("where")), std::string(section.field("hint")),
               number_as<int>(section, "errno")};
}

#define RAIDSCOPE_RECORDED_ERROR(section)       \
  if (auto recorded_error_ = error_in(section)) \
  return tl::unexpected<Error>(*std::move(recorded_error_))

bool is_number(std::string_view value) noexcept {
  double number = 0;
  const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
  return problem == std::errc{} && end == value.data() + value.size();
}

/// "2026-11-30T12:00:00Z".
bool is_time(std::string_view value) noexcept {
  constexpr std::string_view shape = "0000-00-00T00:00:00Z";
  return value.size() == shape.size() &&
         std::equal(value.begin(), value.end(), shape.begin(),
                    [](char c, char like) { return like == '0' ? text::is_digit(c) : c == like; });
}

template <class Take>
void for_each_line(std::string_view content, Take take) {
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    take(content.substr(0, end));
    content.remove_prefix(std::min(end + 1, content.size()));
  }
}

}  // namespace

std::string wanted_in_field(std::string_view kind, std::string_view name, std::string_view value) {
  if (kind == "capture" && name == "answers")
    return value == "exact" || value == "tree" ? "" : "exact or tree";
  if (kind == "capture" && name == "taken_at")
    return value.empty() || is_time(value) ? "" : "a time as 2026-11-30T12:00:00Z";
  if (name == "error") return from_name<Errc>(value) ? "" : "a word of docs/capture.md";
  for (const std::string_view number :
       {"errno", "times", "duration_ms", "exit_status", "command_status", "scsi_status"}) {
    if (name == number) return is_number(value) ? "" : "a number";
  }
  return {};
}

std::string scsi_key(std::string_view devnode, std::span<const std::byte> cdb,
                     std::size_t reply_capacity) {
  return fmt::format("{} {} {}", to_hex(bytes_text(cdb)), reply_capacity, devnode);
}

std::string ciss_key(std::string_view devnode, const CissAsk& ask) {
  return fmt::format("{} {} {}", query_name(ask.query), ask.number, devnode);
}

std::string_view tool_key(ToolQuery query) noexcept {
  switch (query) {
    case ToolQuery::show_config_detail:
      return "show_config_detail";
    case ToolQuery::version:
      return "version";
  }
  return "?";
}

Section text_section(std::string_view kind, std::string key, const Result<std::string>& answer) {
  Section out{std::string(kind), std::move(key), {}, {}, 0};
  if (answer) {
    out.content = *answer;
  } else {
    put_error(out, answer.error());
  }
  return out;
}

Section list_section(std::string key, const Result<std::vector<std::string>>& answer) {
  Section out{std::string(kind_list), std::move(key), {}, {}, 0};
  if (!answer) {
    put_error(out, answer.error());
    return out;
  }
  for (const std::string& name : *answer) out.content += encode_word(name) + "\n";
  return out;
}

Section devices_section(std::string key, const Result<std::vector<DeviceNode>>& answer) {
  Section out{std::string(kind_devices), std::move(key), {}, {}, 0};
  if (!answer) {
    put_error(out, answer.error());
    return out;
  }
  for (const DeviceNode& node : *answer) {
    out.content += "P " + encode_word(node.syspath) + "\n";
    if (!node.devnode.empty()) out.content += "N " + encode_word(node.devnode) + "\n";
    for (const auto& [name, value] : node.properties) {
      out.content += "E " + encode_word(name) + "=" + encode_word(value) + "\n";
    }
  }
  return out;
}

Section scsi_section(std::string key, const Result<std::vector<std::byte>>& answer) {
  Section out{std::string(kind_scsi), std::move(key), {}, {}, 0};
  if (answer) {
    out.content = bytes_text(*answer);
  } else {
    put_error(out, answer.error());
  }
  return out;
}

Section ciss_section(std::string key, const Result<CissReply>& answer) {
  Section out{std::string(kind_ciss), std::move(key), {}, {}, 0};
  if (!answer) {
    put_error(out, answer.error());
    return out;
  }
  out.fields.emplace_back("command_status", fmt::format("{}", answer->command_status));
  out.fields.emplace_back("scsi_status", fmt::format("{}", answer->scsi_status));
  if (!answer->sense.empty()) out.fields.emplace_back("sense", to_hex(bytes_text(answer->sense)));
  out.content = bytes_text(answer->data);
  return out;
}

Section tool_section(ToolQuery query, const Result<ToolAnswer>& answer) {
  Section out{std::string(kind_tool), std::string(tool_key(query)), {}, {}, 0};
  if (!answer) {
    put_error(out, answer.error());
    return out;
  }
  out.fields.emplace_back("tool", answer->tool);
  out.fields.emplace_back("command", answer->command);
  out.fields.emplace_back("exit_status", fmt::format("{}", answer->exit_status));
  out.fields.emplace_back("duration_ms", fmt::format("{}", answer->duration.count()));
  out.content = answer->output;
  return out;
}

Result<std::string> text_answer(const Section& section) {
  RAIDSCOPE_RECORDED_ERROR(section);
  return section.content;
}

Result<std::vector<std::string>> list_answer(const Section& section) {
  RAIDSCOPE_RECORDED_ERROR(section);
  std::vector<std::string> out;
  for_each_line(section.content, [&](std::string_view name) { out.push_back(decode_word(name)); });
  return out;
}

Result<std::vector<DeviceNode>> devices_answer(const Section& section) {
  RAIDSCOPE_RECORDED_ERROR(section);
  std::vector<DeviceNode> out;
  for_each_line(section.content, [&](std::string_view line) {
    if (line.size() < 2 || line[1] != ' ') return;
    const std::string_view rest = line.substr(2);
    if (line.front() == 'P') {
      out.push_back({decode_word(rest), {}, {}});
    } else if (out.empty()) {
      return;
    } else if (line.front() == 'N') {
      out.back().devnode = decode_word(rest);
    } else if (line.front() == 'E') {
      const std::size_t equals = std::min(rest.find('='), rest.size());
      out.back().properties.insert_or_assign(
          decode_word(rest.substr(0, equals)),
          decode_word(rest.substr(std::min(equals + 1, rest.size()))));
    }
  });
  return out;
}

Result<std::vector<std::byte>> scsi_answer(const Section& section) {
  RAIDSCOPE_RECORDED_ERROR(section);
  return text_bytes(section.content);
}

Result<CissReply> ciss_answer(const Section& section) {
  RAIDSCOPE_RECORDED_ERROR(section);
  CissReply out;
  out.command_status = number_as<std::uint16_t>(section, "command_status");
  out.scsi_status = number_as<std::uint8_t>(section, "scsi_status");
  std::string sense;
  append_hex(section.field("sense"), sense);
  out.sense = text_bytes(sense);
  out.data = text_bytes(section.content);
  return out;
}

Result<ToolAnswer> tool_answer(const Section& section) {
  RAIDSCOPE_RECORDED_ERROR(section);
  ToolAnswer out;
  out.tool = section.field("tool");
  out.command = section.field("command");
  out.output = section.content;
  out.exit_status = number_as<int>(section, "exit_status");
  out.duration = std::chrono::milliseconds(number(section, "duration_ms"));
  return out;
}

}  // namespace raidscope::capture
