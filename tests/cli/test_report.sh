# uproof report: a page with every cause of the campaign, nothing of it taken as markup.
. "$SRC/tests/cli/lib.sh"

rm -rf camp
run fuzz --profile v0.10.0 --runs 2000 --out camp --known rules
run report camp
expect 0
cp out page.html
has page.html "<!doctype html>"
for key in $(grep -o '"cause":"[^"]*"' camp/findings.jsonl | cut -d'"' -f4); do
  has page.html ">$key<"
done
has page.html "$(wc -l <camp/findings.jsonl) causes"
has page.html '<td>known</td>'
has page.html '&quot;'
lacks page.html '<script'
[ "$(grep -c '<tr class="' page.html)" = "$(wc -l <camp/findings.jsonl)" ] || fail "not a row a cause"

# a ledger, whatever its columns; no findings at all
printf '{"rule":"add_zero","verdict":"proved"}\n{"rule":"<x>","verdict":"unknown"}\n' >ledger.jsonl
rm -rf empty
run fuzz --runs 30 --profile sound --out empty
run report --ledger ledger.jsonl empty
expect 0
has out '0 causes'
has out 'Ledger: 2 rows'
has out '&lt;x&gt;'

run report nosuchfolder
expect 2
has err "nosuchfolder/state.json: can't be read"
lines err 1
run report --ledger nosuchfile camp
expect 2
finish
