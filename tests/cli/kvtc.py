#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives kakeya-calibrate --codec kvtc and the codec kvtc on the shipped model: profile, sweeps beside klt, dumps, frames of whole tokens.

usage: kvtc.py BIN
"""
import json
import pathlib
import tempfile

from program_case import ProgramCase, document, halves_of_texts, json_lines, main, output, scattered, scratch_folder, write_floats

WIDTH = 8 * 2 * 128  # of the keys of a token


class Kvtc(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.profile = cls.folder / "p.h5"
        # Half of the texts: the sweeps below are over the others.
        cls.held_in, cls.held_out = halves_of_texts(cls.folder)
        cls.answer = cls.calibrate(cls.profile, "--passages", 4, "--ctx", 1024, "--rank", 500)

    @classmethod
    def calibrate(cls, out, *arguments):
        return document("calibrate", "--codec", "kvtc", "--model", "nano", "--text", cls.held_in, "--out", out, *arguments)

    def sweep(self, *arguments):
        out = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        output("sweep", "--boundary", 0, "--sinks", 4, "--out", out, *arguments)
        cells = {}
        for line in json_lines(out / "samples.jsonl"):
            cells.setdefault(line["codec_k"], []).append(line)
        return cells, json.loads((out / "provenance.json").read_text())["runs"][0]["profiles"]

    def of_model(self, *arguments):
        return self.sweep("--model", "nano", "--text", self.held_out, "--ctx", 1024, "--passages", 2, *arguments)

    def test_says_what_it_made(self):
        self.assertEqual((self.answer["layers"], self.answer["heads"], self.answer["dim"]), (8, 2, 128))
        self.assertEqual((self.answer["rank"], self.answer["passages"]), (500, 4))
        self.assertEqual(self.answer["bytes"], self.profile.stat().st_size)

    def test_the_same_twice(self):
        again = [self.folder / f"{i}.h5" for i in range(2)]
        for path in again:
            self.calibrate(path, "--passages", 1, "--ctx", 256, "--rank", 40)
        self.assertEqual(again[0].read_bytes(), again[1].read_bytes())

    def test_more_bits_less_divergence_beside_klt(self):
        klt = self.folder / "klt.h5"
        output("calibrate", "--model", "nano", "--text", self.held_in, "--passages", 2, "--ctx", 512, "--scope", "head",
               "--sensitivity-passages", 0, "--out", klt)
        cells, profiles = self.of_model("--mode", "prefix", "--profile", klt, self.profile, "--codec", "kvtc:bits={0.5,1,2}",
                                        "klt:bits=3,alloc=none")
        digest = self.answer["digest"]
        self.assertEqual([profile["sha256"] for profile in profiles][1], digest)
        # Means and, of the plan that needs most, components of keys and values in binary16.
        self.assertGreater(profiles[1]["reader_bytes"], 4 * 2 * WIDTH + 2 * 2 * 300 * WIDTH)
        self.assertLessEqual(profiles[1]["reader_bytes"], 4 * 2 * WIDTH + 2 * 2 * 500 * WIDTH)
        last = 1e9
        exact = 4 * 16 / 1024  # the sinks
        for bits in ("0.5", "1", "2"):
            lines = cells[f"kvtc:bits={bits},profile={digest[:16]}"]
            self.assertEqual(len(lines), 2)
            mean = sum(line["kld_mean"] for line in lines) / 2
            self.assertLess(mean, 0.8 * last)
            last = mean
            for line in lines:
                rate = line["bits_per_value"] - exact
                self.assertLess(rate, float(bits) + 0.01)
                self.assertGreater(rate, 0.6 * float(bits))
                ledger = line["ledger_k"]
                self.assertEqual(line["ledger_v"]["values"], 0)
                self.assertGreater(ledger["scale_bits"], 0)
                self.assertAlmostEqual(ledger["charged_bits"] / ledger["values"], float(bits) * (1 - 4 / 1024) + exact, delta=0.02)
        self.assertTrue(any(codec.startswith("klt:bits=3,alloc=none") for codec in cells))

    def test_dumps_and_pages(self):
        dump = self.folder / "d.h5"
        output("capture", "--model", "nano", "--text", self.held_out, "--passages", 1, "--ctx", 700, "--out", dump)
        cells, _ = self.sweep("--dump", dump, "--profile", self.profile, "--codec", "kvtc:bits=2", "kvtc:bits=2,page=64")
        digest = self.answer["digest"][:16]
        whole, paged = (cells[f"kvtc:bits=2,{key}profile={digest}"][0] for key in ("", "page=64,"))
        # The same values come back, in more bytes.
        for error in ("rel_mse_k", "rel_mse_v"):
            self.assertAlmostEqual(whole[error] / paged[error], 1, delta=1e-9)
        self.assertLess(whole["bits_per_value"], paged["bits_per_value"])

    def test_frames_of_whole_tokens(self):
        tokens, frame, back = (self.folder / name for name in ("x.f32", "x.kky", "y.f32"))
        write_floats(tokens, scattered(20 * 2 * WIDTH))
        at = ("--codec", "kvtc:bits=2", "--profile", self.profile, "--in", tokens, "--dim", 2 * WIDTH)
        answer = document("codec", "roundtrip", *at)
        output("codec", "encode", *at, "--out", frame)
        self.assertEqual(frame.stat().st_size, answer["bytes_written"])
        output("codec", "decode", "--in", frame, "--profile", self.profile, "--out", back)
        self.assertEqual(back.stat().st_size, tokens.stat().st_size)
        info = document("codec", "info", "--in", frame, "--profile", self.profile)
        self.assertEqual(set(info["sections"]),
                         {"header", "layers", "plan", "pages", "scales", "indices", "exact", "padding", "checksum"})
        self.fails(1, "codec", "decode", "--in", frame, "--out", back, names=("profile",))
        self.fails(1, "codec", "roundtrip", "--codec", "kvtc:bits=2", "--in", tokens, "--dim", 2 * WIDTH, names=("--profile",))
        self.fails(1, "codec", "roundtrip", *at[:-1], WIDTH, names=(str(2 * WIDTH),))
        damaged = bytearray(frame.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        frame.write_bytes(damaged)
        self.fails(1, "codec", "decode", "--in", frame, "--profile", self.profile, "--out", back, names=("checksum",))

    def test_what_makes_no_sense_is_refused(self):
        text = ("--model", "nano", "--text", self.held_in, "--passages", 1, "--ctx", 256, "--out", self.folder / "never.h5")
        for flag in (("--scope", "layer"), ("--predict", 1), ("--ablations",), ("--sensitivity-passages", 1)):
            self.fails(2, "calibrate", "--codec", "kvtc", *text, *flag, names=(flag[0], "kvtc"))
        self.fails(2, "calibrate", *text, "--rank", 40, names=("--rank", "kvtc"))
        self.fails(1, "calibrate", "--codec", "kvtc", *text, "--rank", WIDTH + 1, names=("--rank", str(WIDTH)))
        self.assertFalse((self.folder / "never.h5").exists())
        out = self.folder / "never"
        common = ("--model", "nano", "--text", self.held_out, "--ctx", 512, "--passages", 1, "--codec", "kvtc:bits=2", "--out", out)
        prefix = ("--mode", "prefix", "--boundary", 0)
        self.fails(1, "sweep", *common, *prefix, names=("--profile",))
        self.fails(1, "sweep", *common, "--mode", "prefix", "--profile", self.profile, names=("--skip-edge-layers 0",))
        self.fails(1, "sweep", *common, *prefix, "--tap", "post-rope", "--profile", self.profile, names=("pre-rope",))
        self.fails(2, "sweep", *common[:-4], "--codec-k", "kvtc:bits=2", "--out", out, *prefix, "--profile", self.profile,
                   names=("together",))
        self.assertFalse((out / "samples.jsonl").exists())


if __name__ == "__main__":
    main()
