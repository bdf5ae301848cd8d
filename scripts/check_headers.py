#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each header of the library and of its C interface compiles alone, without a heavy library on the include path; what CUDA kernels share, as C++17 too.

usage: check_headers.py COMPILER [FOLDER]     (FOLDER in place of lib: for a test)

Most of the time would go into the same standard headers, hundreds of times. So a few sets of headers are precompiled, and each header is compiled
after the largest set that holds nothing but what the header includes itself, by whatever way: what it forgets to include stays unknown.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIB = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else ROOT / "lib"
SHARED = {f"kakeya/{header}" for header in ("core/half.h", "lattice/dn.h", "lattice/e8.h", "lattice/lattice.h", "lattice/quantise.h", "codec/window.h",
                                            "codecs/peers/block_rules.h")}
SETS = 20
# What a header brings, in thousands of lines; others one.
LINES = {"<condition_variable>": 39, "<memory>": 35, "<thread>": 35, "<chrono>": 31, "<functional>": 29, "<mutex>": 25, "<atomic>": 24, "<algorithm>": 21, "<stdexcept>": 20,
         "<string>": 19, "<map>": 16, "<cmath>": 16, "<vector>": 15, "<set>": 14, "<deque>": 14, "<string_view>": 13, "<span>": 12, "<array>": 10, "<variant>": 8,
         "<optional>": 7, "<utility>": 5}
FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-pragma-once-outside-header", "-Wno-unused-function", f"-I{LIB}"]


def includes_of(path):
    """What a header includes under no condition, as it writes it: "<vector>", "kakeya/core/kv.h"."""
    depth, found = 0, []
    for line in path.read_text().splitlines():
        if re.match(r"\s*#\s*if", line):
            depth += 1
        elif re.match(r"\s*#\s*endif", line):
            depth -= 1
        elif depth == 0 and (match := re.match(r'\s*#\s*include\s+(<[^>]+>|"([^"]+)")', line)):
            found.append(match[2] or match[1])
    return found


def closures(headers):
    """{header: all that it includes, by whatever way, itself besides}, for standard headers and those below lib."""
    known = {}

    def closure(path):
        if path not in known:
            known[path] = set()
            for name in includes_of(path):
                below = LIB / name
                if name.startswith("<"):
                    known[path].add(name)
                elif below.exists():
                    known[path] |= {name} | closure(below)
        return known[path]

    return {header: frozenset(closure(header)) for header in headers}


def weight_of(names):
    return sum(LINES.get(name, 1) for name in names)


def choose_sets(wanted):
    """Few of the closures, chosen one after another: each saves the most that those before it do not."""
    chosen, saved = [], {header: 0 for header in wanted}
    candidates = {closure: weight_of(closure) for closure in sorted(set(wanted.values()), key=sorted)}
    while len(chosen) < SETS:
        def gain(candidate):
            weight = candidates[candidate]
            return sum(weight - saved[header] for header, closure in wanted.items() if weight > saved[header] and candidate <= closure)

        best = max(candidates, key=gain)
        if gain(best) <= 0:
            break
        chosen.append(best)
        for header, closure in wanted.items():
            if best <= closure:
                saved[header] = max(saved[header], candidates[best])
    return chosen


def main():
    compiler = sys.argv[1] if len(sys.argv) > 1 else "c++"
    headers = sorted([*(LIB / "kakeya").rglob("*.h"), *(LIB / "bindings/c").rglob("*.h")])
    wanted = closures(headers)
    sets = choose_sets(wanted)
    jobs = [(header, "c++20") for header in headers]
    jobs += [(header, "c++17") for header in headers if header.relative_to(LIB).as_posix() in SHARED]
    expected = len(headers) + len(SHARED) if LIB.parent == ROOT else 1

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def precompile(numbered):
            number, names = numbered
            path = pathlib.Path(folder, f"set_{number}.h")
            path.write_text("".join(f"#include {name if name.startswith('<') else chr(34) + name + chr(34)}\n" for name in sorted(names)))
            command = [compiler, "-std=c++20", *FLAGS[1:], "-x", "c++-header", path, "-o", f"{path}.gch"]
            return names, path, subprocess.run(command, capture_output=True, text=True)

        precompiled = []
        for names, path, done in pool.map(precompile, enumerate(sets)):
            if done.returncode == 0:  # where it fails, so does a header in it, which is compiled as well
                precompiled.append((names, path))

        def compiles(job):
            header, standard = job
            fitting = [(weight_of(names), str(path)) for names, path in precompiled if names <= wanted[header]] if standard == "c++20" else []
            first = ["-include", max(fitting)[1], "-Winvalid-pch"] if fitting else []
            command = [compiler, f"-std={standard}", *FLAGS, *first, "-x", "c++", "-"]
            text = f'#include "{header.relative_to(LIB)}"\n'
            done = subprocess.run(command, input=text, capture_output=True, text=True)
            return header, done.returncode, done.stderr

        failed = 0
        for header, code, errors in pool.map(compiles, jobs):
            if code:
                failed += 1
                print(f"{header.relative_to(LIB.parent)} does not compile alone:\n{errors}")
    print(f"{len(headers)} headers, {failed} failed")
    return 1 if failed or len(jobs) < expected else 0


if __name__ == "__main__":
    sys.exit(main())
