# fuzz/targets/NAME.c defines LLVMFuzzerTestOneInput and nothing that needs a fuzzer. From that one
# source come NAME-replay (runs the given files), NAME-random (seeded random inputs), in a libFuzzer
# build NAME, and in an AFL++ build NAME-afl. docs/fuzzing.md tells how to run them.

# Targets whose input is text: bytes are mutated as bytes. All others take graphs, and get the
# mutators of fuzz/mutate.c under libFuzzer.
set(uproof_text_targets fuzz_parse fuzz_rules)

# What guides libFuzzer: the edges of the engine (each rule and each conjunct of its condition is one
# in the code that rulec makes), and of the readers. Not instrumented, because libFuzzer's work grows
# with edges: the oracle that judges, and what every graph goes through whatever its rules are.
# Comparisons are traced where texts are read.
set(unguided arg buf ctx dtype idmap integer make node ops order spec text/check walk)
if(UPROOF_LIBFUZZER)
  set(guide inline-8bit-counters,pc-table)
  foreach(library uproof_engine uproof_formats)
    target_compile_options(${library} PRIVATE -fsanitize-coverage=${guide})
  endforeach()
  uproof_sources(read_sources engine/text formats)
  foreach(part IN LISTS unguided)
    set(source ${CMAKE_SOURCE_DIR}/engine/${part}.c)
    list(REMOVE_ITEM read_sources ${source})
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize-coverage=${guide})
  endforeach()
  set_property(SOURCE ${read_sources} APPEND PROPERTY COMPILE_OPTIONS -fsanitize-coverage=trace-cmp)
  if(NOT UPROOF_SANITIZE)
    add_library(uproof_no_coverage STATIC fuzz/hooks/no_coverage.c)
    target_link_libraries(uproof_no_coverage PRIVATE uproof_flags)
    foreach(library uproof_engine uproof_formats)
      target_link_libraries(${library} PUBLIC uproof_no_coverage)
    endforeach()
  endif()
endif()

# The same of AFL++, whose compiler instruments everything unless it is told otherwise.
if(UPROOF_AFL)
  list(TRANSFORM unguided REPLACE "(.+)" "src: */engine/\\1.c" OUTPUT_VARIABLE denied)
  list(JOIN denied "\n" denied)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/unguided.txt CONTENT "${denied}\n")
  set_property(TARGET uproof_engine PROPERTY C_COMPILER_LAUNCHER
               ${CMAKE_COMMAND} -E env AFL_LLVM_DENYLIST=${CMAKE_BINARY_DIR}/unguided.txt)
  foreach(library uproof_oracle uproof_fuzz uproof_proofs rulec)
    set_property(TARGET ${library} PROPERTY C_COMPILER_LAUNCHER
                 ${CMAKE_COMMAND} -E env AFL_DISABLE_LLVM_INSTRUMENTATION=1)
  endforeach()
endif()

uproof_sources(fuzz_mains fuzz/main)
foreach(main IN LISTS fuzz_mains)
  get_filename_component(main_name ${main} NAME_WE)
  list(APPEND fuzz_main_names ${main_name})
endforeach()

function(uproof_fuzz_program name)
  add_executable(${name} ${ARGN} ${CMAKE_SOURCE_DIR}/fuzz/hooks/counters.c)
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
    set(hooks ${CMAKE_SOURCE_DIR}/fuzz/hooks/sanitizer.c)
    if(NOT name IN_LIST uproof_text_targets)
      list(APPEND hooks ${CMAKE_SOURCE_DIR}/fuzz/hooks/graph.c)
    endif()
    uproof_fuzz_program(${name} ${source} ${hooks})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  endif()
  if(UPROOF_FUZZ_ENGINE)
    uproof_fuzz_program(${name} ${source})
    separate_arguments(engine UNIX_COMMAND "${UPROOF_FUZZ_ENGINE}")
    target_link_libraries(${name} PRIVATE ${engine})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  if(UPROOF_AFL)
    # AFL++'s own macros cut the length of an input
    set_source_files_properties(${CMAKE_SOURCE_DIR}/fuzz/afl/main.c
                                PROPERTIES COMPILE_OPTIONS "-Wno-conversion;-Wno-shorten-64-to-32")
    uproof_fuzz_program(${name}-afl ${source} ${CMAKE_SOURCE_DIR}/fuzz/afl/main.c)
  endif()
endforeach()

# The mutators as a module for AFL_CUSTOM_MUTATOR_LIBRARY, from sources of its own: it must be
# relocatable, and not instrumented. Not part of `all`.
uproof_sources(mutator_sources engine engine/text engine/fold)
add_library(uproof_afl_mutator MODULE EXCLUDE_FROM_ALL ${mutator_sources} ${rules_c} ${compiled_c}
  fuzz/gen.c fuzz/nodes.c fuzz/nodes_read.c fuzz/mutate.c fuzz/mutate_leaf.c fuzz/shape.c
  fuzz/afl/mutator.c)
target_link_libraries(uproof_afl_mutator PRIVATE uproof_flags uproof_gmp m)
# what is missing is told when it is linked, not by afl-fuzz
target_link_options(uproof_afl_mutator PRIVATE -Wl,--no-undefined)
set_target_properties(uproof_afl_mutator PROPERTIES POSITION_INDEPENDENT_CODE ON
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
