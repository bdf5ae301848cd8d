#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes texts of other kinds than Wikipedia and novels, to cut passages from: out of Debian's packages, one file a kind, in out/texts, which
# git ignores. Says package, version, files, bytes and SHA-256 of each. What is there is left alone.
#   scripts/fetch_texts.sh [code] [german] [french] [chinese]      all four where none is named
#     code      Python's standard library        (libpython3-stdlib's libpython3.N-stdlib)   out/texts/python-code.txt
#     german    manual pages, roff taken out     (manpages-de)                               out/texts/manpages-de.txt
#     french                                     (manpages-fr)                               out/texts/manpages-fr.txt
#     chinese   simplified                       (manpages-zh, zh_CN)                        out/texts/manpages-zh.txt
#   kakeya-sweep --model nano --text out/texts/manpages-zh.txt --codec fp8 --out out/zh      (--cut tokens, the default: Chinese has no spaces)
# KAKEYA_TEXTS names another folder than out/texts. Needs apt-get, dpkg-deb and python3; the licences are those of the packages.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${KAKEYA_TEXTS:-out/texts}

fail() { echo "fetch_texts: $1" >&2; exit "${2:-1}"; }

[ $# -gt 0 ] || set -- code german french chinese
for kind in "$@"; do
  case $kind in
    code|german|french|chinese) ;;
    *) fail "$kind: expected some of code, german, french, chinese" 2 ;;
  esac
done
for program in apt-get apt-cache dpkg-deb python3; do
  command -v "$program" >/dev/null || fail "$program is missing: the texts come from Debian's packages"
done
mkdir -p "$folder"

# fetched KIND FILE HOW PACKAGE SUBFOLDER
fetched() {
  local file=$folder/$2 how=$3 package=$4 part=$5
  if [ -s "$file" ]; then
    echo "fetch_texts: $file is there: $(stat -c %s "$file") bytes, sha256 $(sha256sum "$file" | cut -d ' ' -f 1)"
    return
  fi
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/kakeya-texts.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  chmod 755 "$scratch" # apt-get may download as another user
  (cd "$scratch" && apt-get download -qq "$package" >/dev/null 2>"$scratch/said") || fail "apt-get could not download $package: $(tail -n 1 "$scratch/said")"
  local deb
  deb=$(find "$scratch" -name '*.deb')
  [ -n "$deb" ] || fail "apt-get downloaded no $package"
  mkdir "$scratch/files"
  dpkg-deb --extract "$deb" "$scratch/files"
  [ -d "$scratch/files/$part" ] || fail "$package has no $part"
  echo "fetch_texts: $1: $package $(dpkg-deb --field "$deb" Version)"
  python3 scripts/package_text.py "$how" "$scratch/files/$part" "$scratch/text.txt" >"$scratch/made" || fail "$package: no text made of it"
  mv "$scratch/text.txt" "$file"
  echo "fetch_texts: $file$(sed 's/^.*text\.txt//' "$scratch/made")"
  rm -rf "$scratch"
}

for kind in "$@"; do
  case $kind in
    code)
      package=$(apt-cache depends libpython3-stdlib 2>/dev/null | sed -n 's/^ *Depends: \(libpython3\.[0-9]*-stdlib\)$/\1/p' | head -n 1)
      [ -n "$package" ] || fail "apt-cache knows no libpython3-stdlib: run apt-get update"
      fetched code python-code.txt python "$package" usr/lib ;;
    german) fetched german manpages-de.txt man manpages-de usr/share/man/de ;;
    french) fetched french manpages-fr.txt man manpages-fr usr/share/man/fr ;;
    chinese) fetched chinese manpages-zh.txt man manpages-zh usr/share/man/zh_CN ;;
  esac
done
