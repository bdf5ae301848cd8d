#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it is worth to send a cache's own directions before its pages (klt with send=R), from sweeps over captured keys and values.

  kakeya-capture ... --out cache.h5; scripts/join_passages.py cache.h5 long.h5 --together 4
  kakeya-sweep --dump long.h5 --layers 12-17 --sinks 4 --profile P --codec ... --out ROOT/MODEL.TOKENS.LAYERS
  scripts/adaptive_sent.py ROOT

Bits are 8 x bytes / values, of all passages of a folder together; `sent` is what of them stands before the pages. Every codec of a row and the one it is compared with have the same steps. What
differs in squared error is counted too: to the ratio of bits, keys and values alike, half the binary logarithm of the ratio of errors is added to the bits.

usage: adaptive_sent.py [ROOT] [--csv]
  ROOT   folders MODEL.TOKENS.LAYERS of samples [reports/adaptive-sent]
  --csv  the same in full precision, a line a number
"""
import argparse
import json
import lzma
import math
import pathlib
from typing import NamedTuple

import headline
from spec import Spec


class Row(NamedTuple):
    bits: float
    sent: float
    errors: tuple  # relative, of keys and of values

    def at_errors_of(self, other):
        return self.bits + sum(math.log2(mine / its) for mine, its in zip(self.errors, other.errors)) / 4


def samples(folder):
    path = folder / "samples.jsonl.xz"
    text = lzma.open(path, "rt").read() if path.exists() else (folder / "samples.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def rows(folder):
    """Codec: what it took, of all passages."""
    cells = {}
    for sample in samples(folder):
        if sample["codec_k"] != "identity":
            cells.setdefault(sample["codec_k"], []).append(sample)
    made = {}
    for codec, each in cells.items():
        values = sum(sample["values"] for sample in each)
        total = lambda name: sum(sample[name] * sample["values"] for sample in each) / values
        sent = sum(sample["ledger_k"]["table_bits"] + sample["ledger_v"]["table_bits"] for sample in each)
        made[codec] = Row(8 * sum(sample["bytes_written"] for sample in each) / values, sent / values, (total("rel_mse_k"), total("rel_mse_v")))
    return made
