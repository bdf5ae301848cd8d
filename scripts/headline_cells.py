# SPDX-License-Identifier: Apache-2.0
"""From committed samples: a codec's KL divergence and bits, those that klt needs at it, and paired draws of the passages; for headline.py, which says how."""
import collections
import functools
import itertools
import json
import lzma
import math
import operator
import pathlib
import random

from headline_pages import CONTEXTS, pair_name

ROOT = pathlib.Path(__file__).resolve().parents[1]
DRAWS = 2000


def whole(cell, finished=False):
    """Bytes of the cache; while it grows, the open page as bf16, where a sample records one."""
    page = None if finished else cell.get("open_page")
    return cell["cache_bytes"] + (2 * page["values"] - page["bytes"] if page else 0)


def grown(cell, plan, tokens):
    """Bytes and values of a cache that has grown to so many tokens, half a page open on average: sealed pages at the rate measured here; sinks, residual
    window, open page and skipped layers as bf16. Layers that attend to a window keep that many tokens, and no sinks."""
    layers, windows = range(plan["layers"]), plan.get("windows", {"tokens": 0, "layers": []})
    of_layer = cell["cache_values"] / (plan["context"] + plan["scored"]) / plan["layers"]  # values a token
    page = cell.get("open_page") or {"values": 0, "bytes": 0, "page_values": 0}
    exact = sum(cell[side]["exact_token_bits"] for side in ("ledger_k", "ledger_v")) / 16
    sealed = (cell["bytes_written"] - 2 * exact - page["bytes"]) / (cell["values"] - exact - page["values"])
    values = plain = 0
    for layer in layers:
        slides = layer in windows["layers"] and windows["tokens"] < tokens
        kept = windows["tokens"] if slides else tokens
        skipped = not plan["boundary"] <= layer < plan["layers"] - plan["boundary"]
        values += kept * of_layer
        plain += of_layer * (kept if skipped else plan.get("recent", 0) + (0 if slides else plan["sinks"]))
    plain += page["page_values"] / 2
    return 2 * plain + sealed * (values - plain), values


@functools.lru_cache(maxsize=None)
def by_passage(folder, finished=False):
    """Of each codec and passage: KL divergence, then bytes and values: of the coded layers, of the cache, of the cache grown to 8k tokens."""
    found = collections.defaultdict(dict)
    plan = json.loads((ROOT / "reports" / folder / "provenance.json").read_text(encoding="utf-8"))["plan"]
    with lzma.open(ROOT / "reports" / folder / "samples.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            cell = json.loads(line)
            codec = pair_name(cell["codec_k"], cell["codec_v"])
            found[codec][cell["passage"]] = (*(cell[key] for key in ("kld_mean", "bytes_written", "values")), whole(cell, finished), cell["cache_values"], *grown(cell, plan, CONTEXTS["8k"]))
    return dict(found)


@functools.lru_cache(maxsize=None)
def cells(folder, finished=False):
    """The same of each codec, passage after passage."""
    return {codec: [of[passage] for passage in sorted(of)] for codec, of in by_passage(folder, finished).items()}


def point(cells_of_codec, draw):
    """Mean KL divergence, bits a value of the coded layers, of the cache and of the cache grown to 8k tokens, over the drawn passages."""
    kl, *sums = (sum(map(column.__getitem__, draw)) for column in zip(*cells_of_codec))
    return kl / len(draw), *(8 * size / values for size, values in zip(sums[::2], sums[1::2]))


def read_off(curve, kl):
    """Bits (coded layers, cache, cache of 8k) at a KL divergence; beyond the measured ones -inf or inf, for fewer or more bits than measured."""
    curve = sorted(curve, key=operator.itemgetter(1))
    if kl > curve[0][0]:
        return (-math.inf,) * 3
    for below, above in itertools.pairwise(curve):
        if below[0] >= kl >= above[0]:
            share = math.log(below[0] / kl) / math.log(below[0] / above[0]) if below[0] > above[0] else 0
            return tuple(a + share * (b - a) for a, b in zip(below[1:], above[1:]))
    return (math.inf,) * 3


@functools.lru_cache(maxsize=None)
def draws(count):
    rng = random.Random(1)
    return [rng.choices(range(count), k=count) for _ in range(DRAWS)]


@functools.lru_cache(maxsize=None)
def drawn(folder, finished, codec, passages=None):
    """A codec's point in every draw of these passages, or of all it has: the same draws for all codecs, which pairs them."""
    of_codec = [by_passage(folder, finished)[codec][passage] for passage in passages] if passages else cells(folder, finished)[codec]
    takers = [operator.itemgetter(*draw) for draw in draws(len(of_codec))]  # as point(), a column at a time
    kl, *sums = ([sum(take(column)) for take in takers] for column in zip(*of_codec))
    bits = ([8 * size / values for size, values in zip(sizes, of)] for sizes, of in zip(sums[::2], sums[1::2]))
    return list(zip([total / len(of_codec) for total in kl], *bits))


def ratios(points, reference):
    """Of one draw: klt's bits, read off between its points, to the reference's."""
    kl, *bits = reference
    return tuple(ours / theirs for ours, theirs in zip(read_off(points, kl), bits))


def ends(values):
    """95 % of the draws."""
    values = sorted(values)
    return tuple(values[round(q * (len(values) - 1))] for q in (0.025, 0.975))


@functools.lru_cache(maxsize=None)
def compared(folder, curve, reference, finished=False, bound=False):
    """Of a reference, (folder of samples, codec), held against codecs of a folder, over the passages that all of them have: its KL divergence, then of coded layers, of the cache and of
    the cache grown to 8k tokens: its bits, klt's, their ratio, ends of its interval; None where its KL divergence lies beyond the curve. With BOUND, where
    klt's cheapest setting loses less already: that setting's bits and their ratio, which klt's is at most."""
    codecs, (theirs_folder, theirs_codec) = by_passage(folder, finished), reference
    all_of = [by_passage(theirs_folder, finished)[theirs_codec], *(codecs[c] for c in curve)]
    passages = tuple(sorted(set.intersection(*map(set, all_of))))
    (kl, *theirs), *points = (point([of[passage] for passage in passages], range(len(passages))) for of in all_of)
    ours = read_off(points, kl)
    if bound and -math.inf in ours:
        ours = max(points)[1:]
        return kl, *((his, mine, mine / his, (-math.inf, mine / his)) for his, mine in zip(theirs, ours))
    if math.inf in ours or -math.inf in ours:
        return None
    found = list(map(ratios, zip(*(drawn(folder, finished, c, passages) for c in curve)), drawn(theirs_folder, finished, theirs_codec, passages)))
    return kl, *((theirs[i], ours[i], ours[i] / theirs[i], ends(d[i] for d in found)) for i in range(3))
