# JUnit and SARIF files of check and fuzz: the findings, and nothing else; well-formed.
. "$SRC/tests/cli/lib.sh"

printf 'x in [-5,5]\nx//4 < 0\n' >wrong.txt
printf 'x in [0,5]\nx + 0\n' >right.txt
run check --profile v0.10.0 --junit a.xml --sarif a.sarif wrong.txt right.txt
expect 1
findings=$(wc -l <out)
has a.xml "failures=\"$findings\" errors=\"0\" skipped=\"0\""
has a.xml 'name="2 graphs tried"'
has a.xml 'name="value-ideal-div_lt-CMPLT wrong.txt"'
has a.xml '((x//2)&lt;0)'
lacks a.xml right.txt
has a.sarif '"version":"2.1.0"'
has a.sarif '"uri":"engine/rules/symbolic-v0.10.0.rules"'
line=$(grep -n '^rule div_lt ' "$SRC/engine/rules/symbolic-v0.10.0.rules" | cut -d: -f1)
has a.sarif "\"startLine\":$line}"
[ "$(grep -o '"ruleId"' a.sarif | wc -l)" = "$findings" ] || fail "not a result a finding"

# nothing found
run check --profile v0.10.0 --junit b.xml --sarif b.sarif right.txt
expect 0
has b.xml 'tests="1" failures="0"'
has b.sarif '"results":[]'

# fuzz: new causes only; a user's rule at its own line
run fuzz --profile v0.10.0 --runs 2000 --known rules --known "$SRC/corpus/known/v0.10.0.txt" --junit c.xml --sarif c.sarif
expect 0
has c.xml 'failures="0"'
has c.sarif '"results":[]'
printf 'ruleset symbolic\n\nrule wrong : x // 2 -> x // 3\n' >wrong.rules
run fuzz --profile v0.10.0 --runs 1000 --rules wrong.rules --junit d.xml --sarif d.sarif
expect 1
has d.sarif '"uri":"wrong.rules"'
has d.sarif '"startLine":3}'
for f in a.sarif c.sarif d.sarif; do
  command -v python3 >/dev/null && { python3 -m json.tool "$f" >/dev/null || fail "$f is not JSON"; }
done
if command -v python3 >/dev/null; then
  for f in a.xml b.xml c.xml d.xml; do
    python3 -c "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])" $f || fail "$f is not XML"
  done
fi

# where it can't be written: told before the work; a disk that is full, at its end
run check --profile v0.10.0 --junit /nosuchfolder/x.xml right.txt
expect 2
lines out 0
has err "/nosuchfolder/x.xml: "
run check --profile v0.10.0 --junit /dev/full right.txt
expect 4
has err "/dev/full: No space left"
# one file can't be both
for c in "check --junit both --sarif both $SRC/corpus/regress/v0.10.0.jsonl" "fuzz --runs 10 --junit both --sarif both"; do
  # shellcheck disable=SC2086
  run $c
  expect 2
  lines err 1
  has err "uproof: --junit and --sarif: both are to be written to both"
  [ ! -e both ] || fail "$command_line: it is written all the same"
done
finish
