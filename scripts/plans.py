#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether bits shared out among layers beat one setting for all: plans made on calibration text, against uniform codecs at equal bits.

usage: plans.py BIN --model M --calibrate TEXT --text TEST --out DIR [--families NAME ...] [--profile P.h5 ...] [--bits NAME=B,B ...]
                [--ctx N] [--eval N] [--passages N] [--held-out FIRST:COUNT] [--calibration-passages N] [--layer-group N ...]
                [--skip-edge-layers N] [--device cuda] [--study CODEC] [--dry-run]

Into DIR, which a stopped run goes on with:
  plans/NAME-B.json     of each family and rate, by kakeya-calibrate --plan on TEXT of --calibrate; NAME.measured has its cells. More than
                        one --layer-group: plans NAME.gN. As many as the model has layers: keys and values apart, all layers alike
  development/          kakeya-sweep of the uniform settings and the plans on the first --passages passages of TEST
  held-out/             the same of passages COUNT from FIRST on
  layers/               kakeya-sweep --layer-study of --study on the development passages
  report/, layers/report/   tables and charts, with what a plan loses over its own codec at equal bits, paired

Families: e8, ece8, kivi, klt (klt only where --profile is given). SmolLM2-135M on a GPU, in one command:
  scripts/plans.py build/release/bin --model smollm2-135m --calibrate wiki.valid.raw --text wiki.test.raw --profile smollm2.h5 --ctx 2048 \\
    --passages 32 --held-out 32:37 --calibration-passages 8 --layer-group 1 30 --skip-edge-layers 0 --device cuda --out out/plans
"""
import argparse
import pathlib
import subprocess
import sys

# Of each family: the settings that a plan chooses among, and those that it is compared with.
FAMILIES = {
    "e8": ("e8:q={3,4,6,10,22,38}", "e8:q={3,4,6,8,10,15,22}"),
    "ece8": ("ece8:bits={1.5,2,3,4,5},center=mean", "ece8:bits={1.5,2,2.5,3,3.5,4},center=mean"),
    "kivi": ("kivi:b={2,3,4,5}", "kivi:b={2,3,4,5}"),
    "klt": ("klt:bits={1,1.5,2,3,4}", "klt:bits={1,1.5,2,2.5,3,3.5}"),
}
BITS = {"e8": (4.0, 5.0), "ece8": (2.5, 3.5), "kivi": (3.5, 4.5), "klt": (2.5, 3.5)}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    for name in ("model", "calibrate", "text"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--families", nargs="+", choices=sorted(FAMILIES))
    parser.add_argument("--profile", nargs="+", default=[])
    parser.add_argument("--bits", nargs="+", default=[], metavar="NAME=B,B", help="rates of a family's plans, measured bits a coded value [two, for "
                        "passages of 2k tokens; sinks and scales take more of shorter ones]")
    parser.add_argument("--ctx", type=int, default=512)
    parser.add_argument("--eval", type=int, default=64)
    parser.add_argument("--passages", type=int, default=8)
    parser.add_argument("--held-out", default="8:8", metavar="FIRST:COUNT")
    parser.add_argument("--calibration-passages", type=int, default=4)
    parser.add_argument("--layer-group", type=int, nargs="+", default=[1])
    parser.add_argument("--skip-edge-layers", type=int, default=0)
    parser.add_argument("--sinks", type=int, default=4)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--study", nargs="*", default=["e8:q=4"], metavar="CODEC", help="of --layer-study; none: no study")
    parser.add_argument("--dry-run", action="store_true", help="only print the commands")
    return parser.parse_args()


class Run:
    def __init__(self, asked):
        self.asked = asked
        self.model = ["--model", asked.model, "--ctx", asked.ctx, "--eval", asked.eval, "--skip-edge-layers", asked.skip_edge_layers,
                      "--sinks", asked.sinks, "--device", asked.device]
        if asked.device != "cpu":
            self.model += ["--codec-device", "auto"]
        if asked.profile:
            self.model += ["--profile", *asked.profile]

    def program(self, name, *words):
        command = [str(self.asked.bin / f"kakeya-{name}"), *map(str, words)]
        print(" ".join(command), file=sys.stderr, flush=True)
        if not self.asked.dry_run:
            subprocess.run(command, check=True)

    def plans(self, family):
        """The files of its plans, one a rate and size of groups of layers."""
        files = []
        given = dict(word.split("=", 1) for word in self.asked.bits)
        for group in self.asked.layer_group:
            name = family if len(self.asked.layer_group) == 1 else f"{family}.g{group}"
            for bits in map(float, given[family].split(",")) if family in given else BITS[family]:
                file = self.asked.out / "plans" / f"{name}-{bits:g}.json"
                self.program("calibrate", "--plan", *self.model, "--text", self.asked.calibrate, "--passages", self.asked.calibration_passages,
                             "--codec", FAMILIES[family][0], "--bits", bits, "--layer-group", group, "--name", name,
                             "--measured", self.asked.out / "plans" / f"{family}.measured", "--out", file)
                files.append(file)
        return files

    def sweep(self, split, first, count, codecs, plans):
        self.program("sweep", *self.model, "--text", self.asked.text, "--first-passage", first, "--passages", count, "--split", split, "--noise-floor",
                     "--codec", *codecs, "--plan", *plans, "--out", self.asked.out / split)


def main():
    asked = parse()
    families = asked.families or [name for name in FAMILIES if name != "klt" or asked.profile]
    if "klt" in families and not asked.profile:
        sys.exit("plans.py: klt: expected --profile, the file of kakeya-calibrate for the model")
    (asked.out / "plans").mkdir(parents=True, exist_ok=True)
    run = Run(asked)
    plans = [file for family in families for file in run.plans(family)]
    codecs = [FAMILIES[family][1] for family in families]
    first, _, count = asked.held_out.partition(":")
    run.sweep("development", 0, asked.passages, codecs, plans)
    run.sweep("held-out", int(first), int(count), codecs, plans)
    run.program("report", asked.out / "development", asked.out / "held-out", "--out", asked.out / "report")
    if asked.study:
        run.program("sweep", *run.model, "--text", asked.text, "--passages", asked.passages, "--split", "development", "--noise-floor",
                    "--codec", *asked.study, "--layer-study", "--out", asked.out / "layers")
        run.program("report", "layers", asked.out / "layers", "--out", asked.out / "layers" / "report")


if __name__ == "__main__":
    main()
