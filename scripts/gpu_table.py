#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of reports/gpu/README.md, from bench.json (kakeya-bench gpu) and published.json (scripts/gpu_published.py) of one call of scripts/gpu_check.sh.

usage: gpu_table.py        prints a Markdown table; tests/cli/readme.py compares it with the page
"""
import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "reports/gpu"


def main():
    results = json.loads((FOLDER / "bench.json").read_text(encoding="utf-8"))["results"]
    published = json.loads((FOLDER / "published.json").read_text(encoding="utf-8"))["round_trip_us"]
    print("| codec | encode, us | of copy | decode, us | of copy | round trip, us | of copy | the published composition takes |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for codec in dict.fromkeys(row["codec"] for row in results):
        row = {each["operation"]: each for each in results if each["codec"] == codec}
        cells = "".join(f" {each['us']['median']:.0f} | {100 * each['of_copy']:.0f} % |" for each in (row["encode"], row["decode"], row["round trip"]))
        theirs = published.get(codec)
        ratio = f"{theirs:.0f} us, {theirs / row['round trip']['us']['median']:.0f}x" if theirs else ""
        print(f"| `{codec}` |{cells} {ratio} |")


if __name__ == "__main__":
    main()
