#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the Python binding costs: encode and decode of many vectors beside `kakeya-bench codec`, and one call on 8 vectors.

The package has to be installed in the interpreter that runs this (build/python/venv/bin/python after scripts/test_python.sh).
The two take turns, so that a slow moment of the machine hits both; medians are compared. kakeya-bench reuses its buffers: so
does decode here (out=); encode returns new bytes, as it always does.
"""
import argparse
import json
import statistics
import subprocess
import time

import kakeya
import numpy


def seconds(call, rounds):
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return times


def small_call(call, repeats=2000, rounds=15):
    """Microseconds a call: the median of rounds of many."""
    def many():
        for _ in range(repeats):
            call()
    return 1e6 * statistics.median(seconds(many, rounds)) / repeats


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
    frame, out = codec.encode(x), numpy.empty_like(x)
    command = [f"{options.bin}/kakeya-bench", "codec", "--codec", options.codec, "--dim", str(options.dim),
               "--vectors", str(options.vectors), "--json"]
    rates = {"encode": ([], []), "decode": ([], [])}
    for _ in range(options.turns):
        told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        for name, call in (("encode", lambda: codec.encode(x)), ("decode", lambda: codec.decode(frame, out=out))):
            call()
            rates[name][0].append(options.vectors / statistics.median(seconds(call, told["rounds"])))
            rates[name][1].append(told[f"{name}_vectors_per_second"])
    result = {"codec": codec.spec, "dim": options.dim, "vectors": options.vectors, "turns": options.turns,
              "provenance": told["provenance"], "numpy": numpy.__version__}
    for name, (python, bench) in rates.items():
        result[name] = {"python_vectors_per_second": statistics.median(python), "bench_vectors_per_second": statistics.median(bench),
                        "python_to_bench": statistics.median(p / b for p, b in zip(python, bench)),
                        "python_to_bench_least_and_most": [min(p / b for p, b in zip(python, bench)), max(p / b for p, b in zip(python, bench))]}
    few = x[:8]
    frame, out = codec.encode(few), numpy.empty_like(few)
    result["microseconds_a_call_on_8_vectors"] = {
        "encode": small_call(lambda: codec.encode(few)), "decode": small_call(lambda: codec.decode(frame)),
        "decode_out": small_call(lambda: codec.decode(frame, out=out)),
        "of_which_the_vectors_at_bench_speed": {name: 8e6 / result[name]["bench_vectors_per_second"] for name in rates}}
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
