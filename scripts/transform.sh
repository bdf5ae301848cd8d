#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the transform codec on a real model, both tiers (SmolLM2: also with steps switched off), and makes reports in out/transform/report and
# report-cold. (reports/transform has the codecs of its families.txt, of both; reports/transform-cold all of the second. Its ladder is of an
# earlier run: profiles made anew have other digests.)
#   scripts/transform.sh smollm2-135m TEXTS [--device cuda]
#   scripts/transform.sh gemma3-270m  TEXTS [--device cuda]     (after scripts/fetch_model.sh gemma3-270m --accept-licence)
# TEXTS is a folder with moby-dick.txt, sotu.txt, wiki.valid.raw (calibration) and wiki.test.raw (passages). Each step is skipped
# when its result is there, and goes on where it was stopped. Without a GPU: hours.
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { echo "usage: scripts/transform.sh smollm2-135m|gemma3-270m TEXTS [--device cpu|cuda]" >&2; exit 2; }
[ $# -ge 2 ] || usage
model=$1 texts=$2 device=cpu
shift 2
while [ $# -gt 0 ]; do
  case $1 in
    --device) device=${2:?--device needs cpu or cuda}; shift 2 ;;
    *) usage ;;
  esac
done
case $model in
  smollm2-135m) scripts/fetch_model.sh "$model"; calibration=(--ablations) rank=5760 sweeps=(hot ladder cold) ;;
  gemma3-270m) calibration=() rank=4608 sweeps=(hot cold) ;;
  *) usage ;;
esac
for text in moby-dick.txt sotu.txt wiki.valid.raw wiki.test.raw; do
  [ -f "$texts/$text" ] || { echo "transform: $texts/$text: no such file" >&2; exit 1; }
done

bin=build/release/bin out=out/transform
[ -x "$bin/kakeya-sweep" ] || { echo "transform: $bin/kakeya-sweep: not built: run scripts/build.sh release" >&2; exit 1; }
mkdir -p "$out"
profile=$out/$model.profile.h5
if [ ! -f "$profile" ]; then
  "$bin/kakeya-calibrate" --device "$device" --model "$model" --text "$texts"/{moby-dick.txt,sotu.txt,wiki.valid.raw} --cut published \
    --passages 36 --sensitivity-passages 9 "${calibration[@]}" --out "$profile"
fi
for layers in 3 6; do # transformed together
  grouped=$out/$model.group$layers.h5
  if [ ! -f "$grouped" ]; then
    "$bin/kakeya-calibrate" --device "$device" --model "$model" --text "$texts"/{moby-dick.txt,sotu.txt,wiki.valid.raw} --cut published \
      --passages 36 --sensitivity-passages 9 "${calibration[@]}" --from "$profile" --layer-group $layers --predict 1 --out "$grouped"
  fi
done
hot=$out/$model.hot.h5 # the same heads; layers alone, for codecs inside the forward
if [ ! -f "$hot" ]; then
  "$bin/kakeya-calibrate" --device "$device" --model "$model" --text "$texts"/{moby-dick.txt,sotu.txt,wiki.valid.raw} --cut published \
    --passages 36 --sensitivity-passages 9 "${calibration[@]}" --from "$profile" --steps inforward --predict 0 --out "$hot"
fi
baseline=$out/$model.kvtc.h5
if [ ! -f "$baseline" ]; then
  "$bin/kakeya-calibrate" --codec kvtc --device "$device" --model "$model" --text "$texts"/{moby-dick.txt,sotu.txt,wiki.valid.raw} --cut published \
    --passages 36 --rank "$rank" --out "$baseline"
fi
for sweep in "${sweeps[@]}"; do
  profiles=("$hot")
  [ "$sweep" != cold ] || profiles=("$out/$model".{profile,group3,group6,kvtc}.h5)
  "$bin/kakeya-sweep" --config "configs/transform-$model-$sweep.json" --device "$device" --text "$texts/wiki.test.raw" \
    --profile "${profiles[@]}" --out "$out/$model-$sweep"
done
shopt -s nullglob
"$bin/kakeya-report" "$out"/*-{hot,ladder} --out "$out/report"
"$bin/kakeya-report" "$out"/*-cold --out "$out/report-cold"
