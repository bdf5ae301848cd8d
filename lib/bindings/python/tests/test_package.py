# SPDX-License-Identifier: Apache-2.0
"""The package itself: its names, docstrings, stubs, and the README, which runs."""
import ast
import doctest
import inspect
import os
import pathlib
import re
import sys
import sysconfig
import tempfile
import unittest

import kakeya

from made import ROOT, SANITIZED

HERE = pathlib.Path(kakeya.__file__).parent


class Package(unittest.TestCase):
    def test_every_name_is_there_and_documented(self):
        for name in kakeya.__all__:
            value = getattr(kakeya, name)
            if name != "__version__":
                self.assertTrue(inspect.getdoc(value), name)

    def test_every_method_is_documented(self):
        for kind in (kakeya.Codec, kakeya.PackedCache, kakeya.PageWriter, kakeya.CacheFile, kakeya.Profile):
            for name, member in vars(kind).items():
                if not name.startswith("_"):
                    self.assertTrue(inspect.getdoc(member), f"{kind.__name__}.{name}")

    def test_version(self):
        header = (ROOT / "lib" / "kakeya" / "version.h").read_text()
        self.assertEqual(kakeya.__version__, ".".join(re.findall(r"KAKEYA_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)))

    @unittest.skipIf(sys.version_info < (3, 12) or sysconfig.get_config_var("Py_GIL_DISABLED"), "no stable ABI that nanobind can use")
    def test_the_stable_abi(self):
        self.assertTrue(kakeya._core.__file__.endswith(".abi3.so"), kakeya._core.__file__)

    @unittest.skipUnless(SANITIZED, "of the build with sanitizers")
    def test_sanitizers_are_within(self):
        """A defect in the extension or in the library that it is linked with would show."""
        extension = pathlib.Path(kakeya._core.__file__).read_bytes()
        for function in (b"__asan_report_store", b"__asan_report_load", b"__ubsan_handle"):
            self.assertIn(function, extension)

    def test_stubs_name_what_there_is(self):
        self.assertTrue((HERE / "py.typed").exists())
        tree = ast.parse((HERE / "_core.pyi").read_text())
        stubs = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        for name in ("codec", "load_cache", "save_cache", "Codec", "PackedCache", "PageWriter", "Profile", "SpecError"):
            self.assertIn(name, stubs)
        methods = {node.name for node in stubs["Codec"].body if isinstance(node, ast.FunctionDef)}
        self.assertTrue({"encode", "decode", "info", "ledger", "rates"} <= methods)

    def test_the_readme_runs(self):
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                done = doctest.testfile(str(ROOT / "lib" / "bindings" / "python" / "README.md"), module_relative=False,
                                        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            finally:
                os.chdir(before)
        self.assertEqual(done.failed, 0)
        self.assertGreater(done.attempted, 10)


if __name__ == "__main__":
    unittest.main()
