# uproof corpus: folders of libFuzzer, of AFL++ and of a campaign become one small one that reaches the
# same rules and conditions.
. "$SRC/tests/cli/lib.sh"

reached() { # DIR...: "136 of 215 rules applied ... 75 of 75 conjuncts held"
  "$UPROOF" coverage --profile v0.11.0 --inputs "$@" 2>&1 >/dev/null | sed 's/.*graphs, //'
}

rm -rf in campaign merged small again own edges
mkdir -p in/lib in/afl/main/queue/.state in/afl/main/crashes in/afl/s1/queue campaign/corpus campaign/found campaign/logs
i=0
for f in "$SRC"/corpus/seed/fuzz_simplify/*; do
  i=$((i + 1))
  case $((i % 4)) in
    0) cp "$f" in/lib ;;
    1) cp "$f" in/afl/main/queue/id:$i ;;
    2) cp "$f" in/afl/s1/queue/id:$i ;;
    3) cp "$f" campaign/corpus ;;
  esac
  cp "$f" in/lib/same-$i # twice, by another name
done
# what is no input: statistics, crashes, hidden folders, logs
touch in/afl/main/fuzzer_stats in/afl/s1/fuzzer_stats
echo crash >in/afl/main/crashes/id:0
echo hidden >in/afl/main/queue/.state/x
echo '{}' >campaign/state.json
echo log >campaign/logs/0
head -c 70000 /dev/zero >in/lib/long
# a finding of the campaign reaches what no seed does
printf 'uop 1\nmeta profile v0.11.0\nmeta frame wrap\n%%0 = DEFINE_VAR int ["x", 0, 9]\n' >campaign/found/a.uop
printf '%%1 = ADD int %%0 %%0\n' >>campaign/found/a.uop

run corpus --profile v0.11.0 --merge merged in campaign
expect 0
has err "corpus: $((i + 1)) inputs, "
has err ", 1 too long"
kept=$(ls merged | wc -l)
[ "$kept" -gt 50 ] && [ "$kept" -lt $((i / 2 * 2)) ] || fail "$kept of $i kept"
[ "$(reached merged)" = "$(reached "$SRC/corpus/seed/fuzz_simplify")" ] ||
  fail "merged reaches $(reached merged), the seeds $(reached "$SRC/corpus/seed/fuzz_simplify")"

# nothing is left to add; without what is there, nothing is left to leave out
run corpus --profile v0.11.0 --merge merged in campaign
has err ", 0 kept"
[ "$(ls merged | wc -l)" = "$kept" ] || fail "a second merge: $(ls merged | wc -l), not $kept"
run corpus --profile v0.11.0 --merge small merged
expect 0
[ "$(reached small)" = "$(reached merged)" ] || fail "small reaches less"
run corpus --profile v0.11.0 --merge again in/lib in/afl campaign
diff -r merged again >/dev/null || fail "the order of folders matters"

# each input in its own profile: every profile's rules are reached
run corpus --merge own in
expect 0

run corpus in
expect 2
has err "--merge OUT"
run corpus --merge merged no-such-folder
expect 2
has err "no-such-folder: No such file"
run corpus --merge merged --profile v9 in
expect 2

# edges: the program is asked to merge all inputs into the folder, and what it adds is counted
printf '#!/bin/sh\n[ "$1" = -merge=1 ] && cp "$4/$(ls "$4" | head -1)" "$3/new"\n' >target
chmod +x target
cp -r merged edges
run corpus --profile v0.11.0 --merge edges --edges ./target in
expect 0
has err "corpus: 1 more for edges of the code"
[ "$(ls edges | wc -l)" = $((kept + 1)) ] || fail "edges holds $(ls edges | wc -l)"
mkdir scratch
TMPDIR=$PWD/scratch run corpus --merge edges --edges false in
expect 4
has err "false -merge=1 failed, and said nothing"
[ -z "$(ls scratch)" ] || fail "left behind: $(ls scratch)"
finish
