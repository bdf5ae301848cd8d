#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what reports/long-context times. A sweep of one passage with e8:q=10; and a prompt by prefill chunks: kakeya-generate takes the beginning of TEXT in chunks of each length, over bf16
and over each codec, and goes on for 8 tokens. Into OUT/timed.json: what was said (seconds of cells; seconds to the first token, live bytes), the most memory of the process and, on a GPU,
what the card held at most beyond what it held before. timed.json is written after every run; the same command goes on behind those that it has. The times mean something where nothing else runs.

usage: long_times.py BIN TEXT PROFILE OUT [--model M] [--device D] [--sweep CTX:EVAL] [--characters N] [--chunks 512,4096,32768] [--limit SECONDS]
         BIN       the folder of the programs (build/release/bin)
         PROFILE   of kakeya-calibrate --steps inforward --predict 0, for klt
         --limit   a run that takes longer is stopped, and is kept as one that was [600]
"""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time

BF16, CODECS = "bf16", ("e8:q=10", "klt:bits=3.5")
POLICY = ("--skip-edge-layers", "0", "--sinks", "4")


def card_memory():
    """MiB that the first visible card holds, of all processes."""
    card = os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0]
    told = subprocess.run(["nvidia-smi", "-i", card, "--query-gpu=memory.used,name", "--format=csv,noheader,nounits"], check=True, capture_output=True, encoding="utf-8").stdout
    used, _, name = told.strip().partition(", ")
    return int(used), name


class Watch(threading.Thread):
    """The most that the card holds until it is told to end."""

    def __init__(self):
        super().__init__(daemon=True)
        self.most, self.over = 0, threading.Event()

    def run(self):
        while not self.over.wait(0.2):
            self.most = max(self.most, card_memory()[0])


def measured(command, device, limit):
    before, name = card_memory() if device.startswith("cuda") else (0, "")
    watch = Watch()
    if name:
        watch.start()
    started = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, encoding="utf-8")
    timer = threading.Timer(limit, process.send_signal, (signal.SIGTERM,))
    timer.start()
    said = process.stdout.read()  # one JSON document
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    timer.cancel()
    watch.over.set()
    seconds = time.monotonic() - started
    on_card = {"gpu_memory_mib": watch.most - before, "beside": before} if name else {}
    return {"exit": process.returncode, "seconds": round(seconds, 2), **on_card, "host_memory_mib": usage.ru_maxrss // 1024, "user_seconds": round(usage.ru_utime, 2),
            **({"said": json.loads(said)} if process.returncode == 0 else {}), "device": f"cuda: {name}" if name else "cpu"}


class Runs:
    """timed.json: those that are there are not run again."""

    def __init__(self, asked):
        self.asked, self.kept = asked, asked.out / "timed.json"
        self.runs = json.loads(self.kept.read_text(encoding="utf-8")) if self.kept.exists() else []
        version = subprocess.run([asked.bin / "kakeya-generate", "--version"], check=True, capture_output=True, encoding="utf-8").stdout
        self.commit = re.search(r"\((\w+)", version)[1]

    def add(self, what, program, *words, cells=None):
        """Measures a program where it was not measured; `cells`: the samples of which the seconds are kept."""
        if any(run["what"] == what for run in self.runs):
            return
        print(f"long_times: {what}", flush=True)
        command = [self.asked.bin / program, "--model", self.asked.model, "--device", self.asked.device, "--json", *words]
        run = {"what": what, "command": [pathlib.Path(word).name if isinstance(word, pathlib.Path) else word for word in command],
               **measured(command, self.asked.device, self.asked.limit), "commit": self.commit}
        if cells and cells.exists():
            run["cells"] = [{"codec": cell["codec_k"], "cell_seconds": round(cell["cell_seconds"], 3), "forward_seconds": round(cell["forward_seconds"], 3)}
                            for cell in map(json.loads, cells.read_text(encoding="utf-8").splitlines())]
            run.pop("said", None)
        self.runs.append(run)
        self.kept.write_text(json.dumps(self.runs, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("bin", "text", "profile", "out"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--model", default="gemma3-270m")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--sweep", default="31744:1024", metavar="CTX:EVAL", help="tokens of the sweep's passage")
    parser.add_argument("--characters", type=int, default=139_000, help="of TEXT in the prompt: about 32,000 tokens of Gemma 3")
    parser.add_argument("--chunks", default="512,4096,32768", help="tokens a chunk")
    parser.add_argument("--limit", type=float, default=600)
    asked = parser.parse_args()
    if not (asked.bin / "kakeya-generate").is_file():
        parser.error(f"{asked.bin}: no kakeya-generate there: expected the folder of the programs")
    asked.out.mkdir(parents=True, exist_ok=True)
    runs = Runs(asked)
    with tempfile.TemporaryDirectory() as scratch:
        prompt, swept = pathlib.Path(scratch) / "prompt.txt", pathlib.Path(scratch) / "sweep"
        prompt.write_text(asked.text.read_text(encoding="utf-8")[:asked.characters], encoding="utf-8")
        context, _, scored = asked.sweep.partition(":")
        runs.add("sweep", "kakeya-sweep", *POLICY, "--text", asked.text, "--ctx", context, "--eval", scored, "--passages", "1", "--codec", "e8:q=10", "--out", swept, cells=swept / "samples.jsonl")
        for chunk in asked.chunks.split(","):
            for codec in (BF16, *CODECS):
                coded = () if codec == BF16 else ("--codec", codec, *POLICY, *(("--profile", asked.profile) if codec.startswith("klt") else ()))
                runs.add(f"generate {codec} {chunk}", "kakeya-generate", "--prompt-file", prompt, "--prefill-chunk", chunk, "--max-tokens", "8", "--ignore-end", *coded)


if __name__ == "__main__":
    main()
