#!/usr/bin/env bash
# power.sh [-r] A B FILE...: how far two profiles simplify the graphs of each file. Prints the nodes in
# all after simplify by profile A and by profile B, over the graphs to which both have an answer; with
# -r also each graph on which B leaves more nodes, the greatest difference first. UPROOF names the
# program (default build/uproof).
set -u
rows=false
if [ "${1:-}" = -r ]; then
  rows=true
  shift
fi
if [ $# -lt 3 ]; then
  echo "usage: power.sh [-r] PROFILE PROFILE FILE..." >&2
  exit 2
fi
uproof=${UPROOF:-build/uproof} a=$1 b=$2
shift 2
scratch=$(mktemp -d) || exit 4
trap 'rm -rf "$scratch"' EXIT

# id and number of nodes, a line a graph; no number without an answer
sizes() {
  "$uproof" simplify --json --profile "$1" "$2" 2>"$scratch/err" | awk '{
    id = ""
    if (match($0, /"id":[^,]*/)) id = substr($0, RSTART + 5, RLENGTH - 5)
    nodes = gsub(/\["[A-Z_0-9]+","[a-z0-9.]+",\[/, "&")
    print (id == "" ? NR : id), (nodes ? nodes : "-")
  }'
  [ "${PIPESTATUS[0]}" -lt 2 ] || { cat "$scratch/err" >&2; return 1; }
}

for file in "$@"; do
  sizes "$a" "$file" >"$scratch/a" && sizes "$b" "$file" >"$scratch/b" || exit 2
  paste -d ' ' "$scratch/a" "$scratch/b" | awk -v a="$a" -v b="$b" -v file="$file" '
    $2 == "-" || $4 == "-" { only_a += $2 != "-"; only_b += $4 != "-"; without++; next }
    { n++; na += $2; nb += $4; more += $4 > $2; less += $4 < $2 }
    END {
      printf "%s: %d graphs, %s %d nodes, %s %d nodes (%+.2f %%); %s is larger on %d, smaller on %d", \
        file, n, a, na, b, nb, na ? 100 * (nb - na) / na : 0, b, more, less
      if (without) printf "; %d without both answers (%d only by %s, %d only by %s)", without, only_a, a, only_b, b
      print ""
    }'
  "$rows" && paste -d ' ' "$scratch/a" "$scratch/b" |
    awk '$2 != "-" && $4 != "-" && $4 > $2 { print $4 - $2, $1, $2, $4 }' | sort -k1,1nr -k2,2n |
    awk '{ printf "  id %s: %d nodes, then %d\n", $2, $3, $4 }'
done
exit 0
