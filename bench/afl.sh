#!/usr/bin/env bash
# afl.sh [SECONDS [BUILD-AFL [MODULE]]]: what AFL++ does with fuzz_simplify, against an empty persistent
# target and against the target's own cost. Runs afl-fuzz with its own mutators, with uproof's, and with
# uproof's alone; prints executions in a second of processor time (afl-fuzz and target together) and
# edges reached. `make fuzzers` builds what it needs.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-20} build=$(realpath "${2:-build-afl}")
module=$(realpath "${3:-build/fuzz/libuproof_afl_mutator.so}")
command -v afl-fuzz >/dev/null || {
  echo "afl.sh: no afl-fuzz"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/empty.c" <<'C'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) { return n > 1 && data[0] == 200; }
C
AFL_QUIET=1 afl-clang-fast -O2 -I. "$work/empty.c" fuzz/afl/main.c fuzz/hooks/counters.c -o "$work/empty" \
  2>"$work/log" || {
  cat "$work/log"
  exit 1
}
export AFL_NO_UI=1 AFL_NO_COLOR=1 AFL_NO_AFFINITY=1 AFL_SKIP_CPUFREQ=1 UPROOF_PROFILE=v0.11.0 \
  AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 TIMEFORMAT='%U %S'

stat_of() { sed -n "s/^$2 *: //p" "$work/out-$1/default/fuzzer_stats"; }

# measure NAME PROGRAM: also leaves $cost, microseconds of an execution
measure() {
  local spent
  spent=$({ time afl-fuzz -i corpus/seed/fuzz_simplify -o "$work/out-$1" -t 5000+ -V "$seconds" \
    -- "$2" >"$work/log" 2>&1; } 2>&1) || {
    tail -n 5 "$work/log"
    exit 1
  }
  cost=$(awk -v e="$(stat_of "$1" execs_done)" -v t="$spent" \
    'BEGIN { split(t, x, " "); printf "%.1f", (x[1] + x[2]) / e * 1e6 }')
  printf '%-28s %9d executions %8.0f /s %6d edges, stability %s\n' "$1" "$(stat_of "$1" execs_done)" \
    "$(awk -v c="$cost" 'BEGIN { print 1e6 / c }')" "$(stat_of "$1" edges_found)" "$(stat_of "$1" stability)"
}

simplify=$build/fuzz/fuzz_simplify-afl
measure empty "$work/empty"
measure simplify-own-mutators "$simplify"
export AFL_CUSTOM_MUTATOR_LIBRARY=$module
measure simplify-both "$simplify"
export AFL_CUSTOM_MUTATOR_ONLY=1
measure empty-graphs "$work/empty"
empty=$cost
measure simplify-graphs "$simplify"
real=$cost

# the target's own cost: its queue, run without AFL++, 20 times
queue=$work/out-simplify-graphs/default/queue
folders=()
for _ in $(seq 20); do folders+=("$queue"); done
spent=$({ time "$build/fuzz/fuzz_simplify-replay" "${folders[@]}" 2>"$work/log"; } 2>&1)
awk -v t="$spent" -v n="$(sed -n 's/^replay: \([0-9]*\).*/\1/p' "$work/log")" -v e="$empty" -v r="$real" 'BEGIN {
  split(t, x, " "); own = (x[1] + x[2]) / n * 1e6
  printf "an execution: AFL++ %.1f us for an empty target, fuzz_simplify by itself %.1f us, together %.1f us: %.0f %% of the ceiling\n", e, own, r, (e + own) / r * 100 }'
