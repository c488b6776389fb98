# Profiles answer what the releases that they model were recorded to answer: every row of the
# corpus that is in scope agrees. (docs/parity.md says what is out of scope, and why.)
. "$SRC/tests/cli/lib.sh"

golden=$SRC/corpus/golden real=$SRC/corpus/real

# agrees PROFILE ALSO FILE ROWS OUT_OF_SCOPE
agrees() {
  also=$2
  run golden --profile "$1" ${also:+--also "$also"} "$3"
  expect 0
  last="golden: $4 rows, $(($4 - $5)) agree, 0 differ, $5 out of scope"
  [ "$(tail -1 err)" = "$last" ] || fail "$3: got $(tail -1 err)"
}

agrees v0.10.0 "" "$golden/v0.10.0-suite.jsonl.gz" 966 9
agrees v0.10.0 "" "$golden/v0.10.0-fuzz.jsonl.gz" "$(gzip -dc "$golden/v0.10.0-fuzz.jsonl.gz" | wc -l)" 0
agrees v0.11.0 v0.11.0:correct-divmod "$golden/v0.11.0-suite.jsonl.gz" 2021 33
agrees v0.11.0 "" "$golden/v0.11.0-fuzz-cdf0.jsonl.gz" 302 0
agrees v0.11.0:correct-divmod "" "$golden/v0.11.0-fuzz-cdf1.jsonl.gz" 302 0
agrees v0.11.0 "" "$golden/v0.11.0-parts.jsonl.gz" 75 0
agrees v0.11.0 "" "$real/v0.11.0-real.jsonl.gz" "$(gzip -dc "$real/v0.11.0-real.jsonl.gz" | wc -l)" 0
agrees v0.11.0 "" "$real/v0.11.0-real-sinks.jsonl.gz" "$(gzip -dc "$real/v0.11.0-real-sinks.jsonl.gz" | wc -l)" 0
agrees v0.11.0 "" "$real/v0.11.0-real-valid.jsonl.gz" 390 0

finish
