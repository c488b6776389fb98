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

# LLVM's C interface (llvm-14-dev or later), for oracle/jit/. Its library is opened at run time, not
# linked. UPROOF_LLVM_LIBRARY stays empty where there is none.
set(UPROOF_LLVM_LIBRARY "")
if(UPROOF_JIT)
  set(names llvm-config)
  foreach(version RANGE 30 14 -1)
    list(APPEND names llvm-config-${version})
  endforeach()
  find_program(UPROOF_LLVM_CONFIG NAMES ${names})
  mark_as_advanced(UPROOF_LLVM_CONFIG)
endif()
if(UPROOF_JIT AND UPROOF_LLVM_CONFIG)
  foreach(what version includedir libdir)
    execute_process(COMMAND ${UPROOF_LLVM_CONFIG} --${what} OUTPUT_VARIABLE llvm_${what}
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endforeach()
  string(REGEX MATCH "^[0-9]+" llvm_major "${llvm_version}")
  file(GLOB llvm_library ${llvm_libdir}/libLLVM-${llvm_major}.so ${llvm_libdir}/libLLVM.so)
  if(llvm_library AND EXISTS ${llvm_includedir}/llvm-c/Core.h AND NOT llvm_major LESS 14)
    list(GET llvm_library 0 llvm_library)
    get_filename_component(UPROOF_LLVM_LIBRARY ${llvm_library} REALPATH)
    set(UPROOF_LLVM_INCLUDE ${llvm_includedir})
    set(UPROOF_LLVM_VERSION ${llvm_version})
  endif()
endif()
if(UPROOF_LLVM_LIBRARY)
  message(STATUS "uproof: large boxes are compiled by LLVM ${UPROOF_LLVM_VERSION}")
else()
  message(STATUS "uproof: large boxes are not compiled (UPROOF_JIT is off, or there is no llvm-dev)")
endif()
