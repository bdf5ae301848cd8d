#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Codecs that are not ours, in the programs: --plugin with the shared library that apps/examples/plugin_int4.c makes.

usage: plugins.py BIN PLUGIN.so [unittest arguments]
"""
import json
import pathlib
import re
import shutil
import struct
import sys

import program_case
from program_case import TEXT, ProgramCase, document, json_lines, output, scattered, scratch_folder, write_floats

DIM = 64
GRID = ("--model", "nano", "--text", TEXT / "01-tides.txt", "--passages", "2", "--ctx", "96", "--eval", "32", "--skip-edge-layers", "1")
PLUGIN = None


class Plugins(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)
        self.plugin = ("--plugin", PLUGIN)
        self.vectors = self.folder / "x.f32"
        write_floats(self.vectors, scattered(DIM * 100))

    def test_codec_codes_with_it(self):
        given = ("--codec", "int4g:group=16", "--in", self.vectors, "--dim", DIM)
        tripped = document("codec", "roundtrip", *self.plugin, *given)
        self.assertEqual(tripped["codec"], "int4g:group=16")
        self.assertLess(tripped["rel_mse"], 0.01)
        self.assertIsNone(tripped["nominal_bits_per_vector"])
        self.assertEqual(tripped["ledger"]["payload_bits"], 100 * (4 * DIM + 32 * 4))
        frame, decoded = self.folder / "x.kky", self.folder / "y.f32"
        encoded = document("codec", "encode", *self.plugin, *given, "--out", frame)
        self.assertEqual(encoded["bytes"], frame.stat().st_size)
        self.assertEqual(tripped["bytes_written"], encoded["bytes"])
        told = document("codec", "info", *self.plugin, "--in", frame)
        self.assertEqual((told["codec"], told["vectors"], list(told["sections"])), ("int4g:group=16", 100, ["header", "bytes", "checksum"]))
        output("codec", "decode", *self.plugin, "--in", frame, "--out", decoded)
        x, y = (struct.unpack(f"<{DIM * 100}f", path.read_bytes()) for path in (self.vectors, decoded))
        self.assertAlmostEqual(sum((a - b) ** 2 for a, b in zip(x, y)) / sum(a * a for a in x), tripped["rel_mse"], places=6)
        listed = {codec["name"]: codec for codec in document("codec", "list", *self.plugin)}
        self.assertEqual(listed["int4g"]["faithful"], "foreign")
        self.assertEqual([key["name"] for key in listed["int4g"]["keys"]], ["group"])

        damaged = bytearray(frame.read_bytes())
        damaged[-20] ^= 1
        frame.write_bytes(damaged)
        self.fails(1, "codec", "decode", *self.plugin, "--in", frame, "--out", decoded, names=("checksum",))

    def test_errors_name_the_file_or_the_codec(self):
        given = ("roundtrip", "--in", self.vectors, "--dim", DIM, "--codec")
        self.fails(2, "codec", *given, "int4g", names=("int4g", "expected one of identity"))
        self.fails(1, "codec", *given, "int4g:group=48", *self.plugin, names=("int4g: group=48: expected an even divisor of dim 64",))
        self.fails(2, "codec", *given, "int4g:size=7", *self.plugin, names=("unknown key 'size'", "expected one of group"))
        none, text = self.folder / "none.so", self.folder / "text.so"
        text.write_text("no library")
        self.fails(1, "codec", *given, "int4", "--plugin", none, names=("none.so",))
        self.fails(1, "codec", *given, "int4", "--plugin", text, names=("text.so: cannot be loaded",))
        python = self.folder / "mine.py"
        python.write_text("raise SystemExit(3)\n")
        self.assertNotEqual(program_case.run("codec", *given, "int4", "--plugin", python).returncode, 0)

    def test_bench_and_the_rate_distortion_report_take_it(self):
        row = document("bench", "codec", *self.plugin, "--codec", "int4g:group=64", "--vectors", "256", "--repeat", "1")
        self.assertIn("int4g:group=64", json.dumps(row))
        out = self.folder / "rd"
        done = document("report", "rd", *self.plugin, "--codec", "int4g:group={32,64}", "int4", "--in", self.vectors, "--dim", DIM, "--source",
                        "gaussian", "--vectors", "256", "--no-charts", "--out", out)
        bits = {point["codec"]: point["measured_bits_per_value"] for point in done["points"] if point["source"] == "gaussian"}
        self.assertAlmostEqual(bits["int4g"], 4.5, delta=0.1)
        self.assertAlmostEqual(bits["int4g:group=32"], 5, delta=0.1)
        plugins = json.loads((out / "provenance.json").read_text())["plugins"]
        self.assertEqual([codec["name"] for codec in plugins[0]["codecs"]], ["int4g"])

    def sweep(self, *arguments):
        return output("sweep", *GRID, *arguments, "--out", self.folder / "out")

    def head(self):
        return json.loads((self.folder / "out" / "provenance.json").read_text())

    def test_sweep_and_report(self):
        self.sweep("--codec", "q4_0")
        before = self.head()
        self.assertNotIn("plugins", before["runs"][0])
        self.sweep(*self.plugin, "--codec", "int4g:group={32,64}", "q4_0")  # into the same folder: a plugin is no other plan
        after = self.head()
        self.assertEqual(after["plan"], before["plan"])
        [plugin] = after["runs"][1]["plugins"]
        self.assertEqual(plugin["file"], "plugin_int4.so")
        self.assertRegex(plugin["sha256"], "^[0-9a-f]{64}$")
        self.assertEqual(plugin["codecs"], [{"name": "int4g"}])
        samples = {(s["codec_k"], s["passage"]): s for s in json_lines(self.folder / "out" / "samples.jsonl")}
        ours, theirs = samples["q4_0", 0], samples["int4g", 0]
        self.assertEqual(ours["values"], theirs["values"])
        self.assertAlmostEqual(theirs["bits_per_value"], ours["bits_per_value"], delta=0.1)  # q4_0: an fp16 scale for 32
        self.assertLess(theirs["kld_mean"], 10 * ours["kld_mean"])
        self.assertGreater(theirs["ledger_k"]["payload_bits"], 0)
        report = self.folder / "report"
        output("report", self.folder / "out", "--out", report, "--no-charts")
        details = (report / "details.md").read_text()
        self.assertIn("int4g:group=32", details)
        self.assertRegex(details, re.escape("plugin_int4.so (") + "[0-9a-f]{16}")

        other = self.folder / "other.so"  # another file that codes under the same name
        shutil.copy(PLUGIN, other)
        with other.open("ab") as file:
            file.write(b"\0")
        self.fails(1, "sweep", *GRID, "--plugin", other, "--codec", "int4g", "--out", self.folder / "out",
                   names=("int4g of plugin_int4.so", "other.so", "expected the same file, or another folder"))

    def cells(self, folder):
        times = ("encode_seconds", "decode_seconds", "forward_seconds", "cell_seconds")
        samples = [sample for path in sorted(folder.glob("samples*.jsonl")) for sample in json_lines(path)]
        return {(s["codec_k"], s["passage"]): {name: value for name, value in s.items() if name not in times} for s in samples}

    def test_sweeps_over_several_devices_take_it(self):
        codecs = ("--codec", "int4g:group={32,64}", "q4_0")
        spread = self.folder / "spread"
        self.sweep(*self.plugin, *codecs)
        output("sweep", *GRID, *self.plugin, *codecs, "--devices", "cpu,cpu", "--out", spread)
        self.assertEqual(self.cells(spread), self.cells(self.folder / "out"))
        self.assertEqual(len(self.cells(spread)), 8)
        unknown = ("sweep", *GRID, *self.plugin, "--codec", "int5g", "--out", self.folder / "none")
        self.fails(2, *unknown, "--devices", "cpu,cpu", names=("kakeya-sweep: codec 'int5g': expected", "int4g"))
        submitted = self.folder / "submitted"
        submit = ("--submit", "slurm:tasks=2", "--dry-run")
        output("sweep", *GRID, *self.plugin, *codecs, "--out", submitted, *submit)
        self.assertIn("plugin_int4.so", (submitted / "slurm" / "sweep.sbatch").read_text())
        self.fails(2, *unknown, *submit, names=("int5g", "int4g"))

    def test_a_configuration_names_plugins(self):
        (self.folder / "mine").mkdir()
        shutil.copy(PLUGIN, self.folder / "mine" / "p.so")
        config = self.folder / "mine" / "sweep.json"
        config.write_text(json.dumps({"plugins": ["p.so"], "codec": "int4g"}))
        self.sweep("--config", config)
        self.assertEqual(self.head()["runs"][0]["plugins"][0]["file"], "p.so")
        scored = document("perplexity", "--model", "nano", "--text", TEXT / "01-tides.txt", "--ctx", "64", "--stride", "32", *self.plugin,
                          "--codec", "int4g", "--skip-edge-layers", "0")
        self.assertEqual(scored["codec"], "int4g")
        self.assertGreater(scored["bits_per_value"], 4.5)
        self.fails(2, "perplexity", "--model", "nano", "--text", TEXT / "01-tides.txt", *self.plugin, names=("--plugin",))


def main():
    global PLUGIN
    PLUGIN = pathlib.Path(sys.argv.pop(2)).resolve()
    program_case.main()


if __name__ == "__main__":
    main()
