# SPDX-License-Identifier: Apache-2.0
"""Drawn vectors, and what codecs make of them: bits and rel-MSE."""

from __future__ import annotations

import dataclasses
import typing

import numpy

import kakeya


@dataclasses.dataclass
class Figure:
    """Bits a value and rel-MSE of a codec on `source` vectors of `dim`."""

    codec: str
    source: str
    dim: int
    bits: float
    rel_mse: float


def normal(count: int, dim: int, seed: int = 1) -> numpy.ndarray:
    return numpy.random.default_rng(seed).standard_normal((count, dim)).astype("float32")


def heavy(count: int, dim: int, seed: int = 2) -> numpy.ndarray:
    """Student-t, 3 degrees of freedom, every sixteenth channel eight times as large: as keys are."""
    x = numpy.random.default_rng(seed).standard_t(3, (count, dim))
    x[:, ::16] *= 8
    return x.astype("float32")


def rel_mse(x: numpy.ndarray, y: numpy.ndarray) -> float:
    x, y = x.astype("float64"), y.astype("float64")
    return float(((x - y) ** 2).sum() / (x**2).sum())


def figures_beside(codec: kakeya.Codec) -> typing.List[Figure]:
    """Of the codec, of int4, and of that setting of e8 whose bits are nearest."""
    figures = []
    for source, x in (("Gaussian", normal(4096, codec.dim)), ("heavy-tailed", heavy(4096, codec.dim))):

        def measured(one: kakeya.Codec) -> Figure:
            frame = one.encode(x)
            return Figure(one.spec, source, one.dim, 8 * len(frame) / x.size, rel_mse(x, one.decode(frame)))

        mine = measured(codec)
        figures.append(mine)
        others = []
        for spec in ["int4", *(f"e8:q={q}" for q in (1, 2, 3, 5, 7, 10, 14, 22, 38, 76, 152, 300))]:
            try:
                others.append(measured(kakeya.codec(spec, dim=codec.dim)))
            except kakeya.InputError:
                continue  # not of this dim
        figures += [each for each in others if each.codec == "int4"]
        lattice = [each for each in others if each.codec != "int4"]
        if lattice:
            figures.append(min(lattice, key=lambda each: abs(each.bits - mine.bits)))
    return figures
