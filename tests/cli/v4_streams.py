#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""KV streams of a DeepSeek-V4 from hidden states to a report: kakeya-capture, kakeya-sweep --dump, kakeya-report streams and rd.

usage: v4_streams.py BIN
"""
import json
import pathlib
import shutil
import struct

from program_case import ProgramCase, ROOT, document, json_lines, main, output, run, scratch_folder

TINY = ROOT / "tests" / "model" / "streams" / "tiny"
STREAMS = ["sliding", "csa", "indexer", "hca"]


def write_npy(path, shape, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f", *values))


class V4Streams(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    def captured(self, *arguments, model=TINY):
        return document("capture", "--model", model, "--hidden", TINY / "hidden.npy", "--out", self.folder / "v4", *arguments)

    def refused(self, code, what, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(what, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_capture_sweep_report(self):
        told = self.captured("--random-weights", 7)
        self.assertEqual([each["stream"] for each in told["streams"]], STREAMS)
        self.assertEqual([each["vectors"] for each in told["streams"]], [263, 65, 65, 2])
        self.assertEqual((told["weights"], told["random_weights"]), ("random, seed 7", True))
        self.assertAlmostEqual(sum(each["byte_share"] for each in told["streams"]), 1, places=12)
        self.assertIn("no forward was run", told["not_run"])
        folders = []
        for stream in ("sliding", "csa"):
            folders.append(self.folder / stream)
            output("sweep", "--dump", self.folder / "v4" / f"{stream}.h5", "--skip-edge-layers", 0, "--out", folders[-1],
                   "--codec", "e8:q={4,10}", "fp8:block=8", "fp8:block=8,scale=e8m0,tail=8")
            plan = json.loads((folders[-1] / "provenance.json").read_text())["plan"]
            self.assertEqual(plan["stream"]["stream"], stream)
            self.assertEqual(plan["stream"]["stream_weights"], "random, seed 7")
            self.assertIn("random, seed 7", plan["model_name"])
            for sample in json_lines(folders[-1] / "samples.jsonl"):
                self.assertEqual(sample["values"], {"sliding": 3 * 263 * 16, "csa": 65 * 16}[stream])
        report = document("report", "streams", *folders, "--against", "fp8:block=8,scale=e8m0,tail=8", "--out", self.folder / "r")
        self.assertEqual(report["passages"], 1)
        of = {each["codec"]: each for each in report["codecs"]}
        weights = [each["weight"] for each in report["streams"]]
        shares = [each["byte_share"] for each in told["streams"][:2]]
        for weight, share in zip(weights, shares):
            self.assertAlmostEqual(weight, share / sum(shares), places=12)
        for codec in of.values():
            self.assertAlmostEqual(codec["ratio"][0], sum(w * each["ratio"][0] for w, each in zip(weights, codec["streams"])), places=12)
        self.assertEqual(of["fp8:block=8,scale=e8m0,tail=8"]["ratio"][0], 1)
        self.assertLess(of["e8:q=10"]["ratio"][0], of["e8:q=4"]["ratio"][0])
        page = (self.folder / "r" / "report.md").read_text()
        self.assertIn("The weights are not the model's: random, seed 7", page)
        points = document("report", "rd", "--dump", self.folder / "v4" / "csa.h5", "--codec", "e8:q=10", "--source", "gaussian", "--dim", 16,
                          "--vectors", 64, "--no-charts", "--out", self.folder / "rd")
        self.assertEqual([each["name"] for each in points["sources"]], ["gaussian", "csa"])
        sampled = [each for each in json_lines(folders[1] / "samples.jsonl") if each["codec_k"] == "e8:q=10"]
        self.assertAlmostEqual(points["points"][1]["rel_mse"], sampled[0]["rel_mse_k"], places=9)

    def test_weights_of_files(self):
        for model, types in ((TINY, "F32"), (TINY / "fp8", "BF16, F32, F8_E4M3")):
            told = self.captured("--passages", 1, model=model)
            self.assertEqual((told["weights"], told["random_weights"], told["layers"]), (types, False, [0, 1, 2]))
        said = output("capture", "--model", TINY, "--hidden", TINY / "hidden.npy", "--random-weights", 3, "--out", self.folder / "v4")
        self.assertIn("weights: random, seed 3; no forward was run", said)
        one = self.folder / "one.npy"  # the same for every layer
        write_npy(one, (9, 24), [((i * 7919) % 101 - 50) / 25 for i in range(9 * 24)])
        told = document("capture", "--model", TINY, "--hidden", one, "--stream-layers", "1,2", "--out", self.folder / "few")
        self.assertEqual([(each["stream"], each["vectors"], each["layers"]) for each in told["streams"]],
                         [("sliding", 9, "1,2"), ("csa", 2, "1"), ("indexer", 2, "1")])  # no 128 tokens for hca

    def test_refusals(self):
        hidden, out = TINY / "hidden.npy", self.folder / "v4"
        self.refused(2, "no forward is run", "capture", "--model", TINY, "--out", out)
        self.refused(2, "queries: not for a DeepSeek-V4", "capture", "--model", TINY, "--hidden", hidden, "--queries", "--out", out)
        self.refused(2, "text: not for a DeepSeek-V4", "capture", "--model", TINY, "--hidden", hidden, "--text", ROOT / "data" / "text", "--out", out)
        self.refused(2, "says deepseek_v4", "capture", "--model", "nano", "--hidden", hidden, "--out", out)
        self.refused(2, "expected --text", "capture", "--model", "nano", "--out", out)
        self.refused(1, "layer 7: expected 0 to 2", "capture", "--model", TINY, "--hidden", hidden, "--stream-layers", 7, "--out", out)
        bare = self.folder / "bare"
        bare.mkdir()
        shutil.copy(TINY / "config.json", bare)
        self.refused(1, "has neither model.safetensors", "capture", "--model", bare, "--hidden", hidden, "--out", out)
        padded = self.folder / "padded.npy"
        write_npy(padded, (20, 24), [((i * 7919) % 101 - 50) / 25 for i in range(10 * 24)] + [0.5] * (10 * 24))
        self.refused(1, "tokens 10 to 19 are equal, which is padding", "capture", "--model", TINY, "--hidden", padded, "--out", out)
        self.assertFalse([path for path in pathlib.Path(out).glob("*")])  # no unfinished dump is left
        out.rmdir()
        out.write_text("a file")
        self.refused(1, "expected the name of a folder", "capture", "--model", TINY, "--hidden", hidden, "--out", out)
        out.unlink()
        self.captured()
        self.refused(1, "stream csa of a model with several", "codec", "pack", "--dump", out / "csa.h5", "--codec", "e8:q=10", "--out",
                     self.folder / "x.kkv")
        self.refused(2, "one vector for key and value", "sweep", "--dump", out / "csa.h5", "--codec-k", "e8:q=10", "--codec-v", "e8:q=4",
                     "--skip-edge-layers", 0, "--out", self.folder / "s")


if __name__ == "__main__":
    main()
