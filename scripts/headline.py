#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What klt needs at another codec's KL divergence, over the coded layers and over the whole cache, from the committed samples.

Written apart from kakeya-report, with nothing but Python's library, as a check on it. Bits are 8 x bytes / values, summed over the
passages: of the coded layers (bytes_written, values), and of all layers (cache_bytes, cache_values), where skipped layers and, where
samples record one, the open page count 16 bits a value. Bits at a KL divergence lie on the straight line, in the logarithm of the mean KL divergence, between the two
measured settings around it; nothing is extrapolated. The interval: 95 % of 2000 paired draws of the passages, seed 1.

usage: headline.py                      prints two Markdown tables; tests/cli/readme.py compares them with README.md and reports/headline/README.md
       headline.py --csv                prints what stands in reports/headline/whole_cache.csv: the same in full precision, the cells that pages quote
       headline.py --held-out [--csv]   the same of reports/held-out: passages on which nothing was chosen, every layer coded, against more codecs
"""
import collections
import json
import lzma
import math
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DRAWS = 2000
HEADS = "klt:bits={},profile={}"
LAYERS = "klt:bits={},lattice=tcq,scope=layer,restart=1,page=512,profile={}"
MODELS = (  # title, folder of samples, profile; then of klt by heads and by whole layers: rates, MB of the profile (reports/transform/README.md)
    ("SmolLM2", "transform/smollm2-135m-hot", "84566a55da675655", (HEADS, ("2.5", "2.8", "3.1", "3.5"), "1.5"), (LAYERS, ("1", "1.3", "1.7", "2.1", "2.5", "3"), "10.4")),
    ("Gemma 3", "transform/gemma3-270m-hot", "460409a1c26ecf51", (HEADS, ("2.2", "2.35", "2.6", "2.85", "3.3", "3.6"), "4.8"),
     (LAYERS, ("1", "1.3", "1.7", "2.1", "2.5", "3"), "14.2")),
)
SHORT = {"KIVI, 4 bits": "kivi:b=4", "E8, Q=15": "e8:q=15,rule=published", "E8, Q=22": "e8:q=22,rule=published"}  # on the front page
REFERENCES = {**SHORT, "q5_0": "q5_0", "q4_0": "q4_0"}
HELD_OUT_MODELS = (
    ("SmolLM2", "held-out", "4564ed6c753239de", (HEADS, ("2.5", "2.8", "3.1", "3.5", "4"), "1.5"), (LAYERS, ("1", "1.3", "1.7", "2.1", "2.5", "3", "3.5"), "10.4")),
)
HELD_OUT_REFERENCES = {
    **SHORT, "ece8 centred, 4 bits": "ece8:bits=4,center=mean", "ece8 centred, 3 bits": "ece8:bits=3,center=mean", "q4_0, rotated": "q4_0:rotate=64",
    "q5_0, rotated": "q5_0:rotate=64", "TurboQuant, 4 bits": "turboquant:b=4", "INT4, a token and head": "int4",
    "NVFP4": "nvfp4", "fp8": "fp8"}


def whole(cell):
    """Bytes of the cache while it grows: the open page as bf16, where a sample records one."""
    page = cell.get("open_page")
    return cell["cache_bytes"] + (2 * page["values"] - page["bytes"] if page else 0)


def cells(folder):
    """Of each codec by passage: KL divergence, bytes and values of the coded layers, bytes and values of the cache."""
    found = collections.defaultdict(dict)
    with lzma.open(ROOT / "reports" / folder / "samples.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            cell = json.loads(line)
            found[cell["codec_k"]][cell["passage"]] = (*(cell[key] for key in ("kld_mean", "bytes_written", "values")), whole(cell), cell["cache_values"])
    return {codec: [by_passage[p] for p in sorted(by_passage)] for codec, by_passage in found.items()}


def point(cells_of_codec, draw):
    """Mean KL divergence, bits a value of the coded layers and of the cache, over the drawn passages."""
    kl, coded, values, cache, cache_values = (sum(cells_of_codec[p][i] for p in draw) for i in range(5))
    return kl / len(draw), 8 * coded / values, 8 * cache / cache_values


def read_off(curve, kl):
    """Bits (coded layers, cache) at a KL divergence; beyond the measured ones -inf or inf, for fewer or more bits than measured."""
    curve = sorted(curve, key=lambda p: p[1])
    if kl > curve[0][0]:
        return -math.inf, -math.inf
    for (kl0, *bits0), (kl1, *bits1) in zip(curve, curve[1:]):
        if kl0 >= kl >= kl1:
            share = math.log(kl0 / kl) / math.log(kl0 / kl1) if kl0 > kl1 else 0
            return tuple(a + share * (b - a) for a, b in zip(bits0, bits1))
    return math.inf, math.inf


def ratios(codecs, curve, reference, draw):
    kl, *bits = point(codecs[reference], draw)
    return tuple(ours / theirs for ours, theirs in zip(read_off([point(codecs[c], draw) for c in curve], kl), bits))


def ends(values):
    """95 % of the draws."""
    values = sorted(values)
    return tuple(values[round(q * (len(values) - 1))] for q in (0.025, 0.975))


def interval(low_and_high):
    """An end beyond the measured settings is left out."""
    low, high = low_and_high
    if low == -math.inf:
        return f"≤{high:.2f}"
    return f"≥{low:.2f}" if high == math.inf else f"{low:.2f}–{high:.2f}"


def short(interval_text):
    return interval_text.replace("0.", ".")


def measured(models, references):
    """Yields model, unit, MB, reference, its KL divergence, then of coded layers and of the cache: its bits, klt's, their ratio, ends of its interval."""
    for title, folder, profile, *variants in models:
        codecs = cells(folder)
        count = len(codecs["identity"])
        for unit, (pattern, rates, megabytes) in zip(("heads", "layers"), variants):
            curve = [pattern.format(rate, profile) for rate in rates]
            for name, reference in references.items():
                kl, *theirs = point(codecs[reference], range(count))
                ours = read_off([point(codecs[c], range(count)) for c in curve], kl)
                if math.inf in ours or -math.inf in ours:
                    continue  # beyond what was measured
                rng = random.Random(1)
                drawn = [ratios(codecs, curve, reference, rng.choices(range(count), k=count)) for _ in range(DRAWS)]
                yield title, unit, megabytes, name, kl, *((theirs[i], ours[i], ours[i] / theirs[i], ends(d[i] for d in drawn)) for i in (0, 1))


def print_csv(rows):
    """A line a number; ends beyond the measured settings are left out."""
    print("model,klt,at the KL divergence of,bits of,quantity,value")
    for title, unit, _, name, kl, *both in rows:
        for of, (theirs, ours, ratio, (low, high)) in zip(("coded layers", "whole cache"), both):
            numbers = {"KL divergence (nats)": kl, "its bits": theirs, "bits of klt": ours, "ratio": ratio, "ratio, low end": low, "ratio, high end": high}
            for quantity, value in numbers.items():
                if math.isfinite(value):
                    print(f'"{title}",{unit},"{name}",{of},"{quantity}",{value!r}')


def print_short(rows):
    """The table of the front page, and a blank line."""
    print("| `klt` | MB |" + "".join(f" at the loss of {name} |" for name in SHORT))
    print("|---|--:|" + "--:|" * len(SHORT))
    for title, unit, megabytes in dict.fromkeys(row[:3] for row in rows):
        found = {row[3]: row[5:] for row in rows if row[:2] == (title, unit)}
        print(f"| {title}, {unit} | {megabytes} |"
              + "".join(f" {coded[2]:.2f} ({short(interval(coded[3]))}), {cache[2]:.2f} |" for coded, cache in (found[name] for name in SHORT)))
    print()


def main():
    held_out = "--held-out" in sys.argv[1:]
    rows = list(measured(HELD_OUT_MODELS, HELD_OUT_REFERENCES) if held_out else measured(MODELS, REFERENCES))
    if "--csv" in sys.argv[1:]:
        print_csv(rows)
        return
    if not held_out:
        print_short(rows)
    print("| `klt` | at the KL divergence of | nats | its bits | `klt`'s | ratio (95 %) | its bits, whole cache | `klt`'s | ratio (95 %) |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for title, unit, _, name, kl, coded, cache in rows:
        print(f"| {title}, {unit} | {name} | {kl:.4f} " + "".join(f"| {a:.2f} | {b:.2f} | {c:.3f} ({interval(d)}) " for a, b, c, d in (coded, cache)) + "|")


if __name__ == "__main__":
    main()
