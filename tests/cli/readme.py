#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documents: transcripts are what the programs print, tables are what scripts compute, links lead somewhere, the front page is short.

A transcript is a fenced block `console`: lines that begin with "$ " are commands, the rest is what they print. All of a document run
one after another in one folder, which has the repository's data/. Seconds are not compared. After a line
`<!-- forward -->` a block shows numbers that come out of a model's forward, which sums in another order on another machine:
they are compared to a fifth, percentages to two points, counts below 10000 exactly, and digests not at all. Everything else is compared letter by letter.

usage: readme.py BIN [--write]     --write puts what the programs print into the transcripts
"""
import contextlib
import csv
import io
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import program_case
from program_case import ROOT, scratch_folder, take_bin

sys.path.insert(0, str(ROOT / "scripts"))
import headline  # noqa: E402
import headline_joint  # noqa: E402

TRANSCRIPTS = ("README.md", *sorted(f"apps/{path.name}" for path in (ROOT / "apps").glob("*.md")), "reports/published/README.md")
BLOCK = re.compile(r"(<!-- forward -->\n)?```console\n(.*?)```", re.S)
SECONDS = re.compile(r"\d+(\.\d+)?(?= s\b| tokens/s| % of it outside)")
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?((?P<percent>%)|x)?$")
EXAMPLE = re.compile(r"<!-- example: (\S+) -->\n```(?:cpp|c)\n(.*?)```", re.S)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def documents():
    """Every page that people write or programs derive; not what lies in build and output folders."""
    return sorted(path for path in ROOT.rglob("*.md") if path.relative_to(ROOT).parts[0] not in ("build", "out", "models", ".venv"))


def commands(block):
    """[(command, what it printed)] of a transcript; a command may go on after a backslash."""
    found = []
    lines = iter(block.splitlines())
    for line in lines:
        if line.startswith("$ "):
            while line.endswith("\\"):
                line += "\n" + next(lines)
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def run_command(command, folder):
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, timeout=600,
                          env={**os.environ, "PATH": f"{program_case.BIN}:{os.environ['PATH']}"})
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit {done.returncode}: {done.stderr}")
    return done.stdout.splitlines()


def near(ours, theirs, before):
    a, b = NUMBER.match(ours), NUMBER.match(theirs)
    if not a or not b:
        return ours == theirs
    x, y = (float(word.rstrip("%x")) for word in (ours, theirs))
    if "." not in ours + theirs and max(x, y) < 10000:
        return x == y
    percent = a["percent"] or ours[0] in "+-"
    share = 0.6 if before == "±" else 0.2  # the width of an interval moves most
    return abs(x - y) <= (5 if percent else share * max(abs(x), abs(y)))  # top-1 of 256 tokens: a deviation of 1.6 points


def alike(ours, theirs, forward):
    ours, theirs = (SECONDS.sub("#", line) for line in (ours, theirs))
    if not forward:
        return ours == theirs
    ours, theirs = (re.sub(r"\b[0-9a-f]{16}\b", "DIGEST", line).replace(",", " ").split() for line in (ours, theirs))
    return len(ours) == len(theirs) and all(map(near, ours, theirs, ["", *ours]))


def workplace(add_cleanup):
    folder = scratch_folder(add_cleanup)
    (folder / "data").symlink_to(ROOT / "data")
    return folder


def rewrite(path, folder):
    """Puts what the programs print into a document's transcripts."""
    def made(match):
        body = "".join("\n".join([f"$ {command}", *run_command(command, folder), ""]) for command, _ in commands(match[2]))
        return f"{match[1] or ''}```console\n{body}```"
    path.write_text(BLOCK.sub(made, path.read_text()))


def prints(script, *words):
    """What a script prints, in this process: many pages are of the same samples, which are unpacked and drawn once so."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        script.main(list(words))
    return printed.getvalue()


def headline_prints(*words):
    return prints(headline, *words)


class Documents(unittest.TestCase):
    maxDiff = None

    def test_transcripts(self):
        blocks = 0
        for name in TRANSCRIPTS:
            folder = workplace(self.addCleanup)
            for forward, block in BLOCK.findall((ROOT / name).read_text()):
                blocks += 1
                for command, printed in commands(block):
                    with self.subTest(document=name, command=command):
                        ours = run_command(command, folder)
                        for here, there in itertools.zip_longest(ours, printed, fillvalue=""):
                            self.assertTrue(alike(here, there, forward), f"printed:  {here}\nshown:    {there}\nreadme.py BIN --write makes transcripts anew")
        self.assertGreater(blocks, 0)

    def test_what_counts_as_alike(self):
        for ours, theirs, forward in (("a 1.5 s", "a 2 s", ""), ("e8 0.00131 +0.067 % 96.9%", "e8 0.00135 +0.030 % 95.5%", "x"), ("p 0123456789abcdef", "p fedcba9876543210", "x"), ("-0.1 ± 0.152 %", "-0.2 ± 0.216 %", "x")):
            self.assertTrue(alike(ours, theirs, forward), ours)
        for ours, theirs, forward in (("a 1.5", "a 1.51", ""), ("e8 0.00131", "e8 0.00172", "x"), ("16 cells", "17 cells", "x"), ("a", "b", "x"), ("a", "a a", "x")):
            self.assertFalse(alike(ours, theirs, forward), ours)

    def test_the_front_page_is_short(self):
        text = (ROOT / "README.md").read_text()
        lines = text.splitlines()
        self.assertLessEqual(len(lines), 130)
        for number, line in enumerate(lines, 1):
            self.assertLessEqual(len(line), 100, f"README.md:{number}")
        prose = re.sub(r"(?s:```.*?```)|^\|.*$|^#.*$", "", text, flags=re.M)
        for paragraph in re.split(r"\n\s*\n|\n(?=- |\d\. )", prose):
            words = re.sub(r"\]\([^)]*\)", "]", paragraph).split()
            self.assertLessEqual(len(words), 60, paragraph)

    def test_the_page_of_a_room_is_short(self):
        rooms = json.loads((ROOT / "lib/kakeya/rooms.json").read_text())["rooms"]
        self.assertGreater(len(rooms), 20)
        for room in rooms:
            with self.subTest(room=room["room"]):
                lines = len((ROOT / "lib/kakeya" / room["room"] / "README.md").read_text().splitlines())
                self.assertTrue(20 <= lines <= 60, f"{lines} lines, expected 20 to 60")

    def test_the_gpu_report_is_computed(self):
        folder = scratch_folder(self.addCleanup)
        bench, published = ROOT / "reports/gpu/bench.json", ROOT / "reports/gpu/published.json"
        made = program_case.document("report", "gpu", bench, "--published", published, "--out", folder / "gpu", "--no-charts", "--json")
        self.assertEqual(set(made["files"]), {"report.md", "results.csv", "roofline.gp", "roofline.dat"})
        for name in made["files"]:
            self.assertEqual((folder / "gpu" / name).read_bytes(), (ROOT / "reports/gpu" / name).read_bytes(), name)

    def test_a_cold_report_names_what_it_cannot_read(self):
        folder, text = scratch_folder(self.addCleanup), (ROOT / "reports/cold-tier/bench.json").read_text()
        broken = folder / "bench.json"
        for change, said in ((lambda run: run["rows"][0].pop("library"), "not what scripts/nvcomp_cold.py prints: .*'library' not found"),
                             (lambda run: run["rows"][0].update(decompress_gb_per_second=0), "decompress_gb_per_second: 0: expected more than 0"),
                             (lambda run: run["rows"][0].update(break_even_link_gb_per_second=-1), "break_even_link_gb_per_second: -1: expected 0 or more"),
                             (lambda run: run["cache"].update(tokens=-5), "tokens: -5: expected more than 0"),
                             (lambda run: run["cache"].update(layers=1.5), "layers: 1.5: expected a whole number"),
                             (lambda run: run["rows"][0].update(prefill_link={}), "not found"), (lambda run: run.update(rows=[]), "rows: expected at least one")):
            run = json.loads(text)
            change(run)
            broken.write_text(json.dumps(run))
            done = program_case.run("report", "cold", broken, "--out", folder / "cold")
            self.assertEqual(done.returncode, 1, said)
            self.assertRegex(done.stderr, f"bench.json: {said}" if said != "not found" else "bench.json: .*not found")
            self.assertFalse((folder / "cold").exists())

    def test_the_report_of_attention_needs_one_gpu(self):
        folder = scratch_folder(self.addCleanup)
        bench, sdpa = ROOT / "reports/attention/bench.json", folder / "sdpa.json"
        sdpa.write_text((ROOT / "reports/attention/sdpa.json").read_text().replace("NVIDIA H200", "another"))
        done = program_case.run("report", "attention", bench, "--sdpa", sdpa, "--out", folder / "made")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"sdpa.json: measured on \"another\", expected NVIDIA H200")
        other = folder / "other.json"
        other.write_text(bench.read_text().replace("NVIDIA H200", "another"))
        done = program_case.run("report", "attention", bench, other, "--out", folder / "made")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "other.json: measured on another, expected NVIDIA H200")

    def test_a_gpu_report_names_what_it_cannot_read(self):
        folder = scratch_folder(self.addCleanup)
        broken = folder / "bench.json"
        broken.write_text('{"results": [{"codec": "fp8"}], "device": {"name": "a", "cuda": "b"}}')
        done = program_case.run("report", "gpu", broken, "--out", folder / "gpu")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"bench.json: not what kakeya-bench gpu --json prints: .*'type' not found")
        self.assertFalse((folder / "gpu").exists())

    def test_the_tables_of_reports_are_computed(self):
        for page in ("held-out", "held-out-kivi", "held-out-cold", "whole-text", "whole-text-kivi", "splits", "splits-cold", "splits-kivi", "calibration-texts",
                     "calibration-texts-gemma3-270m", "calibration-texts-cold", "calibration-texts-kivi", "kivi-cold", "pages", "transform-cold",
                     "transform-studies", "transform"):
            table, cells = headline_prints(page), headline_prints(page, "--csv")
            self.assertGreater(len(table.splitlines()), 7, page)
            for part in table.rstrip("\n").split("\n\n"):
                self.assertIn(part + "\n", (ROOT / "reports" / page / "README.md").read_text(), page)
            self.assertEqual(cells, (ROOT / "reports" / page / "whole_cache.csv").read_text(), page)
        table, cells = (prints(headline_joint, *words) for words in ((), ("--csv",)))
        self.assertIn(f"\n\n{table}\n", (ROOT / "reports/calibration-texts/joint.md").read_text())
        self.assertEqual(cells, (ROOT / "reports/calibration-texts/joint.csv").read_text())
        table, cells = headline_prints("tcq"), headline_prints("tcq", "--csv")
        self.assertIn(table, (ROOT / "reports" / "held-out" / "README.md").read_text())
        self.assertEqual(cells, (ROOT / "reports" / "held-out" / "tcq.csv").read_text())
        for page in ("held-out-kvtc", "kvtc-window"):
            table, cells = (subprocess.run([sys.executable, ROOT / "scripts" / "kvtc_costs.py", page, *more], check=True, capture_output=True, encoding="utf-8").stdout for more in ([], ["--csv"]))
            self.assertIn(table, (ROOT / "reports" / page / "README.md").read_text())
            self.assertEqual(cells, (ROOT / "reports" / page / "costs.csv").read_text())
        for words, name, sentence in (("agreement", "whole-text", "Of {} ratios .* {} have the whole text's in their intervals"),
                                      ("agreement-kivi", "whole-text-kivi", "Of {} such ratios .* {} have the whole text's in their intervals")):
            within, *beyond = headline_prints(words).splitlines()
            count, shared = map(int, within.split(" of "))
            self.assertEqual(len(beyond), shared - count)
            page = " ".join((ROOT / "reports" / name / "README.md").read_text().split())
            self.assertRegex(page, sentence.format(shared, count))
            for line in beyond:
                self.assertIn(line.split(": ")[1].split(",")[0], page, line)
        refused = subprocess.run([sys.executable, ROOT / "scripts" / "headline.py", "held"], capture_output=True, encoding="utf-8")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("held: expected one of headline, held-out", refused.stderr)

    def test_a_bound_where_klt_is_cheaper_than_measured(self):
        folder, curve = "held-out/smollm2-135m", ("e8:q=15,rule=published", "e8:q=10,rule=published")
        kl, *parts = headline.compared(folder, curve, (folder, "q4_0"), bound=True)
        self.assertIsNone(headline.compared(folder, curve, (folder, "q4_0")))
        self.assertGreater(kl, headline.point(headline.cells(folder)[curve[1]], range(37))[0])  # which loses less than q4_0
        theirs, ours, ratio, (low, high) = parts[0]
        self.assertEqual((ratio, low), (high, float("-inf")))
        self.assertAlmostEqual(ours / theirs, ratio)
        self.assertEqual(headline.text_cell(parts[:2], True), f"≤{parts[1][2]:.2f}")

    def test_text_of_its_own_kind_is_a_column_where_it_was_measured(self):
        pattern, known = headline.TEXT_PAGES["calibration-texts-cold"].curves["six layers"][0], ("m", "n", "w")
        codec = lambda digest, rate="0.45": pattern.format(rate, digest)
        self.assertIsNone(headline.own_digest([*map(codec, known), codec("x", "0.9"), "ece8:bits=4"], pattern, ("0.45",), known))
        self.assertEqual(headline.own_digest([*map(codec, known), codec("x")], pattern, ("0.45",), known), "x")
        with self.assertRaisesRegex(ValueError, "profiles x, y: expected at most one beside m, n, w"):
            headline.own_digest([codec("x"), codec("y")], pattern, ("0.45",), known)
        part = lambda ratio: (4.0, 4 * ratio, ratio, (ratio - 0.01, ratio + 0.01))
        row = lambda title, kind, ratio: (title, "layers", "", kind, 0.01, part(ratio), part(ratio))
        some = [row(headline.SCORED_KIND, kind, 0.5) for kind in headline.CALIBRATIONS] + [row("source code (Python)", kind, 0.6) for kind in headline.CALIBRATIONS[:2]]
        head, _, *lines = headline.text_table(some, True)
        self.assertNotIn(headline.OWN_KIND, head)
        self.assertEqual(lines[1], "| source code (Python) | layers | 0.0100 | 0.60 (.59–.61) | 0.60 (.59–.61) |  |")  # that curve does not reach so little loss
        head, _, *lines = headline.text_table([*some, row("source code (Python)", headline.OWN_KIND, 0.4)], True)
        self.assertTrue(head.endswith(" calibrated on text of its own kind |"))
        self.assertEqual([line.split("|")[-2] for line in lines], [" as Wikipedia ", " 0.40 (.39–.41) "])

    def test_a_grown_cache_counts_alike(self):
        """headline.py and kakeya-report count a cache of 8k tokens apart; Gemma's windows, residual windows and pages are in both."""

        for page, model in itertools.product(("held-out", "held-out-kivi"), ("smollm2-135m", "gemma3-270m")):
            with open(ROOT / "reports" / page / "results.csv", encoding="utf-8", newline="") as file:
                derived = {line["row"]: float(line["value"]) for line in csv.DictReader(file)
                           if line["table"] == "bits_with_profile" and line["source"] == model and line["quantity"].endswith("at 8k, caches: many")}
            cells = headline.cells(f"{page}/{model}")
            self.assertEqual(set(derived), set(cells) - {"identity"})
            for codec, bits in derived.items():
                self.assertAlmostEqual(headline.point(cells[codec], range(len(cells[codec])))[3], bits, delta=1e-9, msg=f"{page}, {model}, {codec}")

    def test_paired_tables_of_reports_are_computed(self):
        for page in ("key-bias", "decode-mode", "batch-invariant"):
            table, cells = (subprocess.run([sys.executable, ROOT / "scripts" / "paired.py", page, *more], check=True, capture_output=True, encoding="utf-8").stdout
                            for more in ([], ["--csv"]))
            self.assertGreater(len(table.splitlines()), 7, page)
            for part in table.rstrip("\n").split("\n\n"):
                self.assertIn(part, (ROOT / "reports" / page / "README.md").read_text(), page)
            self.assertEqual(cells, (ROOT / "reports" / page / "paired.csv").read_text(), page)
        refused = subprocess.run([sys.executable, ROOT / "scripts" / "paired.py", "bias"], capture_output=True, encoding="utf-8")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("bias: expected one of key-bias, weights, decode-mode, batch-invariant", refused.stderr)

    def test_attention_errors_are_computed(self):
        table, cells = (subprocess.run([sys.executable, ROOT / "scripts" / "attention_error.py", *more], check=True, capture_output=True, encoding="utf-8").stdout for more in ([], ["--csv"]))
        page = (ROOT / "reports/attention-error/README.md").read_text()
        for part in table.rstrip("\n").split("\n\n"):
            self.assertIn(part, page)
        self.assertEqual(cells, (ROOT / "reports/attention-error/compared.csv").read_text())
        sys.path.insert(0, str(ROOT / "scripts"))
        import attention_error
        self.assertEqual(attention_error.ranks([0.3, 0.1, 0.3, 0.2]), [3.5, 1, 3.5, 2])
        self.assertAlmostEqual(attention_error.spearman([1, 2, 3, 4], [1, 3, 2, 4]), 0.8)

    def test_the_headline_is_computed(self):
        short, full = headline_prints("front"), headline_prints("headline")
        self.assertIn(short.rstrip("\n"), (ROOT / "README.md").read_text())
        self.assertIn(full, (ROOT / "reports/headline/README.md").read_text())
        cells = headline_prints("--csv")
        self.assertEqual(cells, (ROOT / "reports/headline/whole_cache.csv").read_text())
        # and kakeya-report reads the same bits of the whole cache off the same samples
        wanted = {("SmolLM2", "heads"): "klt:profile=84566a55da675655", ("Gemma 3", "heads"): "klt:profile=460409a1c26ecf51"}
        wanted |= {(model, "layers"): family.replace("klt:", "klt:lattice=tcq,scope=layer,restart=1,page=512,") for (model, _), family in wanted.items()}
        sources = {"SmolLM2": "smollm2-135m-hot", "Gemma 3": "gemma3-270m-hot"}
        references = {"KIVI, 4 bits": "kivi:b=4", "E8, Q=15": "e8:q=15,rule=published", "E8, Q=22": "e8:q=22,rule=published"}
        with open(ROOT / "reports/headline/results.csv", encoding="utf-8", newline="") as file:
            derived = {(line["source"], line["row"]): float(line["value"]) for line in csv.DictReader(file)
                       if line["table"] == "real_bits_at_equal_kld" and line["quantity"].startswith("whole_cache_real_bits_per_value") and line["value"]}
        compared = 0
        for row in full.splitlines()[2:]:
            who, reference, _, _, bits, *_ = (cell.strip() for cell in row.strip("|").split("|"))
            if reference in references:
                model, unit = who.split(", ")
                self.assertAlmostEqual(derived[sources[model], f"{references[reference]} | {wanted[model, unit]}"], float(bits), delta=0.006, msg=row)
                compared += 1
        self.assertEqual(compared, 12)

    def test_links_lead_somewhere(self):
        links = 0
        for path in documents():
            text = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(), flags=re.S)
            for link in LINK.findall(text):
                if "://" not in link:
                    links += 1
                    self.assertTrue((path.parent / link).exists(), f"{path.relative_to(ROOT)}: {link}")
        self.assertGreater(links, 50)

    def test_every_key_of_every_codec_is_explained(self):
        codecs, keys = ((ROOT / "lib/kakeya/codecs" / name).read_text() for name in ("README.md", "keys.md"))
        for codec in program_case.document("codec", "list"):
            self.assertIn(f"`{codec['name']}", codecs)
            for key in codec["keys"]:
                self.assertIn(f"`{key['name']}`", keys, codec["name"])

    def test_examples_are_quoted_from_what_is_compiled(self):
        for path in documents():
            for name, quoted in EXAMPLE.findall(path.read_text()):
                self.assertTrue(quoted.strip(), f"{path.relative_to(ROOT)} quotes nothing of {name}")
                source = (ROOT / name).read_text()
                lines = [line.strip() for line in source.splitlines()]
                for line in quoted.splitlines():
                    self.assertIn(line.strip(), lines, f"{path.relative_to(ROOT)}: not in {name}")


if __name__ == "__main__":
    take_bin()
    if "--write" in sys.argv:
        for document in TRANSCRIPTS:
            cleanups = []
            rewrite(ROOT / document, workplace(lambda call, *words, **how: cleanups.append(lambda: call(*words, **how))))
            for cleanup in cleanups:
                cleanup()
    else:
        unittest.main(verbosity=2)
