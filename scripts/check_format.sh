#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that clang-format would change nothing in any C or C++ file of the repository; --fix lets it. Other versions of
# clang-format lay out some lines in other ways, so it has to be version 14, Debian 12's: scripts/setup.sh --format.
set -euo pipefail
cd "$(dirname "$0")/.."
fix=0
for argument in "$@"; do
  case $argument in
    --fix) fix=1 ;;
    *) echo "usage: scripts/check_format.sh [--fix]" >&2; exit 2 ;;
  esac
done

program=
for candidate in clang-format-14 clang-format; do
  if command -v "$candidate" >/dev/null && "$candidate" --version | grep -q 'version 14\.'; then
    program=$candidate
    break
  fi
done
if [ -z "$program" ]; then
  echo "format: clang-format 14 not found: run scripts/setup.sh --format" >&2
  exit 1
fi

# Files as they are now, new ones too, but none that was deleted or that git ignores.
files=()
while IFS= read -r -d '' file; do
  [ ! -f "$file" ] || files+=("$file")
done < <(git ls-files -z --cached --others --exclude-standard -- '*.h' '*.c' '*.cpp' '*.cu' '*.cuh')
if [ ${#files[@]} -eq 0 ]; then
  echo "format: no C++ file found: this check needs the git repository" >&2
  exit 1
fi

if [ $fix = 1 ]; then
  printf '%s\0' "${files[@]}" | xargs -0 "$program" -i
  echo "format: ${#files[@]} files laid out by .clang-format"
  exit 0
fi
if printf '%s\0' "${files[@]}" | xargs -0 -n 32 -P "$(nproc)" "$program" --dry-run -Werror --ferror-limit=1; then
  echo "format: ${#files[@]} files are as .clang-format lays them out"
else
  echo "format: the files above are not as .clang-format lays them out: run scripts/check_format.sh --fix" >&2
  exit 1
fi
