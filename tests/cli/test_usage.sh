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
has err "unknown command 'frobnicate' (uproof --help lists the commands)"

# a slip or two away: that may have been meant
run simplfy
expect 2
lines err 1
has err "unknown command 'simplfy' (did you mean simplify? uproof --help lists the commands)"
run check --quite
expect 2
lines err 1
has err "unknown option --quite (did you mean --quiet? uproof check --help lists them)"
for c in prove mutate; do
  run $c --rule mul_on
  expect 2
  lines err 1
  has err "no rule 'mul_on' in sound (did you mean mul_one? uproof rules lists them)"
done
run prove --rule nothing_like_it
expect 2
has err "no rule 'nothing_like_it' in sound (uproof rules lists them)"

run --help
cp out all-help
run help
expect 0
same out all-help
run check --help
cp out check-help
run help check
expect 0
same out check-help
run help chek
expect 2
lines err 1
has err "did you mean check?"

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

# the mark that editors on Windows put in front of a text, and their line ends
run simplify --out uop g
cp out g.uop
run simplify --out json g
cp out g.jsonl
run simplify --out tree g
cp out g.tree
for f in g g.uop g.jsonl g.tree; do
  run simplify --out uop $f
  expect 0
  cp out plain
  { printf '\357\273\277' && sed 's/$/\r/' $f; } >marked
  run simplify --out uop marked
  expect 0
  lines err 0
  same out plain
done
printf '\357\273\277x in [0,7]\nx ?\n' >marked
run simplify marked
expect 2
has err "uproof: marked:2:3: "
printf '\357\273\277x ?\n' >marked
run simplify marked
expect 2
has err "uproof: marked:1:1: "
iconv -f UTF-8 -t UTF-16LE g | { printf '\377\376' && cat; } >wide
run simplify wide
expect 2
lines err 1
has err "uproof: wide:1:1: a text in UTF-16: it has to be in UTF-8"
printf '\357\273\277rule own : x + 0 -> x\n' >marked.rules
printf 'rule own : x + 0 -> x\n' >plain.rules
run rules --rules plain.rules
expect 0
sed 's/plain/marked/' out >plain-rules
run rules --rules marked.rules
expect 0
same out plain-rules

# files that are none
mkdir -p folder
run rules --rules no-such-file
expect 2
lines err 1
has err "no-such-file: cannot open: No such file or directory"
run rules --rules folder
expect 2
lines err 1
has err "folder: cannot read: Is a directory"
run fuzz --runs 1 --known no-such-file
expect 2
lines err 1
has err "no-such-file: cannot open: No such file or directory"
run fuzz --runs 1 --known folder
expect 2
lines err 1
has err "folder: cannot read: Is a directory"

run rules --rules /dev/zero
expect 2
lines err 1
has err "/dev/zero: cannot read: File too large"

# where results can't go is told before the work, not after it
refuses() {
  run "$@"
  expect 2
  lines out 0
  lines err 1
}
refuses check g --junit no-such-folder/x.xml
has err "no-such-folder/x.xml: No such file or directory"
refuses check g --sarif folder
has err "folder: Is a directory"
refuses fuzz --seconds 60 --sarif no-such-folder/x.sarif
refuses prove --smt2 no-such-folder/x
refuses coverage --seeds plain-rules g
has err "plain-rules: not a folder"
refuses mutate --keep no-such-folder/x

# options after operands, values behind =, -- before operands
run check g --frame=wrap --quiet
expect 0
lines err 0
cp g ./--help
run simplify -- --help
expect 0
has out "(x%4)"
finish
