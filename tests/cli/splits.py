#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Splits of passages, and what bits are of: a range of passages, folders that hold one split, reports of both side by side, whole-cache bits.

usage: splits.py BIN
"""
import json
import lzma
import re
import shutil
import subprocess
import sys

from program_case import ProgramCase, ROOT, TEXT, document, halves_of_texts, json_lines, main, output, run, scratch_folder

COMMON = ("--model", "nano", "--text", TEXT, "--ctx", 192, "--eval", 16, "--skip-edge-layers", 1, "--sinks", 4, "--codec", "e8:q={4,10}", "ece8:bits=3,page=64")


class Splits(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.seen, cls.kept = cls.folder / "seen", cls.folder / "kept"
        cls.of_seen = document("sweep", *COMMON, "--passages", 2, "--split", "development", "--out", cls.seen)
        document("sweep", *COMMON, "--passages", 3, "--first-passage", 5, "--split", "held-out", "--out", cls.kept)

    def test_passages_keep_their_numbers_and_say_their_split(self):
        for folder, split, passages in ((self.seen, "development", {0, 1}), (self.kept, "held-out", {5, 6, 7})):
            self.assertEqual(json.loads((folder / "provenance.json").read_text())["plan"]["split"], split)
            samples = json_lines(folder / "samples.jsonl")
            self.assertEqual({sample["passage"] for sample in samples}, passages)
            self.assertEqual({sample["split"] for sample in samples}, {split})
        plan = document("sweep", *COMMON, "--first-passage", 5, "--passages", 0, "--split", "held-out", "--dry-run")
        self.assertEqual((plan["split"], plan["first_passage"], plan["passages"]), ("held-out", 5, 3))
        self.assertIn("split     held-out, passages 5 to 7\n",
                      output("sweep", *COMMON, "--first-passage", 5, "--passages", 3, "--split", "held-out", "--dry-run"))

    def test_a_folder_holds_one(self):
        self.fails(1, "sweep", *COMMON, "--passages", 2, "--split", "held-out", "--out", self.seen, names=("holds the split development, asked for the split held-out",))
        self.fails(1, "sweep", *COMMON, "--passages", 2, "--out", self.seen, names=("holds the split development, asked for passages of no named split",))
        self.fails(2, "sweep", *COMMON, "--split", "test", "--out", self.folder / "new", names=("split test: expected development or held-out",))
        self.fails(1, "sweep", *COMMON, "--first-passage", 7, "--passages", 2, "--out", self.folder / "new", names=("9 expected (7 of them before the first)",))

    def test_an_older_folder_goes_on_as_development(self):
        old = self.folder / "old"
        shutil.copytree(self.seen, old)
        head = json.loads((old / "provenance.json").read_text())
        del head["plan"]["split"]
        (old / "provenance.json").write_text(json.dumps(head))
        lines = [{key: value for key, value in sample.items() if key not in ("split", "open_page", "whole_cache_bits_per_value", "bits_per_value_whole_cache")} for sample in json_lines(old / "samples.jsonl")]
        (old / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.assertIn("≥ ", self.report(old)[0])
        self.fails(1, "sweep", *COMMON, "--passages", 2, "--split", "held-out", "--out", old, names=("holds passages of no named split",))
        done = document("sweep", *COMMON, "--passages", 3, "--split", "development", "--out", old)
        self.assertEqual((done["already_done"], done["finished"]), (8, 4))
        self.assertEqual(json.loads((old / "provenance.json").read_text())["plan"]["split"], "development")

    def report(self, *folders):
        out = scratch_folder(self.addCleanup) / "report"
        output("report", *folders, "--out", out, "--no-charts")
        return (out / "report.md").read_text(), (out / "details.md").read_text(), (out / "results.csv").read_text()

    def test_folders_of_one_plan_are_joined(self):
        merge = ROOT / "scripts" / "merge_samples.py"
        parts = [self.folder / "part1", self.folder / "part2"]
        for first, count, part in ((5, 1, parts[0]), (6, 2, parts[1])):
            document("sweep", *COMMON, "--passages", count, "--first-passage", first, "--split", "held-out", "--out", part)
        with open(parts[1] / "samples.jsonl", "a") as samples:
            samples.write('{"codec_k": "e8')  # as a killed run leaves it
        joined = scratch_folder(self.addCleanup) / "joined"
        subprocess.run([sys.executable, merge, joined, *parts], check=True, capture_output=True)
        took = ("encode_seconds", "decode_seconds", "forward_seconds", "cell_seconds")
        of = lambda samples: [{key: value for key, value in sample.items() if key not in took} for sample in samples]
        with lzma.open(joined / "samples.jsonl.xz", "rt") as lines:
            self.assertEqual(of(map(json.loads, lines)), of(json_lines(self.kept / "samples.jsonl")))
        self.assertEqual([run["first_sample"] for run in json.loads((joined / "provenance.json").read_text())["runs"]], [0, 4])
        page, details, _ = self.report(joined)
        self.assertNotIn("INCOMPLETE", page)
        for folders, said in (([self.seen, self.kept], "its split differs"), ([parts[0], self.folder / "changed"], "measured in another folder too, with another result")):
            if said.startswith("measured"):
                shutil.copytree(parts[0], folders[1])
                lines = json_lines(folders[1] / "samples.jsonl")
                lines[1]["kld_mean"] += 1
                (folders[1] / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
            refused = subprocess.run([sys.executable, merge, self.folder / "none", *folders], capture_output=True, encoding="utf-8")
            self.assertEqual(refused.returncode, 1)
            self.assertIn(said, refused.stderr)
            self.assertFalse((self.folder / "none").exists())

    def test_controls_are_joined_too(self):
        whole, parts = self.folder / "floor", [self.folder / "floor5", self.folder / "floor6"]
        for first, count, out in ((5, 3, whole), (5, 1, parts[0]), (6, 2, parts[1])):
            document("sweep", *COMMON, "--passages", count, "--first-passage", first, "--split", "held-out", "--noise-floor", "--out", out)
        joined = self.folder / "floors"
        said = subprocess.run([sys.executable, ROOT / "scripts" / "merge_samples.py", joined, *parts], check=True, capture_output=True, encoding="utf-8").stdout
        self.assertIn("12 cells and 9 controls of 2 folders, 2 runs", said)
        took = lambda control: {key: value for key, value in control.items() if key not in ("forward_seconds", "run")}
        order = lambda control: (control["control"], control["passage"])
        with lzma.open(joined / "controls.jsonl.xz", "rt") as lines:
            found = [json.loads(line) for line in lines]
        self.assertEqual(sorted(map(took, found), key=order), sorted(map(took, json_lines(whole / "controls.jsonl")), key=order))
        self.assertEqual({control["passage"]: control["run"] for control in found}, {5: 0, 6: 1, 7: 1})
        of_floor = lambda table: [line for line in table.splitlines() if re.match("(noise|above)_floor,", line)]
        tables = [[line.replace("floors,", "floor,", 1) for line in of_floor(self.report(folder)[2])] for folder in (whole, joined)]
        self.assertGreater(len(tables[0]), 20)
        self.assertEqual(*tables)
        (joined / "samples.jsonl").write_bytes(lzma.decompress((joined / "samples.jsonl.xz").read_bytes()))
        self.fails(1, "sweep", *COMMON, "--passages", 3, "--first-passage", 5, "--split", "held-out", "--noise-floor", "--out", joined,
                   names=("controls.jsonl.xz: expected controls.jsonl: unpack it first: xz -dk",))
        controls = json_lines(parts[1] / "controls.jsonl")
        again = self.folder / "floor7"
        shutil.copytree(parts[1], again)
        (again / "controls.jsonl").write_text("".join(json.dumps({**control, "kld_mean": 2 * control["kld_mean"]}) + "\n" for control in controls))
        refused = subprocess.run([sys.executable, ROOT / "scripts" / "merge_samples.py", self.folder / "none", parts[1], again], capture_output=True, encoding="utf-8")
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(refused.stderr, r"control \w+, passage 6: measured in another folder too, with another result")
        (again / "controls.jsonl").write_text("".join(json.dumps({**control, "kld_mean": control["kld_mean"] * (1 + 1e-13)}) + "\n" for control in controls))
        merge = [sys.executable, ROOT / "scripts" / "merge_samples.py"]
        refused = subprocess.run([*merge, self.folder / "none", parts[1], again], capture_output=True, encoding="utf-8")
        self.assertEqual(refused.returncode, 1)  # the last bit too, where nobody says that sums had another order
        said = subprocess.run([*merge, self.folder / "summed", parts[1], again, "--summed-elsewhere"], check=True, capture_output=True, encoding="utf-8").stdout
        self.assertRegex(said, rf"; {len(controls)} measured twice differ, by up to 1\.0e-13 of themselves\n$")
        samples = json_lines(parts[1] / "samples.jsonl")
        (again / "samples.jsonl").write_text("".join(json.dumps({**sample, "bytes_written": sample["bytes_written"] + 1}) + "\n" for sample in samples))
        refused = subprocess.run([*merge, self.folder / "none", parts[1], again, "--summed-elsewhere"], capture_output=True, encoding="utf-8")
        self.assertEqual(refused.returncode, 1)  # bytes are counted, not summed

    def test_controls_are_adopted(self):
        """A folder takes the noise floor of another one with the same passages, not its samples."""
        floor, plain, out = self.folder / "of-floor", self.folder / "of-codec", self.folder / "adopted"
        document("sweep", *COMMON, "--passages", 2, "--first-passage", 5, "--split", "held-out", "--noise-floor", "--out", floor)
        document("sweep", *COMMON, "--passages", 1, "--first-passage", 6, "--split", "held-out", "--out", plain)
        merge = [sys.executable, ROOT / "scripts" / "merge_samples.py"]
        said = subprocess.run([*merge, out, plain, "--controls", floor], check=True, capture_output=True, encoding="utf-8").stdout
        self.assertIn("4 cells and 3 controls of 1 folders, 2 runs", said)
        runs = json.loads((out / "provenance.json").read_text())["runs"]
        self.assertEqual((runs[1]["cells_planned"], "planned" in runs[1]), (0, False))
        page, details, _ = self.report(out)
        self.assertIn("### Noise floor: other forwards, nothing coded", details)
        self.assertNotIn("missing", page)
        policy = list(COMMON)
        policy[policy.index("--skip-edge-layers") + 1] = 2
        older = self.folder / "of-older"
        document("sweep", *policy, "--passages", 1, "--first-passage", 6, "--out", older)  # what was coded, how and of which split is no matter, and old plans do not say how texts were cut
        recorded, newer = (json.loads((folder / "provenance.json").read_text()) for folder in (older, floor))
        newer["plan"]["cut"] = "published"
        (floor / "provenance.json").write_text(json.dumps(newer))
        kept = self.folder / "adopted-older"
        subprocess.run([*merge, kept, older, "--controls", floor], check=True, capture_output=True)
        self.assertEqual(json.loads((kept / "provenance.json").read_text())["plan"], recorded["plan"])
        controls = [[{**json.loads(line), "run": 0} for line in lzma.open(folder / "controls.jsonl.xz", "rt")] for folder in (out, kept)]
        self.assertEqual(*controls)
        self.assertIn("### Noise floor: other forwards, nothing coded", self.report(kept)[1])
        for key, value in (("dtype", "bf16"), ("tap", "post-rope"), ("context", 999), ("scored", 1), ("model_sha256", "0"), ("text_sha256", "0"), ("device", "cuda:0")):
            (older / "provenance.json").write_text(json.dumps({**recorded, "plan": {**recorded["plan"], key: value}}))
            self.refuses([*merge, self.folder / "none", older, "--controls", floor], f"another {key}, expected")
        (older / "provenance.json").write_text(json.dumps(recorded))
        samples = json_lines(older / "samples.jsonl")
        for factor, taken in ((1 + 1e-13, True), (1 + 1e-9, False)):  # sums in another order; another text
            (older / "samples.jsonl").write_text("".join(json.dumps({**sample, "nll_reference": sample["nll_reference"] * factor}) + "\n" for sample in samples))
            command = [*merge, self.folder / f"by{factor}", older, "--controls", floor]
            subprocess.run(command, check=True, capture_output=True) if taken else self.refuses(command, "passage 6 has ")
        self.refuses([*merge, self.folder / "none", self.seen, "--controls", floor], "no control of any passage here")

    def refuses(self, command, said):
        refused = subprocess.run(command, capture_output=True, encoding="utf-8")
        self.assertEqual(refused.returncode, 1)
        self.assertIn(said, refused.stderr)
        self.assertFalse(command[2].exists())

    def test_both_stand_side_by_side(self):
        page, details, table = self.report(self.seen, self.kept)
        for text in (page, details):
            self.assertIn("## Splits side by side: nano, in-forward", text)
            self.assertIn("development (seen): n", text)
            self.assertIn("held-out (kept): n", text)
            self.assertNotIn("IN BOTH SPLITS", text)
        self.assertIn("nano (kept, held-out)", details)
        self.assertIn("held-out: 5 to 7", details)
        self.assertIn("\nsplits,,inforward,e8:q=10,\"kld_mean of held-out, kept\"", table)

    def test_bits_say_what_they_are_of(self):
        page, details, _ = self.report(self.kept)
        self.assertRegex(page, r"## What to use\n\n\| of .*\| +whole-cache bits \|")
        self.assertNotIn("≥ ", page.split("\n\n", 2)[2])
        self.assertIn("### Whole-cache bits with the profile", details)
        rows = {row["codec_k"]: row for row in self.of_seen["table"]}
        plain, paged = rows["e8:q=10"], rows["ece8:bits=3,page=64"]
        # 6 of 8 layers are coded. 208 tokens without 4 sinks are 3 pages of 64 and 12 tokens, which a growing cache holds in bf16.
        self.assertAlmostEqual(plain["whole_cache_bits_per_value"], (6 * plain["measured_bits_per_value"] + 2 * 16) / 8, places=9)
        for sample in json_lines(self.seen / "samples.jsonl"):
            if sample["codec_k"] != "ece8:bits=3,page=64":
                continue
            token = sample["values"] // 208
            self.assertEqual(sample["open_page"]["values"], 12 * token)
            self.assertEqual(sample["open_page"]["page_values"], 64 * token)
            whole = sample["cache_bytes"] - sample["open_page"]["bytes"] + 2 * 12 * token
            self.assertAlmostEqual(sample["whole_cache_bits_per_value"], 8 * whole / sample["cache_values"], places=9)
        self.assertGreater(paged["whole_cache_bits_per_value"], (6 * paged["measured_bits_per_value"] + 2 * 16) / 8)

    def test_a_codec_that_fills_no_page_is_named(self):
        """208 tokens, 4 of them sinks: pages of 192 fill, of 256 never. A codec whose vectors stand alone has none to fill."""
        once = COMMON[: COMMON.index("--codec")] + ("--passages", 1, "--codec", "e8:q=10", "ece8:bits=3,page=192", "ece8:bits=3,page=256")
        told = output("sweep", *once, "--out", self.folder / "short")
        self.assertEqual(re.findall(r"warning: .*", told), ["warning: inforward: ece8:bits=3,page=256: no page is full in 208 tokens, so its whole cache is bf16: expected a smaller page=N or a longer --ctx"])
        for sample in json_lines(self.folder / "short/samples.jsonl"):
            self.assertEqual(sample["bits_per_value_whole_cache"], sample["whole_cache_bits_per_value"])
            self.assertNotIn("profile_bytes", sample)  # there is none
        output("report", self.folder / "short", "--out", self.folder / "short.report")
        self.assertRegex((self.folder / "short.report/report.md").read_text(), r"no page was full\*\* in 208 tokens of `ece8:bits=3,page=256`: their whole caches are bf16")
        self.assertNotIn("warning", output("sweep", *once, "--mode", "prefix", "--out", self.folder / "finished"))  # whose last page is as long as it is

    def test_which_is_compared_may_be_chosen(self):
        kl = {row["codec_k"]: row["kld_mean"] for row in document("sweep", *COMMON, "--passages", 3, "--first-passage", 5, "--split", "held-out", "--out", self.kept)["table"]}
        level = (kl["e8:q=4"] * kl["e8:q=10"]) ** 0.5
        answers = {}
        for bits in ("coded", "whole-cache"):
            answers[bits] = {family["family"]: family for family in document("report", self.kept, "--at-kl", level, "--bits", bits)["at_kl"]}
        coded, whole = answers["coded"]["e8"], answers["whole-cache"]["e8"]
        self.assertEqual((coded["bits_of"], whole["bits_of"], coded["split"]), ("coded values", "whole cache", "held-out"))
        self.assertEqual(coded["bits"], whole["coded_values"]["bits"])
        self.assertEqual(whole["bits"], coded["whole_cache"]["bits"])
        self.assertAlmostEqual(whole["bits"], (6 * coded["bits"] + 2 * 16) / 8, places=9)
        self.assertEqual(set(whole["with_profile"]), {"8k", "32k", "128k"})
        self.assertEqual(len(set(whole["with_profile"]["8k"].values())), 1)  # no profile: whoever shares it
        self.fails(2, "report", self.kept, "--at-kl", level, "--bits", "all", names=("--bits all: expected coded or whole-cache",))


class HeldOut(ProgramCase):
    """configs/held-out-*.json, with nano in the place of their models."""

    def test_what_would_be_measured(self):
        folder = scratch_folder(self.addCleanup)
        seen, kept = halves_of_texts(folder)
        of_nano = ("--model", "nano", "--text", seen, "--passages", 2, "--ctx", 256)
        steps = (*of_nano, "--sensitivity-passages", 1)
        profile, hot, post, kvtc = (folder / name for name in ("profile.h5", "hot.h5", "post.h5", "kvtc.h5"))
        output("calibrate", *steps, "--out", profile)
        output("calibrate", *steps, "--from", profile, "--steps", "inforward", "--predict", 0, "--out", hot)
        output("calibrate", *steps, "--tap", "post-rope", "--steps", "inforward", "--predict", 0, "--out", post)
        output("calibrate", "--codec", "kvtc", *of_nano, "--rank", 64, "--out", kvtc)
        names = sorted(path.name for path in (ROOT / "configs").glob("held-out-*.json"))
        self.assertEqual(len(names), 6)
        for name in names:
            model, tier = re.fullmatch("held-out-(.*)-(hot|kivi|cold).json", name).groups()
            config = json.loads((ROOT / "configs" / name).read_text())
            self.assertEqual((config["model"], config["split"], config["first_passage"], config["passages"]), (model, "held-out", 32, 0), name)
            self.assertEqual((config["cut"], config["skip_edge_layers"], config["sinks"], config["splits"]), ("published", 0, 4, f"splits/wiki.test-{model}.json"), name)
            self.assertEqual(config.get("tap"), "post-rope" if tier == "kivi" else None)
            (folder / "out" / "evidence" / model).mkdir(parents=True, exist_ok=True)
            for name_of in ("mix", "mix.group3", "mix.group6"):
                shutil.copy(profile, folder / "out" / "evidence" / model / f"{name_of}.h5")
            profiles = {"hot": (hot,), "kivi": (post,), "cold": (profile, kvtc)}[tier]
            done = run("sweep", "--config", ROOT / "configs" / name, "--model", ROOT / "data" / "models" / "nano", "--text", kept, "--first-passage", 0,
                       "--passages", 2, "--ctx", 256, "--profile", *profiles, "--splits", "none", "--dry-run", "--json", cwd=folder)
            self.assertEqual(done.returncode, 0, f"{name}: {done.stderr}")
            plan = json.loads(done.stdout)
            self.assertEqual((plan["split"], plan["passages"]), ("held-out", 2))
            self.assertEqual([codec for codec in plan["codecs"] if codec["failure"]], [], name)
            families = {re.split("[:,]", codec["codec_k"])[0] for codec in plan["codecs"]}
            wanted = {"identity", "klt", "ece8", "kivi", "turboquant", "q4_0", "q8_0", "e8", "q5_0", "q4_1", "q5_1", "iq4_nl", "int8", "int4", "nvfp4", "mxfp4", "fp8"}
            self.assertEqual(families, wanted | ({"kvtc"} if tier == "cold" else set()), name)


if __name__ == "__main__":
    main()
