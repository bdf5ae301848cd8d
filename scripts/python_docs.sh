#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Renders the docstrings of the Python package to HTML, and makes its notebook.
#   --out DIR   where they go [build/python-docs]
#   PYTHON      an interpreter that has the package [build/python/venv/bin/python, which scripts/test_python.sh makes]
# Installs pdoc from PyPI beside the package's environment, not into it.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/python-docs
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=${2:?usage: scripts/python_docs.sh [--out DIR]}; shift ;;
    *) echo "usage: scripts/python_docs.sh [--out DIR]" >&2; exit 2 ;;
  esac
  shift
done
python=${PYTHON:-build/python/venv/bin/python}
"$python" -c 'import kakeya' 2>/dev/null || {
  echo "python_docs: $python: no package kakeya there: run scripts/test_python.sh, or name an interpreter that has it in PYTHON" >&2
  exit 1
}
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
"$python" -m pip -q --disable-pip-version-check install --target "$tools" 'pdoc>=14'
PYTHONPATH=$tools "$python" -m pdoc --docformat google --output-directory "$out" kakeya '!kakeya.hosting'
python3 scripts/make_notebook.py "$out/kakeya.ipynb"
echo "python_docs: $out/index.html"
