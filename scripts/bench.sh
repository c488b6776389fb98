#!/usr/bin/env bash
# bench.sh BUILD: the benchmarks, over the graphs that are here. Sets of recorded graphs beside the
# checkout (../shared/golden, ../shared/real) are used when they are there.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
profile=${PROFILE:-v0.10.0}

# beside PEER FILE: uproof and tinygrad in turn, three times, so that other load on the machine is on
# both sides; the medians and their ratio.
beside() {
  local round rates=''
  for round in 1 2 3; do
    ours=$("$build/bench/simplify" --profile "$1" --repeat 5 "$2") || return 1
    theirs=$("${PYTHON:-python3}" bench/peers/tinygrad.py "$TINYGRAD" --runs 1 "$2") || return 1
    rates+="${ours%%$'\n'*}"$'\n'"$theirs"$'\n'
  done
  printf '%s' "$rates" | awk '
    function rate(i) { for (i = 2; i <= NF; i++) if ($i ~ /^graphs\/s/) return $(i - 1) }
    function median(a, t) {
      if (a[1] > a[2]) { t = a[1]; a[1] = a[2]; a[2] = t }
      if (a[2] > a[3]) { t = a[2]; a[2] = a[3]; a[3] = t }
      return a[1] > a[2] ? a[1] : a[2]
    }
    NR == 1 { name = $1 }
    NR % 2 { ours[(NR + 1) / 2] = rate() + 0; next }
    { theirs[NR / 2] = rate() + 0 }
    END {
      u = median(ours); t = median(theirs)
      printf "%s uproof %.0f graphs/s, tinygrad %.0f graphs/s: %.0f times\n", name, u, t, u / t
    }'
}

# Processor seconds of a command and its children; its output is dropped.
seconds_of() {
  local TIMEFORMAT='%U %S'
  { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

# Random graphs of one shape, each decided for all inputs: uproof with and without certificates and
# tinygrad's own fuzzer in turn, three times; the medians and the ratios.
beside_fuzzer() {
  local round lines='' runs=${FUZZ_RUNS:-10000} theirs plain certified
  for round in 1 2 3; do
    theirs=$("${PYTHON:-python3}" bench/peers/fuzz_symbolic.py "$TINYGRAD" --runs 300 --seed $round 2>&1)
    case $theirs in *graphs/s*) ;; *) echo "$theirs"; return ;; esac
    local all="fuzz --shape symbolic --runs $runs --seed $round --no-reduce"
    all+=' --limit-points 268435456 --limit-rlimit 4000000' # what `check` has: nothing is only sampled
    plain=$(seconds_of "$build/uproof" $all --profile v0.11.0:correct-divmod --no-certificates)
    certified=$(seconds_of "$build/uproof" $all --profile sound)
    echo "$theirs"
    lines+="$(sed 's|.*, \(.*\) graphs/s.*|\1|' <<<"$theirs") $plain $certified"$'\n'
  done
  printf '%s' "$lines" | awk -v n="$runs" '
    function median(a, t) {
      if (a[1] > a[2]) { t = a[1]; a[1] = a[2]; a[2] = t }
      if (a[2] > a[3]) { t = a[2]; a[2] = a[3]; a[3] = t }
      return a[1] > a[2] ? a[1] : a[2]
    }
    { theirs[NR] = $1 + 0; plain[NR] = n / $2; certified[NR] = n / $3 }
    END {
      t = median(theirs); p = median(plain); c = median(certified)
      printf "tinygrad %.0f graphs/s; uproof v0.11.0:correct-divmod, no certificates %.0f: %.0f times; ", t, p, p / t
      printf "sound, certificates %.0f: %.0f times\n", c, c / t
    }'
}

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

echo
echo "== reduce (the bugs of corpus/regress, alone and hidden in graphs of 100 nodes, one core)"
"$build/bench/reduce" corpus/regress/v0.10.0.jsonl corpus/regress/v0.11.0.jsonl || exit 1

# Beside others; bench/peers/README.md says what is compared.
echo
if [ -n "${TINYGRAD:-}" ]; then
  peer=v0.10.0
  [ -f "$TINYGRAD/tinygrad/uop/ops.py" ] && peer=v0.11.0
  echo "== simplify beside tinygrad in CPython (profile $peer, one core)"
  for file in corpus/golden/$peer-fuzz.jsonl.gz corpus/golden/$peer-fuzz-cdf0.jsonl.gz \
    corpus/golden/$peer-suite.jsonl.gz corpus/real/$peer-real.jsonl.gz \
    corpus/real/$peer-real-sinks.jsonl.gz; do
    [ -f "$file" ] || continue
    beside "$peer" "$file" || exit 1
  done
  if [ $peer = v0.11.0 ]; then
    echo
    echo "== check of random graphs beside tinygrad's own fuzzer (processor time, one core each)"
    beside_fuzzer
  fi
else
  echo "== no TINYGRAD=PATH given: nothing beside tinygrad"
fi

echo
if cmake --build "$build" --target bench-halide >/dev/null 2>&1; then
  echo "== simplify beside Halide (profile v0.11.0, one core)"
  "$build/bench/halide" corpus/golden/v0.11.0-fuzz-cdf0.jsonl.gz corpus/golden/v0.11.0-suite.jsonl.gz \
    corpus/real/v0.11.0-real.jsonl.gz || exit 1
else
  echo "== libhalide14-0-dev or a C++ compiler is not here: nothing beside Halide"
fi

# The chains' growth and memory are the only thresholds.
[ "$chain" = 0 ] || echo "a chain grew faster than linearly, or cost too much memory"
exit "$chain"
