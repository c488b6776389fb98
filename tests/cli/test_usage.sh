# Help, version and bad usage of the program and of each command.
. "$SRC/tests/cli/lib.sh"

commands="simplify eval bounds trace stats rules coverage check equiv fuzz drill report minimize prove mutate
golden"

run --help
expect 0
lines err 0
for c in $commands; do has out "  $c "; done
run --version
expect 0
has out "uproof "
has out "with"
lines out 1

for c in $commands; do
  run $c --help
  expect 0
  lines err 0
  has out "usage: uproof $c [OPTIONS]"
  has out "--profile P"
  [ "$c" = golden ] || has out "(default sound)"
  has out "exit status:"
  run $c --no-such-option x
  expect 2
  lines out 0
  lines err 1
  has err "uproof: $c: unknown option --no-such-option"
  run $c --seed
  expect 2
  lines err 1
  run $c --seed twelve
  expect 2
  lines err 1
  run $c --json=yes
  expect 2
  lines err 1
done

run
expect 2
lines err 1
run frobnicate
expect 2
lines err 1
has err "unknown command 'frobnicate'"
run --frobnicate
expect 2
lines err 1

echo 'x in [0,7]
x%4' >g
for c in simplify eval bounds trace check equiv minimize golden; do
  run $c
  expect 2
  lines err 1
done
for c in simplify bounds trace stats coverage check drill minimize golden; do
  run $c --profile v9.9.9 g
  expect 2
  lines err 1
  has err "v9.9.9"
  run $c --profile sound no-such-file
  expect 2
  has err "no-such-file"
done
for c in rules fuzz prove mutate; do
  run $c --profile v9.9.9
  expect 2
  lines err 1
  has err "unknown profile 'v9.9.9' (there are: v0.10.0, "
done

# what is judged unless a profile is named: the sound rules; recorded answers are a release's
printf 'x in [-3,3]\n(x-1)//2\n' >half
run check half
expect 0
run check --profile v0.10.0 half
expect 1
has out '"rule":"div_folding"'
run golden g
expect 2
has err "which release was recorded?"
run fuzz some-file
expect 2
run equiv g g g
expect 2
run check --frame flat g
expect 2
has err "--frame is one of ideal|wrap|refine|all, not 'flat'"
run simplify --out latex g
expect 2
has err "--out is one of"
run check --limit-samples -1 g
expect 2
run check --limit-samples 99999999999999999999 g
expect 2

# options after operands, values behind =, -- before operands
run check g --frame=wrap --quiet
expect 0
lines err 0
cp g ./--help
run simplify -- --help
expect 0
has out "(x%4)"
finish
