#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a model's greedy text over a packed cache is that over a bf16 cache, by kakeya-generate.

usage: agreement.py BIN --model M --texts FILE... --profile FILE --out DIR [--jobs N] [--seconds S] ...
       agreement.py --table agreement.json          the tables of a report, from the samples of a run
       agreement.py --csv agreement.json            the same in full precision, the cells that its page quotes

Long: a prompt cut so that --context tokens are full after --long-tokens more, over bf16 and over each of --long: text, live bytes by kind, tokens a second. Each is saved and
restored PIECES - 1 times on the way, so that a stopped run loses little.
Prompts: stretches of the texts, --words each. Each is gone on with over bf16 and over each of --codecs until the first token that differs, in --stages: only what has
agreed to the end of a stage goes on, from the cache that the stage saved. The control, identity, holds the numbers of bf16, in pages, which no sum depends on: it is bf16
to the last bit. Behind the first stage it goes on with the first --control prompts only. What the last finished stage cut off is censored there.

DIR/runs has a file a run and is gone on with by the same command, after --seconds too; other settings are refused. DIR/agreement.json has all samples, and agreement.csv the cells of
--csv. With --seconds 0 they are put together from the runs that are there.
"""
import argparse
import hashlib
import json
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys
import time
from typing import NamedTuple

import agreement_table
from spec import Spec

ROOT = pathlib.Path(__file__).resolve().parents[1]
BF16, CONTROL = "bf16", "identity"
CODECS = ("klt:bits=3,page=128", "e8:q=10", "kivi:b=4", "q8_0")
POLICY = ("--skip-edge-layers", "0", "--sinks", "4")
STAGES = (64, 192, 512, 1024, 2000)
LONGEST_PERIOD = 256  # of a text that repeats itself
PIECES = 4  # of the long text
NEAR = 8  # tokens that the long prompt may be short of what was asked for


def fail(text):
    sys.exit(f"agreement: {text}")


def sha256_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def weights_of(model):
    """The file of a model's weights: of a path, or of a short name where the programs find it."""
    bases = [pathlib.Path(os.environ["KAKEYA_MODELS"])] if "KAKEYA_MODELS" in os.environ else []
    bases += [base / kind for base in (pathlib.Path.cwd(), ROOT) for kind in ("models", "data/models")]
    places = [pathlib.Path(model), *(base / model for base in bases)]
    for place in places:
        if place.is_file():
            return place
        for found in sorted(place.glob("*.gguf")) or sorted(place.glob("*.safetensors")):
            return found
    fail(f"{model}: no weights in {', '.join(map(str, places))}")


# ---- prompts ------------------------------------------------------------------------------------------------------------------


def stretches(texts, count, words):
    """`count` stretches of so many words, spread over the texts, each from the beginning of a line: name of the text, place, words."""
    found, each = [], -(-count // len(texts))
    for number in range(count):
        name, text = texts[number % len(texts)]
        line = text.find("\n", len(text) * (number // len(texts)) // each) + 1
        ends = [word.span() for _, word in zip(range(words), re.finditer(r"\S+", text[line:]))]
        if len(ends) < words:
            fail(f"{name}: {len(ends)} words from character {line} on, expected {words}")
        found.append({"text": name, "at": line + ends[0][0], "prompt": text[line + ends[0][0]:line + ends[-1][1]]})
    return found


def cut(text, tokens, count):
    """The beginning of a text, at most so many tokens by count(text) and at most NEAR less, where whole words allow it."""
    ends = [word.end() for word in re.finditer(r"\S+", text)]
    words, best = min(len(ends), max(1, tokens * 3 // 4)), 0
    for _ in range(12):
        here = count(text[:ends[words - 1]])
        if here <= tokens:
            best = max(best, words)
        if 0 <= tokens - here <= NEAR:
            break
        next_words = min(len(ends), max(1, words * tokens // here))
        words = next_words if next_words != words else words + (1 if here < tokens else -1)
        if not 0 < words <= len(ends):
            break
    if best in (0, len(ends)):
        fail(f"a text of {len(ends)} words: expected one of more than {tokens} tokens")
    return text[:ends[best - 1]]


# ---- what is to be run --------------------------------------------------------------------------------------------------------


class Run(NamedTuple):
    codec: str
    prompt: object  # its number, or "long"
    tokens: int  # altogether

    def name(self):
        prompt = self.prompt if self.prompt == "long" else f"{self.prompt:02d}"
        return f"{re.sub('[^a-zA-Z0-9=,.-]', '_', self.codec)}.{prompt}.{self.tokens}"


def needs_profile(codec):
    return Spec.parse(codec).name in ("klt", "kvtc")


def agreed(ours, theirs):
    """How many tokens two texts have in common before the first that differs."""
    return next((place for place, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))


def wanted(tokens, stages, codecs, prompts, control):
    """Runs that can be made now, those of earlier stages first. tokens: {(codec, prompt): ids so far}"""
    def have(codec, prompt):
        return tokens.get((codec, prompt), ())

    def goes_on(codec, prompt, before):
        if codec == CONTROL and before and prompt >= control:
            return False
        return min(len(have(codec, prompt)), len(have(BF16, prompt))) >= before == agreed(have(codec, prompt)[:before], have(BF16, prompt)[:before])

    for before, stage in zip((0, *stages), stages):
        for prompt in range(prompts):
            going = [codec for codec in codecs if goes_on(codec, prompt, before)]
            for codec in [BF16, *going] if going else []:
                if before <= len(have(codec, prompt)) < stage:
                    yield Run(codec, prompt, stage)


def repeats_from(tokens):
    """Where a text begins to repeat itself to its end, three times or more; None: it does not."""
    found = None
    for period in range(1, min(LONGEST_PERIOD, len(tokens) // 3) + 1):
        begin = len(tokens) - period
        while begin > 0 and tokens[begin - 1] == tokens[begin - 1 + period]:
            begin -= 1
        if len(tokens) - begin >= 3 * period:
            found = begin if found is None else min(found, begin)
    return found


class Runner:
    def __init__(self, given, settings):
        self.given, self.settings = given, settings
        self.codecs = (*given.codecs, CONTROL)
        self.end = time.monotonic() + given.seconds
        self.long_stages = tuple(given.long_tokens * (piece + 1) // PIECES for piece in range(PIECES)) if given.long_tokens else ()
        self.running, self.failed, self.tokens, self.records = {}, set(), {}, {}
        self.folders = {name: given.out / name for name in ("runs", "prompts", "caches", "logs")}
        for folder in self.folders.values():
            folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(self.folders["runs"].glob("*.json")):
            self.take(json.loads(path.read_text(encoding="utf-8")))

    def take(self, record):
        key = record["codec"], record["prompt"]
        if len(record["tokens"]) >= len(self.tokens.get(key, ())):
            self.tokens[key], self.records[key] = record["tokens"], record

    def cache(self, run):
        return self.folders["caches"] / f"{run.name()}.kkv"

    def command(self, run):
        """The command of a run, and the tokens that the cache it loads has generated."""
        given, long = self.given, run.prompt == "long"
        before = self.tokens.get((run.codec, run.prompt), [])
        saved = self.cache(run._replace(tokens=len(before)))
        if not saved.exists():
            before = []
        words = [given.bin / "kakeya-generate", "--model", given.model, "--device", given.device, "--threads", given.long_threads if long else 1, "--ignore-end", "--json"]
        if before:
            words += ["--load-cache", saved]
        else:
            words += ["--prompt-file", self.folders["prompts"] / f"{run.prompt}.txt"]
            words += ["--codec", run.codec, *POLICY] if run.codec != BF16 else []
        if needs_profile(run.codec):
            words += ["--profile", given.profile]
        if run.tokens != (self.long_stages if long else given.stages)[-1]:
            words += ["--save-cache", self.cache(run)]
        return [*map(str, words), "--max-tokens", str(run.tokens - len(before))], before

    def next_run(self, room):
        """The first run that there is room for: long ones take as many places as threads."""
        given, taken = self.given, {(run.codec, run.prompt) for run in (*self.running, *self.failed)}
        for codec in (BF16, *given.long):
            stage = next((stage for stage in self.long_stages if stage > len(self.tokens.get((codec, "long"), ()))), None)
            if stage and (codec, "long") not in taken and (room >= given.long_threads or not self.running):
                return Run(codec, "long", stage)
        if room < 1:
            return None
        return next((run for run in wanted(self.tokens, given.stages, self.codecs, given.prompts, given.control) if (run.codec, run.prompt) not in taken), None)

    def room(self):
        return self.given.jobs - sum(self.given.long_threads if run.prompt == "long" else 1 for run in self.running)

    def log(self, run, what):
        return self.folders["logs"] / f"{run.name()}.{what}"

    def start(self, run):
        command, before = self.command(run)
        with open(self.log(run, "json"), "wb") as said, open(self.log(run, "log"), "wb") as log:
            self.running[run] = subprocess.Popen(command, stdout=said, stderr=log), command, before, time.monotonic()

    def collect(self):
        """Takes what has ended; how many those are."""
        ended = [run for run, (process, *_) in self.running.items() if process.poll() is not None]
        for run in ended:
            process, command, before, began = self.running.pop(run)
            if process.returncode:
                self.failed.add(run)
                print(f"agreement: {run.name()} failed with {process.returncode}: see {self.log(run, 'log')}", flush=True)
            else:
                self.keep(run, command, before, json.loads(self.log(run, "json").read_text(encoding="utf-8")), time.monotonic() - began)
        return len(ended)

    def keep(self, run, command, before, said, seconds):
        """Writes a run, with what led to the cache that it went on from."""
        earlier = self.records[run.codec, run.prompt] if before else {"text": "", "commands": [], "seconds": 0, "decode_steps": 0, "decode_seconds": 0, "prefill_seconds": said["prefill_seconds"]}
        steps = max(0, len(said["tokens"]) - 1)
        record = {"codec": run.codec, "prompt": run.prompt, "codec_k": said["codec_k"], "prompt_tokens": said["prompt_tokens"] - len(before), "tokens": before + said["tokens"],
                  "text": earlier["text"] + said["text"], "commands": [*earlier["commands"], shlex.join(pathlib.Path(word).name if "/" in word else word for word in command)],
                  "seconds": round(earlier["seconds"] + seconds, 1), "prefill_seconds": earlier["prefill_seconds"], "decode_steps": earlier["decode_steps"] + steps,
                  "decode_seconds": earlier["decode_seconds"] + (steps / said["tokens_per_second"] if steps else 0),
                  "live": said["live"], "live_bytes": said["live_bytes"], "bf16_bytes": said["bf16_bytes"]}
        path = self.folders["runs"] / f"{run.name()}.json"
        path.with_suffix(".part").write_text(json.dumps(record) + "\n", encoding="utf-8")
        path.with_suffix(".part").rename(path)
        self.take(record)
        if before:
            self.cache(run._replace(tokens=len(before))).unlink(missing_ok=True)
        self.log(run, "json").unlink()

    def run(self):
        try:
            while time.monotonic() < self.end:
                run = self.next_run(self.room())
                if run:
                    self.start(run)
                    continue
                if not self.running:
                    break
                while not self.collect() and time.monotonic() < self.end:
                    time.sleep(0.05)
        finally:
            for process, *_ in self.running.values():
                process.terminate()
            for process, *_ in self.running.values():
                process.wait()
        stopped = len(self.running)
        self.running.clear()
        if self.next_run(self.given.jobs):
            print(f"agreement: stopped with {stopped} runs on the way; the same command goes on", flush=True)
        return 1 if self.failed else 0

    # ---- agreement.json

    def document(self):
        given, prompts, samples = self.given, [], []
        for number, prompt in enumerate(self.settings["prompts"]):
            text = self.tokens.get((BF16, number))
            if text is None:
                continue
            prompts.append({"prompt": number, "text": prompt["text"], "at": prompt["at"], "tokens": self.records[BF16, number]["prompt_tokens"], "generated": len(text),
                            "repeats_from": repeats_from(text), "ids_sha256": hashlib.sha256(json.dumps(text).encode()).hexdigest()})
            for codec in self.codecs:
                ours = self.tokens.get((codec, number))
                if ours is None:
                    continue
                same = agreed(ours, text)
                sample = {"codec": codec, "prompt": number, "generated": min(len(ours), len(text)), "agree": same}
                if same < sample["generated"]:
                    sample |= {"token": ours[same], "bf16_token": text[same]}
                samples.append(sample)
        of_codecs = {codec: record for (codec, prompt), record in self.records.items() if prompt == 0}
        return {"program": self.settings["program"], "machine": f"{processor()}, {os.cpu_count()} cores", "model": self.settings["model"], "device": given.device, "dtype": "fp32",
                "texts": self.settings["texts"], "profile": self.settings["profile"], "policy": " ".join(POLICY), "words": given.words, "stages": list(given.stages),
                "codecs": list(given.codecs), "control": CONTROL, "control_prompts": given.control, "named": {codec: record["codec_k"] for codec, record in sorted(of_codecs.items())},
                "commands": {codec: record["commands"][0] for codec, record in sorted(of_codecs.items())},
                "long": [self.long(codec) for codec in (BF16, *given.long) if (codec, "long") in self.tokens], "prompts": prompts, "samples": samples}

    def long(self, codec):
        record, reference = dict(self.records[codec, "long"]), self.tokens.get((BF16, "long"), [])
        tokens = record.pop("tokens")
        del record["prompt"]
        return {**record, "threads": self.given.long_threads, "generated": len(tokens), "agree": agreed(tokens, reference)}


def processor():
    try:
        return next(line.partition(":")[2].strip() for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def in_lines(document):
    """JSON with a line for each member of a list of records."""
    fields = []
    for name, value in document.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = ",\n  ".join(json.dumps(one, ensure_ascii=False) for one in value)
            fields.append(f" {json.dumps(name)}: [\n  {rows}\n ]")
        else:
            fields.append(f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(fields) + "\n}\n"


def settings_of(given):
    """What decides the numbers; the prompts are written to DIR/prompts."""
    version = subprocess.run([given.bin / "kakeya-generate", "--version"], capture_output=True, encoding="utf-8", check=True).stdout.strip()
    texts = [(path.name, path.read_text(encoding="utf-8")) for path in given.texts]
    folder = given.out / "prompts"
    folder.mkdir(parents=True, exist_ok=True)

    def tokens_of(text):
        (folder / "cut.txt").write_text(text, encoding="utf-8")
        said = subprocess.run([given.bin / "kakeya-perplexity", "--model", given.model, "--text", folder / "cut.txt", "--tokenize", "--special", "--json"], capture_output=True, check=True).stdout
        return json.loads(said)["tokens"]

    prompts = stretches(texts, given.prompts, given.words)
    for number, prompt in enumerate(prompts):
        text = prompt.pop("prompt")
        prompt["sha256"] = hashlib.sha256(text.encode()).hexdigest()
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    if given.long_tokens and not ((given.out / "settings.json").exists() and (folder / "long.txt").exists()):
        (folder / "long.txt").write_text(cut(texts[0][1], given.context - given.long_tokens, tokens_of), encoding="utf-8")
    (folder / "cut.txt").unlink(missing_ok=True)
    weights = weights_of(given.model)
    return {"program": version, "model": {"name": given.model, "file": weights.name, "sha256": sha256_of(weights)}, "texts": [{"name": path.name, "sha256": sha256_of(path)} for path in given.texts],
            "profile": {"name": given.profile.name, "sha256": sha256_of(given.profile), "bytes": given.profile.stat().st_size} if given.profile else None,
            "device": given.device, "policy": list(POLICY), "words": given.words, "context": given.context, "long_tokens": given.long_tokens, "prompts": prompts}


def measure(given):
    if any(map(needs_profile, (*given.codecs, *given.long))) and not given.profile:
        fail("klt and kvtc: expected --profile")
    given.out.mkdir(parents=True, exist_ok=True)
    settings, kept = settings_of(given), given.out / "settings.json"
    if kept.exists():
        before = json.loads(kept.read_text(encoding="utf-8"))
        differing = [name for name, value in settings.items() if before.get(name) != value]
        if differing:
            fail(f"{given.out}: holds runs of other settings: {', '.join(differing)}")
    kept.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    runner = Runner(given, settings)
    code = runner.run()
    document = runner.document()
    (given.out / "agreement.json").write_text(in_lines(document), encoding="utf-8")
    (given.out / "agreement.csv").write_text(agreement_table.csv_of(document), encoding="utf-8")
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", nargs="?", type=lambda path: pathlib.Path(path).resolve(), help="the folder of the programs")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--csv", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--model")
    parser.add_argument("--texts", nargs="+", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--profile", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--codecs", nargs="+", default=list(CODECS), metavar="SPEC", help=f"besides {BF16} and {CONTROL} [{' '.join(CODECS)}]")
    parser.add_argument("--prompts", type=int, default=32)
    parser.add_argument("--words", type=int, default=384, help="of a prompt [384: about 512 tokens]")
    parser.add_argument("--stages", nargs="+", type=int, default=list(STAGES), metavar="N", help=f"tokens [{' '.join(map(str, STAGES))}]")
    parser.add_argument("--control", type=int, default=4, metavar="N", help="prompts that the control goes on with behind the first stage [4]")
    parser.add_argument("--long", nargs="*", default=[CODECS[0]], metavar="SPEC", help=f"besides {BF16}, codecs of the long text [{CODECS[0]}]")
    parser.add_argument("--long-tokens", type=int, default=2000, metavar="N", help="of the long text; 0: none [2000]")
    parser.add_argument("--context", type=int, default=8192, metavar="N", help="tokens that the long text ends at [8192]")
    parser.add_argument("--long-threads", type=int, default=4, metavar="N", help="of each long run; the others have one [4]")
    parser.add_argument("--device", default="cpu", help="of the model [cpu]")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="threads of all runs together [1]")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long; the same command goes on [never]")
    given = parser.parse_args()
    if given.table or given.csv:
        made = agreement_table.csv_of if given.csv else agreement_table.tables_of
        print(made(json.loads((given.csv or given.table).read_text(encoding="utf-8"))), end="")
        return 0
    missing = [f"--{name}" for name in ("model", "texts", "out") if not getattr(given, name)] + ([] if given.bin else ["BIN"])
    if missing:
        parser.error(f"expected {', '.join(missing)}, or --table or --csv")
    if given.stages != sorted(set(given.stages)) or given.stages[0] < 1:
        parser.error(f"--stages {' '.join(map(str, given.stages))}: expected growing numbers")
    return measure(given)


if __name__ == "__main__":
    sys.exit(main())
