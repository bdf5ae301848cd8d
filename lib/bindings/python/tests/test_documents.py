# SPDX-License-Identifier: Apache-2.0
"""Pages that are made: the table of harnesses.md, the notebook of README.md."""

import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from made import SANITIZED

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
SCRIPTS = PACKAGE.parents[2] / "scripts"


def setUpModule():
    if SANITIZED:
        raise unittest.SkipTest("runs scripts, not the extension")


@unittest.skipUnless(SCRIPTS.exists(), "needs a clone")
class Documents(unittest.TestCase):
    def test_the_table_is_made_of_the_samples(self):
        command = [sys.executable, SCRIPTS / "compare_harnesses.py", "--from", PACKAGE / "harnesses.csv"]
        table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        self.assertEqual(table.count("\n"), 23)
        self.assertIn(table, (PACKAGE / "harnesses.md").read_text())

    def test_a_run_replaces_the_samples_of_its_models(self):
        sys.path.insert(0, str(SCRIPTS))
        self.addCleanup(sys.path.remove, str(SCRIPTS))
        import compare_harnesses

        with open(PACKAGE / "harnesses.csv") as file:
            before = list(csv.DictReader(file))
        fresh = [{**row, "kld_mean": "1"} for row in before if row["model"] == "nano"][:3]
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(PACKAGE / "harnesses.csv", folder)
            compare_harnesses.write_into(path, fresh)
            with open(path) as file:
                after = list(csv.DictReader(file))
        self.assertEqual(after, [row for row in before if row["model"] != "nano"] + fresh)

    def test_the_notebook_is_made_of_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kakeya.ipynb")
            subprocess.run([sys.executable, SCRIPTS / "make_notebook.py", path], capture_output=True, check=True)
            with open(path) as file:
                cells = json.load(file)["cells"]
        self.assertGreaterEqual(len(cells), 20)
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        self.assertTrue(any("kakeya.codec(" in text for text in code))
        for text in code:
            if not text.startswith("%%"):
                compile(text, "cell", "exec")


if __name__ == "__main__":
    unittest.main()
