#!/usr/bin/env bash
# soak.sh BUILD [SECONDS [JOBS [DIR [TARGET...]]]]: every libFuzzer target of BUILD (build-fuzz, from the
# preset `fuzz`: both sanitizers), or those named, for SECONDS each (default 600), JOBS at a time, from its
# seed corpus. Prints a line a target: runs, runs/s of processor time, features reached, and the files that it failed on; DIR
# (default BUILD/soak) keeps corpora, logs and those files. Exit status 1 when a target failed.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:?usage: soak.sh BUILD [SECONDS [JOBS [DIR]]]} seconds=${2:-600} jobs=${3:-1}
dir=${4:-$build/soak}
targets=("${@:5}")
[ ${#targets[@]} -gt 0 ] || for source in fuzz/targets/*.c; do targets+=("$(basename "$source" .c)"); done
mkdir -p "$dir" || exit 1

# One target; the log says when it got to its end.
run_target() {
  local name=$1 work=$dir/$1 seeds=() options=(-entropic=0)
  case $name in fuzz_parse | fuzz_rules) ;; *) options+=(-use_counters=0) ;; esac
  mkdir -p "$work/corpus" "$work/artifacts"
  [ -d "corpus/seed/$name" ] && seeds=("corpus/seed/$name")
  # seeds of fuzz_simplify are graphs for all but those that read texts
  [[ $name =~ ^fuzz_(parse|rules|simplify)$ ]] || seeds+=(corpus/seed/fuzz_simplify)
  (
    "$build/fuzz/$name" "${options[@]}" -seed=1 -max_total_time="$seconds" -timeout=60 -report_slow_units=60 \
      -rss_limit_mb=4096 -max_len=512 -print_final_stats=1 -artifact_prefix="$work/artifacts/" \
      "$work/corpus" ${seeds[@]+"${seeds[@]}"}
    times # its last line is of children
  ) >"$work/log" 2>&1 </dev/null
}

# "12m3.4s 0m1.2s", user and system: seconds
processor_seconds() {
  awk '{ gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4) }' <<<"$1"
}

print_target() {
  local name=$1 work=$dir/$1 runs cpu features left state=ok
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
  features=$(sed -n 's/^#[0-9]*.* ft: \([0-9]*\) .*/\1/p' "$work/log" | tail -n 1)
  cpu=$(processor_seconds "$(tail -n 1 "$work/log")")
  left=$(find "$work/artifacts" -type f | wc -l)
  [ "$left" = 0 ] && grep -q '^Done ' "$work/log" || state="FAILED: $left files in $work/artifacts"
  printf '%-22s %12s runs %8s /s %8s features  %s\n' "$name" "${runs:-?}" \
    $((${runs:-0} / (cpu > 0 ? cpu : 1))) "${features:-?}" "$state"
  [ "$state" = ok ]
}

running=0
for target in "${targets[@]}"; do
  run_target "$target" &
  running=$((running + 1))
  [ "$running" -lt "$jobs" ] || wait -n
done
wait
status=0
for target in "${targets[@]}"; do print_target "$target" || status=1; done
exit $status
