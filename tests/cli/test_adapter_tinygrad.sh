#!/usr/bin/env bash
# tinygrad behind the pipe, where TINYGRAD names a checkout: what is found in it, it shows in a test in Python
# of its own. Of 0.10.0 or 0.11.0 the known bugs are found in it, and its model answers as it does on graphs
# that were never recorded.
[ -d "${TINYGRAD:-}/tinygrad" ] && command -v python3 >/dev/null || exit 77
. "$SRC/tests/cli/lib.sh"
adapter="$SRC/adapters/tinygrad.py $TINYGRAD"

release=v$(echo '{"do": "hello"}' | python3 $adapter | sed 's/.*tinygrad \([0-9.]*\)".*/\1/')
late=
case $release in v0.10.0 | v0.11.0) ;; *) late='--floor --no-casts --no-bits' ;; esac

run fuzz --quiet --adapter "python3 $adapter" $late --runs 800 --out campaign
expect 1
for test in campaign/causes/*.py; do
  checks=$((checks + 1))
  PYTHONPATH=$TINYGRAD python3 "$test" >shown 2>&1 && fail "$test does not fail"
  grep -qE '^[A-Za-z]*Error|^AssertionError' shown && ! grep -qE 'SyntaxError|NameError|AttributeError|ImportError' shown ||
    fail "$test: $(tail -n 1 shown)"
done
[ -z "$late" ] || { finish; exit; }

"$UPROOF" fuzz --profile "$release" --json --show 1-300 | python3 $adapter --record >rows.jsonl 2>left
run golden --profile "$release" rows.jsonl
expect 0
has err ' 0 differ, 0 out of scope'

grep -v '"mode"' "$SRC/corpus/regress/$release.jsonl" >known.jsonl
run check --quiet --no-reduce --adapter "python3 $adapter" known.jsonl
expect 1
cp out real
run check --quiet --no-reduce --profile "$release" known.jsonl
what() { sed 's/.*"id":\([^,]*\),.*"kind":"\([a-z]*\)".*/\1 \2/' "$1"; }
checks=$((checks + 1))
[ "$(what real)" = "$(what out)" ] || fail "$release has other findings than its model"
finish
