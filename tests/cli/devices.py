#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps over several devices: cells spread over them, stopped and killed, resumed by one; a model whose layers are on several. The devices are
the CPU, more than once: what they share of several GPUs is all but the kernels.

usage: devices.py BIN
"""
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import threading

import program_case
from program_case import ROOT, TEXT, ProgramCase, command, document, json_lines, main, output, run, scratch_folder
from shards import CELLS, COMMON, CODECS, cells_of, lines_in, started, until

SWEEP = ("sweep", *COMMON, "--codec", *CODECS)
SPREAD = ("--devices", "cpu,cpu,cpu")


def children_of(process):
    return [int(number) for number in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().split(")")[-1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Devices(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.whole = cls.folder / "whole"
        output(*SWEEP, "--out", cls.whole)
        cls.cells = cells_of(cls.whole)

    def new(self):
        return scratch_folder(self.addCleanup) / "my"

    def test_gives_the_cells_of_one_device(self):
        out = self.new()
        summary = document(*SWEEP, *SPREAD, "--out", out)
        self.assertEqual(cells_of(out), self.cells)
        self.assertEqual((summary["cells"], summary["finished"], summary["already_done"], summary["failed"]), (CELLS, CELLS, 0, 0))
        self.assertNotIn("shard", summary)
        self.assertGreaterEqual(summary["references_computed"], 3)
        self.assertEqual({path.name for path in out.glob("samples*")}, {f"samples.{i}-of-3.jsonl" for i in (1, 2, 3)})
        self.assertTrue(all(json_lines(path) for path in out.glob("samples*")))
        self.assertFalse((out / "references").exists())
        again = output(*SWEEP, *SPREAD, "--out", out)
        self.assertIn(f"{CELLS} cells: 0 measured now, {CELLS} already there, 0 failed\n", again)
        self.assertIn("samples.3-of-3.jsonl\n", again)

    def test_divides_a_shard_once_more(self):
        out = self.new()
        for shard in ("1/2", "2/2"):
            summary = document(*SWEEP, "--devices", "cpu,cpu", "--shard", shard, "--out", out)
            self.assertEqual(summary["shard"], shard)
        self.assertEqual(cells_of(out), self.cells)
        self.assertEqual({path.name for path in out.glob("samples*")}, {f"samples.{i}-of-4.jsonl" for i in (1, 2, 3, 4)})

    def test_stops_all_and_goes_on(self):
        out = self.new()
        process = started(*SWEEP, *SPREAD, "--out", out)
        until(lambda: lines_in(out) > 1)
        workers = children_of(process)
        self.assertEqual(len(workers), 3)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=120)[1]
        self.assertEqual(process.returncode, 75, said)
        # A worker that was stopped before it knew its cells leaves nothing to count.
        self.assertRegex(said, r"\Akakeya-sweep: stopped by SIGTERM( after [1-9]\d* of 18 cells)?: run the same command to go on in .*\n\Z")
        self.assertFalse(any(map(alive, workers)))
        self.assertLess(len(cells_of(out)), CELLS)
        output(*SWEEP, *SPREAD, "--out", out)
        self.assertEqual(cells_of(out), self.cells)

    def test_loses_nothing_where_a_worker_or_the_parent_is_killed(self):
        out = self.new()
        process = started(*SWEEP, *SPREAD, "--out", out)
        until(lambda: lines_in(out) > 1)
        os.kill(children_of(process)[1], signal.SIGKILL)
        said = process.communicate(timeout=120)[1]
        self.assertEqual((process.returncode, said), (1, "kakeya-sweep: worker on cpu: ended by signal 9\n"))
        self.assertGreater(len(cells_of(out)), CELLS // 3)
        process = started(*SWEEP, *SPREAD, "--out", out)
        until(lambda: len(children_of(process)) == 3)
        workers = children_of(process)
        process.kill()
        process.communicate()
        until(lambda: not any(map(alive, workers)))
        output(*SWEEP, "--out", out)  # by one device
        self.assertEqual(cells_of(out), self.cells)

    def test_a_worker_that_is_stopped_alone_says_by_what(self):
        out = self.new()
        process = started(*SWEEP, *SPREAD, "--out", out)
        until(lambda: len(children_of(process)) == 3)
        os.kill(children_of(process)[0], signal.SIGUSR1)
        said = process.communicate(timeout=120)[1]
        self.assertEqual(process.returncode, 75, said)
        self.assertRegex(said, r"\Akakeya-sweep: stopped by SIGUSR1( after [1-9]\d* of 18 cells)?: run the same")

    def test_ends_where_ends_of_processes_were_ignored(self):
        done = subprocess.run(command(*SWEEP, *SPREAD, "--out", self.new()), capture_output=True, encoding="utf-8", timeout=120,
                              preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_names_the_failures_of_all(self):
        out = self.new()
        sweep = ("sweep", *COMMON, "--codec", "q4_0:rotate=256")
        self.fails(1, *sweep, *SPREAD, "--out", out, stdout=r"6 cells: 3 measured now, 0 already there, 3 failed",
                   names=("3 of 6 cells failed: see failures.1-of-3.jsonl, failures.2-of-3.jsonl, failures.3-of-3.jsonl in ",))
        self.assertEqual([len(json_lines(out / f"failures.{i}-of-3.jsonl")) for i in (1, 2, 3)], [1, 1, 1])
        alone = self.new()
        self.fails(1, *sweep, "--out", alone, stdout="3 failed", names=(f"3 of 6 cells failed: see {alone}/failures.jsonl",))

    def test_a_bar_counts_the_cells_of_all(self):
        out = self.new()
        ours, theirs = pty.openpty()
        process = subprocess.Popen(command(*SWEEP, *SPREAD, "--out", out), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        drawn = []

        def read():
            try:
                while part := os.read(ours, 4096):
                    drawn.append(part)
            except OSError:  # the end of a terminal
                pass

        reader = threading.Thread(target=read)
        reader.start()
        until(lambda: len(children_of(process)) == 3)
        late = children_of(process)[1]
        os.kill(late, signal.SIGSTOP)  # it has not counted its cells when others have measured some
        try:
            until(lambda: lines_in(out) > 3)
        finally:
            os.kill(late, signal.SIGCONT)
        self.assertEqual(process.wait(timeout=120), 0)
        reader.join()
        os.close(ours)
        totals = set(re.findall(r"3 devices  \d+/(\d+)", b"".join(drawn).decode()))
        self.assertEqual(totals, {str(CELLS)})

    def test_replaces_the_device_of_a_configuration_and_says_so(self):
        config = self.new().with_suffix(".json")
        config.write_text(json.dumps({"device": "cuda:3"}))
        done = run(*SWEEP, "--config", config, "--devices", "cpu,cpu", "--dry-run")
        self.assertEqual((done.returncode, done.stderr), (0, f"kakeya-sweep: --devices cpu,cpu in place of device cuda:3 of {config}\n"))

    def test_the_script_that_measures_them_compares_cells(self):
        out = self.new()
        script = [sys.executable, ROOT / "scripts" / "devices.py", program_case.BIN, "--model", "nano", "--text", TEXT, "--lists", "cpu", "cpu,cpu", "--layers", "cpu,cpu"]
        flags = ("--ctx", "96", "--eval", "8", "--passages", "2", "--skip-edge-layers", "1", "--codec", "fp8")
        done = subprocess.run([*script, "--out", out, "--", *flags], capture_output=True, encoding="utf-8", cwd=ROOT)
        self.assertEqual(done.returncode, 0, done.stderr)
        made = json.loads((out / "devices.json").read_text())
        self.assertEqual([(each["cells"], each["equal_cells"]) for each in (*made["cells"], *made["layers"])], [(4, 4)] * 3)
        self.assertEqual(made["model_bytes"], {"nano": (ROOT / "data/models/nano/model.safetensors").stat().st_size})
        self.assertIn(made["version"], output("sweep", "--version"))
        self.assertEqual(made["cores"], len(os.sched_getaffinity(0)))

    def test_layers_on_several_devices_change_no_number(self):
        out = self.new()
        output(*SWEEP, "--devices", "cpu,cpu", "--split", "layers", "--out", out)
        self.assertEqual(cells_of(out), self.cells)
        self.assertEqual(json.loads((out / "provenance.json").read_text())["plan"]["device"], "cpu,cpu")
        named = self.new()
        output(*SWEEP, "--devices", "cpu,cpu", "--split", "held-out,layers", "--out", named)
        self.assertEqual({sample["split"] for sample in json_lines(named / "samples.jsonl")}, {"held-out"})
        dumps = []
        for device in ("cpu", "cpu,cpu"):
            dump = self.new().with_suffix(".h5")
            output("capture", "--model", "nano", "--text", ROOT / "data/text", "--ctx", 64, "--passages", 1, "--device", device, "--out", dump)
            dumps.append(document("sweep", "--dump", dump, "--codec", "e8:q=4", "--out", self.new())["table"])
        self.assertEqual(*dumps)
        decode = [document("sweep", *COMMON, "--codec", "ece8:bits=3,page=32", "--mode", "decode", *words, "--out", self.new())["table"]
                  for words in (("--device", "cpu"), ("--devices", "cpu,cpu,cpu", "--split", "layers"))]
        self.assertEqual(*decode)

    def test_refuses(self):
        for words, names in (
            (("--devices", "cpu,"), ("--devices cpu,", "as 0,1")),
            (("--devices", "cpu,cpu", "--device", "cpu"), ("expected no --device beside it",)),
            (("--split", "layers"), ("--split layers: expected several --devices",)),
            (("--devices", "cpu", "--split", "layers"), ("expected several --devices",)),
            (("--devices", "tpu,tpu"), ("device tpu: expected cpu, cuda or cuda:N",)),
            (("--devices", ",".join(["cpu"] * 40), "--split", "layers"), ("40 devices for a model of", "at most one a layer")),
            (("--split", "held-out,development"), ("passages are of one split",)),
            (("--split", "mine"), ("split mine: expected",)),
            (("--devices", "cpu,cpu", "--codec", "e9"), ("e9",)),
            (("--devices", "cpu,tpu"), ("device tpu: expected cpu, cuda or cuda:N",)),
            (("--devices", "cpu,tpu", "--dry-run"), ("device tpu: expected cpu, cuda or cuda:N",)),
            (("--devices", "cpu,cuda:-1", "--dry-run"), ("device cuda:-1: expected cpu, cuda or cuda:N",)),
            (("--devices", "cpu,0"), ("--devices cpu,0: expected devices of one kind",)),
        ):
            with self.subTest(words):
                self.fails(2, *SWEEP, *words, "--out", self.new(), names=names)
        self.fails(2, "sweep", "--dump", self.folder, "--codec", "fp8", *SPREAD, "--out", self.new(), names=("not for a sweep over a dump",))


if __name__ == "__main__":
    main()
