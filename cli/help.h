#pragma once

#include <string>

#include "cli/verb.h"

namespace raidscope::cli {

std::string general_help();
std::string verb_help(const Verb& verb);
/// roff of raidscope(1), every verb in it.
std::string man_page();
/// A bash completion script.
std::string bash_completion();
/// The program's version and those of its libraries.
std::string version_text();

}  // namespace raidscope::cli
