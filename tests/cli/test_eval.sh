# uproof eval and bounds.
. "$SRC/tests/cli/lib.sh"

printf 'x in [-5,5]\ny in [0,3]\nx%%3 + 6//y\n' >g
run eval g --set x=-5 --set y=2
expect 0
printf 'ideal  1\nwrap   1\nrefine 1\n' >want
same out want
run eval g --set x=-5 --set y=0
expect 0
has out "ideal  undefined (IDIV in (6//y))"
has out "wrap   -2"
has out "refine undefined"
run eval g --set x=1
expect 2
lines out 0
lines err 1
has err "no value for y"
run eval g --set x=6 --set y=1
expect 2
has err "outside its range [-5, 5]"
run eval g --set x=one --set y=1
expect 2
has err "not an integer"
run eval g --set x
expect 2
# a slip: all variables have a value, and one more
run eval g --set x=1 --set y=1 --set yy=2
expect 2
lines err 1
has err "--set yy=2: no graph has that variable"
printf 'yy in [0,3]\nyy+1\n' >h
run eval g h --set x=1 --set y=1 --set yy=2
expect 0
# a range with an end that is no constant
printf 'n in [1,16]\nrange ridx0 < n\nridx0//n + ridx0\n' >open
run eval --frame ideal open --set n=4 --set ridx0=3
expect 0
has out "ideal  3"
run eval open --set n=4
expect 2
has err "no value for ridx0"
run eval open --set n=4 --set ridx0=4
expect 2
lines err 1
lines out 0
has err "--set ridx0=4: not below its end, 4 there"
run eval open --set n=4 --set ridx0=-1
expect 2
has err "begins at 0"
run eval --all --frame wrap g --set x=-5 --set y=2
expect 0
lines out 7
has out "wrap   -2   = (x%3)"
run eval --json --frame ideal g --set x=4 --set y=3
has out '"value":3'
has out '"is":"value"'

# wrap and ideal differ where the dtype is too small
cat >narrow <<'J'
{"nodes": [["CONST","uchar",[],200],["DEFINE_VAR","uchar",[],["x",0,255]],["ADD","uchar",[0,1],null]]}
J
run eval narrow --set x=100
expect 0
has out "ideal  300"
has out "wrap   44"

# numbers beyond 64 bits
printf 'x in [0,99999999999999999999999]\nx*x\n' >big
run eval --frame ideal big --set x=99999999999999999999999
expect 0
has out "9999999999999999999999800000000000000000000001"

printf 'x in [-5,5]\nx%%3\n' >m
run bounds --profile v0.10.0 m
expect 0
printf '[0, 2]\n' >want
same out want
run bounds --profile v0.10.0 --exact m
expect 0
has out "[0, 2]  exact: [-2, 2]"
run bounds --profile v0.10.0 --all m
expect 0
lines out 3
has out "by "
run bounds --profile v0.10.0 --json --exact m
has out '"vmin":0,"vmax":2'
has out '"exact":[-2,2]'
run bounds --profile v0.10.0 --exact --limit-points 11 m
expect 0
has out "by exhaust"
# too many points: what was found reaches the ends of the interval
run bounds --profile v0.10.0 --exact --limit-points 10 m
expect 0
has out "exact: [-2, 2] by interval"
# x*x - x is never 1: the analysis does not know, the solver does
printf 'x in [-3,1000000]\nx*x + x*-1\n' >parabola
run bounds --exact --profile v0.11.0 parabola
expect 0
has out "exact: [0, 999999000000] by z3-"
run bounds --profile v0.10.0 --exact --limit-rlimit 0 parabola
expect 3
has out "exact: not computed"
has out "values in ["
# a table over all nodes: x is 9 values; (x%%3) three, as claimed; the sum 5 where 11 are claimed
printf 'x in [0,8]\nx + (x%%3)*-1\n' >loose
run bounds --tightness --json --profile v0.11.0 loose
expect 0
has out '"op":"MOD"'
has out '"op":"ADD","rule":"bound_add","nodes":1,"exact":0,"wide":1'
has out '"worst":1.5714285714285714'
# a claim that is wrong is told, too
run bounds --profile v0.10.0 --tightness m
expect 1
printf 'x in [0,0]\n4//x\n' >undefined
run bounds --profile v0.10.0 --exact undefined
has out "exact: undefined everywhere"
finish
