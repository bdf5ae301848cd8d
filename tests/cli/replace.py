#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kakeya-sweep --replace: K and V that another program coded, judged by KL divergence; the worked example of apps/sweep.md.

usage: replace.py BIN [unittest arguments]     the example needs a python3 with numpy and h5py, and is skipped without
"""
import os
import pathlib
import re
import subprocess
import sys

import program_case
from program_case import ROOT, TEXT, ProgramCase, document, json_lines, main, output, scratch_folder

EXAMPLE = re.compile(r"<!-- run by tests: replace -->\n```python\n(.*?)```\n(?:.*?)<!-- run by tests: replace -->\n```sh\n(.*?)```", re.S)
GRID = ("--model", "nano", "--text", TEXT / "01-tides.txt", "--passages", "1", "--ctx", "192", "--eval", "64")


def python_with_h5py():
    for python in (sys.executable, "/usr/bin/python3"):
        found = subprocess.run([python, "-c", "import numpy, h5py"], capture_output=True) if pathlib.Path(python).exists() else None
        if found and found.returncode == 0:
            return python
    return None


class Replace(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)
        self.dump = self.folder / "kv.h5"

    def capture(self, *more):
        output("capture", "--model", "nano", "--text", TEXT / "01-tides.txt", "--passages", "1", "--ctx", "256", "--out", self.dump, *more)

    def samples(self, name, *arguments):
        out = self.folder / name
        output("sweep", *GRID, *arguments, "--out", out)
        return {(sample["codec_k"], sample["mode"]): sample for sample in json_lines(out / "samples.jsonl")}

    def test_what_our_own_codec_decoded_is_judged_as_the_codec_is(self):
        """pack and unpack give the dump that another program would: the same K and V, so the same KL divergence."""
        self.capture()
        policy = ("--skip-edge-layers", "1", "--sinks", "4")
        packed, decoded = self.folder / "cache.kkv", self.folder / "my-int.h5"
        output("codec", "pack", "--dump", self.dump, "--codec", "q4_0", *policy, "--out", packed)
        output("codec", "unpack", "--in", packed, "--out", decoded)
        samples = self.samples("out", *policy, "--mode", "snapshot", "--codec", "q4_0", "--replace", decoded, "--claim-bits", "4.5")
        ours, claimed = samples["q4_0", "snapshot"], samples["claimed:bits=4.5,of=my-int", "snapshot"]
        self.assertEqual(claimed["values"], ours["values"])
        # Not equal: a capture's pass has its cache in float32, the sweep's clean pass in bf16.
        self.assertAlmostEqual(claimed["kld_mean"], ours["kld_mean"], delta=0.05 * ours["kld_mean"])
        self.assertGreater(claimed["kld_mean"], 0)
        self.assertAlmostEqual(claimed["rel_mse_k"], ours["rel_mse_k"], delta=0.01 * ours["rel_mse_k"])
        tokens = 256
        self.assertAlmostEqual(claimed["bits_per_value"], ((tokens - 4) * 4.5 + 4 * 16) / tokens, places=9)
        self.assertIsNone(claimed["charged_bits_per_value"])
        # Every table says that its bits are claimed, and it can be chosen and asked for.
        report = self.folder / "report"
        output("report", self.folder / "out", "--out", report, "--no-charts")
        self.assertIn("claimed:bits=4.5,of=my-int", (report / "details.md").read_text())
        for page in (*report.glob("*.md"), *report.glob("*.csv"), *report.glob("*.dat"), *report.glob("*.gp")):
            text = re.sub(r"<sub>.*</sub>|`kakeya-sweep [^`]*`", "", page.read_text())  # the command names the dump too
            self.assertEqual(len(re.findall(r"of=my-int", text)), len(re.findall(r"claimed:(?:bits=4\.5,)?of=my-int", text)), page.name)
        self.assertEqual({each["family"]: each["claimed"] for each in document("report", "choose", self.folder / "out", "--kl", "1")},
                         {"q4_0": False, "claimed:of=my-int": True})
        # Another claim of the same dump goes into the same folder, and is of the same family.
        output("sweep", *GRID, *policy, "--mode", "snapshot", "--replace", decoded, "--claim-bits", "3", "--out", self.folder / "out")
        codecs = [s["codec_k"] for s in json_lines(self.folder / "out" / "samples.jsonl")]
        self.assertEqual(codecs, ["identity", "q4_0", "claimed:bits=4.5,of=my-int", "claimed:bits=3,of=my-int"])

    def test_a_dump_of_the_model_itself_changes_next_to_nothing(self):
        self.capture()
        samples = self.samples("out", "--mode", "snapshot,prefix", "--skip-edge-layers", "0", "--replace", self.dump, "--claim-bits", "16")
        for mode in ("snapshot", "prefix"):
            claimed = samples["claimed:bits=16,of=kv", mode]
            self.assertEqual(claimed["bits_per_value"], 16)
            for key in ("kld_mean", "rel_mse_k", "rel_mse_v"):
                self.assertLess(claimed[key], 1e-5, (mode, key))

    def test_what_does_not_fit_is_refused(self):
        self.capture("--tap", "post-rope")
        replace = ("--replace", self.dump, "--claim-bits", "4.5", "--out", self.folder / "o")
        self.fails(1, "sweep", *GRID, *replace, names=("kv.h5", "tap post-rope", "pre-rope"))
        self.fails(1, "sweep", *GRID[:-1], "32", "--tap", "post-rope", *replace, names=("kv.h5", "tokens 256", "224"))
        self.fails(1, "sweep", "--model", "nano", "--text", next(TEXT.glob("02-*.txt")),
                   *GRID[4:], "--tap", "post-rope", *replace, names=("kv.h5: passage 0: token ", "expected"))
        self.fails(1, "sweep", *GRID[:5], "2", *GRID[6:], "--tap", "post-rope", *replace, names=("kv.h5: passages 1", "2"))
        self.fails(2, "sweep", *GRID, "--replace", self.dump, "--out", self.folder / "o", names=("replace", "claim-bits"))
        self.fails(2, "sweep", *GRID, "--codec", "fp8", "--claim-bits", "3", "--out", self.folder / "o", names=("claim-bits", "replace"))
        self.fails(2, "sweep", *GRID, *replace[:3], "0", *replace[4:], names=("claim-bits 0",))
        self.fails(2, "sweep", *GRID, *replace, "--mode", "inforward", names=("replace", "snapshot or prefix"))
        self.fails(2, "sweep", "--dump", self.dump, "--codec", "fp8", *replace, names=("replace", "over a dump"))
        self.fails(1, "sweep", *GRID, "--replace", self.folder / "none.h5", *replace[2:], names=("none.h5",))
        self.assertFalse((self.folder / "o").exists())

    def test_the_worked_example(self):
        python = python_with_h5py()
        if not python:
            self.skipTest("no python3 with numpy and h5py")
        script, shell = EXAMPLE.search((ROOT / "apps" / "sweep.md").read_text()).groups()
        (self.folder / "data").symlink_to(ROOT / "data")
        (self.folder / "quantise.py").write_text(script)
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "python3").symlink_to(python)
        done = subprocess.run(["bash", "-e", "-c", shell], cwd=self.folder, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL,
                              timeout=600, env={**os.environ, "PATH": f"{program_case.BIN}:{bin_folder}:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, 0, done.stderr)
        samples = {(s["codec_k"], s["passage"]): s for s in json_lines(self.folder / "out" / "mine" / "samples.jsonl")}
        claimed, q4 = samples["claimed:bits=4.5,of=int4", 0], samples["q4_0", 0]
        self.assertAlmostEqual(claimed["bits_per_value"], 4.5, delta=0.2)
        # Groups of 32 with a 16-bit scale, as q4_0, whose grid has one level more: alike, not the same.
        for key in ("rel_mse_k", "rel_mse_v", "kld_mean"):
            self.assertTrue(0.3 * q4[key] < claimed[key] < 3 * q4[key], (key, claimed[key], q4[key]))
        self.assertIn("claimed:bits=4.5,of=int4", done.stdout)


if __name__ == "__main__":
    main()
