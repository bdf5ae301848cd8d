#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether the ranking of codecs depends on how the weights are stored (reports/weights): SmolLM2 with its Q4_1 weights, and with those as Q8_0
# and F16 (scripts/weight_formats.py), by configs/weights.json, and a report. A stopped run goes on.
#   scripts/weights.sh [OUT]      OUT is out/weights by default; KAKEYA_BIN and KAKEYA_PYTHON (with the package gguf) name others than
#                                 build/release/bin and python3
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${KAKEYA_BIN:-build/release/bin} python=${KAKEYA_PYTHON:-python3} out=${1:-out/weights}
[ -x "$bin/kakeya-sweep" ] || { echo "weights: $bin/kakeya-sweep: not built: run scripts/build.sh release" >&2; exit 1; }
scripts/fetch_model.sh smollm2-135m
models=${KAKEYA_MODELS:-models}/smollm2-135m name=SmolLM2-135M-Instruct
for format in Q4_1 Q8_0 F16; do
  model=$models/$name.$format.gguf
  [ -f "$model" ] || "$python" scripts/weight_formats.py "$models/$name.Q4_1.gguf" "$model" $format
  "$bin/kakeya-sweep" --config configs/weights.json --noise-floor --model "$model" --out "$out/${format,,}"
done
"$bin/kakeya-report" "$out"/{q4_1,q8_0,f16} --out "$out/report"
