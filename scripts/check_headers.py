#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each header of the library and of its C interface compiles alone, without a heavy library on the include path; what CUDA kernels share, as C++17 too.

usage: check_headers.py COMPILER [FOLDER]     (FOLDER in place of lib: for a test)

Most of the time would go into the same standard headers, hundreds of times. So a few sets of headers are precompiled, and each header is compiled
after the largest set that holds nothing but what the header includes itself, by whatever way: what it forgets to include stays unknown. So it does behind another
header that it includes, with all that this one includes: such headers are compiled in one file, one after another.
"""
import concurrent.futures
import itertools
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
SETS = 9
START, LOAD = 13, 0.12  # what starting the compiler takes, and loading a line of a set, where to read a thousand lines, or a line, takes 1
# What a header brings, in thousands of lines; others one.
LINES = {"<condition_variable>": 39, "<memory>": 35, "<thread>": 35, "<chrono>": 31, "<functional>": 29, "<mutex>": 25, "<atomic>": 24, "<algorithm>": 21, "<stdexcept>": 20,
         "<string>": 19, "<map>": 16, "<cmath>": 16, "<vector>": 15, "<set>": 14, "<deque>": 14, "<string_view>": 13, "<span>": 12, "<array>": 10, "<variant>": 8,
         "<optional>": 7, "<utility>": 5}
FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-pragma-once-outside-header", "-Wno-unused-function", f"-I{LIB}", f"-I{LIB.parent}"]  # kernels/*.h name nothing of CUDA


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


def choose_chains(wanted, sets):
    """[headers that are compiled one after another], of which each includes all that stands before it. Joined first where it saves most."""
    whole = {header: names | {header.relative_to(LIB).as_posix()} for header, names in wanted.items()}
    loaded = {header: max((weight_of(names) for names in sets if names <= wanted[header]), default=0) for header in wanted}
    joins = [(START + LOAD * loaded[after] + weight_of(whole[before]) - loaded[after], before, after)
             for before, after in itertools.permutations(wanted, 2) if whole[before] <= wanted[after]]
    following, led = {}, set()
    for gain, before, after in sorted(joins, reverse=True):
        if gain > 0 and before not in following and after not in led:
            following[before] = after
            led.add(after)
    chains = [[header] for header in wanted if header not in led]
    for chain in chains:
        while chain[-1] in following:
            chain.append(following[chain[-1]])
    return chains


def main():
    compiler = sys.argv[1] if len(sys.argv) > 1 else "c++"
    headers = sorted([*(LIB / "kakeya").rglob("*.h"), *(LIB / "bindings/c").rglob("*.h")])
    wanted = closures(headers)
    sets = choose_sets(wanted)
    shared = [header for header in headers if header.relative_to(LIB).as_posix() in SHARED]
    expected = len(SHARED) if LIB.parent == ROOT else 0

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

        def compiled(chain, standard):
            fitting = [(weight_of(names), str(path)) for names, path in precompiled if names <= wanted[chain[0]]] if standard == "c++20" else []
            first = ["-include", max(fitting)[1], "-Winvalid-pch"] if fitting else []
            command = [compiler, f"-std={standard}", *FLAGS, *first, "-x", "c++", "-"]
            text = "".join(f'#include "{header.relative_to(LIB)}"\n' for header in chain)
            done = subprocess.run(command, input=text, capture_output=True, text=True)
            return done.stderr if done.returncode else ""

        def errors_of(job):
            """[(header, errors)]: of a file of several each alone, and the last of them where only together they do not compile."""
            chain, standard = job
            errors = compiled(chain, standard)
            alone = [(header, compiled([header], standard)) for header in chain] if errors and len(chain) > 1 else []
            found = [(header, of) for header, of in alone if of]
            return found or ([(chain[-1], errors)] if errors else [])

        jobs = [(chain, "c++20") for chain in choose_chains(wanted, [names for names, _ in precompiled])] + [([header], "c++17") for header in shared]
        failed = [problem for problems in pool.map(errors_of, jobs) for problem in problems]
    for header, errors in failed:
        print(f"{header.relative_to(LIB.parent)} does not compile alone:\n{errors}")
    print(f"{len(headers)} headers, {len(failed)} failed")
    return 1 if failed or not headers or len(shared) < expected else 0


if __name__ == "__main__":
    sys.exit(main())
