#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares kakeya's own forward with transformers', on the same models, texts and codecs: the programs over LibTorch beside
`python -m kakeya.perplexity`, `kakeya.sweep` and `kakeya.calibrate`.

usage: compare_harnesses.py [--model PATH]... [--text SEEN UNSEEN] [--one-profile] [--passages N] [--ctx N] [--eval N]
                            [--device DEVICE] [--out DIR] [--into samples.csv]
       compare_harnesses.py --from samples.csv      the second table, of samples that a run kept

Likelihoods of a text with nothing coded; klt calibrated by both; codecs measured by both, with the profile that the forward
over LibTorch made, and klt also each with its own. Prints tables of Markdown. Exits 1 where uncoded likelihoods differ by more
than 1e-3 nats a token or 1e-5 in the mean. Needs built programs ($KAKEYA_BIN, or build/release/bin) with LibTorch, and this
interpreter needs torch, transformers 5.x and kakeya. Models: Hugging Face folders or .gguf files [data/models/nano, and
SmolLM2 where scripts/fetch_model.sh has fetched it]. Gemma 3, whose heads and vocabulary are larger, takes forty minutes of a core:

  compare_harnesses.py --model models/gemma3-270m/gemma-3-270m-q4_k_m.gguf --text wiki.valid.raw wiki.test.raw \
    --one-profile --passages 8 --ctx 768 --into lib/bindings/python/harnesses.csv
"""

import argparse
import csv
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys

from spec import Spec

ROOT = pathlib.Path(__file__).resolve().parents[1]
NANO = ROOT / "data" / "models" / "nano"
SMOLLM2 = ROOT / "models" / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"
NAMES = {NANO.name: "nano", SMOLLM2.stem: "SmolLM2", "gemma-3-270m-q4_k_m": "Gemma 3"}  # of tables
MODES = ["inforward", "snapshot"]
CODECS = ["e8:q=10", "kivi:b=4", "klt:bits=3"]
BIN = os.environ.get("KAKEYA_BIN", str(ROOT / "build" / "release" / "bin"))


def program(name, hosted):
    """The command of a program whose model runs in LibTorch, or in transformers."""
    return [sys.executable, "-m", f"kakeya.{name}"] if hosted else [os.path.join(BIN, f"kakeya-{name}")]


def run(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env={**os.environ, "KAKEYA_BIN": BIN})
    if done.returncode:
        sys.exit(f"compare_harnesses: {' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    return done.stdout


def likelihoods(model, hosted, text, options):
    """Nats of each token of a text, nothing coded, in windows as long as a passage."""
    told = json.loads(run([*program("perplexity", hosted), "--model", model, "--text", text, "--ctx", options.ctx + options.eval,
                           "--device", options.device, "--json", "--per-token"]))
    return [nats for nats in told["nll"] if nats is not None]


def calibrate(model, hosted, texts, options, out):
    run([*program("calibrate", hosted), "--model", model, "--text", texts, "--passages", options.passages, "--ctx", options.ctx, "--scope", "head",
         "--device", options.device, "--codec-device", "cpu", "--sensitivity-passages", 1, "--out", out])


def sweep(model, hosted, texts, options, profile, out):
    """{(mode, codec): its samples, a passage each}"""
    run([*program("sweep", hosted), "--model", model, "--text", texts, "--passages", options.passages, "--ctx", options.ctx, "--eval", options.eval,
         "--device", options.device, "--codec-device", "cpu",
         "--skip-edge-layers", 0, "--sinks", 4, "--mode", ",".join(MODES), "--profile", profile, "--codec", *CODECS, "--out", out])
    cells = {}
    for line in open(out / "samples.jsonl"):
        sample = json.loads(line)
        if sample["codec_k"] != "identity":
            cells.setdefault((sample["mode"], Spec.parse(sample["codec_k"]).without("profile").text), []).append(sample)
    return {cell: sorted(samples, key=lambda sample: sample["passage"]) for cell, samples in sorted(cells.items())}


def mean(values):
    values = list(values)
    return sum(values) / len(values)


# Student's t for 95 %, two-sided, by degrees of freedom.
T95 = [0, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13]


FIELDS = ["model", "forward", "profile", "mode", "codec", "passage", "kld_mean", "bits_per_value", "bytes_written"]
LIBTORCH, TRANSFORMERS = "LibTorch", "transformers"


def kept(name, forward, profile, cells):
    """Rows of samples.csv."""
    for (mode, codec), samples in cells.items():
        for sample in samples:
            own = dict(model=name, forward=forward, profile=profile, mode=mode, codec=codec)
            yield {**own, **{field: sample[field] for field in FIELDS[len(own):]}}


def coded_table(rows):
    """Lines of the table of coded cells, from rows of samples.csv."""
    cells = {}
    for sample in rows:
        numbers = {"kld_mean": float(sample["kld_mean"]), "bits_per_value": float(sample["bits_per_value"]), "bytes_written": int(sample["bytes_written"])}
        run = (sample["model"], sample["forward"], sample["profile"])
        cells.setdefault(run, {}).setdefault((sample["mode"], sample["codec"]), []).append((int(sample["passage"]), numbers))
    cells = {run: {cell: [numbers for _, numbers in sorted(samples, key=lambda pair: pair[0])] for cell, samples in of.items()} for run, of in cells.items()}
    lines = []
    for name in dict.fromkeys(model for model, _, _ in cells):
        ours = cells[name, LIBTORCH, LIBTORCH]
        for profile, note in ((LIBTORCH, ""), (TRANSFORMERS, ", each its own profile")):
            theirs = cells.get((name, TRANSFORMERS, profile), {})
            lines += [row(name, cell, note, ours[cell], theirs[cell]) for cell in ours if cell in theirs and (not note or Spec.parse(cell[1]).name == "klt")]
    head = "| model | mode | codec | KL, LibTorch | KL, transformers | difference, 95 % | bits a value | bytes written |\n|---|---|---|--:|--:|--:|--:|--:|"
    return [head] + lines


def row(name, cell, note, ours, theirs):
    a, b = ([sample["kld_mean"] for sample in samples] for samples in (ours, theirs))
    shares = [100 * (y / x - 1) for x, y in zip(a, b)]
    spread = math.sqrt(sum((share - mean(shares)) ** 2 for share in shares) / max(1, len(shares) - 1) / len(shares))
    written = [sum(sample["bytes_written"] for sample in samples) for samples in (ours, theirs)]
    change = "equal" if all(x["bytes_written"] == y["bytes_written"] for x, y in zip(ours, theirs)) else f"{100 * (written[1] / written[0] - 1):+.4f} %"
    half = T95[min(len(T95) - 1, len(shares) - 1)] * spread
    return (f"| {name} | {cell[0]} | {cell[1]}{note} | {mean(a):.6f} | {mean(b):.6f} | {mean(shares):+.2f} ± {half:.2f} % "
            f"| {mean(sample['bits_per_value'] for sample in theirs):.4f} | {change} |")


def pieces(text, count):
    """`text` in `count` parts of equal length, cut between words."""
    ends = [text.index(" ", len(text) * number // count) for number in range(1, count)] + [len(text)]
    return [text[first:end] for first, end in zip([0] + ends, ends)]


def shipped_texts(options, folder):
    """{"seen": folder, "unseen": folder}: half of data/text each, a piece a passage."""
    texts = {which: folder / which for which in ("seen", "unseen")}
    for which, numbers in (("seen", "1234"), ("unseen", "5678")):
        texts[which].mkdir()
        for file in sorted((ROOT / "data" / "text").glob(f"0[{numbers}]*.txt")):
            for number, piece in enumerate(pieces(file.read_text(), -(-options.passages // 4))):
                (texts[which] / f"{file.stem}-{number}.txt").write_text(piece)
    return texts


def compare(model, options, folder):
    """A row of the first table, samples of the second, and the two distances of uncoded likelihoods."""
    name = model.stem if model.suffix == ".gguf" else model.name
    name = NAMES.get(name, name)
    texts = dict(zip(("seen", "unseen"), options.text)) if options.text else shipped_texts(options, folder)
    a, b = (likelihoods(model, hosted, next((ROOT / "data" / "text").glob("05*")), options) for hosted in (False, True))
    apart = (abs(mean(a) - mean(b)), max(abs(x - y) for x, y in zip(a, b))) if len(a) == len(b) else (math.inf, math.inf)
    clean = f"| {name} | {len(a)} | {mean(a):.6f} | {mean(b):.6f} | {apart[0]:.1e} | {apart[1]:.1e} |"
    makers = (False,) if options.one_profile else (False, True)
    profiles = {hosted: folder / f"profile-{'host' if hosted else 'ours'}.h5" for hosted in makers}
    for hosted, profile in profiles.items():
        calibrate(model, hosted, texts["seen"], options, profile)
    ours = sweep(model, False, texts["unseen"], options, profiles[False], folder / "ours")
    same = sweep(model, True, texts["unseen"], options, profiles[False], folder / "host-our-profile")
    rows = [*kept(name, LIBTORCH, LIBTORCH, ours), *kept(name, TRANSFORMERS, LIBTORCH, same)]
    if not options.one_profile:
        own = sweep(model, True, texts["unseen"], options, profiles[True], folder / "host")
        rows += kept(name, TRANSFORMERS, TRANSFORMERS, own)
    return clean, rows, apart


def write(path, rows):
    with open(path, "w") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_into(path, rows):
    """Samples of a run take the place of those that a file has of the same models; others stay as they are."""
    with open(path) as file:
        others = [one for one in csv.DictReader(file) if one["model"] not in {row["model"] for row in rows}]
    write(path, [*others, *rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", type=pathlib.Path, metavar="PATH")
    parser.add_argument("--passages", type=int, default=4, help="of the four texts together: at most 12 of 256 + 256 tokens [4]")
    parser.add_argument("--ctx", type=int, default=256)
    parser.add_argument("--eval", type=int, default=256)
    parser.add_argument("--text", nargs=2, type=pathlib.Path, metavar=("SEEN", "UNSEEN"),
                        help="files or folders to calibrate on and to measure on [four texts each of data/text]")
    parser.add_argument("--one-profile", action="store_true", help="klt by the profile of the forward over LibTorch alone")
    parser.add_argument("--device", default="cpu", help="where both forwards run: cpu, cuda [cpu]")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out" / "harnesses", help="made anew [out/harnesses]")
    parser.add_argument("--into", type=pathlib.Path, metavar="FILE", help="a samples.csv whose rows of these models are replaced too")
    parser.add_argument("--from", dest="kept", type=pathlib.Path, metavar="FILE",
                        help="samples.csv of an earlier run: prints the table of coded cells, runs nothing")
    options = parser.parse_args()
    if options.kept:
        print("\n".join(coded_table(csv.DictReader(open(options.kept)))))
        return
    import torch
    import transformers

    import kakeya

    models = options.model or [NANO] + ([SMOLLM2] if SMOLLM2.exists() else [])
    print(f"kakeya {kakeya.__version__}, torch {torch.__version__}, transformers {transformers.__version__}; {options.passages} passages of "
          f"{options.ctx} + {options.eval} tokens, coded before RoPE, float32, {options.device}\n")
    shutil.rmtree(options.out, ignore_errors=True)
    clean, rows, failed = [], [], False
    for number, model in enumerate(models):
        folder = options.out / str(number)
        folder.mkdir(parents=True)
        uncoded, coded, apart = compare(model, options, folder)
        clean.append(uncoded)
        rows += coded
        failed |= apart[0] > 1e-5 or apart[1] > 1e-3
    print("| model, nothing coded | tokens | nats, LibTorch | nats, transformers | means apart | a token at most |\n|---|--:|--:|--:|--:|--:|")
    print("\n".join(clean))
    write(options.out / "samples.csv", rows)
    if options.into:
        write_into(options.into, rows)
    print("\n" + "\n".join(coded_table(csv.DictReader(open(options.out / "samples.csv")))))
    if failed:
        sys.exit("compare_harnesses: uncoded likelihoods are further apart than the order of sums makes them")


if __name__ == "__main__":
    main()
