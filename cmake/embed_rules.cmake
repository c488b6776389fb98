# engine/rules/*.rules become one C file in the build folder that defines what engine/rules.h
# declares (up_embedded_rules). It is rebuilt when a rule file changes, and never committed.

function(uproof_embed_rules out)
  file(GLOB rules CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/engine/rules/*.rules)
  set(generated ${CMAKE_BINARY_DIR}/generated/embedded_rules.c)
  set(list_file ${CMAKE_BINARY_DIR}/generated/embedded_rules.txt)
  list(JOIN rules "\n" lines)
  # Written only when it changes, so that removing a rule file also rebuilds.
  file(CONFIGURE OUTPUT ${list_file} CONTENT "${lines}\n" @ONLY)
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DLIST=${list_file} -DOUT=${generated}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${rules} ${list_file} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding engine/rules"
    VERBATIM)
  set(${out} ${generated} PARENT_SCOPE)
endfunction()
