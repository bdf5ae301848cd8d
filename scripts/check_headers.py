#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each header of the library and of its C interface compiles alone, without a heavy library on the include path; what CUDA kernels share, as C++17 too.

usage: check_headers.py COMPILER
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

SHARED = {f"kakeya/{header}" for header in ("core/half.h", "lattice/dn.h", "lattice/e8.h", "lattice/lattice.h", "lattice/quantise.h", "codec/window.h",
                                            "codecs/peers/block_rules.h")}


def main():
    compiler = sys.argv[1] if len(sys.argv) > 1 else "c++"
    root = pathlib.Path(__file__).resolve().parent.parent
    headers = sorted([*(root / "lib/kakeya").rglob("*.h"), *(root / "lib/bindings/c").rglob("*.h")])

    jobs = [(header, "c++20") for header in headers]
    jobs += [(header, "c++17") for header in headers if header.relative_to(root / "lib").as_posix() in SHARED]

    def compiles(job):
        header, standard = job
        command = [compiler, f"-std={standard}", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-pragma-once-outside-header",
                   "-Wno-unused-function", f"-I{root / 'lib'}", "-x", "c++", "-"]
        text = f'#include "{header.relative_to(root / "lib")}"\n'
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        return header, done.returncode, done.stderr

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, code, errors in pool.map(compiles, jobs):
            if code:
                failed += 1
                print(f"{header.relative_to(root)} does not compile alone:\n{errors}")
    print(f"{len(headers)} headers, {failed} failed")
    return 1 if failed or len(jobs) < len(headers) + len(SHARED) else 0


if __name__ == "__main__":
    sys.exit(main())
