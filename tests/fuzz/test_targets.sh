# The fuzz targets with the drivers that need no fuzzer: thousands of cases without a failure of the
# harness, replay of files and folders, findings saved.
. "$SRC/tests/cli/lib.sh"

for random in "$BUILD"/fuzz/*-random; do
  [ -x "$random" ] || fail "no fuzz target was built"
  replay=${random%-random}-replay
  status=0
  "$random" --seed 9 --runs 3000 >out 2>err || status=$?
  command_line="${random##*/} --seed 9 --runs 3000"
  expect 0
  has err "random: seed 9, 3000 runs"

  rm -rf inputs
  mkdir -p inputs
  : >inputs/empty
  printf '\001' >inputs/one
  head -c 5000 /dev/zero >inputs/zeros
  seq 1 3000 >inputs/text
  status=0
  "$replay" inputs inputs/text >out 2>err || status=$?
  command_line="${replay##*/} inputs"
  expect 0
  has err "replay: 5 inputs"
  status=0
  "$replay" no-such-file >out 2>err || status=$?
  expect 2
  status=0
  "$replay" >out 2>err || status=$?
  expect 2
done

rm -rf saved
mkdir saved
UPROOF_FINDINGS=saved "$BUILD"/fuzz/fuzz_simplify-random --seed 2 --runs 2000 2>err
for f in saved/*.uop; do
  [ -f "$f" ] || fail "no finding was saved"
  kind=$(basename "$f" | cut -d- -f1)
  frame=$(basename "$f" | cut -d- -f2)
  profile=$(sed -n "s/^meta profile //p" "$f")
  run check --no-reduce --profile "$profile" --frame "$frame" "$f"
  expect 1
  has out "\"kind\":\"$kind\""
done
finish
