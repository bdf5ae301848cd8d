#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What codecs of K and V do to attention outputs, beside what they lose in a sweep: reports/attention-error, from its results.csv and the samples of held-out sweeps.

Amplification is attention rel-MSE over the mean of rel-MSE K and rel-MSE V. KL divergences are means over the passages of held-out (keys before RoPE, every token but
four sinks coded) and held-out-kivi (keys after RoPE, 128 tokens exact); what a sweep did not measure is left out. Rank correlations are Spearman's, over the settings that
both have. Pairs: of all pairs of settings, those that both put into one order.

usage: attention_error.py [--csv]
  --csv  what stands in the page's folder as compared.csv: the same in full precision, the cells that the page quotes
tests/cli/readme.py compares both with the page.
"""
import collections
import csv
import functools
import itertools
import json
import lzma
import math
import pathlib
import sys

from spec import Spec

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODELS = {"smollm2-135m": "SmolLM2", "gemma3-270m": "Gemma 3"}
SWEEPS = ("held-out", "held-out-kivi")
MEASURES = {"attention": "attention rel-MSE", "k": "rel-MSE K", "v": "rel-MSE V", "mean": "mean of K and V"}


@functools.lru_cache(maxsize=None)
def losses(sweep, model):
    """Mean KL divergence of each codec over the passages of a sweep."""
    found = collections.defaultdict(list)
    with lzma.open(ROOT / "reports" / sweep / model / "samples.jsonl.xz", "rt", encoding="utf-8") as lines:
        for cell in map(json.loads, lines):
            if cell["codec_k"] == cell["codec_v"]:
                found[cell["codec_k"]].append(cell["kld_mean"])
    return {codec: sum(of) / len(of) for codec, of in found.items()}


@functools.lru_cache(maxsize=None)
def settings(model):
    """Of each codec but identity, in the order of the report: bits, errors of K, V and attention, the half width of the last over passages."""
    names = {"measured_bits_per_value_k (written)": "bits_k", "measured_bits_per_value_v (written)": "bits_v", "rel_mse_k (1)": "k", "rel_mse_v (1)": "v",
             "attention_rel_mse (1)": "attention"}
    found = collections.defaultdict(dict)
    with open(ROOT / "reports/attention-error/results.csv", encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            if line["table"] != "attention" or line["source"] != model or line["quantity"] not in names or line["row"] == "identity":
                continue
            found[line["row"]][names[line["quantity"]]] = float(line["value"])
            if line["half_width"]:
                found[line["row"]]["half_width"] = float(line["half_width"])
    for of in found.values():
        of["bits"], of["mean"] = (of["bits_k"] + of["bits_v"]) / 2, (of["k"] + of["v"]) / 2
        of["amplification"] = of["attention"] / of["mean"]
    return dict(found)


def ranks(numbers):
    """From 1; equal ones share the mean of theirs."""
    return [sum(other < number for other in numbers) + (1 + numbers.count(number)) / 2 for number in numbers]


def spearman(left, right):
    a, b = ranks(left), ranks(right)
    middle = (len(a) + 1) / 2
    covariance = sum((x - middle) * (y - middle) for x, y in zip(a, b))
    return covariance / (sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b)) ** 0.5


def compared(model, sweep, without=()):
    """How many settings both have; of each measure the rank correlation with KL divergence, and the pairs in one order; all pairs."""
    codecs = [codec for codec in settings(model) if codec in losses(sweep, model) and Spec.parse(codec).name not in without]
    kl = [losses(sweep, model)[codec] for codec in codecs]
    pairs = list(itertools.combinations(range(len(codecs)), 2))
    found = {}
    for measure in MEASURES:
        errors = [settings(model)[codec][measure] for codec in codecs]
        found[measure] = spearman(errors, kl), sum((errors[i] < errors[j]) == (kl[i] < kl[j]) for i, j in pairs)
    return len(codecs), found, len(pairs)


def comparisons():
    """(what it is called, what compared() says of it)."""
    for model, name in MODELS.items():
        for sweep in SWEEPS:
            yield f"{name}, {sweep}", compared(model, sweep)
            yield f"{name}, {sweep}, without `ece8`", compared(model, sweep, ("ece8",))


def thousandths(number, digits=3):
    """In units of 0.001, to so many digits."""
    return f"{1e3 * number:.{max(0, digits - 1 - math.floor(math.log10(1e3 * number)))}f}"


def print_table():
    print("| model, codec | bits | K | V | attention | / K | / V | amplification | KL, held-out | KL, held-out-kivi |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for model, name in MODELS.items():
        for codec, of in settings(model).items():
            kl = [thousandths(losses(sweep, model)[codec]) if codec in losses(sweep, model) else "" for sweep in SWEEPS]
            print(f"| {name}, `{codec}` | {of['bits']:.2f} | {thousandths(of['k'])} | {thousandths(of['v'])} | {thousandths(of['attention'])} ± {thousandths(of['half_width'], 2)} "
                  f"| {of['attention'] / of['k']:.2f} | {of['attention'] / of['v']:.2f} | {of['amplification']:.2f} | {kl[0]} | {kl[1]} |")
    print()
    print("| KL divergence of | settings | attention | K | V | mean of K and V | pairs | attention | K | V | mean of K and V |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for called, (count, found, pairs) in comparisons():
        correlations, agreed = zip(*found.values())
        print(f"| {called} | {count} | {' | '.join(f'{each:.3f}' for each in correlations)} | {pairs} | {' | '.join(map(str, agreed))} |")


def print_csv():
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("model", "row", "quantity", "value"))
    for model, name in MODELS.items():
        for codec, of in settings(model).items():
            writer.writerows((name, codec, quantity, repr(number)) for quantity, number in (
                ("bits K", of["bits_k"]), ("bits V", of["bits_v"]), ("bits", of["bits"]), ("rel-MSE, mean of K and V", of["mean"]), ("rel-MSE K", of["k"]), ("rel-MSE V", of["v"]), ("attention rel-MSE", of["attention"]),
                ("attention rel-MSE, half width", of["half_width"]), ("attention / K", of["attention"] / of["k"]), ("attention / V", of["attention"] / of["v"]),
                ("amplification", of["amplification"])))
            for sweep in SWEEPS:
                if codec in losses(sweep, model):
                    kl = losses(sweep, model)[codec]
                    writer.writerows((name, codec, quantity, repr(number)) for quantity, number in ((f"KL divergence, {sweep}", kl), (f"KL divergence / attention, {sweep}", kl / of["attention"])))
    for called, (count, found, pairs) in comparisons():
        writer.writerows(("", called, quantity, value) for quantity, value in (("settings", count), ("pairs", pairs)))
        for measure, (rank, agreed) in found.items():
            writer.writerow(("", called, f"rank correlation with {MEASURES[measure]}", repr(rank)))
            writer.writerow(("", called, f"pairs in one order with {MEASURES[measure]}", agreed))


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--csv"]):
        sys.exit(f"attention_error.py: {' '.join(sys.argv[1:])}: expected nothing, or --csv")
    print_csv() if sys.argv[1:] else print_table()
