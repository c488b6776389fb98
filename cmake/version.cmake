# UPROOF_VERSION: the project's version, and the commit that was configured where git knows it.

set(UPROOF_VERSION ${PROJECT_VERSION})
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS ${CMAKE_SOURCE_DIR}/.git)
  execute_process(
    COMMAND ${GIT_EXECUTABLE} -C ${CMAKE_SOURCE_DIR} describe --always --dirty
    OUTPUT_VARIABLE describe OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(UPROOF_VERSION "${PROJECT_VERSION} (${describe})")
  endif()
endif()
message(STATUS "uproof: version ${UPROOF_VERSION}")
