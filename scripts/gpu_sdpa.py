#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times one decoding step of PyTorch's attention over keys and values in bf16, by cuDNN and by flash, as `kakeya-bench attention` times packed pages:
ten launches in a CUDA graph, keys and values taking turns so that the L2 cache does not serve them. Each backend is asked for a query a head with
enable_gqa, and with the query heads of a KV head as rows of one head; the faster counts. Prints JSON: microseconds, the median of 20 replays.

A shape of four numbers has layers before them, as `kakeya-bench step` has: one launch a layer, each over keys and values of its own as far as memory goes,
and microseconds are those of all.

usage: gpu_sdpa.py [SHAPES [BATCHES [TOKENS]]]     8x32x128  1,16  8192,32768,131072
"""
import json
import math
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

LAUNCHES, REPLAYS = 10, 20
BACKENDS = {"cudnn": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION}


def microseconds(run, launches=LAUNCHES, counted=LAUNCHES):
    """The median of LAUNCHES, over how many are COUNTED, or None where the backend refuses."""
    stream = torch.cuda.Stream()
    try:
        with torch.cuda.stream(stream):
            for i in range(3):
                run(i)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for i in range(launches):
                run(i)
    except RuntimeError as error:
        print(f"gpu_sdpa: left out: {str(error).splitlines()[0]}", file=sys.stderr)
        return None
    times = []
    for turn in range(5 + REPLAYS):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        if turn >= 5:
            times.append(1e3 * begin.elapsed_time(end) / counted)
    return sorted(times)[REPLAYS // 2]


def step(backend, grouped, shape, batch, tokens):
    *layers, heads, queries, dim = shape
    group = queries // heads
    bytes_of_one = 4 * batch * heads * tokens * dim
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    launches = layers[0] if layers else LAUNCHES
    fit = torch.cuda.get_device_properties(0).total_memory * 3 // 4 // bytes_of_one
    count = min(max(fit if layers else 4 * l2 // bytes_of_one + 1, 2), launches)
    one = torch.randn(batch, heads, tokens, dim, device="cuda", dtype=torch.bfloat16)
    keys, values = ([one.clone() for _ in range(count)] for _ in range(2))
    rows = (batch, heads, group, dim) if grouped else (batch, queries, 1, dim)
    query = torch.randn(rows, device="cuda", dtype=torch.bfloat16)

    def run(i):
        with sdpa_kernel(backend):
            scaled_dot_product_attention(query, keys[i % count], values[i % count], enable_gqa=not grouped and group > 1)

    return microseconds(run, launches, 1 if layers else LAUNCHES)


def copy_speed():
    x = torch.empty(1 << 28, device="cuda", dtype=torch.uint8)
    y = torch.empty_like(x)
    return 2e-3 * x.numel() / (microseconds(lambda i: y.copy_(x)))


def main():
    def asked(place, otherwise):
        return (sys.argv[place] if len(sys.argv) > place else otherwise).split(",")

    rows = []
    copy = copy_speed()
    for text in asked(1, "8x32x128"):
        shape = tuple(int(number) for number in text.split("x"))
        for batch in map(int, asked(2, "1,16")):
            for tokens in map(int, asked(3, "8192,32768,131072")):
                row = {"shape": text, "batch": batch, "tokens": tokens, "us": {}}
                for name, backend in BACKENDS.items():
                    for grouped in (False, True):
                        row["us"][name + ("_grouped" if grouped else "")] = step(backend, grouped, shape, batch, tokens)
                        torch.cuda.empty_cache()
                known = [us for us in row["us"].values() if us is not None]
                row["best_us"] = min(known) if known else None
                row["bytes"] = 4 * batch * tokens * math.prod((*shape[:-2], shape[-1]))
                row["copy_gb_per_second"] = copy
                rows.append(row)
    print(json.dumps({"sdpa": rows, "device": torch.cuda.get_device_name(0), "torch": torch.__version__, "cudnn": torch.backends.cudnn.version()}, indent=1))


if __name__ == "__main__":
    main()
