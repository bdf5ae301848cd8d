#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts folders of kakeya-sweep, kakeya-perplexity or kakeya-needle that share one plan (other passages or prompts, other codecs) into one folder, as a single run
would have left it: samples.jsonl.xz, controls.jsonl.xz where a sweep measured its noise floor, and provenance.json with every run. Of one folder that shards wrote (kakeya-sweep --shard), their files
are joined. A cell that two folders have (the control, say) has to be the same in both; it is kept once, and so is a run of copies of a folder. Nothing is changed in the folders that are read.

usage: merge_samples.py OUT DIR... [--below N] [--controls FROM] [--summed-elsewhere]
         --below             passages (windows) 0 to N-1 alone, where runs ended at different ones
         --controls          the noise floor that another folder has, with the runs that measured it, but none of its samples: of the same model, text,
                             context, scored tokens, arithmetic, tap (which is where keys become bf16) and kind of device, and of passages whose
                             likelihood over the uncoded cache is the same to 1e-12 of itself. What was coded there, and how, is no part of it
         --summed-elsewhere  losses of a cell that two folders have may differ by 1e-12 of themselves, as they do between cards and builds that sum
                             in another order; how many did and by how much is said. Bytes and texts have to be equal
"""
import argparse
import json
import lzma
import math
import pathlib
import sys

SUMMED_ELSEWHERE = 1e-12  # relative: what another order of sums moves a mean of losses by (1e-13 was seen)
OF_CONTROLS = ("model_sha256", "text_sha256", "context", "scored", "dtype", "tap", "device")  # of a plan: what a forward with nothing coded depends on
SAME = ("nll", "nll_reference", "kld_mean", "bytes_written", "cache_bytes")  # of a cell measured twice; its times differ
SAME_CONTROL = ("kld_mean", "kld_max", "delta_ppl")
SAME_NEEDLE = ("answer_nll", "answer_nll_reference", "answer", "generated", "live_bytes")


def fail(text):
    sys.exit(f"merge_samples: {text}")


def parts_of(folder):
    """What a whole sweep wrote and what each of its shards did: provenance, samples, controls."""
    def order(path):
        index, _, count = path.name.split(".")[1].partition("-of-")
        return int(count), int(index)
    shards = sorted(folder.glob("provenance.*-of-*.json"), key=order)
    for head in (folder / "provenance.json", *shards):
        samples, controls = (head.with_name(head.name.replace("provenance", stem).replace(".json", ".jsonl")) for stem in ("samples", "controls"))
        yield json.loads(head.read_text(encoding="utf-8")), samples, controls, bool(shards)


def lines_of(samples, may_lack):
    packed = samples.with_name(samples.name + ".xz")
    if may_lack and not samples.exists() and not packed.exists():
        return  # a shard that was killed over its first cell, a sweep without controls
    try:
        with open(samples, encoding="utf-8") if samples.exists() else lzma.open(packed, "rt", encoding="utf-8") as lines:
            yield from (line for line in lines if line.endswith("\n"))  # a stopped run may have left half a line
    except OSError as error:
        fail(f"{samples.parent}: no samples to read: {error}")


def key(cell):
    where = ("task", "length", "depth", "sample") if "task" in cell else ("mode", "passage")
    return tuple(cell[name] for name in (*where, "codec_k", "codec_v"))


class Twice:
    """Cells measured twice: whether they came out the same, and what was let pass."""

    def __init__(self, tolerance):
        self.tolerance, self.differing, self.most = tolerance, 0, 0.0

    def same(self, before, now, names):
        moved = [name for name in names if before[name] != now[name]]
        if not moved:
            return True
        if not all(isinstance(now[name], float) and math.isclose(before[name], now[name], rel_tol=self.tolerance) for name in moved):
            return False
        self.differing += 1
        self.most = max(self.most, *(abs(before[name] - now[name]) / max(abs(before[name]), abs(now[name])) for name in moved))
        return True

    def text(self):
        return f"; {self.differing} measured twice differ, by up to {self.most:.1e} of themselves" if self.differing else ""


def plan_of(document):
    """Of a run; which of a machine's like devices it took is not part of it, nor which lines its split is of, where a run did not say it."""
    plan = {name: value for name, value in document["plan"].items() if name != "split_lines"}
    return {**plan, "device": plan["device"].partition(":")[0]} if "device" in plan else plan


def merged(folders, below, twice):
    """Lines of samples and of controls and the provenance of all, in the order of the folders."""
    plan, kept, lines, runs, taken, controls = None, {}, [], [], [], {}
    of_lines = {}  # by what a run says of the lines of its split: the passages it has
    for folder, (document, samples, of_controls, sharded) in ((folder, part) for folder in folders for part in parts_of(folder)):
        plan = plan or document
        passages = of_lines.setdefault(document["plan"].get("split_lines"), set())
        if len(of_lines.keys() - {None}) > 1:
            fail(f"{folder}: its split_lines differs from that of {folders[0]}: expected one plan")
        if plan_of(document) != plan_of(plan) or any(document.get(name) != plan.get(name) for name in ("schema", "kind")):
            differing = [name for name in {**plan_of(plan), **plan_of(document)} if plan_of(document).get(name) != plan_of(plan).get(name)]
            fail(f"{folder}: its {', '.join(differing) or 'schema'} differs from that of {folders[0]}: expected one plan")
        needles = document.get("kind") == "needle"
        if needles and below is not None:
            fail(f"--below {below}: {folder} has needles, expected passages")
        starts = [run["first_sample"] for run in document["runs"]]
        codecs, places = set(), []  # places: where each line of this folder lies in the result, or would have
        for line in lines_of(samples, sharded):
            places.append(len(lines))
            cell = json.loads(line)
            codecs.add((cell["codec_k"], cell["codec_v"], cell.get("mode")))
            passages.add(cell.get("passage"))
            if below is not None and cell["passage"] >= below:
                continue
            before = kept.setdefault(key(cell), cell)
            if before is cell:
                lines.append(line)
            elif not twice.same(before, cell, SAME_NEEDLE if needles else SAME):
                where = f"{cell['task']} of {cell['length']} tokens" if needles else f"passage {cell['passage']}"
                fail(f"{folder}: {cell['codec_k']}, {where}: measured in another folder too, with another result")
        places.append(len(lines))
        numbers = []  # of this folder's runs in the result
        for run, start in zip(document["runs"], starts):
            if run in taken:
                numbers.append(taken.index(run))
                continue
            numbers.append(len(taken))
            taken.append(run)
            planned = run["cells_planned"] if below is None else min(run["cells_planned"], below * len(codecs))
            cells = run.get("planned")
            if below is not None and cells:
                run = {**run, "planned": {**cells, "passages": max(0, min(cells["passages"], below - cells["first_passage"]))}}
            runs.append({**run, "first_sample": places[min(start, len(places) - 1)], "cells_planned": planned})
        for line in lines_of(of_controls, True):
            control = json.loads(line)
            if below is not None and control["passage"] >= below:
                continue
            before = controls.setdefault((control["control"], control["passage"]), {**control, "run": numbers[control["run"]]})
            if not twice.same(before, control, SAME_CONTROL):
                fail(f"{folder}: control {control['control']}, passage {control['passage']}: measured in another folder too, with another result")
    known = next((name for name in of_lines if name is not None), None)
    if known is not None:
        unsaid = sorted(of_lines.get(None, set()) - of_lines[known])
        if unsaid:
            fail(f"passage {unsaid[0]} was measured before lines of splits were said ({known}): expected another folder here that has it, held against them")
        plan = {**plan, "plan": {**plan["plan"], "split_lines": known}}
    return lines, [json.dumps(control, separators=(",", ":"), ensure_ascii=False) + "\n" for control in controls.values()], {**plan, "runs": runs}


def adopt_controls(controls, provenance, samples, source):
    """Those of a folder that forwarded the same passages, of those that there are samples of; its runs with them, which planned no sample here.
    That a passage is the same text, however its plan says that it was cut, its likelihood proves."""
    document = json.loads((source / "provenance.json").read_text(encoding="utf-8"))
    theirs, ours = plan_of(document), plan_of(provenance)
    differing = [name for name in OF_CONTROLS if theirs.get(name) != ours.get(name)]
    if differing or document.get("kind") != provenance.get("kind"):
        fail(f"--controls {source}: another {', '.join(differing) or 'kind of folder'}, expected that of the samples")
    likelihoods = {}
    for cell in map(json.loads, samples):
        likelihoods.setdefault(cell["passage"], cell["nll_reference"])
    taken = [control for control in map(json.loads, lines_of(source / "controls.jsonl", False)) if control["passage"] in likelihoods]
    if not taken:
        fail(f"--controls {source}: no control of any passage here")
    for control in taken:
        expected = likelihoods[control["passage"]]
        if not math.isclose(control["nll_reference"], expected, rel_tol=SUMMED_ELSEWHERE):
            fail(f"--controls {source}: passage {control['passage']} has {control['nll_reference']} nats a token over its uncoded cache, "
                 f"expected {expected} as here: another text, or another policy of exact tokens")
    numbers = {}
    for control in taken:
        if control["run"] not in numbers:
            numbers[control["run"]] = len(provenance["runs"])
            run = {name: value for name, value in document["runs"][control["run"]].items() if name != "planned"}
            provenance["runs"].append({**run, "first_sample": len(samples), "cells_planned": 0})
        controls.append(json.dumps({**control, "run": numbers[control["run"]]}, separators=(",", ":"), ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--below", type=int)
    parser.add_argument("--controls", type=pathlib.Path)
    parser.add_argument("--summed-elsewhere", action="store_true")
    given = parser.parse_args()
    for folder in given.folders:
        if not (folder / "provenance.json").is_file():
            fail(f"{folder}: no provenance.json: expected a folder of kakeya-sweep, kakeya-perplexity or kakeya-needle")
    for name in ("samples.jsonl", "controls.jsonl"):
        if (given.out / name).exists() or (given.out / f"{name}.xz").exists():
            fail(f"{given.out}: has {name.partition('.')[0]}: expected a new folder")
    twice = Twice(SUMMED_ELSEWHERE if given.summed_elsewhere else 0.0)
    lines, controls, provenance = merged(given.folders, given.below, twice)
    if given.controls:
        adopt_controls(controls, provenance, lines, given.controls)
    given.out.mkdir(parents=True, exist_ok=True)
    for name, some in (("samples", lines), ("controls", controls)):
        if name == "samples" or some:
            with lzma.open(given.out / f"{name}.jsonl.xz", "wt", encoding="utf-8", preset=9 | lzma.PRESET_EXTREME) as packed:
                packed.writelines(some)
    (given.out / "provenance.json").write_text(json.dumps(provenance, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    and_controls = f" and {len(controls)} controls" if controls else ""
    print(f"{given.out}: {len(lines)} cells{and_controls} of {len(given.folders)} folders, {len(provenance['runs'])} runs{twice.text()}")


if __name__ == "__main__":
    main()
