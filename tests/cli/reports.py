#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Re-derives every committed report from its raw samples and compares: results.csv byte for byte, report.md and details.md but for the
last line.

reports/rate-distortion and reports/audit are not made from samples; reports/audit needs a capture of 120 MB that is not committed
(its README has the commands), and tests/cli/audit.py drives the same program on the shipped model.

A report's families.txt has the patterns of --only, one a line; without it all families are in the report. Its charts.txt has those of
--families; without it the program chooses.

usage: reports.py BIN [--write]     --write makes the reports anew, charts included
"""
import lzma
import pathlib
import shutil
import sys
import tempfile

from program_case import ROOT, run, take_bin


def lines_of(path):
    return path.read_text().split("\n")[:-1] if path.is_file() else []


def sources(report):
    """The folders of samples of a report: itself, or those in it and those that its sources.txt names."""
    found = sorted(path.parent for path in report.glob("*/samples.jsonl.xz"))
    found += [report / line for line in lines_of(report / "sources.txt")]
    found.sort(key=lambda path: path.name)
    return found or [report]


def derive(report, target, charts):
    """Runs kakeya-report on the unpacked samples, from folders that bear their names."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for source in sources(report):
            samples = pathlib.Path(folder) / source.name
            samples.mkdir()
            (samples / "samples.jsonl").write_bytes(lzma.decompress((source / "samples.jsonl.xz").read_bytes()))
            shutil.copy(source / "provenance.json", samples)
            names.append(source.name)
        only = [word for line in lines_of(report / "families.txt") for word in ("--only", line)]
        shown = lines_of(report / "charts.txt")
        done = run("report", *names, *only, *(["--families", *shown] if shown else []), "--out", "made", *([] if charts else ["--no-charts"]), cwd=folder)
        sys.stderr.write(done.stderr)  # warnings too: samples may be incomplete
        done.check_returncode()
        for made in sorted((pathlib.Path(folder) / "made").iterdir()):
            if made.suffix != ".png" or (target / made.name).exists():  # pages show the SVG, but for the front page
                shutil.copy(made, target)


def body(path):
    return path.read_text().rsplit("\n---\n", 1)[0]


def main():
    take_bin()
    reports = sorted(path for path in (ROOT / "reports").iterdir()
                     if any((source / "samples.jsonl.xz").is_file() for source in sources(path)))
    differing = []
    for report in reports:
        if "--write" in sys.argv:
            derive(report, report, charts=True)
            continue
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder)
            derive(report, made, charts=False)
            same = (made / "results.csv").read_bytes() == (report / "results.csv").read_bytes()
            if not same or any(body(made / page) != body(report / page) for page in ("report.md", "details.md")):
                differing.append(report.name)
    print(f"{len(reports)} reports, {len(differing)} differ from what is committed: {', '.join(differing) or 'none'}")
    return 1 if differing or not reports else 0


if __name__ == "__main__":
    sys.exit(main())
