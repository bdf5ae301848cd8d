#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up, builds and runs tests: every one, unless told otherwise.
#   --quick      only codecs, profiles and their tests, lightly optimised: no LibTorch, no HDF5, no programs
#   --label L    only tests of this label: unit, cli (the programs as a user meets them), model, report, python, fuzz or gpu; more than
#                one --label: tests that have any of them
#   --asan       before that, under AddressSanitizer and UBSan: tests of rooms, the damaged inputs and the Python package, of all that needs no
#                LibTorch (the labels unit, fuzz, model and python, where none is given). Rooms that only compute (COMPUTES in tests), reports
#                and other programs are tried there by hand: scripts/build.sh asan && ctest --preset asan
#   --werror     a warning of the compiler is an error, as in CI
set -euo pipefail
cd "$(dirname "$0")/.."
usage="usage: scripts/test.sh [--quick] [--label unit|cli|model|report|python|fuzz|gpu]... [--asan] [--werror]"
asan=0 quick=0 werror=0 labels=
while [ $# -gt 0 ]; do
  case $1 in
    --asan) asan=1 ;;
    --quick) quick=1 ;;
    --werror) werror=1 ;;
    --label)
      case ${2:-} in
        unit | cli | model | report | python | fuzz | gpu) labels+="${labels:+|}$2" ;;
        *) echo "test: --label ${2:-}: expected unit, cli, model, report, python, fuzz or gpu" >&2; exit 2 ;;
      esac
      shift ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift
done
if [ $quick = 1 ] && [ $((asan + werror)) -gt 0 ]; then
  echo "test: --quick goes with neither --asan nor --werror" >&2
  exit 2
fi

# run PRESET LABELS [TARGET...]: builds it, or these targets, and runs its tests, or those of these labels.
run() {
  local select=()
  [ -z "$2" ] || select=(-L "^($2)\$")
  scripts/build.sh "$1" "${@:3}"
  ctest --preset "$1" -j "$(nproc)" --output-on-failure ${select[@]+"${select[@]}"}
}

if [ $quick = 1 ]; then
  scripts/setup.sh --quick
  run quick "$labels"
  exit 0
fi
scripts/setup.sh
if [ $asan = 1 ]; then
  preset=$([ $werror = 1 ] && echo ci-asan || echo asan)
  if [ -n "$labels" ]; then run $preset "$labels"; else run $preset 'unit|fuzz|model|python' tests.{unit,fuzz,model,python}; fi
fi
run "$([ $werror = 1 ] && echo ci || echo release)" "$labels"
