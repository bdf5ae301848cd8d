#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a transform of this cache, sent with it, saves more bits than one learnt from decoded tokens (klt with adapt=N), by a model of klt's
coder over captured keys and values: an estimate that was made before klt could send anything (send=R; scripts/adaptive_sent.py has what that does).

  kakeya-capture --model smollm2-135m --text moby-dick.txt --layers 7-8,14-15,27-28 --passages 5 --storage fp16 --out novel.h5     the prior
  kakeya-capture --model smollm2-135m --text wiki.test.raw --cut tokens --layers 7-8,14-15,27-28 --passages 8 --storage fp16 --out cache.h5
  scripts/forward_adaptation.py novel.h5 cache.h5 --layers 8 15 28 --tokens 8000 16000 --ranks 8 32 128

A cache is the first passages of the second dump, one after another. Of each layer, keys before RoPE and values are one vector of n coordinates u,
keys and values scaled to the same variance, predicted from w, those of the layer before as decoded. A transform follows from means and second moments of
(w, u): predictor P, eigenvectors R of the residual, deviations in quarter octaves. Bits are those of an ideal code of Student's t (5 degrees of
freedom) for uniformly quantised residuals, plus what is sent; errors differ little, and half their logarithm is added. Moments:

  static       of the prior
  backward     of the prior, counted as --prior tokens, and the tokens before: made anew after 256, 512, 1024, ...
  whole, free  of the prior and the whole cache, sent at no cost: no transform sent once can be worth more than this but by chance
  whole        the same, P and R sent in --bits bits a scalar: the best of them
  low rank     of the prior, changed along the r directions of (w, u) in which the cache differs the most, sent in 8 bits; the best of --ranks
  + backward   the same as what learning starts from, in place of the prior: forward and backward

Needs numpy and h5py.
"""
import argparse
import pathlib
import sys
from typing import NamedTuple

import h5py
import numpy as np

FIRST = 256  # tokens before the first update
BITS = 8  # of a scalar of a direction that is sent


class Moments(NamedTuple):
    """Of (w, u): 2n means, and second moments about them; what they count as."""
    mean: np.ndarray
    square: np.ndarray
    tokens: float

    def with_tokens(self, x):
        """The posterior after tokens x; of means the prior counts as 64 tokens at most."""
        if len(x) == 0:
            return self
        before, seen = min(self.tokens, 64), len(x)
        off = x - self.mean
        shift = off.sum(0) / (before + seen)
        square = self.tokens * self.square + off.T @ off - np.outer(shift, shift) * (before + seen)
        return Moments(self.mean + shift, square / (self.tokens + seen), self.tokens + seen)


class Coding(NamedTuple):
    mean: np.ndarray
    predictor: np.ndarray
    rotation: np.ndarray
    deviations: np.ndarray


def coding_of(moments, n, bits=None):
    """Of what is sent in so many bits, as it is received."""
    square = moments.square
    ridge = 1e-6 * np.trace(square[:n, :n]) / n * np.eye(n)
    predictor = np.linalg.solve(square[:n, :n] + ridge, square[:n, n:])
    if bits:
        predictor = to_bits(predictor, bits)
    residual = square[n:, n:] - square[n:, :n] @ predictor - predictor.T @ square[:n, n:] + predictor.T @ square[:n, :n] @ predictor
    values, rotation = np.linalg.eigh((residual + residual.T) / 2)
    if bits:
        rotation = np.linalg.qr(to_bits(rotation, bits))[0]
        values = np.einsum("ij,ik,kj->j", rotation, residual, rotation)
    deviations = 2 ** (np.round(2 * np.log2(np.maximum(values, 2**-16))) / 4)
    return Coding(moments.mean, predictor, rotation, deviations)


def to_bits(matrix, bits=BITS):
    """Whole numbers of so many bits, with a scale a column."""
    scale = np.abs(matrix).max(0) / (2 ** (bits - 1) - 1) + 1e-30
    return np.round(matrix / scale) * scale


def below(x):
    """The distribution of Student's t with 5 degrees of freedom and variance 1."""
    t = x * np.sqrt(5 / 3)
    part = 1 + t * t / 5
    return 0.5 + (t / (np.sqrt(5) * part) * (1 + 2 / (3 * part)) + np.arctan(t / np.sqrt(5))) / np.pi


class Cost(NamedTuple):
    bits: float
    error: float

    def __add__(self, other):
        return Cost(self.bits + other.bits, self.error + other.error)


def cost(coding, x, n, step):
    """Bits and squared error of tokens x."""
    off = x - coding.mean
    v = (off[:, n:] - off[:, :n] @ coding.predictor) @ coding.rotation
    points = np.round(v / step)
    magnitude = np.abs(points) * step  # tails are exact on the lower side
    share = below((step / 2 - magnitude) / coding.deviations) - below((-step / 2 - magnitude) / coding.deviations)
    return Cost(-np.log2(np.maximum(share, 2**-40)).sum(), ((v - points * step) ** 2).sum())


def learning(start, x, n, step):
    total, first, end = Cost(0, 0), 0, FIRST
    while first < len(x):
        total += cost(coding_of(start.with_tokens(x[:first]), n), x[first:end], n, step)
        first, end = end, 2 * end
    return total


def low_rank(prior, cache, ranks):
    """The prior changed along the directions in which the cache differs from it the most: a model of second moments a rank."""
    root = np.linalg.cholesky(prior.square + 1e-9 * np.trace(prior.square) / len(prior.square) * np.eye(len(prior.square)))
    white = np.linalg.solve(root, np.linalg.solve(root, cache.square).T)
    values, vectors = np.linalg.eigh((white + white.T) / 2)
    order = np.argsort(-(values - 1 - np.log(np.maximum(values, 1e-9))))
    for rank in ranks:
        chosen = order[:rank]
        directions = to_bits(root @ vectors[:, chosen])
        yield rank, Moments(cache.mean, prior.square + (directions * (values[chosen] - 1)) @ directions.T, prior.tokens)


def load(path, layer, tokens):
    """(w, u) of the first tokens of a dump, u unscaled; w is the layer before, not yet decoded."""
    with h5py.File(path, "r") as dump:
        rows = []
        for number in range(int(dump.attrs["passages"])):
            group = dump[f"passages/{number}/layers"]
            rows.append(np.concatenate([group[f"{place}/{part}"][4:].reshape(len(group[f"{place}/{part}"]) - 4, -1)
                                        for place in (layer - 1, layer) for part in "kv"], axis=1).astype(np.float64))
            if sum(map(len, rows)) >= tokens:
                break
    x = np.concatenate(rows)[:tokens]
    if len(x) < tokens != sys.maxsize:
        sys.exit(f"forward_adaptation: {path}: {len(x)} tokens, sinks aside: expected {tokens} or more")
    return x


def study(prior_dump, cache_dump, layer, lengths, given):
    known, x = load(prior_dump, layer, sys.maxsize), load(cache_dump, layer, max(lengths))
    n = known.shape[1] // 2
    sizes = np.sqrt(known.var(0).reshape(4, n // 2).mean(1)).repeat(n // 2)
    known, x = known / sizes, x / sizes
    for rows in (known, x):  # w as decoded
        _, basis = np.linalg.eigh(np.cov(known[:, :n].T))
        middle = known[:, :n].mean(0) if rows is x else rows[:, :n].mean(0)
        rows[:, :n] = np.round((rows[:, :n] - middle) @ basis / given.step) * given.step @ basis.T + middle
    prior = Moments(known.mean(0), np.cov(known.T), given.prior)
    for tokens in lengths:
        here, values = x[:tokens], tokens * n
        whole, means = prior.with_tokens(here), 16 * 2 * n
        results = {"static": (cost(coding_of(prior, n), here, n, given.step), 0),
                   "backward": (learning(prior, here, n, given.step), 0),
                   "whole, free": (cost(coding_of(whole, n), here, n, given.step), 0)}
        for bits in given.bits:
            results[f"whole, {bits} bits"] = (cost(coding_of(whole, n, bits), here, n, given.step), 2 * bits * n * n + 4 * 16 * n + means)
        for rank, model in low_rank(prior, whole, given.ranks):
            sent = BITS * 2 * n * rank + 2 * 16 * rank + means
            results[f"low rank {rank}"] = (cost(coding_of(model, n), here, n, given.step), sent)
            results[f"low rank {rank} + backward"] = (learning(model, here, n, given.step), sent)
        base = results["backward"][0].error
        rates = {name: ((at.bits + sent) / values + 0.5 * np.log2(at.error / base), sent / values) for name, (at, sent) in results.items()}
        rows = [name for name in rates if not name.startswith(("low rank", "whole, "))] + ["whole, free"]
        rows.append(min((f"whole, {bits} bits" for bits in given.bits), key=lambda name: rates[name][0]))
        for end in ("", " + backward") if given.ranks else ():
            rows.append(min((f"low rank {rank}{end}" for rank in given.ranks), key=lambda name: rates[name][0]))
        for name in rows:
            bits, sent = rates[name]
            print(f"| {layer} | {tokens} | {name} | {bits:.3f} | {sent:.3f} | {bits - rates['backward'][0]:+.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prior", type=pathlib.Path, help="a dump of other text")
    parser.add_argument("cache", type=pathlib.Path, help="a dump whose passages make the cache")
    parser.add_argument("--layers", type=int, nargs="+", required=True, help="each after one that is in the dumps too")
    parser.add_argument("--tokens", type=int, nargs="+", default=[8192], help="of the cache, lengths to tell of [8192]")
    parser.add_argument("--step", type=float, default=0.45, help="of the quantiser, in deviations of a mean coordinate [0.45]")
    parser.add_argument("--prior-tokens", dest="prior_tokens", type=float, default=1000, help="that the prior counts as [1000]")
    parser.add_argument("--bits", type=int, nargs="+", default=[4, 5, 6, 8], help="of a scalar of the whole transform [4 5 6 8]")
    parser.add_argument("--ranks", type=int, nargs="*", default=[4, 8, 16, 32, 64, 128], help="of changes that are sent [4 8 16 32 64 128]")
    given = parser.parse_args()
    given.prior_dump, given.prior = given.prior, given.prior_tokens
    print("| layer | tokens | transform | bits a value, all counted | of them sent | more than backward |\n|--:|--:|---|--:|--:|--:|")
    for layer in given.layers:
        study(given.prior_dump, given.cache, layer, sorted(given.tokens), given)


if __name__ == "__main__":
    main()
