#!/usr/bin/env bash
# pgo.sh FOLDER [JOBS]: the release build with the engine compiled by a profile of itself, in FOLDER.
# The training graphs are others than those that bench/ measures.
set -eu
cd "$(dirname "$0")/.."
folder=${1:?usage: pgo.sh FOLDER [JOBS]}
jobs=${2:-2}
configure() { cmake --preset release -B "$folder" -DUPROOF_PGO="$1" --log-level=WARNING >/dev/null; }

configure generate
find "$folder" -name '*.gcda' -delete
cmake --build "$folder" -j "$jobs" --target bench-simplify
for profile in v0.11.0 v0.11.0:correct-divmod sound v0.10.0; do
  "$folder/bench/simplify" --profile $profile --repeat 3 corpus/golden/v0.11.0-fuzz-cdf1.jsonl.gz \
    corpus/golden/v0.11.0-parts.jsonl.gz corpus/real/v0.11.0-real-valid.jsonl.gz >/dev/null
done
configure use
cmake --build "$folder" -j "$jobs" ${3:+--target $3}
