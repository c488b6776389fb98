# One allocation fails, wherever it is: one line, status 4, nothing printed that an undisturbed run
# does not print, nothing half-written. A failure in a worker costs one verdict, and a campaign goes
# on as if nothing had happened. Of the places that lead to an allocation (by the calls above it) a
# few of each command are tried; UPROOF_SWEEP=N tries N of each, and all (the first and the last time of
# each place) when there are no more.
. "$SRC/tests/cli/lib.sh"
. "$SRC/tests/campaign/lib.sh"
[ "$UPROOF_INSTRUMENTED" = 0 ] || {
  echo "a sanitizer's runtime can't have a library in front of it: done in the build without"
  exit 77
}
"$CC" -shared -fPIC -O1 -o shim.so "$SRC/tests/memory/shim.c" || fail "the shim does not build"
most=${UPROOF_SWEEP:-4}

# shimmed VARIABLE=VALUE... -- ARGS...: as run, with the shim and these variables.
shimmed() {
  local set=()
  while [ "$1" != -- ]; do set+=("$1") && shift; done
  shift
  status=0
  { env LD_PRELOAD="$PWD/shim.so" "${set[@]}" "$UPROOF" "$@" >out 2>err || status=$?; } 2>/dev/null
  command_line="${set[*]} uproof $*"
}

# Numbers of allocations to let fail: `most` of the first and last ones of each place, evenly spread.
chosen() {
  awk -v most=$most '
    !($2 in last) { n[++k] = $1 }
    { if (last[$2]) again[$2] = $1; last[$2] = $1 }
    END {
      for (p in again) n[++k] = again[p]
      step = k > most ? k / most : 1
      for (i = 1; i <= k; i += step) print n[int(i)]
    }' sites
}

# Each line of the file is one of the file `printed`, or says that it is not all.
only_printed() {
  checks=$((checks + 1))
  grep -v '"interrupted":true\|^error .*(out of memory)$\|^error  *mul_one \|^    out of memory$\|^unknown .*(not asked: stopped)$' "$1" | grep -vxFf printed >new || return 0
  fail "$command_line: not printed by an undisturbed run: $(head -1 new)"
}

judge() {
  if [ "$status" = "$usual" ]; then # the program can do without, as far as can be seen
    same out printed
    return
  fi
  expect 4
  has err "out of memory"
  [ "$(grep -c '^uproof: out of memory$' err)" = 1 ] || fail "$command_line: not told once"
  only_printed out
}

# There is memory again: the campaign ends as one that was left alone; but a case that cost a worker
# stays an error, and the status with it.
again() {
  local errors='' status_then=$usual
  ! grep -q ' 1 error' err || errors=1 status_then=$status
  run "$@"
  expect "$status_then"
  rm -rf again
  mv camp again
  if [ -n "$errors" ]; then
    has err " 1 error"
  else
    same_campaign alone again
  fi
}

# exhaust ARGS...
exhaust() {
  rm -rf camp alone cache
  shimmed ALLOC_SITES=sites -- "$@"
  usual=$status
  cp out printed
  [ ! -e camp ] || { rm -rf alone && mv camp alone; }
  [ "$(wc -l <sites)" -gt 50 ] || fail "uproof $*: only $(wc -l <sites) allocations were seen"
  for n in $(chosen); do
    rm -f cache
    shimmed ALLOC_FAIL=$n -- "$@"
    judge
    [ ! -e cache ] || [ -z "$(tail -c 1 cache)" ] || fail "$command_line: half a line in the cache"
    [ -e alone ] || continue
    [ ! -e camp ] || whole camp
    again "$@"
  done
}

printf 'x in [-6,6]\ny in [0,3]\nx//2 + (x+1)//2*y\n' >infix
"$UPROOF" simplify --out uop infix >uop
"$UPROOF" simplify --out json infix >jsonl
"$UPROOF" simplify --out tree infix >tree
gzip -kf uop
zcat "$SRC/corpus/golden/v0.11.0-suite.jsonl.gz" | head -3 >rows
printf 'value ideal nothing\n' >known

for form in infix uop jsonl tree uop.gz; do exhaust simplify $form; done
exhaust bounds --all --exact infix
exhaust trace infix
exhaust check --no-certificates infix
exhaust check --profile v0.10.0 --no-certificates --limit-points 10 infix
exhaust check --jobs 2 jsonl uop tree
exhaust minimize --profile v0.10.0 infix
exhaust golden --profile v0.11.0 rows
exhaust prove --each --rule mul_one --cache cache --update-cache
exhaust fuzz --profile v0.10.0 --runs 20 --no-reduce --known known --out camp

exhaust eval infix --all --set x=1 --set y=2
exhaust stats --all infix
exhaust coverage infix
exhaust equiv infix uop
exhaust equiv --smt2 - infix uop
exhaust rules --profile v0.11.0
printf 'rule own : x + 0 -> x\n' >own.rules
exhaust check --rules own.rules infix
exhaust check --adapter "$BUILD/adapters/model v0.10.0" infix
exhaust mutate --rule mul_one --runs 20 --aimed 20
run fuzz --profile v0.10.0 --runs 20 --no-reduce --out found
expect 1
exhaust report found
exhaust corpus --merge merged "$SRC/corpus/seed/fuzz_rewrite"

# none at all from there on, in the program or in its workers
for n in 1 700 1500 3000; do
  shimmed ALLOC_FAIL=$n ALLOC_ON=1 -- check infix
  expect 4
  has err "out of memory"
  lines out 0
done
finish
