#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What KVTC pays for its window of 128 exact tokens and loses by its authors' size of profile, from committed samples: the table of
reports/held-out-kvtc or of reports/kvtc-window, or with --csv its costs.csv, the cells that the page quotes.

usage: kvtc_costs.py [held-out-kvtc | kvtc-window] [--csv]
"""
import itertools
import json
import sys

from headline_cells import ROOT, cells, point
from headline_pages import FOLDERS, KVTC, KVTC_RATES, TEXTS
from spec import Spec

PROFILES = {"all components": "all-components", "paper's size": "paper-size"}
HELD_OUT, WINDOW = PAGES = ("held-out-kvtc", "kvtc-window")
DEVELOPMENT = "development passages"
WINDOW_RATES = {"all components": ("0.8", "1.7", "3.4"), "paper's size": ("0.8", "2.4")}  # that the table of other texts shows


def measured(folder):
    """By rate: mean KL divergence (nats) and bits a coded value; the digest of the profile that they share."""
    found = {codec: point(of, range(len(of))) for codec, of in cells(folder).items() if codec.startswith("kvtc:")}
    specs = {codec: Spec.parse(codec).keys for codec in found}
    digest, = {keys["profile"] for keys in specs.values()}
    return {specs[codec]["bits"]: of[:2] for codec, of in found.items()}, digest


def folders(page):
    """Yields model, text, folder of the samples without the profile's suffix, folder of those whose last 128 tokens are coded too."""
    for title, folder in FOLDERS.items():
        if page == HELD_OUT:
            yield title, "held-out passages", f"{HELD_OUT}/{folder}", f"held-out-cold/{folder}"
            continue
        yield title, DEVELOPMENT, f"{WINDOW}/{folder}.development", f"splits-cold/{folder}-development"
        for text, name in TEXTS.items():
            yield title, text, f"{WINDOW}/{folder}.{name}", f"calibration-texts-cold/{folder}.{name}"


def coded_to_the_end(title, folder):
    """By rate: bits a coded value where the last 128 tokens are coded too, of the same profile and passages."""
    rates, digest = measured(folder)
    if digest != KVTC[title]:
        raise ValueError(f"{folder}: profile {digest}: expected {KVTC[title]}")
    return {rate: bits for rate, (_, bits) in rates.items()}


def costs(page):
    """Yields model, text, profile, {quantity: value}."""
    for (title, text, folder, to_the_end), (profile, suffix) in itertools.product(folders(page), PROFILES.items()):
        made = json.loads((ROOT / "reports" / f"{folder}-{suffix}" / "provenance.json").read_text(encoding="utf-8"))
        plan = made["plan"]
        of_keys = plan["layers"] * plan["kv_heads"] * plan["head_dim"]
        rates, digest = measured(f"{folder}-{suffix}")
        size, = {profile["reader_bytes"] for run in made["runs"] for profile in run.get("profiles", ()) if profile["sha256"].startswith(digest)}
        found = {"scalars a token, keys": of_keys, "scalars a token": 2 * of_keys, "MB": size / 1e6}
        for rate in KVTC_RATES:
            found |= {f"KL divergence (nats) at bits={rate}": rates[rate][0], f"bits at bits={rate}": rates[rate][1]}
        if digest == KVTC[title]:
            without = coded_to_the_end(title, to_the_end)
            found |= {f"bits of the window at bits={rate}": rates[rate][1] - without[rate] for rate in KVTC_RATES}
        yield title, text, profile, found


def columns(found, rate):
    """Bits a value, those of them that the window takes where that is known, and KL divergence."""
    window = found.get(f"bits of the window at bits={rate}")
    return f"{found[f'bits at bits={rate}']:.2f} | {'' if window is None else f'{window:.2f}'} | {found[f'KL divergence (nats) at bits={rate}']:.4f} |"


def print_table(page):
    by_text = page == WINDOW
    print(f"| model | {'text that is coded | ' if by_text else ''}profile | MB | setting | bits a value | of these the window | nats |")
    print(f"|---|---|{'---|' if by_text else ''}--:|---|--:|--:|--:|")
    for title, text, profile, found in costs(page):
        for rate in WINDOW_RATES[profile] if by_text else KVTC_RATES:
            print(f"| {title} | {f'{text} | ' if by_text else ''}{profile} | {found['MB']:.1f} | `bits={rate}` | {columns(found, rate)}")


def main(words):
    as_csv = "--csv" in words
    page, *more = [word for word in words if word != "--csv"] or [HELD_OUT]
    if more or page not in PAGES:
        sys.exit(f"kvtc_costs: {' '.join(words)}: expected one of {', '.join(PAGES)}, --csv")
    if not as_csv:
        return print_table(page)
    by_text = page == WINDOW
    print(f"model,{'text that is coded,' if by_text else ''}profile,quantity,value")
    for title, text, profile, found in costs(page):
        row = ",".join(f'"{name}"' for name in ((title, text, profile) if by_text else (title, profile)))
        for quantity, value in found.items():
            print(f'{row},"{quantity}",{value!r}')
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
