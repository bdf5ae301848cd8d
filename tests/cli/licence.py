#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nobody gets Gemma from scripts/fetch_model.sh without saying yes to its terms."""
import os
import subprocess
import unittest

from program_case import ProgramCase, ROOT, scratch_folder


class Licence(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    def fetch(self, *words):
        return subprocess.run([ROOT / "scripts" / "fetch_model.sh", *words], capture_output=True, encoding="utf-8",
                              env={**os.environ, "KAKEYA_MODELS": str(self.folder)})

    def refuses(self, *words, names, stdout=None):
        self.check_failure(self.fetch(*words), 2, "fetch_model", names, stdout)
        self.assertEqual(os.listdir(self.folder), [])

    def test_terms_come_first(self):
        self.refuses("gemma3-270m", names=("--accept-licence",), stdout="ai.google.dev/gemma/terms")

    def test_other_words_are_refused(self):
        for words in ((), ("--accept-licence",), ("gemma3-270m", "nano"), ("nosuch",)):
            self.refuses(*words, names=("gemma3-270m",))

    def test_nano_is_there(self):
        self.assertEqual(self.fetch("nano").returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
