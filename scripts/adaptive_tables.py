#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What transforms that learn from the cache they code need at published E8's KL divergence (Q=15), from the samples of scripts/adaptive.py.

Bits are 8 x bytes / values, summed over the passages that all compared codecs have, read off between two measured settings on a straight line in
the logarithm of the mean KL divergence; nothing is extrapolated. Intervals are 95 % of 2000 paired draws of the passages, seed 1. A profile
counts for one user: its bytes, as a reader needs them, over the values of that one cache (8000 tokens of a passage of 8192, whose last 192 are scored). Where a folder has controls: what other forwards lose with nothing coded.

A star: the coded passages share text with what the family's profile was calibrated on, as provenance.json has it.

usage: adaptive_tables.py [ROOT] [--csv]
  ROOT     a folder with a folder a sweep, MODEL.TEXT.TOKENS[.SPLIT]; ROOT-long beside it has rates of long caches [reports/adaptive]; of single
           heads inside the forward adaptive-hot
  --csv    the same in full precision, and what a family needs over the passages of another that has fewer
"""
import argparse
import collections
import functools
import itertools
import json
import lzma
import math
import pathlib
import re
import sys
from typing import NamedTuple

import headline_cells
from headline_pages import interval
from spec import Spec

REFERENCE = "e8:q=15,rule=published"
FEWEST = 2  # passages of a row of pages, and of a point of charts
TODAY, ECE8 = "six layers, mix", "ece8 centred"
HEADS, OWN = "single heads", "own kind"
CONTROLS = {"fused": "another attention", "decode": "token by token"}
UNITS = {1: "one layer", 2: "two layers", 3: "three layers", 6: "six layers"}
USUAL = {"heads": 500, "one layer": 1000}  # tokens that a profile counts as
LENGTHS = (8192, 32768, 131072)


class Sweep(NamedTuple):
    """A folder of samples."""
    folder: pathlib.Path
    model: str
    text: str
    tokens: int
    split: str
    plan: dict
    cells: dict  # codec: passage: KL divergence (None: rates alone), bytes and values as coded, of the cache
    families: dict  # title: its codecs
    profiles: dict  # codec: bytes that a reader needs
    shared: frozenset  # codecs whose profile was calibrated on text that stands in the passages too

    @property
    def values(self):
        """A token's."""
        return 2 * self.plan["layers"] * self.plan["kv_heads"] * self.plan["head_dim"]

    def starred(self, title):
        return title + (" *" if self.shared.intersection(self.families[title]) else "")


class Compared(NamedTuple):
    passages: int
    nats: float
    coded: float
    whole: float
    ratio: float
    ends: tuple  # of coded
    ratio_ends: tuple


def lines_of(folder, name="samples"):
    packed = folder / f"{name}.jsonl.xz"
    with lzma.open(packed, "rt", encoding="utf-8") if packed.exists() else open(folder / f"{name}.jsonl", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.endswith("\n"))


def floors(folder):
    """What other forwards lose on the passages of a sweep with nothing coded: how many passages, their mean KL divergence."""
    losses = collections.defaultdict(dict)
    if any(folder.glob("controls.jsonl*")):
        for control in lines_of(folder, "controls"):
            name = CONTROLS.get(control["control"], f"{control['control']} arithmetic")
            losses[f"nothing coded: {name}"][control["passage"]] = control["kld_mean"]
    return {name: (len(of), sum(of.values()) / len(of)) for name, of in losses.items()}


def unit_of(record, plan):
    """Of a profile's record: how many layers its transforms have together, from the bytes of rotations and predictors of 2 or 1 bytes a value."""
    width, layers = 2 * plan["kv_heads"] * plan["head_dim"], plan["layers"]
    heads = 2 * layers * plan["kv_heads"] * plan["head_dim"] ** 2
    size = max(use["reader_bytes"] for use in record["uses"])
    sizes = {(unit, each): each * (width ** 2 * (2 * layers * unit - unit ** 2) + heads) for unit in UNITS if layers % unit == 0 for each in (2, 1)}
    unit, each = min(sizes, key=lambda key: abs(math.log(size / sizes[key])))
    return UNITS[unit], ", int8" if each == 1 else ""


def heads_stored(codec, record, plan):
    """Of single heads alone: whether their matrices have a byte a value in a profile, not two."""
    size = max(use["reader_bytes"] for use in record["uses"] if use["codec"] == codec)
    return ", int8" if size < 1.5 * 2 * plan["layers"] * plan["kv_heads"] * plan["head_dim"] ** 2 else ""


def title_of(codec, records, plan):
    name, keys = Spec.parse(codec)
    if name == "ece8":
        return ECE8
    if name == "kvtc":
        return "KVTC"
    if name != "klt":
        return codec
    more = "".join(f", {key}={keys[key]}" for key in ("group", "send") if key in keys)
    if keys["profile"] == "none":
        return "no profile" + more
    record = next(record for digest, record in records.items() if digest.startswith(keys["profile"]))
    kind = "mix" if " + " in record["text_name"] else OWN if record["text_name"].endswith(".rest.txt") else "novel"
    learns = f", adapt={keys['adapt']}" if "adapt" in keys else ""
    if "scope" not in keys:
        return f"{HEADS}, {kind}{learns}{', scales' if 'learn' in keys else ''}"
    unit, stored = ("heads", heads_stored(codec, record, plan)) if keys.get("prior") == "heads" else unit_of(record, plan)
    return f"{unit}, {kind}{stored}{learns}" + more


@functools.lru_cache(maxsize=None)
def load(folder):
    model, *text, last = folder.name.split(".")
    tokens, split = (last, "") if last.isdigit() else (text.pop(), last)
    document = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    plan, cells = document["plan"], collections.defaultdict(dict)
    for cell in lines_of(folder):
        if cell["codec_k"] != "identity":
            cells[cell["codec_k"]][cell["passage"]] = (cell.get("kld_mean"), cell["bytes_written"], cell["values"], headline_cells.whole(cell, cell.get("mode") != "inforward"), cell["cache_values"])
    records, profiles, shared = {}, {}, set()
    for run in document["runs"]:
        for record in run.get("profiles", ()):
            known = records.setdefault(record["sha256"], {**record, "uses": []})
            known["uses"] = known["uses"] + record["uses"]
            for use in record["uses"]:
                profiles[use["codec"]] = max(profiles.get(use["codec"], 0), use["reader_bytes"])
            if record.get("shared_passages"):
                shared.update(use["codec"] for use in record["uses"])
    families = collections.defaultdict(list)
    for codec in cells:
        families[title_of(codec, records, plan)].append(codec)
    return Sweep(folder, model, ".".join(text), int(tokens), split, plan, dict(cells), dict(families), profiles, frozenset(shared))


def sweeps(root):
    return sorted((load(path.parent) for path in root.glob("*/provenance.json")), key=lambda sweep: (sweep.model, sweep.split, sweep.text, sweep.tokens))


@functools.lru_cache(maxsize=None)
def points(folder, codec, passages):
    """Mean KL divergence, bits a value of coded values and of the cache: over these passages, then over each draw of them, the same for all codecs."""
    cells = [load(folder).cells[codec][passage] for passage in passages]
    found = []
    for draw in (range(len(cells)), *headline_cells.draws(len(cells))):
        kl, *sums = (sum(column) for column in zip(*(cells[i] for i in draw)))
        found.append((kl / len(draw), *(8 * size / values for size, values in zip(sums[::2], sums[1::2]))))
    return found


def compared(sweep, title, other=None):
    """Of a family at the reference's KL divergence, over the passages that it, the reference and the other family have: how many, nats, bits of coded values
    with their ends and their ratio to the other's with its ends, and bits of the cache, what is open of a growing one in bf16. None where one of them does not reach it, or lacks passages."""
    curves = [sweep.families[name] for name in (title, other) if name]
    passages = tuple(sorted(set.intersection(*(set(sweep.cells[codec]) for codec in itertools.chain([REFERENCE], *curves)))))
    if not passages:
        return None
    reference, *drawn = ([points(sweep.folder, codec, passages) for codec in codecs] for codecs in ([REFERENCE], *curves))
    found = []
    for i, (kl, *_) in enumerate(reference[0]):
        coded, *others = (headline_cells.read_off([of_codec[i] for of_codec in curve], kl) for curve in drawn)
        found.append((*coded[:2], coded[0] / others[0][0] if others else 1.0))
    if not all(map(math.isfinite, found[0])) or 0.0 in found[0]:
        return None
    ends = lambda column: headline_cells.ends([values[column] for values in found[1:] if not math.isnan(values[column])])
    low, high = ends(2)  # a ratio to what was beyond its settings is 0
    return Compared(len(passages), reference[0][0][0], *found[0], ends(0), (low or -math.inf, high))


def variants(title):
    """What a family is a variant of, one thing at a time: the same with a profile that counts as many tokens as usual, in floats; then no layers together, no directions sent."""
    usual = next((tokens for unit, tokens in USUAL.items() if title.startswith(f"{unit}, ")), None)
    plain = title.replace(", int8", "")
    plain = re.sub(r"adapt=\d+", f"adapt={usual}", plain) if usual else plain
    return [other for other in dict.fromkeys((plain, re.split(", (?:group|send)=", plain)[0])) if other != title]


def rivals(title):
    """What a family is held against: today's profile, its like, centred ece8, a static profile of the text's own kind. Its like: what it is a variant of; of others the static mix of their own width."""
    unit = next((unit for unit in (*UNITS.values(), HEADS) if title.startswith(unit)), UNITS[1])
    return TODAY, next(iter(variants(title)), f"{unit}, mix"), ECE8, f"{unit}, {OWN}"


def profile_bits(sweep, title, tokens):
    codecs = sweep.families[title]
    return 8 * max(sweep.profiles.get(codec, 0) for codec in codecs) / (sweep.values * tokens)


@functools.lru_cache(maxsize=None)
def rows_of(folder):
    """Rows of a sweep: family; what it needs, bits with the profile, and it beside each rival."""
    sweep, rows = load(folder), {}
    for title in sorted(sweep.families):
        if title == REFERENCE or REFERENCE not in sweep.cells:
            continue
        found = compared(sweep, title)
        if not found:
            continue
        ratios = [compared(sweep, title, rival) if rival in sweep.families and rival != title else None for rival in rivals(title)]
        rows[title] = found, found.whole + profile_bits(sweep, title, sweep.plan["context"]), ratios
    return rows


def long_rates(root):
    """Of each model and family: bits of coded values by codec, by tokens; of codecs that were stopped before the last passage none."""
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    for sweep in sweeps(root.with_name(root.name + "-long")):
        all_passages = max(map(len, sweep.cells.values()), default=0)
        for title, codecs in sweep.families.items():
            for codec in codecs:
                cells = list(sweep.cells[codec].values())
                if len(cells) < all_passages:
                    continue
                found[sweep.model, title][sweep.tokens][codec] = 8 * sum(cell[1] for cell in cells) / sum(cell[2] for cell in cells)
    return found


def grown(rates, model, title, tokens):
    """By how many bits the rate of a long cache differs from that of 8k tokens, of its first passages, at the same settings; None where it was not measured."""
    if tokens == LENGTHS[0] or "adapt" not in title and title != "no profile":
        return 0.0
    of = rates.get((model, title), {})
    both = of.get(tokens, {}).keys() & of.get(LENGTHS[0], {}).keys()
    return sum(of[tokens][codec] - of[LENGTHS[0]][codec] for codec in both) / len(both) if both else None


def counted(root):
    """Yields model, family, bytes of its profile, passages of 8k tokens and, by length, bits of one user's cache at the reference's KL divergence with and without its profile: measured there, or else those of 8k tokens and
    what rates of long caches add."""
    rates, wiki = long_rates(root), scored_on_wiki(root)
    for sweep in wiki:
        measured = {other.tokens: rows_of(other.folder) for other in wiki if other.model == sweep.model}
        for title, row in rows_of(sweep.folder).items() if sweep.tokens == LENGTHS[0] else ():
            found = {}
            for tokens in LENGTHS:
                there, more = measured.get(tokens, {}).get(title), grown(rates, sweep.model, title, tokens)
                if there:
                    found[tokens] = there[0].whole, there[1]
                elif more is not None:
                    found[tokens] = row[0].whole + more, row[0].whole + more + profile_bits(sweep, title, tokens)
            yield sweep.model, title, max(sweep.profiles.get(codec, 0) for codec in sweep.families[title]), row[0].passages, found


def ratio_text(beside):
    return f"{beside.ratio:.3f} ({interval(beside.ratio_ends)})" if beside else ""


def scored_on_wiki(root):
    """Sweeps of WikiText-2 test but those over development passages: by model and tokens."""
    return [sweep for sweep in sweeps(root) if sweep.text == "wiki.test" and sweep.split != "development"]


def print_tables(root):
    """Long passages; WikiText-2 test by context; one user's caches."""
    print(f"| model, text | tokens | codec | passages | nats | coded bits (95 %) | whole cache | with its profile | of {TODAY} (95 %) | of its like | of {ECE8} | of its {OWN} |")
    print("|---|--:|---|" + "--:|" * 9)
    for sweep in sweeps(root):
        where = ", ".join(word for word in (sweep.model, sweep.text, sweep.split) if word)
        for title, (needs, counting, ratios) in rows_of(sweep.folder).items() if sweep.tokens >= LENGTHS[0] else ():
            print(f"| {where} | {sweep.tokens} | {sweep.starred(title)} | {needs.passages} | {needs.nats:.5f} | {needs.coded:.3f} ({interval(needs.ends)}) | {needs.whole:.3f} | {counting:.2f} "
                  + "".join(f"| {ratio_text(beside)} " for beside in ratios) + "|")
    for model, group in itertools.groupby(scored_on_wiki(root), key=lambda sweep: sweep.model):
        columns = {sweep.tokens: rows_of(sweep.folder) for sweep in group}
        print(f"\n| {model} |" + "".join(f" {tokens} tokens: bits | with the profile |" for tokens in columns))
        print("|---|" + "--:|--:|" * len(columns))
        for title in sorted(set(itertools.chain(*columns.values()))):
            cells = (f" {rows[title][0].whole:.3f} | {rows[title][1]:.2f} |" if title in rows else " | |" for rows in columns.values())
            print(f"| {title} |" + "".join(cells))
    print("\n| model | codec | passages | MB |" + "".join(f" {tokens // 1024}k: bits | with the profile |" for tokens in LENGTHS))
    print("|---|---|--:|--:|" + "--:|--:|" * len(LENGTHS))
    for model, title, size, passages, found in counted(root):
        print(f"| {model} | {title} | {passages} | {size / 1e6:.1f} |" + "".join(f" {found[tokens][0]:.2f} | {found[tokens][1]:.2f} |" if tokens in found else " | |" for tokens in LENGTHS))
    uncoded = [(sweep, name, *floor) for sweep in sweeps(root) for name, floor in floors(sweep.folder).items()]
    if uncoded:
        print("\n| model, text | tokens | | passages | nats |\n|---|--:|---|--:|--:|")
    for sweep, name, passages, nats in uncoded:
        print(f"| {', '.join(word for word in (sweep.model, sweep.text, sweep.split) if word)} | {sweep.tokens} | {name} | {passages} | {nats:.3g} |")


def on_fewer(sweep):
    """Yields a family, another that it is held against or that is held against it, of fewer passages: what the first needs over these, with its profile."""
    pairs = [(title, rival) for title in sorted(sweep.families) for rival in rivals(title) if rival in sweep.families and REFERENCE not in (title, rival)]
    for title, other in dict.fromkeys((*pairs, *((rival, title) for title, rival in pairs))):
        passages = [len(set.intersection(*(set(sweep.cells[codec]) for codec in (REFERENCE, *sweep.families[name])))) for name in (title, other)] if REFERENCE in sweep.cells else (0, 0)
        needs = compared(sweep, title, other) if passages[1] < passages[0] else None
        if needs:
            yield title, other, needs.whole + profile_bits(sweep, title, sweep.plan["context"])


def print_csv(root):
    print("model,text,context,codec,quantity,value")
    for sweep in sweeps(root):
        text = ", ".join(word for word in (sweep.text, sweep.split) if word)
        for title, (needs, counting, ratios) in rows_of(sweep.folder).items():
            numbers = {"passages": needs.passages, "KL divergence (nats)": needs.nats, "bits, coded values": needs.coded, "bits, low end": needs.ends[0],
                       "bits, high end": needs.ends[1], "bits, whole cache": needs.whole, "bits with its profile": counting}
            static = re.sub(", adapt=.*", "", title)
            more = [(static, compared(sweep, title, static))] if static != title and static in sweep.families and static not in rivals(title) else []
            for rival, beside in (*zip(rivals(title), ratios), *more):
                if beside:
                    numbers |= {f"of {rival}": beside.ratio, f"of {rival}, low end": beside.ratio_ends[0], f"of {rival}, high end": beside.ratio_ends[1]}
            for quantity, value in numbers.items():
                if math.isfinite(value):
                    print(f'{sweep.model},"{text}",{sweep.tokens} tokens,"{title}","{quantity}",{value!r}')
        for title, other, counting in on_fewer(sweep):
            print(f'{sweep.model},"{text}",{sweep.tokens} tokens,"{title}","bits with its profile, on the passages of {other}",{counting!r}')
        for name, (passages, nats) in floors(sweep.folder).items():
            print(f'{sweep.model},"{text}",{sweep.tokens} tokens,"{name}","passages",{passages}\n{sweep.model},"{text}",{sweep.tokens} tokens,"{name}","KL divergence (nats)",{nats!r}')
    for model, title, _, _, found in counted(root):
        for tokens, (bits, counting) in found.items():
            print(f'{model},one user,{tokens} tokens,"{title}","bits",{bits!r}\n{model},one user,{tokens} tokens,"{title}","bits with its profile",{counting!r}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=headline_cells.ROOT / "reports/adaptive")
    parser.add_argument("--csv", action="store_true")
    given = parser.parse_args()
    if not sweeps(given.root):
        sys.exit(f"adaptive_tables: {given.root}: no samples: expected what scripts/adaptive.py leaves in out/adaptive/adaptive")
    print_csv(given.root) if given.csv else print_tables(given.root)


if __name__ == "__main__":
    main()
