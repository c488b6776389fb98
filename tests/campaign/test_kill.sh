# A campaign that is killed at 100 random moments, and at the end goes on, has the causes, the
# findings and the counts of one that was left alone.
. "$SRC/tests/cli/lib.sh"
. "$SRC/tests/campaign/lib.sh"

# the folder's name is part of what is kept: both campaigns have the same
rm -rf alone killed camp
run fuzz --runs 6000 --profile v0.11.0 --frame all --no-reduce --out camp
expect 1
mv camp alone

RANDOM=7
kills=0
for i in $(seq 1 100); do
  "$UPROOF" fuzz --runs 6000 --profile v0.11.0 --frame all --no-reduce --jobs 2 --out camp \
    >out 2>err &
  pid=$!
  sleep 0.0$((RANDOM % 6 + 1))
  kill -KILL $pid 2>/dev/null && kills=$((kills + 1))
  { wait $pid; } 2>/dev/null
  command_line="fuzz, killed $i times"
  lacks err "uproof:"
done
[ $kills -gt 20 ] || fail "only $kills of 100 runs could be killed"
run fuzz --runs 6000 --profile v0.11.0 --frame all --no-reduce --out camp
expect 1
whole camp
mv camp killed
same_campaign alone killed
finish
