#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures what reports/README.md calls evidence, for one model: profiles of a mix, of a novel and of the scored kind of text; sweeps of
# configs/held-out-MODEL-*.json over held-out passages and, with the same settings, over development ones; one table of calibration and test
# text; whole texts by kakeya-perplexity. Everything lands in out/evidence/MODEL. A step whose result is there is skipped, a stopped one goes on.
#   scripts/evidence.sh smollm2-135m|gemma3-270m TEXTS [--device cpu|cuda] [--steps STEP...] [--print]
#     TEXTS    a folder with moby-dick.txt, sotu.txt, wiki.valid.raw (calibration) and wiki.test.raw (passages); out/texts has the other kinds
#              (scripts/fetch_texts.sh)
#     --steps  some of: profiles held-out development texts whole   [all]
#     --print  print the commands and run nothing
# On one GPU the steps take minutes each; on a CPU days.
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { sed -n 6,11p "$0" | cut -c3- >&2; exit 2; }
[ $# -ge 2 ] || usage
model=$1 texts=$2 device=cpu steps=(profiles held-out development texts whole) show=0
shift 2
while [ $# -gt 0 ]; do
  case $1 in
    --device) device=${2:?--device needs cpu or cuda}; shift 2 ;;
    --steps) shift; steps=(); while [ $# -gt 0 ] && [ "${1#--}" = "$1" ]; do steps+=("$1"); shift; done ;;
    --print) show=1; shift ;;
    *) usage ;;
  esac
done
case $model in
  smollm2-135m) window=(--ctx 2048 --stride 512) small_rank=288 full_rank=5760 ;;   # 2.4 % of the parameters: KVTC's profile size
  gemma3-270m) window=(--ctx 2048 --convention windows) small_rank=704 full_rank=4608 ;;
  *) usage ;;
esac
codecs=cpu   # where codecs work: on a GPU those that have a kernel
[ "${device%%:*}" != cuda ] || codecs=auto
bin=build/release/bin out=out/evidence/$model
run() { if [ $show = 1 ]; then printf '%q ' "$@"; echo; else "$@"; fi; }
make_once() { [ -e "$1" ] || run "${@:2}" --out "$1"; }   # make_once FILE COMMAND...
calibrate() { make_once "$1" "$bin/kakeya-calibrate" --model "$model" --device "$device" --cut published --passages 36 "${@:2}"; }
sweep() { run "$bin/kakeya-sweep" --device "$device" --codec-device "$codecs" --out "$out/$1" "${@:2}"; }

mix=("$texts"/{moby-dick.txt,sotu.txt,wiki.valid.raw})
declare -A source=([novel]="$texts/moby-dick.txt" [scored-kind]="$texts/wiki.valid.raw")
profiles() {
  [ $show = 1 ] || mkdir -p "$out"
  calibrate "$out/mix.h5" --text "${mix[@]}" --sensitivity-passages 9
  calibrate "$out/mix.hot.h5" --text "${mix[@]}" --sensitivity-passages 9 --from "$out/mix.h5" --steps inforward --predict 0
  for group in 3 6; do
    calibrate "$out/mix.group$group.h5" --text "${mix[@]}" --sensitivity-passages 9 --from "$out/mix.h5" --layer-group $group --predict 1
  done
  calibrate "$out/mix.kivi.h5" --text "${mix[@]}" --sensitivity-passages 9 --tap post-rope --steps inforward --predict 0
  for rank in $full_rank $small_rank; do calibrate "$out/mix.kvtc$rank.h5" --codec kvtc --text "${mix[@]}" --rank "$rank"; done
  for kind in novel scored-kind; do
    calibrate "$out/$kind.h5" --text "${source[$kind]}" --sensitivity-passages 9
    calibrate "$out/$kind.hot.h5" --text "${source[$kind]}" --sensitivity-passages 9 --from "$out/$kind.h5" --steps inforward --predict 0
    calibrate "$out/$kind.group6.h5" --text "${source[$kind]}" --sensitivity-passages 9 --from "$out/$kind.h5" --layer-group 6 --predict 1
  done
}

cold=(--profile "$out"/mix.{h5,group3.h5,group6.h5,kvtc$full_rank.h5})
# measured SPLIT [FLAG...]: all three configurations over the passages of a split
measured() {
  local split=$1; shift
  sweep "$split-hot" --config "configs/held-out-$model-hot.json" --text "$texts/wiki.test.raw" --profile "$out/mix.hot.h5" "$@"
  sweep "$split-kivi" --config "configs/held-out-$model-kivi.json" --text "$texts/wiki.test.raw" --profile "$out/mix.kivi.h5" "$@"
  sweep "$split-cold" --config "configs/held-out-$model-cold.json" --text "$texts/wiki.test.raw" "${cold[@]}" "$@"
  for rank in $full_rank $small_rank; do   # with the window of 128 tokens that KVTC keeps, and at its own profile size
    sweep "$split-kvtc$rank" --config "configs/held-out-$model-cold.json" --text "$texts/wiki.test.raw" --residual-window 128 \
      --profile "$out/mix.kvtc$rank.h5" --codec 'kvtc:bits={0.8,1.2,1.7,2.4,3.4,4.5},page=1024' "$@"
  done
}

# Headline formats and the best codec without a profile, by calibration and by test text. --cut tokens: not all of these have spaces.
texts_table() {
  local text
  for text in "$texts/wiki.test.raw" out/texts/{python-code,manpages-de,manpages-fr,manpages-zh}.txt; do
    local name; name=$(basename "${text%.*}")
    for kind in mix novel scored-kind; do
      local common=(--model "$model" --text "$text" --cut tokens --passages 8 --ctx 2048 --eval 64 --sinks 4 --skip-edge-layers 0)
      sweep "texts-hot/$name-$kind" "${common[@]}" --profile "$out/$kind.hot.h5" --codec 'klt:bits={1.3,1.7,2.1,2.5,3},scope=layer,restart=1,page=512,lattice=tcq' \
        'klt:bits={2.5,3,3.5},lattice=tcq' 'ece8:bits={3,3.5,4},center=mean' 'e8:q=15,rule=published' 'kivi:b=4'
      sweep "texts-cold/$name-$kind" "${common[@]}" --mode prefix --profile "$out/$kind.group6.h5" \
        --codec 'klt:bits={0.45,0.65,0.9,1.3,1.8},scope=layer,predict=1' 'ece8:bits={3,3.5,4},center=mean' 'e8:q=15,rule=published'
    done
  done
}

whole() {   # the whole test text: what the main table of a model is made from
  run "$bin/kakeya-perplexity" --model "$model" --device "$device" --codec-device "$codecs" --text "$texts/wiki.test.raw" "${window[@]}" --sinks 4 --skip-edge-layers 0 \
    --profile "$out/mix.hot.h5" --out "$out/whole" --codec 'klt:bits={2.5,3.1,3.5}' 'klt:bits={1.7,2.5,3},scope=layer,restart=1,page=512,lattice=tcq' \
    'ece8:bits={3,4,4.5},center=mean' 'e8:q={15,22},rule=published' 'kivi:b=4' q4_0:rotate=64 q8_0:rotate=64 fp8
}

for step in "${steps[@]}"; do
  case $step in
    profiles) profiles ;;
    held-out) measured held-out ;;
    development) measured development --split development --first-passage 0 --passages 32 ;;
    texts) texts_table ;;
    whole) whole ;;
    *) echo "evidence: step $step: expected profiles, held-out, development, texts or whole" >&2; exit 2 ;;
  esac
done
