#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a Jupyter notebook of the page of the Python package.

usage: make_notebook.py [PAGE.md] OUT.ipynb

Text becomes cells of text, a heading begins a new one. A block of ```python becomes a cell of code: what follows
>>> and ... where it has prompts, whole where it has none. A block of ```sh becomes a cell that runs it (%%sh). What the
page says is printed is left out: running the notebook prints it, each expression's value as a prompt does, for which
the first cell asks. PAGE.md is lib/bindings/python/README.md unless given.
Standard library only.
"""

import json
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "lib" / "bindings" / "python" / "README.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```\n?", re.S | re.M)
EVERY_VALUE = 'from IPython.core.interactiveshell import InteractiveShell\n\nInteractiveShell.ast_node_interactivity = "all"'
HEADING = re.compile(r"^(?=## )", re.M)


def code_of(block):
    """The statements of a block, without prompts and output."""
    lines = block.splitlines()
    if not any(line.startswith(">>>") for line in lines):
        return block.rstrip("\n")
    return "\n".join(line[4:] for line in lines if line.startswith((">>> ", "... ")) or line in (">>>", "..."))


def cells_of(page):
    """[("markdown" or "code", text)] in the order of the page."""
    cells, at = [("code", EVERY_VALUE)], 0

    def text(part):
        cells.extend(("markdown", piece.strip()) for piece in HEADING.split(part) if piece.strip())

    for block in BLOCK.finditer(page):
        text(page[at : block.start()])
        at = block.end()
        language, body = block.groups()
        if language == "python":
            cells.append(("code", code_of(body)))
        elif language == "sh":
            cells.append(("code", "%%sh\n" + body.rstrip("\n")))
        else:
            cells.append(("markdown", block.group(0).strip()))
    text(page[at:])
    return cells


def notebook_of(cells):
    made = []
    for number, (kind, text) in enumerate(cells):
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
        if kind == "code":
            cell.update(execution_count=None, outputs=[])
        made.append(cell)
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": python, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


def main():
    if len(sys.argv) not in (2, 3) or not sys.argv[-1].endswith(".ipynb"):
        print(__doc__, file=sys.stderr)
        return 2
    page = pathlib.Path(sys.argv[1]) if len(sys.argv) == 3 else PAGE
    try:
        cells = cells_of(page.read_text(encoding="utf-8"))
        pathlib.Path(sys.argv[-1]).write_text(json.dumps(notebook_of(cells), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        print(f"make_notebook: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"{sys.argv[-1]}: {len(cells)} cells, {sum(kind == 'code' for kind, _ in cells)} of them code")
    return 0


if __name__ == "__main__":
    sys.exit(main())
