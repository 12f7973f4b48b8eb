#pragma once

#include <span>
#include <string>

#include "controllers/inventory/inventory.h"
#include "controllers/rules/rule.h"
#include "reports/store/store.h"
#include "workloads/run_result.h"

/// Text for a terminal. Pure: colour and width are told.
namespace raidscope {

struct TextStyle {
  bool color = false;
  int width = 100;
};

/// One screen for a common server; the verdict on write cache and Smart Path of each logical drive
/// at the top, then controllers, drives in groups, what could not be asked and how to change that.
std::string inventory_text(const Inventory& inventory, const TextStyle& style);
std::string audit_text(const AuditReport& report, const TextStyle& style);
/// "OK - …" / "WARNING - …" / "CRITICAL - …" / "UNKNOWN - …" with performance data; one line, then
/// details.
/// `fail_on`: what is below it does not raise the state, as it does not raise the exit code.
std::string audit_nagios(const AuditReport& report, Severity fail_on = Severity::warning);
std::string run_text(const RunResult& result, const TextStyle& style);
/// The table that `run` and `profile` end with: one row a point.
std::string runs_table(std::span<const RunResult> results, const TextStyle& style);
std::string list_text(std::span<const RunListEntry> entries, const TextStyle& style);

}  // namespace raidscope
