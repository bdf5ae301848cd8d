#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles as flat files: kakeya-calibrate writes and converts them, and every --profile takes them.

usage: flat_profile.py BIN
"""
import hashlib

from program_case import ProgramCase, TEXT, document, json_lines, main, output, run, scattered, scratch_folder, without_windows, write_floats

MODEL = ("--model", "nano", "--text", TEXT, "--passages", 2, "--ctx", 256)
KLT = (*MODEL, "--scope", "head", "--sensitivity-passages", 0)


class FlatProfile(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.h5, cls.beside = cls.folder / "p.h5", cls.folder / "p.kkp"
        cls.answer = document("calibrate", *KLT, "--out", cls.h5)
        cls.keys = cls.folder / "keys.f32"
        write_floats(cls.keys, scattered(40 * 128))

    def convert(self, source, target):
        return document("calibrate", "convert", source, target)

    def roundtrip(self, profile):
        return output("codec", "encode", "--codec", "klt:bits=3,alloc=none", "--profile", profile, "--site", "0:key:0", "--dim", 128, "--in", self.keys,
                      "--out", self.folder / "frame"), (self.folder / "frame").read_bytes()

    def test_beside_the_hdf5_file_and_back(self):
        self.assertEqual(self.answer["flat_file"], str(self.beside))
        again, back = self.folder / "again.kkp", self.folder / "back.h5"
        made = self.convert(self.h5, again)
        self.assertEqual((made["digest"], made["codec"], made["bytes"]), (self.answer["digest"], "klt", again.stat().st_size))
        self.assertEqual(again.read_bytes(), self.beside.read_bytes())
        self.assertEqual(self.convert(again, back)["digest"], self.answer["digest"])
        self.assertEqual(back.read_bytes(), self.h5.read_bytes())

    def test_the_digest_is_of_the_file_without_windows_of_tokens(self):
        flat, h5 = self.folder / "old.kkp", self.folder / "old.h5"
        flat.write_bytes(without_windows(self.beside.read_bytes()))
        self.assertEqual(self.convert(flat, h5)["digest"], self.answer["digest"])
        self.assertEqual(hashlib.sha256(h5.read_bytes()).hexdigest(), self.answer["digest"])
        self.assertEqual(self.roundtrip(flat), self.roundtrip(self.h5))

    def test_frames_of_one_are_read_with_the_other(self):
        said, frame = self.roundtrip(self.h5)
        self.assertEqual(self.roundtrip(self.beside), (said, frame))
        decoded = []
        for profile in (self.h5, self.beside):
            out = self.folder / "decoded.f32"
            output("codec", "decode", "--in", self.folder / "frame", "--profile", profile, "--out", out)
            decoded.append(out.read_bytes())
        self.assertEqual(decoded[0], decoded[1])

    def test_in_place_of_the_hdf5_file(self):
        flat, h5 = self.folder / "own.kkp", self.folder / "own.h5"
        answer = document("calibrate", *KLT, "--out", flat)
        self.assertNotIn("flat_file", answer)
        self.assertEqual(flat.read_bytes()[:4], b"KKVP")
        self.assertFalse(h5.exists() or (self.folder / "own.kkp.unfinished").exists())
        self.assertEqual(self.convert(flat, h5)["digest"], answer["digest"])
        self.assertEqual(self.roundtrip(flat), self.roundtrip(h5))
        # Its transforms serve another calibration.
        hot = document("calibrate", *KLT, "--from", flat, "--out", self.folder / "hot.kkp")
        self.assertEqual(hot["digest"], answer["digest"])

    def test_of_kvtc(self):
        h5, back = self.folder / "k.h5", self.folder / "k2.h5"
        answer = document("calibrate", "--codec", "kvtc", *MODEL, "--rank", 16, "--out", h5)
        self.assertEqual(self.convert(self.folder / "k.kkp", back), {"file": str(back), "bytes": h5.stat().st_size, "codec": "kvtc", "digest": answer["digest"]})
        self.assertEqual(back.read_bytes(), h5.read_bytes())

    def test_a_sweep_takes_it(self):
        klds = []
        for profile in (self.h5, self.beside):
            out = self.folder / f"of_{profile.suffix[1:]}"
            output("sweep", "--model", "nano", "--text", TEXT, "--ctx", 256, "--passages", 1, "--profile", profile, "--codec", "klt:bits=3,alloc=none", "--out", out)
            lines = json_lines(out / "samples.jsonl")
            name = f"klt:bits=3,alloc=none,profile={self.answer['digest'][:16]}"
            self.assertIn(name, {line["codec_k"] for line in lines})
            klds.append([line["kld_mean"] for line in lines if line["codec_k"] == name])
        self.assertEqual(klds[0], klds[1])

    def test_damage_and_usage(self):
        bad = self.folder / "bad.kkp"
        whole = self.beside.read_bytes()
        for damaged, words in ((whole[:-1], "says it has"), (whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:], "checksum"), (b"nothing", "bad.kkp")):
            bad.write_bytes(damaged)
            self.fails(1, "codec", "roundtrip", "--codec", "klt:bits=3,alloc=none", "--profile", bad, "--site", "0:key:0", "--dim", 128, "--in", self.keys,
                       names=("bad.kkp", words))
        speaker = "kakeya-calibrate convert"
        self.check_failure(run("calibrate", "convert", bad, self.folder / "x.h5"), 1, speaker, ("bad.kkp",))
        self.check_failure(run("calibrate", "convert", self.h5, self.h5), 1, speaker, ("another name",))
        self.check_failure(run("calibrate", "convert", self.folder / "none", self.folder / "x.h5"), 1, speaker, ("none",))
        self.check_failure(run("calibrate", "convert", self.h5), 2, speaker, ("TO",))
        self.assertFalse((self.folder / "x.h5").exists())
        self.check_recorded_words(output("calibrate", "convert", "--help"), "calibrate-convert-help.txt")


if __name__ == "__main__":
    main()
