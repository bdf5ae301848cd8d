#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Binds the figures in the tables of reports/adaptive's pages to the cells of tables.csv, settings.csv and parts.csv that their rows name. kakeya-report verify --bind looks
figures up by value alone, and these tables have thousands of cells: run it first, then this, then kakeya-report verify.

usage: adaptive_bind.py [ROOT]     [reports/adaptive]
"""
import csv
import io
import pathlib
import re
import sys

from adaptive_pages import MODELS, SHORT, TEXTS
from adaptive_tables import LENGTHS, rivals
from headline_cells import ROOT

NUMBER = re.compile(r"\d+(?:\.\d+)?")
CONTEXT = 40  # bytes of a line before a figure, as kakeya-report verify has them
MODEL = {title: model for model, title in MODELS.items()}
TEXT = {title: text for text, title in TEXTS.items()}
PROFILE_BYTES = "stated: bytes that a reader needs, of the profile in provenance.json"
LENGTH = {short: tokens for tokens, short in SHORT.items()} | {f"{tokens // 1024}k": tokens for tokens in LENGTHS}


def cells_of(line):
    """The cells of a row of a table: each with where it begins in the line."""
    return [(match.start(1), match[1]) for match in re.finditer(r"\|([^|]*)(?=\|)", line)]


def place(text, split):
    """What names a sweep in the CSV files: model, text and split, tokens."""
    model, kind, *more = text.split(", ")
    if more and more[-1] == "development":
        split = more.pop()
    tokens = LENGTH[more[0]] if more else LENGTHS[0]
    return f"{MODEL[model]} | {TEXT[kind]}{f', {split}' if kind == 'Wikipedia' else ''} | {tokens} tokens"


def with_ends(name):
    """Names of a figure and of the ends that stand in brackets behind it."""
    return lambda found, text: [name, *([f"{name}, low end"] if "≥" in text else [f"{name}, high end"] if "≤" in text else [f"{name}, low end", f"{name}, high end"])][:found]


def bits_with_ends(found, text):
    return [name.replace("bits, coded values, ", "bits, ") for name in with_ends("bits, coded values")(found, text)]


def only(*names):
    return lambda found, text: names[:found]


def of_long(split):
    """Columns of what families need: their file and row, and names of the quantities of each column."""
    def columns(cells):
        title = cells[1].removesuffix(" *")
        return f"tables.csv | {place(cells[0], split)} | {title}", {3: only("KL divergence (nats)"), 4: bits_with_ends, 5: only("bits with its profile"), 6: with_ends(f"of {rivals(title)[0]}"), 7: with_ends(f"of {rivals(title)[1]}")}
    return columns


def of_settings(cells):
    title, other = (cell.removesuffix(" *") for cell in cells[1:3])
    return (f"settings.csv | {place(cells[0], 'held-out')} | {title} | of {other}",
            {4: only("most nats", "least nats"), 5: with_ends("ratio"), 6: only("ratio at the most nats"), 7: only("ratio at the least nats")})


def of_parts(head):
    names = {"nats": "KL divergence (nats)", "all": "bits with its profile"}
    return lambda cells: (f"parts.csv | {MODEL[cells[0]]} | {cells[1]} | bits={cells[2]}", {number: only(names.get(name, f"bits, {name}")) for number, name in enumerate(head) if number > 3})


def of_users(head):
    """One user's caches: two columns a length."""
    lengths = [LENGTH[name.split(":")[0]] for name in head[4::2]]
    return lambda cells: (f"tables.csv | {MODEL[cells[0]]} | one user",
                          {3: only(PROFILE_BYTES)} | {4 + number: only(f"{lengths[number // 2]} tokens | {cells[1]} | {'bits with its profile' if number % 2 else 'bits'}") for number in range(2 * len(lengths))})


def columns_of(head, page):
    """How rows below a head are read; None where they are not of these tables."""
    if head[:3] == ["text", "codec", "passages"]:
        return of_long("development" if page == "settings.md" else "held-out")
    if head[:3] == ["text", "codec", "of"]:
        return of_settings
    if head[:3] == ["model", "codec", "bits="]:
        return of_parts(head)
    return of_users(head) if head[:4] == ["model", "codec", "passages", "MB"] else None


def bound(page):
    """Yields context, figure, cell of every figure that a row of the tables names."""
    columns = None
    for line in page.read_text(encoding="utf-8").splitlines():
        found = cells_of(line)
        texts = [text.strip() for _, text in found]
        if not found or texts[0] in ("text", "model"):
            columns = columns_of(texts, page.name) if found else None
        elif columns and not texts[0].startswith("-"):
            row, quantities = columns(texts)
            for number, names_of in quantities.items():
                begin, text = found[number]
                figures = list(NUMBER.finditer(text))
                for figure, name in zip(figures, names_of(len(figures), text), strict=True):
                    before = re.sub(r"\s+", " ", line[:begin + figure.start()]).encode()[-CONTEXT:].decode(errors="ignore")
                    yield before, figure[0], name if name.startswith("stated: ") else f"{row} | {name} | value"


def main(words):
    root = pathlib.Path(words[0]) if words else ROOT / "reports/adaptive"
    table = root / "figures.csv"
    rows = list(csv.reader(io.StringIO(table.read_text(encoding="utf-8"))))
    cells = {(page.name, context, figure): cell for page in sorted(root.glob("*.md")) if page.name not in ("details.md", "report.md") for context, figure, cell in bound(page)}
    changed = 0
    for row in rows[1:]:
        cell = cells.get(tuple(row[:3]), row[3])
        changed += cell != row[3]
        row[3] = cell
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    table.write_text(out.getvalue(), encoding="utf-8")
    print(f"adaptive_bind: {table}: {len(rows) - 1} figures, {len(cells)} of tables, {changed} bound anew")


if __name__ == "__main__":
    main(sys.argv[1:])
