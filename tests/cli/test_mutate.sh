#!/usr/bin/env bash
# uproof mutate: who catches a slip, which ones are printed, the count, JSON, exit statuses, bad usage.
. "$SRC/tests/cli/lib.sh"

none="0 vacuous, 0 unknown, 0 unsupported, 0 error"

# x + 1 -> x is the only slip in x + 0 -> x; both layers catch it, so that nothing is printed
run mutate --rule add_zero --runs 300
expect 0
lines out 0
lines err 1
has err "mutate: 1 mutants, 0 no rule, 0 equivalent, 1 refuted, $none; aimed fuzz found 1 of 1 refuted; fuzz found 1 of 1 refuted, seed 1"
run mutate --rule add_zero --runs 300 --quiet --each
expect 0
lines err 0
grep -q "^refuted  *add_zero  *symbolic-sound.rules:[0-9]*:[0-9]* '1' for '0'  \[aimed: value in graph [0-9]*\]  \[fuzz: value in graph [0-9]*\]$" out ||
  fail "--each does not show the mutant"
has out "1 becomes 0"

# without fuzzing there is no score, and no survivor of it
run mutate --rule add_zero --runs 0 --aimed 0
expect 0
lines out 0
has err ", 1 refuted, $none, seed 1"
lacks err "fuzz"

# those that one graph can't show are printed: the survivors
run mutate --rule div_div --aimed 0 --runs 1
expect 0
[ "$(grep -c "^refuted  *div_div .*\[fuzz: not found\]$" out)" = 4 ] || fail "not four survivors"
has err "4 refuted, $none; fuzz found 0 of 4 refuted"
run mutate --rule div_div --aimed 0 --runs 1 --json
[ "$(grep -c '"fuzz":null,"survives":true,"contradiction":false}' out)" = 4 ] || fail "no four in JSON"
run mutate --rule div_div --aimed 100 --runs 0 --json
[ "$(grep -c '"aimed":{.*"survives":false,"contradiction":false}' out)" = 4 ] || fail "aimed: survivors"

# a rule is fuzzed by a set that has it
run mutate --rule mul_add --runs 300
expect 0
lines out 0
has err "5 refuted, $none; aimed fuzz found 5 of 5 refuted; fuzz found 5 of 5 refuted"

# undecided is not equivalent: exit status 3, and the mutants are named
run mutate --rule bound_and_negative --runs 0 --aimed 0 --limit-rlimit 1
expect 3
lines out 8
[ "$(grep -c "^unknown  *bound_and_negative " out)" = 4 ] || fail "not four undecided"
has err "2 equivalent, 21 refuted, 0 vacuous, 4 unknown, 0 unsupported, 0 error, seed 1"
run mutate --rule bound_and_negative --runs 0 --aimed 0 --limit-rlimit 1 --json
expect 3
[ "$(grep -c '"fate":"unknown",.*"survives":true,"contradiction":false}' out)" = 4 ] || fail "JSON"
run mutate --rule bound_and_negative --runs 0 --aimed 0
expect 0
has err "6 equivalent, 21 refuted, $none, seed 1"

# slips that change nothing, and premises that can't hold, are told apart from wrong ones
run mutate --rule mul_zero --runs 50 --json
expect 0
lines out 3
[ "$(grep -c '"fate":"refuted"' out)" = 2 ] || fail "mul_zero: not two refuted"
has out '"change":"dtype left out","fate":"equivalent"'
has out '"rule":"mul_zero","file":"symbolic-sound.rules","line":'
has out '"aimed":{"kind":"value","graph":'
has out '"fuzz":{"kind":"value","graph":'
run mutate --rule div_one --runs 0 --aimed 0 --each # x // 0 -> x
has out "the premises can't hold"
has err "1 refuted, 1 vacuous"

# a bounds rule is tried in front of that of the profile; a release's is mutated as well as sound's
run mutate --profile v0.11.0 --rule bound_add --runs 100 --each
expect 0
grep -q "^refuted  *bound_add  *bounds-v0.11.0.rules:[0-9:]* '-' for '+'  \[aimed: bounds in graph [0-9]*\]  \[fuzz: bounds in graph" out ||
  fail "bound_add: a wrong sign is not found"
cp out one
n=$(grep -c '^refuted' one)
run mutate --profile v0.11.0 --rule bound_add --runs 100 --each --jobs 2
same out one
run mutate --profile v0.11.0 --rule bound_add --runs 0 --aimed 0 --every 2
has err "mutate: $(((n + 1) / 2)) mutants"

# what is kept is not asked again: a prover that can do nothing has nothing to do
rm -rf kept part inputs
run mutate --rule bound_and_negative --runs 3 --aimed 0 --keep kept
cp out one
lines kept 28
run mutate --rule bound_and_negative --runs 3 --aimed 0 --keep kept --limit-rlimit 1
expect 0
same out one
lines kept 28
# nor is what a slip in the keys' texts would make another mutant
run mutate --rule div_div --aimed 0 --runs 1 --keep kept
lines kept 32

# survivors go on with more graphs, and what they have come to is kept
run mutate --rule div_div --aimed 0 --runs 1 --seconds 60 --keep kept --table
expect 0
has out "| fuzz | 0 | 4 | 4 | 4 | 4 | 4 | 100.0 % |"
run mutate --rule div_div --aimed 0 --runs 1 --keep kept
lines out 0
has err "fuzz found 4 of 4 refuted"
printf 'a line that was cut o' >>kept # by a power failure: it is dropped
n=$(grep -c '' kept)
run mutate --rule div_div --aimed 0 --runs 1 --keep kept
has err "fuzz found 4 of 4 refuted"
lines kept $((n - 1))

# a verdict that a graph contradicts: one of prover and fuzzer is wrong, and the status says so
sed 's/refuted/equivalent/' kept >forged
run mutate --rule div_div --aimed 0 --runs 1 --keep forged
expect 4
[ "$(grep -c "^equivalent  *div_div .*\[fuzz: value in graph" out)" = 4 ] || fail "not four contradictions"
has err "4 CONTRADICTIONS"

# C code is judged in a small scope, lists of two lanes among it
run mutate --rule fold_float --aimed 1500 --seed 8 --runs 0 --each --keep scope
expect 0
grep -q "^refuted  *fold_float .* dtype left out  \[aimed: value in graph" out || fail "fold_float of integers"
has out "NEG:uchar.vec2("

# what a graph shows counts, though the small scope did not
sed 's/refuted/equivalent/; s/NEG:uchar.*//' scope >missed
run mutate --rule fold_float --aimed 1500 --seed 8 --runs 0 --each --keep missed
expect 0
grep -q "^refuted  *fold_float .* dtype left out  \[aimed: value in graph" out || fail "fold_float of integers"
has out "by a graph: the small scope of its C code does not show it"

# given graphs, of files and of folders of inputs, are a layer of their own
printf 'x in [0,100]\n(x//3)//5\n' >graph.txt
run mutate --rule div_div --aimed 0 --runs 0 --each graph.txt
expect 0
[ "$(grep -c "^refuted  *div_div .*\[corpus: value in graph 0\]$" out)" = 4 ] || fail "corpus: not four"
has err "corpus found 4 of 4 refuted"
mkdir inputs && cp "$SRC"/corpus/seed/fuzz_simplify/0* inputs
run mutate --rule add_zero --aimed 0 --runs 0 --each --json inputs
has out '"corpus":{"kind":"value"'

# no graph can show what an earlier rule always takes
run mutate --rule and_false --aimed 2000 --runs 0
expect 0
[ "$(grep -c "^refuted .*\[aimed: not found\]  \[alone: .*\[hidden by and_true (20)\]$" out)" = 3 ] ||
  fail "and_false is hidden by and_true"
has err "3 refuted, $none; aimed fuzz found 0 of 3 refuted, 3 hidden by other rules, seed 1"

# interrupted, it tells what it has, and has kept it
timeout -s INT 1 "$UPROOF" mutate --runs 2000 --keep part >out 2>err
n=$(sed -n 's/^mutate: \([0-9]*\) mutants,.*/\1/p' err)
[ "$n" -lt 1983 ] && [ "$(grep -vc '^#' part)" -le "$n" ] || fail "interrupted: $n mutants told"

usage() {
  run mutate "$@"
  expect 2
  lines out 0
  lines err 1
}
usage --rule no_such_rule
has err "no rule 'no_such_rule' in "
usage --every 0
usage --limit-rlimit 0
usage --profile v9.9.9
has err "unknown profile 'v9.9.9'"
printf 'rule r : x + 0 -> x\n' >my.rules
usage --rules my.rules
usage no_such_file
usage --keep my.rules
has err "my.rules: not a file of"
(head -2 kept && echo nonsense) >bad
usage --rule div_div --keep bad
has err "bad:3: no outcome of a mutant"
finish
