#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What KVTC pays for its window of 128 exact tokens and loses by its authors' size of profile, from committed samples: the table of
reports/held-out-kvtc, or with --csv its costs.csv, the cells that the page quotes.

usage: kvtc_costs.py [--csv]
"""
import csv
import json
import sys

from headline import ROOT, cells, point
from headline_pages import FOLDERS, KVTC, KVTC_RATES
from spec import Spec

PROFILES = {"all components": "all-components", "paper's size": "paper-size"}


def measured(folder):
    """By rate: mean KL divergence (nats) and bits a coded value; the digest of the profile that they share."""
    found = {codec: point(of, range(len(of))) for codec, of in cells(folder).items() if codec != "identity"}
    specs = {codec: Spec.parse(codec).keys for codec in found}
    digest, = {keys["profile"] for keys in specs.values()}
    return {specs[codec]["bits"]: of[:2] for codec, of in found.items()}, digest


def coded_to_the_end(title):
    """By rate: bits a coded value where the last 128 tokens are coded too, of the same profile and passages."""
    found = {Spec.parse(codec).keys["bits"]: (codec, of) for codec, of in cells(f"held-out-cold/{FOLDERS[title]}").items() if codec.startswith("kvtc:")}
    other = [codec for codec, _ in found.values() if KVTC[title] not in codec]
    if other:
        raise ValueError(f"held-out-cold, {title}: {other[0]}: expected profile {KVTC[title]}")
    return {rate: point(of, range(len(of)))[1] for rate, (_, of) in found.items()}


def costs():
    """Yields model, profile, {quantity: value}."""
    with open(ROOT / "reports/held-out-kvtc/results.csv", encoding="utf-8", newline="") as file:
        megabytes = {line["row"]: float(line["value"]) / 1e6 for line in csv.DictReader(file) if line["table"] == "profiles" and line["quantity"] == "reader bytes"}
    for (title, folder), (profile, suffix) in ((model, profile) for model in FOLDERS.items() for profile in PROFILES.items()):
        path = f"held-out-kvtc/{folder}-{suffix}"
        plan = json.loads((ROOT / "reports" / path / "provenance.json").read_text(encoding="utf-8"))["plan"]
        of_keys = plan["layers"] * plan["kv_heads"] * plan["head_dim"]
        rates, digest = measured(path)
        found = {"scalars a token, keys": of_keys, "scalars a token": 2 * of_keys, "MB": megabytes[digest]}
        for rate in KVTC_RATES:
            found |= {f"KL divergence (nats) at bits={rate}": rates[rate][0], f"bits at bits={rate}": rates[rate][1]}
        if digest == KVTC[title]:
            without = coded_to_the_end(title)
            found |= {f"bits of the window at bits={rate}": rates[rate][1] - without[rate] for rate in KVTC_RATES}
        yield title, profile, found


def main():
    if sys.argv[1:] not in ([], ["--csv"]):
        sys.exit(f"kvtc_costs: {' '.join(sys.argv[1:])}: expected nothing or --csv")
    if sys.argv[1:]:
        print("model,profile,quantity,value")
        for title, profile, found in costs():
            for quantity, value in found.items():
                print(f'"{title}","{profile}","{quantity}",{value!r}')
        return
    print("| model | profile | MB | setting | bits a value | of these the window | nats |")
    print("|---|---|--:|---|--:|--:|--:|")
    for title, profile, found in costs():
        for rate in KVTC_RATES:
            window = found.get(f"bits of the window at bits={rate}")
            print(f"| {title} | {profile} | {found['MB']:.1f} | `bits={rate}` | {found[f'bits at bits={rate}']:.2f} | {'' if window is None else f'{window:.2f}'} "
                  f"| {found[f'KL divergence (nats) at bits={rate}']:.4f} |")


if __name__ == "__main__":
    main()
