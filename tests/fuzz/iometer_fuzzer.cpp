#include "tests/fuzz/syntax_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return raidscope::fuzz_syntax("iometer", data, size);
}
