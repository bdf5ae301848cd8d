#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what kakeya needs from Debian's packages. Idempotent: says what is missing, installs that and nothing else.
#   --quick    only what codecs and their tests need (cmake --preset quick): no LibTorch, HDF5 or libraries of programs
#   --fuzz     also clang and its fuzzer, for scripts/fuzz.sh
#   --format   also clang-format, for scripts/check_format.sh
#   --tidy     also clang-tidy, for cmake --preset tidy
set -euo pipefail

packages=(
  g++ cmake ninja-build git                # build
  libtorch-dev libopenblas0-openmp         # models (Debian's LibTorch calls whatever BLAS is there: this is the fast one)
  libhdf5-dev                              # dumps
  libicu-dev                               # tokenizers
  nlohmann-json3-dev libcli11-dev libfmt-dev libssl-dev libboost-math-dev libeigen3-dev   # programs
  libhwy-dev                               # vector kernels
  zlib1g-dev                               # the codec kvtc
  liblzma-dev                              # packed samples
  libgtest-dev                             # tests
  gnuplot-nox fonts-dejavu-core            # charts
  python3 python3-pip python3-h5py         # fetch_model.sh, checks; h5py reads a dump in a test
  python3-venv python3-dev                 # the Python package
)
for argument in "$@"; do
  [ "$argument" != --quick ] || packages=(g++ cmake ninja-build git libhwy-dev zlib1g-dev libgtest-dev)
done
for argument in "$@"; do
  case $argument in
    --quick) ;;
    --fuzz) packages+=(clang libclang-rt-14-dev) ;;
    --format) packages+=(clang-format) ;;
    --tidy) packages+=(clang-tidy) ;;
    *) echo "usage: scripts/setup.sh [--quick] [--fuzz] [--format] [--tidy]" >&2; exit 2 ;;
  esac
done

command -v dpkg-query >/dev/null || {
  echo "setup: this script knows Debian and its kin only. Install by hand what it lists: ${packages[*]}" >&2
  exit 1
}
# A LibTorch of one's own, named by CMAKE_PREFIX_PATH, stands in for Debian's.
IFS=: read -ra prefixes <<<"${CMAKE_PREFIX_PATH:-}"
for prefix in "${prefixes[@]//;/:}"; do
  if [ -e "$prefix/Torch/TorchConfig.cmake" ] || [ -e "$prefix/share/cmake/Torch/TorchConfig.cmake" ]; then
    packages=("${packages[@]/libtorch-dev/}")
    echo "setup: LibTorch from $prefix"
  fi
done

missing=()
for package in "${packages[@]}"; do
  [ -n "$package" ] || continue
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all ${#packages[@]} packages are installed"
  exit 0
fi

echo "setup: installing ${#missing[@]} of ${#packages[@]} packages: ${missing[*]}"
sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: not root and no sudo; run as root: apt-get install ${missing[*]}" >&2; exit 1; }
  sudo=(sudo)
fi
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
if ! { "${sudo[@]}" apt-get update && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 15 "$log" >&2
  echo "setup: apt-get failed; the whole log is $log" >&2
  exit 1
fi
rm -f "$log"
echo "setup: done"
