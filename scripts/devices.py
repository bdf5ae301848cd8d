#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps on several GPUs of one machine: how many cells a second more of them measure, and a model that one of them cannot hold.

usage: devices.py BIN --model M --text TEXT --out DIR [--lists 0 0,1 ...] [--layers 0,1 ...] [--layers-of MODEL --limit-gb G] [sweep's flags behind --]

  --lists       kakeya-sweep --devices of each, one after another, from the first cell on, in DIR/cells-LIST. Cells must be those of the first
                list but for their times.
  --layers      the same with --split layers over each of these lists.
  --layers-of   a model (scripts/random_model.py) swept with --split layers over the devices of the last list, each once: alone on one GPU as it
                is; on one GPU of which G GB are free, which has to fail; on all of them with G GB free on each. The first and the last must
                give the same cells.

DIR/devices.json has it all: the version and commit of the program, cores, GPUs, bytes of the weights; seconds of the whole command, of which
loading is `seconds_to_first_cell`, and cells a second between the first and the last cell. Memory is taken away by a process of PyTorch that
holds it. Exits 1 where cells differ, or what has to fail does not.
"""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMES = ("encode_seconds", "decode_seconds", "forward_seconds", "cell_seconds")
HOLD = """
import sys, torch
free = float(sys.argv[1]) * 1e9
held = []
for device in range(torch.cuda.device_count()):
    torch.empty(1, device=f"cuda:{device}")
    left = torch.cuda.mem_get_info(device)[0]
    held.append(torch.empty(int(left - free), dtype=torch.uint8, device=f"cuda:{device}"))
print([round(torch.cuda.mem_get_info(device)[0] / 1e9, 2) for device in range(torch.cuda.device_count())], flush=True)
sys.stdin.read()
"""


def cells_of(folder):
    cells = {}
    for path in sorted(folder.glob("samples*.jsonl")):
        for line in path.read_text().splitlines():
            sample = json.loads(line)
            key = tuple(sample[name] for name in ("codec_k", "codec_v", "mode", "passage"))
            if key in cells:
                sys.exit(f"devices: {path}: {key} is there twice")
            cells[key] = {name: value for name, value in sample.items() if name not in TIMES}
    return cells


def count_lines(folder):
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("samples*.jsonl"))


def timed(command, folder):
    """Runs a sweep from nothing; its times."""
    print(" ".join(command), file=sys.stderr, flush=True)
    began, first = time.monotonic(), []
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def watch():
        while running.poll() is None and not first:
            if folder.exists() and count_lines(folder) > 0:
                first.append((time.monotonic(), count_lines(folder)))
            time.sleep(0.005)

    watcher = threading.Thread(target=watch)
    watcher.start()
    said = running.communicate()
    ended = time.monotonic()
    watcher.join()
    made = {"command": [pathlib.Path(command[0]).name, *command[1:]], "exit": running.returncode, "seconds": ended - began, "said": said[1].strip()[-400:]}
    if running.returncode == 0:
        cells = count_lines(folder)
        made.update(cells=cells, seconds_to_first_cell=first[0][0] - began, cells_per_second=(cells - first[0][1]) / (ended - first[0][0]))
    return made


@contextlib.contextmanager
def only(gigabytes):
    """Leaves so much free on each GPU."""
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(gigabytes)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(holder.stdout.readline())
    finally:
        holder.stdin.close()
        holder.wait()


def bytes_of(model):
    """Of the files of weights, also of a model that has a short name."""
    for path in (pathlib.Path(model), ROOT / "data" / "models" / model, ROOT / "models" / model):
        if path.exists():
            files = [path] if path.is_file() else [file for file in path.iterdir() if file.suffix in (".safetensors", ".gguf")]
            return sum(file.stat().st_size for file in files)
    return None


def gpus():
    if not shutil.which("nvidia-smi"):
        return []
    listed = subprocess.run(["nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"], capture_output=True, text=True)
    return listed.stdout.strip().splitlines()


class Run:
    def __init__(self, asked, more):
        self.asked, self.more, self.expected, self.wrong = asked, more, None, []
        version = subprocess.run([asked.bin / "kakeya-sweep", "--version"], capture_output=True, text=True, check=True).stdout.strip()
        models = [model for model in (asked.model, asked.layers_of) if model]
        self.results = {"version": version, "cores": len(os.sched_getaffinity(0)), "gpus": gpus(),
                        "model_bytes": {pathlib.Path(model).name: bytes_of(model) for model in models}, "cells": [], "layers": []}

    def sweep(self, model, name, *words):
        folder = self.asked.out / name
        if folder.exists():
            sys.exit(f"devices: {folder}: is there already; measured is from nothing")
        command = [str(self.asked.bin / "kakeya-sweep"), "--model", model, "--text", self.asked.text, "--out", str(folder), *words, *self.more]
        return folder, timed(command, folder)

    def keep(self, part, made):
        self.results[part].append(made)
        (self.asked.out / "devices.json").write_text(json.dumps(self.results, indent=1) + "\n")

    def compared(self, folder, made, expected):
        """What was made, with how many of its cells are the expected ones."""
        cells = cells_of(folder) if made["exit"] == 0 else {}
        equal = sum(cells[key] == expected.get(key) for key in cells)
        if not equal == len(cells) == len(expected):
            self.wrong.append(f"{folder.name}: {equal} of {len(expected)} cells equal")
        return {**made, "equal_cells": equal}

    def spread(self):
        for devices in self.asked.lists:
            folder, made = self.sweep(self.asked.model, f"cells-{devices.replace(',', '-')}", "--devices", devices)
            if made["exit"] != 0:
                sys.exit(f"devices: {devices}: {made['said']}")
            self.expected = self.expected or cells_of(folder)
            self.keep("cells", {"devices": devices, **self.compared(folder, made, self.expected)})

    def layers(self):
        for devices in self.asked.layers:
            folder, made = self.sweep(self.asked.model, f"layers-{devices.replace(',', '-')}", "--devices", devices, "--split", "layers")
            self.keep("layers", {"what": f"layers on GPUs {devices}", **self.compared(folder, made, self.expected)})

    def split(self):
        model, words = self.asked.layers_of, ["--dtype", "bf16"]
        devices = ",".join(dict.fromkeys(self.asked.lists[-1].split(",")))
        whole, made = self.sweep(model, "layers-one", "--devices", "0", *words)
        if made["exit"] != 0:
            sys.exit(f"devices: {model}: {made['said']}")
        self.keep("layers", {"what": "one GPU, all of its memory", **made})
        with only(self.asked.limit_gb) as free:
            _, made = self.sweep(model, "layers-one-limited", "--devices", "0", *words)
            if made["exit"] == 0:
                self.wrong.append(f"{model} fits {free[0]} GB")
            self.keep("layers", {"what": f"one GPU, {free[0]} GB of it free", "free_gb": free[:1], **made})
            spread, made = self.sweep(model, "layers-split", "--devices", devices, "--split", "layers", *words)
        self.keep("layers", {"what": f"layers on GPUs {devices}", "free_gb": free, **self.compared(spread, made, cells_of(whole))})


def main():
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    for name in ("model", "text"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--lists", nargs="+", default=["0", "0,1"])
    parser.add_argument("--layers", nargs="+", default=[])
    parser.add_argument("--layers-of")
    parser.add_argument("--limit-gb", type=float, default=12)
    asked = parser.parse_args(words[:cut])
    asked.out.mkdir(parents=True, exist_ok=True)
    run = Run(asked, words[cut + 1:])
    run.spread()
    run.layers()
    if asked.layers_of:
        run.split()
    first = run.results["cells"][0]["cells_per_second"]
    for each in run.results["cells"]:
        print(f"devices {each['devices']}: {each['cells_per_second']:.2f} cells/s, {each['cells_per_second'] / first:.2f} of the first; "
              f"{each['equal_cells']} of {each['cells']} cells equal; {each['seconds']:.1f} s in all")
    for each in run.results["layers"]:
        print(f"{each['what']}: exit {each['exit']}, " + (f"{each['cells_per_second']:.2f} cells/s, equal cells: {each.get('equal_cells', '-')} of {each['cells']}"
                                                           if each["exit"] == 0 else each["said"]))
    if run.wrong:
        sys.exit(f"devices: {'; '.join(run.wrong)}")


if __name__ == "__main__":
    main()
