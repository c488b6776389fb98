# The unsound simplifications of 0.11.0 on graphs of real models: found, each blamed on the rule that
# the release's flag mends, and gone with the flag.
. "$SRC/tests/cli/lib.sh"

rows=$SRC/corpus/regress/real-v0.11.0.jsonl
for frame in ideal wrap; do
  run check --profile v0.11.0 --frame $frame "$rows"
  expect 1
  has err "check: 6 graphs,"
  [ "$(grep -c '"kind":"value",.*"rule":"fold_divmod_congruence"' out)" = 6 ] ||
    fail "$frame: not six wrong values by fold_divmod_congruence"
  run check --profile v0.11.0:correct-divmod --frame $frame "$rows"
  lacks out '"kind":"value"'
done

finish
