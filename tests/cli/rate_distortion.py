#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives kakeya-report rd: its files, its JSON, its errors; and compares the committed report with what the programs measure now.

usage: rate_distortion.py BIN capture|no-capture     capture: kakeya-capture is there, so that K and V can be had
"""
import array
import csv
import json
import math
import random
import struct
import sys

from program_case import ProgramCase, ROOT, TEXT, main, output, run, scratch_folder

COMMITTED = ROOT / "reports" / "rate-distortion"
CAPTURE = False


def rows(path, table, source):
    """{(row, first word of the quantity): value} of one table of a results.csv."""
    with open(path, newline="", encoding="utf-8") as file:
        return {(line["row"], line["quantity"].split()[0]): float(line["value"]) for line in csv.DictReader(file)
                if line["table"] == table and line["source"] == source and line["value"]}


class RateDistortion(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    def report(self, *arguments):
        done = run("report", "rd", *arguments, "--out", self.folder / "r", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout), done.stderr

    def test_files_and_json(self):
        answer, errors = self.report("--codec", "e8:q=10", "tq:b=3", "tq:b=6", "--source", "gaussian,uniform", "--dim", "64",
                                     "--vectors", "500", "--seed", "7", "--threads", "2")
        self.assertEqual(errors, "")
        for name in answer["files"]:
            self.assertGreater((self.folder / "r" / name).stat().st_size, 100, name)
        for name in ("report.md", "results.csv", "provenance.json", "rate_distortion.svg", "rate_distortion.png", "gap.svg"):
            self.assertIn(name, answer["files"])
        self.assertEqual([source["name"] for source in answer["sources"]], ["gaussian", "uniform"])
        self.assertEqual(answer["sources"][0]["values"], 32000)
        self.assertEqual(answer["left_out"], [])
        self.assertEqual(len(answer["points"]), 6)
        for point in answer["points"]:
            self.assertAlmostEqual(point["real_bits_per_value"], 8 * point["bytes_written"] / point["values"], places=12)
            gap = 10 * math.log10(point["rel_mse"]) + 20 * math.log10(2) * point["real_bits_per_value"]
            self.assertAlmostEqual(point["shannon_gap_db"], gap, places=9)
            # Uniform values: the lower bound is 6 / (pi e) times the Gaussian one.
            below = 0 if point["source"] == "gaussian" else -10 * math.log10(6 / (math.pi * math.e))
            self.assertAlmostEqual(point["shannon_lower_gap_db"], gap + below, places=9)
            self.assertIsNone(point["water_filling_gap_db"])
        e8 = answer["points"][0]
        self.assertEqual((e8["codec"], e8["charged_bits_per_value"]), ("e8:q=10", (8 * 36 + 32) / 64))
        for old, name in (("real", "measured"), ("charged", "nominal"), ("exact", "codebook")):
            self.assertEqual(e8[f"{name}_bits_per_value"], e8[f"{old}_bits_per_value"])
        self.assertEqual(rows(self.folder / "r" / "results.csv", "points", "gaussian")[("e8:q=10", "rel_mse")], e8["rel_mse"])

    def test_vectors_of_ones_own(self):
        normal = random.Random(1).gauss
        x = [normal(0, 1) for _ in range(300 * 64)]
        header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (300, 64), }\n"
        (self.folder / "k.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + array.array("d", x).tobytes())
        (self.folder / "v.f32").write_bytes(array.array("f", x).tobytes())
        answer, _ = self.report("--in", self.folder / "k.npy", self.folder / "v.f32", "--dim", 64, "--source", "gaussian", "--vectors", 50,
                                "--codec", "e8:q=10", "--no-charts")
        k, v = (next(p for p in answer["points"] if (p["source"], p["codec"]) == (name, "e8:q=10")) for name in ("k", "v"))
        self.assertEqual([s["vectors"] for s in answer["sources"]], [50, 300, 300])
        self.assertEqual((k["rel_mse"], k["bytes_written"]), (v["rel_mse"], v["bytes_written"]))
        wrong = ("report", "rd", "--in", self.folder / "k.npy", "--out", self.folder / "w", "--source", "gaussian")
        self.fails(2, *wrong, "--codec", "klt:bits=3", names=("klt:bits=3", "kakeya-sweep --dump"))
        self.fails(1, *wrong, "--in", self.folder / "k.npy", names=("a source named k is there already",))
        self.fails(1, "report", "rd", "--dump", self.folder / "k.npy", "--out", self.folder / "w", names=("k.npy", "HDF5", "--in"))

    def test_seeds_and_threads(self):
        arguments = ("--codec", "tq:b=4", "d4:q=4", "--source", "laplace", "--vectors", "300", "--no-charts")
        first, _ = self.report(*arguments, "--threads", "1")
        again, _ = self.report(*arguments, "--threads", "3")
        other, _ = self.report(*arguments, "--seed", "1")
        self.assertEqual(first, again)
        self.assertNotEqual(first["points"][0]["rel_mse"], other["points"][0]["rel_mse"])

    def test_ladder_says_what_it_leaves_out(self):
        answer, errors = self.report("--source", "gaussian", "--dim", "4", "--vectors", "50", "--no-charts")
        self.assertTrue(answer["left_out"])
        self.assertTrue(all(line.startswith("kakeya-report: LEFT OUT on Gaussian") for line in errors.splitlines()), errors)
        text = (self.folder / "r" / "report.md").read_text()
        for each in answer["left_out"]:
            self.assertIn(each["codec"], text)
        self.assertIn("identity", [point["codec"] for point in answer["points"]])

    def test_patterns_mean_the_codecs_of_a_sweep(self):
        answer, _ = self.report("--codec", "e8:q={10,4..12..4}", "tq:b=2..3", "e8:q=8,rule=bounded", "--source", "gaussian",
                                "--dim", "64", "--vectors", "9", "--no-charts")
        self.assertEqual([point["codec"] for point in answer["points"]],
                         ["e8:q=10", "e8:q=4", "e8:q=8", "e8:q=12", "tq:b=2", "tq:b=3"])

    def test_errors(self):
        out = ("--out", self.folder / "r")
        self.fails(2, "report", "rd", "--codec", "e8:q=9..4", *out, names=("e8:q=9..4", "from <= to"))
        self.fails(2, "report", "rd", "--codec", "tq:b={4,9}", *out, names=("tq:b={4,9}", "tq:b=9", "[2, 8]"))
        self.fails(2, "report", "rd", "--codec", "nosuch", *out, names=("nosuch",))
        self.fails(2, "report", "rd", "--codec", "e8:q=0", *out, names=("q=0",))
        self.fails(1, "report", "rd", "--codec", "e8:q=4", "--dim", "12", *out, names=("12",))
        self.fails(2, "report", "rd", "--source", "cauchy", *out, names=("cauchy", "student-t"))
        self.fails(2, "report", "rd", "--vectors", "0", *out, names=("--vectors",))
        self.fails(2, "report", "rd", names=("--out",))
        self.fails(2, "report", "rd", "stray", *out, names=("stray",))
        self.fails(2, "report", "some-folder", "rd", *out, names=("rd",))
        self.fails(2, "report", names=("DIR",))
        self.fails(1, "report", "rd", "--dump", self.folder / "none.h5", *out, names=("none.h5",))
        (self.folder / "file").write_text("")
        self.fails(1, "report", "rd", "--codec", "tq:b=4", "--vectors", "9", "--out", self.folder / "file" / "r", names=("file",))
        self.assertFalse((self.folder / "r").exists())

    def test_captured(self):
        if not CAPTURE:
            self.skipTest("built without kakeya-capture")
        dump = self.folder / "d.h5"
        output("capture", "--model", "nano", "--text", TEXT, "--passages", "2", "--ctx", "64", "--out", dump)
        answer, _ = self.report("--dump", dump, "--codec", "identity", "tq:b=3", "tq:b=4", "--source", "gaussian", "--vectors", "99")
        self.assertEqual([source["name"] for source in answer["sources"]], ["gaussian", "d/k", "d/v"])
        self.assertEqual(answer["sources"][1]["values"], 2 * 64 * 8 * 2 * 128)
        self.assertFalse(answer["control_broken"])
        for point in answer["points"]:
            if point["source"] == "gaussian":
                continue
            if point["codec"] == "identity":
                self.assertEqual(point["rel_mse"], 0)
                continue
            # A spectrum that is not flat leaves room below the white bound, the more without the means.
            self.assertLess(point["shannon_gap_db"], point["water_filling_gap_db"])
            self.assertLess(point["water_filling_gap_db"], point["water_filling_centred_gap_db"])
        self.assertIn("gap_captured.svg", answer["files"])
        self.fails(1, "report", "rd", "--dump", dump, dump, "--out", self.folder / "o", names=("d.h5", "other names"))

    def test_attention_outputs(self):
        if not CAPTURE:
            self.skipTest("built without kakeya-capture")
        dump, bare = self.folder / "q.h5", ("--model", "nano", "--text", TEXT, "--passages", "2", "--ctx", "64")
        output("capture", *bare, "--queries", "--tap", "post-rope", "--out", dump)
        arguments = ("--dump", dump, "--codec", "identity", "tq:b=3", "tq:b=6", "--source", "gaussian", "--vectors", "99", "--no-charts")
        answer, errors = self.report(*arguments)
        self.assertEqual(errors, "")
        attention, = answer["attention"]
        self.assertEqual((attention["dump"], attention["scale_told"], attention["window"], attention["layers"], attention["missing"]),
                         ("q", True, 0, list(range(8)), None))
        self.assertAlmostEqual(attention["scale"], 128**-0.5, places=12)
        none, coarse, fine = attention["points"]
        self.assertEqual((none["attention_rel_mse"], none["half_width"]), (0, 0))
        self.assertGreater(coarse["attention_rel_mse"], 10 * fine["attention_rel_mse"])
        self.assertGreater(fine["attention_rel_mse"], 0)
        for point in attention["points"]:
            self.assertEqual((len(point["passages"]), len(point["layers"])), (2, 8))
            for key in ("passages", "layers"):
                self.assertAlmostEqual(sum(point[key]) / len(point[key]), point["attention_rel_mse"], places=12)
        # The same number at K and at V, in JSON and in the CSV; none of drawn values.
        told = {point["codec"]: point["attention_rel_mse"] for point in attention["points"]}
        for point in answer["points"]:
            self.assertEqual(point["attention_rel_mse"], None if point["source"] == "gaussian" else told[point["codec"]])
        for table, source in (("points", "q/k"), ("points", "q/v"), ("attention", "q")):
            self.assertEqual(rows(self.folder / "r" / "results.csv", table, source)[("tq:b=3", "attention_rel_mse")], coarse["attention_rel_mse"])
        text = (self.folder / "r" / "details.md").read_text()
        self.assertIn("## Attention outputs: K and V of nano (q)", text)
        self.assertIn("attention rel-MSE", text)
        self.assertEqual(self.report(*arguments, "--threads", "1")[0]["attention"], answer["attention"])
        self.assertEqual(self.report(*arguments, "--no-attention")[0]["attention"], [])

    def test_queries_from_before_rope_have_no_attention(self):
        if not CAPTURE:
            self.skipTest("built without kakeya-capture")
        dump = self.folder / "q.h5"
        output("capture", "--model", "nano", "--text", TEXT, "--passages", "1", "--ctx", "32", "--queries", "--out", dump)
        answer, errors = self.report("--dump", dump, "--codec", "tq:b=4", "--source", "gaussian", "--vectors", "9", "--no-charts")
        self.assertIn("kakeya-report: No attention error of K and V of nano (q)", errors)
        self.assertEqual(len(errors.splitlines()), 1)
        self.assertEqual(answer["attention"][0]["points"], [])
        for text in (errors, answer["attention"][0]["missing"], (self.folder / "r" / "details.md").read_text()):
            self.assertIn("--tap post-rope", text)
        self.assertEqual({point["attention_rel_mse"] for point in answer["points"]}, {None})
        self.assertNotIn("attention", (self.folder / "r" / "results.csv").read_text())

    def test_committed_report_is_what_is_measured_now(self):
        """Some codecs of each kind. Bits and errors depend on the C library's log and cos in their last digits only."""
        if not COMMITTED.exists():
            self.skipTest("no committed report")
        codecs = ("e8:q=10", "d4:q=38,pack=joint,scales=one", "tq:b=4", "fp8", "ece8:bits=4", "ecz:bits=2")
        answer, _ = self.report("--source", "gaussian,student-t", "--codec", *codecs, "--no-charts")
        for point in answer["points"]:
            stored = rows(COMMITTED / "results.csv", "points", point["source"])
            for key in ("real_bits_per_value", "rel_mse", "entropy_bits_per_value"):
                self.assertAlmostEqual(point[key] / stored[(point["codec"], key)], 1, delta=1e-4, msg=f"{point['codec']} {key}")


if __name__ == "__main__":
    CAPTURE = {"capture": True, "no-capture": False}[sys.argv.pop(2)]
    main()
