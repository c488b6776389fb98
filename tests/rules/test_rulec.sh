#!/usr/bin/env bash
# What rulec refuses beyond what the rule parser does (test_errors.c), with file, line and column; and
# the near misses that it must let through.
set -u
rulec=$BUILD/rulec
rows=0
failures=0

report() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

# refuses LINE:COL WORDS TEXT
refuses() {
  rows=$((rows + 1))
  printf '%b' "$3" >t.rules
  "$rulec" t.rules >out 2>err
  [ $? = 1 ] || report "accepted: $3"
  case $(cat err) in
  "t.rules:$1: "*"$2"*) ;;
  *) report "$3: got $(cat err); want $1: $2" ;;
  esac
  [ "$(wc -l <err)" = 1 ] || report "not one line: $3"
}

accepts() {
  rows=$((rows + 1))
  printf '%b' "$1" >t.rules
  "$rulec" t.rules >out 2>err || report "refused: $1: $(cat err)"
}

# ---- names and ops
refuses 2:6 "there already" 'rule a : x + y -> x\nrule a : x * y -> x\n'
refuses 1:19 "not bound" 'rule a : x + y -> z\n'
refuses 1:10 "unknown op" 'rule a : FOO(x) -> x\n'

# ---- shadowed rules
refuses 2:6 "'a' (line 1)" 'rule a : x + y -> x\nrule b : x + 1 -> x\n'
refuses 2:6 "'a' (line 1)" 'rule a : x + y -> x\nrule b : x + y -> y when vmin(x) > 0\n'
refuses 2:6 "'a' (line 1)" 'rule a : x * 0 -> [0]@x\nrule b : 0 * x -> [0]@x\n'
refuses 2:6 "'a' (line 1)" 'rule a : x + c -> x\nrule b : x + k -> x\n'
refuses 2:6 "'a' (line 1)" 'rule a : ALU(x, y) -> x\nrule b : x // y -> y\n'
refuses 2:6 "'a' (line 1)" 'rule a : ADD(x, ..) -> x\nrule b : x + y -> y\n'
refuses 2:6 "'a' (line 1)" 'rule a : x@ints + y -> x\nrule b : x@int + y -> y\n'
refuses 2:6 "'a' (line 1)" 'rule a : x + (y * z) -> x\nrule b : (x * y) + (z * w) -> x\n'
refuses 3:6 "'a' (line 1)" 'rule a : x + x -> x\nrule b : (y * z) + x -> x\nrule d : ADD(q:MUL, q) -> q\n'
refuses 2:6 "'a' (line 1)" 'rule a : VECTORIZE(CONST...) -> 0\nrule b : VECTORIZE(k, 1) -> 1\n'
refuses 2:6 "'a' (line 1)" 'rule a : ALU(any(x // y, x % y), z) -> z\nrule b : ALU(MOD(x, y), z) -> x\n'
refuses 4:6 "in both" 'ruleset one\nrule a : x + y -> x\nruleset both = one\nrule b : x + 1 -> 1\n'
refuses 2:7 "'a' (line 1)" 'bound a : ADD in [0, 1]\nbound b : ADD(x, y) in [vmin(x), vmax(y)]\n'

# an earlier rule that leaves something: a condition, a name twice, an order, a dtype, a literal
accepts 'rule a : x + y -> x when vmin(x) > 0\nrule b : x + 1 -> x\n'
refuses 2:6 "'a' (line 1)" 'rule a : ALU(x, _) -> x\nrule b : any(x // y, x % y) + z -> z\n'
accepts 'rule a : x + x -> x\nrule b : x + y -> y\n'
accepts 'rule a : x + x -> x\nrule b : ADD(MUL, MUL) -> 1\n'
accepts 'rule a : SINK(x...) -> x\nrule b : SINK(NOOP...) -> NOOP()@void\n'
accepts 'rule a : SINK(x, k) -> x\nrule b : SINK[x, k] -> k\n'
accepts 'rule a : ADD(x, k) -> x\nrule b : x + k -> k\n'
accepts 'rule a : x + k -> x\nrule b : x + c -> c\n'
accepts 'rule a : x@int + y -> x\nrule b : x@ints + y -> y\n'
accepts 'rule a : x@!floats + y -> x\nrule b : x@!int + y -> y\n'
accepts 'rule a : x + 1 -> x\nrule b : x + 2 -> x\n'
accepts 'rule a : x + 1 -> x\nrule b : x + k -> x\n'
accepts 'rule a : (x * y) + y -> x\nrule b : (x * y) + z -> x\n'
accepts 'rule a : SINK(x, y) -> x\nrule b : SINK(x, ..) -> x\n'
accepts 'rule a : SINK(x...) -> x\nrule b : SINK(x, y) -> x\n'
accepts 'rule a : ALU(any(x // y, x % y), z) -> z\nrule b : ALU(x * y, z) -> x\n'
# a native may decline, a rule that gives the node back may be passed over
accepts 'rule a : x // k -> native div_folding(x, k)\nrule b : x // 2 -> x\n'
accepts 'rule a : r:ADD(x, y) -> r\nrule b : x + 1 -> x\n'
accepts 'rule a : r:ADD(x, y) -> r(y, x)\nrule b : x + 1 -> x\n'
accepts 'rule a : x + y -> ADD(y, x)\nrule b : x + 1 -> x\n'
accepts 'bound a : n:DEFINE_VAR in [var_min(n), var_max(n)]\nbound b : n:DEFINE_VAR in [0, 1]\n'
# another set
accepts 'ruleset one\nrule a : x + y -> x\nruleset two\nrule b : x + 1 -> x\n'

# ---- conditions that never hold
refuses 1:6 "never holds" 'rule a : x + k -> x when k > 0 and k < 0\n'
refuses 1:6 "never holds" 'rule a : x + k -> x when k > 0 and 0 >= k\n'
refuses 1:6 "never holds" 'rule a : x + k -> x when k == 3 and k == 4\n'
refuses 1:6 "never holds" 'rule a : x + k -> x when k == 3 and k != 3\n'
refuses 1:6 "never holds" 'rule a : x + k -> x when k >= 3 and k <= 3 and k != 3\n'
refuses 1:6 "never holds" 'rule a : x + k -> x when k < -1 and (k > 0 or k == -1)\n'
refuses 1:6 "never holds" 'rule a : x + k -> x when (k < 0 or k > 5) and k >= 0 and k <= 5\n'
refuses 1:6 "never holds" 'rule a : x + k -> x when False and k > 0\n'
refuses 1:6 "never holds" 'rule a : x + y -> x when vmin(x) > 3 and vmin(x) < 3\n'
refuses 1:7 "never holds" 'bound a : ADD(x, y) in [0, 1] when vmax(y) > 1 and vmax(y) == 1\n'
accepts 'rule a : x + k -> x when k >= 0 and k <= 0\n'
accepts 'rule a : x + k -> x when k > 0 and k < 1\n'
accepts 'rule a : x * k0 + k1 -> x when k0 > 0 and k1 < 0\n'
accepts 'rule a : x + y -> x when vmin(x) > 0 and vmin(y) < 0\n'
accepts 'rule a : x + k -> x when k > 0 or k < 0\n'
accepts 'rule a : x + k -> x when not (k > 0 and k < 0)\n'
accepts 'rule a : x + k -> x when k == 1 and (k == 2 or k == 1)\n'

# ---- bad usage, and the shipped files
"$rulec" >out 2>err && report "no file: accepted"
"$rulec" missing.rules >out 2>err
[ $? = 2 ] || report "missing file: not status 2"
"$rulec" "$SRC"/engine/rules/*.rules || report "a shipped rule file is refused"
mkdir -p code
"$rulec" --out code --docs rules.md "$SRC"/engine/rules/*.rules || report "no code"
for file in "$SRC"/engine/rules/*.rules; do
  name=$(basename "$file")
  grep -q "^## $name" rules.md || report "$name is not documented"
  # each rule has a function that cites its line, and a row
  for rule in $(sed -n 's/^\(rule\|bound\) \([A-Za-z0-9_]*\).*/\2/p' "$file"); do
    grep -q " rule_$rule(up_ctx" code/*.c || report "$rule is not compiled"
    grep -q "| \`$rule\` |" rules.md || report "$rule is not documented"
  done
done
grep -q "symbolic-v0.11.0.rules:[0-9]*$" code/symbolic_v0_11_0.c || report "no line is cited"

echo "rulec: $rows rule texts, $failures failures"
[ "$failures" = 0 ]
