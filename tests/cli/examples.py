#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples run and say what they should; documents quote them as they are.

usage: examples.py BIN EXAMPLE...
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import check_examples  # noqa: E402

BIN = None
BUILT = []


class Examples(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_example(self, name, *arguments, code=0):
        done = subprocess.run([BIN / f"example_{name}", *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def test_every_example_is_short_and_built(self):
        endings = ("*.cpp", "*.c") if "c_interface" in BUILT else ("*.cpp",)  # KAKEYA_BUILD_BINDINGS=OFF: without the C library
        sources = sorted(path for ending in endings for path in (ROOT / "apps/examples").glob(ending))
        self.assertEqual({path.stem for path in sources}, set(BUILT))
        for path in sources:
            self.assertLessEqual(len(path.read_text().splitlines()), 90 if path.stem.startswith("plugin") else 65, path)

    def test_encode_decode(self):
        said = self.run_example("encode_decode")
        bits, error = re.fullmatch(r"e8:q=10: ([\d.]+) bits a value, relative squared error ([\d.]+)\n", said).groups()
        self.assertAlmostEqual(float(bits), 4.65, delta=0.01)
        self.assertTrue(0.004 < float(error) < 0.008, error)

    def test_c_interface(self):
        if "c_interface" not in BUILT:
            self.skipTest("built without the C library")
        said = self.run_example("c_interface")
        bits, error = re.fullmatch(r"e8:q=10: ([\d.]+) bits a value, relative squared error ([\d.]+)\n", said).groups()
        self.assertAlmostEqual(float(bits), 4.65, delta=0.01)
        self.assertTrue(0.004 < float(error) < 0.008, error)

    def test_pack_cache(self):
        file = self.folder / "cache.kkv"
        said = self.run_example("pack_cache", file)
        self.assertIn(f"{file.stat().st_size} bytes for 204800 values", said)
        self.assertEqual(file.read_bytes()[:4], b"KKVC")
        self.assertIn("PROFILE.kkp", self.run_example("pack_cache", code=2))
        broken = self.folder / "p.kkp"
        broken.write_bytes(b"KKVP")
        self.assertIn("too few", self.run_example("pack_cache", file, broken, code=1))

    def test_append_tokens(self):
        said = self.run_example("append_tokens").splitlines()
        self.assertEqual([line.split(":")[0] for line in said], ["256 tokens", "512 tokens", "700 tokens"])
        self.assertIn("the open page of 188", said[-1])

    def test_documents_quote_what_is_there(self):
        done = subprocess.run([sys.executable, ROOT / "scripts/check_examples.py"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("<!-- example: apps/examples/", (ROOT / "README.md").read_text())

    def test_a_quotation_that_differs_is_found(self):
        name, document = "apps/examples/encode_decode.cpp", self.folder / "README.md"
        (self.folder / name).parent.mkdir(parents=True)
        (self.folder / name).write_text((ROOT / name).read_text())
        text = check_examples.quotable(ROOT, name)
        self.assertTrue(text.startswith("// A codec is made"), text)
        quotation = lambda body, of=name: f"Words.\n\n<!-- example: {of} -->\n```cpp\n{body}```\nMore words.\n"
        for body, of, found in ((text, name, 0), (text.replace("e8", "e7"), name, 1), (text[:-1] + " \n", name, 1), (text, "apps/examples/none.cpp", 1),
                                ("", name, 1)):
            document.write_text(quotation(body, of))
            problems = []
            self.assertEqual(check_examples.check(self.folder, document, problems), 1)
            self.assertEqual(len(problems), found, problems)
        self.assertEqual(check_examples.check(self.folder, document, [], write=True), 1)
        self.assertEqual(document.read_text(), quotation(text))
        document.write_text(f"<!-- example: {name} -->\n\nno block\n")
        problems = []
        check_examples.check(self.folder, document, problems)
        self.assertEqual(len(problems), 1)
        document.write_text("Nothing is quoted.\n")
        self.assertEqual(check_examples.check(self.folder, document, []), 0)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    BIN, BUILT = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    unittest.main(argv=sys.argv[:1])
