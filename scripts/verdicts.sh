#!/usr/bin/env bash
# The committed verdicts: proofs/verdicts.txt, every rule of every profile in ideal, which is part of
# the program; proofs/verdicts-widths.txt, every rule of sound in wrap and refine at all dtypes.
#
#   verdicts.sh UPROOF           ideal anew, half a minute; of wrap and refine what is missing
#   verdicts.sh --anew UPROOF    all of wrap and refine, too: minutes
#   verdicts.sh --check UPROOF   asks no solver; fails when a verdict is missing
#   verdicts.sh --compare UPROOF ideal anew (WIDE=1: wrap and refine, too), and nothing written: fails when a
#                                verdict is not the committed one. The key of a verdict is of the question and
#                                knows nothing of the prover, whose code can change
#
# Proofs in wrap and refine rest on those of ideal that are part of UPROOF: when some of those change,
# build it again and run this once more.
set -u
cd "$(dirname "$0")/.." || exit 1
profiles='sound v0.11.0 v0.11.0:correct-divmod v0.11.0:decompositions v0.10.0'
mode=new
case "${1:-}" in --check | --anew | --compare) mode=${1#--} && shift ;; esac
uproof=${1:?usage: verdicts.sh [--check | --anew | --compare] UPROOF}
wide=${WIDE:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missing=0 differs=0

# prove CACHE FRAME PROFILE: the rows to $work/rows, with the cache as it is or made longer
prove() {
  local how=--update-cache status
  [ $mode = check ] && how=--cache-only
  "$uproof" prove --profile "$3" --frame "$2" --jobs "$(nproc)" --cache "$1" $how --json \
    >>"$work/rows" 2>"$work/err"
  status=$?
  grep -o 'prove: [0-9]* obligations.*' "$work/err" | sed "s/^prove/$3, $2/"
  case $status in 0 | 1 | 3) ;; *) cat "$work/err" && exit 1 ;; esac
}

# kept CACHE: its lines that are the verdict of some row
kept() {
  grep -o '"hash":"[0-9a-f]*"' "$work/rows" | cut -d'"' -f4 >"$work/keys"
  awk 'NR == FNR { used[$1]; next } /^#/ || $1 in used' "$work/keys" "$1"
}

# verdicts FILE START FRAMES PROFILES
verdicts() {
  local cache=$1
  : >"$work/rows"
  if [ $mode != check ]; then
    cache=$work/cache
    cp "$2" "$cache"
  fi
  for frame in $3; do
    for profile in $4; do prove "$cache" "$frame" "$profile"; done
  done
  if grep -q 'not in the cache' "$work/rows"; then missing=1; fi
  case $mode in
    check) ;;
    compare) compare "$1" "$cache" ;;
    *) kept "$cache" >"$work/kept" && cp "$work/kept" "$1" ;;
  esac
}

# compare COMMITTED NEW: keys and verdicts, of the rows that were asked
compare() {
  kept "$1" | grep -v '^#' | cut -f1,2 | sort >"$work/committed"
  kept "$2" | grep -v '^#' | cut -f1,2 | sort >"$work/anew"
  diff "$work/committed" "$work/anew" || differs=1
}

start=proofs/verdicts-widths.txt
case $mode in anew | compare) start=/dev/null ;; esac
[ -e $start ] || start=/dev/null
verdicts proofs/verdicts.txt /dev/null ideal "$profiles"
if [ $mode != compare ] || [ -n "$wide" ]; then
  verdicts proofs/verdicts-widths.txt $start 'wrap refine' sound
fi
if [ $differs = 1 ]; then
  echo "verdicts differ from the committed ones (key, verdict; < is committed)"
  exit 1
fi
if [ $missing = 1 ]; then
  echo "verdicts are missing: scripts/verdicts.sh $uproof"
  exit 1
fi
