# SPDX-License-Identifier: Apache-2.0
"""What adaptive.py codes: codecs by the part of the work that a job of it does, and those of long caches."""
from typing import NamedTuple


class Klt(NamedTuple):
    """Settings of klt that differ in their rate alone; profile "own" is one of the coded text's own kind."""
    rates: str
    profile: str
    keys: str = ""

    def pattern(self, plan):
        keys = f",{self.keys}" if self.keys else ""
        return f"klt:bits={{{self.rates}}},scope=layer,predict=1{keys},profile={plan.profile(self.profile)}"


class Head(Klt):
    """The same of single heads."""

    def pattern(self, plan):
        keys = f",{self.keys}" if self.keys else ""
        return f"klt:bits={{{self.rates}}},page={HOT_PAGE}{keys},profile={plan.profile(self.profile)}"


HOT_PAGE, HOT_TOKENS, HOT = 256, 2048, "2.5,3,3.5"
ONE, SIX = "1,1.4,2", "0.9,1.3,1.8"
# What a job codes of a passage. Those of STATIC have kernels and take seconds a cell; the others are learnt, on the host.
PARTS = {
    "plain": ("ece8:bits={3,3.5,4,4.5},center=mean", "e8:q=15,rule=published"),
    "none": ("klt:bits={3,3.5,4},profile=none",),
    "static": (Klt(SIX, "mix.group6"), Klt(ONE, "mix"), Klt(f"{SIX},2.5", "novel.group6"), Klt(ONE, "novel")),
    "static-mix": (Klt(SIX, "mix.group6"), Klt(ONE, "mix")),
    "static-novel": (Klt(f"{SIX},2.5", "novel.group6"), Klt(ONE, "novel")),
    "static-own": (Klt(SIX, "own.group6"), Klt(ONE, "own")),
    "static-three": (Klt(SIX, "mix.group3"), Klt(SIX, "novel.group3")),
    "mix": (Klt(ONE, "mix", "adapt=1000"),),
    "novel": (Klt(ONE, "novel", "adapt=1000"),),
    "own": (Klt(ONE, "own", "adapt=1000"),),
    "heads": (Klt("2.2,2.7,3.2", "mix", "adapt=500,prior=heads"),),
    "heads-sent": (Klt("2.2,2.7,3.2", "mix", "adapt=500,prior=heads,send=32"),),
    "heads-three": (Klt("2.2,2.7", "mix", "adapt=500,prior=heads,group=3,send=32"),),
    "heads-six": (Klt("2.7", "mix", "adapt=500,prior=heads,group=6,send=32"),),
    "heads-six-low": (Klt("2.2", "mix", "adapt=500,prior=heads,group=6,send=32"),),
    "mix-others": (Klt("1.4", "mix", "adapt=500"), Klt("1.4", "mix", "adapt=2000")),
    "heads-others": (Klt("2.2,2.7", "mix", "adapt=250,prior=heads"), Klt("2.2,2.7", "mix", "adapt=125,prior=heads")),
    "heads-light": (Klt("2.2,2.7,3.2", "mix", "adapt=125,prior=heads"),),
    "heads-three-light": (Klt("2.2,2.7", "mix", "adapt=250,prior=heads,group=3,send=32"),),
    "int8": (Klt(ONE, "mix.int8", "adapt=1000"),),
    "heads-int8": (Klt("2.2,2.7,3.2", "mix.int8", "adapt=500,prior=heads"),),
    "heads-three-int8": (Klt("2.2,2.7", "mix.int8", "adapt=500,prior=heads,group=3,send=32"),),
    "mix-2000": (Klt(ONE, "mix", "adapt=2000"),),
    "mix-auto": (Klt(ONE, "mix", "adapt=1000,send=auto"),),
    "novel-light": (Klt(ONE, "novel", "adapt=250"), Klt(ONE, "novel", "adapt=500")),
    "novel-auto": (Klt(ONE, "novel", "adapt=1000,send=auto"),),
    "three": (Klt(SIX, "mix.group3", "adapt=1000"),),
    "three-novel": (Klt(SIX, "novel.group3", "adapt=1000"),),
    "three-novel-light": (Klt("1,1.4", "novel.group3", "adapt=250"),),
    "three-int8": (Klt("1.1,1.5", "mix.group3.int8", "adapt=2000"),),
    "static-three-int8": (Klt("1.1,1.5", "mix.group3.int8"),),
    "six-low": (Klt("0.9", "mix.group6", "adapt=1000"),),
    "six-high": (Klt("1.3", "mix.group6", "adapt=1000"),),
    "hot-static": (f"ece8:bits={{3,3.5,4,4.5}},center=mean,page={HOT_PAGE}", "e8:q=15,rule=published", Head(HOT, "mix"), Head(f"{HOT},4", "novel")),
    "hot-mix": (Head(HOT, "mix", "adapt=1000"), Head(HOT, "mix", "adapt=250")),
    "hot-novel": (Head(HOT, "novel", "adapt=250"), Head(HOT, "novel", "adapt=1000")),
    "hot-scales": (Head(HOT, "mix", "adapt=1000,learn=scales"), Head(HOT, "novel", "adapt=250,learn=scales")),
}
STATIC = ("plain", "static", "static-mix", "static-novel", "static-own", "static-three", "static-three-int8", "hot-static")
BESIDE_FLOOR = ("plain", "hot-static")  # whose passages are forwarded with nothing coded too
LEARNING_HEADS = ("hot-static", "hot-mix", "hot-novel", "hot-scales")
LEARNING = ("plain", "none", "static", "mix", "novel", "heads")
# Of long caches: where rates of 8k tokens are read off between settings, those of longer ones differ by what these do.
LONG = {"none": "klt:bits=3.5,profile=none", "mix": Klt("1.4", "mix", "adapt=1000"), "three-int8": Klt("1.3", "mix.group3.int8", "adapt=2000"), "heads": Klt("2.7", "mix", "adapt=500,prior=heads"),
        "heads-three": Klt("2.7", "mix", "adapt=500,prior=heads,group=3,send=32"), "heads-six": Klt("2.7", "mix", "adapt=500,prior=heads,group=6,send=32")}
LONG_THREADS = {("heads-three", 16): 3, ("three-int8", 16): 4, ("three-int8", 4): 2, ("heads-six", 4): 3, ("heads-six", 16): 5}  # of passages together; one where they are not named
