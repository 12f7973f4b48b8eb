// Writes the HTML report of the made-up runs of sample_runs.h to the path that is given, for the test
// that opens it in a browser.

#include <fstream>
#include <iostream>

#include "reports/report.h"
#include "tests/support/sample_runs.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: write_sample_report FILE\n";
    return 64;
  }
  raidscope::ReportInput input = raidscope::sample::report();
  // Somebody's names may be anything; the page must show this one and not run it.
  const std::string name = "<script>document.documentElement.dataset.attacked = 1</script>\"'&";
  input.runs.front().name = name;
  input.runs.front().target.path = "/data/" + name;
  input.runs.front().audit.front().evidence = "</script><img src=x onerror=alert(1)>";
  std::ofstream file(arguments[1], std::ios::binary);
  file << raidscope::find_report_format("html")->render(input);
  return file.flush() ? 0 : 73;
}
