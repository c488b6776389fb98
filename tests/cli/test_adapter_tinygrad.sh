#!/usr/bin/env bash
# tinygrad behind the pipe, where TINYGRAD names a checkout of 0.10.0 or 0.11.0: its known bugs are found in
# it, and its model answers as it does on graphs that were never recorded.
[ -d "${TINYGRAD:-}/tinygrad" ] && command -v python3 >/dev/null || exit 77
. "$SRC/tests/cli/lib.sh"
adapter="$SRC/adapters/tinygrad.py $TINYGRAD"

release=v$(echo '{"do": "hello"}' | python3 $adapter | sed 's/.*tinygrad \([0-9.]*\)".*/\1/')
case $release in v0.10.0 | v0.11.0) ;; *) exit 77 ;; esac

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
