# SPDX-License-Identifier: Apache-2.0
"""Which settings the pages of reports/ compare, for headline.py: folders of samples, curves of klt, codecs that they are held against; and how an interval reads."""
import itertools
import json
import math
from typing import NamedTuple


class Curve(NamedTuple):
    """Settings of klt that bits are read off between."""
    unit: str  # heads, layers, six layers ...
    pattern: str
    rates: tuple
    profile: str  # its digest, as codecs name it
    megabytes: str = ""  # of the profile
    more: tuple = ()  # further settings, with a profile calibrated anew on the same texts

    def codecs(self):
        return [*self.more, *(self.pattern.format(rate, self.profile) for rate in self.rates)]


class Page(NamedTuple):
    models: tuple  # of (title, folder in reports/, curves), and references of that model alone
    references: dict  # name: codec, or (another folder of samples of the same passages, codec)
    finished: bool = False  # a cache coded once, its last page too; else one that grows, whose open page is bf16
    shown: tuple = ()  # units in the page's table, where not all of whole_cache.csv's
    grown: bool = False  # says what that takes at 8k tokens, half a page open, too: samples have to record pages
    digits: int = 2  # decimals of the ends of intervals
    by_text: bool = False  # its models' titles end in that of a text: a column each


HEADS = "klt:bits={},profile={}"
HEADS_TCQ = "klt:bits={},lattice=tcq,profile={}"
LAYERS = "klt:bits={},lattice=tcq,scope=layer,restart=1,page=512,profile={}"
HEADS_128 = "klt:bits={},page=128,profile={}"
HEADS_TCQ_128 = "klt:bits={},lattice=tcq,page=128,profile={}"
LAYERS_128 = "klt:bits={},lattice=tcq,scope=layer,restart=1,page=128,profile={}"
COLD = "klt:bits={},scope=layer,predict={},profile={{}}"
LAYER_RATES = ("1", "1.3", "1.7", "2.1", "2.5", "3")
TEXT_COLD_RATES = ("0.45", "0.65", "0.9", "1.3", "1.8", "2.5")
COLD_RATES = ("0.3", *TEXT_COLD_RATES)

KIVI = {f"KIVI, {bits} bits": f"kivi:b={bits}" for bits in (2, 3, 4)}
KIVI_3 = {name: codec for name, codec in KIVI.items() if codec == "kivi:b=3"}
SHORT = {"KIVI, 4 bits": "kivi:b=4", "E8, Q=15": "e8:q=15,rule=published", "E8, Q=22": "e8:q=22,rule=published"}  # on the front page
CENTRED = {"ece8 centred, 4 bits": "ece8:bits=4,center=mean", "ece8 centred, 3 bits": "ece8:bits=3,center=mean"}
CENTRED_128 = {name: codec + ",page=128" for name, codec in CENTRED.items()}
ROTATED = {"q4_0, rotated": "q4_0:rotate=keys", "q5_0, rotated": "q5_0:rotate=keys"}
FIXED = {"TurboQuant, 4 bits": "turboquant:b=4", "INT4, a token and head": "int4", "NVFP4": "nvfp4", "fp8": "fp8"}
MORE = {"E8, Q=15, rANS": "e8:q=15,pack=rans", "E8, Q=22, rANS": "e8:q=22,pack=rans", "iq4_nl, rotated": "iq4_nl:rotate=keys", "q4_1, rotated": "q4_1:rotate=keys",
        "q5_1, rotated": "q5_1:rotate=keys", "q8_0, rotated": "q8_0:rotate=keys", "TurboQuant, 5 bits": "turboquant:b=5", "TurboQuant prod, 6 bits": "turboquant:b=6,mode=prod", "MXFP4": "mxfp4",
        "INT8, a token and head": "int8"}
MORE_128 = {name: codec + ",page=128" if "rans" in codec else codec for name, codec in MORE.items()}
KVTC_RATES = ("0.8", "1.2", "1.7", "2.4", "3.4", "4.5")
HOT = "4564ed6c753239de"  # SmolLM2's profile of the mix for a growing cache
GEMMA_HOT = "12779678b66778d0"
WHOLE = {"SmolLM2": "949625cdaa9168b5", "Gemma 3": "93a1d24c39740d16"}  # calibrated anew on the same mix, for the whole text
RATES = {"SmolLM2": ("2.5", "2.8", "3.1", "3.5", "4"), "Gemma 3": ("2.2", "2.6", "2.85", "3.3", "3.6", "4")}  # of heads
FOLDERS = {"SmolLM2": "smollm2-135m", "Gemma 3": "gemma3-270m"}


def pair_name(keys, values):
    """As reports name a codec of keys and one of values."""
    return keys if keys == values else f"K {keys}, V {values}"


def of_folder(codec, folder):
    """A codec as cells() has it. llama.cpp rotates keys by the largest power of two that divides head_dim, and values by 64: Gemma's head_dim is 256."""
    keys = "rotate=256" if FOLDERS["Gemma 3"] in folder else "rotate=64"
    return pair_name(codec.replace("rotate=keys", keys), codec.replace("rotate=keys", "rotate=64"))


def hot(page, profiles, heads, layers, layer_rates=LAYER_RATES, megabytes=({}, {}), rates=RATES, again=()):
    """Of each model: single heads and whole layers, from reports/PAGE/MODEL, with the profile of the digest that PROFILES has for it; heads at rates of AGAIN with WHOLE's."""
    return tuple((title, f"{page}/{FOLDERS[title]}", (Curve("heads", heads, rates[title], digest, megabytes[0].get(title, ""), tuple(heads.format(rate, WHOLE[title]) for rate in again)),
                                                      Curve("layers", layers, layer_rates, digest, megabytes[1].get(title, "")))) for title, digest in profiles.items())


def kvtc(profile):
    return {f"KVTC, bits={rate}": f"kvtc:bits={rate},page=1024,profile={profile}" for rate in KVTC_RATES}


def kvtc_exact(samples, profile):
    """KVTC as it was published: its last 128 tokens exact, from another folder of samples of the same passages."""
    return {f"{name}, last 128 tokens exact": (f"{samples}-all-components", codec) for name, codec in kvtc(profile).items()}


def kivi_own(samples):
    """KIVI as its code has it, keys after RoPE and the last 128 tokens exact, from another folder of samples of the same passages."""
    return {f"{name}, own policy": (samples, codec) for name, codec in KIVI.items()}


def cold(title, groups, profile):
    """Layers by sixes, threes and alone, each with its profile, and KVTC at its six rates, its last 128 tokens coded too or exact; KIVI under its own policy."""
    six, three, one = groups
    curves = (Curve("six layers", COLD.format("{}", 1), COLD_RATES, six), Curve("three layers", COLD.format("{}", 1), COLD_RATES, three),
              Curve("one layer", COLD.format("{}", 2), ("0.35", "0.6", "1", "1.5", "2.1"), one))
    return title, f"held-out-cold/{FOLDERS[title]}", curves, {**kvtc(profile), **kvtc_exact(f"held-out-kvtc/{FOLDERS[title]}", profile), **kivi_own(f"kivi-cold/{FOLDERS[title]}.held-out")}


PROFILES = {"SmolLM2": HOT, "Gemma 3": GEMMA_HOT}
SIX = {"development": {"SmolLM2": "c3767853ceaf4eac", "Gemma 3": "c2ae20bdc57cf421"}, "held-out": {"SmolLM2": "c421cdcdfb313a0a", "Gemma 3": "12a90d97ac309713"}}
KVTC = {"SmolLM2": "ef9e8248a4223484", "Gemma 3": "65069c4c5d22fae1"}
POST_ROPE = {"SmolLM2": "58eb8186dc6d5cef", "Gemma 3": "cbb948ad8112fa15"}
WITH_KIVI = {**KIVI, **SHORT, **CENTRED_128, **ROTATED, **FIXED, **MORE_128}
KIVI_RATES = {"SmolLM2": (*RATES["SmolLM2"], "4.5"), "Gemma 3": ("1.8", *RATES["Gemma 3"], "4.5")}
KIVI_LAYER_RATES = (*LAYER_RATES, "3.5", "4")
WITH_KIVI_RATES = dict.fromkeys(FOLDERS, ("2", "2.5", "3.1", "3.5", "4", "4.5"))  # of heads

# Text that is coded.
TEXTS = {"Wikipedia (WikiText-2 test)": "wiki.test", "source code (Python)": "python-code", "German manual pages": "manpages-de", "French manual pages": "manpages-fr",
         "Chinese manual pages": "manpages-zh"}

PAGES = {
    "headline": Page((
        ("SmolLM2", "transform/smollm2-135m-hot", (Curve("heads", HEADS, ("2.5", "2.8", "3.1", "3.5"), "84566a55da675655", "1.5"),
                                                   Curve("layers", LAYERS, LAYER_RATES, "84566a55da675655", "10.4"))),
        ("Gemma 3", "transform/gemma3-270m-hot", (Curve("heads", HEADS, ("2.2", "2.35", "2.6", "2.85", "3.3", "3.6"), "460409a1c26ecf51", "4.8"),
                                                  Curve("layers", LAYERS, LAYER_RATES, "460409a1c26ecf51", "14.2")))),
        {**SHORT, "q5_0": "q5_0", "q4_0": "q4_0"}),
    "held-out": Page(hot("held-out", PROFILES, HEADS_128, LAYERS_128, (*LAYER_RATES, "3.5"), ({"SmolLM2": "1.5", "Gemma 3": "4.8"}, {"SmolLM2": "10.4", "Gemma 3": "14.2"}),
                         again=("1.2", "1.5", "2")),
                     {**KIVI, **SHORT, **CENTRED_128, **ROTATED, **FIXED, **MORE_128}, grown=True),
    "held-out-kivi": Page(hot("held-out-kivi", POST_ROPE, HEADS_TCQ_128, LAYERS_128, KIVI_LAYER_RATES, rates=KIVI_RATES), WITH_KIVI, grown=True),
    "held-out-cold": Page((cold("SmolLM2", (SIX["held-out"]["SmolLM2"], "aedc4c2e3a8a1e19", "6e477f50a1405a31"), KVTC["SmolLM2"]),
                           cold("Gemma 3", (SIX["held-out"]["Gemma 3"], "a1543a13d589330b", "2bec5f08efb2304c"), KVTC["Gemma 3"])),
                          {**KIVI, **SHORT, **CENTRED, **ROTATED, **FIXED, **MORE}, finished=True, shown=("six layers",)),
    "whole-text": Page(hot("whole-text", WHOLE, HEADS_128, LAYERS_128, ("1", "1.3", "1.7", "2.5", "3"), rates=dict.fromkeys(FOLDERS, ("1.5", "2", "2.5", "3.1", "3.5"))),
                       {**SHORT, **CENTRED_128, "ece8 centred, 4.5 bits": "ece8:bits=4.5,center=mean,page=128", **ROTATED, **FIXED, **MORE_128}, grown=True, digits=3),
    "whole-text-kivi": Page(hot("whole-text-kivi", POST_ROPE, HEADS_TCQ_128, LAYERS_128, KIVI_LAYER_RATES, rates=WITH_KIVI_RATES), WITH_KIVI, grown=True, digits=3),
    "calibration-texts-kivi": Page(tuple((f"{title}, {name}", f"{folder}.{text}", curves) for title, folder, curves in
                                         hot("calibration-texts-kivi", POST_ROPE, HEADS_TCQ_128, LAYERS_128, KIVI_LAYER_RATES, rates=WITH_KIVI_RATES)
                                         for name, text in TEXTS.items()),
                                   WITH_KIVI, grown=True, by_text=True),
}
# The same settings on the passages that choices were made on and on those that were held out.
SPLITS = {"development": Page(tuple((title, f"splits/{FOLDERS[title]}-development", curves) for title, _, curves in
                                    hot("", PROFILES, HEADS, LAYERS, (*LAYER_RATES, "3.5"), rates=dict.fromkeys(FOLDERS, RATES["SmolLM2"]))),
                              {**KIVI_3, **SHORT, **CENTRED, **ROTATED, **FIXED, **MORE}),
          "held-out": Page(hot("held-out", PROFILES, HEADS, LAYERS, (*LAYER_RATES, "3.5")), {**KIVI_3, **SHORT, **CENTRED, **ROTATED, **FIXED, **MORE})}
SPLITS_COLD = {split: Page(tuple((title, folder.format(FOLDERS[title]), (Curve("six layers", COLD.format("{}", 1), COLD_RATES, digest),),
                                  {**kvtc(KVTC[title]), **kvtc_exact(exact.format(FOLDERS[title]), KVTC[title]), **kivi_own(f"kivi-cold/{FOLDERS[title]}.{split}")}) for title, digest in SIX[split].items()),
                           {**KIVI_3, **SHORT, **CENTRED, **ROTATED, **FIXED, **MORE}, finished=True)
               for split, folder, exact in (("development", "splits-cold/{}-development", "kvtc-window/{}.development"), ("held-out", "held-out-cold/{}", "held-out-kvtc/{}"))}
SPLITS_KIVI = {"development": Page(tuple((title, f"splits-kivi/{FOLDERS[title]}-development", curves) for title, _, curves in hot("", POST_ROPE, HEADS_TCQ_128, LAYERS_128, KIVI_LAYER_RATES, rates=KIVI_RATES)), WITH_KIVI, grown=True),
               "held-out": PAGES["held-out-kivi"]}
# KIVI under its own policy in caches coded once: rows of the pages whose klt it is held against.
PAGES["kivi-cold"] = Page((*((f"{title}, {split} passages", folder, curves, kivi_own(f"kivi-cold/{FOLDERS[title]}.{split}")) for title in FOLDERS for split, page in SPLITS_COLD.items()
                             for model, folder, curves, _ in page.models if model == title),
                           *((f"{title}, {name}", f"calibration-texts-cold/{FOLDERS[title]}.{text}", (Curve("six layers", COLD.format("{}", 1), TEXT_COLD_RATES, SIX["development"][title]),),
                              kivi_own(f"kivi-cold/{FOLDERS[title]}.{text}")) for title in FOLDERS for name, text in TEXTS.items())), {}, finished=True)
# Whole layers with TCQ and with klt's own lattice, of the frozen settings.
TCQ = tuple((f"held-out/{FOLDERS[title]}", title, *(Curve("layers", pattern, (*LAYER_RATES, "3.5"), digest) for pattern in (LAYERS, LAYERS.replace(",lattice=tcq", ""))))
            for title, digest in PROFILES.items())
# Text that the profile was calibrated on.
TEXT_REFERENCE = "ece8:bits=4,center=mean"
TEXT_BASELINES = {**SHORT, **ROTATED, **FIXED, **MORE}


class TextPage(NamedTuple):
    models: tuple  # of (title, "" where the page has one model; prefix of the folders of samples; digests of the profiles of a mix, a novel and Wikipedia)
    curves: dict  # unit: (pattern, rates)
    finished: bool = False
    kvtc: dict = {}  # of a model: the digest of the profile that KVTC has


CALIBRATIONS = ("mix", "a novel", "Wikipedia")
OWN_KIND = "text of its own kind"  # behind what is scored; its digest is the one in the samples beside those three
SCORED_KIND = "Wikipedia (WikiText-2 test)"  # whose own kind is Wikipedia
SHARE_TEXT = ("German manual pages", "French manual pages", "Chinese manual pages")  # of the own kind: notes of copyright and translation stand in what is coded and in what was calibrated on
TEXT_CURVES = {"heads": (HEADS_TCQ, ("2.5", "3", "3.5")), "layers": (LAYERS, ("1.3", "1.7", "2.1", "2.5", "3"))}
COLD_CURVES = {"six layers": (COLD.format("{}", 1), TEXT_COLD_RATES)}
TEXT_PAGES = {"calibration-texts": TextPage((("", "calibration-texts/", (HOT, "e9e16ad59ad3df24", "5505e7ba7a0071df")),), TEXT_CURVES),
              "calibration-texts-gemma3-270m": TextPage((("", "calibration-texts-gemma3-270m/", ("93a1d24c39740d16", "b830871d69fcee01", "34408ac596523fe2")),), TEXT_CURVES),
              "calibration-texts-cold": TextPage((("SmolLM2", "calibration-texts-cold/smollm2-135m.", ("c3767853ceaf4eac", "6bc2bdb4b073526a", "bc7a71a91f227092")),
                                                  ("Gemma 3", "calibration-texts-cold/gemma3-270m.", ("c2ae20bdc57cf421", "9f87da0165e39752", "8ea584e895ecd158"))), COLD_CURVES, True, KVTC)}


def interval(low_and_high, digits=2):
    """An end beyond the measured settings is left out."""
    low, high = low_and_high
    if low == -math.inf:
        return f"≤{high:.{digits}f}"
    return f"≥{low:.{digits}f}" if high == math.inf else f"{low:.{digits}f}–{high:.{digits}f}"


def short(interval_text):
    return interval_text.replace("0.", ".")


def own_digest(codecs, pattern, rates, digests):
    """Of CODECS, the profile beside those of DIGESTS that the settings of a curve have: one of the coded text's own kind; None where there is none."""
    head, tail = pattern.format(rates[0], "\0").split("\0")
    others = {codec.removeprefix(head).removesuffix(tail) for codec in codecs if codec.startswith(head) and codec.endswith(tail)} - set(digests)
    if len(others) > 1:
        raise ValueError(f"{pattern.format(rates[0], '*')}: profiles {', '.join(sorted(others))}: expected at most one beside {', '.join(digests)}")
    return min(others, default=None)


def check_shared(reports, page):
    """Raises ValueError where passages share text with what a profile was calibrated on and SHARE_TEXT does not say so."""
    for (_, prefix, _), (title, folder) in itertools.product(page.models, TEXTS.items()):
        runs = json.loads((reports / (prefix + folder) / "provenance.json").read_text(encoding="utf-8"))["runs"]
        shared = [profile["text_name"] for run in runs for profile in run.get("profiles", ()) if profile.get("shared_passages")]
        if shared and title not in SHARE_TEXT:
            raise ValueError(f"{prefix}{folder} shares text with {shared[0]}: expected {title!r} in SHARE_TEXT")


# Vectors of a head, or tokens of a layer, a page: what that costs the coded values, and what half of one, open, costs a growing cache.
PAGE_FAMILIES = {"klt, heads, 2.5 bits": "klt:bits=2.5,alloc=none", "klt, heads, 3.1 bits": "klt:bits=3.1,alloc=none", "klt, layers, 1.7 bits": "klt:bits=1.7,lattice=tcq,scope=layer,restart=1",
                 "klt, layers, 2.5 bits": "klt:bits=2.5,lattice=tcq,scope=layer,restart=1", "ece8 centred, 3 bits": "ece8:bits=3,center=mean", "ece8 centred, 4 bits": "ece8:bits=4,center=mean"}
PAGE_DEFAULT = {"klt": 1024, "ece8": 1024, "klt:layer": 64}
CONTEXTS = {"2k": 2048, "8k": 8192, "32k": 32768}

# Older studies on development passages: one table each; units stand across, or down where units are texts of the profile.
E8 = {"E8, Q=15": SHORT["E8, Q=15"], "E8, Q=22": SHORT["E8, Q=22"]}
ENGINES = {**E8, "KIVI, 4 bits": "kivi:b=4", "KIVI, 3 bits": "kivi:b=3", "q5_0": "q5_0", "q4_0": "q4_0"}
HEADS_TCQ_64 = "klt:bits={},lattice=tcq,profile={}"
LAYERS_E8 = LAYERS.replace(",lattice=tcq", "")
COLD_SHAPED = "klt:bits={},scope=layer,predict=1,shaping={},profile={{}}"
ONE_LAYER = "klt:bits={},scope=layer,predict=2,profile={}"
ONE_RATES = ("0.7", "1", "1.5", "2.1")


def older_hot(title, rates, profile):
    curves = (("heads", HEADS, rates), ("heads with TCQ", HEADS_TCQ_64, rates), ("layers", LAYERS_E8, LAYER_RATES), ("layers with TCQ", LAYERS, LAYER_RATES),
              ("layers `shaping=0`", LAYERS_E8.replace("layer,", "layer,shaping=0,"), ("1.7", "2.5")))
    return title, f"transform/{FOLDERS[title]}-hot", tuple(Curve(*curve, profile) for curve in curves)


def older_cold(title, groups, profile):
    six, three, one = groups
    curves = (Curve("six layers", COLD.format("{}", 1), COLD_RATES, six), Curve("three layers", COLD.format("{}", 1), COLD_RATES, three),
              Curve("one layer", COLD.format("{}", 2), ("0.35", "0.6", "1", "1.5", "2.1"), one),
              Curve("three `shaping=0`", COLD_SHAPED.format("{}", 0), ("0.5", "0.9", "1.5", "2.1"), three), Curve("three `shaping=0.4`", COLD_SHAPED.format("{}", 0.4), ("0.4", "1"), three))
    return title, f"transform-cold/{FOLDERS[title]}-cold", curves, kvtc(profile)


MIXED = {"SmolLM2": "ded4d282d5de7f8b", "Gemma 3": "851c69ecf0643a54"}  # 36 passages of a mix
STUDIED = ("a novel: 1", "a novel: 2", "a novel: 4", "a novel: 8", "a novel: 16", "an encyclopedia: 1", "an encyclopedia: 4", "an encyclopedia: 16", "a mix: 3", "a mix: 6", "a mix: 9", "a mix: 16")
AMOUNTS = {"SmolLM2": (("2.6", "3.2"), "E8, Q=15", ("2717ebc0f46a963d", "8fee10805500bfd7", "5897a80479b3e93e", "7ba18dcca2afe858", "df9370ecf7cf1846", "c5d73943749ac50f",
                                                    "62b63db5456c8cda", "6f96202bdcd966c6", "45561acf1855f175", "1eb4051349244857", "91dab45bc6013f98", "64c1cebc892162ac")),
           "Gemma 3": (("2.4", "3"), "E8, Q=22", ("341f97ee2cdb0fc9", "3259ea76a5b59f88", "47bbe9683bec126d", "f7fb2efefc71a410", "abc4a460fa98d465", "0159d435978c32aa",
                                                  "26f0e89f7734ace9", "5523eff989e07420", "ff6cb1d433bc73a2", "10b7969715368408", "142e52337098c86b", "cfb72b9a580a82d6"))}
CONTEXT_RATES = {"SmolLM2": ("2.5", "3.1"), "Gemma 3": ("2.3", "2.8")}
LENGTHS = {"SmolLM2": (512, 1024, 4096, 8128), "Gemma 3": (512, 1024, 4096, 8192)}
TAPS = {"before": {model: (rates, MIXED[model]) for model, rates in (("SmolLM2", ("2.5", "2.8", "3.1", "3.5")), ("Gemma 3", ("2.2", "2.5", "2.8", "3.2")))}}
TAPS["after"] = {"SmolLM2": (TAPS["before"]["SmolLM2"][0], "f2a1f611ea38f6f6"), "Gemma 3": (TAPS["before"]["Gemma 3"][0], "12b1953ec4dbc82d")}
COLD_TEXTS = {"SmolLM2": ("0039dc6910436666", "4c91fb5f0fec61bc", "f6fd69628f4f7522"), "Gemma 3": ("221dfd82059ec1b2", "ba96b2abe495f1f1", "184a750402fe94fe")}


def studies(models, references, finished=False):
    """A table of folders of transform-studies: (title, folder, curves) each."""
    return Page(tuple((title, f"transform-studies/{folder}", *more) for title, folder, *more in models), references, finished, digits=3)


OLDER = {
    "transform": (Page((older_hot("SmolLM2", ("2.5", "2.8", "3.1", "3.5"), "84566a55da675655"), older_hot("Gemma 3", ("2.2", "2.35", "2.6", "2.85", "3.3", "3.6"), "460409a1c26ecf51")),
                       {**ENGINES, "q8_0": "q8_0"}, digits=3),),
    "transform-cold": (Page((older_cold("SmolLM2", ("2de626c03264444e", "5e94a33edea77317", "ca5759f5a397547f"), "832a521fe3d1f80c"),
                             older_cold("Gemma 3", ("2ca5ea4e09487d45", "540acf518323338c", "a686058e6236ada7"), "4ace727d3723f033")), E8, finished=True, digits=3),),
    "transform-studies": (
        studies(((model, f"{FOLDERS[model]}-calibration", tuple(Curve(text, HEADS, rates, digest) for text, digest in zip(STUDIED, digests)), {name: E8[name]})
                 for model, (rates, name, digests) in AMOUNTS.items()), {}),
        studies(((f"{model}, {length} tokens", f"{FOLDERS[model]}-context-{length}", (Curve("heads", HEADS, CONTEXT_RATES[model], MIXED[model]),))
                 for model, lengths in LENGTHS.items() for length in lengths), {**E8, "KIVI, 4 bits": "kivi:b=4", "q4_0": "q4_0"}),
        studies(((f"{model}, {tap} RoPE", f"{FOLDERS[model]}-{'pre' if tap == 'before' else 'post'}-rope", (Curve("heads", HEADS, *of[model]),))
                 for model in FOLDERS for tap, of in TAPS.items()), {**E8, "KIVI, 4 bits": "kivi:b=4", "q4_0": "q4_0"}),
        studies(((model, f"{FOLDERS[model]}-cold-calibration", tuple(Curve(text, ONE_LAYER, ONE_RATES, digest) for text, digest in zip(("a novel", "an encyclopedia", "a mix"), digests)))
                 for model, digests in COLD_TEXTS.items()), E8, finished=True),
        studies(((f"{model}, {length} tokens", f"{FOLDERS[model]}-cold-context-{length}", (Curve("one layer", ONE_LAYER, ONE_RATES, COLD_TEXTS[model][-1]),))
                 for model, lengths in LENGTHS.items() for length in (lengths[0], lengths[-1])), E8, finished=True)),
}
