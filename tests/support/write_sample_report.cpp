// Writes the HTML report of made-up runs to the path that is given, for the test that opens it in a
// browser: those of sample_runs.h with names that try to run, or with "study" those of
// sample_study.h.

#include <fstream>
#include <iostream>
#include <string_view>

#include "reports/report.h"
#include "tests/support/sample_runs.h"
#include "tests/support/sample_study.h"

int main(int count, char** arguments) {
  const bool study = count == 3 && std::string_view(arguments[2]) == "study";
  if (count != 2 && !study) {
    std::cerr << "usage: write_sample_report FILE [study]\n";
    return 64;
  }
  raidscope::ReportInput input = study ? raidscope::sample::study() : raidscope::sample::report();
  if (!study) {
    // Somebody's names may be anything; the page must show this one and not run it.
    const std::string name = "<script>document.documentElement.dataset.attacked = 1</script>\"'&";
    input.runs.front().name = name;
    input.runs.front().target.path = "/data/" + name;
    input.runs.front().audit.front().evidence = "</script><img src=x onerror=alert(1)>";
  }
  std::ofstream file(arguments[1], std::ios::binary);
  file << raidscope::find_report_format("html")->render(input);
  return file.flush() ? 0 : 73;
}
