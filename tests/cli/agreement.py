#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/agreement.py: what it runs, gone on with and refused; its tables, of samples made up and of those that reports keep.

usage: agreement.py BIN [unittest arguments]
"""
import csv
import json
import os
import subprocess
import sys
import unittest

import program_case
from program_case import EXPECTED, ROOT, TEXT, main, scratch_folder

sys.path.insert(0, str(ROOT / "scripts"))
import agreement
import agreement_table

SCRIPT = ROOT / "scripts" / "agreement.py"
BF16, CONTROL = agreement.BF16, agreement.CONTROL


def script(*words):
    return subprocess.run([sys.executable, SCRIPT, *map(str, words)], capture_output=True, encoding="utf-8", timeout=600)


class WhatIsRun(unittest.TestCase):
    def test_only_what_agrees_goes_on(self):
        def names(tokens, control=1):
            return [run.name() for run in agreement.wanted(tokens, (2, 4), ("a:b=1", CONTROL), 2, control)]
        self.assertEqual(names({}), ["bf16.00.2", "a_b=1.00.2", "identity.00.2", "bf16.01.2", "a_b=1.01.2", "identity.01.2"])
        first = {(codec, prompt): [7, 8] for codec in (BF16, "a:b=1", CONTROL) for prompt in (0, 1)}
        self.assertEqual(names(first), ["bf16.00.4", "a_b=1.00.4", "identity.00.4", "bf16.01.4", "a_b=1.01.4"])
        self.assertEqual(names({**first, ("a:b=1", 1): [7, 9]}), ["bf16.00.4", "a_b=1.00.4", "identity.00.4"])
        self.assertEqual(names({**first, ("a:b=1", 1): [7]}), ["a_b=1.01.2", "bf16.00.4", "a_b=1.00.4", "identity.00.4"])
        self.assertEqual(names({key: [7, 8, 1, 2] for key in first}), [])

    def test_where_texts_part_and_repeat_themselves(self):
        self.assertEqual(agreement.agreed([1, 2, 3], [1, 2, 4]), 2)
        self.assertEqual(agreement.agreed([1, 2], [1, 2, 4]), 2)
        self.assertEqual(agreement.repeats_from([9, 8, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1]), 2)
        self.assertEqual(agreement.repeats_from([5, 1, 1, 1]), 1)
        self.assertIsNone(agreement.repeats_from([1, 2, 3, 1, 2, 3]))
        self.assertIsNone(agreement.repeats_from([]))

    def test_prompts_are_cut_at_words(self):
        text = " = Head = \n" + "one two three\n" * 40
        for number, prompt in enumerate(agreement.stretches([("a", text), ("b", text)], 4, 5)):
            self.assertEqual((prompt["text"], prompt["prompt"]), ("ab"[number % 2], "one two three\none two"))
            self.assertEqual(text[prompt["at"]:prompt["at"] + 3], "one")
        words = "word " * 1000
        self.assertEqual(len(agreement.cut(words, 300, lambda part: 2 * len(part.split())).split()), 150)
        self.assertTrue(148 <= len(agreement.cut(words, 451, lambda part: 3 * len(part.split())).split()) <= 150)
        with self.assertRaisesRegex(SystemExit, "1000 words: expected one of more than 5000 tokens"):
            agreement.cut(words, 5000, lambda part: len(part.split()))


class Tables(unittest.TestCase):
    maxDiff = None

    def test_of_samples_made_up(self):
        samples = EXPECTED / "agreement.json"
        for flag, name in (("--table", "agreement.md"), ("--csv", "agreement.csv")):
            done = script(flag, samples)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            if os.environ.get("KAKEYA_REGENERATE"):
                (EXPECTED / name).write_text(done.stdout)
            self.assertEqual(done.stdout, (EXPECTED / name).read_text(), f"{name} changed: KAKEYA_REGENERATE=1 records it")

    def test_of_reports_are_what_their_samples_say(self):
        for samples in sorted((ROOT / "reports").glob("*/agreement*.json")):
            self.assertEqual(script("--csv", samples).stdout, samples.with_suffix(".csv").read_text(), samples)
        for samples in sorted((ROOT / "reports").glob("*/agreement.json")):
            page = "".join(page.read_text() for page in sorted(samples.parent.glob("*.md")))
            for part in script("--table", samples).stdout.rstrip("\n").split("\n\n"):
                self.assertIn(part, page, samples)

    def test_tokens_are_counted_to_where_all_were_run(self):
        data = json.loads((EXPECTED / "agreement.json").read_text())
        told = agreement_table.measured(data)
        self.assertEqual((told["limit"], told["prompts"], told["stages"]), (192, 4, [64, 192]))  # prompt 4 lacks codecs; q8_0 of prompt 1 stopped at 192
        klt, q8_0 = (told["codecs"][codec] for codec in data["codecs"])
        self.assertEqual((klt["mean"][0], klt["median"][0], klt["reach"]), ((100 + 192 + 17 + 3) / 4, 58.5, [2, 1]))
        self.assertEqual((q8_0["difference"][0], q8_0["longer"], q8_0["shorter"]), ((92 + 0 + 63 + 27) / 4, 3, 0))
        for three in (klt["mean"], klt["median"], q8_0["difference"]):
            self.assertTrue(three[1] <= three[0] <= three[2])
        self.assertEqual((told["repeat"], told["at_limit"], told["at_limit_repeat"]), (1, 2, 1))


class ARun(unittest.TestCase):
    def test_it_goes_on_and_refuses_other_settings(self):
        out = scratch_folder(self.addCleanup) / "out"
        words = (program_case.BIN, "--model", "nano", "--texts", TEXT / "01-tides.txt", "--codecs", "e8:q=10", "--prompts", 1, "--stages", 4, 8, "--long", "q8_0",
                 "--long-tokens", 8, "--context", 260, "--long-threads", 1, "--out", out)
        stopped = script(*words, "--words", 90, "--seconds", 0)
        self.assertEqual((stopped.returncode, stopped.stdout), (0, "agreement: stopped with 0 runs on the way; the same command goes on\n"))
        done = script(*words, "--words", 90, "--jobs", 2)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        made = json.loads((out / "agreement.json").read_text())
        self.assertEqual([(sample["codec"], sample["generated"]) for sample in made["samples"]], [("e8:q=10", 8), ("identity", 8)])
        self.assertEqual(made["samples"][1]["agree"], 8)
        bf16, coded = made["long"]
        self.assertEqual((bf16["generated"], coded["generated"], coded["codec_k"]), (8, 8, "q8_0"))
        self.assertTrue(244 <= bf16["prompt_tokens"] <= 252)
        self.assertEqual(coded["bf16_bytes"], bf16["bf16_bytes"])
        self.assertEqual(sum(coded["live"].values()), coded["live_bytes"])
        self.assertEqual(len(coded["commands"]), agreement.PIECES)
        self.assertNotIn(str(out), json.dumps(made))
        runs = {path: path.stat().st_mtime_ns for path in (out / "runs").iterdir()}
        self.assertEqual(len(runs), 3 * 2 + 2 * agreement.PIECES)
        self.assertEqual(script(*words, "--words", 90).stdout, "")
        self.assertEqual({path: path.stat().st_mtime_ns for path in (out / "runs").iterdir()}, runs)
        self.assertEqual(json.loads((out / "agreement.json").read_text()), made)
        self.assertIn("q8_0", script("--table", out / "agreement.json").stdout)
        cells = script("--csv", out / "agreement.json").stdout
        self.assertIn("q8_0", cells)
        self.assertEqual(cells, (out / "agreement.csv").read_text())
        self.assertIn("holds runs of other settings: words, prompts", script(*words, "--words", 80).stderr)
        self.assertIn("klt and kvtc: expected --profile", script(*words, "--codecs", "klt:bits=3").stderr)
        self.assertIn("expected --model", script(program_case.BIN).stderr)


class Control(unittest.TestCase):
    def test_identity_is_bf16(self):
        out = scratch_folder(self.addCleanup) / "control.csv"
        done = subprocess.run([sys.executable, ROOT / "scripts" / "control_logits.py", program_case.BIN, "--model", "nano", "--texts", TEXT / "01-tides.txt", "--prompts", "2",
                               "--words", "300", "--prompt", "1", "--steps", "6", "--out", out],
                              capture_output=True, encoding="utf-8", timeout=600)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        rows = [(row["codec"], row["quantity"], float(row["value"])) for row in csv.DictReader(out.read_text().splitlines())]
        self.assertEqual(len(rows), len(set(row[:2] for row in rows)))
        equal = {codec: value for codec, quantity, value in rows if quantity == "steps of 6 with all logits those over bf16"}
        self.assertEqual([equal[f"identity, {sinks} sinks"] for sinks in ("no", "4", "32")], [6, 6, 6])
        best = [value for codec, quantity, value in rows if codec == "bf16" and quantity.startswith("logit of")]
        self.assertEqual((len(best), best), (3, sorted(best, reverse=True)))


if __name__ == "__main__":
    main()
