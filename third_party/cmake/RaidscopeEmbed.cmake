# raidscope_embed(<target> NAME page_css FILE html/page.css [HEADER reports/html/assets.h])
#
# Makes a text file part of the program: HEADER declares `std::string_view NAME() noexcept` in
# namespace raidscope, and the generated file defines it. Made anew when the text changes.
set(RAIDSCOPE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/embed_text.cmake)

function(raidscope_embed target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;FILE;HEADER" "")
  get_filename_component(file "${arg_FILE}" ABSOLUTE)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/embedded_${arg_NAME}.cpp")
  add_custom_command(OUTPUT "${out}"
    COMMAND ${CMAKE_COMMAND} -DIN=${file} -DOUT=${out} -DNAME=${arg_NAME} -DHEADER=${arg_HEADER}
      -P ${RAIDSCOPE_EMBED_SCRIPT}
    DEPENDS "${file}" "${RAIDSCOPE_EMBED_SCRIPT}"
    COMMENT "Embedding ${arg_FILE}"
    VERBATIM)
  # The standard asks compilers for 64 KiB of literal at least; both of ours take any length.
  set_source_files_properties("${out}" PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
  target_sources(${target} PRIVATE "${out}")
endfunction()
