# SPDX-License-Identifier: Apache-2.0
"""The user's page, top to bottom: every block of README.md but pip's runs, over nano in place of the models that it names, to the
tables at its end. What >>> blocks print is compared by test_package.py. Needs KAKEYA_BIN, a folder of built programs."""

import contextlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import torch
    import transformers  # noqa: F401

    import kakeya  # noqa: F401
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

PACKAGE = pathlib.Path(__file__).resolve().parents[2]
ROOT = PACKAGE.parents[2]
NANO = ROOT / "data" / "models" / "nano"
BIN = os.environ.get("KAKEYA_BIN", "")

if not os.path.exists(os.path.join(BIN, "kakeya-sweep")):
    raise unittest.SkipTest("KAKEYA_BIN names no folder of built programs")
if not shutil.which("gnuplot"):
    raise unittest.SkipTest("the page's reports need gnuplot")

# What differs from the page: the interpreter, the model, and lengths that take seconds. Each has to be on it.
REPLACED = {
    "python -m": f"{sys.executable} -m",
    "HuggingFaceTB/SmolLM2-135M-Instruct": str(NANO),
    "Qwen/Qwen3-0.6B": str(NANO),
    "--model smollm2-135m": f"--model transformers:{NANO}",
    "--text test/": "--text test/ --passages 1 --ctx 64 --eval 8 --threads 1",
    "--scope head": "--scope head --passages 1 --ctx 64 --sensitivity-passages 1 --threads 1",
    "kakeya-report out/": "kakeya-report --no-charts out/",
    "max_new_tokens=40": "max_new_tokens=8",
    "passages=4, ctx=1024": "passages=1, ctx=64, eval=8, threads=1",
    'scope="head"': 'scope="head", passages=1, ctx=64, sensitivity_passages=1, threads=1',
    "queries=True": "queries=True, passages=1, ctx=64, threads=1",
}


def blocks_of(page):
    """[(language, text)] of the page's blocks, in order, without prompts and what is printed."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from make_notebook import BLOCK, code_of
    finally:
        sys.path.pop(0)
    return [(language, code_of(body)) for language, body in BLOCK.findall(page)]


def specs_of(block):
    """The codecs that a block names behind --codec or codec=, grids spelled out."""
    named = re.search(r"--codec (.*?) --|codec=\[(.*?)\]", block, re.S)
    made = []
    for pattern in re.findall(r"[\w:={},]*\w}?(?=['\" ]|$)", named[1] or named[2]):
        grid = re.fullmatch(r"(.*)\{(.*)\}", pattern)
        made += [grid[1] + value for value in grid[2].split(",")] if grid else [pattern]
    return made


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Runs the blocks; cls.ran has (block as on the page, what it printed)."""
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.enterClassContext(contextlib.chdir(cls.folder))
        for name, texts in (("cal", "0[1-4]*.txt"), ("test", "0[5-8]*.txt")):
            os.mkdir(name)
            for text in (ROOT / "data" / "text").glob(texts):
                shutil.copy(text, name)
        shutil.copy(PACKAGE / "examples" / "int4_groups.py", ".")
        cls.addClassCleanup(torch.set_num_threads, torch.get_num_threads())
        torch.set_num_threads(1)
        cls.blocks = blocks_of((PACKAGE / "README.md").read_text())
        cls.ran, cls.missing, cls.names = [], set(REPLACED), {"__name__": "page"}
        for language, block in cls.blocks:
            code = "\n".join(line for line in block.splitlines() if not line.startswith("pip install "))
            if code:
                cls.ran.append((block, cls.run_block(language, code)))

    @classmethod
    def run_block(cls, language, code):
        """What it printed. Raises AssertionError with the block where it fails."""
        cls.missing -= {before for before in REPLACED if before in code}
        for before, after in REPLACED.items():
            code = code.replace(before, after)
        if language == "sh":
            path = os.pathsep.join((BIN, os.environ["PATH"]))
            environment = {**os.environ, "PATH": path, "KAKEYA_PYTHON": sys.executable, "OMP_NUM_THREADS": "1"}
            done = subprocess.run(["sh", "-e", "-c", code], capture_output=True, text=True, env=environment)
            if done.returncode:
                raise AssertionError(f"exit status {done.returncode} of\n{code}\n{done.stderr}")
            return done.stdout
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "README.md", "exec"), cls.names)
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}: of\n{code}") from error
        return printed.getvalue()

    def of(self, part):
        """The one block that has `part`, and what it printed."""
        found = [pair for pair in self.ran if part in pair[0]]
        self.assertEqual(len(found), 1, part)
        return found[0]

    def assert_rows(self, specs, table):
        rows = [line for line in table.splitlines() if re.match(r"[\w:=,]+ +\S*.*\d", line)]
        for spec in specs:
            found = [row for row in rows if re.match(re.escape(spec) + r"(,profile=\w+)? ", row)]
            self.assertEqual(len(found), 1, f"{spec}:\n{table}")

    def test_all_but_pip_ran(self):
        self.assertEqual({language for language, _ in self.blocks}, {"python", "sh"})
        self.assertEqual(len(self.blocks) - len(self.ran), 1)  # the first: pip install and no more
        self.assertGreaterEqual(len(self.ran), 14)

    def test_what_is_replaced_is_on_the_page(self):
        self.assertEqual(self.missing, set())

    def test_a_codec_of_a_file(self):
        block, printed = self.of("--plugin int4_groups.py")
        specs = specs_of(block)
        self.assertEqual(specs, ["int4np:group=32", "int4np:group=64", "q4_0", "e8:q=10", "e8:q=22"])
        self.assert_rows(["identity", "int4np", *specs[1:]], printed)  # 32 is its default, which its name leaves out

    def test_a_cache_of_the_model(self):
        _, printed = self.of("KakeyaCache(")
        self.assertIn("The capital of France is", printed)
        self.assertEqual(self.names["model"].config.model_type, "qwen3")
        self.assertGreater(self.names["cache"].get_seq_length(), 5)

    def test_a_profile_of_the_model(self):
        self.of("kakeya.Profile(")
        self.assertEqual((self.names["profile"].layers, self.names["profile"].head_dim), (8, 128))

    def test_the_table_of_a_sweep(self):
        block, printed = self.of("--out out/qwen")
        specs = specs_of(block)
        self.assertEqual(len(specs), 8)
        self.assert_rows(["identity", *specs], printed)
        self.assertIn("KL divergence", pathlib.Path(self.folder, "out", "qwen", "report", "report.md").read_text())

    def test_the_table_of_a_model_in_memory(self):
        block, printed = self.of("kakeya.measure(")
        specs = ["identity", *specs_of(block)]
        self.assertEqual(specs, ["identity", "e8:q=10", "kivi:b=4"])
        self.assertEqual([line.split()[0] for line in printed.splitlines()], specs)
        self.assert_rows(specs, printed)
        bits = [float(line.split()[1]) for line in printed.splitlines()]
        self.assertTrue(16 <= bits[0] < 16.5 and max(bits[1:]) < 8, printed)
        for path in ("out/memory/report/report.md", "mine.kkp", "mine.h5"):
            self.assertTrue(pathlib.Path(self.folder, path).stat().st_size, path)


if __name__ == "__main__":
    unittest.main()
