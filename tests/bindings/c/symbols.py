#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libkakeya.so exports what its headers declare and nothing else, in the versions that symbols.txt says. The library's name is its ABI's.

usage: symbols.py LIBRARY

A name that has left symbols.txt, or another version behind it, is a program that does not start any more. New names are added with the
version node that they came with.
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
HEADERS = [HERE.parents[2] / "lib/bindings/c" / name for name in ("kakeya.h", "kakeya_device.h")]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    library = sys.argv[1]
    run = lambda *command: subprocess.run(command, check=True, capture_output=True, text=True).stdout
    exported = [line.split()[-1] for line in run("nm", "-D", "--defined-only", "--with-symbol-versions", library).splitlines()]
    exported = {name.replace("@@", "@") for name in exported if not name.startswith("KAKEYA_")}  # the nodes themselves
    listed = set((HERE / "symbols.txt").read_text().split())
    header = "\n".join(path.read_text() for path in HEADERS)
    declared = set(re.findall(r"^KAKEYA_API [^;(]*?\b(kakeya_\w+)\(", header, re.M))
    problems = [f"{name}: exported, not in symbols.txt" for name in sorted(exported - listed)]
    problems += [f"{name}: in symbols.txt, not exported" for name in sorted(listed - exported)]
    names = {name.split("@")[0] for name in exported}
    problems += [f"{name}: declared, not exported" for name in sorted(declared - names)]
    problems += [f"{name}: exported, declared in none of {', '.join(path.name for path in HEADERS)}" for name in sorted(names - declared)]
    abi = re.search(r"^#define KAKEYA_ABI_VERSION (\d+)$", header, re.M)[1]
    dynamic = run("readelf", "-d", library)
    soname = re.search(r"SONAME.*\[(.*)\]", dynamic)[1]
    problems += [f"{name}: needed at run time, expected within the library" for name in re.findall(r"NEEDED.*\[(lib(?:cuda|nv).*)\]", dynamic)]
    if soname != f"libkakeya.so.{abi}":
        problems.append(f"SONAME {soname}, expected libkakeya.so.{abi}")
    for line in problems:
        print(line)
    print(f"{len(exported)} symbols, {len(problems)} problems")
    return 1 if problems or not exported else 0


if __name__ == "__main__":
    sys.exit(main())
