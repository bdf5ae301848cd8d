# SPDX-License-Identifier: Apache-2.0
"""Pages that are made: the table of harnesses.md, the notebook of README.md."""

import json
import os
import pathlib
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
        self.assertEqual(table.count("\n"), 16)
        self.assertIn(table, (PACKAGE / "harnesses.md").read_text())

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
