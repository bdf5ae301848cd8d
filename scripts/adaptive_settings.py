#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of reports/adaptive/settings.md: development passages; and what settings of transforms that learn are worth beside each other, over all KL divergences
that both reach, from the samples of scripts/adaptive.py; tests/cli/adaptive.py compares.

Of two families: their bits, on straight lines between their settings over the logarithm of the mean KL divergence, as means over the divergences from the largest
to the least that both have, and the ratio of these means; of one setting its bits over the other family's at its own divergence. Over the passages that both have,
two at least, with 95 % of 2000 paired draws of them; a draw in which they reach nothing together is left out. A family is held against what it is a variant of: as many tokens that
its profile counts as as usual (heads 500, layers 1000), floats for int8, single layers, no directions sent; what learns with a profile of layers against that profile static, and of a novel's
against today's profile, six static layers of a mix. KVTC is held against that, and against layers of a mix that learn.
Single heads inside the forward, of reports/adaptive-hot: a column a model, length and split, each family against its own profile static.

usage: adaptive_settings.py [ROOT] [--csv]     ROOT as for adaptive_tables.py [reports/adaptive]
"""
import argparse
import itertools
import math
import pathlib
import re
from typing import NamedTuple

import headline_cells
from adaptive_pages import MODELS, SHORT, SPLITS, long_passages, place, print_long
from adaptive_tables import HEADS, TODAY, points, sweeps, variants
from headline_pages import interval

MIX = "one layer, mix, adapt=1000"


class Beside(NamedTuple):
    passages: int
    most: float  # nats
    least: float
    ratio: float
    at_most: float  # the ratio at the most nats
    at_least: float
    ends: tuple


def mean_bits(curve, knots):
    """Of a curve, the mean over the logarithm of the KL divergence, and its bits at both ends."""
    bits = [headline_cells.read_off(curve, kl)[0] if len(curve) > 1 else curve[0][1] for kl in knots]
    if len(knots) == 1:
        return bits * 3
    steps = [math.log(above / below) for above, below in itertools.pairwise(knots)]
    return sum(step * (a + b) / 2 for step, (a, b) in zip(steps, itertools.pairwise(bits))) / sum(steps), bits[0], bits[-1]


def over_both(ours, theirs):
    """Ratios of two curves where both reach, and between which KL divergences; None where they reach nothing together."""
    most = min(min(curve, key=lambda point: point[1])[0] for curve in (ours, theirs))
    least = max(min(curve)[0] for curve in (ours, theirs))
    if least > most:
        return None
    knots = sorted({most, least, *(kl for kl, *_ in (*ours, *theirs) if least < kl < most)}, reverse=True)
    return most, least, *(mine / other for mine, other in zip(mean_bits(ours, knots), mean_bits(theirs, knots)))


def beside(sweep, title, other):
    curves = [sweep.families[name] for name in (title, other)]
    passages = tuple(sorted(set.intersection(*(set(sweep.cells[codec]) for codec in itertools.chain(*curves)))))
    if len(passages) < 2:
        return None
    drawn = [list(zip(*(points(sweep.folder, codec, passages) for codec in curve))) for curve in curves]
    found, *draws = (over_both(ours, theirs) for ours, theirs in zip(*drawn))
    return Beside(len(passages), *found, headline_cells.ends([draw[2] for draw in draws if draw])) if found else None


def others(title):
    if title == "KVTC":  # on other text no setting of it loses as little as published E8
        return [TODAY, MIX]
    static = re.sub(", adapt=.*", "", title)
    return [*variants(title), *([static] if static != title and not title.startswith("heads") else []), *([TODAY] if ", novel, adapt=" in title and not title.startswith(HEADS) else [])]


def hot(root):
    """Sweeps of single heads inside the forward."""
    found = [sweep for sweep in sweeps(root) if any(title.startswith(HEADS) for title in sweep.families)]
    return sorted(found, key=lambda sweep: (sweep.model != "smollm2-135m", sweep.tokens, SPLITS.index(sweep.split)))


def compared(root):
    for swept in [hot(root)] if hot(root) else [long_passages(root, split) for split in SPLITS]:
        for sweep in swept:
            for title in sorted(sweep.families):
                for other in others(title):
                    found = beside(sweep, title, other) if other in sweep.families else None
                    if found:
                        yield sweep, title, other, found


def print_settings(root):
    print("| text | codec | of | passages | nats | its bits over the other's (95 %) | at the most nats | at the least |\n|---|---|---|--:|--:|--:|--:|--:|")
    for sweep, title, other, found in compared(root):
        where = place(sweep) + (f", {sweep.split}" if sweep.split == "development" else "")
        at_ends = (f"{found.at_most:.3f}", f"{found.at_least:.3f}") if found.most > found.least else ("", "")
        nats = f"{found.most:.5f} to {found.least:.5f}" if found.most > found.least else f"{found.most:.5f}"
        print(f"| {where} | {sweep.starred(title)} | {sweep.starred(other)} | {found.passages} | {nats} | {found.ratio:.3f} ({interval(found.ends)}) | {' | '.join(at_ends)} |")


def print_hot(root):
    found = {}
    for sweep, title, _, of in compared(root):
        found.setdefault(sweep.folder, {})[title] = of
    columns = [sweep for sweep in hot(root) if sweep.folder in found]
    print("| of static ones of its profile |" + "".join(f" {MODELS[sweep.model]}, {SHORT[sweep.tokens]}, {sweep.split} |" for sweep in columns) + "\n|---|" + "--:|" * len(columns))
    for title in sorted(set(itertools.chain(*found.values()))):
        cells = (found[sweep.folder].get(title) for sweep in columns)
        print(f"| {title.removeprefix(f'{HEADS}, ')} |" + "".join(f" {of.ratio:.3f} ({interval(of.ends)}), {of.passages} |" if of else " |" for of in cells))


def print_csv(root):
    print("model,text,context,codec,of,quantity,value")
    for sweep, title, other, found in compared(root):
        text = ", ".join(word for word in (sweep.text, sweep.split) if word)
        numbers = {"passages": found.passages, "most nats": found.most, "least nats": found.least, "ratio": found.ratio, "ratio, low end": found.ends[0], "ratio, high end": found.ends[1],
                   "ratio at the most nats": found.at_most, "ratio at the least nats": found.at_least}
        for quantity, value in numbers.items():
            print(f'{sweep.model},"{text}",{sweep.tokens} tokens,"{title}","of {other}","{quantity}",{value!r}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=headline_cells.ROOT / "reports/adaptive")
    parser.add_argument("--csv", action="store_true")
    given = parser.parse_args()
    if given.csv:
        return print_csv(given.root)
    if hot(given.root):
        return print_hot(given.root)
    print_long(given.root, "development")
    print()
    return print_settings(given.root)


if __name__ == "__main__":
    main()
