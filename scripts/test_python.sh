#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Python package into an environment of its own (build/python) and runs its tests. Exits 77, saying why, where the
# environment cannot be made: no python3-venv, no python3-dev, or PyPI out of reach.
#   --build DIR     link kakeya::codec as it was built there, and compare with the programs there, in place of compiling it again
#   --with NAMES    further packages from PyPI for the tests: "ml_dtypes torch transformers"; the last two bring the tests of models
#   --asan          compile all of it with AddressSanitizer and UBSan (build/python-asan), or the extension alone around the libraries of a
#                   --build that has them, and leave out tests that only run programs
#   PYTHON          which interpreter [python3]
set -euo pipefail
cd "$(dirname "$0")/.."
usage="usage: scripts/test_python.sh [--build DIR] [--with NAMES] [--asan]"
asan=0 from= also=
while [ $# -gt 0 ]; do
  case $1 in
    --asan) asan=1 ;;
    --build) from=${2:?$usage}; shift ;;
    --with) also=${2:?$usage}; shift ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift
done
if [ -n "$from" ]; then
  sanitized=0
  ! grep -q '^KAKEYA_SANITIZE:BOOL=ON$' "$from/CMakeCache.txt" || sanitized=1
  if [ $sanitized != $asan ]; then
    echo "test_python: --build $from: expected a build $([ $asan = 1 ] && echo "with sanitizers for" || echo "without sanitizers where there is no") --asan" >&2
    exit 2
  fi
fi
skip() {
  echo "test_python: skipped: $*"
  exit 77
}

python=${PYTHON:-python3}
package=lib/bindings/python
folder=$PWD/build/python
[ $asan = 0 ] || folder+=-asan
mkdir -p "$folder"
log=$folder/log.txt
"$python" -c 'import os, sysconfig; assert os.path.exists(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null ||
  skip "$python has no headers (Debian: python3-dev)"
if [ ! -x "$folder/venv/bin/pip" ] || ! "$folder/venv/bin/python" -c '' 2>/dev/null; then
  rm -rf "$folder/venv"
  "$python" -m venv "$folder/venv" >"$log" 2>&1 || { rm -rf "$folder/venv"; skip "$python -m venv failed (Debian: python3-venv)"; }
fi
pip=("$folder/venv/bin/python" -m pip --disable-pip-version-check)

# What pyproject.toml builds with, installed beside the package, so that what was compiled stays valid.
mapfile -t requirements < <("$folder/venv/bin/python" -c '
import ast, re, sys
for line in open(sys.argv[1]):
    found = re.match(r"(requires|dependencies) = (\[.*\])", line)
    if found:
        print(*ast.literal_eval(found.group(2)), sep="\n")' $package/pyproject.toml)
# shellcheck disable=SC2086
"${pip[@]}" install -q --retries 1 "${requirements[@]}" $also >"$log" 2>&1 || {
  tail -n 3 "$log"
  skip "pip could not install ${requirements[*]} $also: is PyPI within reach?"
}

settings=(-C "build-dir=$folder" -C "build.verbose=false")
if [ -n "$from" ]; then
  rm -rf "$folder/package"
  cmake --install "$from" --component codec --prefix "$folder/package" >"$log"
  settings=(-C "build-dir=$folder/linked" -C "cmake.define.kakeya_ROOT=$folder/package")
  [ $asan = 1 ] || [ ! -x "$from/bin/kakeya-codec" ] || export KAKEYA_BIN=$(realpath "$from/bin")
fi
[ $asan = 0 ] || settings+=(-C cmake.define.KAKEYA_SANITIZE=ON -C cmake.build-type=RelWithDebInfo -C install.strip=false
                            -C "cmake.define.CMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1")
! command -v ccache >/dev/null || settings+=(-C cmake.define.CMAKE_CXX_COMPILER_LAUNCHER=ccache)
export CMAKE_BUILD_PARALLEL_LEVEL=${KAKEYA_JOBS:-$(nproc)}
if ! "${pip[@]}" install --no-deps --no-build-isolation --force-reinstall "${settings[@]}" ./$package >"$log" 2>&1; then
  grep -E -A6 'error|FAILED' "$log" | head -n 40 >&2
  echo "test_python: pip install ./$package failed; the whole log is $log" >&2
  exit 1
fi

if [ $asan = 1 ]; then  # the interpreter is without it, so the sanitizer and what it watches have to come first
  export LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so.6)"
  export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=64 PYTHONMALLOC=malloc KAKEYA_ASAN=1
fi
"$folder/venv/bin/python" -m unittest discover -s $package/tests
if "$folder/venv/bin/python" -c 'import torch, transformers' 2>/dev/null; then  # a folder of its own: as a package it would hide transformers
  exec "$folder/venv/bin/python" -m unittest discover -s $package/tests/transformers
fi
