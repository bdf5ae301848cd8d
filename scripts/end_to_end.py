#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what reports/end-to-end holds, on one core, and makes its report. Step bench writes bench.json: kakeya-bench generate, contexts of 512 and 2048 tokens, four sequences of 512, and what fits into 30 MB.
Step long writes long.json: kakeya-generate on saved caches of about 8,000 tokens, plain bf16 among them, their bytes, and user CPU seconds of 22 tokens less those of 2, over 20; medians of
turns, codec after codec. Some are read with --packed-sums besides; with --rope-profile also of keys after RoPE. Where perf is installed it has what a decoding process does too, in shares of its time. With --device cuda it measures what reports/end-to-end-gpu holds: the step
bench alone, on all cores. bench.json goes on where it was stopped; long.json is left alone where it is there. The times mean something where nothing else runs.

usage: end_to_end.py BIN TEXT PROFILE OUT [--device D] [--steps bench long] [--rope-profile FILE] [--model M] [--characters N] [--cells CTX,CTX:BATCH ...] [--fit CTX:MB]
         BIN       the folder of the programs (build/release/bin)
         TEXT      what the caches hold the beginning of
         PROFILE   of kakeya-calibrate --steps inforward --predict 0, for klt; --rope-profile: the same with --tap post-rope
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from spec import Spec

SHORT = ("identity", "q8_0", "q4_0:rotate=64", "kivi:b=4", "fp8", "e8:q=10", "ece8:bits=4,center=mean,page=128", "klt:bits=3,page=128",
         "klt:bits=2.5,scope=layer,restart=1,page=128,lattice=tcq")
BF16 = "bf16"  # a residual window of all tokens: plain rows, no page and no checksum
FIELDS, EXACT = "klt:bits=3,page=128,pages=fixed", "klt:bits=3,page=128,pages=fixed,product=exact"
LONG = (BF16, "identity", "q8_0", "q4_0:rotate=64", "e8:q=10", "klt:bits=3,page=128", FIELDS, EXACT)
SUMS, ROPE = "--packed-sums", "--tap post-rope"  # behind a codec: how its cache is read, and made
SUMMED = tuple(f"{codec} {SUMS}" for codec in ("e8:q=10", FIELDS, EXACT))
TURNED = tuple(f"{name} {ROPE}" for name in (BF16, *SUMMED))
POLICY = ("--skip-edge-layers", "0", "--sinks", "4")
CPU = {"cells": ("512,2048:1", "512:4"), "fit": "512:30", "how": ("--threads", 1, "--rounds", 8)}
GPU = {"cells": ("1024,2048:1", "1024:4,16", "8000:1"), "fit": "1024:50", "how": ("--threads", 0, "--rounds", 4, "--most", 40)}
FEW, MORE, TURNS, PROFILED = 2, 22, 5, 40
# What functions do, by patterns of their names; all else of the program counts as decoding.
WORK = (("attention", "score_rows|weigh_rows|attend_head|add_tiles_of|multiply_tiles_of"), ("RoPE of keys", "rotate_rows"), ("rounding to bf16", "round_rows_to_bf16|round_some|round_usual|is_beyond"), ("checksums", "by_instruction"))


def run(command):
    """Runs it, says what it is, and returns its output and its user CPU seconds."""
    print("end_to_end:", " ".join(map(str, command)), file=sys.stderr)
    before = os.times().children_user
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(f"end_to_end: {command[0]}: exit code {done.returncode}")
    return done.stdout, os.times().children_user - before


def bench(asked):
    """The speeds, then what fits into some MB: both into one document, which goes on where it was stopped; and the report of it."""
    protocol = GPU if asked.device.startswith("cuda") else CPU
    common = [asked.bin / "kakeya-bench", "generate", "--model", asked.model, "--device", asked.device, "--text", asked.text, "--tokens", 16, *protocol["how"], "--codec", *SHORT,
              "--profile", asked.profile, *POLICY, "--out", asked.out / "bench.json"]
    for cell in asked.cells or protocol["cells"]:
        contexts, _, batches = cell.partition(":")
        run([*common, "--ctx", contexts, "--batch", batches])
    context, _, megabytes = (asked.fit or protocol["fit"]).partition(":")
    run([*common, "--ctx", context, "--fit", megabytes])
    run([asked.bin / "kakeya-report", "generate", asked.out / "bench.json", "--out", asked.out])


def shares(command):
    """Of a process that decodes, from its first token on: per cent of the samples by what they are of; None without perf."""
    if not shutil.which("perf"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "perf.data"
        process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdout.read(1)
        perf = subprocess.Popen(["perf", "record", "-F", "499", "-o", data, "-p", str(process.pid)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.stdout.read()
        process.wait()
        perf.wait()
        told = subprocess.run(["perf", "report", "-i", data, "--stdio", "--no-children", "-s", "dso,symbol", "-F", "overhead,dso,symbol"], capture_output=True, encoding="utf-8", check=True).stdout
    found = collections.Counter()
    for share, library, where, name in re.findall(r"^ +([\d.]+)% +(\S+) +\[(.)\] +(.*)$", told, re.MULTILINE):
        what = next((kind for kind, pattern in WORK if re.search(pattern, name)), "decoding")
        if where == "k" or not library.startswith(("kakeya", "libkakeya")):
            weights = re.search("blas|dnnl|mkl", library)  # what a model's products with its weights are in
            what = "products with weights" if weights else "LibTorch" if "torch" in library else "other"
        found[what] += float(share)
    return {what: round(100 * share / found.total(), 1) for what, share in found.most_common()}


def machine():
    """The processor, and the widest vectors that it has: what times hang on."""
    told = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    name = re.search(r"^model name\s*: (.*)$", told, re.MULTILINE)
    widest = next((kind for kind in ("avx512f", "avx2") if re.search(rf"^flags.*\b{kind}\b", told, re.MULTILINE)), "no AVX2")
    return f"{name[1] if name else 'unknown'}, {widest}"


def long_context(asked):
    generate = [asked.bin / "kakeya-generate", "--model", asked.model, "--threads", 1, "--json", "--ignore-end"]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        prompt = folder / "prompt.txt"
        prompt.write_text(asked.text.read_text(encoding="utf-8")[:asked.characters], encoding="utf-8")
        names = (*LONG, *SUMMED, *(TURNED if asked.rope_profile else ()))
        made, read = {}, {}  # the facts of a cache, which several names may read; the words that read it
        for number, name in enumerate(names):
            codec, turned, kept = name.split(" ")[0], name.endswith(ROPE), name.replace(f" {SUMS}", "")
            profile = ("--profile", asked.rope_profile if turned else asked.profile) if codec != BF16 and Spec.parse(codec).name == "klt" else ()
            if kept not in made:
                cache = folder / f"{number}.kkv"
                coded = ("identity", "--residual-window", 1 << 20) if codec == BF16 else (codec, *profile)
                tap = ROPE.split(" ") if turned else ()
                said, _ = run([*generate, "--prompt-file", prompt, "--max-tokens", 0, *POLICY, "--codec", *coded, *tap, "--save-cache", cache])
                made[kept] = (cache, json.loads(said))
            read[name] = ("--load-cache", made[kept][0], *profile, *((SUMS,) if SUMS in name else ()))
        facts = {name: made[name.replace(f" {SUMS}", "")][1] for name in names}
        seconds = {name: [] for name in names}
        for _ in range(TURNS):
            for name in names:
                few, more = (run([*generate, "--max-tokens", tokens, *read[name]])[1] for tokens in (FEW, MORE))
                seconds[name].append((more - few) / (MORE - FEW))
        told = [word for word in generate if word != "--json"]
        work = {name: shares([*told, "--max-tokens", PROFILED, *read[name]]) for name in names}
    medians = {name: statistics.median(of) for name, of in seconds.items()}
    return {"what": f"kakeya-generate --model {asked.model} --threads 1 --load-cache, all layers coded, 4 sinks: user CPU seconds of {MORE} tokens less those of {FEW}, over "
                    f"{MORE - FEW}; medians of {TURNS} runs",
            "measured": {"program": run([asked.bin / "kakeya-generate", "--version"])[0].strip(), "machine": machine(), "text": asked.text.name, "context": facts[BF16]["prompt_tokens"]},
            "codecs": {codec: {"user_cpu_seconds_a_token": round(medians[codec], 3), "of_bf16": round(medians[codec] / medians[BF16], 3),
                               "runs": [round(x, 3) for x in seconds[codec]], "runs_of_bf16": [round(x / y, 2) for x, y in zip(seconds[codec], seconds[BF16])],
                               "live_bytes": facts[codec]["live_bytes"], "live": facts[codec]["live"], "live_of_bf16": round(facts[codec]["live_bytes"] / facts[codec]["bf16_bytes"], 4),
                               **({"per_cent_of_time": work[codec]} if work[codec] else {})} for codec in names}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("bin", "text", "profile", "out"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--rope-profile", type=pathlib.Path, help="a profile of keys after RoPE: step long reads such caches too")
    parser.add_argument("--device", default="cpu", help="cpu or cuda [cpu]")
    parser.add_argument("--steps", nargs="+", choices=("bench", "long"), help="[both; on a GPU bench]")
    parser.add_argument("--model", default="smollm2-135m")
    parser.add_argument("--characters", type=int, default=34_000, help="of TEXT in the long cache: about 8,000 tokens of SmolLM2")
    parser.add_argument("--cells", nargs="+", metavar="CTX:BATCH", help=f"contexts and batches of kakeya-bench generate [{' '.join(CPU['cells'])}; on a GPU {' '.join(GPU['cells'])}]")
    parser.add_argument("--fit", metavar="CTX:MB", help=f"[{CPU['fit']}; on a GPU {GPU['fit']}]")
    asked = parser.parse_args()
    gpu = asked.device.startswith("cuda")
    asked.steps = asked.steps or (("bench",) if gpu else ("bench", "long"))
    if gpu and "long" in asked.steps:
        parser.error(f"--steps long with --device {asked.device}: expected --device cpu, as it counts CPU seconds of one core")
    if not (asked.bin / "kakeya-generate").is_file():
        parser.error(f"{asked.bin}: no kakeya-generate there: expected the folder of the programs")
    asked.out.mkdir(parents=True, exist_ok=True)
    if "bench" in asked.steps:
        bench(asked)
    if "long" in asked.steps and not (asked.out / "long.json").exists():
        made = json.dumps(long_context(asked), indent=1)
        (asked.out / "long.json").write_text(made + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
