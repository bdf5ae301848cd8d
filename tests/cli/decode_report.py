#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The report of a sweep in mode decode: where and why it differs from mode inforward, beside it and alone; and the command that makes reports/decode-mode anew.

usage: decode_report.py BIN [unittest arguments]
"""
import csv
import json
import re
import shlex
import subprocess
import sys

from program_case import ROOT, TEXT, ProgramCase, document, halves_of_texts, json_lines, main, output, scratch_folder

TOKENS, SINKS, WINDOW = 96 + 32, 4, 8
SWEEP = ("sweep", "--model", "nano", "--text", TEXT, "--passages", 2, "--ctx", 96, "--eval", 32, "--skip-edge-layers", 0, "--sinks", SINKS, "--residual-window", WINDOW,
         "--codec", "ece8:bits=4,center=mean,page=96", "kivi:b=4")


class DecodeReport(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    def report(self, *folders):
        """Its details, and the cells of the table of mode decode: by codec and quantity."""
        made = self.folder / "report"
        output("report", *folders, "--no-charts", "--out", made)
        with open(made / "results.csv", encoding="utf-8") as lines:
            cells = {(line["row"], line["quantity"].partition(" (")[0]): line for line in csv.DictReader(lines) if line["table"] == "decode"}
        return (made / "details.md").read_text(encoding="utf-8"), cells

    def test_both_modes_stand_side_by_side(self):
        out = self.folder / "out"
        output(*SWEEP, "--mode", "inforward,decode", "--out", out)
        details, cells = self.report(out)
        self.assertIn("### Decoding beside the forward at once", details)
        samples = {(s["codec_k"], s["mode"], s["passage"]): s for s in json_lines(out / "samples.jsonl")}
        codecs = {codec for codec, _, _ in samples}
        self.assertEqual({codec for codec, _ in cells}, codecs)
        self.assertEqual(len(codecs), 3)
        for codec in codecs:
            here, there = ([samples[codec, mode, passage] for passage in (0, 1)] for mode in ("decode", "inforward"))
            tokens = [s["open_page"]["values"] / (s["values"] / TOKENS) for s in here]
            cell = lambda quantity: float(cells[codec, quantity]["value"])
            self.assertAlmostEqual(cell("tokens coded in mode inforward, bf16 in mode decode"), sum(tokens) / 2)
            self.assertAlmostEqual(cell("tokens coded in both modes"), TOKENS - SINKS - WINDOW - sum(tokens) / 2)
            self.assertAlmostEqual(cell("nll in mode decode - in mode inforward"), sum(a["nll"] - b["nll"] for a, b in zip(here, there)) / 2)
            equal = sum(a["nll_tokens"] == b["nll_tokens"] and a["kld_tokens"] == b["kld_tokens"] for a, b in zip(here, there))
            self.assertEqual(cell("passages with the losses of mode inforward to the last bit"), equal)
        paged = "ece8:bits=4,center=mean,page=96"  # of 116 tokens between the sinks and the window a page is full
        self.assertEqual((cells[paged, "tokens coded in both modes"]["text"], cells[paged, "tokens coded in mode inforward, bf16 in mode decode"]["text"]), ("96", "20"))
        for words in ("4 sink tokens; a residual window of 8; ", f"20 of 96 tokens of an open page (`{paged}`)"):
            self.assertIn(words, details)

    def test_alone_it_says_what_is_left_in_bf16(self):
        once, steps = self.folder / "once", self.folder / "steps"
        output(*SWEEP, "--mode", "decode", "--out", steps)
        details, cells = self.report(steps)
        self.assertFalse(cells)
        for words in ("Of the 128 tokens of a passage", "4 sink tokens; a residual window of 8; ", "20 of 96 tokens of an open page"):
            self.assertIn(words, details)
        output(*SWEEP, "--mode", "inforward", "--out", once)  # of another folder, where the plan is the same
        details, cells = self.report(steps, once)
        self.assertEqual(len({codec for codec, _ in cells}), 3)
        self.assertIn("(in-forward: once)", details)

    def test_tokens_by_themselves_are_equal_to_the_last_bit(self):
        """Of the first scored token, before which all pages are full in both modes; of the second one is open."""
        out = self.folder / "each"
        output("sweep", "--model", "nano", "--text", TEXT, "--passages", 2, "--ctx", 256, "--eval", 2, "--skip-edge-layers", 0, "--sinks", 0, "--mode", "inforward,decode", "--batch-invariant",
               "--codec", "e8:q=10", "kivi:b=4", "ece8:bits=3,center=mean,page=64", "--out", out)
        cells = {(s["codec_k"], s["passage"], s["mode"]): list(zip(s["nll_tokens"], s["kld_tokens"])) for s in json_lines(out / "samples.jsonl")}
        self.assertEqual(len(cells), 4 * 2 * 2)
        for (codec, passage, mode), tokens in cells.items():
            at_once = cells[codec, passage, "inforward"]
            self.assertEqual(tokens[0], at_once[0], (codec, passage))
            self.assertEqual(tokens[1] == at_once[1], mode == "inforward" or codec == "identity", (codec, passage))
        self.assertEqual(json.loads((out / "provenance.json").read_text())["plan"]["dtype"], "fp32, batch-invariant")
        self.fails(2, "sweep", "--dump", out, "--codec", "fp8", "--batch-invariant", "--dry-run", names=("batch-invariant: not for a sweep over a dump",))
        self.fails(2, "sweep", "--model", "nano", "--text", TEXT, "--codec", "fp8", "--device", "cuda", "--batch-invariant", "--dry-run",
                   names=("batch-invariant: given with device cuda, expected cpu",))

    def test_the_evidence_measures_what_its_page_has(self):
        printed = subprocess.run([sys.executable, ROOT / "scripts/evidence.py", "smollm2-135m", "texts", "--steps", "decode-mode", "--print"],
                                 check=True, capture_output=True, encoding="utf-8").stdout
        *sweeps, each = [shlex.split(line) for line in printed.splitlines()]
        after = lambda command, flag: command[command.index(flag) + 1]
        held = json.loads((ROOT / "reports/decode-mode/provenance.json").read_text(encoding="utf-8"))
        self.assertEqual([(int(after(sweep, "--first-passage")), int(after(sweep, "--passages"))) for sweep in sweeps],
                         [(run["planned"]["first_passage"], run["planned"]["passages"]) for run in held["runs"]])
        config, profile = ROOT / after(sweeps[0], "--config"), self.folder / "profile.h5"
        seen, kept = halves_of_texts(self.folder)
        output("calibrate", "--model", "nano", "--text", seen, "--passages", 1, "--ctx", 128, "--sensitivity-passages", 1, "--steps", "inforward", "--predict", 0, "--out", profile)
        common = ("--model", "nano", "--text", kept, "--splits", "none", "--profile", profile, "--first-passage", 0, "--passages", 1, "--dry-run")
        codecs = lambda of: [re.sub("profile=[0-9a-f]*", "", codec["codec_k"]) for codec in of["codecs"]]
        asked, planned = document("sweep", "--config", config, *common), held["runs"][0]["planned"]
        self.assertEqual((codecs(asked), asked["modes"]), (codecs(planned), planned["modes"]))
        invariant = json.loads((ROOT / "reports/batch-invariant/provenance.json").read_text(encoding="utf-8"))
        asked, planned = document("sweep", "--config", ROOT / after(each, "--config"), *common), invariant["runs"][0]["planned"]
        self.assertEqual((codecs(asked), asked["modes"], invariant["plan"]["dtype"]), (codecs(planned), planned["modes"], "fp32, batch-invariant"))
        settings, plan = json.loads(config.read_text(encoding="utf-8")), held["plan"]
        self.assertEqual({key: settings[key] for key in ("model", "noise_floor", "cut", "split", "ctx", "eval", "skip_edge_layers", "sinks")},
                         {"model": "smollm2-135m", "noise_floor": True, "cut": plan["cut"], "split": plan["split"], "ctx": plan["context"], "eval": plan["scored"],
                          "skip_edge_layers": plan["boundary"], "sinks": plan["sinks"]})


if __name__ == "__main__":
    main()
