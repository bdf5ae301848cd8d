#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kakeya-perplexity --codec: a text scored whole with a coded cache, beside the uncoded one.

usage: perplexity_coded.py BIN [unittest arguments]
"""
import json
import lzma
import math
import subprocess
import sys

from program_case import ROOT, TEXT, ProgramCase, document, json_lines, main, output, scratch_folder

class PerplexityCoded(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)
        text = self.folder / "tides.txt"
        text.write_text((TEXT / "01-tides.txt").read_text()[:2000])
        self.tides = ("--model", "nano", "--text", text, "--ctx", "128", "--stride", "64")

    def test_one_codec(self):
        answer = document("perplexity", *self.tides, "--codec", "q4_0", "--sinks", "4", "--skip-edge-layers", "1", "--per-token")
        plain = document("perplexity", *self.tides, "--per-token")
        for key in ("model", "ctx", "stride", "windows", "tokens", "scored"):
            self.assertEqual(answer[key], plain[key], key)
        self.assertEqual((answer["codec"], answer["sinks"], answer["skip_edge_layers"]), ("q4_0", 4, 1))
        self.assertEqual(len(answer["codecs"]), 1)
        # The uncoded cache is bf16, that of the plain program fp32.
        self.assertAlmostEqual(answer["nll_reference_mean"], plain["nll_mean"], delta=2e-3)
        self.assertNotEqual(answer["nll_reference_mean"], plain["nll_mean"])
        self.assertEqual(answer["perplexity"], math.exp(answer["nll_mean"]))
        for name, tokens in (("nll_mean", answer["nll"]), ("nll_reference_mean", answer["nll_reference"]),
                             ("kld_mean", answer["codecs"][0]["kld"])):
            self.assertEqual(len(tokens), answer["tokens"] - 1)
            self.assertAlmostEqual(answer[name], sum(tokens) / len(tokens), places=9)
        low, high = answer["kld_ci"]
        self.assertTrue(0 < low < answer["kld_mean"] < high)
        self.assertAlmostEqual(answer["delta_ppl"], math.exp(answer["nll_mean"] - answer["nll_reference_mean"]) - 1, places=9)
        # 2 of 8 layers stay bf16.
        self.assertAlmostEqual(answer["bits_per_value_whole_cache"], (6 * answer["bits_per_value"] + 2 * 16) / 8, places=9)

    def test_an_open_page_counts_as_bf16(self):
        """By the rule of sweeps; samples say it too, and the profile's bytes."""
        out = self.folder / "out"
        answer = document("perplexity", *self.tides, "--skip-edge-layers", "0", "--codec", "ece8:bits=4,center=mean,page=96", "ece8:bits=4,center=mean", "--out", out)
        paged, open_to_the_end = answer["codecs"]
        self.assertEqual(open_to_the_end["bits_per_value_whole_cache"], 16.0)  # no window fills a page of 1,024
        self.assertLess(open_to_the_end["bits_per_value"], 5)
        samples = [sample for sample in json_lines(out / "samples.jsonl") if sample["codec_k"] == paged["codec"]]
        bytes_of = lambda sample: sample["cache_bytes"] + 2 * sample["open_page"]["values"] - sample["open_page"]["bytes"]
        self.assertTrue(any(sample["open_page"]["values"] > 0 for sample in samples))
        self.assertAlmostEqual(paged["bits_per_value_whole_cache"], 8 * sum(map(bytes_of, samples)) / sum(sample["cache_values"] for sample in samples), places=9)
        for sample in samples:
            self.assertAlmostEqual(sample["whole_cache_bits_per_value"], 8 * bytes_of(sample) / sample["cache_values"], places=9)
        self.assertTrue(paged["bits_per_value"] < paged["bits_per_value_whole_cache"] < 16)

    def test_several_codecs_share_the_reference_and_are_what_they_are_alone(self):
        several = document("perplexity", *self.tides, "--codec", "q4_0", "q8_0", "--codec-v", "q8_0")
        self.assertNotIn("nll_mean", several)
        self.assertEqual([each["codec"] for each in several["codecs"]], ["q4_0", "q8_0", "K identity, V q8_0"])
        alone = document("perplexity", *self.tides, "--codec", "q8_0")
        self.assertEqual(several["codecs"][1], alone["codecs"][0])
        self.assertEqual(several["nll_reference_mean"], alone["nll_reference_mean"])
        text = output("perplexity", *self.tides, "--codec", "q4_0")
        for words in ("uncoded     perplexity", "whole cache", "q4_0"):
            self.assertIn(words, text)

    def test_a_stopped_run_goes_on(self):
        out = self.folder / "out"
        arguments = (*self.tides, "--codec", "q4_0", "fp8", "--out", out)
        whole = document("perplexity", *arguments)
        samples = out / "samples.jsonl"
        lines = samples.read_text().splitlines(keepends=True)
        self.assertEqual(len(lines), 3 * whole["windows"])  # identity too
        self.assertEqual(json_lines(samples)[0]["nll_tokens"], [])
        samples.write_text("".join(lines[:7]) + lines[7][:40])
        again = document("perplexity", *arguments)
        self.assertEqual(again["codecs"], whole["codecs"])
        self.assertEqual(len(samples.read_text().splitlines()), len(lines))
        self.fails(1, "perplexity", *arguments, "--sinks", "4", names=("sinks", "0 stored, 4 asked for"))
        chosen = document("report", "choose", out, "--kl", "1")
        self.assertEqual({each["codec"] for each in chosen}, {"q4_0", "fp8"})

    def test_parts_of_a_text_are_the_text(self):
        codecs = ("--codec", "q4_0", "fp8")
        whole = document("perplexity", *self.tides, *codecs, "--out", self.folder / "whole")
        windows = whole["windows"]
        self.assertGreater(windows, 4)
        parts = ((0, 2), (2, 1), (3, windows - 3))
        folders = [self.folder / f"part{first}" for first, _ in parts]
        for (first, count), folder in zip(parts, folders):
            answer = document("perplexity", *self.tides, *codecs, "--first-window", str(first), "--windows", str(count), "--out", folder)
            self.assertEqual((answer["windows"], answer.get("first_window", 0)), (count, first))
        merged = self.folder / "merged"
        subprocess.run([sys.executable, ROOT / "scripts" / "merge_samples.py", merged, *folders], check=True, capture_output=True)
        measured = lambda lines: {(each["codec_k"], each["passage"]): (each["nll"], each["kld_mean"], each["bytes_written"]) for each in lines}
        with lzma.open(merged / "samples.jsonl.xz", "rt") as lines:
            joined = measured(map(json.loads, lines))
        self.assertEqual(joined, measured(json_lines(self.folder / "whole" / "samples.jsonl")))
        self.assertEqual(len(joined), 3 * windows)
        chosen = [document("report", "choose", folder, "--kl", "1") for folder in (merged, self.folder / "whole")]
        self.assertEqual(*([(each["codec"], each["kld"], each["kld_ci"]) for each in of] for of in chosen))
        # Without a codec too; what is not scored has no likelihood.
        plain, part = (document("perplexity", *self.tides, "--per-token", *some) for some in ((), ("--first-window", "2", "--windows", "1")))
        scored = [(i, nll) for i, nll in enumerate(part["nll"]) if nll is not None]
        self.assertEqual([i + 1 for i, _ in scored], list(range(128 + 64, 128 + 128)))
        self.assertEqual([nll for _, nll in scored], [plain["nll"][i] for i, _ in scored])
        self.fails(1, "perplexity", *self.tides, "--first-window", str(windows), names=(f"expected at most {windows - 1}",))
        self.fails(1, "perplexity", *self.tides, "--first-window", "3", "--windows", str(windows), names=(f"expected at most {windows - 3}",))
        self.fails(2, "perplexity", *self.tides[:4], "--tokenize", "--windows", "2", names=("--tokenize",))

    def test_windows_side_by_side(self):
        arguments = (*self.tides[:4], "--ctx", "128", "--convention", "windows")
        answer, plain = document("perplexity", *arguments, "--codec", "q8_0"), document("perplexity", *arguments)
        self.assertEqual((answer["windows"], answer["scored"]), (plain["windows"], plain["scored"]))
        self.assertAlmostEqual(answer["nll_reference_mean"], plain["nll_mean"], delta=2e-3)

    def test_every_token_of_windows_side_by_side(self):
        out = self.folder / "all"
        arguments = (*self.tides[:4], "--ctx", "160", "--convention", "all")
        plain = document("perplexity", *arguments, "--per-token")
        answer = document("perplexity", *arguments, "--codec", "q8_0", "q4_0", "--out", out)
        windows = plain["tokens"] // 160
        self.assertGreater(windows, 1)
        for each in (plain, answer):
            self.assertEqual((each["convention"], each["windows"], each["scored"]), ("all", windows, windows * 159))
            self.assertNotIn("stride", each)
        self.assertEqual([i + 1 for i, nll in enumerate(plain["nll"]) if nll is None],
                         [160 * i for i in range(1, windows)] + list(range(160 * windows, plain["tokens"])))
        self.assertAlmostEqual(answer["nll_reference_mean"], plain["nll_mean"], delta=2e-3)
        samples = json_lines(out / "samples.jsonl")
        self.assertEqual(len(samples), 3 * windows)
        for sample in samples:
            octaves = sample["positions"]
            self.assertEqual([(each["first"], each["tokens"]) for each in octaves], [(1, 63), (64, 64), (128, 32)])
            for whole, part in (("nll", "nll"), ("nll_reference", "nll_reference"), ("kld_mean", "kld"), ("top1", "top1")):
                self.assertAlmostEqual(sample[whole], sum(each["tokens"] * each[part] for each in octaves) / 159, places=12)
            if sample["codec_k"] == "identity":
                self.assertEqual({each["kld"] for each in octaves}, {0})
        self.assertEqual(json.loads((out / "provenance.json").read_text())["plan"]["scored"], 159)
        self.reports_positions(out, answer)
        self.fails(2, "perplexity", *arguments, "--stride", "80", names=("--stride",))
        # The same lengths, other windows or another first token: another plan.
        more = (*self.tides[:4], "--ctx", "160", "--codec", "q8_0", "q4_0", "fp8", "--out", out)
        self.fails(1, "perplexity", *more, "--stride", "159", names=("another plan", "scoring", '"sliding, stride 159" asked for'))
        self.fails(1, "perplexity", *more, "--convention", "all", "--bos", "5", names=("another plan", "scoring", "BOS 5"))
        self.fails(2, "perplexity", *self.tides[:4], "--convention", "all", names=("--convention all: expected --ctx",))

    def reports_positions(self, out, answer):
        made = self.folder / "report"
        told = document("report", "positions", out, "--out", made, "--no-charts")
        self.assertEqual([each["codec"] for each in told["codecs"]], ["q8_0", "q4_0"])
        for codec, scored in zip(told["codecs"], answer["codecs"]):
            octaves = codec["octaves"]
            self.assertEqual([(each["first"], each["last"]) for each in octaves], [(1, 63), (64, 127), (128, 159)])
            self.assertEqual(sum(each["tokens"] for each in octaves), answer["scored"])
            for name, part in (("kld_mean", "kld_mean"), ("nll_change_mean", "nll_change_mean"), ("top1", "top1")):
                self.assertAlmostEqual(scored[name], sum(each["tokens"] * each[part] for each in octaves) / answer["scored"], places=9)
            self.assertTrue(all(low < each["kld_mean"] < high for each in octaves for low, high in [each["kld_ci"]]))
        self.assertEqual(set(told["files"]), {path.name for path in made.iterdir()})
        self.assertIn("positions.svg", (made / "report.md").read_text())
        printed = output("report", "positions", out)
        for words in ("all, q8_0", "128–159 |", "ΔNLL"):
            self.assertIn(words, printed)
        self.fails(1, "report", "positions", self.old_samples(out), names=("no codec with means by position",))

    def test_other_forwards_with_nothing_coded(self):
        out, parts = self.folder / "out", [self.folder / "a", self.folder / "b"]
        arguments = (*self.tides, "--codec", "q4_0", "--noise-floor", "--out")
        answer = document("perplexity", *arguments, out)
        arithmetic, attention = answer["controls"]
        self.assertEqual((arithmetic["control"], attention["control"]), ("bf16", "fused"))
        self.assertTrue(0 < attention["kld_mean"] < arithmetic["kld_mean"] < answer["kld_mean"])
        self.assertNotIn("bits_per_value", arithmetic)
        # A model in that arithmetic finds the text as likely; its cache is bf16 too.
        plain = document("perplexity", *self.tides, "--dtype", "bf16")
        self.assertAlmostEqual(arithmetic["nll_mean"], plain["nll_mean"], delta=2e-3)
        self.assertEqual(arithmetic["nll_reference_mean"], answer["nll_reference_mean"])
        kept = json_lines(out / "controls.jsonl")
        self.assertEqual(len(kept), 2 * answer["windows"])
        self.assertEqual(document("perplexity", *arguments, out)["controls"], answer["controls"])  # measured once
        self.assertEqual(json_lines(out / "controls.jsonl"), kept)
        by_position = document("report", "positions", out)
        self.assertEqual([each["codec"] for each in by_position["codecs"]], ["q4_0"])
        self.assertEqual([each["control"] for each in by_position["controls"]], ["bf16", "fused"])
        for control, scored in zip(by_position["controls"], answer["controls"]):
            self.assertEqual([(o["first"], o["last"], o["tokens"]) for o in control["octaves"]],
                             [(o["first"], o["last"], o["tokens"]) for o in by_position["codecs"][0]["octaves"]])
            self.assertAlmostEqual(scored["kld_mean"], sum(o["tokens"] * o["kld_mean"] for o in control["octaves"]) / answer["scored"], places=12)
        self.assertIn("nothing coded: bf16 arithmetic", output("report", "positions", out))
        for folder, first in zip(parts, (0, 3)):
            document("perplexity", *arguments, folder, "--first-window", first, "--windows", 3 if first == 0 else answer["windows"] - 3)
        subprocess.run([sys.executable, ROOT / "scripts/merge_samples.py", self.folder / "joined", *parts], check=True, stdout=subprocess.DEVNULL)
        output("report", self.folder / "joined", "--out", self.folder / "report")
        self.assertIn("bf16 arithmetic", (self.folder / "report/details.md").read_text())
        self.assertIn("bf16 arithmetic", output("perplexity", *arguments, out))
        self.fails(2, "perplexity", *self.tides, "--codec", "q4_0", "--noise-floor", names=("--noise-floor: expected --out",))

    def old_samples(self, out):
        """The folder as an older version wrote it."""
        old = self.folder / "old"
        old.mkdir()
        (old / "provenance.json").write_text((out / "provenance.json").read_text())
        samples = json_lines(out / "samples.jsonl")
        for sample in samples:
            del sample["positions"]
        (old / "samples.jsonl").write_text("".join(json.dumps(sample) + "\n" for sample in samples))
        return old

    def test_token_files(self):
        ids = document("perplexity", *self.tides[:4], "--tokenize", "--special", "--per-token")["ids"][:300]
        tokens = self.folder / "ids.json"
        tokens.write_text(json.dumps(ids))
        answer = document("perplexity", "--model", "nano", "--tokens", tokens, "--codec", "q8_0")
        self.assertEqual((answer["tokens"], answer["scored"], answer["windows"], answer["ctx"], answer["stride"]), (300, 299, 1, 2048, 512))
        self.assertEqual(answer["kld_ci"], [None, None])

    def test_what_makes_no_sense_is_refused(self):
        for flag, value in (("--sinks", "4"), ("--profile", "p.h5"), ("--tap", "pre-rope"), ("--out", self.folder / "o"),
                            ("--codec-device", "cpu"), ("--residual-window", "8")):
            self.fails(2, "perplexity", *self.tides, flag, value, names=(f"{flag}: expected --codec",))
        self.fails(2, "perplexity", *self.tides, "--noise-floor", names=("--noise-floor: expected --codec",))
        self.fails(2, "perplexity", *self.tides, "--codec", "nosuch:b=1", names=("nosuch",))
        self.fails(2, "perplexity", *self.tides, "--codec", "identity", names=("identity",))
        self.fails(2, "perplexity", *self.tides[:4], "--tokenize", "--codec", "q4_0", names=("--tokenize",))
        self.fails(1, "perplexity", *self.tides, "--codec", "q4_0", "--skip-edge-layers", "4", names=("skip",))
        self.fails(1, "perplexity", *self.tides, "--codec", "klt:bits=2", names=("klt",))
        self.assertFalse((self.folder / "o").exists())


if __name__ == "__main__":
    main()
