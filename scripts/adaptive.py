#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what transforms that learn from the cache they code are worth (klt with adapt=N, and with profile=none), for one model: beside static
klt with profiles of a mix and of a novel, centred ece8, published E8 and KVTC, in mode prefix, from 512 tokens on to the model's limit, over
held-out and development passages of WikiText-2 test and over other kinds of text; what caches of 8k to 128k tokens take; and single heads that learn
inside the forward.

  scripts/adaptive.py smollm2-135m TEXTS --device cuda --jobs 16 --seconds 1000
  scripts/adaptive_tables.py out/adaptive/adaptive

TEXTS is a folder as scripts/evidence.py wants it. Everything lands in out/adaptive/MODEL, which a stopped run goes on from; what is finished of it, a
part stopped in the middle too, is joined into out/adaptive/adaptive (sweeps), out/adaptive/adaptive-hot (single heads) and out/adaptive/adaptive-long (long caches, rates alone). A job is one
passage, or some short ones, and codecs of one kind. Codecs that learn work on one core of the host, so --jobs is the number of cores; static klt works on the GPU.

Steps, in the order in which jobs start where there are cores; passage after passage, so that a stopped run has fewer passages, not fewer codecs:
  profiles     of a mix and of a novel: single layers, six together
  long         caches of 8k, 32k and 128k tokens, of held-out passages one after another: rates alone (needs h5py)
  wiki         WikiText-2 test, passages of 8k tokens, held out
  texts        source code and German
  contexts     WikiText-2 test with 512, 1024, 2048, 4096 tokens, held-out passages
  development  the learning codecs over development passages of the first length, with other adapt=N
  more         French and Chinese; a novel and no profile on code and German
  own          German and code with profiles of their own kind of text, its files behind the scored passages
  priors       a profile of a byte a value
  groups       three layers together that learn: 3 times the time of single ones
  six          six layers together that learn, with 4096 tokens: 35 times the time of single ones
  together     one, three and six layers together that learn from heads, with directions sent: up to ten times the time of single ones
  light        heads that count as fewer tokens: one layer, and three together with directions sent; of German text too
  kvtc         KVTC with all components: it makes a profile of its own first
  further      Gemma's 32k tokens
  hot          single heads inside the forward: development and held-out passages of 2048 tokens and of the first length
  short        512 to 4096 tokens again: static and learning layers, heads, three layers together from heads, two passages at least
  counts       layers of a mix that counts as 2000 tokens: held-out passages, German and code
  small        heads of a profile of a byte a value: one layer, and three together with directions sent
  kinds        a novel, no profile and heads on French and Chinese
  choosing     directions sent from a mix's and a novel's layers, as many as pay: encoding takes four to five times as long
  rest         French and Chinese with profiles of their own kind, and KVTC on other text than Wikipedia
  longer       long caches with three and six layers together from heads: 5 and 13 times the time of single ones
  lighter      a novel that counts as fewer tokens: single layers, of development passages too, and three together
  carried      three layers of the mix together that learn, with a profile of a byte a value: held-out passages and long caches
"""
import argparse
import fcntl
import itertools
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import threading
import time
from typing import NamedTuple

import evidence
from adaptive_codecs import BESIDE_FLOOR, HOT_TOKENS, LEARNING, LEARNING_HEADS, LONG, LONG_THREADS, PARTS, STATIC, Klt
from evidence import MIX
from jobs import Job, Runner, graphics_cards

STEPS = ("profiles", "long", "wiki", "texts", "contexts", "development", "more", "own", "priors", "groups", "six", "together", "light", "kvtc", "further", "hot", "short", "counts", "small", "kinds",
         "choosing", "rest", "longer", "lighter", "carried")
WIKI, OTHER, FURTHER = "wiki.test.raw", ("manpages-de.txt", "python-code.txt"), ("manpages-fr.txt", "manpages-zh.txt")
SCORED = 192  # tokens of a passage, an eighth of its context at most
LONG_TOKENS = 8192  # of a passage of long caches
CAPTURED = 16
PIECE = 4096  # tokens of a job: as many short passages, or one
GRACE = 75  # seconds that a cell in flight has to end


class Model(NamedTuple):
    limit: int  # tokens of the longest passages of `wiki`
    development: tuple  # where the development passages of reports/ end in WikiText-2 test: its line, and tokens up to it
    rank: int  # of KVTC: all components
    further: int = 0  # tokens of the longest that it takes, where they are more


MODELS = {"smollm2-135m": Model(8192, (1695, 123802), 5760), "gemma3-270m": Model(8192, (2495, 176505), 4608, 32768)}


class Plan(evidence.Plan):
    """The jobs of some steps; what is to be joined of them."""

    def __init__(self, given):
        self.given, self.model, self.root, self.jobs, self.joins = given, MODELS[given.model], pathlib.Path("out/adaptive"), [], {}
        self.out = self.root / given.model
        for step in STEPS:
            if step in given.steps:
                getattr(self, step)()

    def add(self, name, *more):
        if all(job.name != name for job in self.jobs):  # steps share jobs
            super().add(name, *more)

    def once(self, job):
        if all(job.name != other.name for other in self.jobs):
            self.jobs.append(job)

    def profiles(self):
        sensitivity = ("--sensitivity-passages", 9)
        for kind in ("mix", "novel"):
            self.calibrate(kind, (), evidence.CALIBRATION[kind], *sensitivity)
        for kind in ("mix", "novel"):
            self.derived(f"{kind}.group6", kind, "--layer-group", 6, "--predict", 1)

    def derived(self, name, kind, *words, texts=(), cut="published"):
        """A profile that takes transforms of heads and sensitivities from that of single layers."""
        self.calibrate(name, self.needs(kind), texts or evidence.CALIBRATION[kind], "--sensitivity-passages", 9, "--from", self.profile(kind), *words, cut=cut)

    def needs(self, *profiles):
        return [f"profile {name}" for name in profiles if any(job.name == f"profile {name}" for job in self.jobs)]

    def piece(self, name, part, text, tokens, number, count, split):
        """A job: the codecs of a part on some passages. Those that learn are the host's; jobs share nothing but the plan."""
        scored = min(self.given.eval, tokens // 8)
        context = tokens - scored if tokens in (self.model.limit, self.model.further) else tokens
        codecs = PARTS[part] if part != "kvtc" else (f"kvtc:bits={{1.7,2.4,3.4}},page=1024,profile={self.profile('mix.kvtc')}",)
        codecs = [codec._replace(profile=codec.profile.replace("own", pathlib.Path(text).stem)) if isinstance(codec, Klt) else codec for codec in codecs]
        profiles = list(dict.fromkeys(codec.profile for codec in codecs if isinstance(codec, Klt))) + (["mix.kvtc"] if part == "kvtc" else [])
        mode, root = ("inforward", "adaptive-hot") if part in LEARNING_HEADS else ("prefix", "adaptive")
        folder = self.out / f"parts/{name}.{part}.{number}"
        self.add(f"sweep {name}.{part}.{number}", self.needs(*profiles), "kakeya-sweep", "--model", self.given.model, "--text", *self.text(text), "--cut", "tokens",
                 "--mode", mode, "--ctx", context, "--eval", scored, "--skip-edge-layers", 0, "--sinks", 4, "--first-passage", number, "--passages", count,
                 *(("--split", split) if split else ()), "--device", self.given.device, "--codec-device", self.codecs if part in STATIC else "cpu", "--threads", 1,
                 *(("--noise-floor",) if part in BESIDE_FLOOR else ()),
                 *(("--profile", *map(self.profile, profiles)) if profiles else ()), "--codec", *(codec.pattern(self) if isinstance(codec, Klt) else codec for codec in codecs),
                 "--out", folder)
        self.joined(self.root / root / f"{self.given.model}.{name}", folder)

    def joined(self, whole, part):
        parts = self.joins.setdefault(whole, [])
        if part not in parts:
            parts.append(part)

    @property
    def codecs(self):
        return "auto" if self.given.device.startswith("cuda") else "cpu"

    def behind_development(self, tokens):
        """The first passage of so many tokens that is behind the development passages: passages before it have as many tokens at least."""
        return -(-self.model.development[1] // tokens)

    def over(self, texts, tokens, parts, passages, split=""):
        """Passages of texts one after another, each with all parts."""
        first = self.behind_development(tokens) if split == "held-out" else 0
        if split == "development" and passages * tokens * 1.1 > self.model.development[1]:
            raise SystemExit(f"adaptive: {passages} development passages of {tokens} tokens: expected at most {int(self.model.development[1] / 1.1 / tokens)}")
        together = max(1, PIECE // tokens)
        for number in range(first, first + passages, together):
            for text, part in itertools.product(texts, parts):
                name = ".".join(word for word in (pathlib.Path(text).stem, str(tokens), split) if word)
                self.piece(name, part, text, tokens, number, min(together, first + passages - number), split)

    def wiki(self):
        self.over((WIKI,), self.model.limit, LEARNING, self.given.passages, "held-out")

    def texts(self):
        self.over(OTHER, self.model.limit, ("plain", "static-mix", "mix"), max(1, self.given.passages * 3 // 4))

    def contexts(self):
        for tokens in (512, 1024, 2048, 4096):
            self.over((WIKI,), tokens, LEARNING, self.given.passages if tokens < 4096 else max(1, self.given.passages * 3 // 4), "held-out")

    def development(self):
        self.over((WIKI,), self.model.limit, ("plain", "none", "static-mix", "mix", "heads", "mix-others", "heads-others"), min(3, self.given.passages), "development")

    def more(self):
        passages = max(1, self.given.passages // 2)
        self.over(FURTHER, self.model.limit, ("plain", "static-mix", "mix"), passages)
        self.over(OTHER, self.model.limit, ("static-novel", "novel", "none", "heads"), passages)

    def own(self, texts=OTHER):
        passages = max(1, self.given.passages // 2)
        for text in texts:
            kind = pathlib.Path(text).stem
            rest = (evidence.RESTS / f"{kind}.rest.txt",)
            self.calibrate(kind, (), rest, "--sensitivity-passages", 9, cut="tokens")
            self.derived(f"{kind}.group6", kind, "--layer-group", 6, "--predict", 1, texts=rest, cut="tokens")
            self.over((text,), self.model.limit, ("static-own", "own"), passages)

    def int8(self):
        self.calibrate("mix.int8", (), MIX, "--sensitivity-passages", 9, "--matrices", "int8", "--predict", 1)

    def priors(self):
        self.int8()
        self.over((WIKI,), self.model.limit, ("int8",), max(1, self.given.passages // 2), "held-out")

    def groups(self):
        for kind in ("mix", "novel"):
            self.derived(f"{kind}.group3", kind, "--layer-group", 3, "--predict", 1)
        self.over((WIKI,), self.model.limit, ("static-three", "three", "three-novel"), max(1, self.given.passages // 2), "held-out")

    def six(self):
        self.over((WIKI,), 4096, ("six-low", "six-high"), max(1, self.given.passages // 2), "held-out")

    def together(self):
        self.over((WIKI,), self.model.limit, ("heads-six-low", "heads-six", "heads-three", "heads-sent"), max(1, self.given.passages // 2), "held-out")

    def light(self):
        passages = max(1, self.given.passages // 2)
        self.over((WIKI,), self.model.limit, ("heads-light", "heads-three-light"), passages, "held-out")
        self.over(OTHER[:1], self.model.limit, ("heads-light", "heads-three-light"), passages)

    def kvtc(self, texts=(WIKI,), split="held-out"):
        self.calibrate("mix.kvtc", (), MIX, "--codec", "kvtc", "--rank", self.model.rank)
        self.over(texts, self.model.limit, ("kvtc",), self.given.passages if split else max(1, self.given.passages // 2), split)

    def rest(self):
        self.own(FURTHER)
        self.kvtc((*OTHER, *FURTHER), "")

    def further(self):
        if self.model.further:
            self.over((WIKI,), self.model.further, ("plain", "none", "static-mix", "mix", "heads"), 2, "held-out")

    def hot(self):
        for tokens in (HOT_TOKENS, self.model.limit):
            self.over((WIKI,), tokens, LEARNING_HEADS, 2, "development")
            self.over((WIKI,), tokens, LEARNING_HEADS, self.given.passages, "held-out")

    def short(self):
        for tokens in (512, 1024, 2048, 4096):
            self.over((WIKI,), tokens, ("plain", "static-mix", "mix", "heads", "heads-three"), max(2, self.given.passages // 2), "held-out")

    def counts(self):
        self.over((WIKI,), self.model.limit, ("plain", "mix-2000"), self.given.passages, "held-out")
        self.over(OTHER, self.model.limit, ("plain", "mix-2000"), max(1, self.given.passages // 2))

    def small(self):
        self.int8()
        self.over((WIKI,), self.model.limit, ("plain", "heads-int8", "heads-three-int8"), self.given.passages, "held-out")

    def kinds(self):
        self.over(FURTHER, self.model.limit, ("plain", "novel", "none", "heads"), max(1, self.given.passages // 2))

    def choosing(self):
        self.over((WIKI,), self.model.limit, ("plain", "mix-auto", "novel-auto"), max(1, self.given.passages // 2), "held-out")
        self.over(OTHER[:1], self.model.limit, ("plain", "mix-auto", "novel-auto"), max(1, self.given.passages // 2))

    def lighter(self):
        self.derived("novel.group3", "novel", "--layer-group", 3, "--predict", 1)
        passages = max(1, self.given.passages // 2)
        self.over((WIKI,), self.model.limit, ("plain", "novel", "novel-light"), passages, "development")
        self.over((WIKI,), self.model.limit, ("plain", "novel-light", "three-novel-light"), passages, "held-out")

    def carried(self):
        self.int8()
        self.derived("mix.group3.int8", "mix.int8", "--layer-group", 3, "--predict", 1, "--matrices", "int8", texts=MIX)
        self.over((WIKI,), self.model.limit, ("plain", "static-three-int8", "three-int8"), self.given.passages, "held-out")
        self.long_caches(dict.fromkeys((16, 4, 1), ("three-int8",)))

    def long(self):
        # A cache of 128k tokens takes 25 GB while it is coded: two at once, those with a profile.
        self.long_caches({16: ("mix", "heads"), 4: ("none", "mix", "heads"), 1: ("none", "mix", "heads")})

    def longer(self):
        self.long_caches(dict.fromkeys((16, 4, 1), ("heads-three", "heads-six")))

    def long_caches(self, parts_of):
        """Passages behind the development ones, captured; caches of four and of sixteen of them; what codecs that learn take of each. Gemma has 32k of its own."""
        if self.model.further:
            return
        text, captured = self.out / "held-out.txt", self.out / f"long.{LONG_TOKENS}.h5"
        begins = self.model.development[0] + 1
        self.once(Job("long text", (), ("sh", "-c", f"tail -n +{begins} {shlex.quote(str(*self.text(WIKI)))} > {text}")))
        self.add("long capture", ("long text",), "kakeya-capture", "--model", self.given.model, "--text", text, "--cut", "tokens", "--ctx", LONG_TOKENS, "--passages", CAPTURED,
                 "--storage", "fp16", "--device", self.given.device, "--threads", 4, "--out", captured)
        dumps = {1: captured}
        for together in (16, 4):
            dumps[together] = self.out / f"long.{together * LONG_TOKENS}.h5"
            self.once(Job(f"long join {together}", ("long capture",), (sys.executable, "scripts/join_passages.py", str(captured), str(dumps[together]), "--together", str(together),
                                                                       "--passages", "1")))
        for together, parts in parts_of.items():
            for part in parts:
                codec, tokens, passages = LONG[part], together * LONG_TOKENS, 1 if together > 1 else 2 if part == "heads-six" else 4
                learns = isinstance(codec, Klt)
                folder = self.out / f"parts/long.{tokens}.{part}"
                self.add(f"sweep long.{tokens}.{part}", ("long capture" if together == 1 else f"long join {together}", *(self.needs(codec.profile) if learns else ())),
                         "kakeya-sweep", "--dump", dumps[together], "--passages", passages, "--skip-edge-layers", 0, "--sinks", 4, "--threads", LONG_THREADS.get((part, together), 1),
                         *(("--profile", self.profile(codec.profile)) if learns else ()), "--codec", codec.pattern(self) if learns else codec, "--out", folder)
                self.joined(self.root / "adaptive-long" / f"{self.given.model}.{tokens}", folder)

    def join(self):
        """What is finished: a folder a sweep, whatever was stopped. One process at a time."""
        failed = False
        with open(self.out / "joining", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for folder, parts in self.joins.items():
                parts = [part for part in parts if measured(part)]
                if parts:
                    shutil.rmtree(folder, ignore_errors=True)
                    done = subprocess.run([sys.executable, "scripts/merge_samples.py", str(folder), *map(str, parts)], check=False)
                    failed = failed or done.returncode != 0
        return failed


def measured(folder):
    """Whether a sweep has left a cell there, the control aside."""
    samples = folder / "samples.jsonl"
    return (folder / "provenance.json").is_file() and (samples.with_name(samples.name + ".xz").is_file() or (samples.is_file() and samples.read_bytes().count(b"\n") > 1))


class Bounded(Runner):
    """Cells that are not finished some time after the limit are given up."""

    def run(self):
        timer = threading.Timer(min(self.end - time.monotonic() + GRACE, threading.TIMEOUT_MAX), lambda: [process.kill() for process, *_ in self.running.values()])
        timer.daemon = True
        timer.start()
        try:
            return super().run()
        finally:
            timer.cancel()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("texts", type=lambda path: pathlib.Path(path).resolve(), help="the folder of texts")
    parser.add_argument("--device", default="cpu", help="cpu or cuda [cpu]")
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=list(STEPS[:5]), metavar="STEP", help=f"some of {', '.join(STEPS)} [the first five]")
    parser.add_argument("--passages", type=int, default=6, help="of the step wiki; others have as many or fewer [6]")
    parser.add_argument("--eval", type=int, default=SCORED, help=f"tokens scored in each passage, an eighth of its context at most [{SCORED}]")
    parser.add_argument("--jobs", type=int, default=1, help="processes beside each other [1]")
    parser.add_argument("--seconds", type=float, default=float("inf"), help=f"stop after so long, and {GRACE} s for cells in flight; the same command goes on [never]")
    parser.add_argument("--preset", default="release", help="the build in build/ whose programs run [release]")
    parser.add_argument("--print", action="store_true", help="print the commands and run nothing")
    given = parser.parse_args()
    for name in ("jobs", "passages", "eval"):
        if getattr(given, name) < 1:
            parser.error(f"--{name} {getattr(given, name)}: expected at least 1")
    plan = Plan(given)
    if given.print:
        print("\n".join(shlex.join(job.command) for job in plan.jobs))
        return 0
    missing = sorted({pathlib.Path(word).name for job in plan.jobs for word in job.command if word.startswith(f"{given.texts}/") and not pathlib.Path(word).is_file()})
    if missing:
        parser.error(f"{given.texts} has no {', '.join(missing)}")
    os.chdir(evidence.ROOT)
    rests = [text for step, texts in (("own", OTHER), ("rest", FURTHER)) if step in given.steps for text in texts]
    if rests:
        evidence.write_rests(given.texts, evidence.RESTS, rests)
    failed = Bounded(plan, given.jobs, graphics_cards() if given.device == "cuda" else 0, given.seconds).run()
    return 1 if plan.join() or failed else 0


if __name__ == "__main__":
    sys.exit(main())
