# SPDX-License-Identifier: Apache-2.0
"""scripts/family_check.py fails, naming the family, where anything is not as it declares."""

import contextlib
import importlib.util
import io
import pathlib
import unittest
from unittest import mock

try:
    import torch

    import kakeya
    from kakeya.transformers import KakeyaCache, kinds
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

torch.set_num_threads(1)
SCRIPT = pathlib.Path(__file__).resolve().parents[5] / "scripts" / "family_check.py"


class FamilyCheck(unittest.TestCase):
    def setUp(self):
        made = importlib.util.spec_from_file_location("family_check", SCRIPT)
        self.script = importlib.util.module_from_spec(made)
        made.loader.exec_module(self.script)
        self.script.MODES = {"steps": ([40, 1, 1], False)}
        self.script.FAMILIES = {name: self.script.FAMILIES[name] for name in ("Llama 3", "RWKV")}
        self.script.beams = lambda model, cache: torch.zeros(1)

    def run_script(self, *arguments):
        """Its exit message (None: 0), and its table."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), mock.patch("sys.argv", ["family_check.py", *arguments]):
            try:
                self.script.main()
            except SystemExit as ended:
                return ended.code, printed.getvalue()
        return None, printed.getvalue()

    def declare(self, name, **changes):
        self.script.FAMILIES[name] = self.script.FAMILIES[name]._replace(**changes)

    def test_what_is_as_declared_passes(self):
        code, table = self.run_script("--without-klt")
        self.assertIsNone(code)
        self.assertIn("| Llama 3 | equal | equal |", table)
        self.assertIn("a recurrent state (RwkvModel is stateful)", table)
        self.assertNotIn("klt", table)

    def test_a_family_that_is_absent_fails(self):
        self.script.FAMILIES["Nobody"] = self.script.Family("NobodyConfig", {}, refused="anything")
        code, table = self.run_script("--only", "Nobody")
        self.assertEqual(code, "family_check: Nobody: not as declared")
        self.assertRegex(table, r"\| Nobody \| failed: transformers \S+ has no NobodyConfig \|")

    def test_klt_that_is_refused_fails_unless_it_is_declared(self):
        with mock.patch.object(kakeya, "calibrate", side_effect=kakeya.InputError("kakeya-calibrate is not found")):
            code, table = self.run_script("--only", "Llama 3")
            self.assertEqual(code, "family_check: Llama 3: not as declared")
            self.assertIn("failed: refused: kakeya-calibrate is not found", table)
            self.declare("Llama 3", klt_refused="something else")
            self.assertEqual(self.run_script("--only", "Llama 3")[0], "family_check: Llama 3: not as declared")
            self.declare("Llama 3", klt_refused="is not found")
            code, table = self.run_script("--only", "Llama 3")
        self.assertIsNone(code)
        self.assertIn("| refused: kakeya-calibrate is not found |", table)

    def test_klt_that_is_not_refused_fails_where_it_is_declared(self):
        self.declare("Llama 3", klt_refused="anything")
        with mock.patch.object(kakeya, "calibrate"), mock.patch.object(self.script, "KakeyaCache", lambda *given, **more: KakeyaCache(
                *given, **{key: value for key, value in more.items() if key != "profile"})):
            self.script.KLT = "identity"
            code, table = self.run_script("--only", "Llama 3")
        self.assertEqual(code, "family_check: Llama 3: not as declared")
        self.assertIn("failed: not refused, where 'anything' is declared", table)

    def test_keys_before_rope_that_are_refused_fail(self):
        with mock.patch("kakeya.transformers.cache.KeyTurns", side_effect=kakeya.InputError("cannot be shown")):
            code, table = self.run_script("--only", "Llama 3", "--without-klt")
        self.assertEqual(code, "family_check: Llama 3: not as declared")
        self.assertIn("| failed: refused: cannot be shown |", table)

    def test_a_declared_refusal_that_does_not_come_fails(self):
        with mock.patch.object(kinds, "_check_class"):
            code, table = self.run_script("--only", "RWKV")
        self.assertEqual(code, "family_check: RWKV: not as declared")
        self.assertIn("failed", table)
        self.declare("RWKV", refused="another reason")
        self.assertEqual(self.run_script("--only", "RWKV")[0], "family_check: RWKV: not as declared")


if __name__ == "__main__":
    unittest.main()
