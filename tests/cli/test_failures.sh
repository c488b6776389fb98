# What goes wrong around the program: full disk, closed pipe, workers that die or hang, folders that
# can't be written.
. "$SRC/tests/cli/lib.sh"

printf 'x in [-6,6]\nx//2 + (x+1)//2\n' >g
for command in "simplify g" "check --profile v0.10.0 g" "trace g" "bounds g" \
  "minimize --profile v0.10.0 g" "fuzz --profile v0.10.0 --runs 300" "eval g --set x=1" "stats g" \
  "rules" "coverage g" "equiv g g" "equiv --smt2 - g g" "prove --each --rule mul_one" "bounds --exact g" "help" "--help" "check --help" "--version"; do
  status=0
  # shellcheck disable=SC2086
  "$UPROOF" $command >/dev/full 2>err || status=$?
  command_line="uproof $command >/dev/full"
  expect 4
  has err "write error"
done

for i in $(seq 1 20000); do echo '{"id":1,"nodes":[["CONST","int",[],1]]}'; done >many-rows
# nobody reads: SIGPIPE ends it, as any filter
( "$UPROOF" simplify --profile v0.10.0 --out json many-rows 2>/dev/null
  echo $? >piped ) | head -c 1 >/dev/null
status=$(cat piped)
command_line="uproof simplify | head -c 1"
expect 141

run fuzz --profile v0.10.0 --runs 500 --out /dev/null/x
expect 2
: >file
run fuzz --profile v0.10.0 --runs 500 --out file
expect 2

# the folder can't take the findings: they are printed all the same, and the status is 4
rm -rf kept
mkdir -p kept/findings.jsonl
run fuzz --profile v0.10.0 --runs 600 --out kept
expect 4
has out '"kind":'
has err "findings.jsonl"

# children of a process, by its id
children() {
  # one process for all of them: the machine may be busy, and the campaign does not wait
  awk -v parent="$1" '{ n = $1; sub(/^.*\) /, ""); if ($2 == parent) print n }' \
    /proc/[0-9]*/stat 2>/dev/null
}

# The first child of a process, as soon as there is one.
first_child() {
  local child=''
  for _ in $(seq 1 100); do
    child=$(children "$1" | sort -n | head -1)
    [ -z "$child" ] || break
    sleep 0.05
  done
  echo "$child"
}

# a worker that is killed costs one verdict, not the campaign (of a profile without findings, whose
# only children are workers)
"$UPROOF" fuzz --profile sound --seconds 4 --jobs 2 >out 2>err &
pid=$!
victim=$(first_child $pid)
sleep 1 # so that it is at work
[ -n "$victim" ] || fail "no worker to kill"
kill -KILL "$victim"
status=0
wait $pid || status=$?
command_line="fuzz with a killed worker"
expect 4
has err "killed by signal 9"
has err " 1 error"
has err "fuzz: "

# one that hangs is killed in the end
"$UPROOF" fuzz --profile sound --seconds 6 --jobs 1 --limit-hang 1 >out 2>err &
pid=$!
victim=$(first_child $pid)
sleep 1
[ -n "$victim" ] || fail "no worker to stop"
kill -STOP "$victim"
status=0
wait $pid || status=$?
command_line="fuzz with a stopped worker"
expect 4
has err "no answer in 1 seconds"
has err " 1 error"

# the parent dies: no worker stays
"$UPROOF" fuzz --profile v0.10.0 --seconds 30 --jobs 2 >out 2>err &
pid=$!
[ -n "$(first_child $pid)" ] || fail "no worker to leave"
workers=$(children $pid)
kill -KILL $pid
{ wait $pid; } 2>/dev/null
sleep 1
checks=$((checks + 1))
for w in $workers; do
  [ -d "/proc/$w" ] && ! grep -q '^State:.*[ZX]' "/proc/$w/status" && fail "worker $w outlives its parent"
done
finish
