#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of reports/key-bias and reports/weights, from the committed samples, with nothing but Python's library.

A KL divergence is the mean over passages, with the half width of its 95 % Student t interval. A factor is one mean over another; its
interval is 95 % of 2000 draws of the passages, the same draws for both, which pairs them (seed 1).

usage: paired.py key-bias|weights [--csv]     --csv: the same in full precision, what stands in the page's folder as paired.csv
tests/cli/readme.py compares both with the pages.
"""
import collections
import functools
import itertools
import json
import lzma
import math
import pathlib
import random
import sys

from spec import Spec

ROOT = pathlib.Path(__file__).resolve().parents[1]
DRAWS = 2000
T_975 = {3: 3.182446, 4: 2.776445, 5: 2.570582, 6: 2.446912, 7: 2.364624, 8: 2.306004, 9: 2.262157}  # by degrees of freedom
# Of 4 bits: title, codec, centrings that it has.
CENTRED = (("E8, entropy-coded", "ece8:bits=4", ("mean", "bias")), ("E8, fixed rate", "e8:q=10", ("mean", "bias")),
           ("scalar, entropy-coded", "ecz:bits=4", ("mean", "bias")), ("scalar, fixed rate", "tq:b=4", ("mean", "bias")),
           ("KIVI", "kivi:b=4", ("bias",)), ("llama.cpp's block", "q4_0", ()))
FORMATS = ("Q4_1", "Q8_0", "F16")


@functools.lru_cache(maxsize=None)
def cells(folder):
    """Of each codec, without its profile: KL divergence and bits a coded value of every passage, in order."""
    found = collections.defaultdict(dict)
    with lzma.open(ROOT / "reports" / folder / "samples.jsonl.xz", "rt", encoding="utf-8") as lines:
        for cell in map(json.loads, lines):
            codec = Spec.parse(cell["codec_k"]).without("profile").text
            found[codec][cell["passage"]] = cell["kld_mean"], 8 * cell["bytes_written"] / cell["values"]
    return {codec: [by_passage[p] for p in sorted(by_passage)] for codec, by_passage in found.items()}


def klds(folder, codec):
    return [kld for kld, _ in cells(folder)[codec]]


def mean(values):
    return sum(values) / len(values)


def half_width(values):
    middle, count = mean(values), len(values)
    return T_975[count - 1] * math.sqrt(sum((v - middle) ** 2 for v in values) / (count - 1) / count)


@functools.lru_cache(maxsize=None)
def draws(count):
    rng = random.Random(1)
    return [rng.choices(range(count), k=count) for _ in range(DRAWS)]


def factor(above, below):
    """Of two codecs' KL divergences by passage: mean over mean, and the ends of its interval."""
    found = sorted(mean([above[i] for i in draw]) / mean([below[i] for i in draw]) for draw in draws(len(above)))
    return mean(above) / mean(below), found[round(0.025 * (DRAWS - 1))], found[round(0.975 * (DRAWS - 1))]


def digits(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def factor_text(three):
    return "{} ({}–{})".format(*map(digits, three))


def kld_text(folder, codec):
    values = klds(folder, codec)
    places = max(4, 2 - math.floor(math.log10(mean(values))))
    return f"{mean(values):.{places}f} ± {half_width(values):.{places}f}"


# ---- key-bias ---------------------------------------------------------------------------------------------------------------


def key_bias_rows():
    """Yields title, centring, codec, folder of samples, the factor by which the uncentred codec loses more (None: it is that), and of
    center=bias the factor of its loss over that of center=mean (None: there is none)."""
    for title, codec, centrings in CENTRED:
        for centring in ("none", *centrings):
            spec = codec if centring == "none" else f"{codec}{',' if ':' in codec else ':'}center={centring}"
            for model in ("nano-bias", "nano"):
                folder = f"key-bias/{model}"
                if spec not in cells(folder):
                    continue  # nano has no bias
                gain = None if centring == "none" else factor(klds(folder, codec), klds(folder, spec))
                beside = spec.replace("center=bias", "center=mean")
                over = factor(klds(folder, spec), klds(folder, beside)) if centring == "bias" and beside in cells(folder) else None
                yield title, centring, spec, folder, gain, over


def print_key_bias():
    print("| family | centred by | codec | bits | KL divergence, nats | uncentred loses | over `center=mean` | nano: bits | KL divergence, nats | uncentred loses |")
    print("|---|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for (title, centring, spec), group in itertools.groupby(key_bias_rows(), key=lambda row: row[:3]):
        row = f"| {title} | {centring} | `{spec}` "
        of = {folder: factors for _, _, _, folder, *factors in group}
        for folder in ("key-bias/nano-bias", "key-bias/nano"):
            if folder not in of:
                row += "| refused | | "
                continue
            gain, over = (f"{factor_text(three)} times" if three else "" for three in of[folder])
            row += f"| {mean([bits for _, bits in cells(folder)[spec]]):.3f} | {kld_text(folder, spec)} | {gain} "
            if folder == "key-bias/nano-bias":
                row += f"| {over} "
        print(row + "|")


def csv_key_bias():
    print("model,centred by,codec,quantity,value")
    for _, centring, spec, folder, gain, over in key_bias_rows():
        found = numbers(folder, spec)
        for name, three in (("uncentred loses", gain), ("over center=mean", over)):
            found |= {f"{name} {end}": value for end, value in zip(("times", "times, low end", "times, high end"), three or ())}
        for quantity, value in found.items():
            print(f'{folder.split("/")[1]},{centring},"{spec}","{quantity}",{value!r}')


def numbers(folder, spec):
    values = klds(folder, spec)
    return {"bits": mean([bits for _, bits in cells(folder)[spec]]), "KL divergence": mean(values), "half width": half_width(values)}


# ---- weights ----------------------------------------------------------------------------------------------------------------


def ranked(folder):
    """Codecs but the control, from the least KL divergence to the largest."""
    return sorted((codec for codec in cells(folder) if codec != "identity"), key=lambda codec: mean(klds(folder, codec)))


def order_resolved(folder, a, b):
    """Whether the interval of the factor between two codecs leaves out 1."""
    _, low, high = factor(klds(folder, a), klds(folder, b))
    return low > 1 or high < 1


def compared_orders():
    """Yields format, pairs of codecs whose order is another than with Q4_1, and of these those that both resolve."""
    base = f"weights/{FORMATS[0].lower()}"
    for name in FORMATS[1:]:
        folder = f"weights/{name.lower()}"
        swapped = [(a, b) for a, b in itertools.combinations(ranked(base), 2) if mean(klds(folder, a)) > mean(klds(folder, b))]
        yield name, swapped, [pair for pair in swapped if order_resolved(base, *pair) and order_resolved(folder, *pair)]


def print_weights():
    base = f"weights/{FORMATS[0].lower()}"
    print("| codec | bits |" + "".join(f" {name}: KL divergence | place |" for name in FORMATS) + "".join(f" {name} over {FORMATS[0]} |" for name in FORMATS[1:]))
    print("|---|--:|" + "--:|--:|" * len(FORMATS) + "--:|" * (len(FORMATS) - 1))
    for codec in ranked(base):
        row = f"| `{codec}` | {mean([bits for _, bits in cells(base)[codec]]):.3f} |"
        for name in FORMATS:
            folder = f"weights/{name.lower()}"
            row += f" {kld_text(folder, codec)} | {ranked(folder).index(codec) + 1} |"
        for name in FORMATS[1:]:
            row += f" {factor_text(factor(klds(f'weights/{name.lower()}', codec), klds(base, codec)))} |"
        print(row)
    pairs = math.comb(len(ranked(base)), 2)
    print()
    for name, swapped, resolved in compared_orders():
        print(f"{name}: {len(swapped)} of {pairs} pairs of codecs are in another order than with {FORMATS[0]}, {len(resolved)} of them by intervals that leave out 1.")


def csv_weights():
    print("weights,codec,quantity,value")
    base = f"weights/{FORMATS[0].lower()}"
    for name in FORMATS:
        folder = f"weights/{name.lower()}"
        for place, codec in enumerate(ranked(folder), 1):
            found = {**numbers(folder, codec), "place": place}
            if folder != base:
                found |= dict(zip((f"over {FORMATS[0]}", "over, low end", "over, high end"), factor(klds(folder, codec), klds(base, codec))))
            for quantity, value in found.items():
                print(f'{name},"{codec}","{quantity}",{value!r}')
    for name, swapped, resolved in compared_orders():
        print(f'{name},all,"pairs in another order",{len(swapped)}')
        print(f'{name},all,"pairs in another order, resolved",{len(resolved)}')


PAGES = {"key-bias": (print_key_bias, csv_key_bias), "weights": (print_weights, csv_weights)}


def main():
    as_csv = "--csv" in sys.argv[1:]
    names = [word for word in sys.argv[1:] if word != "--csv"]
    if len(names) != 1 or names[0] not in PAGES:
        sys.exit(f"paired: {' '.join(names) or 'nothing'}: expected one of {', '.join(PAGES)}")
    PAGES[names[0]][as_csv]()


if __name__ == "__main__":
    main()
