#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the published round trips of tq, d4 and e8 on a GPU as their authors composed them of PyTorch operations (dense Hadamard product,
round, argmax, scatter, where), and a copy of the same float32 vectors. Prints JSON: microseconds, the median of 20 after 3.

usage: gpu_published.py [VECTORS [DIM]]     1048576 vectors of 128
"""
import json
import math
import sys

import torch

EPSILON = 1.1920929e-07


def hadamard(dim):
    h = torch.ones(1, 1, device="cuda")
    while h.shape[0] < dim:
        h = torch.cat([torch.cat([h, h], 1), torch.cat([h, -h], 1)], 0)
    return (h / math.sqrt(dim)).contiguous()


def even_sum(y):
    rounded = torch.round(y)
    even = torch.remainder(rounded.sum(-1).long(), 2).eq(0)
    if even.all():
        return rounded
    rest = y - rounded
    worst = rest.abs().argmax(-1, True)
    one = torch.ones_like(rest[..., :1])
    step = torch.where(rest.gather(-1, worst).ge(0), one, -one)
    moved = rounded + torch.zeros_like(rounded).scatter_(-1, worst, step)
    return torch.where(even.unsqueeze(-1), rounded, moved)


def e8(y):
    half = torch.full_like(y[..., :1], 0.5)
    whole, shifted = even_sum(y), even_sum(y - half) + half
    nearer = (y - whole).pow(2).sum(-1, True) <= (y - shifted).pow(2).sum(-1, True)
    return torch.where(nearer, whole, shifted)


def round_trip(x, h, block, levels):
    def half(t):
        return t.half().float()

    norm = x.norm(2, 1, True).clamp_min(EPSILON)
    rotated = (x / norm) @ h
    step = half(rotated.abs().max(1, True)[0].clamp_min(EPSILON)) / levels
    t = rotated / step
    if block == 1:
        t = torch.round(t)
    else:
        blocks = t.reshape(-1, x.shape[1] // block, block)
        t = (even_sum(blocks) if block == 4 else e8(blocks)).reshape(x.shape)
    return (t.clamp(-levels, levels) * step) @ h * half(norm)


def microseconds(run):
    for _ in range(3):
        run()
    times = []
    for _ in range(20):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        run()
        end.record()
        end.synchronize()
        times.append(1e3 * begin.elapsed_time(end))
    return sorted(times)[10]


def main():
    vectors = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 20
    dim = int(sys.argv[2]) if len(sys.argv) > 2 else 128
    x, h = torch.randn(vectors, dim, device="cuda"), hadamard(dim)
    y = torch.empty_like(x)
    times = {"copy": microseconds(lambda: y.copy_(x))}
    for name, block, levels in (("tq:b=4", 1, 7), ("d4:q=38", 4, 38), ("e8:q=10", 8, 10)):
        times[name] = microseconds(lambda: round_trip(x, h, block, levels))
    print(json.dumps({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "vectors": vectors, "dim": dim, "type": "fp32",
                      "round_trip_us": times}, indent=2))


if __name__ == "__main__":
    main()
