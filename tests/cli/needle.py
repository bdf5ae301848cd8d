#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kakeya-needle: a grid of needles, killed and gone on with, refused where it is another; its report.

usage: needle.py BIN [unittest arguments]
"""
import json
import lzma
import shutil
import signal
import subprocess
import sys
import time

from program_case import ROOT, ProgramCase, command, document, json_lines, main, output, scratch_folder

TEXTS = sorted((ROOT / "data" / "text").glob("*.txt"))[:3]
NANO = ("needle", "--model", "nano", "--plain", "--text", *TEXTS)
BOTH = ("--kinds", "single,variable-tracking")
SMALL = ("--lengths", "200,256", "--depths", "0,100", "--samples", "1", "--more-tokens", "2",
         "--skip-edge-layers", "1")


def without_seconds(samples):
    return [{**sample, "seconds": 0} for sample in samples]


class Needle(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    def test_a_grid_and_its_report(self):
        out = self.folder / "out"
        answer = document(*NANO, *BOTH, *SMALL, "--codec", "q4_0", "--out", out)
        self.assertEqual((answer["total"], answer["finished"], answer["failed"]), (16, 16, 0))
        self.assertEqual([(task["task"], task["length"]) for task in answer["tasks"]],
                         [("single", 200), ("variable-tracking", 200), ("single", 256), ("variable-tracking", 256)])
        samples = json_lines(out / "samples.jsonl")
        self.assertEqual([sample["codec_k"] for sample in samples[:8]], ["identity"] * 8)  # first, on every prompt
        clean = {(s["task"], s["length"], s["depth"]): s for s in samples[:8]}
        for sample in samples:
            same = clean[sample["task"], sample["length"], sample["depth"]]
            self.assertEqual(sample["answer_nll_reference"], same["answer_nll"])
            self.assertEqual(sample["answer"], same["answer"])
        self.assertNotEqual(samples[8]["answer_nll"], samples[8]["answer_nll_reference"])
        self.assertLess(samples[8]["live_bytes"], samples[0]["live_bytes"])
        again = document(*NANO, *BOTH, *SMALL, "--codec", "q4_0", "--out", out)
        self.assertEqual((again["already"], again["finished"]), (16, 0))
        more = document(*NANO, *BOTH, *SMALL, "--codec", "e8:q=4", "--out", out)  # another codec is no other plan
        self.assertEqual((more["already"], more["finished"]), (8, 8))
        report = document("report", "needle", out, "--solved", "0", "--out", self.folder / "report", "--no-charts")
        self.assertEqual((report["codecs"], report["prompts"], report["solved"] + report["unsolved"]), (3, 8, 4))
        for name in ("report.md", "results.csv", "nll_single.gp", "substring_variable-tracking.dat"):
            self.assertIn(name, report["files"])
        page = (self.folder / "report" / "report.md").read_text()
        self.assertIn("# Needles: nano", page)
        self.assertIn("`e8:q=4`", page)
        self.assertNotIn(str(ROOT), page)
        self.fails(1, "report", out, "--out", self.folder / "other", names=("samples.jsonl",))  # of no sweep

    def test_parts_are_joined(self):
        merge = [sys.executable, ROOT / "scripts" / "merge_samples.py"]
        small = ("--depths", "50", "--samples", "1", "--more-tokens", "2", "--skip-edge-layers", "1", "--kinds", "single")
        parts = [self.folder / name for name in ("short", "short-q4_0", "long")]
        document(*NANO, *small, "--lengths", "200", "--out", parts[0])
        shutil.copytree(parts[0], parts[1])
        document(*NANO, *small, "--lengths", "200", "--codec", "q4_0", "--out", parts[1])
        document(*NANO, *small, "--lengths", "256", "--codec", "q4_0", "--out", parts[2])
        joined = self.folder / "joined"
        done = subprocess.run([*merge, joined, *parts], check=True, capture_output=True, encoding="utf-8")
        self.assertIn("4 cells of 3 folders, 3 runs", done.stdout)
        with lzma.open(joined / "samples.jsonl.xz", "rt") as lines:
            self.assertEqual([(s["codec_k"], s["length"]) for s in map(json.loads, lines)], [("identity", 200), ("q4_0", 200), ("identity", 256), ("q4_0", 256)])
        report = document("report", "needle", joined, "--solved", "0", "--out", self.folder / "report", "--no-charts")
        self.assertEqual((report["codecs"], report["prompts"], report["warnings"]), (2, 2, []))
        samples = parts[1] / "samples.jsonl"
        changed = [{**sample, "live_bytes": 1} for sample in json_lines(samples)]
        samples.write_text("".join(json.dumps(sample) + "\n" for sample in changed))
        for words, said in ((parts, "identity, single of 200 tokens: measured in another folder too"), ([parts[0], "--below", "2"], "has needles")):
            refused = subprocess.run([*merge, self.folder / "none", *words], capture_output=True, encoding="utf-8")
            self.assertEqual(refused.returncode, 1)
            self.assertIn(said, refused.stderr)

    def test_killed_it_goes_on(self):
        grid = (*NANO, *SMALL, "--kinds", "single", "--codec", "fp8")
        whole, out = self.folder / "whole", self.folder / "out"
        output(*grid, "--out", whole)
        running = subprocess.Popen(command(*grid, "--out", out), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        samples = out / "samples.jsonl"
        end = time.monotonic() + 300
        while running.poll() is None and time.monotonic() < end and (not samples.exists() or samples.read_text().count("\n") < 3):
            time.sleep(0.005)
        running.send_signal(signal.SIGKILL)
        running.wait(300)
        there = samples.read_text().count("\n")
        self.assertLess(there, 8)
        samples.write_text(samples.read_text() + '{"codec_k":"fp8","co')  # and a line that was cut short
        answer = document(*grid, "--out", out)
        self.assertEqual((answer["already"], answer["finished"]), (there, 8 - there))
        self.assertEqual(without_seconds(json_lines(samples)), without_seconds(json_lines(whole / "samples.jsonl")))
        self.fails(1, *grid, "--sinks", "4", "--out", out, names=("sinks", "0 stored, 4 asked for"))
        self.fails(1, *grid, "--seed", "4", "--out", out, names=("seed",))
        self.fails(1, *NANO[:-1], *SMALL, "--kinds", "single", "--out", out, names=("text_",))

    def test_unsolved_tasks_are_said_and_may_be_skipped(self):
        out = self.folder / "out"
        small = ("--kinds", "single", "--lengths", "200", "--depths", "50", "--samples", "1", "--more-tokens", "0", "--codec", "fp8")
        self.assertIn("not solved", output(*NANO, *small, "--skip-unsolved", "--out", out))
        self.assertEqual(len(json_lines(out / "samples.jsonl")), 1)
        answer = document(*NANO, *small, "--skip-unsolved", "--solved", "0", "--out", out)
        self.assertEqual((answer["skipped"], answer["finished"], answer["tasks"][0]["solved"]), (0, 1, True))

    def test_solved_is_judged_by_all_that_is_stored(self):
        out = self.folder / "out"
        small = ("--kinds", "single", "--lengths", "200", "--samples", "1", "--more-tokens", "0", "--solved", "0.5", "--codec", "fp8")
        document(*NANO, *small, "--depths", "0", "--out", out)
        samples = out / "samples.jsonl"
        samples.write_text(samples.read_text().replace('"substring":0.0', '"substring":1.0', 1))  # of the bf16 cache
        answer = document(*NANO, *small, "--depths", "100", "--skip-unsolved", "--out", out)
        self.assertEqual(answer["tasks"], [{"task": "single", "length": 200, "substring": 0.5, "solved": True}])
        self.assertEqual((answer["skipped"], answer["finished"]), (0, 2))
        report = document("report", "needle", out, "--solved", "0.5", "--out", self.folder / "report", "--no-charts")
        self.assertEqual((report["solved"], report["unsolved"]), (1, 0))

    def test_in_the_chat_template(self):
        model = self.folder / "model"
        shutil.copytree(ROOT / "data" / "models" / "nano", model)
        chat = ("needle", "--model", model, "--text", TEXTS[0], "--kinds", "single", "--lengths", "200", "--depths", "50", "--samples", "1")
        self.fails(1, *chat, "--out", self.folder / "out", names=("chat template",))
        (model / "chat_template.jinja").write_text("{{ messages[0].role }}: {{ messages[0].content }}\nassistant:")
        self.assertEqual(document(*chat, "--out", self.folder / "out")["finished"], 1)
        plan = json.loads((self.folder / "out" / "provenance.json").read_text())["plan"]
        self.assertEqual(len(plan["chat"]), 64)
        self.fails(1, *chat, "--plain", "--out", self.folder / "out", names=("chat", "plain"))

    def test_dry_run(self):
        plan = document(*NANO, *BOTH, *SMALL, "--codec", "e8:q={4,10}", "--dry-run")
        self.assertEqual((plan["cells"], plan["codecs"]), (24, ["identity", "e8:q=4", "e8:q=10"]))

    def test_refusals(self):
        out = ("--out", self.folder / "out")
        self.fails(2, *NANO, names=("--out",))
        self.fails(2, *NANO, "--kinds", "single,double", *out, names=("double", "variable-tracking"))
        self.fails(2, *NANO, "--depths", "0,101", *out, names=("101",))
        self.fails(2, *NANO, "--lengths", "256,256", *out, names=("256", "twice"))
        self.fails(2, *NANO, "--codec", "nosuch:b=1", *out, names=("nosuch",))
        self.fails(2, *NANO, *SMALL, "--codec", "ece8:bits=3", *out, names=("ece8:bits=3", "page of 1024", "256"))
        self.fails(2, *NANO, "--solved", "2", *out, names=("--solved",))
        self.fails(1, *NANO, "--lengths", "50", *out, names=("length 50", "expected at least"))
        self.fails(1, *NANO, "--lengths", "100000", *out, names=("100000",))
        self.fails(1, *NANO, "--codec", "klt:bits=3", *out, names=("klt", "profile"))
        self.fails(1, "needle", "--model", "nano", "--plain", "--text", self.folder / "none.txt", *out, names=("none.txt",))
        self.fails(1, "report", "needle", self.folder / "none", *out, names=("provenance.json", "kakeya-needle"))
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    main()
