# uproof drill: the wrong rules of 0.10.0 are found, the table and the counts are right, and a rule
# that is not wrong at all is told as not found.
. "$SRC/tests/cli/lib.sh"

run drill --profile v0.10.0 --frame ideal --limit-seconds 120 corpus.jsonl
expect 2

# what graphs show: the cause of each, in each frame that is asked for
grep -h '"id": *"v0100-\(idiv-lt\|mod-bounds-negative-numerator\|div-folding-neg-const\)"' \
  "$SRC/corpus/regress/v0.10.0.jsonl" >graphs.jsonl
printf '{"id":"sound","nodes":[["CONST","int",[],1]]}\n' >>graphs.jsonl
lines graphs.jsonl 4
run drill --profile v0.10.0 --frame ideal --limit-seconds 120 graphs.jsonl
expect 0
for rule in div_lt bound_mod_pos div_folding; do
  grep -q "^$rule  *ideal " out || fail "$rule is not in the table"
done
has err "1 graphs show nothing here"
has err ", 0 not, median "
lacks out "not found"
cp out table
run drill --profile v0.10.0 --frame ideal --limit-seconds 120 graphs.jsonl
cut -c1-62 table >a # without the times
cut -c1-62 out >b
sort a >a.sorted
sort b >b.sorted
same a.sorted b.sorted
run drill --profile v0.10.0 --frame ideal --limit-seconds 120 --json graphs.jsonl
has out '"rule":"div_lt","frame":"ideal","kind":"value","found":true,"case":'

# marks of a rule text are targets; the wrong one is found, the right one can't be; one of another set
# is looked for with that set
printf 'ruleset symbolic
rule wrong : x // 2 -> x // 3  known-wrong ideal "2 // 2"
rule right : x + 0 -> x        known-wrong ideal "no value at all"
ruleset other
rule elsewhere : x * 1 -> 7    known-wrong ideal "x = 0"
' >marked.rules
run drill --profile v0.10.0 --rules marked.rules --frame ideal --limit-seconds 2
expect 1
grep -q '^wrong  *ideal  *any  *[0-9]' out || fail "the wrong rule was not found"
grep -q '^right  *ideal  *any  *-  *not found' out || fail "the right rule is not told"
grep -q '^elsewhere  *ideal  *any  *[0-9]' out || fail "the rule of another set was not found"

# wrong mutants, spread over the rules
run drill --mutants 3 --limit-seconds 60
expect 0
lines out 4
has err "drill: 3 targets, 3 found, 0 not, median "
cut -c1-62 out | sort >one
run drill --mutants 3 --limit-seconds 60 --jobs 2
cut -c1-62 out | sort >two
same one two
run drill --mutants 1 --json
has out '"change":"'
run drill --mutants 1 graphs.jsonl
expect 2
finish
