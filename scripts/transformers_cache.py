#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A model of transformers over KakeyaCache: live bytes and text beside kakeya-generate's, and resident memory.

usage: transformers_cache.py [--model PATH] [--codec SPEC]... [--profile P.kkp] [--tokens N]

Bytes: a prompt of the shipped text and 32 greedy tokens, keys before RoPE, every layer coded, once by each; exits 1 where
the live bytes differ, of calibrated codecs by more than a thousandth. Memory: what the process grows by while N tokens are stored in steps of 256, beside the model's own cache
in float32. Needs built programs ($KAKEYA_BIN, or build/release/bin) with LibTorch, and this interpreter needs torch,
transformers 5.x (for .gguf files gguf and accelerate too) and kakeya. Linux.
"""

import argparse
import ctypes
import gc
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from spec import Spec

ROOT = pathlib.Path(__file__).resolve().parents[1]
SMOLLM2 = ROOT / "models" / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"
BIN = os.environ.get("KAKEYA_BIN", str(ROOT / "build" / "release" / "bin"))
CODECS = ["identity", "q8_0", "kivi:b=4", "e8:q=10"]
KINDS = {"pages": "pages", "sinks": "sinks", "open": "open", "skipped": "skipped_layers", "tables": "tables"}
NEW = 32
ENTROPY_CODED = 1e-3  # of such pages' bytes: their size follows the values, and two forwards round them differently


def text():
    return "".join(path.read_text() for path in sorted((ROOT / "data" / "text").glob("0[56]*.txt")))


def program(model, codec, profile, prompt):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(prompt)
        file.flush()
        command = [os.path.join(BIN, "kakeya-generate"), "--model", model, "--prompt-file", file.name, "--codec", codec, "--skip-edge-layers", 0,
                   "--prefill-chunk", 1 << 20, "--max-tokens", NEW, "--ignore-end", "--threads", 1, "--json", *(("--profile", profile) if profile else ())]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"transformers_cache: kakeya-generate --codec {codec}: {done.stderr.strip()[-500:]}")
    return json.loads(done.stdout)


def resident():
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, default=SMOLLM2, help="a Hugging Face folder or .gguf file [SmolLM2, where it has been fetched]")
    parser.add_argument("--codec", action="append", metavar="SPEC", help="[identity, q8_0, kivi:b=4, e8:q=10]")
    parser.add_argument("--profile", type=pathlib.Path, help="of the model, for codecs that are calibrated")
    parser.add_argument("--tokens", type=int, default=2048, help="stored to measure memory [2048]")
    options = parser.parse_args()
    import torch
    import transformers
    from transformers import DynamicCache

    import kakeya
    from kakeya.hosting.load import load_model, load_tokenizer
    from kakeya.transformers import KakeyaCache

    calibrated = {codec["name"] for codec in kakeya.list() if codec["calibrated"]}
    profile_of = lambda codec: options.profile if Spec.parse(codec).name in calibrated else None  # others refuse one
    model, tokenizer = load_model(str(options.model), "cpu", "fp32", 1), load_tokenizer(str(options.model))
    print(f"{options.model.name}; kakeya {kakeya.__version__}, torch {torch.__version__}, transformers {transformers.__version__}, one thread\n")
    prompt, differ = text()[:2400], []
    ids = tokenizer(prompt, return_tensors="pt").input_ids
    print("| codec | tokens | live bytes | kakeya-generate's | of bf16 | tokens generated alike |\n|---|--:|--:|--:|--:|--:|")
    with torch.no_grad():
        for codec in options.codec or CODECS:
            cache = KakeyaCache(model.config, codec, tap="pre-rope", profile=profile_of(codec))
            made = model.generate(input_ids=ids, past_key_values=cache, max_new_tokens=NEW, min_new_tokens=NEW, do_sample=False)[0, ids.shape[1]:].tolist()
            live, other = cache.live_bytes(), program(options.model, codec, profile_of(codec), prompt)
            allowed = ENTROPY_CODED * live["pages"] if profile_of(codec) else 0
            if any(abs(live[ours] - other["live"][theirs]) > allowed for ours, theirs in KINDS.items()):
                differ.append(codec)
            alike = next((i for i, (a, b) in enumerate(zip(made, other["tokens"])) if a != b), NEW)
            print(f"| {codec} | {ids.shape[1]} + {NEW} | {live['total']:,} | {other['live_bytes']:,} | {live['total'] / live['bf16']:.3f} | {alike} of {NEW} |", flush=True)
        ids = tokenizer(text(), return_tensors="pt").input_ids[:, : options.tokens]
        if ids.shape[1] < options.tokens:
            sys.exit(f"transformers_cache: --tokens {options.tokens}: the text has {ids.shape[1]}")

        def store(cache):
            for first in range(0, options.tokens, 256):
                model(ids[:, first : first + 256], past_key_values=cache, use_cache=True, logits_to_keep=1)
            return cache

        store(DynamicCache(config=model.config))  # what a first run allocates for good
        print(f"\n| cache of {options.tokens} tokens | counted, MB | resident, MB |\n|---|--:|--:|")
        for name in [None, *(options.codec or CODECS)]:  # None: the model's own
            before = resident()
            cache = store(DynamicCache(config=model.config) if name is None else KakeyaCache(model.config, name, profile=profile_of(name)))
            counted = cache.live_bytes()["total"] if isinstance(cache, KakeyaCache) else sum(8 * layer.keys.numel() for layer in cache.layers)
            print(f"| {name or 'its own, float32'} | {counted / 1e6:.1f} | {(resident() - before) / 1e6:.1f} |", flush=True)
            del cache
    if differ:
        sys.exit(f"transformers_cache: live bytes differ: {', '.join(differ)}")


if __name__ == "__main__":
    main()
