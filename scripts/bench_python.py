#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the Python binding costs: encode and decode of many vectors beside `kakeya-bench codec`, and one call on 8 vectors.

The package has to be installed in the interpreter that runs this (build/python/venv/bin/python after scripts/test_python.sh).
The two take turns, each first in every other one, so that a slow moment of the machine hits both; medians are compared.
kakeya-bench reuses its buffers, as encode and decode do with out=; without it they return new bytes and a new array.
"""
import argparse
import json
import statistics
import subprocess
import time

import kakeya
import numpy


def seconds(call, rounds, clock=time.perf_counter):
    times = []
    for _ in range(rounds):
        started = clock()
        call()
        times.append(clock() - started)
    return times


def small_call(call, repeats=2000, rounds=41):
    """Microseconds of the processor's time a call: the median and the least of rounds of many. By the clock on the wall
    whoever else runs would be counted too."""
    def many():
        for _ in range(repeats):
            call()
    times = seconds(many, rounds, time.thread_time)
    return {"median": 1e6 * statistics.median(times) / repeats, "least": 1e6 * min(times) / repeats}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/release/bin", help="folder of kakeya-bench [build/release/bin]")
    parser.add_argument("--codec", default="e8:q=10")
    parser.add_argument("--dim", type=int, default=128)
    parser.add_argument("--vectors", type=int, default=1 << 16)
    parser.add_argument("--turns", type=int, default=7)
    options = parser.parse_args()

    codec = kakeya.codec(options.codec, dim=options.dim)
    draw = numpy.random.default_rng(1)
    x = draw.standard_normal((options.vectors, options.dim)).astype("float32")
    frame, room, out = codec.encode(x), bytearray(codec.encoded_bound(options.vectors)), numpy.empty_like(x)
    calls = {"encode_out": lambda: codec.encode(x, out=room), "encode": lambda: codec.encode(x),
             "decode_out": lambda: codec.decode(frame, out=out), "decode": lambda: codec.decode(frame)}
    command = [f"{options.bin}/kakeya-bench", "codec", "--codec", options.codec, "--dim", str(options.dim),
               "--vectors", str(options.vectors), "--json"]

    def bench():
        return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)

    def python(rounds):
        """Vectors a second of each call, whose rounds take turns as those of kakeya-bench do."""
        times = {name: [] for name in calls}
        for call in calls.values():
            call()
        for _ in range(rounds):
            for name, call in calls.items():
                times[name] += seconds(call, 2)
        return {name: options.vectors / statistics.median(spent) for name, spent in times.items()}

    turns = []
    rounds = bench()["rounds"]
    for turn in range(options.turns):
        if turn % 2 == 0:
            told, own = bench(), python(rounds)
        else:
            own, told = python(rounds), bench()
        turns.append((own, told))
    result = {"codec": codec.spec, "dim": options.dim, "vectors": options.vectors, "turns": options.turns,
              "provenance": told["provenance"], "numpy": numpy.__version__}
    for kind in ("encode", "decode"):
        result[f"bench_{kind}_vectors_per_second"] = statistics.median(told[f"{kind}_vectors_per_second"] for _, told in turns)
    for name in calls:
        ratios = [own[name] / told[f"{name[:6]}_vectors_per_second"] for own, told in turns]
        result[name] = {"vectors_per_second": statistics.median(own[name] for own, _ in turns), "to_bench": statistics.median(ratios),
                        "to_bench_least_and_most": [min(ratios), max(ratios)]}
    few = x[:8]
    frame, room, out = codec.encode(few), bytearray(codec.encoded_bound(8)), numpy.empty_like(few)
    result["microseconds_a_call_on_8_vectors"] = {
        "encode": small_call(lambda: codec.encode(few)), "encode_out": small_call(lambda: codec.encode(few, out=room)),
        "decode": small_call(lambda: codec.decode(frame)), "decode_out": small_call(lambda: codec.decode(frame, out=out)),
        "of_which_the_vectors_at_bench_speed": {kind: 8e6 / result[f"bench_{kind}_vectors_per_second"] for kind in ("encode", "decode")}}
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
