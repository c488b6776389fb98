# The libraries uproof stands on. Each becomes a target uproof_NAME, found by header and library
# file: Debian 12's gmp and z3 have no CMake package.

find_package(ZLIB)

# uproof_find_library(NAME HEADER LIBRARY PACKAGE): target uproof_NAME, or an error that says which
# Debian package holds it.
function(uproof_find_library name header library package)
  find_path(UPROOF_${name}_INCLUDE ${header} PATH_SUFFIXES z3)
  find_library(UPROOF_${name}_LIBRARY ${library})
  if(NOT UPROOF_${name}_INCLUDE OR NOT UPROOF_${name}_LIBRARY)
    message(FATAL_ERROR "${header} or lib${library} is missing: run scripts/install-deps.sh, "
                        "or install ${package}")
  endif()
  add_library(uproof_${name} INTERFACE)
  target_link_libraries(uproof_${name} INTERFACE ${UPROOF_${name}_LIBRARY})
  if(NOT UPROOF_${name}_INCLUDE STREQUAL "/usr/include")
    target_include_directories(uproof_${name} SYSTEM INTERFACE ${UPROOF_${name}_INCLUDE})
  endif()
  mark_as_advanced(UPROOF_${name}_INCLUDE UPROOF_${name}_LIBRARY)
endfunction()

uproof_find_library(gmp gmp.h gmp libgmp-dev)
uproof_find_library(z3 z3.h z3 libz3-dev)
uproof_find_library(jansson jansson.h jansson libjansson-dev)
if(NOT ZLIB_FOUND)
  message(FATAL_ERROR "zlib.h is missing: run scripts/install-deps.sh, or install zlib1g-dev")
endif()
if(UPROOF_TESTS)
  uproof_find_library(cmocka cmocka.h cmocka libcmocka-dev)
endif()
