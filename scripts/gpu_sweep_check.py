#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps and calibrations on a GPU, with codecs and sums on the host and on the device. Samples have to be equal to the last bit in every field but the times. Prints
what differs and what a cell takes, as text, and writes OUT/sweeps.json. Exits 1 where a field differs, or a codec without a kernel is not refused.

usage: gpu_sweep_check.py BIN [OUT] [--model M]     M: what cells are timed on; else smollm2-135m where it is fetched, else random weights of its shape (needs PyTorch)
"""
import argparse
import ctypes
import json
import pathlib
import shutil
import statistics
import struct
import subprocess
import sys
import time

from spec import Spec

ROOT = pathlib.Path(__file__).resolve().parent.parent
NANO, TEXT = ROOT / "data" / "models" / "nano", ROOT / "data" / "text"
TIMES = ("cell_seconds", "forward_seconds", "encode_seconds", "decode_seconds")
CODECS = ("e8:q={10,38}", "d4:q=38", "tq:b={3,4}", "fp8", "fp8:scale=fp16", "q4_0", "q5_0", "q8_0", "kivi:b={2,4}")
SIDES = {"host": "cpu", "device": "cuda"}


def make_random_model(folder):
    """SmolLM2-135M's shape in bf16 with random weights, and nano's tokenizer: for times, not for losses."""
    import torch

    hidden, ffn, layers, queries, heads, dim, vocab = 576, 1536, 30, 9, 3, 64, 49152
    torch.manual_seed(1)
    shapes = {"model.embed_tokens.weight": (vocab, hidden), "model.norm.weight": (hidden,)}
    for i in range(layers):
        at = f"model.layers.{i}."
        shapes |= {at + "input_layernorm.weight": (hidden,), at + "post_attention_layernorm.weight": (hidden,),
                   at + "self_attn.q_proj.weight": (queries * dim, hidden), at + "self_attn.k_proj.weight": (heads * dim, hidden),
                   at + "self_attn.v_proj.weight": (heads * dim, hidden), at + "self_attn.o_proj.weight": (hidden, queries * dim),
                   at + "mlp.gate_proj.weight": (ffn, hidden), at + "mlp.up_proj.weight": (ffn, hidden), at + "mlp.down_proj.weight": (hidden, ffn)}
    head, end = {}, 0
    for name, shape in shapes.items():
        begin, end = end, end + 2 * torch.Size(shape).numel()
        head[name] = {"dtype": "BF16", "shape": shape, "data_offsets": (begin, end)}
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for shape in shapes.values():
            weights = (torch.ones(shape) if len(shape) == 1 else torch.randn(shape) * 0.04).to(torch.bfloat16)
            file.write(ctypes.string_at(weights.data_ptr(), 2 * weights.numel()))
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": hidden, "intermediate_size": ffn,
              "num_hidden_layers": layers, "num_attention_heads": queries, "num_key_value_heads": heads, "head_dim": dim, "vocab_size": vocab,
              "max_position_embeddings": 8192, "rms_norm_eps": 1e-5, "rope_theta": 100000, "tie_word_embeddings": True, "hidden_act": "silu",
              "bos_token_id": 1, "eos_token_id": 2, "torch_dtype": "bfloat16", "attention_bias": False}
    (folder / "config.json").write_text(json.dumps(config))
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(NANO / name, folder / name)


def samples(folder):
    rows = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
    return {(r["codec_k"], r["codec_v"], r["passage"], r["mode"]): r for r in rows}


def times(rows):
    """Of all passages but the first, in which everything is used for the first time."""
    late = [r for r in rows.values() if r["passage"] > 0] or list(rows.values())
    mean = {name: statistics.mean(r[name] for r in late) for name in TIMES}
    codecs = {}
    for codec in sorted({r["codec_k"] for r in late}):
        of = [r for r in late if r["codec_k"] == codec]
        codecs[codec] = {name: statistics.mean(r[name] for r in of) for name in TIMES}
    return mean | {"outside_forward": 1 - mean["forward_seconds"] / mean["cell_seconds"], "codecs": codecs}


class Check:
    def __init__(self, programs, out):
        self.programs, self.out, self.results, self.failed = programs, out, [], False

    def run(self, program, *arguments):
        begin = time.time()
        done = subprocess.run([str(self.programs / f"kakeya-{program}"), *map(str, arguments)], capture_output=True, text=True)
        return done, time.time() - begin

    def must_run(self, program, *arguments):
        done, seconds = self.run(program, *arguments)
        if done.returncode != 0:
            sys.exit(f"gpu_sweep_check: kakeya-{program} {' '.join(map(str, arguments))}: exit {done.returncode}: {done.stderr[-800:]}")
        return done.stdout, seconds

    def same_samples(self, name, *arguments):
        both = {}
        for side, where in SIDES.items():
            folder = self.out / f"{name}-{side}"
            shutil.rmtree(folder, ignore_errors=True)
            self.must_run("sweep", "--device", "cuda", "--codec-device", where, *arguments, "--out", folder)
            both[side] = samples(folder)
        differ = {}
        for key in both["host"].keys() | both["device"].keys():
            host, device = both["host"].get(key, {}), both["device"].get(key, {})
            for field in (host.keys() | device.keys()) - set(TIMES):
                if host.get(field) != device.get(field):
                    differ[field] = differ.get(field, 0) + 1
        self.failed = self.failed or bool(differ)
        result = {"sweep": name, "cells": len(both["host"]), "fields_that_differ": differ, **{side: times(rows) for side, rows in both.items()}}
        self.results.append(result)
        print(f"{name}: {result['cells']} cells, fields that differ: {differ or 'none'}")
        for side in SIDES:
            t = result[side]
            print(f"  codecs on the {side}: {t['cell_seconds']:.3f} s a cell, {100 * t['outside_forward']:.1f} % of it outside the forward")

    def refusal(self):
        out = self.out / "refused"
        done, _ = self.run("sweep", "--device", "cuda", "--codec-device", "cuda", "--model", NANO, "--text", TEXT, "--ctx", 64, "--codec", "fp8", "nvfp4", "--out", out)
        named = "nvfp4" in done.stderr and "--codec-device cpu" in done.stderr
        if done.returncode == 0 or not named or out.exists():
            self.failed = True
            print(f"a codec without a kernel: exit {done.returncode}, {done.stderr.strip()[-300:]}")

    def calibrations(self):
        """Profiles of sums that were taken in another order: bits and losses with each."""
        klt = ("--skip-edge-layers", 0, "--codec", "klt:bits={1.5,3}", "klt:bits=2,lattice=tcq,scope=layer")
        self.calibration("klt", "8 passages of 1024, whole layers", (), klt)
        self.calibration("kvtc", "8 passages of 1024", ("--codec", "kvtc"), ("--skip-edge-layers", 0, "--codec", "kvtc:bits={2,4}"))

    def calibration(self, kind, passages, how, codecs):
        rows, seconds = {}, {}
        for side, where in SIDES.items():
            profile = self.out / f"nano-{kind}-{side}.kkp"
            for old in (profile, profile.with_name(profile.name + ".unfinished")):
                old.unlink(missing_ok=True)
            _, seconds[side] = self.must_run("calibrate", "--model", NANO, "--text", TEXT, "--passages", 8, "--ctx", 1024, "--device", "cuda", "--codec-device", where,
                                             *how, "--out", profile)
            folder = self.out / f"{kind}-{side}"
            shutil.rmtree(folder, ignore_errors=True)
            self.must_run("sweep", "--device", "cuda", "--codec-device", "cpu", "--model", NANO, "--text", TEXT, "--ctx", 1024, "--mode", "prefix",
                          "--profile", profile, *codecs, "--out", folder)
            rows[side] = samples(folder)
        table = {}
        for side in SIDES:
            for key, row in rows[side].items():
                name = Spec.parse(key[0]).without("profile").text
                bits, loss = table.setdefault(name, {}).setdefault(side, ([], []))
                bits.append(row["bits_per_value"]), loss.append(row["kld_mean"])
        result = {name: {side: [statistics.mean(bits), statistics.mean(loss)] for side, (bits, loss) in of.items()} for name, of in table.items()}
        self.results.append({"calibration": f"{kind}, nano, {passages}", "seconds": seconds, "bits_and_kld": result})
        print(f"calibration of {kind}, nano: {seconds['host']:.1f} s summed on the host, {seconds['device']:.1f} s on the device")
        for name, of in result.items():
            print(f"  {name}: {of['host'][0]:.4f} bits, KL {of['host'][1]:.3e}; from the device's sums {of['device'][0]:.4f}, {of['device'][1]:.3e}")
            (host_bits, host_loss), (bits, loss) = of["host"], of["device"]
            if abs(bits - host_bits) > 0.01 * host_bits or abs(loss - host_loss) > 0.1 * host_loss:
                self.failed = True
                print(f"  {name}: further apart than 1 % of the bits or 10 % of the loss")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path, nargs="?", default=ROOT / "out" / "gpu" / "sweeps")
    parser.add_argument("--model")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    check = Check(given.bin, given.out)
    model = given.model or ("smollm2-135m" if (ROOT / "models" / "smollm2-135m").is_dir() else None)
    if model is None:
        model = given.out / "random-135m"
        make_random_model(model)
    for dtype in ("fp32", "bf16"):
        check.same_samples(f"nano-{dtype}", "--model", NANO, "--text", TEXT, "--ctx", 448, "--passages", 2, "--mode", "inforward,snapshot,prefix", "--sinks", 4,
                           "--residual-window", 32, "--skip-edge-layers", 1, "--dtype", dtype, "--codec", *CODECS)
    text = given.out / "text.txt"
    text.write_text("".join(part.read_text() for part in sorted(TEXT.glob("*.txt"))))
    check.same_samples("timed", "--model", model, "--text", text, "--ctx", 2048, "--passages", 4, "--codec", *CODECS)
    check.results[-1]["model"] = pathlib.Path(str(model)).name
    check.refusal()
    check.calibrations()
    (given.out / "sweeps.json").write_text(json.dumps(check.results, indent=1) + "\n")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
