#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the libFuzzer programs of tests/fuzz and runs them, one after another, from the kept inputs and fresh seeds.
#   --target T   only this one (default: all)
#   --runs N     executions of each (default 1000000)
#   --jobs J     targets at a time (default 1)
#   --minimise   afterwards make the kept inputs anew: the fewest and smallest that reach all that was reached;
#                how many of them are accepted is then to be stated in tests/fuzz/CMakeLists.txt
# Prints a table of executions, time and coverage; exits 1 on a finding, whose input it names. Needs clang: scripts/setup.sh --fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=(frame page identity fp8 fixed published entropy blocks klt ablation trellis peers biased fields learning tiles budget kvtc cache profile sequence)
chosen=("${targets[@]}") runs=1000000 jobs=1 minimise=0
while [ $# -gt 0 ]; do
  case $1 in
    --target) chosen=("${2:?--target: expected one of ${targets[*]}}"); shift 2 ;;
    --runs) runs=${2:?--runs: expected a whole number}; shift 2 ;;
    --jobs) jobs=${2:?--jobs: expected a whole number}; shift 2 ;;
    --minimise) minimise=1; shift ;;
    *) echo "usage: scripts/fuzz.sh [--target T] [--runs N] [--jobs J] [--minimise]" >&2; exit 2 ;;
  esac
done
if [[ " ${targets[*]} " != *" ${chosen[0]} "* ]]; then
  echo "fuzz: target ${chosen[0]}: expected one of ${targets[*]}" >&2
  exit 2
fi
if ! command -v clang++ >/dev/null; then
  echo "fuzz: clang++ not found: run scripts/setup.sh --fuzz" >&2
  exit 1
fi
scripts/build.sh fuzz

work=build/fuzz/work # <target>/ the inputs, <target>.log, <target>-crash-... a finding
mkdir -p "$work"
# A small quarantine and no stacks of allocations: half of the time otherwise. A finding is replayed with all of them.
export ASAN_OPTIONS=quarantine_size_mb=2:thread_local_quarantine_size_kb=64:malloc_context_size=0
options=(-timeout=20 -rss_limit_mb=2048 -entropic=0 -detect_leaks=0 -print_final_stats=1)

# Bytes of an input at most: a whole cache has several frames, a profile matrices, a page of tiles fields of 128 vectors, what learns hundreds, pages of a budget all of its bytes.
max_len() { if [ "$1" = cache ] || [ "$1" = profile ] || [ "$1" = sequence ] || [ "$1" = tiles ] || [ "$1" = budget ] || [ "$1" = learning ]; then echo -max_len=3072; else echo -max_len=1024; fi; }
# Of these each edge once is kept: how often those of a codec are taken is for the codec's own target, how often a profile's, for nobody; pages of a budget are those of others.
use_counters() { if [ "$1" = cache ] || [ "$1" = budget ] || [ "$1" = profile ]; then echo -use_counters=0; else echo -use_counters=1; fi; }

run_target() {
  local target=$1 bin=build/fuzz/bin corpus=tests/fuzz/corpus/$1
  mkdir -p "$work/$target" "$corpus"
  "$bin/fuzz_seeds" "$target" "$work/$target" >/dev/null
  local start=$SECONDS
  "$bin/fuzz_$target" "${options[@]}" "$(max_len "$target")" -runs="$runs" -artifact_prefix="$work/$target-" "$work/$target" "$corpus" \
    >"$work/$target.log" 2>&1 || echo "finding" >>"$work/$target.log"
  echo "seconds $((SECONDS - start))" >>"$work/$target.log"
}

# The last coverage that libFuzzer wrote: "#12345 DONE cov: 123 ft: 456 corp: 78/9Kb ...".
field() { grep -oE "$2 [0-9]+" "$work/$1.log" | tail -n 1 | grep -oE '[0-9]+$' || echo 0; }

running=0
for target in "${chosen[@]}"; do
  run_target "$target" &
  running=$((running + 1))
  if [ $running -ge "$jobs" ]; then
    wait -n
    running=$((running - 1))
  fi
done
wait

found=0
printf '%-10s %12s %8s %10s %6s %7s %7s  %s\n' target executions seconds per-second cov ft inputs result
for target in "${chosen[@]}"; do
  executions=$(field "$target" "number_of_executed_units:") seconds=$(field "$target" seconds) result=clean
  if grep -qx finding "$work/$target.log"; then
    found=1
    result="finding: $(ls -t "$work/$target-"* 2>/dev/null | head -n 1), $work/$target.log"
  fi
  printf '%-10s %12d %8d %10d %6d %7d %7d  %s\n' "$target" "$executions" "$seconds" $((executions / (seconds > 0 ? seconds : 1))) \
    "$(field "$target" cov:)" "$(field "$target" ft:)" "$(field "$target" corp:)" "$result"
done

if [ $minimise = 1 ] && [ $found = 0 ]; then
  for target in "${chosen[@]}"; do
    corpus=tests/fuzz/corpus/$target
    rm -rf "$work/least" && mkdir -p "$work/least"
    "build/fuzz/bin/fuzz_$target" "${options[@]}" "$(max_len "$target")" "$(use_counters "$target")" -set_cover_merge=1 \
      "$work/least" "$work/$target" "$corpus" >"$work/merge-$target.log" 2>&1
    rm -rf "$corpus" && cp -r "$work/least" "$corpus"
    echo "fuzz: $corpus: $(ls "$corpus" | wc -l) inputs, $(du -sb "$corpus" | cut -f 1) bytes"
  done
fi
exit $found
