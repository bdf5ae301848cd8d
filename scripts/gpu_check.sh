#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All that needs a GPU, in one call: bytes and values against the CPU, through the C interface too (c), compute-sanitizer over a short run, speed beside a copy and the published composition,
# sweeps with codecs on the GPU against those with codecs on the host, and over several devices against those over one.
# usage: scripts/gpu_check.sh [BIN [OUT]]     BIN: the folder of the programs (build/release/bin); OUT: gets bench.json, published.json, attention.json, sdpa.json, sweeps/sweeps.json and logs
#        scripts/gpu_check.sh --build [OUT]   builds what it needs first, in build/cuda, for the GPU that is here, against the LibTorch of this machine's PyTorch.
#                                             Libraries elsewhere than in /usr: CMAKE_PREFIX_PATH names them
#   KAKEYA_GPU_VECTORS=N   compares N vectors a codec in large launches besides (10000000 takes minutes)
#   KAKEYA_GPU_STEPS       which of "parity c memcheck racecheck initcheck bench published attention sweep devices"
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --build ]; then
  torch=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)') || {
    echo "gpu: --build: expected a python3 that has PyTorch, whose LibTorch the programs are built against" >&2
    exit 2
  }
  cmake --preset cuda -DCMAKE_CUDA_ARCHITECTURES=native -DTorch_DIR="$torch/Torch"
  cmake --build --preset cuda --target device_test c_device_test write_expected kakeya-bench kakeya-sweep kakeya-calibrate kakeya-codec kakeya-report
  shift
  set -- build/cuda/bin "$@"
fi
bin=${1:-build/release/bin} out=${2:-out/gpu}
steps=${KAKEYA_GPU_STEPS:-parity c memcheck racecheck initcheck bench published attention sweep devices}
# One codec of each kernel, two of three scalars a launch; pages of few vectors, and damaged ones.
short='*BytesAndValues*/d4_q_38:*BytesAndValues*/e8_q_10:*BytesAndValues*/e8_q_152:*BytesAndValues*/tq_b_3:*BytesAndValues*/fp8:*BytesAndValues*/q5_0:*BytesAndValues*/q8_0:*BytesAndValues*/kivi_b_4:*BytesAndValues*/kivi_b_5_group_8_keys:*BytesAndValues*/kivi_b_4_keys:*Flagged*/e8_q_10:*Flagged*/fp8:*Flagged*/kivi_b_4_keys:*DevicePages.FewVectors*:*DevicePages.Damaged*:*DevicePages.SizesThat*:DeviceKlt.GraphsReplay:DeviceKlt.RoundTripInPlace:DeviceKlt.WhatIsNotFinite*:DamagedKlt.Lengths*:DamagedKlt.Points*:DeviceKltLayers.GraphsReplay:DeviceKltLayers.RoundTripInPlace:DeviceKltLayers.WhatIsNotFinite*:DeviceEntropyCoded.ClassesOf*:DeviceEntropyCoded.FirstPages*:DeviceStages.*:DeviceEntropyCoded.RoundTripInPlace:DeviceEntropyCoded.WhatIsNotFinite*:DamagedEntropyCoded.Classes*:DamagedEntropyCoded.Lengths*:DamagedEntropyCoded.SoAre*:DeviceAttentionTest.*:DeviceKlt.Fields*:DeviceFieldAttentionTest.*:DevicePrefixAttentionTest.*:DevicePrefixKindsTest.*:DeviceBudgetAttentionTest.*Decodes:DeviceBudgetAttentionTest.Codes*:DeviceBudgetAttentionTest.What*:DeviceKltFields.BytesAndValues*:DeviceKltFields.GraphsReplay:DeviceKltFields.NoVectors:DeviceFields.*:DeviceKltPrefix.BytesAndValues*:DeviceKltPrefix.GraphsReplay:DeviceKltPrefix.NoVectors:DevicePrefix.*:DeviceBudget.*:DamagedBudget.StepsAnd*:DamagedBudget.Whatever*:DeviceKltBudget.BytesAndValues:DeviceKltBudget.GraphsReplay:DeviceKltBudget.WhatFits*'
mkdir -p "$out"

# run NAME COMMAND...: its output goes to a log; the end of it is shown, and whether it failed.
failed=0
run() {
  local name=$1 began=$SECONDS; shift
  if "$@" >"$out/$name.log" 2>&1; then
    echo "gpu: $name passed, $((SECONDS - began)) s"
  else
    echo "gpu: $name FAILED, $((SECONDS - began)) s; $out/$name.log:"
    grep -vE 'SKIP|OK \]|RUN|not set|Skipped' "$out/$name.log" | tail -n 40
    failed=1
  fi
}

if ! nvidia-smi >/dev/null 2>&1; then
  echo "gpu: no GPU here: nothing is checked"
  exit 0
fi
for step in $steps; do
  case $step in
    parity) run parity "$bin/device_test" --gtest_brief=1 ;;
    c)
      if [ ! -x "$bin/c_device_test" ]; then
        echo "gpu: $bin/c_device_test not found: built without the C library, c is left out"
        continue
      fi
      run c bash -c '"$0/write_expected" "$1/c" && "$0/c_device_test" "$1/c"' "$bin" "$out" ;;
    memcheck | racecheck | initcheck)
      if ! command -v compute-sanitizer >/dev/null; then
        echo "gpu: compute-sanitizer not found: $step is left out"
        continue
      fi
      of_step=$short
      if [ $step = racecheck ]; then
        echo "gpu: racecheck leaves out DeviceRopeAttentionTest and those of DeviceBudgetAttentionTest before RoPE, where it reports hazards across barriers of teams (kernels/pages.md)"
      else
        of_step+=':DeviceRopeAttentionTest.*:DeviceBudgetAttentionTest.*'
      fi
      KAKEYA_GPU_VECTORS=0 run $step compute-sanitizer --tool $step --error-exitcode 9 "$bin/device_test" --gtest_brief=1 --gtest_filter="$of_step" ;;
    bench)
      run bench "$bin/kakeya-bench" gpu --json
      cp "$out/bench.log" "$out/bench.json" ;;
    published)
      if ! python3 -c 'import torch' 2>/dev/null; then
        echo "gpu: PyTorch not found: published is left out"
        continue
      fi
      run published python3 scripts/gpu_published.py
      cp "$out/published.log" "$out/published.json" ;;
    attention)
      run attention bash -c '"$1" attention --json >"$0"' "$out/attention.json" "$bin/kakeya-bench"
      if ! python3 -c 'import torch' 2>/dev/null; then
        echo "gpu: PyTorch not found: attention over bf16 is left out"
        continue
      fi
      run sdpa bash -c 'python3 scripts/gpu_sdpa.py >"$0"' "$out/sdpa.json" ;;
    sweep | devices)
      said=$("$bin/kakeya-sweep" --model nano --text data/text --ctx 64 --device cuda --codec fp8 --dry-run 2>&1 || true)
      if [ ! -x "$bin/kakeya-sweep" ] || [[ $said == *LibTorch* ]]; then
        echo "gpu: kakeya-sweep lacks a LibTorch that sees the GPU: $step is left out"
        continue
      fi
      if [ $step = sweep ]; then
        run sweep scripts/gpu_sweep_check.py "$bin" "$out/sweeps"
        continue
      fi
      several=0,0
      [ "$(nvidia-smi -L | wc -l)" -lt 2 ] || several='0,0 0,1'
      rm -rf "$out/devices"
      # shellcheck disable=SC2086  # a list of lists
      run devices scripts/devices.py "$bin" --model nano --text data/text --out "$out/devices" --lists 0 $several --layers $several -- \
        --ctx 448 --passages 3 --mode inforward,snapshot,prefix --sinks 4 --skip-edge-layers 1 --codec 'e8:q={10,38}' d4:q=38 tq:b=4 fp8 q8_0 kivi:b=4 ece8:bits=3 ;;
    *) echo "gpu: step $step: expected parity, c, memcheck, racecheck, initcheck, bench, published, attention, sweep or devices" >&2; exit 2 ;;
  esac
done
exit $failed
