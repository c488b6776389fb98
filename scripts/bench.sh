#!/usr/bin/env bash
# bench.sh BUILD: the benchmarks, over the graphs that are here. Sets of recorded graphs beside the
# checkout (../shared/golden, ../shared/real) are used when they are there.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
profile=${PROFILE:-v0.10.0}

echo "== chains (profile $profile)"
"$build/bench/chain" --profile "$profile" --check
chain=$?

echo
echo "== simplify (profile $profile, one core)"
files=()
for pattern in 'corpus/golden/*fuzz*' 'corpus/real/*.jsonl*' "../shared/golden/$profile-fuzz*.jsonl.gz" \
  '../shared/real/*-real.jsonl.gz'; do
  for file in $pattern; do [ -f "$file" ] && files+=("$file"); done
done
if [ ${#files[@]} = 0 ]; then
  echo "no set of graphs is here"
  exit 1
fi
for file in "${files[@]}"; do "$build/bench/simplify" --profile "$profile" "$file" || exit 1; done

echo
echo "== check (profile $profile, frame ideal, one core)"
"$build/bench/oracle" --profile "$profile" --runs 5000 corpus/real/*-real.jsonl.gz || exit 1

# The chains' growth and memory are the only thresholds.
[ "$chain" = 0 ] || echo "a chain grew faster than linearly, or cost too much memory"
exit "$chain"
