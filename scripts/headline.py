#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What klt needs at another codec's KL divergence, over the coded layers and over the whole cache, from the committed samples.

Written apart from kakeya-report, with nothing but Python's library, as a check on it. Bits are 8 x bytes / values, summed over the
passages: of the coded layers (bytes_written, values), and of all layers (cache_bytes, cache_values), where skipped layers and, where
samples record one and the cache grows, the open page count 16 bits a value; and of a cache grown to 8k tokens, half a page open. Bits at a KL divergence lie on the straight line, in the
logarithm of the mean KL divergence over passages, between the two measured settings around it; nothing is extrapolated. The interval:
95 % of 2000 paired draws of the passages, seed 1.

usage: headline.py [PAGE] [--csv]
  PAGE   headline, held-out, held-out-kivi, held-out-cold, whole-text, whole-text-kivi, calibration-texts-kivi, kivi-cold: their pages' tables; front: that of README.md, from held-out's samples and the whole text's;
         agreement, agreement-kivi: which ratios of held-out (coded values) and of held-out-kivi (8k tokens) the whole text bears out;
         splits, splits-cold, splits-kivi: development passages beside held-out ones; calibration-texts: text that is coded against text that was calibrated on; pages: what a page
         costs while it is open; tcq: what trellis-coded quantisation saves on held-out passages; transform, transform-cold, transform-studies: older sweeps [headline]
  --csv  what stands in the page's folder as whole_cache.csv: the same in full precision, the cells that pages quote; tests/cli/readme.py compares
"""
import collections
import itertools
import json
import lzma
import math
import sys

from headline_cells import ROOT, cells, compared, drawn, ends, point, read_off
from headline_pages import CALIBRATIONS, CONTEXTS, FOLDERS, OLDER, OWN_KIND, PAGE_DEFAULT, PAGE_FAMILIES, PAGES, SCORED_KIND, SHARE_TEXT, SHORT, SPLITS, SPLITS_COLD, SPLITS_KIVI, TCQ, TEXT_BASELINES, TEXT_PAGES, TEXT_REFERENCE, TEXTS, check_shared, interval, kivi_own, kvtc, kvtc_exact, of_folder, own_digest, short
from spec import Spec

AGREEMENTS = {"agreement": ("held-out", "whole-text", 0), "agreement-kivi": ("held-out-kivi", "whole-text-kivi", 2)}  # pages, and which kind of bits


def measured(page, bound=False):
    """Yields model, unit, MB, reference, its KL divergence, coded layers, cache, cache of 8k where the page speaks of it, where the reference is within the curve or BOUND holds."""
    for title, folder, curves, *own in page.models:
        for curve in curves:
            for name, reference in itertools.chain(page.references.items(), *(more.items() for more in own)):
                found = compared(folder, tuple(curve.codecs()), (folder, of_folder(reference, folder)) if isinstance(reference, str) else reference, page.finished, bound)
                if found:
                    yield title, curve.unit, curve.megabytes, name, *(found if page.grown else found[:3])


def numbers(kl, of):
    theirs, ours, ratio, (low, high) = of
    found = {"KL divergence (nats)": kl, "its bits": theirs, "bits of klt": ours, "ratio": ratio, "ratio, low end": low, "ratio, high end": high}
    return {quantity: value for quantity, value in found.items() if math.isfinite(value)}


def print_csv(rows, labels=("coded layers", "whole cache", "whole cache of 8k")):
    """A line a number; ends beyond the measured settings are left out."""
    print("model,klt,at the KL divergence of,bits of,quantity,value")
    for title, unit, _, name, kl, *both in rows:
        for of, part in zip(labels, both):
            for quantity, value in numbers(kl, part).items():
                print(f'"{title}",{unit},"{name}",{of},"{quantity}",{value!r}')


def over_whole_text(title, unit):
    """Ratios of the whole cache of 8k tokens by reference."""
    folder, curve = next((folder, curve) for model, folder, curves in PAGES["whole-text"].models for curve in curves if (model, curve.unit) == (title, unit))
    found = {}
    for name, codec in SHORT.items():
        _, _, _, (*_, found[name], _) = compared(folder, tuple(curve.codecs()), (folder, codec), bound=True)
    return found


def print_short(rows):
    """The table of the front page: ratios of the whole cache of 8k tokens on held-out passages, and over the whole text."""
    print("| `klt` | MB |" + "".join(f" at the loss of {name} |" for name in SHORT) + "\n|---|--:|" + "--:|" * len(SHORT))
    for title, unit, megabytes in dict.fromkeys(row[:3] for row in rows):
        found, whole = {row[3]: row[-1] for row in rows if row[:2] == (title, unit)}, over_whole_text(title, unit)
        print(f"| {title}, {unit} | {megabytes} |" + "".join(f" {found[name][2]:.2f} ({short(interval(found[name][3]))}), {short(f'{whole[name]:.2f}')} |" for name in SHORT))


def columns(*parts, digits=2):
    return "".join(f"| {theirs:.2f} | {ours:.2f} | {ratio:.3f} ({interval(both, digits)}) " for theirs, ours, ratio, both in parts) + "|"


def print_page(rows, finished, digits):
    """Whole caches first. Of a finished cache every byte is coded and counted, so there is one kind of bits."""
    rows = list(rows)
    heads = ["its bits"] if finished else ["its bits, coded values", "its bits, whole cache", "its bits, 8k tokens"][:len(rows[0]) - 5][::-1]
    print("| `klt` | at the KL divergence of | nats |" + "".join(f" {head} | `klt`'s | ratio (95 %) |" for head in heads))
    print("|---|---|--:|" + "--:|--:|--:|" * len(heads))
    for title, unit, _, name, kl, *parts in rows:
        print(f"| {title}, {unit} | {name} | {kl:.4f} " + columns(*(parts[1:] if finished else parts[::-1]), digits=digits))


def print_by_text(rows, references):
    """Caches of 8k tokens: a row a model, unit and reference, a column a text; titles of models end in that of the text."""
    found = {(*title.split(", ", 1), unit, name): parts[-1] for title, unit, _, name, _, *parts in rows}
    print("| `klt` | at the KL divergence of |" + "".join(f" {text} |" for text in TEXTS) + "\n|---|---|" + "--:|" * len(TEXTS))
    order = list(references)
    for model, unit, name in sorted(dict.fromkeys((model, unit, name) for model, _, unit, name in found), key=lambda row: (*(list(FOLDERS).index(row[0]), row[1]), order.index(row[2]))):
        of_texts = (found.get((model, text, unit, name)) for text in TEXTS)
        print(f"| {model}, {unit} | {name} |" + "".join(f" {of[2]:.2f} ({short(interval(of[3]))}) |" if of else " |" for of in of_texts))


def older_cell(kl, coded, *_):
    """klt's bits of the coded values, their ratio and its interval; a bound where klt's cheapest setting loses less."""
    _, ours, ratio, both = coded
    return f"≤{ratio:.3f}" if both == (-math.inf, ratio) else f"{ours:.2f}: {ratio:.3f} ({interval(both, 3)})"


def print_older(page, rows):
    """A row a reference and a column a unit; where many texts are compared at one reference a model, a row a text."""
    units, found = list(dict.fromkeys(row[1] for row in rows)), {(row[0], row[3], row[1]): row[4:] for row in rows}
    keys = {key[:2]: of[:2] for key, of in found.items()}  # KL divergence, and the reference's bits
    if not page.references:
        print("| calibrated on: passages |" + "".join(f" {title}, at {name}: {kl:.4f} nats, {coded[0]:.2f} bits |" for (title, name), (kl, coded) in keys.items()))
        print("|---|" + "---|" * len(keys))
        for unit in units:
            print(f"| {unit} |" + "".join(f" {older_cell(*found[*key, unit])} |" for key in keys))
        return
    print("| | at the KL divergence of | nats | its bits |" + "".join(f" {unit} |" for unit in units))
    print("|---|---|--:|--:|" + "---|" * len(units))
    for (title, name), (kl, coded) in keys.items():
        print(f"| {title} | {name} | {kl:.4f} | {coded[0]:.2f} |" + "".join(f" {older_cell(*found[title, name, unit]) if (title, name, unit) in found else ''} |" for unit in units))


def print_splits(pages, as_csv):
    """Ratios over development passages beside those over held-out ones; of a finished cache there is one kind of bits. Then how many lie outside the held-out interval, and in whose favour."""
    found = {split: {(row[0], *row[1:4:2]): row[4:] for row in measured(page)} for split, page in pages.items()}
    both = [key for key in found["held-out"] if key in found["development"]]
    kinds = {2: "whole cache"} if pages["held-out"].finished else {2: "whole cache", 1: "coded values"}
    if pages["held-out"].grown:
        kinds = {3: "8k tokens", **kinds}
    if as_csv:
        rows = [(f"{title}, {split}", unit, "", name, *found[split][title, unit, name]) for title, unit, name in both for split in pages]
        print_csv(rows)
        return
    print("| `klt` | at the KL divergence of | nats: development | held-out |" + "".join(f" {kind}: development | held-out |" for kind in kinds.values()))
    print("|---|---|--:|--:|" + "--:|--:|" * len(kinds))
    for title, unit, name in both:
        seen, kept = (found[split][title, unit, name] for split in pages)
        print(f"| {title}, {unit} | {name} | {seen[0]:.4f} | {kept[0]:.4f} "
              + "".join(f"| {part[i][2]:.3f} ({interval(part[i][3])}) " for i in kinds for part in (seen, kept)) + "|")
    leading = next(iter(kinds))
    outside = [(kept[leading][2] < seen[leading][2]) for seen, kept in ((found["development"][key], found["held-out"][key]) for key in both)
               if not kept[leading][3][0] <= seen[leading][2] <= kept[leading][3][1]]
    if pages["held-out"].grown:
        print(f"\n{len(outside)} of {len(both)} ratios of {kinds[leading]} over development passages lie outside the held-out interval: in {sum(outside)} `klt` takes less on the held-out passages, in {len(outside) - sum(outside)} more.")


def print_tcq(as_csv):
    """Bits of the coded values by klt's whole layers with TCQ and without, each read off at another codec's KL divergence; the ratio of each draw pairs them."""
    rows = []
    for (folder, title, *curves), (name, codec) in itertools.product(TCQ, SHORT.items()):
        kl, *_ = point(cells(folder)[codec], range(len(cells(folder)[codec])))
        tcq, own = (read_off([point(cells(folder)[c], range(len(cells(folder)[c]))) for c in curve.codecs()], kl)[0] for curve in curves)
        both = zip(*(zip(*(drawn(folder, False, c) for c in curve.codecs())) for curve in curves), drawn(folder, False, codec))
        gains = ends(100 - 100 * read_off(with_tcq, at[0])[0] / read_off(without, at[0])[0] for with_tcq, without, at in both)
        rows.append((title, name, kl, own, tcq, 100 - 100 * tcq / own, gains))
    if as_csv:
        print("model,at the KL divergence of,quantity,value")
        for title, name, kl, own, tcq, gain, (low, high) in rows:
            for quantity, value in {"KL divergence (nats)": kl, "bits": own, "bits with TCQ": tcq, "fewer (%)": gain, "low end": low, "high end": high}.items():
                print(f'"{title}","{name}",{quantity},{value!r}')
        return
    print("| model | at the KL divergence of | nats | E8's points | TCQ | fewer bits (95 %) |")
    print("|---|---|--:|--:|--:|--:|")
    for title, name, kl, own, tcq, gain, (low, high) in rows:
        print(f"| {title} | {name} | {kl:.4f} | {own:.2f} | {tcq:.2f} | {gain:.1f} % ({low:.1f} to {high:.1f}) |")


def text_cell(parts, finished):
    """Ratios of the whole cache with its interval and, where the cache grows, of the coded values; of klt's cheapest setting they are bounds."""
    (*_, coded, (low, high)), (*_, cache, both) = parts
    if low == -math.inf and coded == high:
        return f"≤{cache:.2f}" if finished else f"≤{cache:.2f}, ≤{coded:.2f}"
    return f"{cache:.2f} ({short(interval(both))})" + ("" if finished else f", {coded:.2f}")


def text_references(page, model, samples=""):
    """Codecs without a profile, and KVTC, by name: (folder of samples, codec)."""
    here = {name: (samples, of_folder(codec, samples)) for name, codec in {**TEXT_BASELINES, **(kvtc(page.kvtc[model]) if model in page.kvtc else {})}.items()}
    exact = kvtc_exact(samples.replace("calibration-texts-cold", "kvtc-window"), page.kvtc[model]) if model in page.kvtc else {}
    return {**here, **exact, **(kivi_own(samples.replace("calibration-texts-cold", "kivi-cold")) if page.finished else {})}


def text_baselines(page):
    """By text and by other codec: klt's largest unit, calibrated on the mix, at that codec's KL divergence; None where it lies below klt's settings."""
    unit, (pattern, rates) = list(page.curves.items())[-1]
    return {(", ".join(filter(None, (model, title))), name): (unit, compared(prefix + folder, tuple(pattern.format(rate, digests[0]) for rate in rates), reference, page.finished, bound=True))
            for (model, prefix, digests), (title, folder) in itertools.product(page.models, TEXTS.items()) for name, reference in text_references(page, model, prefix + folder).items()}


def baseline_cell(found):
    """klt's bits of the whole cache to the codec's, a bound where klt's cheapest setting loses less."""
    if not found:
        return ""
    *_, ratio, (low, _) = found[2]
    return f"{'≤' if low == -math.inf else ''}{ratio:.2f}"


def text_rows(page):
    """By text that is coded, unit of klt and text of the profile: klt's settings at the loss of the best codec without a profile; OWN_KIND where it was measured."""
    for (model, prefix, digests), (title, folder), (unit, (pattern, rates)) in itertools.product(page.models, TEXTS.items(), page.curves.items()):
        samples, name = prefix + folder, ", ".join(filter(None, (model, title)))
        for calibration, digest in zip((*CALIBRATIONS, OWN_KIND), (*digests, own_digest(cells(samples, page.finished), pattern, rates, digests))):
            found = digest and compared(samples, tuple(pattern.format(rate, digest) for rate in rates), (samples, TEXT_REFERENCE), page.finished, bound=True)
            if found:
                yield name, unit, "", calibration, *found[:3]


def text_table(rows, finished):
    """Lines: a row a text and unit, a column a text of the profile; that of the own kind where any text has one, with a star where it is of SHARE_TEXT."""
    kinds = (*CALIBRATIONS, *((OWN_KIND,) if any(row[3] == OWN_KIND for row in rows) else ()))
    yield "| text that is coded | `klt` | nats |" + "".join(f" calibrated on {name} |" for name in kinds)
    yield "|---|---|--:|" + "--:|" * len(kinds)
    for (title, unit), group in itertools.groupby(rows, key=lambda row: row[:2]):
        group = list(group)
        found = {row[3]: text_cell(row[5:], finished) + (" *" if row[3] == OWN_KIND and title.endswith(SHARE_TEXT) else "") for row in group}
        if title.endswith(SCORED_KIND):
            found.setdefault(OWN_KIND, "as Wikipedia")
        yield f"| {title} | {unit} | {group[0][4]:.4f} |" + "".join(f" {found.get(kind, '')} |" for kind in kinds)


def print_texts(page, as_csv):
    """klt's bits over those of the best codec without a profile, by text that is coded and by text of the profile."""
    check_shared(ROOT / "reports", page)
    rows, baselines = list(text_rows(page)), text_baselines(page)
    if as_csv:
        print_csv([*rows, *((name, unit, "", f"mix; {reference}", *found[:3]) for (name, reference), (unit, found) in baselines.items() if found)])
        return
    print("\n".join(text_table(rows, page.finished)))
    print("\n| at the KL divergence of |" + "".join(f" {name} |" for name in TEXTS) + "\n|---|" + "--:|" * len(TEXTS))
    for model, reference in ((model, name) for model, *_ in page.models for name in text_references(page, model)):
        found = [baselines[", ".join(filter(None, (model, title))), reference][1] for title in TEXTS]
        if any(found):
            print(f"| {', '.join(filter(None, (model, reference)))} |" + "".join(f" {baseline_cell(of)} |" for of in found))


def print_open_pages(as_csv):
    """Bits of the coded values by page, and of a cache that grows with half a page open, on average, as bf16."""
    sums = collections.defaultdict(lambda: [0] * 5)
    for folder in ("pages/heads", "pages/layers"):
        with lzma.open(ROOT / "reports" / folder / "samples.jsonl.xz", "rt", encoding="utf-8") as lines:
            for cell in map(json.loads, lines):
                spec = Spec.parse(cell["codec_k"])
                key = spec.without("page", "profile").text, int(spec.keys.get("page", 0))
                sums[key] = [a + b for a, b in zip(sums[key], (cell["bytes_written"], cell["values"], cell["rel_mse_k"], cell["rel_mse_v"], 1))]
    if as_csv:
        print("codec,page,quantity,value")
    else:
        print("| codec | page | coded bits | rel-MSE K | rel-MSE V |" + "".join(f" {name} tokens |" for name in CONTEXTS))
        print("|---|--:|--:|--:|--:|" + "--:|" * len(CONTEXTS))
    for title, family in PAGE_FAMILIES.items():
        spec = Spec.parse(family)
        default = PAGE_DEFAULT["klt:layer" if spec.keys.get("scope") == "layer" else spec.name]
        found = sorted((page or default, *of) for (name, page), of in sums.items() if name == family)
        for page, size, values, rel_mse_k, rel_mse_v, count in found:
            bits = 8 * size / values
            growing = {name: bits + (16 - bits) * page / 2 / tokens for name, tokens in CONTEXTS.items()}
            if as_csv:
                for quantity, value in {"coded bits": bits, "rel-MSE K": rel_mse_k / count, "rel-MSE V": rel_mse_v / count, **growing}.items():
                    print(f'"{title}",pages of {page},{quantity},{value!r}')
            else:
                print(f"| {title} | {page:,} | {bits:.3f} | {rel_mse_k / count:.5f} | {rel_mse_v / count:.5f} |" + "".join(f" {value:.2f} |" for value in growing.values()))


def print_agreement(split, whole, part):
    """How many of a page's ratios the whole text has in their intervals; then those that it has not: model, unit, reference, whole text, held out."""
    there, here = ({(row[0], row[1], row[3]): row[5:][part] for row in measured(PAGES[page])} for page in (split, whole))
    shared = [key for key in here if key in there]
    beyond = [key for key in shared if not there[key][3][0] <= here[key][2] <= there[key][3][1]]
    print(f"{len(shared) - len(beyond)} of {len(shared)}")
    for key in beyond:
        print(f"{', '.join(key)}: {here[key][2]:.3f}, {there[key][2]:.3f} ({interval(there[key][3], 3)})")


def main(words):
    as_csv = "--csv" in words
    names = [word for word in words if word != "--csv"] or ["headline"]
    splits = {"splits": SPLITS, "splits-cold": SPLITS_COLD, "splits-kivi": SPLITS_KIVI}
    if len(names) > 1 or names[0] not in (*PAGES, *TEXT_PAGES, *splits, *OLDER, *AGREEMENTS, "front", "pages", "tcq"):
        sys.exit(f"headline: {' '.join(names)}: expected one of {', '.join((*PAGES, *TEXT_PAGES, *splits, *OLDER))}, {', '.join(AGREEMENTS)}, front, pages, tcq")
    if names[0] == "pages":
        return print_open_pages(as_csv)
    if names[0] == "tcq":
        return print_tcq(as_csv)
    if names[0] in splits:
        return print_splits(splits[names[0]], as_csv)
    if names[0] in TEXT_PAGES:
        return print_texts(TEXT_PAGES[names[0]], as_csv)
    if names[0] in OLDER:
        tables = [(page, list(measured(page, bound=True))) for page in OLDER[names[0]]]
        if as_csv:
            return print_csv(itertools.chain.from_iterable(rows for _, rows in tables))
        for number, (page, rows) in enumerate(tables):
            if number:
                print()
            print_older(page, rows)
        return None
    if names[0] in AGREEMENTS:
        return print_agreement(*AGREEMENTS[names[0]])
    if names[0] == "front":
        return print_short(list(measured(PAGES["held-out"])))
    page = PAGES[names[0]]
    rows = list(measured(page))
    if as_csv:
        return print_csv(rows)
    if page.by_text:
        return print_by_text(rows, page.references)
    return print_page([row for row in rows if not page.shown or row[1] in page.shown], page.finished, page.digits)


if __name__ == "__main__":
    main(sys.argv[1:])
