# Each operation on a file of a campaign: the process killed in it, and the disk full from it on.
# Nothing is lost, nothing half-written stays, and the next run ends as if nothing had happened.
. "$SRC/tests/cli/lib.sh"
. "$SRC/tests/campaign/lib.sh"
[ "$UPROOF_INSTRUMENTED" = 0 ] || {
  echo "a sanitizer's runtime can't have a library in front of it: done in the build without"
  exit 77
}
"$CC" -shared -fPIC -O1 -o shim.so "$SRC/tests/campaign/shim.c" -ldl || fail "the shim does not build"

# shimmed VARIABLE VALUE
shimmed() {
  status=0
  { env LD_PRELOAD="$PWD/shim.so" "$1=$2" "$UPROOF" fuzz --profile v0.10.0 --runs 700 --seed 5 --no-reduce \
    --out camp >out 2>err || status=$?; } 2>/dev/null
  command_line="$1=$2 uproof fuzz"
}
fuzz() { shimmed SHIM_FULL 0; } # undisturbed

rm -rf camp alone dead full
shimmed SHIM_COUNT count
expect 1
cp out printed
mv camp alone
operations=$(cat count)
[ "$operations" -gt 60 ] || fail "only $operations operations were seen"
[ "$(wc -l <printed)" -ge 4 ] || fail "few causes: $(wc -l <printed)"

for n in $(seq 1 9 "$operations"); do
  rm -rf camp
  shimmed SHIM_KILL $n
  [ "$status" = 137 ] || fail "$command_line: status $status, not killed"
  fuzz
  expect 1
  whole camp
  rm -rf dead
  mv camp dead
  same_campaign alone dead
done

for n in $(seq 2 17 $((operations - 12))); do
  rm -rf camp
  shimmed SHIM_FULL $n
  if [ "$status" = 2 ]; then # not even the folder could be made ready
    has err "No space left"
    [ ! -s out ] || fail "$command_line: findings, but status 2"
  else
    expect 4
    same out printed
    has err "No space left on device; findings are printed"
    [ "$(grep -c "^uproof: " err)" = 1 ] || fail "$command_line: told more than once"
  fi
  [ ! -e camp ] || whole camp
  fuzz # there is room again
  expect 1
  rm -rf full
  mv camp full
  same_campaign alone full
done
finish
