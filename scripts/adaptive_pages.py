#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of reports/adaptive/README.md and reports/adaptive-hot/README.md, with fewer columns than adaptive_tables.py prints; tests/cli/adaptive.py compares.

usage: adaptive_pages.py [adaptive | adaptive-hot]
"""
import sys

from adaptive_tables import FEWEST, HEADS, LENGTHS, counted, floors, ratio_text, rows_of, scored_on_wiki, sweeps
from headline_cells import ROOT
from headline_pages import interval

MODELS = {"gemma3-270m": "Gemma 3", "smollm2-135m": "SmolLM2"}
TEXTS = {"manpages-de": "German", "manpages-fr": "French", "manpages-zh": "Chinese", "python-code": "code", "wiki.test": "Wikipedia"}
BF16 = "nothing coded: bf16 arithmetic"
SHORT = {512: "512", 1024: "1k", 2048: "2k", 4096: "4k", 8192: "8k", 32768: "32k"}
SPLITS = ("development", "held-out")


def long_passages(root, split):
    """Sweeps of 8k tokens and more over development passages of WikiText-2 test, or else over its others and other texts."""
    return [sweep for sweep in sweeps(root) if sweep.tokens >= LENGTHS[0] and (sweep.split == "development") == (split == "development")]


def place(sweep):
    longer = "" if sweep.tokens == LENGTHS[0] else f", {SHORT.get(sweep.tokens)}"
    return f"{MODELS[sweep.model]}, {TEXTS[sweep.text]}{longer}"


def print_long(root, split="held-out"):
    """A row a text and family of long passages, two at least."""
    print("| text | codec | passages | nats | bits (95 %) | with its profile | of six layers, mix | of its like |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for sweep in long_passages(root, split):
        for title, (needs, counting, ratios) in rows_of(sweep.folder).items():
            if needs.passages < FEWEST:
                continue
            print(f"| {place(sweep)} | {sweep.starred(title)} | {needs.passages} | {needs.nats:.5f} | {needs.coded:.3f} ({interval(needs.ends)}) | {counting:.2f} | "
                  f"{ratio_text(ratios[0])} | {ratio_text(ratios[1])} |")


def print_counted(root):
    """One user's caches; a star where a longer one was measured at its own loss."""
    longer = {(sweep.model, sweep.tokens, title) for sweep in scored_on_wiki(root) if sweep.tokens > LENGTHS[0] for title in rows_of(sweep.folder)}
    print("| model | codec | passages | MB |" + "".join(f" {SHORT.get(tokens, f'{tokens // 1024}k')}: bits | with the profile |" for tokens in LENGTHS) + "\n|---|---|--:|--:|" + "--:|--:|" * len(LENGTHS))
    for model, title, size, passages, found in counted(root):
        if passages < FEWEST:
            continue
        star = lambda tokens: " *" if (model, tokens, title) in longer else ""
        print(f"| {MODELS[model]} | {title} | {passages} | {size / 1e6:.1f} |" + "".join(f" {found[tokens][0]:.2f}{star(tokens)} | {found[tokens][1]:.2f} |" if tokens in found else " | |" for tokens in LENGTHS))


def print_floors(root):
    """What bf16 arithmetic loses with nothing coded, by model: Wikipedia by length, then other texts."""
    lost = {(sweep.model, TEXTS[sweep.text], sweep.tokens): floors(sweep.folder)[BF16][1] for sweep in sweeps(root) if sweep.split != "development" and BF16 in floors(sweep.folder)}
    columns = sorted({(text != "Wikipedia", text if text != "Wikipedia" else "", tokens) for _, text, tokens in lost})
    print("| nothing coded, bf16 arithmetic: nats |" + "".join(f" {text or 'Wikipedia'}, {SHORT[tokens]} |" for _, text, tokens in columns) + "\n|---|" + "--:|" * len(columns))
    for model in reversed(MODELS):
        cells = (lost.get((model, text or "Wikipedia", tokens)) for _, text, tokens in columns)
        print(f"| {MODELS[model]} |" + "".join(f" {value:.5f} |" if value else " |" for value in cells))


def print_hot(root, model="smollm2-135m"):
    """Single heads: a column a length and split; the ratio to the static mix."""
    found = {(sweep.tokens, sweep.split): rows_of(sweep.folder) for sweep in sweeps(root) if sweep.model == model}
    columns = sorted(found, key=lambda column: (column[0], SPLITS.index(column[1])))
    print("| SmolLM2 |" + "".join(f" {SHORT[tokens]}, {split} |" for tokens, split in columns) + "\n|---|" + "--:|" * len(columns))
    one = lambda rows: next(iter(rows.values()))[0]
    print("| passages |" + "".join(f" {one(found[column]).passages} |" for column in columns))
    print("| nats |" + "".join(f" {one(found[column]).nats:.4f} |" for column in columns))
    for title in dict.fromkeys(title for column in columns for title in found[column]):
        cells = (found[column].get(title) for column in columns)
        print(f"| {title.removeprefix(f'{HEADS}, ')} |" + "".join(f" {cell[0].coded:.3f}{f'; {ratio_text(cell[2][1])}' if cell[2][1] else ''} |" if cell else " |" for cell in cells))


def main(words):
    name, *more = words or ["adaptive"]
    if more or name not in ("adaptive", "adaptive-hot"):
        sys.exit(f"adaptive_pages: {' '.join(words)}: expected adaptive or adaptive-hot")
    root = ROOT / "reports" / name
    if name == "adaptive-hot":
        return print_hot(root)
    for number, printed in enumerate((print_long, print_counted, print_floors)):
        if number:
            print()
        printed(root)
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
