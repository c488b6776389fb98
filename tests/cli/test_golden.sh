# uproof golden: agreement and every kind of disagreement is counted.
. "$SRC/tests/cli/lib.sh"

X='["DEFINE_VAR","int",[],["x",0,7]]'
cat >good <<J
{"id":1,"nodes":[$X,["CONST","int",[],1],["MUL","int",[0,1],null]],"vmin":0,"vmax":7,"simplified":[$X],"svmin":0,"svmax":7,"render":"x"}
{"id":2,"nodes":[$X,["CONST","int",[],0],["MOD","int",[0,1],null],["CONST","int",[],0],["MUL","int",[2,3],null]],"call":"vars","result":[{"nodes":[$X]}]}
{"id":3,"nodes":[["CONST","int",[],6]],"call":"const_factor","result":6}
{"id":4,"nodes":[$X,["CONST","int",[],6],["MUL","int",[0,1],null]],"call":"divides","args":{"v":3},"result":{"nodes":[$X,["CONST","int",[],2],["MUL","int",[0,1],null]]}}
{"id":5,"nodes":[$X,["CONST","int",[],6],["MUL","int",[0,1],null]],"call":"divides","args":{"v":4},"result":null}
{"id":6,"nodes":[$X],"call":"is_increasing","result":true}
{"id":7,"nodes":[$X,["CONST","int",[],2],["ADD","int",[0,1],null]],"call":"pop_const","result":[{"nodes":[$X]},2]}
{"id":8,"nodes":[$X],"call":"is","args":{"other":{"nodes":[$X]}},"result":true}
{"id":9,"nodes":[$X],"call":"is_not","args":{"other":{"nodes":[$X]}},"result":false}
{"id":10,"nodes":[$X,["CONST","int",[],9],["CMPLT","bool",[0,1],null]],"call":"resolve","args":{"default":false},"result":true}
{"id":11,"nodes":[$X,["CONST","int",[],4],["CMPLT","bool",[0,1],null]],"call":"resolve","args":{"default":false},"result":false}
{"id":12,"nodes":[$X],"call":"eval","error":"ValueError"}
{"id":13,"nodes":[["CONST","int",[],4],["CONST","int",[],3],["MUL","int",[0,1],null]],"call":"ssimplify","result":12}
{"id":14,"nodes":[$X,["CONST","int",[],2],["IDIV","int",[0,1],null]],"call":"evaluate","args":{"vars":[["x",7]]},"result":3}
{"id":15,"nodes":[$X,["CONST","int",[],2],["IDIV","int",[0,1],null]],"call":"sym_infer","args":{"var_vals":[[{"nodes":[$X]},5]]},"result":2}
{"id":16,"nodes":[$X],"call":"substitute","args":{"map":[[{"nodes":[$X]},{"nodes":[["CONST","int",[],3]]}]]},"result":{"nodes":[["CONST","int",[],3]]}}
{"id":17,"nodes":[$X,["CONST","int",[],1],["MUL","int",[0,1],null]],"call":"graph_rewrite","args":{"pm":"symbolic_simple"},"result":{"nodes":[$X]}}
{"id":18,"nodes":[["CONST","int",[],5],["CONST","int",[],0],["MOD","int",[0,1],null]],"error":"ZeroDivisionError"}
{"id":19,"nodes":[$X,["CONST","int",[],2],["MUL","int",[0,1],null]],"call":"render","result":"(x*2)"}
J
run golden --profile v0.10.0 good
expect 0
lines out 0
has err "golden: 19 rows, 19 agree, 0 differ, 0 out of scope"
[ "$(tail -1 err)" = "golden: 19 rows, 19 agree, 0 differ, 0 out of scope" ] || fail "the summary is not the last line"

# each answer made wrong: each row differs
C='["CONST","int",[],77]'
cat >wrong <<J
{"id":1,"nodes":[$X,["CONST","int",[],1],["MUL","int",[0,1],null]],"vmin":0,"vmax":7,"simplified":[$X],"svmin":1,"svmax":7,"render":"x"}
{"id":2,"nodes":[$X,["CONST","int",[],0],["MOD","int",[0,1],null],["CONST","int",[],0],["MUL","int",[2,3],null]],"call":"vars","result":[]}
{"id":3,"nodes":[["CONST","int",[],6]],"call":"const_factor","result":5}
{"id":4,"nodes":[$X,["CONST","int",[],6],["MUL","int",[0,1],null]],"call":"divides","args":{"v":3},"result":null}
{"id":5,"nodes":[$X,["CONST","int",[],6],["MUL","int",[0,1],null]],"call":"divides","args":{"v":4},"result":{"nodes":[$C]}}
{"id":6,"nodes":[$X],"call":"is_increasing","result":false}
{"id":7,"nodes":[$X,["CONST","int",[],2],["ADD","int",[0,1],null]],"call":"pop_const","result":[{"nodes":[$X]},3]}
{"id":8,"nodes":[$X],"call":"is","args":{"other":{"nodes":[$X]}},"result":false}
{"id":9,"nodes":[$X],"call":"is_not","args":{"other":{"nodes":[$X]}},"result":true}
{"id":10,"nodes":[$X,["CONST","int",[],9],["CMPLT","bool",[0,1],null]],"call":"resolve","args":{"default":false},"result":false}
{"id":11,"nodes":[$X,["CONST","int",[],4],["CMPLT","bool",[0,1],null]],"call":"resolve","args":{"default":false},"result":true}
{"id":12,"nodes":[$X],"call":"eval","result":3}
{"id":13,"nodes":[["CONST","int",[],4],["CONST","int",[],3],["MUL","int",[0,1],null]],"call":"ssimplify","result":13}
{"id":14,"nodes":[$X,["CONST","int",[],2],["IDIV","int",[0,1],null]],"call":"evaluate","args":{"vars":[["x",7]]},"result":4}
{"id":15,"nodes":[$X,["CONST","int",[],2],["IDIV","int",[0,1],null]],"call":"sym_infer","args":{"var_vals":[[{"nodes":[$X]},5]]},"result":3}
{"id":16,"nodes":[$X],"call":"substitute","args":{"map":[[{"nodes":[$X]},{"nodes":[["CONST","int",[],3]]}]]},"result":{"nodes":[$C]}}
{"id":17,"nodes":[$X,["CONST","int",[],1],["MUL","int",[0,1],null]],"call":"graph_rewrite","args":{"pm":"symbolic_simple"},"result":{"nodes":[$C]}}
{"id":18,"nodes":[["CONST","int",[],5],["CONST","int",[],0],["MOD","int",[0,1],null]],"error":"ValueError"}
{"id":19,"nodes":[$X,["CONST","int",[],2],["MUL","int",[0,1],null]],"call":"render","result":"(2*x)"}
J
run golden --profile v0.10.0 --verbose wrong
expect 1
has err "golden: 19 rows, 0 agree, 19 differ, 0 out of scope"
has out "wrong:1 id 1"
has out "svmin: expected 1, got 0"
has out "render: expected (2*x), got (x*2)"
run golden --profile v0.10.0 --json wrong
lines out 19
has out '"differ":["svmin"]'
cp out one
run golden --profile v0.10.0 --json --jobs 3 wrong
same out one

for field in vmin:0:3 vmax:7:6 simplified:'\[\["DEFINE_VAR","int",\[\],\["x",0,7\]\]\]':'[["CONST","int",[],0]]' render:'"x"':'"y"'; do
  name=${field%%:*}
  rest=${field#*:}
  head -1 good | sed "s/\"$name\":${rest%%:*}/\"$name\":${rest#*:}/" >one-field
  run golden --profile v0.10.0 --json one-field
  expect 1
  has out "\"$name\""
done

# what can't be compared is out of scope and says why
cat >scope <<J
{"id":1,"nodes":[$X],"call":"codegen","result":{"nodes":[$X]}}
{"id":2,"nodes":[$X],"call":"graph_rewrite","args":{"pm":"no_such_set"},"result":{"nodes":[$X]}}
J
run golden --profile v0.10.0 scope
expect 0
has err "golden: 2 rows, 0 agree, 0 differ, 2 out of scope"
has err "not compared 1 x: call of codegen"
has err "not compared 1 x: graph_rewrite no_such_set"

# gzip, standard input, bad rows
gzip -c good >good.gz
run golden --profile v0.10.0 good.gz
expect 0
"$UPROOF" golden --profile v0.10.0 - <good >out 2>err
has err "19 agree"
printf '{"id":1,"nodes":\n' >bad
run golden --profile v0.10.0 bad good
expect 2
has err "uproof: bad:1:"
has err "19 agree"

# all of the recorded answers, where they are
for f in "$SRC"/corpus/golden/v0.10.0-*.jsonl.gz "$SRC"/../shared/golden/v0.10.0-*.jsonl.gz; do
  [ -f "$f" ] || continue
  run golden --profile v0.10.0 "$f"
  checks=$((checks + 1))
  rows=$(tail -1 err | sed 's/golden: \([0-9]*\) rows.*/\1/')
  agree=$(tail -1 err | sed 's/.*, \([0-9]*\) agree.*/\1/')
  scope=$(tail -1 err | sed 's/.*, \([0-9]*\) out of scope/\1/')
  [ $((agree * 100)) -ge $(((rows - scope) * 95)) ] || fail "golden $f: $(tail -1 err)"
done
finish
