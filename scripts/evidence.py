#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what reports/README.md calls evidence, for one model: profiles of a mix, of a novel, of the scored kind of text and of each other text's own kind; sweeps of configs/held-out-MODEL-*.json over held-out
passages, and with the settings of their headlines over development ones; a dozen of these beside what other forwards do with nothing coded; five kinds of test text against these profiles; the whole text by
kakeya-perplexity; KIVI under its own policy on the same passages, texts and windows, and KVTC with its window on these passages and texts; codecs by position in windows as long as the model's context, beside other forwards; needles in long texts, and in short ones. Eight steps run where they are named alone: hot-profile and
rope-profile, of the step profiles what codecs inside the forward need, and what caches on a GPU do; decode-mode, configs/decode-mode.json and configs/batch-invariant.json, of smollm2-135m alone; generation, greedy texts on the CPU
over packed caches beside those over bf16 (scripts/agreement.py); and, with nothing beside them as they take times, end-to-end (scripts/end_to_end.py), long-times (scripts/long_times.py), and on a GPU, whose
memory the caches are in, decode-gpu and decode-gpu-8b, of a model of 8 billion random weights (scripts/random_model.py), whichever MODEL is named. Everything lands in out/evidence/MODEL, which a stopped run goes
on from.

  scripts/evidence.py smollm2-135m TEXTS --device cuda --jobs 14

TEXTS is a folder with moby-dick.txt, sotu.txt, wiki.valid.raw (calibration), wiki.test.raw (passages) and, for the steps profiles and texts, the files of scripts/fetch_texts.sh. Jobs run beside each other,
spread over the GPUs that are there; a sweep is cut into as many shards of passages as keep them busy, and scripts/merge_samples.py joins the shards that are finished. Two H100 with 32 cores took 28 minutes for
the steps profiles, held-out, development and texts of SmolLM2, four H200 with 64 cores eleven for the whole texts of both models, one H200 with 16 cores 22 for development passages in the cold tier and all
codecs without a profile on other texts; a CPU takes days. Processes that share a GPU wait for one another's time slices; many of them are several times as fast where nvidia-cuda-mps-control runs.
"""
import argparse
import itertools
import os
import pathlib
import shlex
import sys
from typing import NamedTuple

from jobs import Job, Runner, graphics_cards

ROOT = pathlib.Path(__file__).resolve().parents[1]
DEVELOPMENT = 32  # passages that choices were made on
SHORTER = 76  # the first held-out passage of 1,092 tokens, behind the lines of those
MIX = ("moby-dick.txt", "sotu.txt", "wiki.valid.raw")
CALIBRATION = {"mix": MIX, "novel": MIX[:1], "scored-kind": MIX[2:]}
TEXTS = ("wiki.test.raw", "python-code.txt", "manpages-de.txt", "manpages-fr.txt", "manpages-zh.txt")
OWN_TEXTS = TEXTS[1:]  # wiki.test's own kind is the scored kind
OWN = "own"  # the kind of a profile that was calibrated on text of the scored passages' own kind
SCORED_BYTES = 1_000_000  # of a text, which its 8 passages end long before: calibration on its own kind begins behind them
OF_PROFILES = ("hot-profile", "rope-profile")  # of the step profiles
STEPS = ("profiles", "held-out", "development", "floor", "texts", "whole", "long", "needle", "needle-short")
ON_GPU = ("decode-gpu", "decode-gpu-8b")
NAMED = (*OF_PROFILES, "decode-mode", "generation", "end-to-end", "long-times", *ON_GPU)  # steps that are not among all
LAYERS = "klt:bits={{{}}},scope=layer,restart=1,page=512,lattice=tcq"
ENGINES = ("e8:q={15,22},rule=published", "q4_0:rotate=64", "q5_0:rotate=64", "q8_0:rotate=64", "kivi:b=4", "turboquant:b=4,mode=mse", "int4", "nvfp4", "fp8")
MORE = ("e8:q={15,22},pack=rans", "q4_1:rotate=64", "iq4_nl:rotate=64", "q5_1:rotate=64", "turboquant:b=5,mode=mse", "turboquant:b=6,mode=prod", "mxfp4", "int8")
HOT = ("klt:bits={2.5,2.8,3.1,3.5,4}", LAYERS.format("1,1.3,1.7,2.1,2.5,3,3.5"), "ece8:bits={3,4},center=mean", *ENGINES, *MORE)
LOW_HEADS = ("klt:bits={1.2,1.5,2},page=128", "klt:bits={1.2,1.5,2},lattice=tcq,page=128")  # down to the loss of formats of 4 bits
TILES = "klt:bits={},lattice=z,pages=tiles,page=128"  # that attention on a GPU reads
FLOOR = {"smollm2-135m": "klt:bits={2.5,3.1,3.5,4}", "gemma3-270m": "klt:bits={2.6,3.3,4}"}  # of heads, and beside them
BESIDE_FLOOR = (LAYERS.format("1.7,2.5,3,3.5"), "ece8:bits={3,4},center=mean", "e8:q={10,15,22,38},rule=published", "kivi:b=4", "q4_0:rotate=64", "q8_0:rotate=64", "fp8")
LONG = ("e8:q={10,22}", "ece8:bits=4,center=mean", "kivi:b=4", "fp8", "q8_0", "klt:bits={2.5,3.5}")
NEEDLES = ("--kinds", "single,multi-key,multi-value,variable-tracking", "--depths", "0,50,100", "--skip-unsolved", "--codec", "e8:q=10", "kivi:b=4", "q4_0:rotate=64", "klt:bits=3,page=64")
EVERY_LAYER = ("--ctx", 2048, "--eval", 64, "--sinks", 4, "--skip-edge-layers", 0)
KVTC = "kvtc:bits={0.8,1.2,1.7,2.4,3.4,4.5},page=1024"
NO_PROFILE = ("ece8:bits={3,3.5,4},center=mean", *ENGINES)
WHOLE_BESIDE_FLOOR = ("q5_0:rotate=64", "turboquant:b=4,mode=mse", "int4", "nvfp4")  # windows that are measured with nothing coded too
WHOLE = (("klt:bits={2.5,3.1,3.5}",), (LAYERS.format("1.7,2.5,3"),), ("ece8:bits={3,4,4.5},center=mean",), ("e8:q={15,22},rule=published",),
         ("kivi:b=4", "q4_0:rotate=64", "q8_0:rotate=64", "fp8"), ("klt:bits={2.5,3.1,3.5},page=128",), (LAYERS.format("1.7,2.5,3").replace("page=512", "page=128"),),
         ("ece8:bits={3,4,4.5},center=mean,page=128",), WHOLE_BESIDE_FLOOR, ("q4_1:rotate=64", "iq4_nl:rotate=64", "q5_1:rotate=64", "mxfp4", "int8"),
         ("e8:q={15,22},pack=rans", "e8:q={15,22},pack=rans,page=128", "turboquant:b=5,mode=mse", "turboquant:b=6,mode=prod"),
         ("klt:bits={1.2,1.5,2},page=128",), (LAYERS.format("0.8,1,1.3").replace("page=512", "page=128"),),  # down to the loss of INT4 and MXFP4
         ("klt:bits=4.5,page=128", LAYERS.format("4").replace("page=512", "page=128")))  # and up to that of fp8 on Gemma
# KIVI's own policy, keys after RoPE and the last tokens exact: what stands beside it.
WINDOW = ("--residual-window", 128)
KIVI = (*WINDOW, "--tap", "post-rope")
LAYERS_128, HEADS_128 = LAYERS.replace("page=512", "page=128"), "klt:bits={{{}}},lattice=tcq,page=128"
WITH_KIVI = ("kivi:b={2,3,4}", "ece8:bits={3,4},center=mean,page=128", "q4_0:rotate=64", "e8:q={15,22},pack=rans,page=128", "q5_0:rotate=64", "q8_0:rotate=64", "e8:q={15,22},rule=published",
             "turboquant:b=4,mode=mse", "int4", "nvfp4", "fp8", *MORE[1:])
WHOLE_WITH_KIVI = (WITH_KIVI[:3], WITH_KIVI[3:], (HEADS_128.format("2,2.5,3.1,3.5,4,4.5"),), (LAYERS_128.format("1,1.3,1.7,2.1"),), (LAYERS_128.format("2.5,3,3.5,4"),))
BLOCKS = ("q4_0", "q4_1", "iq4_nl", "q5_0", "q5_1", "q8_0")  # llama.cpp's; it rotates keys by the largest power of two that divides head_dim, values by 64
RESTS, RANDOM_MODELS = (pathlib.Path("out/evidence") / name for name in ("texts", "models"))


def rest_of(text, scored=SCORED_BYTES):
    """What of a text's bytes no scored passage has: the lines behind the one that its first SCORED bytes end in."""
    end = text.find(b"\n", scored)
    if end < 0 or end + 1 == len(text):
        raise ValueError(f"{len(text)} bytes: expected more lines behind the first {scored}, which passages are scored from")
    return text[end + 1:]


def write_rests(texts, out, names=OWN_TEXTS):
    """out/NAME.rest.txt of every text that has a profile of its own kind made of it."""
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        try:
            (out / f"{pathlib.Path(name).stem}.rest.txt").write_bytes(rest_of((texts / name).read_bytes()))
        except ValueError as error:
            sys.exit(f"evidence: {texts / name}: {error}")


class Model(NamedTuple):
    passages: int  # that the published rule cuts from wiki.test.raw
    window: tuple  # of the whole text
    windows: int  # that it has
    ranks: tuple  # of KVTC: all components, and 2.4 % of the parameters, the size of its authors' profiles
    context: int
    rotated_keys: int  # head_dim's largest power of two
    needle: tuple  # prompts that it is asked in, and their lengths


MODELS = {"smollm2-135m": Model(69, ("--ctx", 2048, "--stride", 512), 590, (5760, 288), 8192, 64, ("--lengths", "2048,4096,8000")),
          "gemma3-270m": Model(46, ("--ctx", 2048, "--convention", "windows"), 144, (4608, 704), 32768, 256, ("--plain", "--lengths", "2048,4096,8192,16384,32000"))}


class Plan:
    """The jobs of some steps."""

    folders = ("parts", "texts-hot", "texts-cold", "texts-kivi", *ON_GPU)  # that jobs write to, in out/evidence/MODEL

    def __init__(self, given):
        self.given, self.model, self.out, self.jobs = given, MODELS[given.model], pathlib.Path("out/evidence") / given.model, []
        self.codecs = "auto" if given.device.startswith("cuda") else "cpu"  # on a GPU where they have a kernel
        for step in (*OF_PROFILES, *STEPS, *NAMED[len(OF_PROFILES):]):
            if step in given.steps and not (step in OF_PROFILES and "profiles" in given.steps):
                getattr(self, step.replace("-", "_"))()

    def add(self, name, needs, program, *words):
        self.jobs.append(Job(name, tuple(needs), (f"build/{self.given.preset}/bin/{program}", *map(str, words))))

    def text(self, *names):
        """Files of the folder of texts; paths are taken as they are."""
        return [name if isinstance(name, pathlib.Path) else self.given.texts / name for name in names]

    def profile(self, name):
        return self.out / f"{name}.h5"

    def calibrate(self, name, needs, texts, *words, cut="published"):
        """TEXTS as of text()."""
        self.add(f"profile {name}", needs, "kakeya-calibrate", "--model", self.given.model, "--device", self.given.device, "--threads", 4,
                 "--cut", cut, "--passages", 36, "--text", *self.text(*texts), *words, "--out", self.profile(name))

    def hot_profile(self):
        self.calibrate("mix", (), MIX, "--sensitivity-passages", 9)
        self.calibrate("mix.hot", ("profile mix",), MIX, "--sensitivity-passages", 9, "--from", self.profile("mix"), "--steps", "inforward", "--predict", 0)

    def rope_profile(self):
        self.calibrate("mix.kivi", (), MIX, "--sensitivity-passages", 9, "--tap", "post-rope", "--steps", "inforward", "--predict", 0)

    def profiles(self):
        for rank in self.model.ranks:
            self.calibrate(f"mix.kvtc{rank}", (), MIX, "--codec", "kvtc", "--rank", rank)
        for kind, texts, cut in (*((kind, names, "published") for kind, names in CALIBRATION.items()), *((path.stem, (RESTS / f"{path.stem}.rest.txt",), "tokens") for path in map(pathlib.Path, OWN_TEXTS))):
            sensitivity = ("--sensitivity-passages", 9)
            made = ("--from", self.profile(kind))
            self.calibrate(kind, (), texts, *sensitivity, cut=cut)
            self.calibrate(f"{kind}.hot", (f"profile {kind}",), texts, *sensitivity, *made, "--steps", "inforward", "--predict", 0, cut=cut)
            for group in (6, 3) if kind == "mix" else (6,):
                self.calibrate(f"{kind}.group{group}", (f"profile {kind}",), texts, *sensitivity, *made, "--layer-group", group, "--predict", 1, cut=cut)
        self.rope_profile()

    def needs(self, *profiles):
        """The jobs that make these profiles, where this run makes them."""
        made = {job.name for job in self.jobs}
        return [name for name in (f"profile {profile}" for profile in profiles) if name in made]

    def sweep(self, name, profiles, *words):
        read = ("--profile", *map(self.profile, profiles)) if profiles else ()
        self.add(f"sweep {name}", self.needs(*profiles), "kakeya-sweep", "--device", self.given.device, "--codec-device", self.codecs, "--threads", 2, *read, *words, "--out", self.out / name)

    def shards(self, name, profiles, first, count, *words):
        """A sweep over passages, in parts that --jobs keeps busy, and their join."""
        parts = min(count, max(1, self.given.jobs))
        size = -(-count // parts)
        if size == count:
            return self.sweep(name, profiles, *words, "--first-passage", first, "--passages", count)
        begins = range(first, first + count, size)
        for begin in begins:
            self.sweep(f"parts/{name}.{begin}", profiles, *words, "--first-passage", begin, "--passages", min(size, first + count - begin))
        self.jobs.append(Job(f"join {name}", tuple(f"sweep parts/{name}.{begin}" for begin in begins),
                             (sys.executable, "scripts/merge_samples.py", str(self.out / name), *(str(self.out / f"parts/{name}.{begin}") for begin in begins))))

    def blocks(self):
        """Those that llama.cpp rotates by one number in keys and by another in values: their names, and how programs are asked for them."""
        return {block: ("--codec-k", f"{block}:rotate={self.model.rotated_keys}", "--codec-v", f"{block}:rotate=64") for block in BLOCKS if self.model.rotated_keys != 64}

    def rotated(self, name, first, count, *words):
        """Blocks as llama.cpp rotates them where keys and values differ: a folder a format beside that of NAME."""
        for block, codecs in self.blocks().items():
            self.shards(f"{name}-{block}", (), first, count, "--model", self.given.model, "--text", *self.text("wiki.test.raw"), "--cut", "published", *EVERY_LAYER, *words, *codecs)

    def of_split(self, split):
        return "--split", split, "--splits", f"configs/splits/wiki.test-{self.given.model}.json"

    def measured(self, split, first, count, hot=(), cold=(), kivi=()):
        config = lambda tier: ("--config", f"configs/held-out-{self.given.model}-{tier}.json", "--text", *self.text("wiki.test.raw"), "--split", split)
        codecs = lambda specs: ("--codec", *specs) if specs else ()
        full, small = self.model.ranks
        self.shards(f"{split}-cold", ("mix.group3", "mix.group6", f"mix.kvtc{full}", "mix"), first, count, *config("cold"), *codecs(cold))
        self.shards(f"{split}-hot", ("mix.hot",), first, count, *config("hot"), *codecs(hot))
        self.rotated(f"{split}-cold", first, count, *self.of_split(split), "--mode", "prefix")
        self.rotated(f"{split}-hot", first, count, *self.of_split(split))
        self.rotated(f"{split}-kivi", first, count, *self.of_split(split), *KIVI)
        self.shards(f"{split}-kivi", ("mix.kivi",), first, count, *config("kivi"), "--noise-floor", *codecs(kivi))
        self.shards(f"{split}-cold-kivi", (), first, count, *config("cold"), *KIVI, *codecs(("kivi:b={2,3,4}",)))
        for rank in (full, small):  # with the window of 128 tokens that KVTC keeps
            self.shards(f"{split}-kvtc{rank}", (f"mix.kvtc{rank}",), first, count, *config("cold"), *WINDOW, "--noise-floor", *codecs((KVTC,)))

    def held_out(self):
        self.measured("held-out", DEVELOPMENT, self.model.passages - DEVELOPMENT)

    def development(self):
        six = f"klt:bits={{0.3,0.45,0.65,0.9,1.3,1.8,2.5}},scope=layer,predict=1,profile={self.profile('mix.group6')}"
        heads = HEADS_128.format("2.5,2.8,3.1,3.5,4,4.5" if self.model.rotated_keys == 64 else "1.8,2.2,2.6,2.85,3.3,3.6,4,4.5")
        self.measured("development", 0, DEVELOPMENT, (*HOT, "kivi:b=3", *LOW_HEADS), (six, KVTC, *NO_PROFILE, *MORE, "kivi:b=3"), (heads, LAYERS_128.format("1,1.3,1.7,2.1,2.5,3,3.5,4"), *WITH_KIVI))

    def floor(self):
        self.shards("floor", ("mix.hot",), DEVELOPMENT, self.model.passages - DEVELOPMENT, "--config", f"configs/held-out-{self.given.model}-hot.json",
                    "--text", *self.text("wiki.test.raw"), "--split", "held-out", "--noise-floor", "--codec", FLOOR[self.given.model], *BESIDE_FLOOR)

    def decode_mode(self):
        """As reports/decode-mode: the codecs of the cache that is decoded from work on the host, and forwards that sum each token by itself on a CPU."""
        self.shards("decode-mode", ("mix.hot",), SHORTER, 8, "--config", "configs/decode-mode.json", "--text", *self.text("wiki.test.raw"))
        self.add("sweep batch-invariant", self.needs("mix.hot"), "kakeya-sweep", "--threads", 2, "--profile", self.profile("mix.hot"), "--config", "configs/batch-invariant.json",
                 "--text", *self.text("wiki.test.raw"), "--out", self.out / "batch-invariant")

    def generation(self):
        """As reports/generation: texts on the CPU, with a profile of fewer passages; of SmolLM2 besides whether the control parts on the one prompt where it did."""
        self.add("profile generation", (), "kakeya-calibrate", "--model", self.given.model, "--device", self.given.device, "--cut", "published", "--passages", 16, "--text", *self.text(*MIX),
                 "--sensitivity-passages", 4, "--steps", "inforward", "--predict", 0, "--out", self.profile("generation"))
        common = (f"build/{self.given.preset}/bin", "--model", self.given.model, "--texts", *map(str, self.text("wiki.test.raw")))
        self.jobs.append(Job("generation", ("profile generation",), (sys.executable, "scripts/agreement.py", *common, "--profile", str(self.profile("generation")), "--long-threads", "3",
                                                                     "--jobs", str(self.given.jobs), "--out", str(self.out / "generation"))))
        if self.given.model == "smollm2-135m":
            self.jobs.append(Job("generation control", ("generation",), (sys.executable, "scripts/control_logits.py", *common, "--out", str(self.out / "generation/control.csv"))))

    def texts(self):
        """Headline formats on each kind of text with each profile; codecs without one once a text. --cut tokens: not all of these have spaces."""
        for text, kind in (*itertools.product(TEXTS, CALIBRATION), *((text, OWN) for text in OWN_TEXTS)):
            profile = pathlib.Path(text).stem if kind == OWN else kind
            name, common = f"{pathlib.Path(text).stem}-{kind}", ("--model", self.given.model, "--text", *self.text(text), "--cut", "tokens", "--passages", 8, *EVERY_LAYER)
            plain = (*NO_PROFILE, *MORE) if kind == "mix" else ()
            self.sweep(f"texts-hot/{name}", (f"{profile}.hot",), *common, "--codec", LAYERS.format("1.3,1.7,2.1,2.5,3"), "klt:bits={2.5,3,3.5},lattice=tcq", *plain)
            self.sweep(f"texts-cold/{name}", (f"{profile}.group6",), *common, "--mode", "prefix", "--codec", "klt:bits={0.45,0.65,0.9,1.3,1.8,2.5},scope=layer,predict=1", *plain)
            if plain:
                self.sweep(f"texts-cold/{name}-kvtc", (f"mix.kvtc{self.model.ranks[0]}",), *common, "--mode", "prefix", "--codec", KVTC)
                for rank in self.model.ranks:
                    self.sweep(f"texts-cold/{name}-kvtc{rank}-exact", (f"mix.kvtc{rank}",), *common, "--mode", "prefix", *WINDOW, "--codec", KVTC)
                self.sweep(f"texts-cold/{name}-kivi", (), *common, "--mode", "prefix", *KIVI, "--codec", "kivi:b={2,3,4}")
                self.sweep(f"texts-kivi/{name}", ("mix.kivi",), *common, *KIVI, "--noise-floor", "--codec", HEADS_128.format("2,2.5,3.1,3.5,4,4.5"), LAYERS_128.format("1,1.3,1.7,2.1,2.5,3,3.5,4"), *WITH_KIVI)
                for block, codecs in self.blocks().items():
                    self.sweep(f"texts-kivi/{name}-{block}", (), *common, *KIVI, *codecs)
                for (tier, mode), (block, codecs) in itertools.product((("hot", "inforward"), ("cold", "prefix")), self.blocks().items()):
                    self.sweep(f"texts-{tier}/{name}-{block}", (), *common, "--mode", mode, *codecs)

    def whole(self):
        """In parts of the text: windows differ in nothing but their number, so that a part costs what its windows cost. Then under KIVI's policy."""
        self.in_parts("whole", "mix.hot", (*(("--codec", *specs) for specs in WHOLE), *self.blocks().values()), ("--codec", *WHOLE_BESIDE_FLOOR))
        kivi = [("--codec", *specs) for specs in WHOLE_WITH_KIVI]
        self.in_parts("whole-kivi", "mix.kivi", (*kivi, *self.blocks().values()), kivi[0], *KIVI)

    def in_parts(self, name, profile, settings, beside_floor, *words):
        """The whole text, a job a part and settings, with nothing coded too in the jobs of some of these; and their join."""
        size = -(-self.model.windows // max(1, min(self.given.jobs, self.model.windows)))
        parts = []
        for first, (number, codecs) in itertools.product(range(0, self.model.windows, size), enumerate(settings)):
            parts.append(f"{name} {number}.{first}")
            self.add(parts[-1], self.needs(profile), "kakeya-perplexity", "--model", self.given.model, "--device", self.given.device, "--codec-device", self.codecs, "--threads", 2,
                     "--text", *self.text("wiki.test.raw"), *self.model.window, "--first-window", first, "--windows", min(size, self.model.windows - first), *EVERY_LAYER[4:], *words,
                     "--profile", self.profile(profile), *codecs, *(("--noise-floor",) if codecs == beside_floor else ()), "--out", self.out / f"parts/{name}.{number}.{first}")
        self.jobs.append(Job(f"join {name}", tuple(parts), (sys.executable, "scripts/merge_samples.py", str(self.out / name), *(job.command[-1] for job in self.jobs if job.name in parts))))

    def on_own_text(self, name, program, *words):
        """A measurement of every layer with four sinks on wiki.test.raw."""
        self.add(name, self.needs("mix.hot"), program, "--model", self.given.model, "--device", self.given.device, "--text", *self.text("wiki.test.raw"), "--sinks", 4,
                 "--skip-edge-layers", 0, "--profile", self.profile("mix.hot"), *words, "--out", self.out / name)

    def report(self, name, kind):
        self.add(f"report {name}", (name,), "kakeya-report", kind, self.out / name, "--out", self.out / name / "report")

    def long(self):
        self.on_own_text("long", "kakeya-perplexity", "--codec-device", self.codecs, "--ctx", self.model.context, "--convention", "all", "--noise-floor", "--codec", *LONG)
        self.report("long", "positions")

    def needle(self):
        self.on_own_text("needle", "kakeya-needle", *self.model.needle, "--samples", 2, "--prefill-chunk", 4096, *NEEDLES)
        self.report("needle", "needle")

    def needle_short(self):
        self.on_own_text("needle-short", "kakeya-needle", *self.model.needle[:-1], "512,1024", "--samples", 4, *NEEDLES)
        self.report("needle-short", "needle")

    def timed(self, name, script, *more, needs=("mix.hot",)):
        self.jobs.append(Job(name, tuple(self.needs(*needs)), (sys.executable, f"scripts/{script}", f"build/{self.given.preset}/bin", *map(str, self.text("wiki.test.raw")),
                                                                  str(self.profile("mix.hot")), str(self.out / name), "--model", self.given.model, "--device", self.given.device, *more)))

    def end_to_end(self):
        self.timed("end-to-end", "end_to_end.py", "--rope-profile", str(self.profile("mix.kivi")), needs=("mix.hot", "mix.kivi"))

    def long_times(self):
        self.timed("long-times", "long_times.py")

    def decoding(self, name, needs, model, *words, tokens, out="bench.json", on_gpu=True):
        """Decoding over caches on the GPU, or on the host beside it; one document goes on from job to job."""
        where = ("--cache-device", "cuda") if on_gpu else ()
        self.add(name, needs, "kakeya-bench", "generate", "--model", model, "--device", "cuda", *where, "--dtype", "bf16", "--text", *self.text("wiki.test.raw"), "--skip-edge-layers", 0,
                 "--sinks", 4, "--tokens", tokens, "--rounds", 4, *words, "--out", self.out / name.split()[0] / out)

    def decoding_report(self, name, needs):
        self.add(f"report {name}", needs, "kakeya-report", "generate", self.out / name / "bench.json", "--out", self.out / name)

    def decode_gpu(self):
        lattices = ("identity", "tq:b=4", "e8:q=7", "d4:q=7")
        codecs = ("--codec", *lattices, TILES.format("{3,4}"), "--profile", self.profile("mix.kivi"))
        self.decoding("decode-gpu speeds", tuple(self.needs("mix.kivi")), self.given.model, "--ctx", "1024,2048,8000", "--batch", "1,4,16", *codecs, tokens=64)
        self.decoding("decode-gpu fits", ("decode-gpu speeds",), self.given.model, "--ctx", 2048, "--fit", 1000, "--most", 200, *codecs, tokens=64)
        self.decoding("decode-gpu host", ("decode-gpu fits",), self.given.model, "--ctx", "2048,8000", "--batch", 1, "--codec", *lattices, tokens=16, out="host.json", on_gpu=False)
        self.decoding_report("decode-gpu", ("decode-gpu host",))

    def decode_gpu_8b(self):
        before = tuple(job.name for job in self.jobs[-1:])  # times are taken with nothing beside
        self.jobs.append(Job("random model", before, (sys.executable, "scripts/random_model.py", "data/configs/llama-3.1-8b.json", "data/models/nano", str(RANDOM_MODELS))))
        model = RANDOM_MODELS / "random-llama-3.1-8b"
        how = ("--prefill-chunk", 2048, "--codec", "identity", "tq:b=4", "e8:q=7")
        self.decoding("decode-gpu-8b speeds", ("random model",), model, "--ctx", "8192,32768", "--batch", "1,16", *how, tokens=32)
        self.decoding("decode-gpu-8b long", ("decode-gpu-8b speeds",), model, "--ctx", 120000, "--batch", 1, *how, tokens=32)
        profile = self.out / "random-8b.h5"
        self.add("profile random 8b", ("decode-gpu-8b long",), "kakeya-calibrate", "--model", model, "--device", self.given.device, "--dtype", "bf16", "--tap", "post-rope", "--scope", "head",
                 "--sensitivity-passages", 0, "--passages", 4, "--text", *self.text(*MIX[:1]), "--out", profile)
        self.decoding("decode-gpu-8b tiles", ("profile random 8b",), model, "--ctx", "8192,32768", "--batch", "1,16", *how, TILES.format("3,alloc=none"), "--profile", profile, tokens=32, out="tiles.json")
        self.decoding_report("decode-gpu-8b", ("decode-gpu-8b tiles",))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("texts", type=lambda path: pathlib.Path(path).resolve(), help="the folder of texts")
    parser.add_argument("--device", default="cpu", help="cpu or cuda [cpu]")
    parser.add_argument("--steps", nargs="+", choices=(*STEPS, *NAMED), default=list(STEPS), metavar="STEP", help=f"some of {', '.join(STEPS)} [all], {', '.join(NAMED)}")
    parser.add_argument("--jobs", type=int, default=1, help="processes beside each other, and shards a sweep [1]")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long; the same command goes on [never]")
    parser.add_argument("--preset", default="release", help="the build in build/ whose programs run [release]")
    parser.add_argument("--print", action="store_true", help="print the commands and run nothing")
    given = parser.parse_args()
    if given.jobs < 1:
        parser.error(f"--jobs {given.jobs}: expected at least 1")
    on_gpu = [step for step in ON_GPU if step in given.steps]
    if on_gpu and given.device != "cuda":
        parser.error(f"--steps {' '.join(on_gpu)} with --device {given.device}: expected --device cuda, as their caches live on a GPU")
    if "decode-mode" in given.steps and given.model != "smollm2-135m":
        parser.error(f"--steps decode-mode with {given.model}: expected smollm2-135m, whose passages configs/decode-mode.json names")
    plan = Plan(given)
    if given.print:
        print("\n".join(shlex.join(job.command) for job in plan.jobs))
        return 0
    missing = [name for name in {*MIX, "wiki.test.raw", *(TEXTS if {"texts", "profiles"} & set(given.steps) else ())} if not (given.texts / name).is_file()]
    if missing:
        parser.error(f"{given.texts} has no {', '.join(sorted(missing))}")
    os.chdir(ROOT)
    if "profiles" in given.steps:
        write_rests(given.texts, RESTS)
    return Runner(plan, given.jobs, graphics_cards() if given.device == "cuda" else 0, given.seconds).run()


if __name__ == "__main__":
    sys.exit(main())
