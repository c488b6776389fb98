# uproof fuzz: finds the known bugs of 0.10.0, the same ones on every run and with any --jobs, keeps
# them whole, and ends in good order.
. "$SRC/tests/cli/lib.sh"

run fuzz --profile v0.10.0 --runs 4000 --seed 3
expect 1
cp out first
cp err first.err
for rule in bound_mod_pos bound_div_const_pos mod_folding div_folding; do
  has out "\"rule\":\"$rule\""
done
has err "fuzz: 4000 graphs, "
has err "causes"
has err "seed 3"
causes=$(wc -l <first)
[ "$(grep -o '"cause":"[^"]*"' first | sort -u | wc -l)" = "$causes" ] ||
  fail "a cause is printed more than once"
for jobs in 1 2 5; do
  run fuzz --profile v0.10.0 --runs 4000 --seed 3 --jobs $jobs
  same out first
  same err first.err
done
run fuzz --profile v0.10.0 --runs 4000 --seed 4
cmp -s out first && fail "another seed, but the same findings"

# what is kept: a file a cause that shows the finding again, and the printed lines
rm -rf kept
run fuzz --profile v0.10.0 --runs 2000 --out kept
expect 1
same out kept/findings.jsonl
[ "$(ls kept/causes/*.uop | wc -l)" = "$(wc -l <out)" ] || fail "not one .uop a cause: $(ls kept/causes)"
[ -z "$(find kept -name '*.part')" ] || fail "half a file was left"
for f in kept/causes/*.uop; do
  kind=$(basename "$f" | cut -d- -f1)
  rule=$(basename "$f" .uop | cut -d- -f3)
  profile=$(sed -n 's/^meta profile //p' "$f") # v0.10.0, or one of its rules alone
  run check --profile "$profile" --no-reduce "$f"
  expect 1
  has out "\"kind\":\"$kind\""
  has out "\"rule\":\"$rule\""
done
run check --profile v0.10.0 kept/findings.jsonl
expect 1

# without anything wrong: rules that do nothing, bounds of constants only
printf 'ruleset symbolic\nrule nothing : x + 0 -> x\n' >plain.rules
run fuzz --profile v0.10.0 --runs 500 --rules plain.rules --no-casts --no-bits
lacks out '"kind":"value"'

run fuzz --profile v0.10.0 --runs 300 --no-reduce --frame all
has out '"frame":"wrap"'

# where nothing overflows the frames agree, and no graph is out of that box
run fuzz --runs 1500 --frame all --no-overflow --no-certificates
expect 0
has err " 0 findings in 0 causes, 0 undecided"
has err " 0 differs, 0 unsupported"
run fuzz --profile v0.11.0 --runs 1000 --frame wrap --no-overflow --no-reduce
expect 1
# nor do reductions leave it
cp out found.jsonl
run check --frame all --no-overflow --profile v0.11.0 found.jsonl
expect 1
lacks err "may leave its dtype"
printf '{"id":"leaves","nodes":[["DEFINE_VAR","int",[],["x",0,2147483647]],["CONST","int",[],1],["ADD","int",[0,1],null]]}\n' >two.jsonl
run check --frame wrap --no-overflow two.jsonl
expect 3
has err "unsupported"

# time ends it
start=$(date +%s)
run fuzz --profile v0.10.0 --seconds 1 --jobs 2
expect 1
[ $(($(date +%s) - start)) -le 30 ] || fail "--seconds 1 took longer"

# a signal ends it, with all that was found and the summary
for signal in INT TERM; do
  rm -rf stopped-$signal
  "$UPROOF" fuzz --profile v0.10.0 --seconds 100 --jobs 2 --out stopped-$signal >out 2>err &
  pid=$!
  sleep 1
  kill -$signal $pid
  status=0
  wait $pid || status=$?
  command_line="fuzz, SIG$signal"
  expect 1
  has err "stopped early"
  has err "fuzz: "
  same out stopped-$signal/findings.jsonl
done

# a wrong rule that another one hides is seen alone, and named so that the finding can be seen again
printf 'rule first : x + 0 -> x\nrule wrong : x@int + 0 -> 1@int\n' >hidden.rules
run fuzz --rules hidden.rules --quiet --runs 2000 --seed 1
expect 1
has out '"profile":"sound/=wrong"'
has out '"cause":"value-ideal-wrong-ADD-alone"'
cp out hidden.jsonl
run fuzz --rules hidden.rules --quiet --runs 2000 --seed 1 --jobs 2
same out hidden.jsonl
run check --rules hidden.rules --profile sound/=wrong --quiet hidden.jsonl
expect 1
run check --rules hidden.rules --quiet hidden.jsonl
expect 0
run fuzz --rules hidden.rules --quiet --runs 2000 --seed 1 --no-alone
expect 0
# a rule that comes to no end alone is judged with the others
printf 'rule back : x@ints * 2 -> x + x\nrule turn : x + y -> y + x\n' >turn.rules
run fuzz --rules turn.rules --quiet --runs 400 --seed 1 --no-reduce
has out '"kind":"nontermination"'
lacks out 'alone"'

# cases as rows: what --show gives one by one
run fuzz --json --show 3-5
expect 0
lines out 3
cp out rows
run check --quiet rows
expect 0
run fuzz --json --show 4
has rows "$(cat out)"
run fuzz --show 5-3
expect 2
has err 'FIRST-LAST'
finish
