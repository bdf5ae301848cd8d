#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What README and the other documents quote of apps/examples is what stands there, compiled and run.

usage: check_examples.py [--write]     --write puts into the documents what the examples say

A quotation is a line "<!-- example: apps/examples/NAME.cpp -->" and, right below it, a block ```cpp, or ```c of NAME.c. The block is what stands in the
file between the lines "// begin README" and "// end README", moved to the left, or the whole file where it has no such lines. Prints
one line a difference and exits 1 if there was any.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARK = re.compile(r"^<!-- example: (\S+) -->\n", re.MULTILINE)
BLOCK = re.compile(r"```(cpp|c)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
REGION = re.compile(r"^[ \t]*// begin README\n(.*?)^[ \t]*// end README\n", re.MULTILINE | re.DOTALL)


def quotable(root, name):
    text = (root / name).read_text(encoding="utf-8")
    regions = REGION.findall(text)
    if len(regions) > 1 or "begin README" in REGION.sub("", text):
        raise ValueError(f"{name}: expected at most one region, begun and ended")
    return textwrap.dedent(regions[0]) if regions else text


def check(root, path, problems, write=False):
    """Quotations in one document; what differs is added to `problems` or, with `write`, mended."""
    text, quoted, at = path.read_text(encoding="utf-8"), 0, 0
    while mark := MARK.search(text, at):
        line = f"{path.relative_to(root)}:{text.count(chr(10), 0, mark.start()) + 1}"
        at = mark.end()
        name, block = mark.group(1), BLOCK.match(text, mark.end())
        if not re.fullmatch(r"apps/examples/[a-z0-9_]+\.(cpp|c)", name) or not (root / name).is_file():
            problems.append(f"{line}: no such example: {name}")
        elif not block or not name.endswith(f".{block.group(1)}"):
            problems.append(f"{line}: expected a block ```{name.split('.')[-1]} below the mark")
        elif block.group(2) != quotable(root, name):
            if write:
                text = text[:block.start(2)] + quotable(root, name) + text[block.end(2):]
            else:
                problems.append(f"{line}: not what stands in {name} (scripts/check_examples.py --write copies it)")
        quoted += 1
    if write:
        path.write_text(text, encoding="utf-8")
    return quoted


def main():
    problems = []
    quoted = sum(check(ROOT, path, problems, write=sys.argv[1:] == ["--write"])
                 for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("apps/**/*.md"), *ROOT.glob("lib/**/*.md")]))
    for problem in problems:
        print(problem)
    print(f"{quoted} quotations, {len(problems)} that differ")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
