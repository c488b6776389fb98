#!/usr/bin/env bash
# fuzz-speed.sh BUILD... [-- OPTION...]: executions of fuzz_simplify a second of processor time in each
# libFuzzer build (plain: -DCMAKE_BUILD_TYPE=Release -DUPROOF_SANITIZE=; with sanitizers: the preset
# `fuzz`). The same RUNS (default 60000) inputs from the seed corpus each time; the corpus that it makes
# is in memory and goes. OPTIONs are libFuzzer's, behind those of docs/fuzzing.md.
set -u
cd "$(dirname "$0")/.." || exit 1
builds=() runs=${RUNS:-60000}
while [ $# -gt 0 ] && [ "$1" != -- ]; do builds+=("$1") && shift; done
[ ${#builds[@]} -gt 0 ] || { echo "usage: fuzz-speed.sh BUILD... [-- OPTION...]" && exit 2; }
shift $(($# > 0))
work=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)") || exit 1
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'
for build in "${builds[@]}"; do
  rm -rf "$work/corpus" && mkdir "$work/corpus"
  seconds=$({ time "$build/fuzz/fuzz_simplify" -entropic=0 -use_counters=0 -max_len=512 -seed=1 \
    -runs="$runs" -artifact_prefix="$work/" "$@" "$work/corpus" corpus/seed/fuzz_simplify \
    >"$work/log" 2>&1; } 2>&1)
  grep -q '^Done ' "$work/log" || { echo "$build: failed" && tail -n 5 "$work/log" && exit 1; }
  edges=$(sed -n 's/^#[0-9]*.*DONE *cov: \([0-9]*\) .*/\1/p' "$work/log")
  awk -v b="$build" -v runs="$runs" -v edges="$edges" \
    '{ printf "%s: %d runs, %.0f a second of processor time, %d edges\n", b, runs, runs / ($1 + $2), edges }' \
    <<<"$seconds"
done
