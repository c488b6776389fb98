# fuzz/targets/NAME.c defines LLVMFuzzerTestOneInput and nothing that needs a fuzzer. From that one
# source come NAME-replay (runs the given files), NAME-random (seeded random inputs) and, in a
# libFuzzer build, NAME.

uproof_sources(fuzz_mains fuzz/main)
foreach(main IN LISTS fuzz_mains)
  get_filename_component(main_name ${main} NAME_WE)
  list(APPEND fuzz_main_names ${main_name})
endforeach()

function(uproof_fuzz_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE uproof_all)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
endfunction()

uproof_sources(fuzz_targets fuzz/targets)
foreach(source IN LISTS fuzz_targets)
  get_filename_component(name ${source} NAME_WE)
  foreach(main_name IN LISTS fuzz_main_names)
    uproof_fuzz_program(${name}-${main_name} ${source} ${CMAKE_SOURCE_DIR}/fuzz/main/${main_name}.c)
  endforeach()
  if(UPROOF_LIBFUZZER)
    uproof_fuzz_program(${name} ${source})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  endif()
endforeach()
