#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares kakeya's own forward with transformers', on the same models, texts and codecs: the programs over LibTorch beside
`python -m kakeya.sweep` and `python -m kakeya.calibrate`.

usage: compare_harnesses.py [--model PATH]... [--passages N] [--ctx N] [--eval N] [--out DIR]

Calibrates klt by both, and measures by both, each with its own profile and the host also with that of the C++ forward. Prints
a table of Markdown: mean KL divergence, bytes written, how far single passages differ. Exits 1 where uncoded likelihoods
differ by more than 1e-4 nats. Needs built programs ($KAKEYA_BIN, or build/release/bin) with LibTorch, and this interpreter
needs torch, transformers 5.x and kakeya. Models: Hugging Face folders or .gguf files [data/models/nano, and SmolLM2 where
scripts/fetch_model.sh has fetched it].
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SMOLLM2 = ROOT / "models" / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"
CODECS = ["e8:q=10", "kivi:b=4", "klt:bits=3"]
BIN = os.environ.get("KAKEYA_BIN", str(ROOT / "build" / "release" / "bin"))


def program(name, hosted):
    """The command of a program whose model runs in LibTorch, or in transformers."""
    return [sys.executable, "-m", f"kakeya.{name}"] if hosted else [os.path.join(BIN, f"kakeya-{name}")]


def run(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env={**os.environ, "KAKEYA_BIN": BIN})
    if done.returncode:
        sys.exit(f"compare_harnesses: {' '.join(map(str, command))}\n{done.stderr[-2000:]}")


def calibrate(model, hosted, texts, options, out):
    run([*program("calibrate", hosted), "--model", model, "--text", texts, "--passages", options.passages, "--ctx", options.ctx, "--scope", "head",
         "--sensitivity-passages", 1, "--out", out])


def sweep(model, hosted, texts, options, profile, out):
    """{codec: its samples, a passage each}"""
    run([*program("sweep", hosted), "--model", model, "--text", texts, "--passages", options.passages, "--ctx", options.ctx, "--eval", options.eval,
         "--skip-edge-layers", 0, "--sinks", 4, "--profile", profile, "--codec", *CODECS, "--out", out])
    cells = {}
    for line in open(out / "samples.jsonl"):
        sample = json.loads(line)
        cells.setdefault(sample["codec_k"], []).append(sample)
    return {codec: sorted(samples, key=lambda sample: sample["passage"]) for codec, samples in cells.items()}


def mean(samples, key):
    return sum(sample[key] for sample in samples) / len(samples)


def row(name, codec, ours, theirs):
    pairs = list(zip(ours, theirs))
    divergences = [mean(samples, "kld_mean") for samples in (ours, theirs)]
    farthest = max(abs(b["kld_mean"] / a["kld_mean"] - 1) if a["kld_mean"] else abs(b["kld_mean"]) for a, b in pairs)
    written = [sum(sample["bytes_written"] for sample in samples) for samples in (ours, theirs)]
    change = "equal" if all(a["bytes_written"] == b["bytes_written"] for a, b in pairs) else f"{100 * (written[1] / written[0] - 1):+.4f} %"
    clean = max(abs(a["nll_reference"] - b["nll_reference"]) for a, b in pairs)
    bits = mean(theirs, "bits_per_value")
    return (f"| {name} | {codec} | {divergences[0]:.6f} | {divergences[1]:.6f} | {100 * (divergences[1] / divergences[0] - 1) if divergences[0] else 0:+.3f} % "
            f"| {100 * farthest:.3f} % | {bits:.4f} | {change} | {clean:.1e} |"), clean


def compare(model, options, folder):
    """Rows of the table, and how far uncoded likelihoods differ."""
    name = model.stem if model.suffix == ".gguf" else model.name
    texts = {which: folder / which for which in ("seen", "unseen")}
    for which, numbers in (("seen", "1234"), ("unseen", "5678")):
        texts[which].mkdir()
        for file in sorted((ROOT / "data" / "text").glob(f"0[{numbers}]*.txt")):
            shutil.copy(file, texts[which])
    profiles = {hosted: folder / f"profile-{'host' if hosted else 'ours'}.h5" for hosted in (False, True)}
    for hosted, profile in profiles.items():
        calibrate(model, hosted, texts["seen"], options, profile)
    ours = sweep(model, False, texts["unseen"], options, profiles[False], folder / "ours")
    same = sweep(model, True, texts["unseen"], options, profiles[False], folder / "host-our-profile")
    theirs = sweep(model, True, texts["unseen"], options, profiles[True], folder / "host")
    made = [row(name, codec, ours[codec], same[codec]) for codec in ours]
    made += [row(name, f"{codec}, each its own profile", ours[codec], theirs[codec]) for codec in ours if codec.startswith("klt")]
    return [line for line, _ in made], max(clean for _, clean in made)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", type=pathlib.Path, metavar="PATH")
    parser.add_argument("--passages", type=int, default=3)
    parser.add_argument("--ctx", type=int, default=448)
    parser.add_argument("--eval", type=int, default=64)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out" / "harnesses", help="made anew [out/harnesses]")
    options = parser.parse_args()
    import torch
    import transformers

    import kakeya

    models = options.model or [ROOT / "data" / "models" / "nano"] + ([SMOLLM2] if SMOLLM2.exists() else [])
    print(f"kakeya {kakeya.__version__}, torch {torch.__version__}, transformers {transformers.__version__}; {options.passages} passages of "
          f"{options.ctx} + {options.eval} tokens, coded in the forward before RoPE, float32\n")
    print("| model | codec | KL, LibTorch | KL, transformers | difference | of one passage at most | bits a value | bytes written | uncoded nats, difference |\n"
          "|---|---|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    shutil.rmtree(options.out, ignore_errors=True)
    farthest = 0
    for number, model in enumerate(models):
        folder = options.out / str(number)
        folder.mkdir(parents=True)
        lines, clean = compare(model, options, folder)
        print("\n".join(lines), flush=True)
        farthest = max(farthest, clean)
    if farthest > 1e-4:
        sys.exit(f"compare_harnesses: uncoded likelihoods differ by {farthest:.2g} nats a token, expected at most 1e-4")


if __name__ == "__main__":
    main()
