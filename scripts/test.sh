#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up, builds and runs every test. With --asan also the AddressSanitizer and UBSan build of all that needs no LibTorch.
set -euo pipefail
cd "$(dirname "$0")/.."
asan=0
for argument in "$@"; do
  case $argument in
    --asan) asan=1 ;;
    *) echo "usage: scripts/test.sh [--asan]" >&2; exit 2 ;;
  esac
done

scripts/setup.sh
if [ $asan = 1 ]; then
  scripts/build.sh asan
  ctest --preset asan -j "$(nproc)" --output-on-failure
fi
scripts/build.sh release
ctest --preset release -j "$(nproc)" --output-on-failure
