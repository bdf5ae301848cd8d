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
REFERENCE = "fp8:block=8,scale=e8m0,tail=8"
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
        self.assertEqual(told["left_out"], [])
        folders = []
        for stream in ("sliding", "csa"):
            folders.append(self.folder / stream)
            output("sweep", "--dump", self.folder / "v4" / f"{stream}.h5", "--skip-edge-layers", 0, "--out", folders[-1],
                   "--codec", "e8:q={4,10,76,152}", "fp8:block=8", REFERENCE)
            plan = json.loads((folders[-1] / "provenance.json").read_text())["plan"]
            self.assertEqual(plan["stream"]["stream"], stream)
            self.assertEqual(plan["stream"]["stream_weights"], "random, seed 7")
            self.assertIn("random, seed 7", plan["model_name"])
            for sample in json_lines(folders[-1] / "samples.jsonl"):
                self.assertEqual(sample["values"], {"sliding": 3 * 263 * 16, "csa": 65 * 16}[stream])
        report = document("report", "streams", *folders, "--against", REFERENCE, "--out", self.folder / "r")
        self.assertEqual(report["passages"], 1)
        of = {each["codec"]: each for each in report["codecs"]}
        weights = [each["weight"] for each in report["streams"]]
        shares = [each["byte_share"] for each in told["streams"][:2]]
        for weight, share in zip(weights, shares):
            self.assertAlmostEqual(weight, share / sum(shares), places=12)
        for codec in of.values():
            self.assertAlmostEqual(codec["ratio"][0], sum(w * each["ratio"][0] for w, each in zip(weights, codec["streams"])), places=12)
        self.assertEqual(of[REFERENCE]["ratio"][0], 1)
        self.assertLess(of["e8:q=10"]["ratio"][0], of["e8:q=4"]["ratio"][0])
        page = (self.folder / "r" / "report.md").read_text()
        self.assertIn("The weights are not the model's: random, seed 7", page)
        self.assertIn("| e8 ", page)  # its thresholds
        self.assertEqual(report["model_weights"], "random, seed 7")
        self.thresholds(folders, of, weights)
        points = document("report", "rd", "--dump", self.folder / "v4" / "csa.h5", "--codec", "e8:q=10", "--source", "gaussian", "--dim", 16,
                          "--vectors", 64, "--no-charts", "--out", self.folder / "rd")
        self.assertEqual([each["name"] for each in points["sources"]], ["gaussian", "csa"])
        sampled = [each for each in json_lines(folders[1] / "samples.jsonl") if each["codec_k"] == "e8:q=10"]
        self.assertAlmostEqual(points["points"][1]["rel_mse"], sampled[0]["rel_mse_k"], places=9)

    def thresholds(self, folders, of, weights):
        """Of folders and of dumps, against the streams report's numbers."""
        dumps = [self.folder / "v4" / f"{folder.name}.h5" for folder in folders]
        for where in ([*folders, "--codec", "e8"], ["--dump", *dumps, "--codec", "e8:q={4,10,76,152}"]):
            told = document("report", "thresholds", *where, "--against", REFERENCE, "--factor", "1,1.05,1.2")
            self.assertEqual(told["model_weights"], "random, seed 7")
            answers = {(each["stream"], each["strategy"], each["factor"], each["rule"]): each for each in told["answers"]}
            self.assertEqual(len(answers), 3 * 2 * (2 + 2))  # factors, rules; streams and strategies
            for factor in (1, 1.05, 1.2):
                coarsest = []
                for place, folder in enumerate(folders):
                    within = [spec for spec in of if spec.startswith("e8") and of[spec]["streams"][place]["ratio"][0] <= factor]
                    best = min(within, key=lambda spec: of[spec]["streams"][place]["bits_per_value"])
                    coarsest.append(best)
                    answer = answers[folder.name, None, factor, "point"]
                    self.assertEqual(answer["setting"], best)
                    self.assertAlmostEqual(answer["bits_per_value"], of[best]["streams"][place]["bits_per_value"], places=9)
                    # of layers together in a dump, of their mean in a sweep
                    self.assertAlmostEqual(answer["ratio"], of[best]["streams"][place]["ratio"][0], places=5 if "--dump" in where else 9)
                    self.assertIsNone(answers[folder.name, None, factor, "safe"]["setting"])  # one passage has no interval
                bits = [of[spec]["streams"][place]["bits_per_value"] for place, spec in enumerate(coarsest)]
                self.assertAlmostEqual(answers["all", 2, factor, "point"]["bits_per_value"], sum(w * b for w, b in zip(weights, bits)), places=9)
                self.assertGreaterEqual(answers["all", 1, factor, "point"]["bits_per_value"], answers["all", 2, factor, "point"]["bits_per_value"] - 1e-12)
            text = output("report", "thresholds", *where, "--against", REFERENCE)
            self.assertIn("The weights are not the model's: random, seed 7", text)
        by_layers = document("report", "thresholds", *folders, "--against", REFERENCE, "--codec", "e8", "--weights", "sliding=3", "csa=20")
        mean = {(each["stream"], each["strategy"], each["factor"]): each["bits_per_value"] for each in by_layers["answers"] if each["rule"] == "point"}
        self.assertAlmostEqual(mean["all", 2, 1], (3 * mean["sliding", None, 1] + 20 * mean["csa", None, 1]) / 23, places=12)
        self.refused(1, "stream csa is given twice", "report", "thresholds", "--dump", dumps[1], self.copied(dumps[1]))
        self.refused(1, "expected the same model", "report", "thresholds", "--dump", dumps[0], self.of_other_weights())

    def copied(self, dump):
        return shutil.copy(dump, self.folder / "copy.h5")

    def of_other_weights(self):
        output("capture", "--model", TINY, "--hidden", TINY / "hidden.npy", "--out", self.folder / "own")
        return self.folder / "own" / "csa.h5"

    def test_the_shipped_shape_takes_what_storage_says(self):
        flash = ROOT / "data" / "configs" / "deepseek-v4-flash.json"
        hidden = self.folder / "hidden.npy"
        write_npy(hidden, (128, 4096), [((i * 7919) % 10007 - 5003) / 2889 for i in range(128 * 4096)])
        told = document("capture", "--model", flash, "--random-weights", 7, "--layers", "0,2,3", "--hidden", hidden, "--out", self.folder / "v4")
        self.assertEqual((told["model"], told["layers"], told["model_layers"]), ("deepseek-v4-flash (weights random, seed 7)", [0, 2, 3], 43))
        storage = document("report", "storage", "--config", flash, "--tokens", 128, "--codec", "identity")["storage"]
        kinds = {"sliding window of 128": "sliding", "pooled, 1 of 4 tokens": "csa", "indexer keys, 1 of 4 tokens": "indexer",
                 "pooled, 1 of 128 tokens": "hca"}
        stored = {kinds[each["kind"]]: each["bf16_bytes"] for each in storage if each["kind"] in kinds}
        values = {each["stream"]: each["model_layers"] * min(each["vectors"], 128) * each["dim"] for each in told["streams"]}
        self.assertEqual({stream: 2 * count for stream, count in values.items()}, stored)
        for each in told["streams"]:
            self.assertAlmostEqual(each["byte_share"], values[each["stream"]] / sum(values.values()), places=12)

    def test_weights_of_files(self):
        for model, types in ((TINY, "F32"), (TINY / "fp8", "BF16, F32, F8_E4M3")):
            told = self.captured("--passages", 1, model=model)
            self.assertEqual((told["weights"], told["random_weights"], told["layers"]), (types, False, [0, 1, 2]))
        said = output("capture", "--model", TINY, "--hidden", TINY / "hidden.npy", "--random-weights", 3, "--out", self.folder / "v4")
        self.assertIn("weights: random, seed 3; no forward was run", said)
        one = self.folder / "one.npy"  # the same for every layer
        write_npy(one, (9, 24), [((i * 7919) % 101 - 50) / 25 for i in range(9 * 24)])
        told = document("capture", "--model", TINY, "--hidden", one, "--layers", "1,2", "--out", self.folder / "few")
        self.assertEqual([(each["stream"], each["vectors"], each["layers"]) for each in told["streams"]],
                         [("sliding", 9, "1,2"), ("csa", 2, "1"), ("indexer", 2, "1")])
        self.assertEqual(told["left_out"], ["hca, fewer than 128 tokens"])
        said = output("capture", "--model", TINY, "--hidden", one, "--layers", "1,2", "--out", self.folder / "few")
        self.assertIn("\nleft out: hca, fewer than 128 tokens\n", said)

    def test_refusals(self):
        hidden, out = TINY / "hidden.npy", self.folder / "v4"
        self.refused(2, "no forward is run", "capture", "--model", TINY, "--out", out)
        self.refused(2, "queries: not for a DeepSeek-V4", "capture", "--model", TINY, "--hidden", hidden, "--queries", "--out", out)
        self.refused(2, "text: not for a DeepSeek-V4", "capture", "--model", TINY, "--hidden", hidden, "--text", ROOT / "data" / "text", "--out", out)
        self.refused(2, "says deepseek_v4", "capture", "--model", "nano", "--hidden", hidden, "--out", out)
        self.refused(2, "expected --text", "capture", "--model", "nano", "--out", out)
        self.refused(2, "layer 7, expected 0 to 2", "capture", "--model", TINY, "--hidden", hidden, "--layers", 7, "--out", out)
        self.refused(2, "leaves no layer", "capture", "--model", TINY, "--hidden", hidden, "--skip-layers", "0-2", "--out", out)
        self.refused(2, "expected --random-weights SEED", "capture", "--model", TINY / "config.json", "--hidden", hidden, "--out", out)
        bare = self.folder / "bare"
        bare.mkdir()
        shutil.copy(TINY / "config.json", bare)
        self.refused(1, "has neither model.safetensors", "capture", "--model", bare, "--hidden", hidden, "--out", out)
        padded = self.folder / "padded.npy"
        write_npy(padded, (20, 24), [((i * 7919) % 101 - 50) / 25 for i in range(10 * 24)] + [0.5] * (10 * 24))
        self.refused(1, "tokens 10 to 19: 10 equal rows: padding, or a token that repeats; expected fewer than 8 in a row (cut them out of the file)", "capture", "--model", TINY, "--hidden", padded, "--out", out)
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
