#pragma once

#include <string>
#include <string_view>

#include "probe/capture/bundle.h"
#include "probe/host.h"

/// How each question to a Host and its answer stand in a bundle. An error is an answer too. Pure.
namespace raidscope::capture {

inline constexpr std::string_view kind_file = "file";        ///< content of a file
inline constexpr std::string_view kind_list = "list";        ///< names in a folder
inline constexpr std::string_view kind_link = "link";        ///< where a path really is
inline constexpr std::string_view kind_symlink = "symlink";  ///< a link as it stands, in a tree
inline constexpr std::string_view kind_devices = "devices";  ///< the udev database of a subsystem
inline constexpr std::string_view kind_scsi = "scsi";
inline constexpr std::string_view kind_ciss = "ciss";
inline constexpr std::string_view kind_tool = "tool";
inline constexpr std::string_view kind_look = "look";  ///< paths that were followed again
inline constexpr std::string_view kind_path = "path";  ///< a discovery path that was followed

/// What a field of a section of this kind must hold and does not; empty when it is right, or not
/// known here: "exact or tree", "a number".
std::string wanted_in_field(std::string_view kind, std::string_view name, std::string_view value);

std::string scsi_key(std::string_view devnode, std::span<const std::byte> cdb,
                     std::size_t reply_capacity);
std::string ciss_key(std::string_view devnode, const CissAsk& ask);
std::string_view tool_key(ToolQuery query) noexcept;

Section text_section(std::string_view kind, std::string key, const Result<std::string>& answer);
Section list_section(std::string key, const Result<std::vector<std::string>>& answer);
Section devices_section(std::string key, const Result<std::vector<DeviceNode>>& answer);
Section scsi_section(std::string key, const Result<std::vector<std::byte>>& answer);
Section ciss_section(std::string key, const Result<CissReply>& answer);
Section tool_section(ToolQuery query, const Result<ToolAnswer>& answer);

Result<std::string> text_answer(const Section& section);
Result<std::vector<std::string>> list_answer(const Section& section);
Result<std::vector<DeviceNode>> devices_answer(const Section& section);
Result<std::vector<std::byte>> scsi_answer(const Section& section);
Result<CissReply> ciss_answer(const Section& section);
Result<ToolAnswer> tool_answer(const Section& section);

}  // namespace raidscope::capture
