#!/usr/bin/env bash
# fuzzers.sh [TARGET...]: builds fuzz targets (all; or those named) for the fuzzers that are installed:
# libFuzzer in build-fuzz/, AFL++ in build-afl/ with the mutators' module in build/, where `uproof fuzz
# --engine` finds them. SANITIZE=address,undefined puts both sanitizers in, at a third of the speed.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
targets=("$@")
if [ $# = 0 ]; then
  for source in fuzz/targets/*.c; do targets+=("$(basename "$source" .c)"); done
fi
built=0

# configure FOLDER OPTION...
configure() {
  cmake -S . -B "$1" -G Ninja --log-level=WARNING -DCMAKE_BUILD_TYPE=Release -DUPROOF_TESTS=OFF \
    "-DUPROOF_SANITIZE=${SANITIZE:-}" "${@:2}" >/dev/null
}

if command -v clang >/dev/null; then
  configure build-fuzz -DCMAKE_C_COMPILER=clang -DUPROOF_LIBFUZZER=ON
  cmake --build build-fuzz -j "$jobs" --target "${targets[@]}" "${targets[@]/%/-replay}"
  built=1
else
  echo "fuzzers: no clang: nothing for libFuzzer"
fi
if command -v afl-clang-fast >/dev/null; then
  export AFL_QUIET=1
  configure build-afl -DCMAKE_C_COMPILER=afl-clang-fast -DUPROOF_AFL=ON
  cmake --build build-afl -j "$jobs" --target "${targets[@]/%/-afl}" "${targets[@]/%/-replay}"
  # the module is loaded by afl-fuzz itself, so it is not instrumented
  cmake --preset release --log-level=WARNING >/dev/null
  cmake --build --preset release -j "$jobs" --target uproof_afl_mutator
  built=1
else
  echo "fuzzers: no afl-clang-fast: nothing for AFL++"
fi
[ "$built" = 1 ] || {
  echo "fuzzers: install clang with libclang-rt-14-dev, or afl++" >&2
  exit 1
}
