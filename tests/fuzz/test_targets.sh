# The fuzz targets with the drivers that need no fuzzer: many cases without a failure of the harness,
# their seeds, replay of files and folders, findings saved.
. "$SRC/tests/cli/lib.sh"

# A second or less each: those that ask Z3, or reduce, get fewer.
runs_of() {
  case $1 in
    fuzz_z3 | fuzz_smt2) echo 60 ;;
    fuzz_exact | fuzz_solver) echo 300 ;;
    fuzz_minimize | fuzz_parse) echo 500 ;;
    *) echo 1500 ;;
  esac
}

targets=0
for source in "$SRC"/fuzz/targets/*.c; do
  name=$(basename "$source" .c)
  random=$BUILD/fuzz/$name-random replay=$BUILD/fuzz/$name-replay
  [ -x "$random" ] && [ -x "$replay" ] || fail "$name was not built"
  targets=$((targets + 1))
  runs=$(runs_of "$name")
  status=0
  "$random" --seed 9 --runs "$runs" >out 2>err || status=$?
  command_line="$name-random --seed 9 --runs $runs"
  expect 0
  has err "random: seed 9, $runs runs"

  # seeds of its own, and for graph targets those of fuzz_simplify
  shared=$SRC/corpus/seed/fuzz_simplify
  case $name in
    fuzz_z3 | fuzz_smt2 | fuzz_solver | fuzz_minimize | fuzz_parse | fuzz_rules | fuzz_simplify) shared= ;;
  esac
  for seeds in "$SRC/corpus/seed/$name" $shared; do
    [ -d "$seeds" ] || continue
    status=0
    "$replay" "$seeds" >out 2>err || status=$?
    command_line="$name-replay $seeds"
    expect 0
    has err "replay: $(find "$seeds" -type f | wc -l) inputs"
  done

  rm -rf inputs
  mkdir -p inputs
  : >inputs/empty
  printf '\001' >inputs/one
  head -c 5000 /dev/zero >inputs/zeros
  seq 1 3000 >inputs/text
  status=0
  "$replay" inputs inputs/text >out 2>err || status=$?
  command_line="$name-replay inputs"
  expect 0
  has err "replay: 5 inputs"
  status=0
  "$replay" no-such-file >out 2>err || status=$?
  expect 2
  status=0
  "$replay" >out 2>err || status=$?
  expect 2
done
[ "$targets" -ge 21 ] || fail "only $targets targets"

rm -rf saved
mkdir saved
UPROOF_FINDINGS=saved "$BUILD"/fuzz/fuzz_simplify-random --seed 2 --runs 2000 2>err
checked=0
for f in saved/*.uop; do
  [ -f "$f" ] || fail "no finding was saved"
  [ "$checked" -lt 25 ] || break
  checked=$((checked + 1))
  kind=$(basename "$f" | cut -d- -f1)
  frame=$(basename "$f" | cut -d- -f2)
  profile=$(sed -n "s/^meta profile //p" "$f")
  run check --no-reduce --profile "$profile" --frame "$frame" "$f"
  expect 1
  has out "\"kind\":\"$kind\""
done

# those of simplifications under a valid as rows
rm -rf saved
mkdir saved
UPROOF_FINDINGS=saved "$BUILD"/fuzz/fuzz_valid-random --seed 2 --runs 1500 2>err
for f in saved/*.jsonl; do
  [ -f "$f" ] || fail "no finding under a valid was saved"
  cause=$(basename "$f" | cut -d- -f1-3)
  run check --no-reduce --profile "$(sed 's/.*"profile":"\([^"]*\)".*/\1/' "$f")" --frame "$(echo "$cause" | cut -d- -f2)" "$f"
  expect 1
  has out "\"cause\":\"$cause"
  has out '"mode":'
done
finish
