#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Re-derives every committed report from its raw samples and compares: results.csv byte for byte, report.md but for its last line.

usage: reports.py BIN [--write]     --write makes the reports anew, charts included
"""
import lzma
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def derive(programs, report, target, charts):
    """Runs kakeya-report on the unpacked samples, from a folder where they bear the report's name."""
    with tempfile.TemporaryDirectory() as folder:
        samples = pathlib.Path(folder) / report.name
        samples.mkdir()
        (samples / "samples.jsonl").write_bytes(lzma.decompress((report / "samples.jsonl.xz").read_bytes()))
        shutil.copy(report / "provenance.json", samples)
        command = [programs / "kakeya-report", report.name, "--out", "made", *([] if charts else ["--no-charts"])]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for made in sorted((pathlib.Path(folder) / "made").iterdir()):
            shutil.copy(made, target)


def body(path):
    return path.read_text().rsplit("\n---\n", 1)[0]


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    reports = sorted(path.parent for path in (ROOT / "reports").glob("*/samples.jsonl.xz"))
    differing = []
    for report in reports:
        if "--write" in sys.argv:
            derive(programs, report, report, charts=True)
            continue
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder)
            derive(programs, report, made, charts=False)
            same = (made / "results.csv").read_bytes() == (report / "results.csv").read_bytes()
            if not same or body(made / "report.md") != body(report / "report.md"):
                differing.append(report.name)
    print(f"{len(reports)} reports, {len(differing)} differ from what is committed: {', '.join(differing) or 'none'}")
    return 1 if differing or not reports else 0


if __name__ == "__main__":
    sys.exit(main())
