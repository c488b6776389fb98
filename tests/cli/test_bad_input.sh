#!/usr/bin/env bash
# Bad input: each file of tests/bad/expected.txt, and large ones made here, ends with exit status 2
# and one line on standard error that begins `uproof: FILE:LINE:COL: `, and with nothing else.
set -u
: "${UPROOF:?path of the program}"
here=${SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
bad=$here/tests/bad
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cases=0 failures=0

# check FILE LINE COL MESSAGE
check() {
  local file=$1 want="uproof: $1:$2:$3: " message=$4 status text
  timeout 120 "$UPROOF" simplify "$file" >"$tmp/out" 2>"$tmp/err" </dev/null
  status=$?
  text=$(cat "$tmp/err")
  cases=$((cases + 1))
  if [ $status -ne 2 ] || [ -s "$tmp/out" ] || [ "$(wc -l <"$tmp/err")" -ne 1 ] ||
    [ "${text#"$want"}" = "$text" ] || [[ $text != *"$message"* ]]; then
    failures=$((failures + 1))
    echo "FAIL $file: status $status, wanted '$want...$message', got: ${text:0:300}"
  fi
}

# repeat TEXT TIMES
repeat() { awk -v s="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", s }'; }

cd "$bad" || exit 1
while read -r file line col message; do
  check "$file" "$line" "$col" "$message"
done < <(grep -v '^#' expected.txt)

cd "$tmp" || exit 1
{ echo 'x in [0,9]'; repeat '(' 1000000; echo x; } >deep-open.txt
check deep-open.txt 2 1000000 "'(' is not closed"
{ echo 'x in [0,9]'; printf x; repeat ')' 1000000; } >deep-closed.txt
check deep-closed.txt 2 2 "')' without '('"
{ echo 'x in [0,9]'; repeat '-' 1000000; } >deep-minus.txt
check deep-minus.txt 2 1000001 'an operand was expected'
{ echo 'x in [0,9]'; repeat 'max(' 1000000; } >deep-calls.txt
check deep-calls.txt 2 4000001 'an operand was expected'
{ printf 'x + '; repeat 9 1000000; } >long-number.txt
check long-number.txt 1 1 "'x' is not declared"
repeat 9 1000000 >long-number-only.txt
check long-number-only.txt 1 1 'integer of more than 65536 bits'
{ printf 'uop 1\n%%c = CONST int '; repeat 7 1000000; } >long-number.uop
check long-number.uop 2 16 'integer of more than 65536 bits'
{ printf 'uop 1\n%%c = CUSTOM void '; repeat '[' 1000000; } >deep-list.uop
check deep-list.uop 2 82 'nested more than 64 deep'
{ printf 'uop 1\n%%c = CONST int 1\n%%s = SINK void'; repeat ' %c' 65536; } >wide.uop
check wide.uop 3 $((16 + 3 * 65535)) 'at most 65535 sources'
{ printf 'uop 1\n%%c = DEFINE_VAR int ["'; repeat x 1000000; } >long-string.uop
check long-string.uop 2 22 'string without end'
{ printf 'uop 1\n%%'; repeat x 1000000; } >long-label.uop
check long-label.uop 2 1000002 "'=' was expected"
{ printf '{"nodes":[["CONST","int",[],"'; repeat 9 1000000; echo '"]]}'; } >long-number.jsonl
check long-number.jsonl 1 29 'too many digits'
{ printf '{"nodes":[["CUSTOM","void",[],'; repeat '[' 100; repeat ']' 100; echo ']]}'; } >deep-list.jsonl
check deep-list.jsonl 1 31 'nested too deep'
{ printf '{"nodes":'; repeat '[' 1000000; } >deep.jsonl
"$UPROOF" simplify deep.jsonl 2>err </dev/null
col=$(sed -n 's/^uproof: deep.jsonl:1:\([0-9]*\): .*/\1/p' err) # where the library gives up
check deep.jsonl 1 "${col:-1}" 'JSON: maximum parsing depth'
repeat '{' 1000000 >deep-objects.jsonl
check deep-objects.jsonl 1 2 'JSON'
{ repeat 'UOp(Ops.NEG, dtypes.int, src=(' 1000000; } >deep-open-tree.txt
check deep-open-tree.txt 1 29999971 'before this UOp( is closed'
{ printf 'UOp(Ops.CUSTOM, dtypes.void, arg='; repeat '(' 1000000; } >deep-tuple.txt
check deep-tuple.txt 1 98 'nested more than 64 deep'
{ printf 'UOp(Ops.CUSTOM, dtypes.void, arg=f'; repeat '(' 1000000; } >deep-call.txt
check deep-call.txt 1 1000034 "'(' is not closed"
{ printf 'UOp(Ops.SINK, dtypes.void, src=(x0:=UOp(Ops.CONST, dtypes.int, arg=1)'; repeat ',x0' 65536; } >wide-tree.txt
check wide-tree.txt 1 $((73 + 3 * 65534)) 'at most 65535 sources'
{ printf 'UOp(Ops.CONST, dtypes.int, arg='; repeat 9 1000000; echo ')'; } >long-number-tree.txt
check long-number-tree.txt 1 32 'integer of more than 65536 bits'

echo "$cases malformed files, $failures failures"
[ $cases -ge 60 ] && [ $failures -eq 0 ]
