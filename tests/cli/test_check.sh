# uproof check: verdicts, findings as JSON lines, summary, exit statuses, order with --jobs.
. "$SRC/tests/cli/lib.sh"

printf 'x in [0,255]\nx//4*4 + x%%4\n' >sound
run check --profile v0.10.0 sound
expect 0
lines out 0
lines err 1
has err "check: 1 graphs, 0 findings, 0 undecided"
has err "seed 1"

printf 'x in [-6,6]\nx//2 + (x+1)//2\n' >unrolled
run check --profile v0.10.0 unrolled
expect 1
lines out 1
for key in '"file":"unrolled"' '"id":null' '"profile":"v0.10.0"' '"kind":"value"' \
  '"frame":"ideal"' '"rule":"fold_unrolled_divs"' '"witness":{"x":' '"expected":' '"actual":' \
  '"reduced":"x in [' '"node_count":' '"nodes":[['; do
  has out "$key"
done
has err "check: 1 graphs, 1 findings,"
cp out finding

# the line of a finding can be checked again, and has the same finding
run check --profile v0.10.0 finding
expect 1
has out '"rule":"fold_unrolled_divs"'
run check --profile v0.10.0 --no-reduce unrolled
expect 1
has out '"reduced":"x in [-6,6]'

# the finding is wrong in both frames; --frame all counts each
run check --profile v0.10.0 --frame all unrolled
expect 1
lines out 3
has out '"frame":"wrap"'
has out '"frame":"refine"'
has err "check: 1 graphs, 3 findings"

cat >rows <<'J'
{"id": 1, "nodes": [["DEFINE_VAR","int",[],["x",0,9]],["CONST","int",[],1],["MUL","int",[0,1],null]], "simplified": [["CONST","int",[],7]]}
{"id": "neg", "nodes": [["DEFINE_VAR","int",[],["x",-5,5]],["CONST","int",[],3],["MOD","int",[0,1],null]]}
{"id": 3, "mode": "no_such_mode", "nodes": [["CONST","bool",[],true]], "valid": [["CONST","bool",[],true]]}
J
run check --profile v0.10.0 rows
expect 1
lines out 1
has out '"id":"neg","profile":"v0.10.0","kind":"bounds"'
has out '"rule":"bound_mod_pos"'
has err "out of scope: this mode"
has err "check: 3 graphs, 1 findings"
has err "1 out of scope"

# one malformed row: told with its place, the others are checked, exit status 2
printf '{"nodes": [["CONST","int",[],1]]}\n{"nodes": [["CONST","int"\n' >bad
cat rows >>bad
run check --profile v0.10.0 bad
expect 2
lines out 1
has err "uproof: bad:2:"
has err "1 unreadable"
run check --profile v0.10.0 no-such-file sound
expect 2
has err "uproof: no-such-file:"
has err "check: 1 graphs"

# of several the worst: unreadable, a finding, an error, undecided
printf 'x in [-9,9]\n(x-1)//2\n' >wrong
printf 'x in [0,1000000]\ny in [0,1000000]\n(x*y*4 + 2)//4\n' >open
run check --profile v0.10.0 --no-reduce bad wrong
expect 2
UPROOF_TEST_SOLVER=crash:1 run check --profile v0.10.0 --no-reduce open wrong
expect 1
has err " 1 error"
UPROOF_TEST_SOLVER=crash:1 run check --profile v0.10.0 --no-reduce open
expect 4
printf 'x in [0,100000]\n1 << x\n' >far
run bounds far
expect 3
has err "limit-bits"
run bounds far no-such-file
expect 2

# undecided is counted, explained and exit status 3: this box is too big for the rest of the cascade
printf 'x in [0,1000000]\ny in [0,1000000]\n(x*y*4 + 2)//4\n' >wide
run check --profile v0.10.0 --limit-rlimit 1 wide
expect 3
has err "1 undecided"
has err "wide: ideal: undecided"
run check --profile v0.10.0 --limit-rlimit 0 wide
expect 0
has err "1 sampled"

# standard input
run check --profile v0.10.0 - <sound
expect 0
"$UPROOF" check --profile v0.10.0 - <unrolled >out 2>err
has out '"file":"-"'

# order and text do not depend on --jobs
for i in $(seq 1 40); do
  printf '{"id":%d,"nodes":[["DEFINE_VAR","int",[],["x",-%d,%d]],["CONST","int",[],%d],["MOD","int",[0,1],null],["CONST","int",[],%d],["IDIV","int",[2,3],null]]}\n' \
    "$i" $((i % 7)) $((i % 5 + 1)) $((i % 4 + 2)) $((i % 3 + 1))
done >many
run check --profile v0.10.0 many
cp out one
cp err one.err
[ -s one ] || fail "check many: no finding to compare"
for jobs in 2 3 7; do
  run check --profile v0.10.0 --jobs $jobs many
  same out one
  same err one.err
done
run check --profile v0.10.0 --jobs 3 many rows sound
has err "check: 44 graphs"
run check --profile v0.10.0 --quiet many
lines err 0

# near the solver's limit: nor on what else is in the file, nor on which row comes first
zcat "$SRC/corpus/golden/v0.11.0-fuzz-cdf0.jsonl.gz" | sed -n 140,158p >hard
tac hard >backward
judged() {
  run check --profile v0.11.0 --frame wrap --no-reduce --verdicts --limit-points 1 --limit-rlimit 4000 "$@"
  sed 's/"file":"[a-z]*"//' out | sort >findings
  sed 's/^[a-z]* \([0-9]*:\)/\1/' err | sort >verdicts
}
judged hard
has err 'undecided ('
has err 'proved (z3-int)'
has out '"kind":"value"'
cp findings findings.one
cp verdicts verdicts.one
for jobs in 1 3; do
  judged --jobs $jobs backward
  same findings findings.one
  same verdicts verdicts.one
done
judged --limit-solver 0 hard
same findings findings.one
same verdicts verdicts.one

# a sum of which the solver knows too little: its terms' claims by all their points, its own by intervals
printf 'a in [-10,0], c in [1,10], d in [0,1000000], r in [0,99]\n((a*((a^c)//7))*4)+(((((a*-2)+(d*-58))+-3)%%r)//5)\n' >apart
run check --frame wrap --verdicts --limit-rlimit 100000 apart
expect 0
has err 'exhausted (exhaust): bounds'

# of any declared range a bool takes 0 and 1: its claim is right, and so says every way to an answer
printf 'v in [-8,0] : bool\nv\n' >odd
run check --frame all odd
expect 0
has err "1 certified"
run check --frame all --no-certificates odd
expect 0
has err "3 proved"
run check --frame all --no-certificates --limit-points 0 odd
expect 0
run bounds --exact odd
has out "[-8, 0]  exact: [0, 0]"

# which stage decided how many
printf 'x in [0,255]\n(x*3+x)//4\n' >small
printf 'x in [0,1000000000], y in [0,1000000000]\n(x*3+x)//4 + y*0 + max(y,0)\n' >large
run check small large
expect 0
has err ", 2 certified,"
has err ", 2 by certificate, seed 1"
run check --no-certificates small large
expect 0
has err ", 1 by exhaust, 1 by z3-int, seed 1"
run check --no-certificates --json small large
has err '"exhausted":1,'
has err '"exhaust":1,"z3-int":1,'
lines err 1

# a user's own rules are judged as well
printf 'ruleset symbolic\nrule half : x + x -> x\n' >wrong.rules
printf 'x in [0,3]\nx + x\n' >double
run check --profile v0.10.0 --rules wrong.rules double
expect 1
has out '"rule":"half"'
# a bool variable of a wide range: claims that rest on it are not certified, since proofs take a bool's
# claim to be 0 or 1. It is 0 or 1; and of release 0.11.0 `-2 and 1` is 1
printf 'v in [-2,1] : bool\nv & True\n' >wide-bool
for how in '' --no-certificates; do
  run check $how --profile v0.11.0 wide-bool
  expect 1
  has out '"rule":"bound_and_bool"'
  run check $how wide-bool
  expect 0
done
finish
