#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of reports/key-bias, reports/weights, reports/decode-mode and reports/batch-invariant, from the committed samples, with nothing but Python's library.

A KL divergence is the mean over passages, with the half width of its 95 % Student t interval. A factor is one mean over another; its
interval is 95 % of 2000 draws of the passages, the same draws for both, which pairs them (seed 1). In decode-mode a factor is the geometric
mean over passages of decode over in-forward, with the 95 % Student t interval of its logarithm.

usage: paired.py key-bias|weights|decode-mode|batch-invariant [--csv]     --csv: the same in full precision, what stands in the page's folder as paired.csv
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
from typing import NamedTuple

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
    return text_of(klds(folder, codec))


def text_of(values):
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


# ---- decode-mode ------------------------------------------------------------------------------------------------------------

OPEN = (("nothing open", 0, 0), ("1 to 3", 1, 3), ("4 to 15", 4, 15), ("16 to 31", 16, 31), ("32 to 63", 32, 63))
ALL = ("all scored tokens", 0, math.inf)
LONG_PAGE = 128  # tokens: pages that no scored token fills


class Decoded(NamedTuple):
    """A codec in both modes: tokens of a page, which are a part's own; of each scored token how many its query sees that are in the open page,
    itself among them; KL divergences [passage][scored token]."""
    page: int
    open: list
    steps: list
    at_once: list

    def over(self, _, least, most):
        """Of each passage the mean KL divergence of decode over that of in-forward, of scored tokens with so many open ones; [] where none has."""
        of = [i for i, count in enumerate(self.open) if least <= count <= most]
        return [mean([steps[i] for i in of]) / mean([at_once[i] for i in of]) for steps, at_once in zip(self.steps, self.at_once)] if of else []


def decoded(folder="decode-mode"):
    """Codecs but the control, in the order of the samples, whose keys and values have pages alike."""
    plan = json.loads((ROOT / "reports" / folder / "provenance.json").read_text(encoding="utf-8"))["plan"]
    of_token = 2 * plan["layers"] * plan["kv_heads"] * plan["head_dim"]
    found, pages = collections.defaultdict(dict), {}
    with lzma.open(ROOT / "reports" / folder / "samples.jsonl.xz", "rt", encoding="utf-8") as lines:
        for cell in map(json.loads, lines):
            codec = Spec.parse(cell["codec_k"]).without("profile").text
            found[codec][cell["mode"], cell["passage"]] = cell["kld_tokens"]
            if cell["mode"] == "decode":
                pages[codec] = cell["open_page"]["page_values"] // of_token
    for codec, page in pages.items():
        passages = sorted({passage for _, passage in found[codec]})
        steps, at_once = ([found[codec][mode, passage] for passage in passages] for mode in ("decode", "inforward"))
        if codec != "identity":
            yield codec, Decoded(page, [(plan["context"] - plan["sinks"] + i) % page for i in range(plan["scored"])], steps, at_once)


def geometric(factors):
    """Of factors by passage: the geometric mean, and the ends of its interval."""
    logs = [math.log(factor) for factor in factors]
    return tuple(math.exp(mean(logs) + sign * half_width(logs)) for sign in (0, -1, 1))


def decode_rows():
    """Yields codec, tokens of its page and its factors by open tokens (None: no such token); at last of all codecs with long pages, each passage's geometric mean over them."""
    long_pages = []
    for codec, of in decoded():
        by_open = [of.over(*group) for group in (ALL, *OPEN)]
        if of.page >= LONG_PAGE:
            long_pages.append(by_open)
        yield codec, of, [geometric(factors) if factors else None for factors in by_open]
    yield "all with pages of 128 and more", None, [geometric([math.exp(mean(list(map(math.log, factors)))) for factors in zip(*group)]) for group in zip(*long_pages)]


def print_decode_mode():
    print(f"| codec | page | in-forward, nats | decode, nats | {ALL[0]} |" + "".join(f" {name} |" for name, *_ in OPEN))
    print("|---|--:|--:|--:|--:|" + "--:|" * len(OPEN))
    for codec, of, factors in decode_rows():
        row = f"| `{codec}` | {of.page:,} | " + " | ".join(text_of([mean(tokens) for tokens in klds_of]) for klds_of in (of.at_once, of.steps)) if of else f"| {codec} | | | "
        print(f"{row} | " + " | ".join(factor_text(three) if three else "" for three in factors) + " |")


def csv_decode_mode():
    print("codec,open tokens,quantity,value")
    for codec, of, factors in decode_rows():
        for mode, klds_of in (("in-forward", of.at_once), ("decode", of.steps)) if of else ():
            values = [mean(tokens) for tokens in klds_of]
            print(f'"{codec}",all,"KL divergence, {mode}",{mean(values)!r}\n"{codec}",all,"half width, {mode}",{half_width(values)!r}')
        for (name, *_), three in zip((ALL, *OPEN), factors):
            for quantity, value in zip(("decode over in-forward", "decode over in-forward, low end", "decode over in-forward, high end"), three or ()):
                print(f'"{codec}","{name}","{quantity}",{value!r}')


# ---- batch-invariant --------------------------------------------------------------------------------------------------------


def equal_tokens():
    """Yields codec, its passages, and of how many of these the first scored token, and the second, has the same NLL and KL divergence in both modes."""
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    with lzma.open(ROOT / "reports/batch-invariant/samples.jsonl.xz", "rt", encoding="utf-8") as lines:
        for cell in map(json.loads, lines):
            found[Spec.parse(cell["codec_k"]).without("profile").text][cell["passage"]][cell["mode"]] = list(zip(cell["nll_tokens"], cell["kld_tokens"]))
    for codec, passages in found.items():
        if codec != "identity":
            yield codec, len(passages), *(sum(both["decode"][token] == both["inforward"][token] for both in passages.values()) for token in (0, 1))


def print_batch_invariant():
    print("| codec | passages | equal at the first scored token | at the second |")
    print("|---|--:|--:|--:|")
    for codec, *counts in equal_tokens():
        print(f"| `{codec}` | " + " | ".join(map(str, counts)) + " |")


def csv_batch_invariant():
    print("codec,quantity,value")
    for codec, *counts in equal_tokens():
        for quantity, value in zip(("passages", "equal at the first scored token", "equal at the second"), counts):
            print(f'"{codec}","{quantity}",{value}')


PAGES = {"key-bias": (print_key_bias, csv_key_bias), "weights": (print_weights, csv_weights), "decode-mode": (print_decode_mode, csv_decode_mode),
         "batch-invariant": (print_batch_invariant, csv_batch_invariant)}


def main():
    as_csv = "--csv" in sys.argv[1:]
    names = [word for word in sys.argv[1:] if word != "--csv"]
    if len(names) != 1 or names[0] not in PAGES:
        sys.exit(f"paired: {' '.join(names) or 'nothing'}: expected one of {', '.join(PAGES)}")
    PAGES[names[0]][as_csv]()


if __name__ == "__main__":
    main()
