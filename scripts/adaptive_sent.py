#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it is worth that a frame says along which directions its cache has more than was known (klt with send=R), and that layers learn together (group=K), by what the codec wrote of captured
keys and values.

  kakeya-capture --model smollm2-135m --text wiki.test.raw --cut tokens --layers 12-17,24-29 --passages 60 --storage fp16 --out cache.h5
  scripts/join_passages.py cache.h5 long.h5 --together 16 --passages 1
  kakeya-sweep --dump long.h5 --layers 12-17 --sinks 4 --profile novel.kkp --codec ... --out ROOT/smollm2-135m.32768.12-17
  scripts/adaptive_sent.py ROOT

A column is a length. Bits are 8 x bytes / values, what is sent among them, the mean of the folders of that length. Codecs of one kind have the same steps, but not quite the same squared errors: half the binary
logarithm of the ratio of errors, of keys and of values on the mean, is added to the bits of each folder, so that all stand at the errors of what only learns. In brackets what part they are of its bits.

Of one user's long caches there is an estimate: the rate that layer by layer learning takes at published E8's KL divergence in reports/adaptive, times the part that a codec of this table takes of it, and the profile.

usage: adaptive_sent.py [ROOT] [--csv]
  ROOT   folders MODEL.TOKENS.LAYERS of samples, all passages of a folder together [reports/adaptive-sent]
  --csv  the same in full precision, folder by folder too, with errors and what is sent
"""
import argparse
import json
import lzma
import math
import pathlib
from typing import NamedTuple

from adaptive_tables import LENGTHS, counted
from spec import Spec

ROOT = pathlib.Path(__file__).resolve().parent.parent / "reports" / "adaptive-sent"
ADAPTIVE = ROOT.with_name("adaptive")
# Of one user's cache: a codec of this table, the tokens that it was coded with, and those that it is taken for; what only learns is called so in reports/adaptive.
ESTIMATED = (("adapt=500, prior=heads, group=3, send=32", 32768, LENGTHS[1]), ("adapt=500, prior=heads, group=6, send=128", 122880, LENGTHS[2]))
LEARNS = "smollm2-135m", "heads, mix, adapt=500"


class Row(NamedTuple):
    bits: float
    sent: float
    errors: tuple  # relative, of keys and of values

    def at_errors_of(self, other):
        return self.bits + sum(math.log2(mine / its) for mine, its in zip(self.errors, other.errors)) / 4


def samples(folder):
    packed = folder / "samples.jsonl.xz"
    text = lzma.open(packed, "rt", encoding="utf-8").read() if packed.exists() else (folder / "samples.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def row_of(cells):
    values = sum(cell["values"] for cell in cells)
    mean = lambda name: sum(cell[name] * cell["values"] for cell in cells) / values
    sent = sum(cell[ledger]["table_bits"] for cell in cells for ledger in ("ledger_k", "ledger_v"))
    return Row(8 * sum(cell["bytes_written"] for cell in cells) / values, sent / values, (mean("rel_mse_k"), mean("rel_mse_v")))


def rows_of(folder):
    cells = {}
    for cell in samples(folder):
        if cell["codec_k"] != "identity":
            cells.setdefault(Spec.parse(cell["codec_k"]).text, []).append(cell)
    return {codec: row_of(some) for codec, some in cells.items()}


def title(codec):
    keys = Spec.parse(codec).without("bits", "scope", "predict").keys
    keys = {key: value for key, value in keys.items() if key != "profile" or value == "none"}
    return ", ".join(f"{key}={value}" for key, value in keys.items()) or "static"


def only_learns(codec, rows):
    """What has the same steps, sends nothing, and learns layer by layer, from a prior that counts alike where this codec learns too."""
    kept = lambda text: Spec.parse(text).without("send", "group", "adapt").text
    adapt = Spec.parse(codec).keys.get("adapt")
    for other, row in rows.items():
        keys = Spec.parse(other).keys
        if kept(other) == kept(codec) and not {"send", "group"} & set(keys) and ("adapt" in keys or keys["profile"] == "none") and adapt in (None, keys.get("adapt")):
            return row
    raise ValueError(f"{codec}: nothing beside it that only learns")


def collect(root):
    """(title, tokens): {layers: (row, what only learns)}."""
    made = {}
    places = [(int(tokens), layers, path) for path in root.iterdir() if path.is_dir() for _, tokens, layers in [path.name.rsplit(".", 2)]]
    for tokens, layers, folder in sorted(places):
        rows = rows_of(folder)
        for codec, row in rows.items():
            made.setdefault((title(codec), tokens), {})[layers] = (row, only_learns(codec, rows))
    return made


def means(of_layers):
    """Bits at the errors of what only learns, and of its bits."""
    pairs = [(row.at_errors_of(learnt), learnt.bits) for row, learnt in of_layers.values()]
    bits, learnt = (sum(numbers) / len(pairs) for numbers in zip(*pairs))
    return bits, bits / learnt


def estimates(made, root=ADAPTIVE):
    """(title, tokens): bits of one user's cache with its profile, where the codec was coded."""
    known = {(model, name): found for model, name, *_, found in counted(root)}
    for name, coded, tokens in ESTIMATED:
        if (name, coded) in made:
            bits, with_profile = known[LEARNS][tokens]
            yield name, tokens, bits * means(made[name, coded])[1] + with_profile - bits


def print_table(made):
    lengths = sorted({tokens for _, tokens in made})
    print("| " + " | ".join(["tokens", *(f"{tokens:,}" for tokens in lengths)]) + " |\n|---" + "|--:" * len(lengths) + "|")
    for name in dict.fromkeys(name for name, _ in made):
        cells = [f"{bits:.3f} ({part:.3f})" for bits, part in (means(made[name, tokens]) for tokens in lengths if (name, tokens) in made)]
        places = iter(cells)
        print("| " + " | ".join([name, *(next(places) if (name, tokens) in made else "" for tokens in lengths)]) + " |")


def print_csv(made):
    print("codec,cache,layers,quantity,value")
    for (name, tokens), of_layers in made.items():
        bits, part = means(of_layers)
        for quantity, value in (("bits at equal errors", bits), ("of what only learns", part)):
            print(f'"{name}","{tokens} tokens","all layers","{quantity}",{value!r}')
        for layers, (row, learnt) in of_layers.items():
            for quantity, value in (("bits", row.bits), ("of them sent", row.sent), ("relative squared error of keys", row.errors[0]), ("of values", row.errors[1]),
                                    ("bits at equal errors", row.at_errors_of(learnt)), ("of what only learns", row.at_errors_of(learnt) / learnt.bits)):
                print(f'"{name}","{tokens} tokens","layers {layers}","{quantity}",{value!r}')
    for name, tokens, bits in estimates(made):
        print(f'"{name}","{tokens} tokens","one user, by estimate","bits with its profile",{bits!r}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=ROOT, help="folders of samples [reports/adaptive-sent]")
    parser.add_argument("--csv", action="store_true", help="in full precision, a line a number")
    given = parser.parse_args()
    made = collect(given.root)
    print_csv(made) if given.csv else print_table(made)


if __name__ == "__main__":
    main()
