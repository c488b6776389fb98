#!/usr/bin/env bash
# demo.sh PROGRAM: uproof's main job in under three minutes, on real input. Exits 0 when each part
# did what it is there to show: no harness failure, rules of 0.11.0 found unsound on real graphs and
# by fuzzing, and none of the sound ones.
set -u
cd "$(dirname "$0")/.." || exit 1
uproof=$(realpath "${1:-build/uproof}") || exit 1
seconds=${DEMO_FUZZ_SECONDS:-15}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

heading() { printf '\n\033[1m%s\033[0m\n' "$1"; }
[ -t 1 ] || heading() { printf '\n%s\n' "$1"; }
show() { printf '  $ %s\n' "$*"; }
problem() {
  echo "  demo: $1" >&2
  bad=1
}

# The part that scripts read: the last line of standard error.
summary() { tail -n 1 "$1" | sed 's/^/  /'; }

# 0 sound, 1 findings, 3 undecided are answers; 2 and 4 are not.
answered() {
  case $1 in
    0 | 1 | 3) ;;
    *)
      tail -n 5 "$3"
      problem "$2 ended with status $1"
      ;;
  esac
}

# as_expected STATUS PROFILE wrong|clean
as_expected() {
  [ "$3" != wrong ] || [ "$1" = 1 ] || problem "nothing was found wrong in $2"
  [ "$3" != clean ] || [ "$1" != 1 ] || problem "$2 is not sound"
}

# check_real_graphs PROFILE wrong|clean
check_real_graphs() {
  local files=(corpus/real/* corpus/regress/real-v0.11.0.jsonl) status
  [ -e "${files[0]}" ] || { problem "corpus/real is empty"; return; }
  show uproof check --profile "$1" --jobs 2 'corpus/real/*' corpus/regress/real-v0.11.0.jsonl
  "$uproof" check --profile "$1" --jobs 2 "${files[@]}" >"$work/check.jsonl" 2>"$work/check.err"
  status=$?
  answered $status check "$work/check.err"
  as_expected $status "$1" "$2"
  [ ! -s "$work/check.jsonl" ] || awk -f scripts/findings.awk -v max=4 "$work/check.jsonl"
  summary "$work/check.err"
}

# fuzz_rules PROFILE wrong|clean SECONDS
fuzz_rules() {
  local status
  show uproof fuzz --profile "$1" --seconds "$3" --seed 1 --jobs 2
  "$uproof" fuzz --profile "$1" --seconds "$3" --seed 1 --jobs 2 --out "$work/campaign-$1" \
    >"$work/fuzz.jsonl" 2>"$work/fuzz.err"
  status=$?
  answered $status fuzz "$work/fuzz.err"
  as_expected $status "$1" "$2"
  [ ! -s "$work/fuzz.jsonl" ] ||
    awk -f scripts/findings.awk -v max=6 -v counts="$work/fuzz.err" "$work/fuzz.jsonl"
  summary "$work/fuzz.err"
}

# Recorded answers: the set beside the checkout when it is there, else the committed sample.
compare_with_recorded() {
  local profile=$1 file=../shared/golden/$2 status
  [ -e "$file" ] || file=corpus/golden/$2
  [ -e "$file" ] || { problem "there is no golden set $2"; return; }
  shift 2
  show uproof golden --profile "$profile" "$@" "${file##*/}"
  "$uproof" golden --profile "$profile" "$@" "$file" >"$work/golden.out" 2>"$work/golden.err"
  status=$?
  answered $status golden "$work/golden.err"
  summary "$work/golden.err"
  [ $status = 0 ] || problem "$profile does not answer as the release did"
}

heading "1. Index graphs of real models: is what tinygrad 0.11.0 makes of them right, for all values?"
check_real_graphs v0.11.0 wrong
heading "   The same graphs with the sound rules, the default"
check_real_graphs sound clean
heading "2. Random graphs for $seconds s: which rules of 0.11.0 are unsound, and which of sound?"
fuzz_rules v0.11.0 wrong "$seconds"
fuzz_rules sound clean "$seconds"
heading "3. Does the engine answer as the releases themselves did?"
compare_with_recorded v0.10.0 v0.10.0-fuzz.jsonl.gz
compare_with_recorded v0.10.0 v0.10.0-suite.jsonl.gz
compare_with_recorded v0.11.0 v0.11.0-fuzz-cdf0.jsonl.gz
compare_with_recorded v0.11.0 v0.11.0-suite.jsonl.gz --also v0.11.0:correct-divmod
printf '\ntook %d s\n' "$SECONDS"
exit $bad
