#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: checks every #include of lib/ and apps/ against the table below.

A room may include its own headers, those of the rooms in its row (and, through them, nothing more), the standard library, and its
heavy libraries in .cpp files only. Prints one line a violation and exits 1 if there was any.
"""
import pathlib
import re
import sys

# room: (rooms it may include, heavy libraries that its .cpp files may include, by the first part of the include path)
ROOMS = {
    "core": ((), ()),
    "lattice": (("core",), ()),
    "simd": (("core", "lattice"), ("hwy",)),
    "bitstream": (("core",), ()),
    "entropy": (("core", "lattice", "bitstream"), ()),
    "stats": (("core",), ("boost", "Eigen")),
    "json": (("core",), ("nlohmann",)),
    "profile": (("core",), ()),
    "codec": (("core", "lattice", "simd", "bitstream", "entropy", "profile"), ("zlib",)),
    "io": (("core", "stats", "profile", "json"), ("hdf5", "nlohmann", "openssl")),
    "weights": (("core", "json"), ("nlohmann",)),
    "text": (("core", "weights", "json"), ("nlohmann", "unicode")),
    "model": (("core", "weights"), ("torch", "ATen", "c10", "caffe2")),
    "reference": (("core",), ("torch", "ATen", "c10")),
    "capture": (("core", "model", "io"), ()),
    "cache": (("core", "bitstream", "codec", "profile", "model"), ()),
    "eval": (("core", "codec", "cache", "stats", "model", "text", "io", "json"), ("nlohmann",)),
    "calibrate": (("core", "stats", "profile", "simd", "entropy", "codec", "lattice", "model", "cache", "eval"), ("Eigen",)),
    "report": (("core", "stats", "io"), ("fmt",)),
    "audit": (("core", "lattice", "stats", "io", "report"), ("fmt",)),
    "tradeoff": (("core", "stats", "codec", "io", "report"), ("fmt",)),
    "published": (("core", "lattice", "stats", "codec", "json", "io", "report"), ("fmt", "nlohmann")),
}
APPS_HEAVY = {"CLI", "fmt", "nlohmann"}
SYSTEM = {"sys", "unistd.h", "fcntl.h", "signal.h", "poll.h", "malloc.h", "dlfcn.h"}
FORWARD = {"nlohmann/json_fwd.hpp"}  # declarations only: allowed in the headers of the room that owns the library
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def standard(name):
    return "/" not in name and "." not in name


def check_room(path, room, problems):
    allowed, heavy = ROOMS[room]
    for number, kind, name in includes(path):
        where = f"{path}:{number}"
        if name.startswith("kakeya/"):
            other = name.split("/")[1]
            if other != room and other not in allowed:
                problems.append(f"{where}: room {room} may not include {name}")
        elif standard(name) or name.split("/")[0] in SYSTEM:
            continue
        else:
            library = name.split("/")[0].removesuffix(".h")
            if library not in heavy:
                problems.append(f"{where}: room {room} does not own {name}")
            elif path.suffix == ".h" and name not in FORWARD:
                problems.append(f"{where}: {name} belongs in a .cpp file")


def check_app(path, problems):
    seen = set()
    for number, kind, name in includes(path):
        if name.startswith("kakeya/") or standard(name) or name.split("/")[0] in SYSTEM or (kind == '"' and "/" not in name):
            continue
        library = name.split("/")[0]
        seen.add(library)
        if library not in APPS_HEAVY:
            problems.append(f"{path}:{number}: programs do not include {name}")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    problems = []
    files = 0
    for path in sorted((root / "lib" / "kakeya").rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        files += 1
        room = path.relative_to(root / "lib" / "kakeya").parts[0]
        if room not in ROOMS:
            problems.append(f"{path}: room {room} is not in the table of scripts/check_layers.py")
            continue
        check_room(path, room, problems)
    for path in sorted((root / "apps").glob("*.[ch]*")):
        if path.suffix in (".h", ".cpp"):
            files += 1
            check_app(path, problems)
    for line in problems:
        print(line.replace(f"{root}/", ""))
    if files == 0:
        problems.append("no files")
    print(f"{files} files, {len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
