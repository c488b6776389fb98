# Sourced by the tests of the program. Each expectation that fails is told; `finish` makes the exit
# status of them all.
set -u
failures=0
checks=0

fail() {
  failures=$((failures + 1))
  echo "FAILED: $*"
}

# run ARGS...: runs the program; its streams go to the files out and err, its status to $status.
run() {
  status=0
  "$UPROOF" "$@" >out 2>err || status=$?
  command_line="uproof $*"
}

# expect STATUS: of the last run.
expect() {
  checks=$((checks + 1))
  [ "$status" = "$1" ] && return
  fail "$command_line: exit status $status, expected $1"
  sed 's/^/  err: /' err | head -5
}

# has FILE TEXT: the file has a line with this text in it.
has() {
  checks=$((checks + 1))
  grep -qF -- "$2" "$1" && return
  fail "$command_line: no '$2' in $1:"
  sed 's/^/  /' "$1" | head -8
}

lacks() {
  checks=$((checks + 1))
  grep -qF -- "$2" "$1" || return 0
  fail "$command_line: '$2' in $1"
}

# lines FILE N
lines() {
  checks=$((checks + 1))
  n=$(wc -l <"$1")
  [ "$n" = "$2" ] || fail "$command_line: $n lines in $1, expected $2"
}

same() {
  checks=$((checks + 1))
  cmp -s "$1" "$2" || fail "$command_line: $1 and $2 differ"
}

finish() {
  echo "$checks checks, $failures failed"
  [ "$checks" -gt 0 ] && [ "$failures" = 0 ]
}
