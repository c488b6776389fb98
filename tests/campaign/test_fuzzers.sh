# uproof fuzz --engine with the real fuzzers, two processes each, in one campaign: they find, they share
# inputs with each other, they leave no process behind. The targets are linked from this build's own
# libraries, so that rules alone (exported as coverage) guide them; `make fuzzers` instruments the engine.
. "$SRC/tests/cli/lib.sh"
. "$SRC/tests/campaign/lib.sh"
[ "$UPROOF_INSTRUMENTED" = 0 ] || {
  echo "linked with the libraries of a build without instrumentation only"
  exit 77
}

rm -rf bin seeds camp merged
mkdir bin seeds
for f in $(ls "$SRC"/corpus/seed/fuzz_simplify/* | head -8); do cp "$f" seeds/; done
# link OUT COMPILER... : fuzz_simplify, by one main or another
link() {
  local out=$1
  shift
  "$@" -O1 -std=c17 -D_POSIX_C_SOURCE=200809L "-I$SRC" -w "$SRC/fuzz/targets/fuzz_simplify.c" \
    "$SRC/fuzz/hooks/counters.c" "$BUILD"/libuproof_{fuzz,oracle,formats,engine}.a -lz3 -lgmp \
    -ljansson -lz -lm -o "bin/$out" >link.log 2>&1
}
graphs() { sed -n 's/.*"graphs":\([0-9]*\).*/\1/p' camp/state.json; }
# campaign ENGINE RUNS: goes on for so many graphs
campaign() {
  local before=0
  [ ! -f camp/state.json ] || before=$(graphs)
  run fuzz --engine "$1" --out camp --target-dir "$PWD/bin" --seeds seeds --profile v0.11.0 --jobs 2 \
    --no-reduce --runs $((before + $2)) --seconds 120
  expect 1
  whole camp
  none_left "$PWD/bin/fuzz_simplify"
  has camp/status.json "\"engine\":\"$1\""
  has camp/status.json '"faults":0'
  [ "$(graphs)" -ge $((before + $2)) ] || fail "$command_line: $(graphs) graphs: $(tail -n 3 camp/logs/*)"
}
edges() { sed -n 's/.*"edges":\([0-9]*\).*/\1/p' camp/status.json; }
tried=0

if link fuzz_simplify clang -fsanitize=fuzzer "$SRC/fuzz/hooks/graph.c"; then
  tried=1
  campaign libfuzzer 1500
  [ "$(ls camp/corpus | wc -l)" -gt 100 ] || fail "libFuzzer kept $(ls camp/corpus | wc -l) inputs"
else
  echo "no libFuzzer here: $(tail -n 1 link.log)"
fi
if command -v afl-fuzz >/dev/null && AFL_QUIET=1 link fuzz_simplify-afl afl-clang-fast "$SRC/fuzz/afl/main.c"; then
  tried=1
  campaign afl 2000
  # 29 edges are the target's own, the rest are rules
  [ "$(edges)" -gt 60 ] || fail "rules are no coverage: $(edges) edges"
  campaign afl 2000
  cat camp/afl/*/fuzzer_stats >out
  # when an instance looks at what others have is a matter of its clock: told, and asked of none
  [ -d camp/afl/main/queue ] && [ -d camp/afl/s1/queue ] || fail "not two instances in one folder"
  echo "s1 imported $(sed -n 's/^corpus_imported *: //p' camp/afl/s1/fuzzer_stats) inputs," \
    "main has $(find camp/afl/main/queue -name '*sync:corpus*' | wc -l) of libFuzzer's corpus"

  # killed in the middle of it
  "$UPROOF" fuzz --resume --engine afl --out camp --target-dir "$PWD/bin" --seeds seeds --jobs 2 --seconds 100 >out 2>err &
  pid=$!
  # each afl-fuzz, its fork server, and that one's child
  seen=0
  for _ in $(seq 300); do
    seen=$(processes "$PWD/bin/fuzz_simplify-afl" | wc -l)
    [ "$seen" -ge 4 ] && break
    sleep 0.1
  done
  [ "$seen" -ge 4 ] || fail "only $seen processes ran: $(cat err)"
  kill -KILL $pid
  { wait $pid; } 2>/dev/null
  command_line="fuzz --engine afl, killed"
  none_left "$PWD/bin/fuzz_simplify"
else
  echo "no AFL++ here"
fi
[ $tried = 1 ] || exit 77

# several engines' inputs become one small corpus
run corpus --profile v0.11.0 --merge merged camp
expect 0
[ "$(ls merged | wc -l)" -gt 30 ] || fail "$(ls merged | wc -l) inputs in merged"
if [ -x bin/fuzz_simplify ]; then
  run corpus --profile v0.11.0 --merge merged --edges bin/fuzz_simplify camp
  expect 0
  has err "more for edges of the code"
fi
finish
