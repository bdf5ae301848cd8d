#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Published figures, re-derived: the committed report and verdicts, what a changed figure does, and the importer.

usage: published.py BIN
"""
import bisect
import csv
import json
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

from program_case import ProgramCase, ROOT, document, main, output, run, scratch_folder

DATA = ROOT / "data" / "published"
COMMITTED = ROOT / "reports" / "published"
RECORD = ROOT.parent / "shared" / "published"  # the published JSON files themselves, not part of the project
COUNTS = ("reproduces", "rounding", "differs", "no_data")
STATEMENTS = range(1, 30)
NUMBER = re.compile(r"^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$")
COUNTED = r"^\d+ tables, \d+ cells: \d+ reproduce, .*\n\d+ claims in words: .*\n$"


def near(ours, theirs):
    """Whether two printed words agree: with an exponent to 2e-3 of the value, else to a unit of the last decimal; counts and words exactly."""
    if not (NUMBER.match(ours) and NUMBER.match(theirs)) or ours == theirs:
        return ours == theirs
    if "e" in ours or "e" in theirs:
        return abs(float(ours) - float(theirs)) <= 2e-3 * abs(float(theirs))
    decimals = len(theirs.partition(".")[2])
    return decimals > 0 and len(ours.partition(".")[2]) == decimals and abs(float(ours) - float(theirs)) < 1.01 * 10**-decimals


def signed_rank_p(differences):
    """Two-sided and exact: the share of all signs whose ranks sum to no more. Ranks are doubled, as shared ones are halves."""
    sizes = sorted(map(abs, differences))
    ranks = [bisect.bisect_left(sizes, abs(d)) + bisect.bisect_right(sizes, abs(d)) + 1 for d in differences]
    above, ways = sum(r for r, d in zip(ranks, differences) if d > 0), [1]
    for rank in ranks:
        ways = [a + b for a, b in zip(ways + [0] * rank, [0] * rank + ways)]
    return min(1, 2 * sum(ways[:min(above, sum(ranks) - above) + 1]) / 2 ** len(differences))


class Published(ProgramCase):
    maxDiff = 2000

    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    def copy(self):
        return pathlib.Path(shutil.copytree(DATA, self.folder / "data"))

    def test_report_is_as_committed(self):
        out = self.folder / "r"
        answer = document("report", "published", "--out", out, "--no-charts")
        self.assertGreaterEqual(answer["tables"], 165)
        self.assertGreaterEqual(answer["cells"], 2000)
        self.assertEqual(sum(answer[key] for key in COUNTS), answer["cells"])
        self.assertEqual(answer["changed"], [])
        claims = answer["claims"]
        self.assertEqual(sum(claims[key] for key in COUNTS), claims["cells"])
        self.assertEqual(answer["differs"] + claims["differs"], len(answer["differing"]))
        self.assertEqual({entry["statement"] for entry in answer["differing"] if "statement" in entry}, set(STATEMENTS))
        self.assertEqual(answer["cells"] + claims["cells"], len(answer["verdicts"]))
        self.assertEqual(len([cell for cell in answer["verdicts"] if cell["verdict"] == "no data"]), answer["no_data"] + claims["no_data"])
        self.assertEqual([cell for cell in answer["verdicts"] if cell["verdict"] == "differs"], answer["differing"])
        self.assertEqual([entry["number"] for entry in answer["statements"]], list(STATEMENTS))
        for entry in answer["statements"]:
            self.assertTrue(entry["cells"] and all(entry["arithmetic"]), entry["number"])
            self.assertTrue(all(cell["verdict"] in ("differs", "no data") for cell in entry["cells"]), entry["number"])
        with open(out / "results.csv", encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual([(line["table"], line["row"], line["column"], line["published"], line["ours"], line["verdict"]) for line in lines if line["verdict"]],
                         [tuple(cell[key] for key in ("table", "row", "column", "published", "ours", "verdict")) for cell in answer["verdicts"]])
        self.assertEqual(len(lines), len(answer["verdicts"]) + len(answer["unpublished"]))
        for name in answer["files"]:
            self.assertTrue((out / name).is_file(), name)
        for name in ("report.md", "details.md"):
            self.assertEqual((out / name).read_text(), (COMMITTED / name).read_text(), "kakeya-report published --out reports/published")
        # Normal values depend in their last bits on the C library.
        made, kept = ("".join((folder / "arithmetic" / name).read_text() for name in ("report.md", "details.md")).split() for folder in (out, COMMITTED))
        self.assertEqual(len(made), len(kept))
        for ours, theirs in zip(made, kept):
            self.assertTrue(near(ours, theirs), f"{ours}, committed {theirs}")
        readme = (COMMITTED / "README.md").read_text()
        self.assertIn("{tables} tables, {cells} cells: {reproduces} reproduce, {rounding} within rounding, {differs} differ, {no_data} without data"
                      .format(**answer), readme)
        self.assertIn("{cells} claims in words: {reproduces} hold, {differs} do not, {no_data} without data".format(**claims), readme)
        self.assertIn("[{cells:,} published figures](reports/published/README.md), {differs} differ".format(**answer),
                      (ROOT / "README.md").read_text())

    def test_small_errors_are_not_all_alike(self):
        for ours, theirs in (("6.321e-04", "6.325e-04"), ("0.35", "0.36"), ("-1.50", "-1.51"), ("832", "832"), ("Q=44:", "Q=44:")):
            self.assertTrue(near(ours, theirs), (ours, theirs))
        for ours, theirs in (("3.820e-05", "2.560e-05"), ("6.321e-04", "6.350e-04"), ("0.35", "0.37"), ("832", "833"), ("0.35", "0.351"), ("Q=44:", "Q=43:")):
            self.assertFalse(near(ours, theirs), (ours, theirs))

    def test_hero_charts_are_as_committed(self):
        out = self.folder / "r"
        asked = (COMMITTED / "derive.txt").read_text().split("\n")[:-1]
        self.assertEqual(asked[:3], ["published", "--charts", "--ours"])
        done = run("report", *asked, "--out", out, "--no-charts", "--json", cwd=COMMITTED)
        done.check_returncode()
        answer = json.loads(done.stdout)
        for name in ("hero_printed", "hero", "hero_ours"):
            for end in ("dat", "gp"):
                self.assertIn(f"{name}.{end}", answer["files"])
                self.assertEqual((out / f"{name}.{end}").read_text(), (COMMITTED / f"{name}.{end}").read_text(), name)
            self.assertTrue((COMMITTED / f"{name}.svg").is_file(), name)
            self.assertIn(f"({name}.svg)", (COMMITTED / "README.md").read_text())
        drawn = {name: [float(line.split()[1]) for line in (out / f"{name}.dat").read_text().splitlines() if re.search(r' "[Qb]\d+"$', line)] for name in ("hero_printed", "hero")}
        self.assertEqual([len(points) for points in drawn.values()], [56, 56])
        factors = [right / printed for printed, right in zip(drawn["hero_printed"], drawn["hero"])]
        lines = [json.loads(line) for line in (DATA / "perplexity.jsonl").read_text().splitlines()]
        for place, model in enumerate(("qwen3", "glm", "gemma", "deepseek")):
            row = next(r for r in lines if r["kind"] == "run" and r["run"] == f"isoppl-{model}")
            for factor in factors[14 * place:14 * (place + 1)]:
                self.assertAlmostEqual(factor, statistics.mean(row["ppl_reference"]), 6, model)

    def test_charts_need_a_folder(self):
        self.fails(2, "report", "published", "--charts", names=("--charts", "--out"))
        self.fails(2, "report", "published", "--out", self.folder / "r", "--ours", self.folder, names=("--ours", "--charts"))
        self.fails(1, "report", "published", "--out", self.folder / "r", "--charts", "--ours", self.folder / "none", names=("none",))

    def test_without_out_only_counts(self):
        done = run("report", "published")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, COUNTED)

    def refuses(self, data, *words, stdout=None):
        self.fails(1, "report", "published", "--data", data, names=words, stdout=stdout)

    def test_a_changed_cell_is_a_changed_verdict(self):
        data = self.copy()
        path = data / "tables" / "02-iso-bit.json"
        text = path.read_text()
        self.assertIn("0.65 | 100.00", text)
        path.write_text(text.replace("0.65 | 100.00", "0.75 | 100.00", 1))
        self.refuses(data, "1 verdicts are not as recorded", "isobit-balanced,Qwen3-4B,D4 |Δppl| %: differs, recorded reproduces",
                     stdout=COUNTED)
        recorded = output("report", "published", "--data", data, "--record")
        self.assertIn("isobit-balanced,Qwen3-4B,D4 |Δppl| %: differs, recorded reproduces\n", recorded)
        self.assertIn("1 changed", recorded)
        self.assertIn(" 0 changed", output("report", "published", "--data", data, "--record"))
        output("report", "published", "--data", data)

    def test_a_row_that_is_gone_is_named(self):
        data = self.copy()
        path = data / "v4.jsonl"
        kept = [line for line in path.read_text().splitlines() if '"codec":"e8:q=38"' not in line]
        path.write_text("\n".join(kept) + "\n")
        self.refuses(data, "no such row", "e8:q=38")

    def test_a_changed_raw_figure_is_a_changed_verdict(self):
        data = self.copy()
        path = data / "latency.jsonl"
        path.write_text(re.sub(r'("codec":"e8:q=4".*"mean_us":)[0-9.]+', r"\g<1>700", path.read_text()))
        self.refuses(data, "latency", stdout=COUNTED)

    def test_damage_is_named(self):
        data = self.copy()
        (data / "needle.jsonl").write_text('{"kind":"needle","codec":{}}\n')
        self.refuses(data, "needle.jsonl line 1", "codec")
        (data / "needle.jsonl").unlink()
        (data / "tables" / "01-iso-ppl.json").write_text("{")
        self.refuses(data, "01-iso-ppl.json")
        self.refuses(self.folder / "none", "none")

    def test_the_39_pairs_agree_with_arithmetic_of_its_own(self):
        lines = [json.loads(line) for line in (DATA / "perplexity.jsonl").read_text().splitlines()]
        losses = {(r["run"], r["codec"]): [abs(x) for x in r["delta_ppl"]] for r in lines if r["kind"] == "ppl" and r["part"] == "kv" and len(r["delta_ppl"]) == 32}
        pairs = {}
        for run_name, codec in losses:
            for d4, tq in (("d4:q=4", "tq:b=3"), ("d4:q=10", "tq:b=4"), ("d4:q=38", "tq:b=6"), ("d4:q=152", "tq:b=8")):
                if codec == d4 and (run_name, tq) in losses:
                    pairs[tuple(losses[run_name, d4] + losses[run_name, tq])] = [a - b for a, b in zip(losses[run_name, d4], losses[run_name, tq])]
        self.assertEqual(len(pairs), 39)
        beyond = sum(abs(statistics.mean(d)) / (statistics.stdev(d) / math.sqrt(32)) > 2.0395134 for d in pairs.values())  # t of 31, two-sided 5 %
        shown = [cell for cell in document("report", "published")["unpublished"] if cell["table"] == "paired-all-39"]
        table = {column: [cell["ours"] for cell in shown if cell["column"] == column] for column in ("p", "p, Holm", "p, Wilcoxon")}
        self.assertEqual([len(column) for column in table.values()], [39] * 3)
        self.assertEqual((beyond, sum(float(p) < 0.05 for p in table["p"])), (10, 10))
        self.assertEqual(sum(float(p) < 0.05 for p in table["p, Holm"]), 4)
        self.assertEqual(sorted(f"{signed_rank_p(d):.4f}" for d in pairs.values()), sorted(table["p, Wilcoxon"]))

    def test_importer_writes_what_is_committed(self):
        if not RECORD.is_dir():
            self.skipTest(f"no {RECORD}: the published JSON files are not part of the project")
        script = ROOT / "scripts" / "import_published.py"
        done = subprocess.run([sys.executable, script, RECORD, "--check"], capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        subprocess.run([sys.executable, script, RECORD, "--out", self.folder], check=True, capture_output=True)
        for path in self.folder.glob("*.jsonl"):
            self.assertEqual(path.read_bytes(), (DATA / path.name).read_bytes(), path.name)


if __name__ == "__main__":
    main()
