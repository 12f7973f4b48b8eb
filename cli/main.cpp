#include "cli/app.h"

int main(int argc, char** argv) {
  return raidscope::cli::run(argc, argv);
}
