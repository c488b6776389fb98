# Sourced by the tests of campaigns, behind tests/cli/lib.sh.

# same_campaign DIR DIR: the same causes, findings and counts; times and the number of runs aside.
same_campaign() {
  checks=$((checks + 1))
  diff -r -x state.json -x status.json -x lock "$1" "$2" >differences ||
    fail "$command_line: $1 and $2 differ: $(head -c 600 differences)"
  for field in next graphs findings verdicts covered; do
    [ "$(field $field "$1/state.json")" = "$(field $field "$2/state.json")" ] ||
      fail "$command_line: $field of $1/state.json and $2/state.json differ"
  done
}

# field NAME FILE: the value of a member as it is written, without strings that hold brackets.
field() { grep -o "\"$1\":\([0-9]*\|{[^}]*}\|\[[^]]*\]\)" "$2" | head -1; }

# whole DIR: nothing half-done is to be seen.
whole() {
  checks=$((checks + 1))
  [ -z "$(find "$1" -name '*.part')" ] || fail "$command_line: half a file: $(find "$1" -name '*.part')"
  [ ! -s "$1/findings.jsonl" ] || [ -z "$(tail -c 1 "$1/findings.jsonl")" ] ||
    fail "$command_line: half a line in $1/findings.jsonl"
}

# processes TEXT: the /proc files of processes that have it in their command lines.
processes() {
  printf '%s\n' "$1" >pattern # not an argument: grep would see itself
  grep -aFlf pattern /proc/[0-9]*/cmdline 2>/dev/null
}

# running N TEXT: so many such processes are started, however long that takes on a busy machine.
running() {
  checks=$((checks + 1))
  for _ in $(seq 600); do
    [ "$(processes "$2" | wc -l)" = "$1" ] && return
    sleep 0.1
  done
  fail "not $1 processes: $(processes "$2")"
}

# none_left TEXT: what a campaign ran has ended with it, or soon ends.
none_left() {
  checks=$((checks + 1))
  for _ in $(seq 600); do
    [ -n "$(processes "$1")" ] || return 0
    sleep 0.1
  done
  fail "$command_line: still running: $(processes "$1")"
}
