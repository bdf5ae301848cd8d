#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures and builds a preset, says what is on and off, and keeps quiet about the rest unless it fails.
# usage: scripts/build.sh [PRESET [TARGET...]]   release and everything, where not named; apps/all: the programs without tests
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
targets=("${@:2}")
build=(cmake --build --preset "$preset" -j "${KAKEYA_JOBS:-$(nproc)}")
[ ${#targets[@]} -eq 0 ] || build+=(--target "${targets[@]}")
log=$(mktemp)
trap 'rm -f "$log"' EXIT

if ! cmake --preset "$preset" >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "build: cmake --preset $preset failed" >&2
  exit 1
fi
grep '^-- kakeya:' "$log" | sed 's/^-- kakeya: /build: /' || true
echo "build: compiling build/$preset with ${KAKEYA_JOBS:-$(nproc)} jobs (the first time: some minutes)"
if [ -t 1 ]; then
  "${build[@]}"
elif ! "${build[@]}" >"$log" 2>&1; then
  grep -E -A12 'error|FAILED' "$log" | head -n 60 >&2
  echo "build: failed" >&2
  exit 1
fi
echo "build: programs are in build/$preset/bin"
