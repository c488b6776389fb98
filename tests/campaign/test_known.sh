# Known causes: kept and counted, but only a new one is printed and makes the status 1.
. "$SRC/tests/cli/lib.sh"
list() { sed 's/.*"kind":"\([a-z]*\)","frame":"\([a-z]*\)","rule":"\([a-z_0-9]*\)".*/\1 \2 \3/'; }

run fuzz --profile v0.10.0 --runs 3000
expect 1
list <out >all
grep -o '"cause":"[^"]*"' out | cut -d'"' -f4 >keys
[ "$(wc -l <all)" -ge 5 ] || fail "few causes"

run fuzz --profile v0.10.0 --runs 3000 --known all
expect 0
lines out 0
has err "causes ($(wc -l <all) known, 0 new)"
has err ", known"
run fuzz --profile v0.10.0 --runs 3000 --known keys
expect 0
lines out 0

sed 1d keys >but-one
rm -rf camp
run fuzz --profile v0.10.0 --runs 3000 --known but-one --out camp
expect 1
lines out 1
has out "$(head -1 keys)"
lines camp/findings.jsonl "$(wc -l <all)"
[ "$(grep -l '"known":true' camp/causes/*.json | wc -l)" = "$(wc -l <but-one)" ] ||
  fail "known causes are not marked"

# stars, comments, two lists
printf '# of 0.10.0\nbounds ideal *   # all bounds\n\n' >bounds
grep -v '^bounds' all >rest
run fuzz --profile v0.10.0 --runs 3000 --known bounds --known rest
expect 0

# what the rule texts mark as wrong
run fuzz --profile v0.10.0 --runs 3000 --known rules --known "$SRC/corpus/known/v0.10.0.txt"
expect 0
run fuzz --runs 4000 --known rules --known "$SRC/corpus/known/v0.11.0.txt" --profile v0.11.0 --frame all
expect 3
printf 'ruleset symbolic\nrule wrong : x // 2 -> x // 3\n' >wrong.rules
run fuzz --profile v0.10.0 --runs 2000 --rules wrong.rules --known rules
expect 1
has out '"rule":"wrong"'
printf 'ruleset symbolic\nrule wrong : x // 2 -> x // 3 known-wrong ideal "2 // 2"\n' >marked.rules
run fuzz --profile v0.10.0 --runs 2000 --rules marked.rules --known rules
lacks out '"rule":"wrong"'

# what the committed verdicts refute: as long as the rule says that, in ideal, and no crash or loop
run fuzz --profile v0.10.0 --runs 3000 --known refuted
grep -q 'value in ideal, div_folding.*, known' err || fail "div_folding is refuted, and not known: $(cat err)"
run fuzz --profile v0.10.0 --runs 1000 --frame refine --known refuted
expect 1
has err '(0 known'
run fuzz --profile v0.10.0 --runs 2000 --rules wrong.rules --known refuted
expect 1
has out '"rule":"wrong"'

bad() { # bad LINE MESSAGE
  printf '%s\n' "$1" >list
  run fuzz --profile v0.10.0 --runs 10 --known list
  expect 2
  has err "list:1:$2"
}
bad 'value ideal' '1: a line is KIND FRAME RULE'
bad 'nonsense' "1: 'nonsense' is no cause"
bad '{"version":1}' "1: '{\"version\":1}' is no cause"
bad '  worth-ideal-div_lt' "3: 'worth-ideal-div_lt' is no cause"
bad 'worth ideal div_lt' "1: 'worth' is no kind"
bad 'value nowhere div_lt' "7: 'nowhere' is no frame"
bad 'value ideal div_lt 3' '20: a line is'
run fuzz --profile v0.10.0 --runs 10 --known nosuchfile
expect 2
finish
