# Help, version and bad usage of the program and of each command.
. "$SRC/tests/cli/lib.sh"

commands="simplify eval bounds trace check equiv fuzz minimize golden"

run --help
expect 0
lines err 0
for c in $commands; do has out "  $c "; done
run --version
expect 0
has out "uproof "
lines out 1

for c in $commands; do
  run $c --help
  expect 0
  lines err 0
  has out "usage: uproof $c [OPTIONS]"
  has out "--profile P"
  has out "(default v0.10.0)"
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
for c in simplify bounds trace check minimize golden; do
  run $c --profile v9.9.9 g
  expect 2
  lines err 1
  has err "v9.9.9"
  run $c no-such-file
  expect 2
  has err "no-such-file"
done
run fuzz some-file
expect 2
run equiv g g g
expect 2
run check --frame flat g
expect 2
has err "--frame is one of ideal|wrap|refine|all, not 'flat'"
run simplify --out smt2 g
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
