#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the bits of caches of 8k tokens of held-out Wikipedia go, from the samples of scripts/adaptive.py: points as coded, what frames say first (directions; without a profile means and deviations; tables
of centred ece8), sinks in bf16, headers and scales, and the profile that one user carries. The table has of each family the setting nearest to published E8's KL divergence; tests/cli/adaptive.py compares.

usage: adaptive_parts.py [ROOT] [--csv]
  ROOT   as for adaptive_tables.py [reports/adaptive]
  --csv  all settings, in full precision
"""
import argparse
import math
import pathlib

import headline_cells
from adaptive_pages import MODELS
from adaptive_tables import LENGTHS, REFERENCE, lines_of, points, scored_on_wiki
from spec import Spec

PARTS = {"points": ("payload_bits",), "said first": ("table_bits",), "sinks": ("exact_token_bits",), "headers and scales": ("header_bits", "scale_bits", "padding_bits")}


def parts_of(sweep):
    """Of each setting: its passages, nats, and bits a value by part, the profile for one user last."""
    cells = {}
    for cell in lines_of(sweep.folder):
        if cell["codec_k"] != "identity":
            cells.setdefault(cell["codec_k"], []).append(cell)
    found = {}
    for codec, some in cells.items():
        values = sum(cell["values"] for cell in some)
        parts = {name: sum(cell[ledger][key] for cell in some for ledger in ("ledger_k", "ledger_v") for key in keys) / values for name, keys in PARTS.items()}
        parts["profile"] = 8 * sweep.profiles.get(codec, 0) / (sweep.values * sweep.plan["context"])
        found[codec] = len(some), sum(cell["kld_mean"] for cell in some) / len(some), parts
    return found


def nearest(sweep, codecs):
    """The setting whose loss is nearest to the reference's over its own passages."""
    def apart(codec):
        passages = tuple(sorted(sweep.cells[codec].keys() & sweep.cells[REFERENCE].keys()))
        return abs(math.log(points(sweep.folder, codec, passages)[0][0] / points(sweep.folder, REFERENCE, passages)[0][0]))
    return min(codecs, key=apart)


def swept(root):
    return [sweep for sweep in scored_on_wiki(root) if sweep.tokens == LENGTHS[0]]


def rate(codec):
    return Spec.parse(codec).keys.get("bits", "")


def print_parts(root):
    names = (*PARTS, "profile")
    print("| model | codec | bits= | passages | nats | " + " | ".join(names) + " | all |\n|---|---|--:|--:|--:|" + "--:|" * (len(names) + 1))
    for sweep in swept(root):
        found = parts_of(sweep)
        for title in sorted(sweep.families):
            if title != REFERENCE:
                codec = nearest(sweep, sweep.families[title])
                passages, nats, parts = found[codec]
                print(f"| {MODELS[sweep.model]} | {title} | {rate(codec)} | {passages} | {nats:.5f} | {' | '.join(f'{parts[name]:.3f}' for name in names)} | {sum(parts.values()):.3f} |")


def print_csv(root):
    print("model,codec,setting,quantity,value")
    for sweep in swept(root):
        for codec, (passages, nats, parts) in parts_of(sweep).items():
            title = next(title for title, codecs in sweep.families.items() if codec in codecs)
            numbers = {"passages": passages, "KL divergence (nats)": nats, **{f"bits, {name}": bits for name, bits in parts.items()}, "bits with its profile": sum(parts.values())}
            for quantity, value in numbers.items():
                print(f'{sweep.model},"{title}","bits={rate(codec)}","{quantity}",{value!r}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=headline_cells.ROOT / "reports/adaptive")
    parser.add_argument("--csv", action="store_true")
    given = parser.parse_args()
    print_csv(given.root) if given.csv else print_parts(given.root)


if __name__ == "__main__":
    main()
