# SPDX-License-Identifier: Apache-2.0
"""Which settings the pages of reports/ compare, for headline.py: folders of samples, curves of klt, codecs that they are held against."""
from typing import NamedTuple


class Curve(NamedTuple):
    """Settings of klt that bits are read off between."""
    unit: str  # heads, layers, six layers ...
    pattern: str
    rates: tuple
    profile: str  # its digest, as codecs name it
    megabytes: str = ""  # of the profile

    def codecs(self):
        return [self.pattern.format(rate, self.profile) for rate in self.rates]


class Page(NamedTuple):
    models: tuple  # of (title, folder in reports/, curves)
    references: dict  # name: codec, or (another folder of samples of the same passages, codec)
    finished: bool = False  # a cache coded once, its last page too; else one that grows, whose open page is bf16


HEADS = "klt:bits={},profile={}"
HEADS_TCQ = "klt:bits={},lattice=tcq,profile={}"
LAYERS = "klt:bits={},lattice=tcq,scope=layer,restart=1,page=512,profile={}"
COLD = "klt:bits={},scope=layer,predict={},profile={{}}"
LAYER_RATES = ("1", "1.3", "1.7", "2.1", "2.5", "3")
COLD_RATES = ("0.3", "0.45", "0.65", "0.9", "1.3", "1.8", "2.5")

SHORT = {"KIVI, 4 bits": "kivi:b=4", "E8, Q=15": "e8:q=15,rule=published", "E8, Q=22": "e8:q=22,rule=published"}  # on the front page
CENTRED = {"ece8 centred, 4 bits": "ece8:bits=4,center=mean", "ece8 centred, 3 bits": "ece8:bits=3,center=mean"}
ROTATED = {"q4_0, rotated": "q4_0:rotate=64", "q5_0, rotated": "q5_0:rotate=64"}
FIXED = {"TurboQuant, 4 bits": "turboquant:b=4", "INT4, a token and head": "int4", "NVFP4": "nvfp4", "fp8": "fp8"}
KVTC = "kvtc:bits={},page=1024,profile=ef9e8248a4223484"
KVTC_RATES = ("0.8", "1.2", "1.7", "2.4", "3.4", "4.5")
HOT = "4564ed6c753239de"  # SmolLM2's profile of the mix for a growing cache
HELD_OUT_CURVES = (Curve("heads", HEADS, ("2.5", "2.8", "3.1", "3.5", "4"), HOT, "1.5"), Curve("layers", LAYERS, (*LAYER_RATES, "3.5"), HOT, "10.4"))

PAGES = {
    "headline": Page((
        ("SmolLM2", "transform/smollm2-135m-hot", (Curve("heads", HEADS, ("2.5", "2.8", "3.1", "3.5"), "84566a55da675655", "1.5"),
                                                   Curve("layers", LAYERS, LAYER_RATES, "84566a55da675655", "10.4"))),
        ("Gemma 3", "transform/gemma3-270m-hot", (Curve("heads", HEADS, ("2.2", "2.35", "2.6", "2.85", "3.3", "3.6"), "460409a1c26ecf51", "4.8"),
                                                  Curve("layers", LAYERS, LAYER_RATES, "460409a1c26ecf51", "14.2")))),
        {**SHORT, "q5_0": "q5_0", "q4_0": "q4_0"}),
    "held-out": Page((("SmolLM2", "held-out", HELD_OUT_CURVES),), {**SHORT, **CENTRED, **ROTATED, **FIXED}),
    "held-out-kivi": Page((("SmolLM2", "held-out-kivi", (
        Curve("heads", HEADS_TCQ, ("2.5", "2.8", "3.1", "3.5", "4"), "d1760fac9fa9bc1a"), Curve("layers", LAYERS, LAYER_RATES, "d1760fac9fa9bc1a"))),),
        {"KIVI, 2 bits": "kivi:b=2", "KIVI, 3 bits": "kivi:b=3", "KIVI, 4 bits": "kivi:b=4", **CENTRED, "q4_0, rotated": "q4_0:rotate=64", "TurboQuant, 4 bits": "turboquant:b=4"}),
    "held-out-cold": Page((("SmolLM2", "held-out-cold", (
        Curve("six layers", COLD.format("{}", 1), COLD_RATES, "c421cdcdfb313a0a"), Curve("three layers", COLD.format("{}", 1), COLD_RATES, "aedc4c2e3a8a1e19"),
        Curve("one layer", COLD.format("{}", 2), ("0.35", "0.6", "1", "1.5", "2.1"), "6e477f50a1405a31"))),),
        {**SHORT, **CENTRED, **ROTATED, **FIXED, **{f"KVTC, bits={rate}": KVTC.format(rate) for rate in KVTC_RATES},
         **{f"KVTC, bits={rate}, last 128 tokens exact": ("held-out-kvtc/all-components", KVTC.format(rate)) for rate in KVTC_RATES}}, finished=True),
    "whole-text": Page((("SmolLM2", "whole-text", (Curve("heads", HEADS, ("2.5", "3.1", "3.5"), HOT), Curve("layers", LAYERS, ("1.7", "2.5", "3"), HOT))),),
                       {**SHORT, "ece8 centred, 4 bits": "ece8:bits=4,center=mean", "ece8 centred, 4.5 bits": "ece8:bits=4.5,center=mean", "fp8": "fp8"}),
}
# The same settings on the passages that choices were made on and on those that were held out.
SPLITS = {"development": Page((("SmolLM2", "splits/smollm2-135m", HELD_OUT_CURVES),), PAGES["held-out"].references), "held-out": PAGES["held-out"]}
# Text that is coded, and text that the profile was calibrated on: name and the profile's digest.
TEXTS = {"Wikipedia (WikiText-2 test)": "wiki.test", "source code (Python)": "python-code", "German manual pages": "manpages-de", "French manual pages": "manpages-fr",
         "Chinese manual pages": "manpages-zh"}
CALIBRATIONS = {"mix": HOT, "a novel": "e9e16ad59ad3df24", "Wikipedia": "5505e7ba7a0071df"}
TEXT_CURVES = {"heads": (HEADS_TCQ, ("2.5", "3", "3.5")), "layers": (LAYERS, ("1.3", "1.7", "2.1", "2.5", "3"))}
TEXT_REFERENCE = "ece8:bits=4,center=mean"
# Vectors of a head, or tokens of a layer, a page: what that costs the coded values, and what half of one, open, costs a growing cache.
PAGE_FAMILIES = {"klt, heads, 2.5 bits": "klt:bits=2.5,alloc=none", "klt, heads, 3.1 bits": "klt:bits=3.1,alloc=none", "klt, layers, 1.7 bits": "klt:bits=1.7,lattice=tcq,scope=layer,restart=1",
                 "klt, layers, 2.5 bits": "klt:bits=2.5,lattice=tcq,scope=layer,restart=1", "ece8 centred, 3 bits": "ece8:bits=3,center=mean", "ece8 centred, 4 bits": "ece8:bits=4,center=mean"}
PAGE_DEFAULT = {"klt": 1024, "ece8": 1024, "klt:layer": 64}
CONTEXTS = {"2k": 2048, "8k": 8192, "32k": 32768}
