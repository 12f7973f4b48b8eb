#pragma once

namespace raidscope::cli {

/// The whole program behind main(): finds the verb, parses its options, runs it, gives the exit
/// code.
int run(int argc, char** argv);

}  // namespace raidscope::cli
