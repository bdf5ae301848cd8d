#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Charts of reports/adaptive: bits at published E8's KL divergence (Q=15) against context on WikiText-2 test, of the whole cache and with the profile that one user carries.

Points are of two passages at least; bars are 95 % of draws of the passages. Open and dashed: by estimate, bits of 8k tokens and what rates of long caches add, as adaptive_tables.py has them, at lengths
at which a codec that learns was coded.

usage: adaptive_chart.py [ROOT] DIR
  ROOT  as for adaptive_tables.py [reports/adaptive]
  DIR   gets context-MODEL.dat and .gp; drawn where gnuplot is
"""
import argparse
import math
import pathlib
import shutil
import subprocess
import sys
from typing import NamedTuple

import headline_cells
from adaptive_tables import ECE8, FEWEST, LENGTHS, TODAY, counted, grown, long_rates, rows_of, scored_on_wiki, sweeps



class Style(NamedTuple):
    title: str
    colour: str
    marker: int  # of gnuplot; open ones are one less
    open_marker: int


CHARTED = (Style("no profile", "#CC0000", 2, 2), Style("heads, mix, adapt=500", "#E69F00", 5, 4), Style("heads, mix, adapt=500, group=3, send=32", "#8C510A", 9, 8),
           Style("one layer, novel, adapt=1000", "#56B4E9", 11, 10), Style("one layer, mix", "#888888", 15, 14), Style("one layer, mix, adapt=1000", "#0072B2", 13, 12),
           Style(TODAY, "#222222", 3, 3), Style(ECE8, "#009E73", 1, 1), Style("three layers, mix, int8, adapt=2000", "#CC79A7", 7, 6), Style("heads, mix, int8, adapt=500, group=3, send=32", "#000000", 14, 14))


class Block(NamedTuple):
    style: Style
    estimated: bool
    points: list  # context, bits, low and high end, bits with the profile


def measured_of(root, model, title):
    for sweep in scored_on_wiki(root):
        row = rows_of(sweep.folder).get(title) if sweep.model == model else None
        if row and row[0].passages >= FEWEST:
            needs, counting, _ = row
            yield (sweep.plan["context"], needs.whole, *(end + needs.whole - needs.coded if math.isfinite(end) else needs.whole for end in needs.ends), counting)


def blocks_of(root, model):
    """Of each family what was measured, and behind it from 8k tokens on what is estimated."""
    users = {title: found for of, title, *_, found in counted(root) if of == model}
    rates = long_rates(root)
    lengths = [tokens for tokens in LENGTHS[1:] if any("adapt" in title and grown(rates, model, title, tokens) is not None for title in users)]
    for style in CHARTED:
        points = sorted(measured_of(root, model, style.title))
        if points:
            yield Block(style, False, points)
        context, user = max((point[0] for point in points), default=0), users.get(style.title, {})
        longer = [(tokens, bits, bits, bits, counting) for tokens, (bits, counting) in sorted(user.items()) if tokens in lengths]
        if longer and LENGTHS[0] * 0.9 < context < LENGTHS[1] * 0.9:
            yield Block(style, True, [points[-1], *longer])


def write_chart(root, model, folder):
    blocks = list(blocks_of(root, model))
    if not blocks:
        return
    name = f"context-{model}"
    ladder = sorted({point[0] for block in blocks if not block.estimated for point in block.points})

    def rows(block):
        """Points of a block; a line is broken where one was not measured between two of them."""
        for before, point in zip([None, *block.points], block.points):
            if before and not block.estimated and ladder.index(point[0]) - ladder.index(before[0]) > 1:
                yield "\n"
            yield " ".join(f"{value:.6g}" for value in point) + "\n"
    titles = [block.style.title + (" (by estimate)" if block.estimated else "") for block in blocks]
    (folder / f"{name}.dat").write_text("\n\n".join(f"# {title}: context, bits, ends, bits with the profile\n" + "".join(rows(block))
                                                     for title, block in zip(titles, blocks)), encoding="utf-8")

    def lines(column):
        drawn = [f"'{name}.dat' index {i} using 1:{column} with linespoints lw 2 pt {style.marker} ps 1.0 lc rgb '{style.colour}' title '{style.title}'" if not estimated else
                 f"'{name}.dat' index {i} every ::1 using 1:{column} with points lw 1.5 pt {style.open_marker} ps 1.0 lc rgb '{style.colour}' notitle, \\\n"
                 f"    '{name}.dat' index {i} using 1:{column} with lines lw 1.5 dt (6,5) lc rgb '{style.colour}' notitle" for i, (style, estimated, _) in enumerate(blocks)]
        if any(block.estimated for block in blocks):
            drawn.append("NaN with lines lw 1.5 dt (6,5) lc rgb '#444444' title 'by estimate (rates of long caches)'")
        return ", \\\n    ".join(drawn)
    all_contexts = [point[0] for block in blocks for point in block.points]
    bars = "".join(f"'{name}.dat' index {i} using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '{block.style.colour}' notitle, \\\n    " for i, block in enumerate(blocks) if not block.estimated)
    (folder / f"{name}.gp").write_text(f"""# Bits at published E8's KL divergence (Q=15) against context
# Redraw in this folder: gnuplot {name}.gp
set encoding utf8
set terminal svg size 1140,720 enhanced font 'Arial,14' background rgb 'white'
set output '{name}.svg'
set multiplot layout 1,2
set logscale x 2
set xlabel 'tokens of context'
set ylabel 'bits a value'
set xtics ('512' 512, '1k' 1024, '2k' 2048, '4k' 4096, '8k' 8192, '32k' 32768, '128k' 131072)
set xrange [{0.87 * min(all_contexts):.0f}:{1.15 * max(all_contexts):.0f}]
set grid lt 1 lw 0.6 lc rgb '#d9d9d9'
set key below maxcols 1
set yrange [0:*]
set title 'whole cache'
plot {bars}{lines(2)}
set title 'with the profile, one user'
set logscale y
set yrange [1:*]
plot {lines(5)}
unset multiplot
""", encoding="utf-8")
    if shutil.which("gnuplot"):
        subprocess.run(["gnuplot", f"{name}.gp"], cwd=folder, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=headline_cells.ROOT / "reports/adaptive")
    parser.add_argument("folder", type=pathlib.Path)
    given = parser.parse_args()
    if not sweeps(given.root):
        sys.exit(f"adaptive_chart: {given.root}: no samples: expected what scripts/adaptive.py leaves in out/adaptive/adaptive")
    given.folder.mkdir(parents=True, exist_ok=True)
    for model in sorted({sweep.model for sweep in sweeps(given.root)}):
        write_chart(given.root, model, given.folder)


if __name__ == "__main__":
    main()
