#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scripts/quickstart.sh on the built programs, with its own grid on short passages: the texts it calibrates on and those it
measures, the chart, and that a second run measures nothing.

usage: quickstart.py BIN
"""
import json
import os
import re
import shutil
import subprocess

import program_case
from program_case import ProgramCase, ROOT, json_lines, main, scratch_folder


class Quickstart(ProgramCase):
    @classmethod
    def setUpClass(cls):
        """A tree with the script, its configuration and the programs; what installs and builds has nothing to do there."""
        cls.tree = scratch_folder(cls.addClassCleanup)
        for folder in ("scripts", "configs", "data", "build/release"):
            (cls.tree / folder).mkdir(parents=True)
        shutil.copy(ROOT / "scripts" / "quickstart.sh", cls.tree / "scripts")
        for name in ("setup.sh", "build.sh"):
            (cls.tree / "scripts" / name).write_text("#!/bin/sh\n")
            (cls.tree / "scripts" / name).chmod(0o755)
        (cls.tree / "data" / "text").symlink_to(ROOT / "data" / "text")
        (cls.tree / "build" / "release" / "bin").symlink_to(program_case.BIN)
        config = json.loads((ROOT / "configs" / "quickstart-nano.json").read_text())
        config |= {"ctx": 64, "eval": 8, "passages": 2}
        (cls.tree / "configs" / "quickstart-nano.json").write_text(json.dumps(config, indent=2))
        cls.results = cls.tree / "out" / "quickstart-nano"
        cls.text = cls.quickstart()

    @classmethod
    def quickstart(cls):
        done = subprocess.run([cls.tree / "scripts" / "quickstart.sh"], capture_output=True, text=True, env=os.environ)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        return done.stdout

    def test_what_is_measured_was_not_calibrated_on(self):
        texts = sorted((ROOT / "data" / "text").glob("*.txt"))
        calibration = sorted((self.results / "texts" / "calibration").iterdir())
        unseen = sorted((self.results / "texts" / "unseen").iterdir())
        self.assertEqual([path.name for path in calibration], [path.name for path in texts[:3]])
        self.assertEqual(len(unseen), 8)
        self.assertEqual(b"".join(path.read_bytes() for path in unseen), b"".join(path.read_bytes() for path in texts[3:]))
        plan = json.loads((self.results / "sweep" / "provenance.json").read_text())
        self.assertEqual(plan["plan"]["text_name"], "unseen")
        self.assertEqual([profile["text_name"] for profile in plan["runs"][0]["profiles"]], ["calibration"])

    def test_the_chart_shows_every_family(self):
        report = self.results / "report"
        families = set(re.findall(r"^# block \d+: nano: (\S+)(?: \(\w+\))?: x y low", (report / "kld_inforward.dat").read_text(), re.M))
        self.assertEqual(families, {"klt", "ece8:center=mean", "e8", "kivi", "q4_0", "fp8"})
        self.assertFalse(list(report.glob("*_all.*")))
        self.assertIn("profiles, once a model", (report / "report.md").read_text())

    def test_the_commands_it_names_work_and_a_second_run_measures_nothing(self):
        samples = (self.results / "sweep" / "samples.jsonl").read_bytes()
        self.assertEqual(len(json_lines(self.results / "sweep" / "samples.jsonl")), 2 * 19)
        for name in re.findall(r"^(?:Report|Chart): +(\S+)$", self.text, re.M):
            self.assertTrue((self.tree / name).is_file(), name)
        command = re.search(r"^Which codec at .*: (.*)$", self.text, re.M).group(1)
        done = subprocess.run(command.split(), cwd=self.tree, capture_output=True, text=True)
        self.assertIn("| family ", done.stdout)
        self.assertIn(" 0 measured now", self.quickstart())
        self.assertEqual((self.results / "sweep" / "samples.jsonl").read_bytes(), samples)


if __name__ == "__main__":
    main()
