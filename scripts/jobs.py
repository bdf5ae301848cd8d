# SPDX-License-Identifier: Apache-2.0
"""Programs that run beside each other in the order of what they need, for evidence.py; a stopped run goes on."""
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Job(NamedTuple):
    name: str
    needs: tuple  # names of jobs
    command: tuple


class Runner:
    """Runs jobs beside each other, those first whose needs are finished; what failed takes along what needs it. The plan has jobs, the folder out and the names of folders in it that jobs write to; it gets a log of each job, and a note of each that is
    done, by which the same jobs go on. SLOTS is how many run at once, spread over GPUS; after SECONDS the rest waits for another run."""

    def __init__(self, plan, slots, gpus, seconds):
        self.waiting, self.slots, self.end, self.out = list(plan.jobs), slots, time.monotonic() + seconds, plan.out
        self.finished, self.failed, self.running, self.load = set(), set(), {}, [0] * max(1, gpus)
        for folder in ("logs", "done", *plan.folders):
            (self.out / folder).mkdir(parents=True, exist_ok=True)

    def file(self, folder, job):
        return self.out / folder / job.name.replace("/", "-").replace(" ", ".")

    def start(self, job):
        done = self.file("done", job)
        if done.exists() and done.read_text() == shlex.join(job.command):  # another command is another job
            return self.finished.add(job.name)
        gpu = self.load.index(min(self.load))
        self.load[gpu] += 1
        with open(self.file("logs", job), "a", encoding="utf-8") as log:
            process = subprocess.Popen(job.command, stdout=log, stderr=log, cwd=ROOT, env={**os.environ, "CUDA_VISIBLE_DEVICES": str(gpu)} if len(self.load) > 1 else None)
        self.running[job] = process, gpu, time.monotonic()

    def collect(self):
        for job, (process, gpu, began) in list(self.running.items()):
            code = process.poll()
            if code is None:
                continue
            del self.running[job]
            self.load[gpu] -= 1
            (self.failed if code else self.finished).add(job.name)
            if not code:
                self.file("done", job).write_text(shlex.join(job.command))
            print(f"evidence: {job.name} {f'FAILED with {code}: see ' + str(self.file('logs', job)) if code else 'finished'}, {time.monotonic() - began:.0f} s", flush=True)

    def step(self):
        for job in list(self.waiting):
            if self.failed.intersection(job.needs):
                self.waiting.remove(job)
                self.failed.add(job.name)
                print(f"evidence: {job.name} left out: {', '.join(sorted(self.failed.intersection(job.needs)))} failed", flush=True)
            elif len(self.running) < self.slots and self.finished.issuperset(job.needs):
                self.waiting.remove(job)
                self.start(job)
        self.collect()

    def run(self):
        try:
            while (self.waiting or self.running) and time.monotonic() < self.end:
                self.step()
                time.sleep(0.2)
        finally:
            for process, *_ in self.running.values():
                process.send_signal(signal.SIGTERM)
            for process, *_ in self.running.values():
                process.wait()
        left = [job.name for job in (*self.running, *self.waiting)]
        if left:
            print(f"evidence: stopped; the same command goes on with {len(left)} jobs: {', '.join(left[:8])}{' ...' if len(left) > 8 else ''}")
        return 1 if self.failed else 0


def graphics_cards():
    if not shutil.which("nvidia-smi"):
        return 0
    return subprocess.run(["nvidia-smi", "-L"], capture_output=True, encoding="utf-8").stdout.count("GPU ")
