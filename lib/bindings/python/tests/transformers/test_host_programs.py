# SPDX-License-Identifier: Apache-2.0
"""The programs themselves over models in memory. Needs KAKEYA_BIN, a folder of built programs."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
    import torch
    from transformers import AutoTokenizer

    import kakeya
    from program import model_of
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

ROOT = pathlib.Path(__file__).resolve().parents[5]
NANO = ROOT / "data" / "models" / "nano"
BIN = os.environ.get("KAKEYA_BIN", "")
SMALL = dict(passages=2, ctx=64, eval=16, skip_edge_layers=0, threads=1)

if not os.path.exists(os.path.join(BIN, "kakeya-sweep")):
    raise unittest.SkipTest("KAKEYA_BIN names no folder of built programs")


class OwnHalves:
    name = "own-halves"

    def __init__(self, dim):
        self.dim = dim

    def encode(self, x):
        return x.astype("float16").tobytes()

    def decode(self, data, count):
        return numpy.frombuffer(data, "float16").reshape(count, self.dim)


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tokenizer = AutoTokenizer.from_pretrained(str(NANO))
        cls.text = str(ROOT / "data" / "text")

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def test_measures_a_model_in_memory_and_goes_on(self):
        out = os.path.join(self.folder, "out")
        for name in ("Gemma 3", "gpt-oss"):
            model = model_of(name, vocab_size=4096)
            codecs = ["e8:q=10", "ece8:bits=4,page=32"]
            where = f"{out}-{name}"
            samples = kakeya.measure(model, self.tokenizer, self.text, codecs, where, sinks=4, residual_window=8,
                                     mode="inforward,snapshot,decode", **{**SMALL, "ctx": 144})
            self.assertEqual(len(samples), 3 * 3 * 2)  # identity too
            for sample in samples:
                identity = sample["codec_k"] == "identity"
                self.assertEqual(sample["kld_mean"] < 1e-9, identity, sample)
                self.assertLess(sample["bits_per_value"], 16.5 if identity else 8)
            again = kakeya.measure(model, self.tokenizer, self.text, codecs, where, sinks=4, residual_window=8,
                                   mode="inforward,snapshot,decode", **{**SMALL, "ctx": 144})
            self.assertEqual(again, samples)
            told = json.load(open(os.path.join(where, "provenance.json")))
            self.assertTrue(told["plan"]["model_name"].endswith("(in memory)"), told["plan"]["model_name"])

    def test_another_model_in_the_same_folder_is_refused(self):
        kakeya.measure(model_of("Llama", vocab_size=4096), self.tokenizer, self.text, "fp8", self.folder, **SMALL)
        other = model_of("Llama", vocab_size=4096)
        with torch.no_grad():
            other.model.norm.weight += 0.1
        with self.assertRaisesRegex(kakeya.Error, "model"):
            kakeya.measure(other, self.tokenizer, self.text, "fp8", self.folder, **SMALL)

    def test_bf16(self):
        model = model_of("Qwen3", torch.bfloat16, vocab_size=4096)
        samples = kakeya.measure(model, self.tokenizer, self.text, "int8", **SMALL)
        self.assertEqual([sample["kld_mean"] for sample in samples if sample["codec_k"] == "identity"], [0, 0])
        self.assertTrue(all(0 < sample["kld_mean"] < 0.1 for sample in samples if sample["codec_k"] != "identity"))

    def test_codecs_of_this_process(self):
        try:
            kakeya.register_codec(OwnHalves)
        except kakeya.SpecError:  # a test before registered it
            pass
        samples = kakeya.measure(model_of("Llama", vocab_size=4096), self.tokenizer, self.text, ["own-halves", "int8"], **SMALL)
        own = [sample for sample in samples if sample["codec_k"] == "own-halves"]
        self.assertEqual(len(own), 2)
        self.assertTrue(all(16 < sample["bits_per_value"] < 17 and sample["kld_mean"] < 1e-4 for sample in own), own)

    def test_a_folder_holds_one_codec_of_a_name(self):
        names = {}
        exec("class Coarse(Halves):\n    def encode(self, x):\n        return (x / self.step).round().astype('float16').tobytes()", {"Halves": OwnHalves}, names)
        coarse, other = names["Coarse"](16), names["Coarse"](16)  # without source, as typed into a notebook
        coarse.name, coarse.step, other.name, other.step = "t-coarse", 1 / 8, "t-other", 1 / 4
        coarse.decode = lambda data, count: numpy.frombuffer(data, "float16").reshape(count, 16) * coarse.step
        other.decode = lambda data, count: numpy.frombuffer(data, "float16").reshape(count, 16) * other.step
        for codec in (coarse, other):
            kakeya.register_codec(codec)
        model, out = model_of("Llama", vocab_size=4096), os.path.join(self.folder, "out")

        def measured(codec):
            return kakeya.measure(model, self.tokenizer, self.text, codec, out, **SMALL)

        samples = measured("t-coarse")
        self.assertEqual(measured("t-coarse"), samples)
        more = measured(["t-coarse", "t-other"])  # one more is no other
        self.assertEqual((more[: len(samples)], len(more)), (samples, 6))
        coarse.step = 1 / 4
        with self.assertRaisesRegex(kakeya.Error, "holds results of t-coarse of t-coarse.registered.py .*expected the same file, or another folder"):
            measured("t-coarse")
        self.assertEqual(measured("t-other"), more)
        coarse.step = 1 / 8
        self.assertEqual(measured("t-coarse"), more)
        coarse.log = open(os.devnull)
        self.addCleanup(coarse.log.close)
        with self.assertRaisesRegex(kakeya.SpecError, "holds results of t-coarse, .* it holds self.log, a TextIOWrapper: expected another folder"):
            measured("t-coarse")
        self.assertEqual(len(kakeya.measure(model, self.tokenizer, self.text, "t-coarse", **SMALL)), 4)  # nothing to compare it with

    def test_codecs_of_a_file_again_in_one_process(self):
        example = str(ROOT / "lib" / "bindings" / "python" / "examples" / "int4_groups.py")
        given = (model_of("Llama", vocab_size=4096), self.tokenizer, self.text, "int4np:group=16", self.folder)
        samples = kakeya.measure(*given, plugin=example, **SMALL)
        self.assertEqual(kakeya.measure(*given, plugin=example, **SMALL), samples)

    def test_calibrates_and_captures(self):
        model = model_of("Gemma 3", vocab_size=4096)
        profile = os.path.join(self.folder, "p.kkp")
        told = kakeya.calibrate(model, self.tokenizer, self.text, profile, scope="head", passages=4, ctx=128, sensitivity_passages=1, threads=1)
        self.assertEqual(told["layers"], 4)
        samples = kakeya.measure(model, self.tokenizer, self.text, "klt:bits=3", profile=profile, **SMALL)
        self.assertEqual(len(samples), 4)
        self.assertTrue(all(sample["bits_per_value"] < 6 for sample in samples if sample["codec_k"].startswith("klt")))
        told = kakeya.capture(model, self.tokenizer, self.text, os.path.join(self.folder, "d.h5"), passages=2, ctx=32, queries=True, threads=1)
        self.assertEqual((told["passages"], told["layers"], told["heads"], told["dim"], told["tokens"]), (2, 4, 2, 16, 32))

    def test_a_failed_cell_says_why(self):
        with self.assertRaisesRegex(kakeya.Error, "^2 of 4 cells failed: q8_0, passage 0: .*32"):
            kakeya.measure(model_of("Llama", vocab_size=4096), self.tokenizer, self.text, "q8_0", **SMALL)

    def test_calibrates_interleaved_keys(self):
        told = kakeya.calibrate(model_of("GLM-4", vocab_size=4096), self.tokenizer, self.text, os.path.join(self.folder, "p.kkp"), scope="head",
                                passages=2, ctx=128, sensitivity_passages=1, threads=1)
        self.assertEqual(told["layers"], 4)

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_a_report(self):
        out = os.path.join(self.folder, "out")
        kakeya.measure(model_of("Llama", vocab_size=4096), self.tokenizer, self.text, ["fp8", "int4"], out, report=True, **SMALL)
        self.assertTrue(os.path.exists(os.path.join(out, "report", "report.md")))

    def test_refusals_are_those_of_the_model(self):
        model = model_of("GPT-2", vocab_size=4096)
        with self.assertRaisesRegex(kakeya.Error, "give tap='post-rope'"):
            kakeya.measure(model, self.tokenizer, self.text, "fp8", **SMALL)
        samples = kakeya.measure(model, self.tokenizer, self.text, "fp8", tap="post-rope", **SMALL)
        self.assertEqual(len(samples), 4)
        with self.assertRaisesRegex(kakeya.InputError, "a model of torch.float16: expected torch.float32 or torch.bfloat16"):
            kakeya.measure(model.half(), self.tokenizer, self.text, "fp8", **SMALL)
        with self.assertRaisesRegex(kakeya.Error, "no tokenizer was given"):
            kakeya.measure(model.float(), None, self.text, "fp8", **SMALL)

    def test_a_part_of_a_head_before_rope(self):
        """Phi: measured and calibrated before RoPE and after it."""
        model = model_of("Phi", vocab_size=4096)
        few = dict(scope="head", passages=2, ctx=128, sensitivity_passages=1, threads=1)
        for tap in ("pre-rope", "post-rope"):
            profile = os.path.join(self.folder, f"{tap}.kkp")
            self.assertEqual(kakeya.calibrate(model, self.tokenizer, self.text, profile, tap=tap, **few)["layers"], 4)
            self.assertEqual(kakeya.Profile(profile).tap, tap)
            samples = kakeya.measure(model, self.tokenizer, self.text, ["kivi:b=4", "klt:bits=4,page=32"], tap=tap, profile=profile, **SMALL)
            self.assertEqual([sample["kld_mean"] < 1e-9 for sample in samples], [sample["codec_k"] == "identity" for sample in samples])

    def test_the_command_line_of_a_folder(self):
        command = [sys.executable, "-m", "kakeya.sweep", "--model", str(NANO), "--text", self.text, "--passages", "1", "--ctx", "64", "--eval", "16",
                   "--codec", "fp8", "--out", self.folder, "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        json.loads(done.stdout)
        told = json.load(open(os.path.join(self.folder, "provenance.json")))["plan"]
        self.assertEqual(told["model_name"], "nano")
        ours = subprocess.run([os.path.join(BIN, "kakeya-sweep"), *command[3:-2], self.folder + "/ours"], capture_output=True, text=True)
        if "LibTorch" in ours.stderr:
            self.skipTest("the programs have no LibTorch")
        self.assertEqual(ours.returncode, 0, ours.stderr)
        self.assertEqual(json.load(open(os.path.join(self.folder, "ours", "provenance.json")))["plan"]["model_sha256"], told["model_sha256"])


if __name__ == "__main__":
    unittest.main()
