#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Splits of passages, and what bits are of: a range of passages, folders that hold one split, reports of both side by side, whole-cache bits.

usage: splits.py BIN
"""
import contextlib
import io
import json
import lzma
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import types

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
            self.assertEqual((config["cut"], config["skip_edge_layers"], config["sinks"]), ("published", 0, 4), name)
            self.assertEqual(config.get("tap"), "post-rope" if tier == "kivi" else None)
            (folder / "out" / "evidence" / model).mkdir(parents=True, exist_ok=True)
            for name_of in ("mix", "mix.group3", "mix.group6"):
                shutil.copy(profile, folder / "out" / "evidence" / model / f"{name_of}.h5")
            profiles = {"hot": (hot,), "kivi": (post,), "cold": (profile, kvtc)}[tier]
            done = run("sweep", "--config", ROOT / "configs" / name, "--model", ROOT / "data" / "models" / "nano", "--text", kept, "--first-passage", 0,
                       "--passages", 2, "--ctx", 256, "--profile", *profiles, "--dry-run", "--json", cwd=folder)
            self.assertEqual(done.returncode, 0, f"{name}: {done.stderr}")
            plan = json.loads(done.stdout)
            self.assertEqual((plan["split"], plan["passages"]), ("held-out", 2))
            self.assertEqual([codec for codec in plan["codecs"] if codec["failure"]], [], name)
            families = {re.split("[:,]", codec["codec_k"])[0] for codec in plan["codecs"]}
            wanted = {"identity", "klt", "ece8", "kivi", "turboquant", "q4_0", "q8_0", "e8", "q5_0", "q4_1", "q5_1", "iq4_nl", "int8", "int4", "nvfp4", "mxfp4", "fp8"}
            self.assertEqual(families, wanted | ({"kvtc"} if tier == "cold" else set()), name)


class Evidence(ProgramCase):
    """scripts/evidence.py: what it would run, and how it runs jobs."""

    def test_commands_are_those_that_programs_take(self):
        commands = self.printed("--jobs", "4")
        made = {command[command.index("--out") + 1] for command in commands if "--out" in command}
        flags = {name: set(re.findall(r"--[a-z][a-z-]*", output(name, "--help"))) for name in ("calibrate", "sweep", "perplexity", "needle")}
        for command in commands:
            name = pathlib.PurePath(command[0]).name.removeprefix("kakeya-")
            if name in flags:
                self.assertLessEqual({word for word in command if word.startswith("--")}, flags[name], command)
                read = {word.rpartition("=")[2] for word in command if word.endswith(".h5")}
                self.assertLessEqual(read, made, command)  # of profiles that this run makes
            for word in command:
                if word.startswith("configs/"):
                    self.assertTrue((ROOT / word).is_file(), word)
        parts = [command for command in commands if "--out" in command and "/parts/held-out-cold." in command[-1]]
        self.assertEqual([command[-5:-2] for command in parts[:1]] + [len(parts)], [["32", "--passages", "10"], 4])
        after = lambda command, flag: command[command.index(flag) + 1]
        of = {after(command, "--out"): command for command in commands if "--out" in command}
        for text in ("python-code", "manpages-de", "manpages-fr", "manpages-zh"):
            for folder, profile in (("hot", "hot"), ("cold", "group6")):  # each text with a profile of its own kind, made of what is not scored
                sweep, made = of[f"out/evidence/smollm2-135m/texts-{folder}/{text}-own"], of[f"out/evidence/smollm2-135m/{text}.{profile}.h5"]
                self.assertEqual(after(sweep, "--profile"), after(made, "--out"))
                self.assertEqual([after(made, flag) for flag in ("--text", "--cut", "--passages")], [f"out/evidence/texts/{text}.rest.txt", "tokens", "36"])
                self.assertNotEqual(after(sweep, "--text"), after(made, "--text"))
        self.assertNotIn("out/evidence/smollm2-135m/texts-hot/wiki.test-own", of)
        self.assertEqual({after(command, "--cut") for name, command in of.items() if name.endswith(("mix.h5", "novel.h5", "scored-kind.h5"))}, {"published"})
        sys.path.insert(0, str(ROOT / "scripts"))
        self.addCleanup(sys.path.remove, str(ROOT / "scripts"))
        from evidence import MORE
        whole = {word for command in commands if "perplexity" in command[0] and "/parts/whole." in command[-1] for word in command}
        self.assertLessEqual({spec.replace(",mode=mse", "") for spec in MORE}, {spec.replace(",mode=mse", "") for spec in whole})

    def test_texts_are_read_where_they_are(self):
        for steps in ((), ("--steps", "hot-profile", "end-to-end", "long-times")):
            texts = {pathlib.PurePath(word) for command in self.printed(*steps) for word in command if word.endswith((".txt", ".raw"))}
            self.assertTrue(texts)
            folders = {str(text.parent) for text in texts} - {"out/evidence/texts"}
            self.assertEqual(len(folders), 1, folders)  # the folder that was named
            self.assertTrue(pathlib.PurePath(*folders).is_absolute(), folders)

    def test_text_that_calibrates_its_own_kind_is_not_scored(self):
        sys.path.insert(0, str(ROOT / "scripts"))
        self.addCleanup(sys.path.remove, str(ROOT / "scripts"))
        from evidence import OWN_TEXTS, rest_of, write_rests
        self.assertEqual(rest_of(b"one\ntwo\nthree\n", 4), b"three\n")  # the line that byte 4 is in may be scored
        self.assertEqual(rest_of(b"one\ntwo\nthree\n", 7), b"three\n")
        for short in (b"one\ntwo\n", b"one two three four"):
            with self.assertRaisesRegex(ValueError, f"{len(short)} bytes: expected more lines behind the first 5"):
                rest_of(short, 5)
        folder = scratch_folder(self.addCleanup)
        for name in OWN_TEXTS:
            (folder / name).write_text("scored\n" * 142858 + "calibrated\n")  # 1,000,006 bytes are scored
        write_rests(folder, folder / "rests")
        self.assertEqual({path.name: path.read_text() for path in (folder / "rests").iterdir()}, {name.replace(".txt", ".rest.txt"): "calibrated\n" for name in OWN_TEXTS})
        (folder / OWN_TEXTS[0]).write_text("scored\n")
        with self.assertRaisesRegex(SystemExit, f"{OWN_TEXTS[0]}: 7 bytes: expected more lines"):
            write_rests(folder, folder / "rests")

    def test_steps_that_are_named_alone(self):
        """Times, and the profile that they need; scripts take the words that are given to them."""
        self.assertFalse([command for command in self.printed() if "scripts/" in " ".join(command) and "merge_samples.py" not in " ".join(command)])
        *profiles, end_to_end, times = self.printed("--steps", "end-to-end", "long-times", "hot-profile")
        self.assertEqual([pathlib.PurePath(command[-1]).name for command in profiles], ["mix.h5", "mix.hot.h5"])
        folder = scratch_folder(self.addCleanup)
        for command, script in ((end_to_end, "end_to_end.py"), (times, "long_times.py")):
            self.assertEqual(command[1], f"scripts/{script}")
            self.assertEqual([command[4], *command[6:]], [profiles[1][-1], "--model", "smollm2-135m", "--device", "cuda"])
            done = subprocess.run([sys.executable, ROOT / command[1], *command[2:]], cwd=folder, capture_output=True, encoding="utf-8")
            self.assertEqual(done.returncode, 2)
            self.assertIn("build/release/bin: no kakeya-generate there", done.stderr)  # it took all words
        self.decodes_on_a_gpu_as_reported(folder)
        long, _ = self.printed("--steps", "long")
        self.assertIn("--noise-floor", long)

    def decodes_on_a_gpu_as_reported(self, folder):
        """The commands are those that the reports say they were measured by."""
        *decode, report = self.printed("--steps", "decode-gpu")
        self.assertEqual((report[1], [pathlib.PurePath(word).name for word in report[2:]]), ("generate", ["bench.json", "--out", "decode-gpu"]))
        maker, *of_8b, calibrated, tiles, _ = self.printed("--steps", "decode-gpu-8b")
        self.assertEqual(calibrated[-1], tiles[tiles.index("--profile") + 1])
        self.assertEqual(maker[1:], ["scripts/random_model.py", "data/configs/llama-3.1-8b.json", "data/models/nano", "out/evidence/models"])

        def asked(words):
            """Flags and their values; files by their last name, which a report may have under another."""
            flags = {}
            for word in words[2:]:
                name = word if word.startswith("--") else name
                flags.setdefault(name, []).extend([] if word is name else [word])
            flags["--model"] = [pathlib.PurePath(flags["--model"][0]).name.replace("SmolLM2-135M-Instruct.Q4_1.gguf", "smollm2-135m")]
            return {**flags, **{flag: [pathlib.PurePath(flags[flag][0]).name] for flag in ("--text", "--profile") if flag in flags}, "--out": []}
        speeds, fits, host = decode
        for command, document in ((speeds, "decode-gpu/bench.json"), (host, "decode-gpu/host.json"), (of_8b[0], "decode-gpu-8b/bench.json"), (tiles, "decode-gpu-8b/tiles.json")):
            self.assertEqual(asked(command), asked(json.loads((ROOT / "reports" / document).read_text())["provenance"]["command"]), document)
        for command, name in ((speeds, "decode-gpu"), (fits, "decode-gpu"), *((command, "decode-gpu-8b") for command in of_8b)):
            page = (ROOT / "reports" / name / "README.md").read_text()
            for flag, words in asked(command).items():
                if flag != "--model":
                    self.assertIn(" ".join([flag, shlex.join(words)]).rstrip(), page, name)
            self.assertEqual(pathlib.PurePath(command[-1]).parts[-2:], (name, "bench.json"))
        refused = subprocess.run([sys.executable, ROOT / "scripts/evidence.py", "smollm2-135m", folder, "--steps", "decode-gpu", "--print"], capture_output=True, encoding="utf-8")
        self.assertEqual((refused.returncode, "--steps decode-gpu with --device cpu: expected --device cuda" in refused.stderr), (2, True), refused.stderr)

    @staticmethod
    def printed(*words):
        told = subprocess.run([sys.executable, ROOT / "scripts/evidence.py", "smollm2-135m", "texts", "--device", "cuda", *words, "--print"], check=True, capture_output=True, encoding="utf-8").stdout
        return [shlex.split(line) for line in told.splitlines()]

    def test_jobs_wait_for_their_needs_and_go_on(self):
        sys.path.insert(0, str(ROOT / "scripts"))
        self.addCleanup(sys.path.remove, str(ROOT / "scripts"))
        from evidence import Job, Runner
        out = scratch_folder(self.addCleanup)
        script = lambda text: ("sh", "-c", f"cd {out} && {text}")
        plan = types.SimpleNamespace(out=out, jobs=[Job("last", ("first", "second"), script("cat one two > three")), Job("first", (), script("sleep 0.3; echo 1 > one")),
                                                    Job("second", (), script("echo 2 >> two")), Job("broken", (), ("false",)), Job("never", ("broken",), script("touch never"))])
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(Runner(plan, 2, 0, 60).run(), 1)
        self.assertEqual((out / "three").read_text(), "1\n2\n")
        self.assertFalse((out / "never").exists())
        self.assertIn("never left out: broken failed", said.getvalue())
        plan.jobs = [*plan.jobs[:3], Job("long", (), ("sleep", "60"))]
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(Runner(plan, 2, 0, 1).run(), 0)  # what was finished is not run again; what runs is ended at the limit
        self.assertEqual((out / "two").read_text(), "2\n")
        self.assertIn("goes on with 1 jobs: long", said.getvalue())


if __name__ == "__main__":
    main()
