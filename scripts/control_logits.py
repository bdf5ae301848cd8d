#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a greedy text over `identity`, which holds the numbers of bf16, parts from the text over bf16, as it did while sums depended on where pages end: the logits of each step over both, by kakeya-generate
--save-logits. Makes reports/generation/control.csv.

usage: control_logits.py BIN --model M --texts FILE... [--prompt N] [--steps N] [--out control.csv]
         --prompt   which of agreement.py's prompts [11: that of reports/generation that parts]
         --steps    tokens that are generated: those before the texts part, and one [27]
"""
import argparse
import array
import ast
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

import agreement

def logits_of(path):
    """A .npy file of float32 [rows, columns], as kakeya-generate writes it: a list of rows."""
    data = path.read_bytes()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    rows, columns = ast.literal_eval(data[10:begin].decode("latin1"))["shape"]
    values = array.array("f", data[begin:])
    if sys.byteorder == "big":
        values.byteswap()
    return [values[row * columns:(row + 1) * columns] for row in range(rows)]


class Generator:
    def __init__(self, asked, folder):
        self.asked, self.folder = asked, folder
        texts = [(path.name, path.read_text(encoding="utf-8")) for path in asked.texts]
        self.prompt = folder / "prompt.txt"
        self.prompt.write_text(agreement.stretches(texts, asked.prompts, asked.words)[asked.prompt]["prompt"], encoding="utf-8")

    def run(self, sinks=None, chunk=512):
        """Tokens and logits of all steps; over bf16, or over identity with so many sinks."""
        codec = () if sinks is None else ("--codec", "identity", "--skip-edge-layers", "0", "--sinks", str(sinks))
        saved = self.folder / "logits.npy"
        done = subprocess.run([self.asked.bin / "kakeya-generate", "--model", self.asked.model, "--threads", "1", "--ignore-end", "--json", "--prompt-file", self.prompt, "--prefill-chunk",
                               str(chunk), "--max-tokens", str(self.asked.steps), "--save-logits", saved, *codec], stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)["tokens"], logits_of(saved)


def rows_of(generator):
    """Rows of control.csv: codec, quantity, value."""
    tokens, reference = generator.run()
    last = reference[-1]
    best = sorted(range(len(last)), key=last.__getitem__)[:-4:-1]
    number = lambda value: f"{value:.9g}"
    yield from (("bf16", f"logit of token {token}{', the third' if place == 2 else ''}", number(last[token])) for place, token in enumerate(best))
    yield from (("bf16", f"lead of token {one} over {'the third' if one == best[1] else f'token {other}'}", number(last[one] - last[other])) for one, other in zip(best, best[1:]))
    steps = len(reference)
    for sinks in (0, 32, 4):
        name = f"identity, {sinks or 'no'} sinks"
        ours, logits = generator.run(sinks)
        if ours[:-1] != tokens[:-1]:
            sys.exit(f"control_logits: {name}: another token before the last of {steps}: expected fewer --steps")
        yield name, f"steps of {steps} with all logits those over bf16", sum(a == b for a, b in zip(logits, reference))
        if sinks == 4:
            yield from ((name, f"logit of token {token}", number(logits[-1][token])) for token in best[:2])
            differences = [[a - b for a, b in zip(here, there)] for here, there in zip(logits, reference)]
            yield name, "largest difference of a logit from bf16, last step", f"{max(map(abs, differences[-1])):.4g}"
            yield name, "root mean square difference of logits from bf16, last step", f"{math.sqrt(sum(x * x for x in differences[-1]) / len(last)):.4g}"
            yield name, f"largest difference of a logit from bf16, all {steps} steps", f"{max(max(map(abs, one)) for one in differences):.4g}"
    for name, sinks in (("bf16", None), ("identity, 4 sinks", 4)):
        ours, logits = generator.run(sinks, chunk=256)
        if ours[:-1] != tokens[:-1]:
            yield f"{name}, prefill in chunks of 256", "tokens before the first that is not bf16's", agreement.agreed(ours, tokens)
            continue
        a, b = sorted(best[:2], key=logits[-1].__getitem__, reverse=True)
        yield from ((f"{name}, prefill in chunks of 256", f"logit of token {token}", number(logits[-1][token])) for token in best[:2])
        yield f"{name}, prefill in chunks of 256", f"lead of token {a} over token {b}", f"{logits[-1][a] - logits[-1][b]:.4g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=lambda path: pathlib.Path(path).resolve(), help="the folder of the programs")
    parser.add_argument("--model", required=True)
    parser.add_argument("--texts", nargs="+", type=pathlib.Path, required=True, metavar="FILE")
    parser.add_argument("--prompts", type=int, default=32, help="of agreement.py [32]")
    parser.add_argument("--words", type=int, default=384, help="of a prompt [384]")
    parser.add_argument("--prompt", type=int, default=11)
    parser.add_argument("--steps", type=int, default=27)
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="[stdout]")
    asked = parser.parse_args()
    if not 0 <= asked.prompt < asked.prompts:
        parser.error(f"--prompt {asked.prompt}: expected 0 to {asked.prompts - 1}")
    with tempfile.TemporaryDirectory() as folder:
        rows = ["codec,quantity,value", *(f'"{codec}","{quantity}",{value}' for codec, quantity, value in rows_of(Generator(asked, pathlib.Path(folder))))]
    made = "".join(row + "\n" for row in rows)
    asked.out.write_text(made, encoding="utf-8") if asked.out else print(made, end="")


if __name__ == "__main__":
    main()
