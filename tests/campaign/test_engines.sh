# uproof fuzz --engine: the manager of other fuzzers. In their place stand scripts around the seeded
# driver, which saves findings and counts as every build of a target does; so this needs no fuzzer.
. "$SRC/tests/cli/lib.sh"
. "$SRC/tests/campaign/lib.sh"

rm -rf fake camp again known.txt alone
mkdir fake
random=$BUILD/fuzz/fuzz_simplify-random
fake() { # NAME: its lines from standard input
  { echo '#!/bin/sh'; cat; } >"fake/$1"
  chmod +x "fake/$1"
}
# what is not there, or can't be, is told in one line
run fuzz --engine libfuzzer
expect 2
has err "needs --out DIR"
run fuzz --engine libfuzzer --out camp --target-dir fake
expect 2
has err "fuzz_simplify is not built: \`make fuzzers\`"
lines err 1
PATH=/nowhere run fuzz --engine afl --out camp --target-dir fake
expect 2
has err "afl-fuzz is not on the PATH"
run fuzz --engine libfuzzer --out camp --target-dir fake --target no/path
expect 2
has err "--target names a fuzz target"
run fuzz --engine libfuzzer --out camp --rules x.rules
expect 2
has err "compiled rules"
run fuzz --engine honggfuzz --out camp
expect 2

# the same findings as the driver saves by itself, each under its cause; the driver ends too soon each
# time, which is told, and counts as a fault of the harness
mkdir -p alone
UPROOF_PROFILE=v0.11.0 UPROOF_FRAME=ideal UPROOF_FINDINGS=alone "$random" --seed 4 --runs 1500 2>/dev/null
fake fuzz_simplify <<S
echo "with \$*"
exec "$random" --seed 4 --runs 1500
S
run fuzz --engine libfuzzer --out camp --target-dir fake --profile v0.11.0 --no-reduce --seconds 60 \
  --junit junit.xml --sarif sarif.json
expect 4
has err "libfuzzer 0 exited with status 0: random: seed 4"
has err "not started again"
has err "1 faults of the harness"
same_names() { [ "$(ls "$1" | sed 's/-v0.11.0.uop//')" = "$(ls "$2" | sed -n 's/\.uop$//p')" ]; }
same_names alone camp/causes || fail "alone and camp/causes: $(ls alone camp/causes)"
lines out 5
same out camp/findings.jsonl
has camp/logs/0 "-artifact_prefix=camp/faults/ camp/corpus"
has camp/status.json '"engine":"libfuzzer","target":"fuzz_simplify"'
has camp/status.json '"graphs":4500,'
has junit.xml '<error type="harness"/>'
has sarif.json fold_divmod_congruence

run check --profile v0.11.0 camp/findings.jsonl
expect 1
run report camp
expect 0
has out libfuzzer

# what a target of another version saved is kept as it is, though it can't be read here; what is no
# finding at all is told once
fake fuzz_simplify <<S
echo x >odd/found/x-v0.11.0.uop
{ printf 'uop 1\nmeta kind value\nmeta frame ideal\nmeta rule add_self\n'; echo '%0 = NEW_OP int'; } >odd/found/value-ideal-add_self-ADD-v0.11.0.uop
exec "$random" --seed 4 --runs 4000000
S
rm -rf odd
run fuzz --engine libfuzzer --out odd --target-dir fake --profile v0.11.0 --no-reduce --runs 3000
expect 4
has err "odd/found/x-v0.11.0.uop: not a finding of a fuzz target"
has err "unknown op"
has odd/findings.jsonl '"cause":"value-ideal-add_self-ADD","kind":"value","frame":"ideal","rule":"add_self"'
has odd/findings.jsonl '"note":"not seen again"'
same odd/found/value-ideal-add_self-ADD-v0.11.0.uop odd/causes/value-ideal-add_self-ADD.uop
[ "$(grep -c 'uproof: odd' err)" = 2 ] || fail "told more than once: $(grep 'uproof: odd' err)"

# another engine goes on in the same folder; nothing is told twice, and what is known is known
touch fake/libuproof_afl_mutator.so
mkdir -p bin
printf '#!/bin/sh\nexec "%s" --seed 4 --runs 400000\n' "$random" >bin/afl-fuzz
chmod +x bin/afl-fuzz
cp fake/fuzz_simplify fake/fuzz_simplify-afl
printf '* * *\n' >known.txt
PATH=$PWD/bin:$PATH run fuzz --engine afl --out camp --target-dir fake --profile v0.11.0 --no-reduce \
  --jobs 2 --runs 6000 --known known.txt
expect 3
lines out 0
has err "causes ("
has err " 0 new)"
none_left "$random"

# killed: no process is left, nothing is lost, and --resume knows the engine
fake fuzz_simplify <<S
exec "$random" --seed 4 --runs 4000000
S
"$UPROOF" fuzz --engine libfuzzer --out again --target-dir fake --profile v0.11.0 --no-reduce \
  --seconds 100 --jobs 2 >out 2>err &
pid=$!
running 2 "$random"
for _ in $(seq 600); do
  [ "$(ls again/found 2>/dev/null | wc -l)" -ge 5 ] && break
  sleep 0.1
done
kill -KILL $pid
{ wait $pid; } 2>/dev/null
command_line="fuzz --engine libfuzzer, killed"
none_left "$random"
run fuzz --resume --out again --target-dir fake --runs 1500
expect 1
whole again
has again/status.json '"engine":"libfuzzer"'
for f in again/found/*.uop; do
  cause=$(basename "$f" -v0.11.0.uop)
  [ -f "again/causes/$cause.uop" ] || fail "$cause is lost"
done

# a signal ends it in good order
"$UPROOF" fuzz --resume --out again --target-dir fake --seconds 100 >out 2>err &
pid=$!
running 1 "$random"
kill -TERM $pid
status=0
wait $pid || status=$?
command_line="fuzz --engine libfuzzer, SIGTERM"
expect 1
has err "stopped early"
none_left "$random"

# an input on which the target fails is kept and told; the target is started again
fake fuzz_simplify <<S
[ -f seen ] && exec "$random" --seed 4 --runs 4000000
touch seen
echo bad >broken/faults/crash-1
echo "uproof: the harness failed: this never holds"
echo "more words"
exit 77
S
rm -rf seen broken
run fuzz --engine libfuzzer --out broken --target-dir fake --profile v0.11.0 --no-reduce --runs 200
expect 4
has err "exited with status 77: uproof: the harness failed: this never holds"
has err "itself failed on an input: broken/faults/crash-1"
lacks err "not started again"

# a target of texts needs no module of mutators
fake fuzz_parse-afl <<S
S
rm -rf texts
PATH=$PWD/bin:$PATH run fuzz --engine afl --target fuzz_parse --out texts --target-dir fake --runs 1
lacks err "mutators"
finish
