#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives kakeya-bench as a user would: its JSON, its table, its errors. No speed is expected of a machine.

usage: bench.py BIN torch|no-torch [unittest arguments]     KAKEYA_REGENERATE=1 rewrites tests/cli/expected
"""
import shutil
import sys
import json
import tempfile
from pathlib import Path

from program_case import ProgramCase, document, main, output

QUICK = ("--vectors", 64, "--repeat", 1)
SPEEDS = ("roundtrip_vectors_per_second", "encode_vectors_per_second", "decode_vectors_per_second", "memcpy_gb_per_second",
          "reference_roundtrip_vectors_per_second")
KEYS = {*SPEEDS, "codec", "dim", "vectors", "threads", "encode_decode_vectors_per_second", "roundtrip_gb_per_second",
        "encode_gb_per_second", "decode_gb_per_second", "encode_symbols_per_second", "decode_symbols_per_second", "reference_codec",
        "bytes_written", "measured_bits_per_value", "real_bits_per_value", "rel_mse", "reference_rel_mse", "ratios", "transform", "rounds", "spread"}
SETTING = {"simd_target", "memory", "reference_library", "provenance"}
TORCH = False


class Bench(ProgramCase):
    def measured(self, *arguments):
        return document("bench", "codec", *arguments)

    def check_row(self, row):
        for key in SPEEDS:
            spread = row["spread"][key]
            self.assertEqual(spread is None, row[key] is None, key)
            if spread is not None:
                self.assertLess(0, spread["min"], key)
                self.assertLessEqual(spread["min"], spread["median"], key)
                self.assertLessEqual(spread["median"], spread["max"], key)
                self.assertEqual(spread["median"], row[key], key)
        values = row["vectors"] * row["dim"]
        self.assertAlmostEqual(row["measured_bits_per_value"], 8 * row["bytes_written"] / values)
        self.assertEqual(row["real_bits_per_value"], row["measured_bits_per_value"])
        encode, decode = row["encode_vectors_per_second"], row["decode_vectors_per_second"]
        self.assertAlmostEqual(row["encode_gb_per_second"] / (encode * row["dim"] * 4e-9), 1)
        self.assertAlmostEqual(row["encode_decode_vectors_per_second"] * (1 / encode + 1 / decode), 1)
        self.assertTrue(0 <= row["rel_mse"] < 1)

    def test_help_is_exactly_as_recorded(self):
        self.check_recorded_words(output("bench", "--help") + output("bench", "codec", "--help") + output("bench", "generate", "--help") + output("bench", "updates", "--help"), "bench-help.txt")
        self.assertTrue(output("bench", "--version").startswith("kakeya-bench "))

    def test_one_codec_is_one_document(self):
        row = self.measured("--codec", "e8:q=38,rule=bounded", "--dim", 64, *QUICK)
        self.assertEqual(set(row), KEYS | SETTING)
        self.check_row(row)
        self.assertEqual((row["codec"], row["dim"], row["vectors"], row["threads"]), ("e8:q=38", 64, 64, 1))
        self.assertEqual((row["rounds"], row["memory"]), (1, "system"))
        for key in ("reference_roundtrip_vectors_per_second", "reference_codec", "reference_library", "encode_symbols_per_second",
                    "transform"):
            self.assertIsNone(row[key], key)
        self.assertEqual(row["provenance"]["device"], "cpu")
        self.assertEqual(row["provenance"]["command"][:3], ["kakeya-bench", "codec", "--codec"])

    def test_decoding_over_caches_is_timed_goes_on_and_becomes_a_report(self):
        if not TORCH:
            self.skipTest("no LibTorch in this build")
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        text, bench, report = folder / "tale.txt", folder / "bench.json", folder / "report"
        text.write_text("The harbour fills with the tide, and the boats that lay on their sides rise one after another. " * 12)
        flags = ("bench", "generate", "--model", "nano", "--text", text, "--ctx", "64,96", "--tokens", 3, "--rounds", 2,
                 "--codec", "q8_0", "--skip-edge-layers", 0, "--threads", 1, "--out", bench)
        first = document(*flags)
        self.assertEqual([(cell["codec_k"], cell["context"]) for cell in first["cells"]],
                         [("identity", 64), ("q8_0", 64), ("identity", 96), ("q8_0", 96)])
        for cell in first["cells"]:
            self.assertGreater(min(cell["tokens_per_second"], cell["tokens_per_cpu_second"], cell["first_token_seconds"]), 0)
            self.assertEqual(sum(cell["live"].values()), cell["live_bytes"])
            self.assertLessEqual(cell["live_bytes"], cell["peak_live_bytes"])
            self.assertLess(cell["peak_live_bytes"], cell["peak_process_bytes"])
            self.assertEqual(cell["device"], first["provenance"]["device"])
            self.assertGreater(cell["copy_gb_per_second"], 0)
            bf16 = next(other for other in first["cells"] if (other["codec_k"], other["context"]) == ("identity", cell["context"]))
            self.assertAlmostEqual(cell["of_bf16"] * bf16["tokens_per_second"] / cell["tokens_per_second"], 1)
        more = document(*flags, "--batch", "1,2")
        self.assertEqual(more["cells"][0], first["cells"][0])  # as it was measured then
        self.assertEqual(sorted(cell["batch"] for cell in more["cells"]), [1] * 4 + [2] * 4)
        fits = document(*flags, "--fit", 1.5, "--most", 6)["fits"]
        self.assertTrue(all(fit["live_bytes"] <= 1.5e6 and 0 < fit["batch"] <= 6 for fit in fits), fits)
        held = {(fit["codec_k"], fit["context"]): fit["batch"] for fit in fits}
        for fit in fits:
            self.assertAlmostEqual(fit["of_bf16"], fit["batch"] / held["identity", fit["context"]])
            self.assertTrue(fit["device"] == "cpu" and fit["copy_gb_per_second"] > 0, fit)
        nothing = document(*flags[:-2], "--fit", 0.001)["fits"]  # no ratio to none
        self.assertEqual({(fit["batch"], fit["of_bf16"]) for fit in nothing}, {(0, None)})
        self.fails(1, *flags, "--prefill-chunk", 7, names=("bench.json", "expected"))
        self.fails(1, *flags, "--packed-sums", names=("bench.json", "packed_sums"))
        self.fails(1, *flags[:-2], "--packed-sums", names=("values: of a codec without sums",))
        summed = document(*(word if word != "q8_0" else "e8:q=10" for word in flags[:-2]), "--packed-sums")
        self.assertEqual((summed["plan"]["packed_sums"], len(summed["cells"])), (True, 4))
        (folder / "summed.json").write_text(json.dumps(summed))
        output("report", "generate", folder / "summed.json", "--out", folder / "summed", "--no-charts")
        self.assertIn("Attention adds up what is packed, but of `identity`.", (folder / "summed/report.md").read_text())
        output("report", "generate", bench, "--out", report, "--no-charts")
        page = (report / "report.md").read_text()
        self.assertIn("`q8_0`", page)
        self.assertIn("The most sequences that fit", page)
        self.assertIn("A copy within the memory of the caches reads and writes", page)
        older = json.loads(bench.read_text())  # of before lines said what they stand beside
        for row in older["cells"] + older["fits"]:
            for key in ("device", "copy_gb_per_second", "of_bf16"):
                del row[key]
        (folder / "older.json").write_text(json.dumps(older))
        output("report", "generate", folder / "older.json", "--out", folder / "older", "--no-charts")
        self.assertEqual((folder / "older/results.csv").read_text(), (report / "results.csv").read_text())
        self.assertNotIn("A copy within", (folder / "older/report.md").read_text())
        self.fails(1, "report", "generate", text, "--out", report, names=("tale.txt", "JSON"))
        self.assertFalse((report / "details.md").exists())
        many = json.loads(bench.read_text())
        many["cells"] = [{**cell, "batch": batch} for batch in range(1, 10) for cell in many["cells"] if cell["batch"] == 1]
        bench.write_text(json.dumps(many))
        output("report", "generate", bench, "--out", report, "--no-charts")  # too many for one screen
        page, details = ((report / name).read_text().splitlines() for name in ("report.md", "details.md"))
        self.assertLess(len(page), 30)
        self.assertEqual(len([line for line in page if line.startswith("| `q8_0`")]), 1)
        fitting = sum(fit["codec_k"] == "q8_0" for fit in many["fits"])  # rows of the second table
        self.assertEqual(len([line for line in details if line.startswith("| `q8_0`")]), 18 + fitting)
        self.fails(2, "bench", "generate", "--model", "nano", names=("--text",))

    def test_several_rows(self):
        document = self.measured("--codec", "e8:q={10,38}", "fp8", "--dim", "64,128", "--threads", "1,2", *QUICK)
        self.assertEqual(set(document), {"results"} | SETTING)
        rows = document["results"]
        self.assertEqual([(row["codec"], row["dim"], row["threads"]) for row in rows],
                         [(codec, dim, threads) for codec in ("e8:q=10", "e8:q=38", "fp8") for dim in (64, 128) for threads in (1, 2)])
        for row in rows:
            self.assertEqual(set(row), KEYS)
            self.check_row(row)
        # Each thread writes a frame of its own, with its own header.
        self.assertGreater(rows[1]["bytes_written"], rows[0]["bytes_written"])
        # The same vectors in every run and for every codec; cut elsewhere, they come back the same.
        self.assertEqual(rows[0]["rel_mse"], rows[1]["rel_mse"])
        self.assertLess(rows[4]["rel_mse"], rows[0]["rel_mse"])

    def test_by_default_every_codec(self):
        rows = self.measured(*QUICK)["results"]
        listed = document("codec", "list")
        self.assertEqual([row["codec"].split(":")[0] for row in rows], [codec["name"] for codec in listed if not codec["calibrated"] and codec["name"] != "klt:profile=none"])
        self.assertEqual({row["dim"] for row in rows}, {128})
        symbols_per_value = {"ecz": 1, "ecd4": 1, "ece8": 9 / 8}  # of the codecs that are named for their entropy coder
        for row in rows:
            self.check_row(row)
            expected = symbols_per_value.get(row["codec"].split(":")[0])
            for part in ("encode", "decode"):
                speed = row[f"{part}_symbols_per_second"]
                if expected:
                    self.assertAlmostEqual(speed / (row[f"{part}_vectors_per_second"] * row["dim"]), expected)

    def test_gpu_says_where_there_is_none(self):
        if shutil.which("nvidia-smi"):
            self.skipTest("there may be a GPU")
        self.fails(1, "bench", "gpu", names=("no GPU here, or a build without CUDA",))
        self.fails(2, "bench", "gpu", "--type", "fp8", names=("--type",))
        self.fails(1, "bench", "attention", names=("no GPU here, or a build without CUDA",))
        self.fails(1, "bench", "step", names=("no GPU here, or a build without CUDA",))
        for shape in ("8x32x128", "1x8x32x128", "32x8x32x128x"):
            self.fails(2, "bench", "step", "--shape", shape, names=(f"--shape {shape}", "layers (2 or more)", "32x8x32x128"))
        self.fails(2, "bench", "attention", "--shape", "8x32", names=("--shape 8x32", "8x32x128"))
        self.fails(2, "bench", "attention", "--layer", "3", names=("--layer", "--dump"))
        self.fails(2, "bench", "attention", "--dump", "kv.h5", names=("--dump", "--profile"))
        self.fails(2, "bench", "attention", "--profile", "p.kkp", names=("--profile", "--dump"))

    def test_table(self):
        text = output("bench", "codec", "--codec", "e8:q=10", "tq:b=4", *QUICK, "--simd", "portable")
        headings = [heading.strip() for heading in text.split("\n")[0].split("|")[1:-1]]
        self.assertEqual(headings[:5], ["codec", "dim", "vectors", "threads", "measured bits/value"])
        self.assertIn("| e8:q=10 | 128 |", text)
        self.assertIn("| tq:b=4  | 128 |", text)
        self.assertIn("instruction set portable", text)

    def test_seconds_ask_for_more_rounds(self):
        row = self.measured("--codec", "identity", "--vectors", 1, "--repeat", 1, "--seconds", 0.3)
        self.assertGreater(row["rounds"], 1)
        self.check_row(row)

    def test_reference(self):
        arguments = ("--codec", "e8:q=38", "d4:q=10,rule=published", "tq:b=4", "fp8", *QUICK, "--reference")
        if not TORCH:
            return self.fails(1, "bench", "codec", *arguments, "--json", names=("--reference: this build has no LibTorch",))
        document = self.measured(*arguments, "--memory", "kept")
        self.assertTrue(document["reference_library"].startswith("LibTorch "))
        self.assertEqual(document["memory"], "kept")
        e8, d4, tq, fp8 = document["results"]
        for row, codec in ((e8, "e8:q=38,rule=published"), (d4, "d4:q=10,rule=published"), (tq, "tq:b=4")):
            self.check_row(row)
            self.assertEqual(row["reference_codec"], codec)
            self.assertGreater(row["reference_roundtrip_vectors_per_second"], 0)
            # What is compared is as good: the nearest point inside the box costs a little.
            self.assertAlmostEqual(row["rel_mse"] / row["reference_rel_mse"], 1, delta=0.02)
            self.assertGreater(row["ratios"]["encode_decode_to_reference"], 0)
        for key in ("reference_roundtrip_vectors_per_second", "reference_codec", "reference_rel_mse"):
            self.assertIsNone(fp8[key], key)
        self.assertIsNone(fp8["ratios"]["encode_to_reference"])
        self.assertIn("LibTorch", output("bench", "codec", *arguments))

    def test_updates(self):
        told = document("bench", "updates", "--width", "8,16", "--repeat", 2)
        self.assertEqual(set(told), {"updates", "simd_target", "provenance"})
        for width, row in zip((8, 16), told["updates"], strict=True):
            self.assertEqual((row["width"], row["rounds"], row["operations"]), (width, 2, 12 * width ** 3))
            seconds = row["eigenvectors_seconds"] + row["rest_seconds"]
            self.assertGreater(seconds, 0)
            self.assertAlmostEqual(row["operations_per_second"] * seconds / row["operations"], 1)
        table = output("bench", "updates", "--width", "8", "--repeat", 1)
        self.assertIn("n | eigenvectors (s) | rest (s) | an update (s) | 10^9 operations a second |", table)
        self.fails(2, "bench", "updates", "--width", "0", names=("--width",))

    def test_errors(self):
        self.fails(2, "bench", names=("kakeya-bench: ",))
        self.fails(2, "bench", "codec", "--no-such", "5", names=("--no-such: unknown option",))
        self.fails(2, "bench", "codec", "--codec", "e8:qq=10", *QUICK, names=("qq",))
        self.fails(2, "bench", "codec", "--codec", "fp8", "nosuch:b=1", *QUICK, names=("nosuch",))
        self.fails(1, "bench", "codec", "--codec", "fp8", "e8:q=10", "--dim", "64,96", *QUICK, names=("96",))
        for option in ("--dim", "--vectors", "--threads", "--repeat"):
            self.fails(2, "bench", "codec", option, "0", names=(option, "0: expected a whole number"))
        self.fails(2, "bench", "codec", "--seconds", "-1", names=("--seconds -1: expected a number from 0 on",))
        self.fails(2, "bench", "codec", "--threads", "3", "--vectors", "2", names=("--threads 3: expected at most one",))
        self.fails(2, "bench", "codec", "--memory", "mine", names=("--memory",))
        self.fails(1, "bench", "codec", "--codec", "fp8", *QUICK, "--simd", "nosuch", names=("nosuch", "portable"))


if __name__ == "__main__":
    TORCH = {"torch": True, "no-torch": False}[sys.argv.pop(2)]
    main()
