#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A codec in Python that is not ours beside codecs of the library: SmolLM2 by configs/own-codec.json, and a report. A stopped run goes on.
#   scripts/own_codec.sh TEXTS PROFILE [FLAGS OF kakeya-sweep]      TEXTS has wiki.test.raw; PROFILE: scripts/evidence.py's mix.hot.h5
#   KAKEYA_BIN, KAKEYA_PYTHON (with the package kakeya), OUT name others than build/release/bin, python3 and out/own-codec
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${KAKEYA_BIN:-build/release/bin} out=${OUT:-out/own-codec}
[ -x "$bin/kakeya-sweep" ] || { echo "own_codec: $bin/kakeya-sweep: not built: run scripts/build.sh release" >&2; exit 1; }
[ $# -ge 2 ] || { echo "usage: scripts/own_codec.sh TEXTS PROFILE [FLAGS OF kakeya-sweep]" >&2; exit 2; }
"${KAKEYA_PYTHON:-python3}" -c 'import kakeya' || { echo "own_codec: ${KAKEYA_PYTHON:-python3}: lacks the package kakeya: pip install ./lib/bindings/python" >&2; exit 1; }
text=$1/wiki.test.raw profile=$2
shift 2
scripts/fetch_model.sh smollm2-135m
"$bin/kakeya-sweep" --config configs/own-codec.json --text "$text" --profile "$profile" "$@" --out "$out"
"$bin/kakeya-report" "$out" --out "$out/report"
