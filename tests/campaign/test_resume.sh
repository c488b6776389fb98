# A campaign's folder: what is in it, one campaign at a time, going on, and only with its options.
. "$SRC/tests/cli/lib.sh"
. "$SRC/tests/campaign/lib.sh"

rm -rf camp whole parts stopped
run fuzz --profile v0.10.0 --runs 3000 --out camp
expect 1
cp out printed
same out camp/findings.jsonl
mv camp whole

# in three parts, none a whole number of blocks
run fuzz --profile v0.10.0 --runs 1000 --out camp
run fuzz --profile v0.10.0 --runs 1001 --out camp
has err "fuzz: 1001 graphs, "
run fuzz --profile v0.10.0 --runs 3000 --out camp
expect 1
has err "fuzz: 3000 graphs, "
mv camp parts
same_campaign whole parts

# done already: nothing more to find, the counts and the status are those of the whole
run fuzz --profile v0.10.0 --runs 3000 --out parts
expect 1
lines out 0
has err "fuzz: 3000 graphs, "

# stopped by signals, and --resume with the options of the folder
"$UPROOF" fuzz --profile v0.10.0 --runs 3000 --jobs 2 --out camp >out 2>err &
pid=$!
sleep 0.1
kill -INT $pid
wait $pid
"$UPROOF" fuzz --profile v0.10.0 --runs 3000 --jobs 2 --out camp >out 2>err &
pid=$!
sleep 0.1
kill -TERM $pid
wait $pid
[ -e camp/state.json ] || run fuzz --profile v0.10.0 --runs 1 --out camp
run fuzz --resume --runs 3000 --out camp
expect 1
mv camp stopped
same_campaign whole stopped

# other options: refused, and told which
run fuzz --profile v0.10.0 --runs 3000 --seed 2 --out whole
expect 2
has err "another --seed"
run fuzz --runs 3000 --profile v0.11.0 --out whole
expect 2
has err "another --profile"
run fuzz --resume --profile v0.11.0 --runs 3000 --out whole
expect 1
has err "fuzz: 3000 graphs, "

# no campaign there
run fuzz --resume --runs 10 --out nothing
expect 2
run fuzz --resume --runs 10
expect 2
rm -rf foreign broken nothing
mkdir -p foreign
cp printed foreign/findings.jsonl
run fuzz --profile v0.10.0 --runs 10 --out foreign
expect 2
same printed foreign/findings.jsonl
mkdir -p broken
echo '{"version":1,' >broken/state.json
run fuzz --profile v0.10.0 --runs 10 --out broken
expect 2
has err "broken/state.json:"

# a second campaign in one folder
rm -rf camp
"$UPROOF" fuzz --profile v0.10.0 --seconds 60 --out camp >first.out 2>first.err &
pid=$!
for i in $(seq 1 200); do
  [ -e camp/state.json ] && break
  sleep 0.05
done
run fuzz --profile v0.10.0 --runs 10 --out camp
expect 2
has err "another campaign runs in it (process $pid)"
lines err 1
kill -INT $pid
wait $pid
[ -s camp/state.json ] || fail "the first campaign was disturbed"

# reductions that were cut off are done by the next run; time that is up cuts them off, and loses none
rm -rf camp
run fuzz --profile v0.11.0 --runs 3000 --out camp
expect 1
causes=$(grep -c . camp/findings.jsonl)
[ "$causes" -gt 5 ] || fail "few causes: $causes"
cut_off() { sed 's/}$/,"interrupted":true}/' camp/findings.jsonl >cut && mv cut camp/findings.jsonl; }
cut_off
run fuzz --resume --seconds 1 --runs 1 --jobs 2 --out camp
expect 1
whole camp
lines out "$causes"
lines camp/findings.jsonl "$causes"
[ "$(ls camp/causes/*.uop | wc -l)" = "$causes" ] || fail "not all kept: $(ls camp/causes)"
cut_off
run fuzz --resume --runs 1 --jobs 2 --out camp
expect 1
lines out "$causes"
lacks camp/findings.jsonl interrupted
same out camp/findings.jsonl
has camp/status.json '"reducing":0'

# the status is JSON for who watches, and so are lines of progress
has camp/status.json '"running":false'
has camp/status.json '"rules_covered":'
run fuzz --profile v0.10.0 --runs 30000 --progress --json --quiet
head -1 err >line
has line '"graphs_per_second":'
finish
