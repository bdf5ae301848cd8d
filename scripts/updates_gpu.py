#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an update of codecs that learn (klt with adapt=N) would take on a GPU: eigenvectors by cuSOLVER, and predictor and products, through PyTorch in float32, for
groups of n coordinates, one at a time and as many at once as a model has; beside them `kakeya-bench updates` on one core of the same machine. No codec of ours does so:
its bits differ from machine to machine, and a reader needs the writer's. Prints JSON: medians of seconds, and how many times as long the core takes.

usage: updates_gpu.py BIN [WIDTHS [BATCH]]     build/cuda/bin  384,768,1152,1536,2304,3072,4096  30
"""
import json
import subprocess
import sys
import time

import torch

ROUNDS, CORE_ROUNDS = 3, 3
LARGE = 2304  # coordinates from which the core is timed once


def second_moments(batch, width):
    """G diag(w) G^T of each of a batch, G normal, deviations over six octaves: as kakeya-bench makes them."""
    weights = torch.exp2(12 * (0.5 - (torch.arange(width, device="cuda") + 0.5) / width)) / width
    normal = torch.randn(batch, width, width, device="cuda")
    return (normal * weights) @ normal.mT


def median_seconds(work):
    work()
    times = []
    for _ in range(ROUNDS):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        work()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - begin)
    return sorted(times)[ROUNDS // 2]


def predictor(before, cross):
    """What the group before says, and what it explains, and the square that rounding took."""
    factor = torch.linalg.cholesky(before)
    said = torch.cholesky_solve(cross, factor)
    return cross.mT @ said, cross @ cross.mT


def on_core(binaries, width):
    command = (f"{binaries}/kakeya-bench", "updates", "--width", str(width), "--repeat", str(1 if width >= LARGE else CORE_ROUNDS), "--json")
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def on_gpu(width, batch):
    own, before = second_moments(batch, width), second_moments(batch, width) + 0.01 * torch.eye(width, device="cuda")
    cross = torch.randn(batch, width, width, device="cuda")
    found = {"batch": batch, "eigenvectors_seconds": median_seconds(lambda: torch.linalg.eigh(own)), "rest_seconds": median_seconds(lambda: predictor(before, cross))}
    found["seconds"] = found["eigenvectors_seconds"] + found["rest_seconds"]
    return found


def main(words):
    if not 1 <= len(words) <= 3:
        sys.exit(__doc__)
    widths = [int(width) for width in (words[1:2] or ["384,768,1152,1536,2304,3072,4096"])[0].split(",")]
    batch = int((words[2:3] or ["30"])[0])
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cuda.preferred_linalg_library("cusolver")
    rows = []
    for width in widths:
        core = on_core(words[0], width)
        (of_core,) = core["updates"]
        seconds = of_core["eigenvectors_seconds"] + of_core["rest_seconds"]
        row = {"width": width, "operations": of_core["operations"], "core": {**of_core, "seconds": seconds}, "gpu": []}
        for many in sorted({1, batch}):
            if many * 8 * 4 * width ** 2 > torch.cuda.get_device_properties(0).total_memory:
                continue
            found = on_gpu(width, many)
            row["gpu"].append({**found, "core_over_gpu": many * seconds / found["seconds"]})
        rows.append(row)
        print(f"updates_gpu: {width}", file=sys.stderr)
    print(json.dumps({"updates": rows, "device": torch.cuda.get_device_name(0), "torch": torch.__version__, "cuda": torch.version.cuda, "simd_target": core["simd_target"],
                      "provenance": core["provenance"]}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
