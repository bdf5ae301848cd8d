#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""center=bias through the programs, on the shipped model whose keys have strong biases: from the model itself, from the file of
kakeya-calibrate --codec bias, and refused where there is none.

usage: key_bias.py BIN
"""
import json
import shutil

from program_case import ROOT, ProgramCase, TEXT, document, json_lines, main, output, run, scattered, scratch_folder, write_floats

SWEEP = ("--text", TEXT, "--passages", 2, "--ctx", 256, "--sinks", 4, "--skip-edge-layers", 0)
CODECS = ("ece8:bits=4", "ece8:bits=4,center=bias", "kivi:b=4,center=bias")


class KeyBias(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.file = cls.folder / "biases.kkp"
        cls.answer = document("calibrate", "--codec", "bias", "--model", "nano-bias", "--out", cls.file)

    def refused(self, text, *arguments):
        done = run(*arguments)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(text, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def sweep(self, name, *arguments):
        out = self.folder / name
        output("sweep", "--model", "nano-bias", *SWEEP, "--codec", *CODECS, "--out", out, *arguments)
        return json_lines(out / "samples.jsonl"), json.loads((out / "provenance.json").read_text())["runs"][0]["profiles"]

    def test_says_what_it_read(self):
        self.assertEqual((self.answer["layers"], self.answer["heads"], self.answer["dim"]), (8, 2, 64))
        self.assertEqual(self.answer["bytes"], self.file.stat().st_size)
        self.assertGreater(self.answer["largest_bias"], 10)
        again = output("calibrate", "--codec", "bias", "--model", "nano-bias", "--out", self.file)
        self.assertIn("already there", again)

    def test_a_model_of_another_name_has_the_same_biases(self):
        copy = self.folder / "another-name"
        shutil.copytree(ROOT / "data" / "models" / "nano-bias", copy)
        other = document("calibrate", "--codec", "bias", "--model", copy, "--out", self.folder / "other.kkp")
        self.assertEqual(other["digest"], self.answer["digest"])

    def test_the_model_and_its_file_are_the_same_to_a_sweep(self):
        own, (profile,) = self.sweep("own")
        given, _ = self.sweep("given", "--profile", self.file)
        self.assertEqual(profile["sha256"], self.answer["digest"])
        self.assertEqual(profile["reader_bytes"], 0)
        numbers = [{(cell["codec_k"], cell["passage"]): (cell["kld_mean"], cell["bytes_written"]) for cell in cells} for cells in (own, given)]
        self.assertEqual(*numbers)
        digest = self.answer["digest"][:16]
        kld = {spec: [cell["kld_mean"] for cell in own if cell["codec_k"] == spec] for spec in {cell["codec_k"] for cell in own}}
        plain, cured = kld["ece8:bits=4"], kld[f"ece8:bits=4,center=bias,profile={digest}"]
        self.assertEqual(len(cured), 2)
        for before, after in zip(plain, cured):
            self.assertLess(after, before / 10)

    def test_other_programs_have_it_from_the_model_too(self):
        said = output("perplexity", "--model", "nano-bias", "--text", TEXT / "01-tides.txt", "--ctx", 256, "--stride", 128, "--codec",
                      "ece8:bits=4,center=bias", "--sinks", 4, "--skip-edge-layers", 0)
        self.assertIn(f"profile={self.answer['digest'][:16]}", said)
        done = run("generate", "--model", "nano-bias", "--prompt", "The harbour", "--max-tokens", 4, "--codec", "ece8:bits=4,center=bias,page=64")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_frames_need_the_same_biases(self):
        keys, frame, back = self.folder / "keys.f32", self.folder / "frame", self.folder / "back.f32"
        write_floats(keys, scattered(40 * 64))
        spec = ("--codec", "e8:q=10,center=bias", "--site", "3:key:1", "--dim", 64, "--in", keys)
        output("codec", "encode", *spec, "--profile", self.file, "--out", frame)
        output("codec", "decode", "--in", frame, "--profile", self.file, "--out", back)
        self.assertEqual(back.stat().st_size, keys.stat().st_size)
        self.refused("profile", "codec", "decode", "--in", frame, "--out", back)
        self.refused("profile", "codec", "encode", *spec, "--out", frame)

    def test_a_packed_cache_needs_the_same_biases(self):
        dump, packed = self.folder / "kv.h5", self.folder / "kv.kkv"
        output("capture", "--model", "nano-bias", "--text", TEXT, "--passages", 1, "--ctx", 128, "--out", dump)
        output("codec", "pack", "--dump", dump, "--codec", "ece8:bits=4,center=bias,page=32", "--profile", self.file, "--out", packed)
        output("codec", "unpack", "--in", packed, "--profile", self.file, "--out", self.folder / "back.h5")
        self.refused("profile", "codec", "unpack", "--in", packed, "--out", self.folder / "no.h5")

    def test_what_has_no_bias_is_refused_by_name(self):
        sweep = ("sweep", *SWEEP, "--out", self.folder / "none")
        self.refused("nano: the keys of a qwen3 model have no bias", *sweep, "--model", "nano", "--codec", "ece8:bits=4,center=bias")
        self.refused("nano: the keys of a qwen3 model have no bias", "calibrate", "--codec", "bias", "--model", "nano", "--out", self.folder / "n.kkp")
        self.refused("post-rope", *sweep, "--model", "nano-bias", "--tap", "post-rope", "--codec", "e8:q=10,center=bias")
        self.refused("sha256", *sweep, "--model", "nano", "--profile", self.file, "--codec", "e8:q=10")

    def test_flags_that_would_change_nothing_are_refused(self):
        calibrate = ("calibrate", "--codec", "bias", "--model", "nano-bias", "--out")
        self.refused("--text: not for --codec bias", *calibrate, self.folder / "b.kkp", "--text", TEXT)
        self.refused("--rank: not for --codec bias", *calibrate, self.folder / "b.kkp", "--rank", 3)
        self.refused("expected a name in .kkp", *calibrate, self.folder / "b.h5")


if __name__ == "__main__":
    main()
