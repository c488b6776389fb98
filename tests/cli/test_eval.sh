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
run bounds m
expect 0
printf '[0, 2]\n' >want
same out want
run bounds --exact m
expect 0
has out "[0, 2]  exact: [-2, 2]"
run bounds --all m
expect 0
lines out 3
has out "by "
run bounds --json --exact m
has out '"vmin":0,"vmax":2'
has out '"exact":[-2,2]'
run bounds --exact --limit-points 10 m
expect 3
has out "exact: not computed"
run bounds --exact --limit-points 11 m
expect 0
printf 'x in [0,0]\n4//x\n' >undefined
run bounds --exact undefined
has out "exact: undefined everywhere"
finish
