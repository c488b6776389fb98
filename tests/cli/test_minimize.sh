# uproof minimize: forms of the result, what it tells, ends in time, keeps the best when stopped.
. "$SRC/tests/cli/lib.sh"

printf 'x in [-6,60]\ny in [0,5]\n((x - 1)//3 + y)*2 + (y*3 + 7)%%4\n' >sum
run minimize --profile v0.10.0 --kind value --rule div_folding sum
expect 1
has out 'meta rule div_folding'
has out 'meta cause value-ideal-div_folding-IDIV-positive'
has err 'in [-1,0]'
has err '  pass          tries accepted    nodes'
has err '  descend'
has err 'minimize: 4 nodes from 1'
cp out small.uop
run minimize --profile v0.10.0 --rule div_foldin sum
expect 2
lines err 1
has err "no rule 'div_foldin' in v0.10.0 (did you mean div_folding?"

# reduced again it stays as it is
run minimize --profile v0.10.0 small.uop
expect 1
same out small.uop
has err ' 0 accepted'

# without --profile: that of the file
run minimize --quiet small.uop
expect 1
run minimize --quiet --profile v0.11.0 small.uop
expect 0

# the JSON line of a finding with what each pass won
run minimize --profile v0.10.0 --json small.uop
lines out 1
for key in '"cause":"value-ideal-div_folding-IDIV-positive"' '"node_count":4' '"reduction":{' \
  '"nodes_before":4' '"passes":{"descend":{"tries":' '"widened":{'; do
  has out "$key"
done
run minimize --profile v0.10.0 --out infix --quiet small.uop
lines err 0
lines out 2
run minimize --profile v0.10.0 --out tinygrad --quiet small.uop
has out 'root = n3'
run minimize --profile v0.10.0 --out py --quiet small.uop
has out 'def test_value_div_folding():'

# ---- a test in C: it compiles, fails for the bug's profile, and passes for one without ----------

sanitize=$(sed -n 's/^UPROOF_SANITIZE:[A-Z]*=//p' "$BUILD/CMakeCache.txt")
coverage=$(sed -n 's/^UPROOF_COVERAGE:[A-Z]*=\(ON\|1\)$/--coverage/p' "$BUILD/CMakeCache.txt")
fuzzer=$(sed -n 's/^UPROOF_LIBFUZZER:[A-Z]*=\(ON\|1\)$/-fsanitize=fuzzer-no-link/p' "$BUILD/CMakeCache.txt")

# compile NAME: NAME.c to the program NAME
compile() {
  checks=$((checks + 1))
  "$CC" -std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror ${sanitize:+-fsanitize=$sanitize} \
    $coverage $fuzzer -I"$SRC" "$1.c" "$BUILD/libuproof_oracle.a" "$BUILD/libuproof_engine.a" -lz3 \
    -lgmp -lcmocka -lm -o "$1" 2>cc.err || fail "$1.c does not compile: $(head -3 cc.err)"
}

# ends NAME STATUS: the compiled test's exit status, its output in out
ends() {
  checks=$((checks + 1))
  s=0
  "./$1" >out 2>&1 || s=$?
  [ "$s" = "$2" ] || fail "$1 ends with $s, expected $2: $(tail -3 out)"
}

run minimize --profile v0.10.0 --out c --quiet small.uop
expect 1
cp out bug.c
compile bug
ends bug 1
has out 'value-ideal-div_folding-IDIV-positive'
sed 's/"v0.10.0"/"v0.11.0"/' bug.c >fixed.c
compile fixed
ends fixed 0

# a user's own rules go into the test; names and texts can hold anything
printf 'ruleset symbolic\n# "*/ \\ ??/\nrule half : x + x -> x\n' >wrong.rules
printf 'ruleset symbolic\nrule half : x + x -> x * 2\n' >right.rules
printf 'uop 1\n%%0 = DEFINE_VAR int ["*/\\"?", 0, 3]\n%%1 = ADD int %%0 %%0\n' >double
run minimize --profile v0.10.0 --rules wrong.rules --out c --quiet double
expect 1
cp out rules.c
compile rules
ends rules 1
has out 'value-ideal-half-ADD'
sed 's/half : x + x -> x/half : x + x -> x * 2/' rules.c >right.c
compile right
ends right 0

# ---- no finding, other findings, bad input --------------------------------------------------------

printf 'x in [0,255]\nx//4*4 + x%%4\n' >sound
run minimize --profile v0.10.0 sound
expect 0
has err 'no such finding in it'
lines out 0
run minimize --profile v0.10.0 --rule fold_unrolled_divs small.uop
expect 0
run minimize --profile v0.10.0 --out c --json no-such-file
expect 2
printf '{"valid":[["CONST","bool",[],true]],"mode":"uop_given_valid","nodes":[["CONST","int",[],1]]}\n' >row
run minimize --profile v0.10.0 row
expect 0
has err 'no such finding'
run minimize --profile v0.10.0 --out pdf small.uop
expect 2

# ---- stopped -------------------------------------------------------------------------------------

# a chain that takes long: stopped by a signal or by the clock it ends with a finding, and says so
awk 'BEGIN {
  print "uop 1\n%x = DEFINE_VAR int [\"x\", -8, -6]\n%3 = CONST int 3\n%m = MOD int %x %3\n%0 = CONST int 0"
  print "%t0 = MAX int %m %0"
  for (i = 1; i < 60000; i++)
    printf "%%k%d = CONST int %d\n%%t%d = XOR int %%t%d %%k%d\n", i, i + 5, i, i - 1, i
}' >chain
for how in INT TERM clock; do
  option=
  [ $how = clock ] && option="--seconds 1"
  "$UPROOF" minimize --profile v0.10.0 --kind value --limit-rlimit 0 --limit-points 0 $option chain >out 2>err &
  pid=$!
  sleep 1
  [ $how = clock ] || kill -$how $pid
  status=0
  wait $pid || status=$?
  command_line="minimize chain ($how)"
  case $status in
    1) has out 'meta kind value' ;;
    3) has err 'stopped before the finding was seen' ;;
    *) expect "1 or 3" ;;
  esac
done
# a simplification under a valid is reduced with it, and what comes out reduces no further
sed -n '/uop_given_valid/p' "$SRC/corpus/regress/v0.11.0.jsonl" >given
run minimize --profile v0.11.0 given
expect 1
has out '"mode":"uop_given_valid"'
has out '"valid":[['
has out '"rule":"fold_divmod_congruence"'
sed 's/,"reduction":.*/}/' out >reduced.jsonl
run minimize --profile v0.11.0 reduced.jsonl
expect 1
sed 's/,"reduction":.*/}/; s/"file":"[^"]*"/"file":"given"/' out >again.jsonl
sed 's/"file":"[^"]*"/"file":"given"/; s/"id":[^,]*,/"id":null,/' reduced.jsonl >want
sed -i 's/"id":[^,]*,/"id":null,/' again.jsonl
same want again.jsonl
run minimize --profile v0.11.0 --out c given
has out 'or_check_valid('
finish
