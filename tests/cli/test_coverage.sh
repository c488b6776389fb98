# uproof coverage: what never applied and why, and that the shipped seeds reach every rule that a
# rewrite can reach.
. "$SRC/tests/cli/lib.sh"

# Nothing makes a vector of void, which these are about: up_node_check refuses it.
for profile in v0.10.0 v0.11.0 v0.11.0:correct-divmod; do
  run coverage --profile "$profile" --set all --inputs "$SRC/corpus/seed/fuzz_simplify"
  expect 0
  awk '$1 == "never" {print $2}' out >never
  printf 'vectorize_barrier\nvectorize_void\n' >wanted
  cmp -s never wanted || fail "$profile: not reached by the seeds: $(tr '\n' ' ' <never)"
  has err "coverage: $(find "$SRC/corpus/seed/fuzz_simplify" -type f | wc -l) graphs"
done

# The first conjunct that never held is named, with those before it that did.
printf 'x in [0,9]\ny in [-1,3]\ny + x*4 < 8\n' >lt
run coverage --profile v0.10.0 lt
expect 0
has out "mul_add_lt                 1 nodes have its shape, never with vmin(y) >= 0"
has out "mul_one                    no node has its shape"
run coverage --profile v0.10.0 --json lt
expect 0
has out '{"rule":"mul_add_lt","kind":"rewrite","graphs":0,"matches":1,"conjuncts":[{"text":"floormod(k1, k0) == 0","asked":1,"held":1},{"text":"k0 > vmax(y)","asked":1,"held":1},{"text":"vmin(y) >= 0","asked":1,"held":0}]}'

# Where it applies it is counted, by graph.
printf 'x in [0,9]\ny in [0,3]\ny + x*4 < 8\n' >gt
run coverage --profile v0.10.0 --all gt lt
expect 0
grep -Eq '^ +1  mul_add_lt$' out || fail "mul_add_lt applied in one graph"

# Seeds reach what the graphs reached, and are inputs.
rm -rf seeds
run coverage --profile v0.10.0 --seeds seeds gt lt
expect 0
awk '$1 == "never" {print $2}' out >before
run coverage --profile v0.10.0 --inputs seeds
expect 0
awk '$1 == "never" {print $2}' out >after
cmp -s before after || fail "the seeds reach other rules"

run coverage --set no_such_set lt
expect 2
run coverage no-such-file
expect 2
run coverage --inputs no-such-file
expect 2
finish
