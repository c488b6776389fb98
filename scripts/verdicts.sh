#!/usr/bin/env bash
# The committed verdicts (proofs/verdicts.txt): every rule of every profile in ideal.
#
#   verdicts.sh UPROOF           makes the file anew: minutes
#   verdicts.sh --check UPROOF   asks no solver; fails when a verdict is missing
set -u
cd "$(dirname "$0")/.." || exit 1
file=proofs/verdicts.txt
profiles='sound v0.11.0 v0.11.0:correct-divmod v0.11.0:decompositions v0.10.0'
mode=(--update-cache)
if [ "${1:-}" = --check ]; then
  mode=(--cache-only)
  shift
fi
uproof=${1:?usage: verdicts.sh [--check] UPROOF}
fresh=$file
if [ "${mode[0]}" = --update-cache ]; then
  fresh=$(mktemp)
  trap 'rm -f "$fresh"' EXIT
fi
missing=0
for profile in $profiles; do
  "$uproof" prove --profile "$profile" --frame ideal --jobs "$(nproc)" --cache "$fresh" "${mode[@]}" \
    >"${TMPDIR:-/tmp}/verdicts.$$" 2>&1
  status=$?
  grep -o 'prove: [0-9]* obligations.*' "${TMPDIR:-/tmp}/verdicts.$$" | sed "s/^prove/$profile/"
  if grep -q 'not in the cache' "${TMPDIR:-/tmp}/verdicts.$$"; then missing=1; fi
  rm -f "${TMPDIR:-/tmp}/verdicts.$$"
  case $status in 0 | 1 | 3) ;; *) exit 1 ;; esac
done
if [ "${mode[0]}" = --update-cache ]; then
  cp "$fresh" $file
elif [ $missing = 1 ]; then
  echo "verdicts are missing: scripts/verdicts.sh $uproof"
  exit 1
fi
