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
run minimize --profile v0.10.0 --rule no_such_rule small.uop
expect 0
has err "no such finding"
finish
