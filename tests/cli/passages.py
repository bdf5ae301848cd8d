#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How texts become passages: by the tokens themselves, or by the published rule; what is said where they give too few.

usage: passages.py BIN
"""
import json
import shutil

from program_case import TEXT, ProgramCase, document, main, output, run, scratch_folder

SWEEP = ("sweep", "--model", "nano", "--codec", "fp8")
FOUR = ("--ctx", 512, "--passages", 4)


class Passages(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.chinese = cls.folder / "zh.txt"
        cls.chinese.write_text("".join("海潮光玻璃面包灯塔蜜蜂"[(i + i // 11) % 11] + "\n" * (i % 200 == 199) for i in range(4000)))
        cls.english = cls.folder / "en.txt"
        cls.english.write_text("".join(text.read_text() for text in sorted(TEXT.glob("*.txt"))[:2]))

    def test_text_without_spaces(self):
        """The published rule counts words, of which Chinese has one a line."""
        self.assertEqual(document(*SWEEP, *FOUR, "--text", self.chinese, "--dry-run")["passages"], 4)
        self.fails(1, *SWEEP, *FOUR, "--text", self.chinese, "--cut", "published", "--dry-run",
                   names=("zh.txt: 0 passages of 576 tokens (--ctx 512 + --eval 64), 4 expected", " tokens and 20 words", "--cut tokens"))
        dump = self.folder / "zh.h5"
        self.assertEqual(document("capture", "--model", "nano", "--text", self.chinese, "--ctx", 256, "--passages", 2, "--out", dump)["passages"], 2)
        self.fails(1, "capture", "--model", "nano", "--text", self.chinese, "--ctx", 256, "--cut", "published", "--out", dump,
                   names=("(--ctx 256)", "--cut tokens"))
        calibrate = ("calibrate", "--model", "nano", "--text", self.chinese, "--ctx", 256, "--passages", 1, "--scope", "head")
        self.fails(1, *calibrate, "--cut", "published", "--out", self.folder / "never.h5", names=("(--ctx 256)", "--cut tokens"))
        profile = self.folder / "zh.profile.h5"
        self.assertEqual(document(*calibrate, "--sensitivity-passages", 0, "--out", profile)["passages"], 1)

    def test_shortage(self):
        self.fails(1, *SWEEP, "--text", self.english, "--ctx", 2000, "--passages", 9, "--dry-run",
                   names=("passages of 2064 tokens (--ctx 2000 + --eval 64), 9 expected: the file has ", "the rest of the line in which a passage ends is dropped"))
        self.fails(1, *SWEEP, "--text", TEXT, "--ctx", 4000, "--dry-run", names=("01-tides.txt: ", "4064 tokens (--ctx 4000 + --eval 64)"))
        self.fails(1, *SWEEP, "--text", TEXT, "--ctx", 512, "--passages", 9, "--dry-run", names=("8 passages of 576", "9 expected", "8 .txt files"))

    def test_fewer_than_by_default_will_do(self):
        texts = self.folder / "three"
        texts.mkdir()
        for text in sorted(TEXT.glob("*.txt"))[:3]:
            shutil.copy(text, texts)
        done = run(*SWEEP, "--text", texts, "--ctx", 256, "--dry-run", "--json")
        self.assertEqual(json.loads(done.stdout)["passages"], 3)
        self.assertEqual(done.stderr, "kakeya-sweep: 3 passages, all that three has of this length (8 by default)\n")
        dump, profile = self.folder / "three.h5", self.folder / "three.profile.h5"
        self.assertEqual(document("capture", "--model", "nano", "--text", texts, "--ctx", 64, "--out", dump)["passages"], 3)
        calibrate = ("calibrate", "--model", "nano", "--text", texts, "--ctx", 64, "--scope", "head", "--sensitivity-passages", 0, "--out", profile)
        made = document(*calibrate)
        self.assertEqual((made["passages"], made["warning"][:48]), (3, "180 tokens for transforms of 128 dimensions, exp"))
        self.assertIn("warning: 180 tokens for transforms of 128 dimensions, expected at least 256", run(*calibrate).stderr)

    def test_a_capture_may_begin_later(self):
        def errors(name, *flags):
            dump, out = self.folder / f"{name}.h5", self.folder / name
            output("capture", "--model", "nano", "--text", self.english, "--ctx", 64, *flags, "--out", dump)
            output("sweep", "--dump", dump, "--codec", "fp8", "--out", out)
            cells = [json.loads(line) for line in (out / "samples.jsonl").read_text().splitlines()]
            return {cell["passage"]: cell["rel_mse_k"] for cell in cells if cell["codec_k"] == "fp8"}

        whole, tail = errors("whole", "--passages", 3), errors("tail", "--passages", 1, "--first-passage", 2)
        self.assertEqual(tail, {0: whole[2]})
        self.assertNotEqual(whole[0], whole[2])
        self.fails(1, "capture", "--model", "nano", "--text", TEXT, "--ctx", 64, "--passages", 2, "--first-passage", 7, "--out", self.folder / "never.h5",
                   names=("9 expected (7 of them before the first)",))

    def test_rule_is_part_of_the_results(self):
        out = self.folder / "out"
        sweep = (*SWEEP, "--passages", 1, "--ctx", 128, "--text", self.english, "--out", out)
        output(*sweep, "--cut", "published")
        self.assertEqual(json.loads((out / "provenance.json").read_text())["plan"]["cut"], "published")
        self.fails(1, *sweep, names=('cut: "published" stored, "tokens" asked for',))
        # What was written before there was a choice was cut by the published rule.
        head = json.loads((out / "provenance.json").read_text())
        del head["plan"]["cut"]
        (out / "provenance.json").write_text(json.dumps(head))
        self.assertIn("0 measured now, 2 already there", output(*sweep, "--cut", "published"))

    def test_rules_that_are_none_or_useless(self):
        self.fails(2, *SWEEP, "--text", self.english, "--cut", "words", "--dry-run", names=("words", "tokens or published"))
        self.fails(2, *SWEEP, "--text", TEXT, "--cut", "published", "--dry-run", names=("--cut published", "folder"))
        self.fails(2, "capture", "--model", "nano", "--text", TEXT, "--cut", "tokens", "--out", self.folder / "x.h5", names=("--cut tokens", "folder"))
        self.fails(2, "calibrate", "--model", "nano", "--text", TEXT, "--cut", "tokens", "--out", self.folder / "x.h5", names=("--cut tokens", "folder"))
        self.fails(2, "calibrate", "--model", "nano", "--dump", "x.h5", "--cut", "tokens", "--out", self.folder / "x.h5", names=("--cut", "--dump"))


if __name__ == "__main__":
    main()
