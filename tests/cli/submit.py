#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kakeya-sweep --submit: the scripts for Slurm that it writes, run as Slurm would run them, with sbatch, squeue and scontrol that only look like it.

usage: submit.py BIN
"""
import os
import signal
import subprocess

from program_case import ROOT, ProgramCase, document, main, output, run, scratch_folder
from shards import COMMON, cells_of, until


class Submitting(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)
        self.out = self.folder / "my results"
        self.sweep = ("sweep", *COMMON, "--codec", "e8:q={4,10}", "fp8", "--out", self.out)

    def tools(self, **scripts):
        folder = self.folder / "tools"
        folder.mkdir(exist_ok=True)
        for name, text in scripts.items():
            (folder / name).write_text(f"#!/bin/bash\n{text}\n")
            (folder / name).chmod(0o755)
        return f"{folder}:{os.environ['PATH']}"

    def test_what_is_written(self):
        asked = ("--submit", "slurm:tasks=8,time=4:00:00,gpus=h100:1,partition=gpu,cpus=4,mem=16G,at_once=2,grace=120")
        made = document(*self.sweep, *asked, "--dry-run")
        self.assertEqual((made["tasks"], made["array_job"]), (8, None))
        array, report = ((self.out / "slurm" / name).read_text() for name in ("sweep.sbatch", "report.sbatch"))
        for line in ("--array=1-8%2", "--time=4:00:00", "--gpus=h100:1", "--partition=gpu", "--cpus-per-task=4", "--mem=16G", "--requeue", "--open-mode=append", "--signal=B:TERM@120",
                     f'--output="{self.out}/slurm/%A_%a.log"', f'--chdir="{ROOT}"'):
            self.assertIn(f"#SBATCH {line}\n", array)
        command_line, = (line for line in array.splitlines() if line.startswith("set -- "))
        self.assertIn(" --codec 'e8:q={4,10}' fp8 ", command_line)
        self.assertTrue(command_line.endswith(" --shard slurm"))
        self.assertNotRegex(command_line, "--submit|--dry-run|--json")
        self.assertNotIn("gpus", report)
        shipped = (ROOT / "scripts" / "slurm" / "sweep.sbatch").read_text()
        mark = "# ---- the same in every script ----\n"
        self.assertEqual(array.partition(mark)[2], shipped.partition(mark)[2])
        for name in ("sweep.sbatch", "report.sbatch"):
            subprocess.run(["bash", "-n", self.out / "slurm" / name], check=True)

    def test_tasks_need_not_be_said(self):
        self.assertEqual(document(*self.sweep, "--submit", "slurm:gpus=1,partition=gpu", "--dry-run")["tasks"], 8)
        self.assertIn("#SBATCH --array=1-8\n", (self.out / "slurm" / "sweep.sbatch").read_text())
        self.assertEqual(document(*self.sweep, "--submit", "slurm", "--dry-run")["tasks"], 8)

    def test_the_array_runs_and_its_report(self):
        """As Slurm would run them, one after another."""
        output(*self.sweep, "--submit", "slurm:tasks=2", "--dry-run")
        for i in (1, 2):
            task = {"SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": str(i), "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "2"}
            done = subprocess.run(["bash", self.out / "slurm" / "sweep.sbatch"], cwd=ROOT, env={**os.environ, **task}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stderr, rf"task 7_{i} on .*, start 1, .*\n(.*\n)*task 7_{i} ended with code 0\n")
        self.assertEqual(len(cells_of(self.out)), 12)
        done = subprocess.run(["bash", self.out / "slurm" / "report.sbatch"], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("12 cells: 12 done, 0 running, 0 failed, 0 missing", done.stdout)
        self.assertTrue((self.out / "report" / "report.md").exists())

    def test_submitting(self):
        path = self.tools(sbatch='echo "$@" >> "$LOG"; [ $(wc -l < "$LOG") = 1 ] && echo "41;cluster" || echo 42')
        log = self.folder / "log"
        done = run(*self.sweep, "--submit", "slurm:tasks=3", PATH=path, LOG=str(log))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("submitted: array 41 of 3 tasks, and 42, which reports after it\n", done.stdout)
        self.assertEqual(log.read_text().splitlines(), [f"--parsable {self.out}/slurm/sweep.sbatch", f"--parsable --dependency=afterany:41 {self.out}/slurm/report.sbatch"])
        path = self.tools(sbatch="echo 'sbatch: error: invalid partition specified: none' >&2; exit 1")
        self.fails(1, *self.sweep, "--submit", "slurm:tasks=3,partition=none", PATH=path, names=("invalid partition specified: none",))

    def test_what_is_refused(self):
        refused = lambda where, said, *more, code=2, **how: self.fails(code, *self.sweep, *more, "--submit", where, names=(said,), **how)
        refused("slurm:tasks=8,color=red", "color: unknown key: expected one of tasks, time, partition")
        refused("pbs:tasks=8", "expected slurm, or slurm:tasks=N")
        refused("slurm:tasks=8,tasks=9", "tasks: given twice")
        refused("slurm:tasks=0", "tasks=0: expected a whole number from 1")
        refused("slurm:tasks=8,mem=", "mem=: expected mem=VALUE")
        refused("slurm:tasks=8", "not beside --submit", "--shard", "1/2")
        refused("slurm:tasks=8", "no sbatch in PATH", code=1, PATH="/nowhere")
        self.fails(2, "sweep", *COMMON, "--codec", "e9:q=1", "--out", self.out, "--submit", "slurm:tasks=8", "--dry-run", names=("e9",))
        self.assertFalse(self.out.exists())

    def stopped(self, state, *, job="sleep 60 & trap 'kill $!; exit 75' TERM; touch begun; wait"):
        """What the script does with a job that is asked to stop while Slurm says that it is in `state`."""
        path = self.tools(squeue=f"echo {state}", scontrol='echo "$@" >> requeued')
        begun = self.folder / "begun"
        begun.unlink(missing_ok=True)
        process = subprocess.Popen(["bash", ROOT / "scripts/slurm/sweep.sbatch", "bash", "-c", job], cwd=self.folder, stderr=subprocess.PIPE, encoding="utf-8",
                                   env={**os.environ, "PATH": path, "SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "3"})
        until(begun.exists)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=30)
        return process.returncode, said

    def test_a_task_goes_back_at_its_time_limit_and_not_when_it_is_cancelled(self):
        code, said = self.stopped("RUNNING")
        self.assertEqual(code, 75)
        self.assertIn("task 7_3 goes back into the queue\n", said)
        self.assertEqual((self.folder / "requeued").read_text(), "requeue 7_3\n")
        (self.folder / "requeued").unlink()
        for state in ("COMPLETING", "CANCELLED"):
            code, said = self.stopped(state)
            self.assertEqual(code, 75)
            self.assertIn(f"task 7_3 ended with code 75, {state}\n", said)
        self.assertEqual(self.stopped("RUNNING", job="sleep 60 & trap 'kill $!; exit 0' TERM; touch begun; wait")[0], 0)
        self.assertFalse((self.folder / "requeued").exists())


if __name__ == "__main__":
    main()
