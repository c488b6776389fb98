#!/usr/bin/env bash
# Engines behind a pipe: the model of a release has the findings that it has inside, and programs that
# die, hang, talk nonsense or are none cost what they should.
. "$SRC/tests/cli/lib.sh"
model=$BUILD/adapters/model

# Findings of both ways, without the name of the engine.
same_findings() {
  local profile=$1
  shift
  "$UPROOF" check --quiet --limit-tries 200 --adapter "$model $profile" "$@" | sed 's/"profile":"[^"]*"//' >outside
  "$UPROOF" check --quiet --limit-tries 200 --profile "$profile" "$@" | sed 's/"profile":"[^"]*"//' >inside
  checks=$((checks + 1))
  [ -s inside ] && cmp -s inside outside && return
  fail "findings of $profile are others through a pipe"
  diff inside outside | head -4
}
for profile in v0.10.0 v0.11.0; do
  grep -v '"mode"' "$SRC/corpus/regress/$profile.jsonl" >known.jsonl
  same_findings "$profile" known.jsonl
done

# With widths no claim is blamed, but what fails is the same.
kinds() { sed 's/.*"kind":"\([a-z]*\)","frame":"\([a-z]*\)".*/\1 \2/' "$1"; }
run check --quiet --frame all --no-reduce --adapter "$model v0.10.0" "$SRC/corpus/regress/v0.10.0.jsonl"
expect 1
kinds out >outside
run check --quiet --frame all --no-reduce --profile v0.10.0 "$SRC/corpus/regress/v0.10.0.jsonl"
kinds out >inside
checks=$((checks + 1))
cmp -s inside outside || fail "other kinds of findings through a pipe"

printf 'x in [0,1]\n(x-1)//2\n' >half.txt
run trace --adapter "$model v0.10.0" half.txt
expect 0
has out 'div_folding'
run bounds --all --adapter "$model v0.10.0" half.txt
expect 0
has out '[-1, 0]'
run minimize --adapter "$model v0.10.0" --out infix half.txt
expect 1
has out '((x+2)//2)'

# A campaign, in any number of processes; its causes go by the adapter's names.
run fuzz --quiet --adapter "$model v0.10.0" --runs 250 --no-reduce
expect 1
cp out one
run fuzz --quiet --adapter "$model v0.10.0" --runs 250 --no-reduce --jobs 2
expect 1
same one out
has out '"rule":"div_folding"'
printf 'value ideal div_folding\n* ideal fold_constants\n' >known
run fuzz --quiet --adapter "$model v0.10.0" --runs 250 --no-reduce --known known --out campaign
expect 1
lacks out '"rule":"div_folding"'
run fuzz --quiet --resume --runs 300 --out campaign
expect 1
has campaign/state.json '"rule":"div_folding"'
run fuzz --quiet --runs 250 --no-reduce --out campaign
expect 2
has err '--adapter'

# adapter NAME: a program that says hello, and does what standard input says with other questions.
adapter() {
  {
    echo 'while read -r question; do case $question in *hello*) echo "{\"engine\": \"test\"}" ;; *)'
    cat
    echo ';; esac; done'
  } >"$1.sh"
}
adapter dies <<'END'
exit 3
END
run check --adapter 'sh dies.sh' half.txt
expect 1
has out '"kind":"crash"'
has out '"profile":"test"'
adapter hangs <<'END'
sleep 100
END
run check --limit-adapter 1 --adapter 'sh hangs.sh' half.txt
expect 3
has err 'no answer in 1 s'

# Ctrl-C ends a run long before an adapter that says nothing would, with what was found; and however it
# ends, neither the adapter nor what the adapter started is left.
adapter stalls <<'END'
case $question in
  *4711*) sleep 1000 & echo $! >started; mv started stalled; wait ;;
  *bounds*) echo "{\"bounds\": [$(echo "$question" | grep -o '\["[A-Z]' | sed 's/.*/null/' | paste -sd,)]}" ;;
  *) echo '{"nodes": [["CONST", "int", [], 0]], "result": 0}' ;;
esac
END
is_gone() {
  case $(ps -o stat= -p "$1") in "" | Z*) return 0 ;; esac
  return 1
}

# interrupt SIGNAL PREFIX ARGS...: when the adapter stalls; PREFIX "-" signals the process group.
interrupt() {
  local signal=$1 prefix=$2
  shift 2
  rm -f stalled
  status=0
  command_line="uproof $* ($signal)"
  setsid "$UPROOF" "$@" --limit-adapter 1000 --adapter 'sh stalls.sh' >out 2>err &
  local pid=$!
  while [ ! -e stalled ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
  kill -"$signal" -- "$prefix$pid"
  wait $pid 2>/dev/null || status=$?
  for i in $(seq 400); do
    is_gone "$(cat stalled)" && break
    sleep 0.02
  done
  checks=$((checks + 1))
  is_gone "$(cat stalled)" || fail "$command_line: a process of the adapter is left"
}
printf 'x in [0,9]\nx+1\n' >wrong.txt
printf 'x in [0,9]\nx+4711\n' >stall.txt
for to in "" -; do
  interrupt INT "$to" check wrong.txt stall.txt wrong.txt
  expect 1
  lines out 1
  has out '"kind":"value"'
  has err 'stopped early'
  interrupt TERM "$to" check --jobs 2 stall.txt
  expect 3
  has err '1 undecided'
done
interrupt INT "" minimize stall.txt
expect 3
for signal in TERM KILL; do
  interrupt $signal "" simplify stall.txt
  interrupt $signal "" bounds stall.txt
done
interrupt KILL "" check stall.txt
adapter nonsense <<'END'
echo '{"nodes": [["ADD", "int", [], null]], "result": 0}'
END
run check --adapter 'sh nonsense.sh' half.txt
expect 3
has err "an answer that can't be read"
adapter refuses <<'END'
echo '{"error": "not-covered: IDIV"}'
END
run check --adapter 'sh refuses.sh' half.txt
expect 3
has err '1 unsupported'
# wrong by itself: every graph becomes 0, of which nothing is claimed
adapter zero <<'END'
case $question in
  *bounds*) echo "{\"bounds\": [$(echo "$question" | grep -o '\["[A-Z]' | sed 's/.*/null/' | paste -sd,)]}" ;;
  *) echo '{"nodes": [["CONST", "int", [], 0]], "result": 0}' ;;
esac
END
run check --adapter 'sh zero.sh' half.txt
expect 0
printf 'x in [0,9]\nx+1\n' >plus.txt
run check --adapter 'sh zero.sh' plus.txt
expect 1
has out '"rule":null'
has out '"kind":"value"'

run check --adapter false half.txt
expect 2
has err "--adapter 'false': ended with status 1"
run check --adapter cat half.txt
expect 2
has err 'does not say which engine it is'
run check --adapter "$model v0.10.0" --profile v0.10.0 half.txt
expect 2
run fuzz --adapter "$model v0.10.0" --known refuted --runs 1
expect 2
run fuzz --adapter "$model v0.10.0" --engine libfuzzer --out other --runs 1
expect 2
finish
