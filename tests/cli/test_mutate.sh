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

usage() {
  run mutate "$@"
  expect 2
  lines out 0
  lines err 1
}
usage --rule no_such_rule
has err "mutate: no rule 'no_such_rule'"
usage --every 0
usage --limit-rlimit 0
usage --profile v9.9.9
has err "unknown profile 'v9.9.9'"
printf 'rule r : x + 0 -> x\n' >my.rules
usage --rules my.rules
usage operand
finish
