#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether two folders of kakeya-sweep hold the same cells with the same numbers, their times aside, whoever measured them: one process or shards.
Prints how many are lost (only in ONE), doubled (in two lines of TWO), different and new; exit code 1 unless none is.

usage: compare_cells.py ONE TWO
"""
import json
import pathlib
import sys

TIMES = ("encode_seconds", "decode_seconds", "forward_seconds", "cell_seconds")


def cells_of(folder):
    cells, doubled = {}, 0
    for path in sorted(pathlib.Path(folder).glob("samples*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            sample = json.loads(line)
            key = tuple(sample[name] for name in ("codec_k", "codec_v", "mode", "passage"))
            doubled += key in cells
            cells[key] = {name: value for name, value in sample.items() if name not in TIMES}
    return cells, doubled


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    (one, _), (two, doubled) = map(cells_of, sys.argv[1:])
    different = sum(one[key] != two[key] for key in one.keys() & two.keys())
    lost, new = len(one.keys() - two.keys()), len(two.keys() - one.keys())
    print(f"{len(two)} cells: {lost} lost, {doubled} doubled, {different} different, {new} new")
    sys.exit(1 if not one or lost or doubled or different or new else 0)


if __name__ == "__main__":
    main()
