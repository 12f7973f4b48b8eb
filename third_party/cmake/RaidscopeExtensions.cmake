# raidscope_extensions(<target> KIND source PLURAL sources TYPE Source HEADER probe/source.h DIR sources)
#
# Compiles every DIR/*.cpp into <target> and makes the table that lists them. The file NAME.cpp must
# define `const raidscope::TYPE raidscope::KIND_NAME`; a missing definition is a link error that names
# it. No list is edited by hand and no static constructor runs, so the order is the file order, always.
function(raidscope_extensions target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "KIND;PLURAL;TYPE;HEADER;DIR" "")
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${arg_DIR}/*.cpp")
  list(SORT files)
  set(EXT_DECLARATIONS "")
  set(EXT_ENTRIES "")
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME_WE)
    string(APPEND EXT_DECLARATIONS "extern const ${arg_TYPE} ${arg_KIND}_${name};\n")
    string(APPEND EXT_ENTRIES "    &${arg_KIND}_${name},\n")
  endforeach()
  set(EXT_TYPE ${arg_TYPE})
  set(EXT_PLURAL ${arg_PLURAL})
  set(EXT_HEADER ${arg_HEADER})
  list(LENGTH files EXT_COUNT)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${arg_KIND}_table.cpp")
  configure_file("${PROJECT_SOURCE_DIR}/third_party/cmake/extension_table.cpp.in" "${out}" @ONLY)
  target_sources(${target} PRIVATE ${files} "${out}")
endfunction()
