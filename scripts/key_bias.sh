#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a static direction of the keys costs codecs of 4 bits, and what centring saves (reports/key-bias): sweeps of configs/key-bias.json on
# nano-bias and of its control on nano, and their report. About ten minutes of one CPU core; a stopped run goes on.
#   scripts/key_bias.sh [OUT]      OUT is out/key-bias by default; KAKEYA_BIN names another folder of programs than build/release/bin
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${KAKEYA_BIN:-build/release/bin} out=${1:-out/key-bias}
[ -x "$bin/kakeya-sweep" ] || { echo "key_bias: $bin/kakeya-sweep: not built: run scripts/build.sh release" >&2; exit 1; }
"$bin/kakeya-sweep" --config configs/key-bias.json --noise-floor --out "$out/nano-bias"
"$bin/kakeya-sweep" --config configs/key-bias-control.json --noise-floor --out "$out/nano"
"$bin/kakeya-report" "$out/nano" "$out/nano-bias" --out "$out/report"
