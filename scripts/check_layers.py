#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: checks every #include of lib/ and apps/ against lib/kakeya/rooms.json, the table that CMake links by.

A room may include its own headers, those of the rooms in its row (and, through them, nothing more), the standard library, and its
heavy libraries in .cpp files only, and in headers that its row calls private: those are included by the room itself. Rooms stand in the order of the table: each names only rooms above it. version.h may be included
by all. Public headers, which the table lists by room and kakeya.h names, include public headers and the standard library alone. Bindings
(lib/bindings) include of kakeya what others get: public headers; and those that the table opens to them, of rooms that are not installed.
Rooms that read samples name no codec: what they have to know of one is in its descriptor. No file has more than 400 lines.
Texts that name codecs are taken apart by lib/kakeya/codec/spec*.cpp alone: nobody else looks for ",key=" or ", V " in one.
Prints one line a violation and exits 1 if there was any.
"""
import json
import pathlib
import re
import sys

APPS_HEAVY = {"CLI", "fmt", "nlohmann"}
SYSTEM = {"sys", "unistd.h", "fcntl.h", "signal.h", "poll.h", "malloc.h", "dlfcn.h", "ftw.h"}
INTRINSICS = {"immintrin.h": ("entropy/lane_steps.cpp", "entropy/field_registers.cpp")}  # the files of each; elsewhere Highway or plain loops
CONTRACTS = {"bindings/c/kakeya_plugin.h": "plugin"}  # C headers that others implement: the one room that calls what they declare
SHADOWED = {"filesystem::remove_all(", "fs::remove_all("}  # LibTorch exports its own, which crashes: core/files.h, remove_folder()
NAMELESS = {"stats", "report", "report/verify"}  # rooms in which no codec has a name
SPEC_READERS = "lib/kakeya/codec/spec"  # spec.cpp, spec_args.cpp, spec_pattern.cpp: who takes texts of codecs apart
CUT_SPEC = re.compile(r'(?:\b(?:r?find|r?search|find_\w+|starts_with|ends_with|contains|compare|replace\w*|regex_\w+)\s*\(|\bregex\s*\w*\s*[({])'  # what looks for
                      r'[^()";]*"[^"\n]*(?:[,:][\])]?\w+=|, [KV] |\bK )')  # a literal that has a key of a spec, or what stands before the codec of keys or values
CODEC_NAME = re.compile('"(?:e8|ece8|klt|kvtc|kivi)')
MOST_LINES = 400
VERSION, UMBRELLA = "kakeya/version.h", "kakeya/kakeya.h"
FORWARD = {"nlohmann/json_fwd.hpp"}  # declarations only: allowed in the headers of the room that owns the library
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def check_shadowed(path, problems):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if any(call in line.split("//")[0] for call in SHADOWED):
            problems.append(f"{path}:{number}: std::filesystem::remove_all() crashes beside LibTorch 2.11: expected remove_folder() of core/files.h")


def check_length(path, problems):
    """Its lines, of which there may not be too many."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if len(lines) > MOST_LINES:
        problems.append(f"{path}: {len(lines)} lines: expected at most {MOST_LINES}")
    return lines


def cut_specs(text):
    """The numbers of the lines in which a call looks for a part of a spec."""
    return [text.count("\n", 0, match.start()) + 1 for match in CUT_SPEC.finditer(text)]


def check_specs(path, problems):
    if SPEC_READERS in path.as_posix():
        return
    for number in cut_specs(path.read_text(encoding="utf-8")):
        problems.append(f"{path}:{number}: takes the text of a codec apart: expected Spec or SpecPair of codec/spec.h")


def check_text(path, room, problems):
    lines = check_length(path, problems)
    if room in NAMELESS:
        for number, line in enumerate(lines, 1):
            if CODEC_NAME.search(line):
                problems.append(f"{path}:{number}: room {room} names a codec: expected what its descriptor says")


def standard(name):
    return "/" not in name and "." not in name


def room_of(place, rooms):
    """The room of a path below lib/kakeya: the longest name of the table that is its folder or one above it."""
    folder = place.parent
    while folder.name:
        if str(folder) in rooms:
            return str(folder)
        folder = folder.parent
    return None


def read_table(path, problems):
    table = json.loads(path.read_text(encoding="utf-8"))
    libraries = {name: set(library["includes"]) for name, library in table["libraries"].items()}
    rooms = {}
    for row in table["rooms"]:
        for other in row["includes"]:
            if other not in rooms:
                problems.append(f"{path}: {row['room']} may include {other}, which does not stand above it")
        heavy = set().union(*(libraries[name] for name in row["libraries"]), set())
        rooms[row["room"]] = (set(row["includes"]), heavy, set(row.get("private", [])))
    return table, rooms


def check_room(path, room, rooms, problems):
    allowed, heavy, private = rooms[room]
    own = path.suffix != ".h" or path.name in private
    for number, kind, name in includes(path):
        where = f"{path}:{number}"
        if name == VERSION:
            continue
        if name.startswith("kakeya/"):
            other = room_of(pathlib.PurePosixPath(name).relative_to("kakeya"), rooms)
            if other != room and other not in allowed:
                problems.append(f"{where}: room {room} may not include {name}")
            elif pathlib.PurePosixPath(name).name in rooms.get(other, ((), (), ()))[2] and (other != room or not own):
                problems.append(f"{where}: {name} is private to the .cpp files of room {other}")
        elif standard(name) or name.split("/")[0] in SYSTEM:
            continue
        elif name in CONTRACTS:
            if room != CONTRACTS[name]:
                problems.append(f"{where}: {name} belongs to room {CONTRACTS[name]} alone")
        elif name in INTRINSICS:
            if not path.as_posix().endswith(tuple(f"lib/kakeya/{file}" for file in INTRINSICS[name])):
                problems.append(f"{where}: {name} belongs in {' and '.join(INTRINSICS[name])} alone")
        else:
            library = name.split("/")[0].removesuffix(".h")
            if library not in heavy:
                problems.append(f"{where}: room {room} does not own {name}")
            elif not own and name not in FORWARD:
                problems.append(f"{where}: {name} belongs in a .cpp file")


def headers_of(table, who):
    return [f"kakeya/{row['room']}/{name}" for row in table["rooms"] for name in row.get(who, [])]


def public_headers(table):
    return [VERSION] + headers_of(table, "public")


def check_public(lib, table, problems):
    """The front door: kakeya.h names every public header once, and none of them leads into a private one."""
    public = public_headers(table)
    for row in table["rooms"]:
        if row.get("public") and row["building"] != "codec":
            problems.append(f"{lib / 'rooms.json'}: room {row['room']} of building {row['building']} has public headers, expected none outside codec")
    named = [name for _, _, name in includes(lib / "kakeya.h")]
    for name in sorted(set(public) ^ set(named)):
        where = "does not name it" if name in public else "names it, lib/kakeya/rooms.json does not"
        problems.append(f"{name}: public headers are those of lib/kakeya/rooms.json and kakeya.h, which {where}")
    if len(named) != len(set(named)):
        problems.append(f"{lib / 'kakeya.h'}: a header is named twice")
    for header in public:
        path = lib.parent / header
        if not path.is_file():
            problems.append(f"{header}: public, but no such file")
            continue
        for number, _, name in includes(path):
            if name not in public and not standard(name):
                problems.append(f"{path}:{number}: public, may not include {name}, which is not")


def check_binding(path, public, problems):
    for number, _, name in includes(path):
        if name.startswith("kakeya/") and name not in public:
            problems.append(f"{path}:{number}: bindings may not include {name}, which is neither public nor opened to bindings")


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
    lib = root / "lib" / "kakeya"
    table, rooms = read_table(lib / "rooms.json", problems)
    check_public(lib, table, problems)
    for path in sorted(lib.rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        files += 1
        check_shadowed(path, problems)
        if path.parent == lib and path.name in (pathlib.Path(VERSION).name, pathlib.Path(UMBRELLA).name):
            continue
        room = room_of(path.relative_to(lib), rooms)
        if room is None:
            problems.append(f"{path}: its folder is no room of lib/kakeya/rooms.json")
            continue
        check_room(path, room, rooms, problems)
        check_text(path, room, problems)
    for path in sorted((root / "lib/bindings").rglob("*.[ch]*")):
        if path.suffix in (".h", ".cpp"):
            files += 1
            check_text(path, None, problems)
            check_binding(path, {*public_headers(table), *headers_of(table, "bindings"), UMBRELLA}, problems)
    for path in sorted((root / "apps").rglob("*.[ch]*")):
        if path.suffix in (".h", ".cpp"):
            files += 1
            check_app(path, problems)
            check_text(path, None, problems)
            check_shadowed(path, problems)
    for path in sorted(path for folder in ("lib", "apps", "kernels", "scripts", "tests") for path in (root / folder).rglob("*")):
        if path.suffix in (".py", ".sh", ".cu", ".cuh", ".c") or path.suffix in (".h", ".cpp") and path.relative_to(root).parts[0] in ("kernels", "tests"):
            files += 1
            check_length(path, problems)
    for path in sorted(path for folder in ("lib", "apps") for path in (root / folder).rglob("*.[ch]*")):
        if path.suffix in (".h", ".cpp"):
            check_specs(path, problems)
    for line in problems:
        print(line.replace(f"{root}/", ""))
    if files == 0:
        problems.append("no files")
    print(f"{files} files, {len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
