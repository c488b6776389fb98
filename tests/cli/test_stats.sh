# uproof stats and trace --where: what rules cost, and where they stand.
. "$SRC/tests/cli/lib.sh"

printf 'x in [0,255]\nx//4*4 + x%%4\n' >g
printf 'x in [0,255]\ny in [0,3]\n(x*0+y)*1\n' >h

# as many matches as steps, each on the rule that the trace names
run stats --profile v0.10.0 g h
expect 0
lines err 0
has out '2 graphs,'
run stats --profile v0.10.0 --json g h
expect 0
steps=$(sed -n 's/.*"steps":\([0-9]*\).*/\1/p' out)
matched=$(grep '"rule"' out | sed 's/.*"matched":\([0-9]*\).*/\1/' | awk '{ n += $1 } END { print n }')
checks=$((checks + 1))
[ "$steps" -gt 0 ] && [ "$steps" = "$matched" ] || fail "stats: $matched matches in $steps steps"
grep -o '"rule":"[^"]*"' out | sort >rules
"$UPROOF" trace --profile v0.10.0 --json g h | grep -o '"rule":"[^"]*"' | sort -u >want
same rules want
sed 's/.*"tried":\([0-9]*\),"matched":\([0-9]*\).*/\1 \2/' out | while read -r tried hit; do
  [ "$tried" -ge "$hit" ] || echo "$tried tries, $hit matches"
done >bad
lines bad 0

# the costliest rule comes first
run stats "$SRC/corpus/real/v0.11.0-real.jsonl.gz" --profile v0.11.0 --json
expect 0
grep '"rule"' out | sed 's/.*"ms":\([0-9.e-]*\).*/\1/' >times
sort -gr times >sorted
same times sorted

# --all: the rules of the set that never matched
run stats --profile v0.10.0 --all g
expect 0
has out 'div_folding'
cp out table
run stats --profile v0.10.0 g
lacks out 'div_folding'
lacks table 'zero-division'

# other sets, a user's rules
run stats --profile v0.11.0 --set sym g
expect 0
run stats --profile v0.10.0 --set nonesuch g h
expect 2
lines err 1
has err "no rule set 'nonesuch'"
printf 'x in [0,3]\nx + x\n' >twice
printf 'ruleset symbolic\nrule mine : x + x -> x * 2\n' >mine.rules
run stats --profile v0.10.0 --rules mine.rules twice
expect 0
has out 'mine'

# what raises or never ends is counted, and no failure of stats
printf 'x in [0,3]\nx + 5%%0\n' >raise
printf 'ruleset symbolic\nrule twist : x + y -> y + x\n' >loop.rules
printf 'x in [0,3]\ny in [0,3]\nx + y\n' >sum
run stats --profile v0.10.0 raise
expect 0
has out '1 raised'
run stats --profile v0.10.0 --rules loop.rules sum
expect 0
has out '1 never end'

# bad input among good
run stats --profile v0.10.0 g nofile
expect 2
has out '1 graphs,'
has err 'uproof: nofile:'

# where a rule stands
run trace --profile v0.10.0 --where g
expect 0
has out 'symbolic-v0.10.0.rules:'
run trace --profile v0.10.0 --json g
has out '"file":"symbolic-v0.10.0.rules"'
run trace --profile v0.10.0 g
lacks out '.rules:'

# a rewrite that a rule starts itself is one level deeper
zcat "$SRC/corpus/golden/v0.11.0-fuzz-cdf0.jsonl.gz" >rows
run trace --profile v0.11.0 --json rows
has out '"depth":0'
has out '"depth":1'
run stats --help
expect 0
has out '--all'
finish
