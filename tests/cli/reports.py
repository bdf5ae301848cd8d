#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every committed report against its samples, by kakeya-report verify: digests, derived tables and charts, quoted figures; and what it says
of a number, a sample, a table that was changed.

usage: reports.py BIN [--write]     --write makes the reports that are derived from committed samples anew, charts included, and binds their figures
"""
import json
import pathlib
import re
import shutil
import sys
import tempfile

from program_case import ProgramCase, ROOT, main, run, scratch_folder, take_bin

REPORTS = ROOT / "reports"
SCREEN = 60  # lines of a report.md
WORDS = 600  # of a report.md and of a README.md, tables, transcripts and the line of how it was made apart


def lines_of(path):
    return path.read_text().split("\n")[:-1] if path.is_file() else []


def words(page):
    """Those of a page's prose."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return sum(len(line.split()) for line in text.splitlines() if not line.startswith(("|", "<sub>")))


def sources(report):
    """The folders of samples of a report: those in it, or itself."""
    return sorted(path.parent for path in report.glob("*/samples.jsonl.xz")) or [report]


def write(report):
    """Runs kakeya-report on the samples, from folders that bear their names; or as derive.txt says, in the folder."""
    with tempfile.TemporaryDirectory() as folder:
        if lines_of(report / "derive.txt"):
            done = run("report", *lines_of(report / "derive.txt"), "--out", f"{folder}/made", cwd=report)
            done.check_returncode()
            return take(pathlib.Path(folder) / "made", report)
        names = []
        for source in sources(report):
            (pathlib.Path(folder) / source.name).symlink_to(source.resolve())
            names.append(f"./{source.name}")  # a folder may bear the name of a subcommand
        shown = lines_of(report / "charts.txt")
        done = run("report", *names, *(["--families", *shown] if shown else []), "--out", "made", cwd=folder)
        sys.stderr.write(done.stderr)  # warnings too: samples may be incomplete
        done.check_returncode()
        take(pathlib.Path(folder) / "made", report)


def take(folder, report):
    for made in sorted(folder.iterdir()):
        if made.is_file() and (made.suffix != ".png" or (report / made.name).exists()):  # pages show the SVG, but for the front page
            shutil.copy(made, report)


def is_derived(report):
    """From what the repository holds: derive.txt may say "none: WHY"."""
    told = lines_of(report / "derive.txt")
    return not told[0].startswith("none:") if told else any((source / "samples.jsonl.xz").is_file() for source in sources(report))


NUMBER = re.compile(r"(?<![\w.`/-])\d+(?:,\d{3})*(?:\.\d+)?")  # not of a commit, a spec, a name


def unquoted(index):
    """Numbers with a decimal point or thousands in the rows of the index that no page of the folder they link quotes; those pages' figures are bound to cells."""
    found = []
    for line in index.read_text().splitlines():
        link = re.search(r"\]\(([\w./-]+\.md)\)", line)
        if not line.startswith("|") or not link:
            continue
        pages = [page.read_text() for page in (index.parent / link[1]).parent.glob("*.md") if page.name != "details.md"]
        quoted = {number for page in pages for number in NUMBER.findall(page)}
        said = re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)
        found += [f"{link[1]}: {number}" for number in NUMBER.findall(said) if re.search("[.,]", number) and number not in quoted]
    return found


def write_all():
    reports = sorted(path for path in REPORTS.iterdir() if is_derived(path))
    for report in reports:
        write(report)
    done = run("report", "verify", "--bind", *sorted(path for path in REPORTS.iterdir() if path.is_dir()), timeout=3600)
    print(done.stdout)
    done.check_returncode()
    print(f"{len(reports)} reports written")


class Reports(ProgramCase):
    def copied(self, name):
        """A report that may be changed, beside those that it reads."""
        folder = pathlib.Path(scratch_folder(self.addCleanup)) / "reports"
        shutil.copytree(REPORTS / name, folder / name)
        return folder / name

    def problems(self, folder, *flags):
        done = run("report", "verify", folder, "--json", *flags)
        found = {check["what"]: check["problems"] for check in json.loads(done.stdout)[0]["verified"]}
        self.assertEqual(done.returncode, 1 if any(found.values()) else 0, done.stderr)
        return found

    def test_the_index_quotes_what_its_pages_quote(self):
        self.assertEqual(unquoted(REPORTS / "README.md"), [])
        folder = scratch_folder(self.addCleanup)
        (folder / "a").mkdir()
        (folder / "a" / "README.md").write_text("It takes 0.49 of 1,024.\n")
        (folder / "README.md").write_text("| [a](a/README.md) | How much? | 0.48 of 1,024 with `b=0.3` |\n")
        self.assertEqual(unquoted(folder / "README.md"), ["a/README.md: 0.48"])

    def test_all_are_what_their_samples_say(self):
        done = run("report", "verify", *sorted(path for path in REPORTS.iterdir() if path.is_dir()), timeout=3000)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_each_is_one_screen(self):
        pages = sorted(REPORTS.glob("**/report.md"))
        self.assertGreater(len(pages), 20)
        for page in pages:
            self.assertLessEqual(len(page.read_text().splitlines()), SCREEN, f"{page}: what is longer belongs into details.md")
        for page in (*pages, *REPORTS.glob("**/README.md")):
            self.assertLessEqual(words(page), WORDS, f"{page}: what is longer belongs behind it")

    def test_a_figure_changed_by_hand_is_named(self):
        folder = self.copied("smollm2-135m-ablation")
        self.assertEqual(sum(map(len, self.problems(folder).values())), 0)
        page = folder / "README.md"
        text = page.read_text()
        number = re.search(r"\b0\.0602\b", text)
        page.write_text(text[:number.start()] + "0.0502" + text[number.end():])
        self.assertRegex(self.problems(folder)["figures"][0], r"README.md:\d+: 0\.0502 .*expected")
        run("report", "verify", "--bind", folder)  # binding it anew does not make it true
        self.assertRegex(" ".join(self.problems(folder)["figures"]), "0.0502.* no cell has it")
        page.write_text(text)
        run("report", "verify", "--bind", folder)
        page.write_text(text + "\nAnd 77.123 % more.\n")
        self.assertIn("77.123", self.problems(folder)["figures"][0])

    def test_changed_samples_and_tables_are_named(self):
        folder = self.copied("smollm2-135m-ablation")
        table = folder / "results.csv"
        table.write_text(table.read_text().replace("0.0602", "0.0502", 1))
        found = self.problems(folder)
        self.assertIn("results.csv: not what is derived", found["derived"])
        self.assertIn("results.csv: sha256", found["digests"][0])
        (folder / "provenance.json").unlink()
        found = self.problems(folder)
        self.assertIn("provenance.json: gone", " ".join(found["digests"]))
        self.assertIn("provenance.json", found["derived"][0])

    def test_models_and_texts_that_one_has(self):
        folder = self.copied("smollm2-135m-ablation")
        found = self.problems(folder, "--have", ROOT / "README.md")
        self.assertRegex(found["sources"][0], "README.md: sha256 [0-9a-f]{64} stands in no provenance")

    def test_what_is_no_report_is_refused(self):
        done = run("report", "verify", ROOT / "lib")
        self.assertEqual(done.returncode, 1)
        self.assertIn("expected samples.jsonl.xz", done.stderr)
        done = run("report", "verify", "--bind", "--json", REPORTS / "gpu")
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    if "--write" in sys.argv:
        take_bin()
        write_all()
    else:
        main()
