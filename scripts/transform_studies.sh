#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Studies of the transform codec on a real model: what calibration text is worth (how much, of which kind), other contexts than 2k, keys after RoPE; of the cold tier, text and
# contexts.
#   scripts/transform_studies.sh smollm2-135m|gemma3-270m TEXTS [--device cuda] [--threads N] [--study calibration|context|rope|cold]...
# All of them unless named. TEXTS is a folder with moby-dick.txt, sotu.txt, wiki.valid.raw (calibration) and wiki.test.raw (passages); the model is fetched already
# (scripts/fetch_model.sh). Profiles and sweeps go to out/transform/studies. Each step is skipped when its result is there, and goes on where it was stopped; studies
# of a model may run side by side. Without a GPU: many hours.
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { echo "usage: scripts/transform_studies.sh smollm2-135m|gemma3-270m TEXTS [--device cpu|cuda] [--threads N] [--study calibration|context|rope|cold]..." >&2; exit 2; }
[ $# -ge 2 ] || usage
model=$1 texts=$2 device=cpu threads=0 studies=()
shift 2
while [ $# -gt 1 ]; do
  case $1 in
    --device) device=$2 ;;
    --threads) threads=$2 ;;
    --study) studies+=("$2") ;;
    *) usage ;;
  esac
  shift 2
done
[ $# -eq 0 ] || usage
[ ${#studies[@]} -gt 0 ] || studies=(calibration context rope cold)
# long: the longest context that the model, and the most passages that the text, have room for.
case $model in
  smollm2-135m) calibration=("e8:q=15,rule=published" "{2.6,3.2}") context="{2.5,3.1}" long="8128 8" rope="{2.5,2.8,3.1,3.5}" passages=12 ;;
  gemma3-270m) calibration=("e8:q=22,rule=published" "{2.4,3.0}") context="{2.3,2.8}" long="8192 5" rope="{2.2,2.5,2.8,3.2}" passages=8 ;;
  *) usage ;;
esac
for text in moby-dick.txt sotu.txt wiki.valid.raw wiki.test.raw; do
  [ -f "$texts/$text" ] || { echo "transform_studies: $texts/$text: no such file" >&2; exit 1; }
done
mix=("$texts"/{moby-dick.txt,sotu.txt,wiki.valid.raw})

bin=build/release/bin out=out/transform/studies
[ -x "$bin/kakeya-sweep" ] || { echo "transform_studies: $bin/kakeya-sweep: not built: run scripts/build.sh release" >&2; exit 1; }
mkdir -p "$out"

# profile NAME PASSAGES TEXT... [-- FLAG...]: of single heads unless FLAG says otherwise; leaves $out/$model.NAME.h5, its path in `made`.
profile() {
  made=$out/$model.$1.h5
  local count=$2 sources=()
  shift 2
  while [ $# -gt 0 ] && [ "$1" != -- ]; do sources+=("$1"); shift; done
  [ $# -eq 0 ] || shift
  # One at a time: two studies may want the same profile.
  (
    flock 9
    if [ ! -f "$made" ]; then
      [ $# -gt 0 ] || set -- --scope head
      "$bin/kakeya-calibrate" --device "$device" --threads "$threads" --model "$model" --text "${sources[@]}" --cut published --passages "$count" "$@" --out "$made"
    fi
  ) 9>"$made.lock"
}
# sweep NAME PASSAGES FLAG...
sweep() {
  local name=$1 count=$2
  shift 2
  "$bin/kakeya-sweep" --model "$model" --device "$device" --threads "$threads" --text "$texts/wiki.test.raw" --cut published --passages "$count" --sinks 4 --eval 64 \
    --noise-floor "$@" --out "$out/$model-$name"
}

study_calibration() {
  local codecs=("${calibration[0]}") count
  for count in 1 2 4 8 16; do
    profile "novel$count" "$count" "$texts/moby-dick.txt"
    codecs+=("klt:bits=${calibration[1]},profile=$made")
  done
  for count in 1 4 16; do
    profile "wiki$count" "$count" "$texts/wiki.valid.raw"
    codecs+=("klt:bits=${calibration[1]},profile=$made")
  done
  for count in 3 6 9 16; do
    profile "mix$count" "$count" "${mix[@]}"
    codecs+=("klt:bits=${calibration[1]},profile=$made")
  done
  sweep calibration "$passages" --skip-edge-layers 2 --ctx 2048 --codec "${codecs[@]}"
}
study_context() {
  local pair tokens count
  profile mix36 36 "${mix[@]}"
  for pair in "512 8" "1024 8" "4096 8" "$long"; do
    read -r tokens count <<<"$pair"
    sweep "context-$tokens" "$count" --skip-edge-layers 2 --ctx "$tokens" --profile "$made" --codec "e8:q={15,22},rule=published" "klt:bits=$context" kivi:b=4 q4_0
  done
}
study_rope() {
  local codecs=("e8:q={15,22},rule=published" "klt:bits=$rope" kivi:b=4 q4_0)
  profile mix36 36 "${mix[@]}"
  sweep pre-rope "$passages" --skip-edge-layers 2 --ctx 2048 --profile "$made" --codec "${codecs[@]}"
  profile mix36-post-rope 36 "${mix[@]}" -- --scope head --tap post-rope
  sweep post-rope "$passages" --skip-edge-layers 2 --ctx 2048 --tap post-rope --profile "$made" --codec "${codecs[@]}"
}
study_cold() {
  local rates="{0.7,1,1.5,2.1}" codecs=("e8:q={15,22},rule=published") pair tokens count
  profile cold-novel16 16 "$texts/moby-dick.txt" -- --scope layer
  codecs+=("klt:bits=$rates,scope=layer,predict=2,shaping=0,profile=$made")
  profile cold-wiki16 16 "$texts/wiki.valid.raw" -- --scope layer
  codecs+=("klt:bits=$rates,scope=layer,predict=2,shaping=0,profile=$made")
  profile cold-mix16 16 "${mix[@]}" -- --scope layer
  codecs+=("klt:bits=$rates,scope=layer,predict=2,shaping=0,profile=$made")
  sweep cold-calibration 8 --mode prefix --skip-edge-layers 0 --ctx 2048 --codec "${codecs[@]}"
  for pair in "512 8" "$long"; do
    read -r tokens count <<<"$pair"
    sweep "cold-context-$tokens" "$count" --mode prefix --skip-edge-layers 0 --ctx "$tokens" --profile "$made" --codec "e8:q={15,22},rule=published" \
      "klt:bits=$rates,scope=layer,predict=2,shaping=0"
  done
}
for study in "${studies[@]}"; do
  case $study in
    calibration | context | rope | cold) "study_$study" ;;
    *) usage ;;
  esac
done
