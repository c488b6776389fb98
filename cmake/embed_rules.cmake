# engine/rules/*.rules become C files in the build folder: one that holds their texts
# (up_embedded_rules of engine/rules.h), and what rulec makes of them (engine/compiled.h), with the
# documentation. They are rebuilt when a rule file changes, and never committed.

# The files as the table `array` in a generated C file, whose name goes to `out`. The pattern is
# relative to the source folder.
function(uproof_embed array out pattern)
  file(GLOB rules CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${pattern})
  set(generated ${CMAKE_BINARY_DIR}/generated/${array}.c)
  set(list_file ${CMAKE_BINARY_DIR}/generated/${array}.txt)
  list(JOIN rules "\n" lines)
  # Written only when it changes, so that removing a rule file also rebuilds.
  file(CONFIGURE OUTPUT ${list_file} CONTENT "${lines}\n" @ONLY)
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DLIST=${list_file} -DOUT=${generated} -DARRAY=${array}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${rules} ${list_file} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding ${pattern}"
    VERBATIM)
  set(${out} ${generated} PARENT_SCOPE)
endfunction()

# rulec is the rule parser without an engine: the engine is made with it.
function(uproof_compile_rules out)
  file(GLOB rules CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/engine/rules/*.rules)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/engine/rulec/*.c)
  foreach(part rulelex rulefile pattern ruleexpr rulebuild rulebook ruleshadow rulecontradiction ops dtype buf error)
    list(APPEND sources ${CMAKE_SOURCE_DIR}/engine/${part}.c)
  endforeach()
  add_executable(rulec ${sources})
  target_link_libraries(rulec PRIVATE uproof_flags uproof_gmp)
  set(folder ${CMAKE_BINARY_DIR}/generated)
  set(generated ${folder}/compiled_rules.c)
  foreach(file IN LISTS rules)
    # as gen_symbol has it
    get_filename_component(name ${file} NAME)
    string(REGEX REPLACE "\\.rules$" "" name ${name})
    string(REGEX REPLACE "[^A-Za-z0-9]" "_" name ${name})
    list(APPEND generated ${folder}/${name}.c)
  endforeach()
  file(MAKE_DIRECTORY ${folder} ${CMAKE_BINARY_DIR}/docs)
  add_custom_command(
    OUTPUT ${generated} ${CMAKE_BINARY_DIR}/docs/rules.md
    COMMAND rulec --out ${folder} --docs ${CMAKE_BINARY_DIR}/docs/rules.md ${rules}
    DEPENDS rulec ${rules}
    COMMENT "Compiling engine/rules"
    VERBATIM)
  set(${out} ${generated} PARENT_SCOPE)
endfunction()
