# uproof simplify and trace: forms of output, several graphs, what the modelled engine can't do.
. "$SRC/tests/cli/lib.sh"

printf 'x in [0,255]\nx//4*4 + x%%4\n' >g
run simplify --profile v0.10.0 g
expect 0
printf 'x in [0,255]\nx\n' >want
same out want
lines err 0
run simplify --profile v0.10.0 --out uop g
expect 0
has out "uop 1"
has out 'DEFINE_VAR int ["x", 0, 255]'
cp out g.uop
run simplify --profile v0.10.0 --out json g.uop
expect 0
has out '{"nodes":[["DEFINE_VAR","int",[],["x",0,255]]],"steps":0}'
run simplify --profile v0.10.0 --json g
expect 0
has out '"steps":1'
run simplify --profile v0.10.0 --out tinygrad g
has out 'UOp(Ops.DEFINE_VAR, dtypes.int, (), ("x", 0, 255))'
printf 'x in [-9,9]\n(x-1)//2\n' >half
run simplify --profile v0.10.0 --out smt2 g half
expect 0
for solver in "z3 -smt2" "cvc5 --lang=smt2"; do
  command -v "${solver%% *}" >/dev/null || continue
  $solver out >answer 2>&1
  printf 'unsat\nsat\n' >answers
  same answer answers
done
run simplify --profile v0.10.0 --out dot g
has out 'digraph'
has out 'DEFINE_VAR x [0, 255]'
"$UPROOF" simplify --profile v0.10.0 - <g >out
same out want

# rows keep their ids, one result a row
cat >rows <<'J'
{"id": 7, "nodes": [["CONST","int",[],2],["CONST","int",[],3],["ADD","int",[0,1],null]]}
{"id": "b", "nodes": [["DEFINE_VAR","int",[],["x",0,3]],["CONST","int",[],1],["MUL","int",[0,1],null]]}
J
run simplify --profile v0.10.0 --json rows
expect 0
lines out 2
has out '{"id":7,"nodes":[["CONST","int",[],5]],"steps":1}'
has out '{"id":"b","nodes":[["DEFINE_VAR","int",[],["x",0,3]]],"steps":1}'

# a bad row is told with its place, the others are done
cat >bad <<'J'
{"id": 1, "nodes": [["CONST","int",[],2]]}
{"id": 2, "nodes": [["CONST","int",[],2],["FROB","int",[0],null]]}
{"id": 3, "nodes": [["CONST","int",[],4]]}
J
run simplify --profile v0.10.0 --json bad
expect 2
lines out 2
lines err 1
has err "uproof: bad:2:"

# division by a constant 0 raises in the modelled engine
printf 'x in [0,3]\nx + 5%%0\n' >raise
run simplify --profile v0.10.0 raise
expect 1
has err "ZeroDivisionError"

run trace --profile v0.10.0 g
expect 0
has out "(((x//4)*4)+(x%4))  ->  x"
has out "result: x"
run trace --profile v0.10.0 --json g
lines out 2
has out '"before":"(((x//4)*4)+(x%4))","after":"x"'
run trace --profile v0.10.0 raise
expect 1
has out "no result: ZeroDivisionError"
run trace --profile v0.10.0 --limit-steps 1 g
expect 0

# a user's own rules, with a loop among them
printf 'ruleset symbolic\nrule twist : x + y -> y + x\n' >loop.rules
printf 'x in [0,3]\ny in [0,3]\nx + y\n' >sum
run trace --profile v0.10.0 --rules loop.rules sum
expect 1
has out "never ends"
has out "|"
run simplify --profile v0.10.0 --rules loop.rules sum
expect 1
has err "loop"
printf 'ruleset symbolic\nrule twist : x + -> y\n' >broken.rules
run simplify --profile v0.10.0 --rules broken.rules sum
expect 2
has err "uproof: broken.rules:2:"
finish
