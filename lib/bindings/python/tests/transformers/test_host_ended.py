# SPDX-License-Identifier: Apache-2.0
"""Runs over a hosted model that end in their midst, by real signals, and go on with nothing lost. Needs KAKEYA_BIN."""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
try:
    import torch  # noqa: F401
    import transformers  # noqa: F401

    from ended import ended, host_of, of_session, started, until
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

ROOT = pathlib.Path(__file__).resolve().parents[5]
BIN = os.environ.get("KAKEYA_BIN", "")
NANO = ["--model", ROOT / "data" / "models" / "nano", "--text", ROOT / "data" / "text", "--passages", "2", "--threads", "1"]
SWEEP = [sys.executable, "-m", "kakeya.sweep", *NANO, "--ctx", "96", "--eval", "32", "--codec", "e8:q=10..40..3", "ece8:bits=4,page=32",
         "--mode", "inforward,snapshot", "--skip-edge-layers", "1", "--out"]  # fmt: skip
CALIBRATE = [sys.executable, "-m", "kakeya.calibrate", *NANO, "--ctx", "96", "--scope", "head", "--sensitivity-passages", "1", "--json", "--out"]
MEASURE = """
import sys, kakeya
from transformers import AutoModelForCausalLM, AutoTokenizer
model, text, out = sys.argv[1:]
kakeya.measure(AutoModelForCausalLM.from_pretrained(model), AutoTokenizer.from_pretrained(model), text, "e8:q=10..90", out, passages=4, ctx=256, threads=1)
"""

if not os.path.exists(os.path.join(BIN, "kakeya-sweep")):
    raise unittest.SkipTest("KAKEYA_BIN names no folder of built programs")


def run(command, out):
    return subprocess.run(list(map(str, [*command, out])), capture_output=True, text=True, check=True).stdout


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def key_of(record):
    return record["codec_k"], record["mode"], record["passage"]


def samples(folder):
    """Those of a sweep, without times."""
    found = [{key: value for key, value in sample.items() if not key.endswith("_seconds")} for sample in records(folder / "samples.jsonl")]
    return sorted(found, key=key_of)


class Ended(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        shared = set(os.listdir("/dev/shm"))
        self.addCleanup(lambda: self.assertEqual(set(os.listdir("/dev/shm")) - shared, set()))

    def test_a_sweep_goes_on_whoever_was_killed(self):
        whole, parts = self.folder / "whole", self.folder / "parts"
        run(SWEEP, whole)
        expected, drawn = samples(whole), random.Random(7)
        for who, by in (("program", signal.SIGKILL), ("host", signal.SIGKILL), ("all", signal.SIGINT)):
            before = lines(parts / "samples.jsonl")
            program = started([*SWEEP, parts])
            until(lambda: lines(parts / "samples.jsonl") > before + 3 or program.poll() is not None)
            time.sleep(drawn.uniform(0, 0.05))  # into a cell
            if who == "all":
                os.killpg(program.pid, by)
            else:
                os.kill(program.pid if who == "program" else host_of(program), by)
            code, said = ended(self, program)
            last = said.split("\r")[-1]
            if who == "program":
                self.assertEqual(code, -signal.SIGKILL)
            elif who == "host":
                self.assertEqual(code, 1)
                self.assertRegex(last, r"^kakeya-sweep: .*: the host has ended by signal 9\n$")
            else:
                self.assertEqual((code, last), (-signal.SIGINT, "kakeya-sweep: stopped: run the same command to go on\n"))
            self.assertLess(before + 3, lines(parts / "samples.jsonl"))
        self.assertLess(lines(parts / "samples.jsonl"), len(expected))
        run(SWEEP, parts)
        self.assertEqual(samples(parts), expected)
        measured = {key_of(sample) for sample in expected}  # cells that failed for want of a host were measured after all
        self.assertTrue({key_of(failure) for failure in records(parts / "failures.jsonl")} <= measured)

    def test_a_calibration_goes_on(self):
        whole, parts = self.folder / "whole.kkp", self.folder / "parts.kkp"
        expected = json.loads(run(CALIBRATE, whole))["digest"]
        unfinished = pathlib.Path(f"{parts}.unfinished")
        program = started([*CALIBRATE, parts])
        until(lambda: unfinished.exists() or program.poll() is not None)
        program.kill()
        self.assertEqual(ended(self, program)[0], -signal.SIGKILL)
        self.assertTrue(unfinished.exists())
        self.assertEqual(json.loads(run(CALIBRATE, parts))["digest"], expected)
        self.assertEqual(parts.read_bytes(), whole.read_bytes())

    def test_a_program_ends_with_the_python_that_serves_it(self):
        out = self.folder / "out"
        python = started([sys.executable, "-c", MEASURE, NANO[1], NANO[3], out])
        until(lambda: lines(out / "samples.jsonl") > 3 or python.poll() is not None)
        self.assertEqual(sum("kakeya-sweep" in words for words in of_session(python.pid).values()), 1)
        python.kill()
        self.assertEqual(ended(self, python)[0], -signal.SIGKILL)


if __name__ == "__main__":
    unittest.main()
