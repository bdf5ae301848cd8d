#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures and builds one preset (default: release). Says what is on and off; keeps quiet about the rest unless it fails.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

if ! cmake --preset "$preset" >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "build: cmake --preset $preset failed" >&2
  exit 1
fi
grep '^-- kakeya:' "$log" | sed 's/^-- kakeya: /build: /' || true
jobs=${KAKEYA_JOBS:-$(nproc)}
echo "build: compiling build/$preset with $jobs jobs (the first time: some minutes)"
if [ -t 1 ]; then
  cmake --build --preset "$preset" -j "$jobs"
elif ! cmake --build --preset "$preset" -j "$jobs" >"$log" 2>&1; then
  grep -E -A12 'error|FAILED' "$log" | head -n 60 >&2
  echo "build: failed" >&2
  exit 1
fi
echo "build: programs are in build/$preset/bin"
