# uproof equiv and minimize.
. "$SRC/tests/cli/lib.sh"

printf 'x in [-8,8]\nx//2 < 0\n' >a
printf 'x in [-8,8]\nx < 0\n' >b
printf 'x in [-8,8]\nx < -1\n' >c
run equiv a b
expect 1
has out 'ideal: differs'
has out 'at {"x":-1}: a gives 0, b gives 1'
run equiv a c
expect 0
has out 'ideal:'
run equiv --frame all --json a b
expect 1
lines out 3
has out '"verdict":"differs"'
has out '"witness":{"x":-1},"expected":0,"actual":1'
printf 'x in [-8,9]\nx < -1\n' >other
run equiv a other
expect 2
lines err 1
has err "another range"
run equiv a no-such-file
expect 2

# defined on one side only, whichever side that is
printf 'x in [-1,1]\nx//x\n' >u
printf '1\n' >one
run equiv u one
expect 1
has out '"x":0'
has out "u gives undefined, one gives 1"
run equiv one u
expect 1
has out "one gives 1, u gives undefined"

# wrap and ideal tell apart what overflows
printf '{"nodes":[["DEFINE_VAR","char",[],["x",-128,127]],["CONST","char",[],1],["ADD","char",[0,1],null],["CMPLT","bool",[0,2],null]]}\n' >over
printf '{"nodes":[["DEFINE_VAR","char",[],["x",-128,127]],["CONST","char",[],0],["MUL","char",[0,1],null],["CONST","char",[],1],["CMPLT","bool",[2,3],null]]}\n' >true
run equiv over true
expect 0
run equiv --frame wrap over true
expect 1
has out '{"x":127}'

# scripts: unsat means equal, for whichever solvers are here
solve() {
  for solver in "z3 -smt2" "cvc5 --lang=smt2"; do
    command -v "${solver%% *}" >/dev/null || continue
    checks=$((checks + 1))
    $solver "$1" >answer 2>&1
    [ "$(cat answer)" = "$2" ] || fail "$solver $1: $(head -3 answer), expected $2"
  done
}
printf 'x in [-20,30], y in [1,9]\n(x//y)*y + x%%y\n' >split
printf 'x in [-20,30], y in [1,9]\nx\n' >whole
printf 'x in [-20,30], y in [1,9]\nx + x%%2*((x*y)//261)\n' >nearly
printf 'x in [-20,30], y in [1,9]\n((x^y)&7)|(y<<2)\n' >bits
printf 'x in [-20,30], y in [1,9]\n(y*4)|(7&(y^x))\n' >bits2
printf 'x in [-20,30], y in [0,9]\nx//y*0\n' >zero
printf 'x in [-20,30], y in [0,9]\n0*x\n' >zero2
for frame in ideal wrap refine; do
  for pair in "split whole unsat" "split nearly sat" "bits bits2 unsat" "bits split sat" \
    "split split unsat"; do
    set -- $pair
    run equiv --frame $frame --smt2 script.smt2 "$1" "$2"
    expect 0
    solve script.smt2 "$3"
  done
done
# names that the language, or a theory, has for itself
cat >names1 <<'NAMES'
_ in [8,9], ite in [0,3], bvadd in [0,3], union in [0,1], Int in [0,5], nil in [0,1]
_ + ite*bvadd + union*Int + nil
NAMES
sed 's/^_ + \(.*\)/\1 + _/' names1 >names2
for frame in ideal wrap; do
  run equiv --frame $frame --smt2 script.smt2 names1 names2
  expect 0
  lacks script.smt2 '(declare-fun ite '
  solve script.smt2 unsat
done
run equiv --smt2 - zero zero2
expect 0
has out '; frame ideal'
has out '(declare-fun x () Int)'
has out '(check-sat)'
cp out script.smt2
solve script.smt2 sat
run equiv --smt2 - --frame all zero zero2
expect 2
run equiv --smt2 no-such-folder/script zero zero2
expect 2
has err 'no-such-folder/script: '

# a large box is compiled, where that can be, and the answer is the same where it can't
ranges='x in [0,399]\ny in [1,400]\nz in [0,299]\n'
printf "$ranges"'(x*y+z)%%7 + x\n' >large
printf "$ranges"'x + (x*y+z) - (x*y+z)//7*7\n' >large2
run equiv --limit-rlimit 0 --jobs 2 large large2
expect 0
has out 'ideal: exhausted (exhaust)'
lines err 0
cp out compiled
if ! "$UPROOF" --version | grep -q 'without LLVM'; then
  UPROOF_TEST_LLVM=no-such.so run equiv --limit-rlimit 0 --jobs 2 large large2
  expect 0
  same out compiled
  has err '4 boxes not compiled, but interpreted: no-such.so'
fi

# minimize: a buried bug comes out at its own size, as a .uop that reduces no further
printf 'x in [-20,30]\ny in [0,9]\n((x//2 + (x+1)//2)*3 + y*7)%%1000 + (y//3)*2\n' >big
run minimize --profile v0.10.0 --kind value --rule fold_unrolled_divs big
expect 1
has out "uop 1"
has out "fold_unrolled_divs"
has err "minimize: 7 nodes from"
cp out small.uop
run minimize --profile v0.10.0 small.uop
expect 1
same out small.uop
run minimize --profile v0.10.0 --out infix small.uop
has out " in ["
run minimize --profile v0.10.0 --out tinygrad small.uop
has out "UOp(Ops."
run minimize --profile v0.10.0 --json small.uop
has out '"node_count":7'
run minimize --profile v0.10.0 --kind crash small.uop
expect 0
has err "no such finding"
run minimize --profile v0.10.0 --rule add_zero small.uop
expect 0
has err "no such finding"
finish
