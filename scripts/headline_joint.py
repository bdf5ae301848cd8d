#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One table of both models and both tiers: text that a profile was calibrated on against text that is coded, from the samples of the calibration-texts folders, as headline.py reads them.

A cell: klt's bits of the whole cache over those of the best codec without a profile, at its KL divergence, with 95 % of 2000 paired draws of the passages. Of Wikipedia, text of the
scored kind is WikiText-2 valid.

usage: headline_joint.py [--csv]
  --csv  what stands in reports/calibration-texts/joint.csv; tests/cli/readme.py compares
"""
import sys

from headline import numbers, text_rows
from headline_cells import ROOT
from headline_pages import CALIBRATIONS, OWN_KIND, SCORED_KIND, SHARE_TEXT, TEXT_PAGES, TEXTS, check_shared, interval, short

SCORED = "text of the scored kind"
ROWS = ("a novel", "mix", SCORED)
TABLE = (("SmolLM2", "layers", "calibration-texts", "", "whole layers, growing"), ("SmolLM2", "six layers", "calibration-texts-cold", "SmolLM2, ", "six layers, finished"),
         ("Gemma 3", "layers", "calibration-texts-gemma3-270m", "", "whole layers, growing"), ("Gemma 3", "six layers", "calibration-texts-cold", "Gemma 3, ", "six layers, finished"))


def cells():
    """(Model, tier, calibration, text): KL divergence, and what headline.compared() says of the whole cache."""
    found = {}
    for page in dict.fromkeys(page for _, _, page, *_ in TABLE):
        check_shared(ROOT / "reports", TEXT_PAGES[page])
        rows = list(text_rows(TEXT_PAGES[page]))
        for model, unit, of, prefix, tier in TABLE:
            for title, row_unit, _, calibration, kl, _, cache in rows if of == page else ():
                text = title.removeprefix(prefix)
                own = CALIBRATIONS[2] if text == SCORED_KIND else OWN_KIND
                name = SCORED if calibration == own else calibration
                if row_unit == unit and text in TEXTS and name in ROWS:
                    found[model, tier, name, text] = kl, cache
    return found


def main(words):
    found = cells()
    if words == ["--csv"]:
        print("model,klt,calibrated on,text that is coded,quantity,value")
        for (model, tier, calibration, text), (kl, cache) in found.items():
            for quantity, value in numbers(kl, cache).items():
                print(f'"{model}","{tier}",{calibration},"{text}","{quantity}",{value!r}')
        return
    if words:
        sys.exit(f"headline_joint: {' '.join(words)}: expected --csv or nothing")
    print("| model, `klt` | calibrated on |" + "".join(f" {text} |" for text in TEXTS) + "\n|---|---|" + "--:|" * len(TEXTS))
    for model, _, _, _, tier in TABLE:
        for calibration in ROWS:
            row = []
            for text in TEXTS:
                _, (*_, ratio, ends) = found[model, tier, calibration, text]
                star = " *" if calibration == SCORED and text in SHARE_TEXT else ""
                row.append(f"{ratio:.2f} ({short(interval(ends))}){star}")
            print(f"| {model}, {tier} | {calibration} | {' | '.join(row)} |")


if __name__ == "__main__":
    main(sys.argv[1:])
