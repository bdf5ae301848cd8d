#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shards of a sweep in one folder: run beside each other, killed, resumed, of other numbers, refused; what status says of them.

usage: shards.py BIN
"""
import contextlib
import hashlib
import json
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

from program_case import ROOT, TEXT, ProgramCase, command, document, json_lines, main, output, run, scratch_folder

CODECS = ("e8:q={4,10,22}", "fp8", "ece8:bits=3,page=64")
COMMON = ("--model", "nano", "--text", TEXT, "--ctx", 96, "--eval", 8, "--passages", 3, "--skip-edge-layers", 1, "--threads", 1)
PASSAGES = 3
CELLS = PASSAGES * (1 + 3 + 2)
TIMES = ("encode_seconds", "decode_seconds", "forward_seconds", "cell_seconds")


def cells_of(folder):
    """Of every cell of every file of a folder all but its times; each is there once."""
    cells = {}
    for path in sorted(folder.glob("samples*.jsonl")):
        for sample in json_lines(path):
            key = tuple(sample[name] for name in ("codec_k", "codec_v", "mode", "passage"))
            assert key not in cells, f"{path}: {key} is there twice"
            cells[key] = {name: value for name, value in sample.items() if name not in TIMES}
    return cells


def started(*arguments, **how):
    return subprocess.Popen(command(*arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", **how)


def until(holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to it"
        time.sleep(0.005)


def lines_in(folder):
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("samples*.jsonl"))


class Shards(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.sweep = ("sweep", *COMMON, "--codec", *CODECS)
        cls.whole = cls.folder / "whole"
        output(*cls.sweep, "--out", cls.whole)
        cls.cells = cells_of(cls.whole)

    def new(self):
        return scratch_folder(self.addCleanup) / "my"

    def shard(self, out, text, *more):
        return (*self.sweep, "--out", out, "--shard", text, *more)

    @contextlib.contextmanager
    def at_work(self, out, text, *more):
        """A shard that measures, stopped so that it lives and does nothing more."""
        process = started(*self.shard(out, text, *more))
        until(lambda: lines_in(out) > 0 or process.poll() is not None)
        process.send_signal(signal.SIGSTOP)
        try:
            yield process
        finally:
            process.kill()
            process.communicate()

    def test_killed_and_resumed_beside_each_other(self):
        out = self.new()
        processes = [started(*self.shard(out, f"{i}/3")) for i in (1, 2, 3)]
        until(lambda: (out / "samples.2-of-3.jsonl").exists())
        processes[1].kill()
        for process in processes:
            process.communicate(timeout=300)
        self.assertEqual([process.returncode for process in processes], [0, -signal.SIGKILL, 0])
        self.assertLess(len(cells_of(out)), CELLS)
        self.assertTrue((out / "references").exists())
        before = document("sweep", "status", out)
        self.assertEqual((before["cells"], before["running"], before["failed"]), (CELLS, 0, 0))
        self.assertEqual(before["done"] + before["missing"], CELLS)
        self.assertEqual(sum(len(cells["passages"]) for cells in before["missing_cells"]), before["missing"])
        self.assertEqual([(shard["shard"], shard["state"]) for shard in before["shards"]], [("2/3", "silent")])
        self.assertRegex(run("report", out, "--out", self.new(), "--no-charts").stderr,
                         rf"INCOMPLETE: {before['done']} of {CELLS} cells finished; missing: \S+ inforward: \d+ passages? \(")
        again = document(*self.shard(out, "2/3"))
        self.assertEqual(again["finished"], before["missing"])
        self.assertEqual(cells_of(out), self.cells)
        self.assertFalse((out / "references").exists())
        self.assertEqual(list(out.glob(".*")), [])
        after = document("sweep", "status", out)
        self.assertEqual((after["done"], after["missing"], after["shards"], after["missing_cells"]), (CELLS, 0, [], []))
        self.assert_same_reports(out)

    def assert_same_reports(self, out):
        tables = []
        for folder in (self.whole, out):
            made = scratch_folder(self.addCleanup)
            named = made / "same"
            shutil.copytree(folder, named)
            output("report", named, "--out", made / "report", "--no-charts")
            lines = (made / "report" / "results.csv").read_text().splitlines()
            tables.append([line for line in lines if not any(timed in line for timed in ("seconds", "us_per", "us a token"))])
        self.assertEqual(*tables)
        for ask in (("choose", "--kl", 0.01), ("--at-kl", 0.01)):
            words = lambda folder: ("report", *(ask[:1] if ask[0] == "choose" else ()), folder, *(ask[1:] if ask[0] == "choose" else ask))
            answers = [document(*words(folder)) for folder in (self.whole, out)]
            if ask[0] == "choose":
                for setting in answers[0] + answers[1]:
                    for name in ("encode_us", "decode_us", "source"):
                        setting.pop(name)
                self.assertEqual(*answers)
            else:
                self.assertEqual(*([{name: value for name, value in family.items() if name != "source"} for family in answer["at_kl"]] for answer in answers))

    def test_the_number_of_shards_changes(self):
        out = self.new()
        for i in (1, 2):
            output(*self.shard(out, f"{i}/3"))
            for sample in json_lines(out / f"samples.{i}-of-3.jsonl"):  # as shard.h says: half-done folders rely on it
                text = "\n".join(sample[name] for name in ("codec_k", "codec_v", "mode"))
                self.assertEqual((int(hashlib.sha256(text.encode()).hexdigest()[:16], 16) + sample["passage"]) % 3 + 1, i, text)
        found = len(cells_of(out))
        self.assertEqual(document(*self.sweep, "--out", out)["finished"], CELLS - found)
        self.assertEqual(cells_of(out), self.cells)
        self.assertTrue((out / "samples.jsonl").exists() and (out / "samples.2-of-3.jsonl").exists())
        self.assertEqual(sum(document(*self.shard(out, f"{i}/2"))["finished"] for i in range(1, 3)), 0)
        self.assertEqual(cells_of(out), self.cells)
        self.assertEqual(document(*self.shard(out, "1/1"))["already_done"], CELLS)
        merged = scratch_folder(self.addCleanup) / "merged"
        subprocess.run([sys.executable, ROOT / "scripts" / "merge_samples.py", merged, out], check=True, capture_output=True)
        self.assertEqual(document("report", merged, "--out", self.new(), "--no-charts")["codecs"], 6)
        runs = json.loads((merged / "provenance.json").read_text())["runs"]
        self.assertEqual([run["first_sample"] for run in runs], sorted(run["first_sample"] for run in runs))

    def test_two_processes_of_a_shard_and_of_other_numbers(self):
        out = self.new()
        with self.at_work(out, "1/2") as process:
            who = f"{socket.gethostname()}, process {process.pid}"
            self.fails(1, *self.shard(out, "1/2"), names=("another process is writing results here (shard 1/2, " + who, "each shard one process"))
            self.fails(1, *self.shard(out, "2/3"), names=("shard 1/2 of another process is writing results here (" + who, "one number of shards at a time"))
            self.fails(1, *self.sweep, "--out", out, names=("shard 1/2 of another process",))
            beside = document(*self.shard(out, "2/2"))
            self.assertGreater(beside["finished"], 0)
            status = document("sweep", "status", out)
            self.assertEqual((status["running"], [shard["state"] for shard in status["shards"]]), (1, ["living"]))
            self.assertEqual(status["done"] + status["running"] + status["missing"], CELLS)
            self.assertGreater(status["seconds_left"], 0)
            said = output("sweep", "status", out)
            self.assertRegex(said, r"my: 18 cells: \d+ done, 1 running, 0 failed, \d+ missing\ntime left: about 0:0\d:\d\d")
            self.assertIn(who, said)
        output(*self.shard(out, "1/2"))
        self.assertEqual(cells_of(out), self.cells)

    def test_a_lock_of_another_machine_is_taken_over_when_silent(self):
        out = self.new()
        with self.at_work(out, "1/2", "--lease", 1) as process:
            pass
        lock = out / ".writer.1-of-2"
        owner = json.loads(lock.read_text())
        self.assertEqual((owner["pid"], owner["host"]), (process.pid, socket.gethostname()))
        elsewhere = json.dumps({**owner, "host": "elsewhere", "machine": "another"})
        lock.write_text(elsewhere)
        self.assertIn("elsewhere, process", output("sweep", "status", out))
        began = time.monotonic()
        output(*self.shard(out, "1/2"))
        self.assertGreater(time.monotonic() - began, 1)  # its silence was watched for its lease
        self.assertFalse(lock.exists())
        # One that gives signs of life is not.
        writer = subprocess.Popen([sys.executable, "-c", "import json, pathlib, sys, time\nlock, owner = pathlib.Path(sys.argv[1]), json.loads(sys.argv[2])\n"
                                   "while True:\n    owner['beat'] += 1\n    lock.write_text(json.dumps(owner))\n    time.sleep(0.2)", lock, elsewhere])
        try:
            until(lock.exists)
            self.fails(1, *self.shard(out, "1/2"), names=("elsewhere, process",))
        finally:
            writer.kill()
            writer.wait()
        lock.write_text("")  # made, and its maker gone before it wrote
        output(*self.shard(out, "1/2", "--lease", 0.5))

    def test_whoever_lost_its_lock_writes_no_more(self):
        out = self.new()
        with self.at_work(out, "1/2", "--lease", 1) as process:
            lock = out / ".writer.1-of-2"
            new = lock.with_name("new")  # as a lock is taken over
            new.write_text(json.dumps({**json.loads(lock.read_text()), "token": "other", "host": "elsewhere", "machine": "another"}))
            new.rename(lock)
            there = lines_in(out)
            process.send_signal(signal.SIGCONT)
            _, said = process.communicate(timeout=60)
            self.assertEqual((process.returncode, lines_in(out)), (1, there))
            self.assertRegex(said, r"was silent for so long that elsewhere, process \d+ took its place")

    def test_reference_passes_are_shared_and_repaired(self):
        sweep = ("sweep", *COMMON, "--codec", *CODECS, "--mode", "inforward,prefix")
        alone, out = self.new(), self.new()
        output(*sweep, "--out", alone)
        first = document(*sweep, "--out", out, "--shard", "1/2")
        self.assertEqual((first["references_computed"], first["references_read"]), (PASSAGES, 0))
        kept = sorted((out / "references").glob("*.ref"))
        self.assertEqual(len(kept), PASSAGES)
        whole = kept[1].read_bytes()
        kept[0].write_bytes(whole[:-9])
        kept[1].write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
        kept[2].write_bytes(b"")
        done = run(*sweep, "--out", out, "--shard", "2/2", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        for path, why in ((kept[0], "bytes, but it counts"), (kept[1], "its bytes are not those of its digest"), (kept[2], "no such file, or of another version")):
            self.assertRegex(done.stderr, rf"kakeya-sweep: .*{path.name}: .*{why}.*; computing it again\n")
        second = json.loads(done.stdout)
        self.assertEqual((second["references_computed"], second["references_read"]), (3, PASSAGES - 3))
        self.assertEqual(cells_of(out), cells_of(alone))

    def test_a_reference_of_another_kind_of_machine_stops_the_shard(self):
        out = self.new()
        output(*self.shard(out, "1/2"))
        for path in (out / "references").glob("*.ref"):  # one logit, otherwise well made
            body = bytearray(path.read_bytes()[:-64])
            logit, = struct.unpack_from("<f", body, 24)
            struct.pack_into("<f", body, 24, logit + 0.01)
            path.write_bytes(body + hashlib.sha256(body).hexdigest().encode())
        done = run(*self.shard(out, "2/2"))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"identity inforward passage \d: .*: (expected no change: the reference pass was made by a machine of another kind|expected exactly no change)")
        self.assertFalse((out / "samples.2-of-2.jsonl").exists())

    def test_signals_end_a_cell_cleanly(self):
        out = self.new()
        long = ("sweep", *COMMON[:4], "--ctx", 768, "--passages", 2, "--threads", 1, "--codec", "e8:q={4,6,10,22,38,76}", "--out", out)
        for by in (signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2):
            before = lines_in(out)
            process = started(*long)
            until(lambda: lines_in(out) > before)
            for _ in range(3):  # Slurm and a batch script may both tell
                process.send_signal(by)
            told = lines_in(out)
            printed, said = process.communicate(timeout=120)
            finished = lines_in(out)
            self.assertEqual((process.returncode, printed), (75, ""))
            self.assertEqual(said, f"kakeya-sweep: stopped by {by.name} after {finished} of 14 cells: run the same command to go on in {out}\n")
            self.assertLessEqual(finished, told + 1)
            self.assertFalse((out / "failures.jsonl").exists())
            self.assertEqual(list(out.glob(".*")), [])
        self.assertEqual(document(*long)["already_done"], finished)
        self.assertEqual(len(cells_of(out)), 14)

    def test_contradictions_are_refused_and_repetitions_are_not(self):
        out = self.new()
        for i in (1, 2):
            output(*self.shard(out, f"{i}/2"))
        first, second = out / "samples.1-of-2.jsonl", out / "samples.2-of-2.jsonl"
        again, alone = json.loads(first.read_text().splitlines()[0]), second.read_text()
        second.write_text(alone + json.dumps({**again, "cell_seconds": 9.0}) + "\n")
        self.assertEqual(document("sweep", "status", out)["done"], CELLS)
        self.assert_same_reports(out)
        second.write_text(alone + json.dumps({**again, "top1": 0.5}) + "\n")
        for words in (("report", out, "--out", self.new()), ("report", "choose", out, "--kl", 0.01), ("sweep", "status", out), self.shard(out, "1/2")):
            self.fails(1, *words, names=("samples.2-of-2.jsonl:", "is in", "samples.1-of-2.jsonl:1 too, with other numbers"))

    def test_shards_have_one_plan(self):
        out = self.new()
        output(*self.shard(out, "1/2"))
        self.fails(1, *self.shard(out, "2/2", "--sinks", 4), names=("holds results of another plan: sinks: 0 stored, 4 asked for",))
        head = out / "provenance.1-of-2.json"
        head.write_text(head.read_text().replace('"context": 96', '"context": 97'))
        self.fails(1, "report", out, "--out", self.new(), names=("provenance.1-of-2.json: of another plan than provenance.json: context: 96 stored, 97",))

    def test_failed_cells_and_a_dump(self):
        dump, out = self.folder / "kv.h5", self.new()
        output("capture", "--model", "nano", "--text", TEXT, "--passages", 2, "--ctx", 128, "--out", dump)
        sweep = ("sweep", "--dump", dump, "--codec", "e8:q=10", "q4_0:rotate=256", "--out", out)
        for i in (1, 2):
            self.assertIn(run(*sweep, "--shard", f"{i}/2").returncode, (0, 1))
        self.assertFalse((out / "references").exists())
        status = document("sweep", "status", out)
        self.assertEqual((status["cells"], status["done"], status["failed"], status["missing"]), (6, 4, 2, 0))
        self.assertEqual({failure["codec_k"] for failure in status["failures"]}, {"q4_0:rotate=256"})
        self.assertRegex(output("sweep", "status", out), r"6 cells: 4 done, 0 running, 2 failed, 0 missing\nnot finished: q4_0\S+ distortion: 2 passages \(0, 1\)\nfailed: q4_0")

    def test_wrong_shards_are_refused(self):
        for wrong in ("0/2", "3/2", "1", "1/2/3", "a/b", "1/100001", "-1/2", ""):
            if wrong:
                self.fails(2, *self.shard(self.folder / "none", wrong), names=(f"shard {wrong}: expected I/N",))
        self.assertFalse((self.folder / "none").exists())
        self.fails(1, "sweep", "status", self.folder / "none", names=("no provenance.json there",))

    def test_a_task_of_an_array_knows_its_shard(self):
        task = lambda **of: {f"SLURM_ARRAY_TASK_{name}": str(value) for name, value in of.items()}
        def shard(environment):
            done = run(*self.shard(self.whole, "slurm"), "--json", **environment)
            return json.loads(done.stdout).get("shard", "whole") if done.returncode == 0 else done.stderr
        self.assertEqual(shard(task(ID=3, COUNT=4, MIN=1, MAX=4, STEP=1)), "3/4")
        self.assertEqual(shard(task(ID=4, COUNT=3, MIN=0, MAX=4, STEP=2)), "3/3")
        self.assertEqual(shard(task(ID=7, COUNT=1, MIN=7, MAX=7)), "whole")
        for environment, said in ((task(), "no SLURM_ARRAY_TASK_ID: expected a task of a Slurm array"), (task(ID=3, COUNT=2, MIN=1, MAX=3, STEP=1), "expected an array without gaps"),
                                  (task(ID="x", COUNT=2, MIN=1), "SLURM_ARRAY_TASK_ID=x: expected a whole number")):
            self.fails(2, *self.shard(self.whole, "slurm"), names=(said,), **environment)
        # Without --shard an array changes nothing.
        done = run(*self.sweep, "--out", self.whole, "--json", **task(ID=3, COUNT=4, MIN=1, MAX=4, STEP=1))
        self.assertEqual(json.loads(done.stdout)["cells"], CELLS)


if __name__ == "__main__":
    main()
