#!/usr/bin/env bash
# The rule table of a profile, and of a user's rules.
. "$SRC/tests/cli/lib.sh"

run rules --profile v0.10.0
expect 0
has out 'add_zero '
has out 'symbolic-v0.10.0.rules:'
has out 'x + 0 -> x'
want=$(cat "$SRC"/engine/rules/symbolic-v0.10.0.rules "$SRC"/engine/rules/bounds-v0.10.0.rules |
  grep -cE '^(rule|bound) ')
[ "$(wc -l <out)" = "$want" ] ||
  fail "a rule is missing, or one too many"

run rules --profile v0.10.0 --known-wrong
expect 0
has out 'wrong in'
lacks out 'add_zero '

run rules --profile v0.11.0 --native
expect 0
has out 'native '
lacks out 'add_zero '

run rules --profile v0.10.0 --json
expect 0
has out '{"name":"div_self","kind":"rule","file":"symbolic-v0.10.0.rules","line":'
has out '"wrong_in":["wrap"],"counterexample":"x = 0: 0//0 is 0"'

printf 'rule mine : x + 0 -> x\n' >user.rules
run rules --rules user.rules
expect 0
has out 'mine'
has out 'bound_add'
# the name of a bound that comes with the profile
printf 'rule mine : x + 0 -> x\nrule bound_lt : x * 1 -> x\n' >user.rules
run rules --profile v0.11.0 --rules user.rules
expect 2
has err "user.rules:2:6: rule 'bound_lt' is there already (bounds-v0.11.0.rules line "

# rules that can't apply
printf 'rule a : x + y -> x\nrule b : x + 1 -> x\n' >user.rules
run rules --rules user.rules
expect 0
has err "user.rules:2:6: warning: rule 'b' never applies in symbolic: 'a' (line 1) takes every node"
run rules --rules user.rules --quiet
lacks err 'warning'
printf 'rule a : x + k -> x when k > 0 and k < 0\n' >user.rules
run rules --rules user.rules
expect 0
has err "user.rules:1:6: warning: the condition of rule 'a' never holds"

printf 'rule mine : x + 0 -> y\n' >user.rules
run rules --rules user.rules
expect 2
has err 'user.rules:1:22: '

run rules extra
expect 2

finish
