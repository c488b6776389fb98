# A UOp that is pasted from a bug report: reading, checking and printing tinygrad's trees.
. "$SRC/tests/cli/lib.sh"

# as a terminal and a bug report have it
cat >pasted <<'T'
```
>>> idx
UOp(Ops.IDIV, dtypes.int, arg=None, src=(
  UOp(Ops.ADD, dtypes.int, arg=None, src=(
    UOp(Ops.DEFINE_VAR, dtypes.int, arg=('x', -6, 6), src=()),
    UOp(Ops.CONST, dtypes.int, arg=-1, src=()),)),
  UOp(Ops.CONST, dtypes.int, arg=2, src=()),))
```
T
run check --profile v0.10.0 pasted
expect 1
has out '"file":"pasted"'
has out '"rule":"div_folding"'
run equiv pasted <(printf 'x in [-6,6]\n(x+-1)//2\n')
expect 0
lines err 0

# 0.10.0's form of a RANGE, shared nodes
cat >old <<'T'
UOp(Ops.ADD, dtypes.int, arg=None, src=(
  x0:=UOp(Ops.RANGE, dtypes.int, arg=(2, False), src=(
    UOp(Ops.CONST, dtypes.int, arg=0, src=()),
    UOp(Ops.CONST, dtypes.int, arg=10, src=()),)),
   x0,))
T
run simplify --out infix old
expect 0
has out '(ridx2*2)'
run simplify --out tree old
expect 0
cat >want <<'T'
UOp(Ops.MUL, dtypes.int, arg=None, src=(
  UOp(Ops.RANGE, dtypes.int, arg=2, src=(
    UOp(Ops.CONST, dtypes.int, arg=10, src=()),)),
  UOp(Ops.CONST, dtypes.int, arg=2, src=()),))
T
same out want
cp out again
run simplify --out tree again
same out want
run simplify --out uops again
cat >want <<'T'
   0 Ops.CONST           : dtypes.int                     []                               10
   1 Ops.RANGE           : dtypes.int                     ['10']                           2
   2 Ops.CONST           : dtypes.int                     []                               2
   3 Ops.MUL             : dtypes.int                     [1, '2']                         None
T
same out want

# several trees; opaque sources are told
cat >several <<'T'
UOp(Ops.DEFINE_VAR, dtypes.int, arg=('x', 0, 7), src=())

UOp(Ops.ADD, dtypes.int, arg=None, src=(
  x0:=UOp(Ops.LOAD, dtypes.int, arg=None, src=(
    UOp(Ops.DEFINE_GLOBAL, dtypes.int.ptr(16), arg=0, src=()),)),
  UOp(Ops.CAST, dtypes.int, arg=None, src=(
    UOp(Ops.LOAD, dtypes.float, arg=None, src=()),)),))
T
run simplify several
expect 0
lines out 6
lines err 1
has err 'uproof: several:3: 2 opaque sources became variables opaque0, opaque1'
run check several
expect 0
has err 'uproof: several:3: 2 opaque sources became variables opaque0, opaque1'
has err 'check: 2 graphs, 0 findings'
run check --jobs 2 several
expect 0
lines err 2
run check --quiet several
lines err 0
run simplify --quiet several
lines err 0

# a kernel: its integer parts
cat >kernel <<'T'
UOp(Ops.SINK, dtypes.void, arg=KernelInfo(name='k', axis_types=()), src=(
  UOp(Ops.STORE, dtypes.void, arg=None, src=(
    UOp(Ops.INDEX, dtypes.float.ptr(16), arg=None, src=(
      UOp(Ops.DEFINE_GLOBAL, dtypes.float.ptr(16), arg=0, src=()),
      UOp(Ops.ADD, dtypes.int, arg=None, src=(
        UOp(Ops.MUL, dtypes.int, arg=None, src=(
          UOp(Ops.SPECIAL, dtypes.int, arg=('gidx0', 4), src=()),
          UOp(Ops.CONST, dtypes.int, arg=4, src=()),)),
        UOp(Ops.SPECIAL, dtypes.int, arg=('lidx0', 4), src=()),)),)),
    UOp(Ops.CONST, dtypes.float, arg=1.0, src=()),)),))
T
run check --profile v0.11.0 kernel
expect 0
has err 'the root SINK has no integer value: its 1 integer part makes a SINK'
has err '0 unsupported'

# errors: what is before them in the file is done
printf 'UOp(Ops.CONST, dtypes.int, arg=1, src=())\nis what it printed\n' >behind
run simplify behind
expect 2
lines out 1
has err 'uproof: behind:2:1: a tree (UOp(...)) was expected'
printf 'x0:=UOp(Ops.CONST, dtypes.int, arg=1)\nUOp(Ops.NEG, dtypes.int, src=(x0,))' >other
run simplify other
expect 2
has err "uproof: other:2:31: 'x0' is not defined above"

# a chain of 200,000 nodes
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "UOp(Ops.ADD,dtypes.int,src=(";
  printf "x:=UOp(Ops.DEFINE_VAR,dtypes.int,arg=(\"x\",0,7))";
  for (i = 0; i < 200000; i++) printf ",x))"; print "" }' >deep
run simplify --profile v0.11.0 --out infix deep
expect 0
has out '(x*200001)'

run simplify --help
has out 'tree|uops'
run --help
has out 'UOp(...) trees'
finish
