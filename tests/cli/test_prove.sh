#!/usr/bin/env bash
# uproof prove: the walk-through of docs/proving.md, exit statuses, the cache, bad usage.
. "$SRC/tests/cli/lib.sh"

rm -rf known.txt queries # of an earlier run

# a wrong rule is refuted with a counterexample
printf 'rule half_lt : x@ints // k0 < k1  ->  x < [k1 * k0]  when k0 > 0\n' >my.rules
run prove --rules my.rules
expect 1
has out 'refuted     half_lt                        ideal   int'
has out ' becomes '
has err 'prove: 1 obligations, 0 proved, 1 refuted, 0 unknown, 0 vacuous, 0 unsupported'

# with its guard it is proved
printf 'rule half_lt : x@ints // k0 < k1  ->  x < [k1 * k0]  when k0 > 0 and k1 > 0\n' >my.rules
run prove --rules my.rules --cache known.txt --update-cache
expect 0
has out 'proved      half_lt '
lacks err 'cached'

# the cache answers without a solver, and a renamed rule is the same query
sed 's/half_lt/other_name/; s/k1/k7/g' my.rules >renamed.rules
run prove --rules renamed.rules --cache known.txt --cache-only --json
expect 0
has out '"rule":"other_name"'
has out '"verdict":"proved"'
has out '"cached":true'
has err '1 of them cached'
cp known.txt before.txt
run prove --rules my.rules --cache known.txt --update-cache
expect 0
same known.txt before.txt

# a miss is unknown
printf 'rule other : x@int + 0 -> x\n' >miss.rules
run prove --rules miss.rules --cache known.txt --cache-only
expect 3
has out 'not in the cache'
cp known.txt before.txt
run prove --rules miss.rules --cache known.txt --cache-only --update-cache
expect 3
same known.txt before.txt

# casts of casts to each integer dtype, and bounds by laws about shifts
run prove --profile sound --rule cast_cast_fits --dtype char
expect 0
lacks out unknown
run prove --profile sound --rule bound_xor
expect 0
has out 'proved      bound_xor'

# a graph that no other bounds rule takes
run prove --profile v0.11.0 --rule bound_dtype_range --dtype uint
expect 1
has out 'refuted     bound_dtype_range'
has out ', claimed [0, 4294967295]'

# a true rule that never ends
printf 'rule flip : x@int + y -> y + x\nrule fine : x@int + 0 -> x\n' >loops.rules
run prove --rules loops.rules
expect 1
has out 'proved      flip'
has out 'loops       flip '
lacks out 'loops       fine'
run prove --rules loops.rules --json
expect 1
has out '"rule":"flip","kind":"rule","verdict":"loops"'
run prove --rules loops.rules --rule fine
expect 0

# premises that can't hold
printf 'rule never : x@int + k -> x  when k > 3 and vmin(x) > vmax(x)\n' >never.rules
run prove --rules never.rules
expect 1
has out 'vacuous     never'

# what has no meaning in the frame is a row
run prove --profile v0.11.0 --rule fdiv_self
expect 0
has out 'unsupported fdiv_self'
has err '1 unsupported'

# one row an obligation, in every frame
run prove --profile v0.11.0 --rule xor_zero --frame all --dtype int --each
expect 0
lines out 3
has out 'xor_zero                       wrap    int'

# the obligation as a file for other solvers
run prove --rules my.rules --smt2 queries
expect 0
has queries/half_lt.ideal.int.smt2 '(check-sat)'

# as bit-vectors, too, where they say all; cvc5 reads them
run prove --profile v0.11.0 --rule mod_mod --frame all --dtype char --smt2 queries
has queries/mod_mod.wrap.char.smt2 bvsrem
has queries/mod_mod.refine.char.smt2 '(check-sat)'
if command -v cvc5 >/dev/null; then
  for f in wrap refine; do
    [ "$(cvc5 --lang=smt2 queries/mod_mod.$f.char.smt2)" = unsat ] || fail "mod_mod, $f: cvc5 says otherwise"
  done
fi

# what is refuted says what has to stay in range
run prove --rule add_lt --frame wrap --dtype char
expect 1
has out '(holds both in range: ideal)'
has out '    left in range: '
run prove --rule mul_pos_lt --frame wrap --dtype char --json
has out '"holds_while":"left in range"'
has out '"left_in_range":false'

# are the ends of a bounds rule reached?
run prove --rule bound_add --optimal
expect 0
has out 'optimal     bound_add                      int  (both ends at corners)'
run prove --rule bound_or_nonneg --optimal
has out 'not optimal bound_or_nonneg                int  (x in [0, 1], y in [0, 1]: values 0 to 1, claimed [0, 2])'
run prove --rule bound_mul --optimal --json
has out '"kind":"optimality","rule":"bound_mul","dtype":"int","verdict":"optimal"'
# an end in the middle of a box is no corner, and a case is one where this rule is the first that applies
run prove --rule bound_eq --optimal
has out 'unknown     bound_eq                       int  (both ends reached in 2025 small boxes)'
run prove --rule bound_div --optimal
lacks out 'not optimal'

printf 'not a verdict\n' >bad.txt
run prove --rules my.rules --cache bad.txt
expect 2
has err 'bad.txt:1:1: not a cached verdict'
run prove --rules my.rules --cache-only
expect 2
has err 'which cache?'
run prove --profile v0.11.0 --rule no_such_rule
expect 2
has err "no rule 'no_such_rule'"
run prove --dtype float
expect 2
run prove --frame nowhere
expect 2
run prove extra
expect 2

finish
