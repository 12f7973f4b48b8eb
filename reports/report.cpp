#include "reports/report.h"

namespace raidscope {

const ReportFormat* find_report_format(std::string_view id) noexcept {
  for (const ReportFormat* format : report_formats()) {
    if (format->id == id) return format;
  }
  return nullptr;
}

}  // namespace raidscope
