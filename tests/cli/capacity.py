#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kakeya-report storage, capacity and thresholds: their figures worked out here, their files, their errors.

usage: capacity.py BIN capture|no-capture     capture: kakeya-capture is there, so that a dump can be had
"""
import collections
import csv
import json
import lzma
import math
import shutil
import statistics
import sys

from program_case import ROOT, TEXT, ProgramCase, document, halves_of_texts, json_lines, main, output, run, scratch_folder

CONFIGS = ROOT / "data" / "configs"
SWEEP = ROOT / "reports" / "smollm2-135m-snapshot"
STUDENT_T_24 = 2.0686576  # 23 degrees of freedom
CAPTURE = False


def by(cells, **keys):
    found = [cell for cell in cells if all(cell[key] == value for key, value in keys.items())]
    assert len(found) == 1, (keys, len(found))
    return found[0]


class Storage(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    def test_nano_by_hand(self):
        answer = document("report", "storage", "--config", ROOT / "data/models/nano", "--tokens", "1k,2k", "--codec", "q4_0", "klt:bits=3", "--sinks", 4)
        self.assertEqual([model["parameters"] for model in answer["models"]], [4920512])
        for tokens in (1024, 2048):
            q4 = by(answer["storage"], codec="q4_0", tokens=tokens)
            self.assertEqual(q4["bf16_bytes"], 8 * 2 * 2 * 128 * 2 * tokens)
            self.assertEqual(q4["exact_bytes"], 8 * 2 * 2 * 128 * 2 * 4)
            self.assertEqual((q4["open_page_bytes"], q4["rate"]), (0, "counted"))
            self.assertAlmostEqual(q4["bytes"], sum(q4[key] for key in ("coded_bytes", "open_page_bytes", "exact_bytes", "left_of_window_bytes")))
            # 32 lanes, each a frame of 18 bytes a block of 32 values, and a header.
            self.assertTrue(0 < q4["coded_bytes"] - 32 * (tokens - 4) * 72 < 32 * 150)
            klt = by(answer["storage"], codec="klt:bits=3", tokens=tokens)
            self.assertEqual(klt["rate"], "nominal")
            self.assertGreater(klt["open_page_bytes"], 0)

    def test_a_sweep_of_the_same_cache_has_as_many_bytes(self):
        """SmolLM2, 26 of 30 layers coded: bytes that a sweep wrote."""
        lines = [json.loads(line) for line in lzma.open(SWEEP / "samples.jsonl.xz", "rt")]
        plan = json.loads((SWEEP / "provenance.json").read_text())["plan"]
        tokens = plan["context"] + plan["scored"]
        checked = 0
        for spec in ("fp8", "e8:q=10", "d4:q=38", "tq:b=4"):
            sample = next((line for line in lines if line["codec_k"] == line["codec_v"] == spec), None)
            if sample is None:
                continue
            coded = tokens if sample["values"] == 26 * 2 * 3 * 64 * tokens else plan["context"]
            self.assertEqual(sample["values"], 26 * 2 * 3 * 64 * coded)
            asked = ("report", "storage", "--config", CONFIGS / "smollm2-135m.json", "--skip-edge-layers", 2, "--open-page", "exact", "--codec", spec)
            cell = by(document(*asked, "--tokens", coded)["storage"], codec=spec)
            if spec == "fp8":  # lies alone: a frame a lane, as a sweep writes it
                self.assertAlmostEqual(cell["coded_bytes"], sample["bytes_written"], msg=spec)
            else:  # ours: a frame of each 128 tokens, and the rest in bf16
                lanes = 26 * 2 * 3
                page = by(document(*asked, "--tokens", 128)["storage"], codec=spec)["coded_bytes"] / lanes
                self.assertAlmostEqual(cell["coded_bytes"], lanes * page * (coded // 128), msg=spec)
                self.assertEqual(cell["open_page_bytes"], lanes * 128 * (coded % 128), msg=spec)
                # Header and vector, of one page and of the one frame that the sweep wrote.
                vector = (sample["bytes_written"] / lanes - page) / (coded - 128)
                header = page - 128 * vector
                self.assertAlmostEqual(vector, round(vector), msg=spec)
                self.assertTrue(0 < header < 200, (spec, header))
                if spec == "e8:q=10":
                    self.assertAlmostEqual(vector, (8 * 35 + 32) / 8)
            checked += 1
        self.assertGreaterEqual(checked, 3)

    def test_pages_of_ours_and_of_windows(self):
        """A frame and an open page of every 128 tokens for e8; klt's open page is not cut by a window."""
        e8 = by(document("report", "storage", "--config", CONFIGS / "qwen3-4b.json", "--tokens", "8k", "--codec", "e8:q=10")["storage"], codec="e8:q=10")
        self.assertAlmostEqual(e8["ratio"], 3.36, delta=0.01)
        self.assertEqual(e8["open_page_bytes"], 36 * 2 * 8 * 256 * 63.5)
        short = by(document("report", "storage", "--config", CONFIGS / "qwen3-4b.json", "--tokens", "512", "--codec", "klt:bits=3")["storage"], codec="klt:bits=3")
        self.assertEqual(short["ratio"], 1)
        gemma = document("report", "storage", "--config", CONFIGS / "gemma-4-e4b.json", "--tokens", "128k", "--codec", "klt:bits=3")["storage"]
        self.assertAlmostEqual(by(gemma, kind="sliding window of 512")["ratio"], 0.843, delta=0.001)

    def test_every_shipped_config_and_the_published_figures(self):
        configs = sorted(CONFIGS.glob("*.json"))
        done = run("report", "storage", "--config", *configs, "--published", "--out", self.folder / "r", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        answer = json.loads(done.stdout)
        self.assertEqual(len(answer["models"]), len(configs))
        for name in answer["files"]:
            self.assertGreater((self.folder / "r" / name).stat().st_size, 1000, name)
        gemma = by(answer["published"], model="Gemma-4-E4B", figure="bf16 GiB")
        self.assertEqual((gemma["published"], gemma["verdict"]), ("6.00", "differs"))
        self.assertAlmostEqual(gemma["ours"], 4 * 2 * 2 * 512 * 2 * 131072 / 2**30 + 20 * 2 * 2 * 256 * 2 * 512 / 2**30, places=9)
        with open(self.folder / "r" / "results.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["table"] == "storage" and row["source"] == "gemma-4-e4b"]
        cell = by(answer["storage"], model="gemma-4-e4b", codec="q8_0", kind="all", tokens=131072)
        self.assertEqual([float(row["value"]) for row in rows if row["row"] == "q8_0 | all" and row["quantity"] == "bytes_at_131072"], [cell["bytes"]])
        phi = by(answer["models"], model="phi-3-mini-128k")
        self.assertTrue(any(text.startswith("e8:q=10: ") for text in phi["left_out"]), phi)

    def test_words_for_people(self):
        text = output("report", "storage", "--config", CONFIGS / "deepseek-v4-flash.json", "--tokens", "128k", "--codec", "fp8")
        for word in ("sliding window of 128", "pooled, 1 of 4 tokens", "pooled, 1 of 128 tokens", "indexer keys", "fp8"):
            self.assertIn(word, text)

    def test_errors(self):
        nano = ("--config", ROOT / "data/models/nano")
        (self.folder / "config.json").write_text('{"model_type": "rwkv"}')
        self.fails(1, "report", "storage", "--config", self.folder, names=("model_type rwkv", "expected one of llama"))
        (self.folder / "config.json").write_text("no JSON")
        self.fails(1, "report", "storage", "--config", self.folder, names=("config.json", "not JSON"))
        self.fails(1, "report", "storage", "--config", self.folder / "none.json", names=("none.json",))
        self.fails(1, "report", "storage", *nano, *nano, names=("a model named nano is there already",))
        self.fails(2, "report", "storage", names=("--config",))
        self.fails(2, "report", "storage", *nano, "--tokens", "8K", names=("8K", "k (1024)"))
        self.fails(2, "report", "storage", *nano, "--codec", "nosuch", names=("nosuch",))
        self.fails(2, "report", "storage", *nano, "--codec", "e8:q=10,pack=rans", names=("depend on what it codes",))
        self.fails(2, "report", "storage", *nano, "--open-page", "half", names=("--open-page",))
        self.fails(1, "report", "storage", *nano, "--skip-edge-layers", 4, names=("8 layers, 4 skipped",))
        self.fails(1, "report", "storage", *nano, "--skip-edge-layers", 2000000000, names=("8 layers, 2000000000 skipped",))
        self.fails(1, "report", "storage", *nano, "--published", names=("none of these configs", "gemma-4-e4b"))
        self.fails(1, "report", "storage", "--config", CONFIGS / "phi-3-mini-128k.json", "--codec", "e8:q=10", names=("96",))


class Capacity(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    def test_users_by_hand(self):
        answer = document("report", "capacity", "--hbm", "141GB", "--config", CONFIGS / "qwen3-4b.json", "--tokens", "32k", "--users", "1,8", "--codec", "fp8", "klt:bits=3")
        free = 141e9 * 0.9 - 2 * 4022468096
        plain, fp8, klt = answer["capacity"]
        self.assertEqual([plain["codec"], fp8["codec"], klt["codec"]], ["identity", "fp8", "klt:bits=3"])
        self.assertEqual([plain["rate"], klt["rate"]], ["counted", "nominal"])
        self.assertAlmostEqual(plain["free_bytes"], free, delta=1)
        self.assertAlmostEqual(plain["lengths"][0]["user_bytes"], 36 * 2 * 8 * 128 * 2 * 32768, delta=36 * 2 * 8 * 200)
        for each in answer["capacity"]:
            self.assertEqual(each["lengths"][0]["users"], math.floor(each["free_bytes"] / each["lengths"][0]["user_bytes"]))
        self.assertGreater(klt["profile_bytes"], 36 * 2 * 8 * 2 * 128 * 128)
        self.assertAlmostEqual(klt["free_bytes"], free - klt["profile_bytes"], delta=1)
        one, eight = (longest["tokens"] for longest in fp8["longest"])
        self.assertAlmostEqual(one / eight, 8, delta=0.01)

    def test_a_cache_that_does_not_grow_has_no_longest(self):
        asked = ["--hbm", "141GB", "--config", CONFIGS / "mistral-7b-v0.1.json", "--tokens", "8k", "--users", "1", "--codec", "fp8"]
        self.assertIn("any length", output("report", "capacity", *asked))
        for each in document("report", "capacity", *asked)["capacity"]:
            self.assertEqual(each["longest"], [{"users": 1, "tokens": None}])

    def test_the_published_users(self):
        answer = document("report", "capacity", "--hbm", "1128GB", "--weights", "fp8", "--config", CONFIGS / "deepseek-v4-flash.json", "--published")
        self.assertEqual([row["verdict"] for row in answer["published"]], ["differs"] * 4)
        self.assertAlmostEqual(answer["published"][0]["ours"], 100 * (4224 / 3296 - 1))
        self.assertEqual(answer["without_room"], [])

    def test_notes_of_context_and_of_quantised_weights(self):
        config = json.loads((CONFIGS / "qwen3-4b.json").read_text()) | {"quantization_config": {"bits": 4}}
        (self.folder / "config.json").write_text(json.dumps(config))
        text = output("report", "capacity", "--hbm", "141GB", "--config", self.folder, "--tokens", "32k,1M", "--codec", "fp8")
        self.assertIn("made for 40,960 tokens: 1M is arithmetic", text)
        self.assertIn("has quantization_config", text)
        plain = output("report", "capacity", "--hbm", "141GB", "--config", CONFIGS / "qwen3-4b.json", "--tokens", "32k", "--codec", "fp8")
        self.assertNotIn("arithmetic.", plain.split("## ")[-1])
        self.assertNotIn("quantization_config", plain)

    def test_models_without_room_are_named(self):
        configs = (CONFIGS / "deepseek-v3.json", CONFIGS / "smollm2-135m.json")
        done = run("report", "capacity", "--hbm", "80GB", "--config", *configs, "--out", self.folder / "r")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = (self.folder / "r" / "report.md").read_text()
        self.assertIn("deepseek-v3: 1249.88 GiB of weights leave no room", text)
        self.assertIn("| smollm2-135m |", text)
        self.assertIn("## smollm2-135m: what fits", (self.folder / "r" / "details.md").read_text())

    def test_errors(self):
        nano = ("--config", ROOT / "data/models/nano")
        self.fails(2, "report", "capacity", *nano, names=("--hbm",))
        self.fails(2, "report", "capacity", *nano, "--hbm", "141 gigs", names=("--hbm 141 gigs",))
        self.fails(2, "report", "capacity", *nano, "--hbm", "1GB", "--users", "x", names=("--users x",))
        self.fails(2, "report", "capacity", *nano, "--hbm", "1GB", "--reserve", "much", names=("--reserve much",))
        self.fails(2, "report", "capacity", *nano, "--hbm", "1GB", "--profile-bytes", "few", names=("--profile-bytes few",))
        self.fails(2, "report", "capacity", *nano, "--hbm", "1GB", "--weights", "int3", names=("--weights int3",))
        self.fails(2, "report", "capacity", *nano, "--hbm", "1GB", "--reserve", "100%", names=("--reserve 100%",))
        self.fails(2, "report", "capacity", *nano, "--hbm", "1GB", "--codec", "kvtc:bits=2", names=("kvtc:bits=2", "--profile-bytes"))
        self.fails(1, "report", "capacity", *nano, "--hbm", "9MB", names=("nano", "leave nothing"))
        both = (CONFIGS / "deepseek-v3.json", CONFIGS / "deepseek-v4-flash.json")
        self.fails(1, "report", "capacity", "--config", *both, "--hbm", "80GB", names=("deepseek-v3",))


class Thresholds(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        shutil.copy(SWEEP / "provenance.json", cls.folder)
        (cls.folder / "samples.jsonl").write_bytes(lzma.decompress((SWEEP / "samples.jsonl.xz").read_bytes()))
        cls.samples = collections.defaultdict(dict)
        for line in json_lines(cls.folder / "samples.jsonl"):
            if line["codec_k"] == line["codec_v"]:
                cls.samples[line["codec_k"]][line["passage"]] = line

    def first_within(self, family, metric, factor, safe):
        """The cheapest setting within, worked out here: paired over passages, Student-t."""
        best = None
        for spec, of in self.samples.items():
            if not spec.startswith(family + ":q=") or "," in spec:
                continue
            excess = [of[p][metric] - factor * self.samples["fp8"][p][metric] for p in sorted(self.samples["fp8"])]
            self.assertEqual(len(excess), 24)
            high = statistics.mean(excess) + (STUDENT_T_24 * statistics.stdev(excess) / math.sqrt(24) if safe else 0)
            bits = of[0]["bits_per_value"]
            if high <= 0 and (best is None or bits < best[0]):
                best = bits, spec
        return best[1] if best else None

    def test_of_a_sweep(self):
        answers = document("report", "thresholds", self.folder, "--against", "fp8", "--codec", "e8", "d4")["answers"]
        some = 0
        for family in ("e8", "d4"):
            for metric, stream, key in (("rel-MSE", "K", "rel_mse_k"), ("rel-MSE", "V", "rel_mse_v"), ("KL divergence", "K and V", "kld_mean")):
                for factor in (1, 1.05, 1.2):
                    for rule in ("point", "safe"):
                        answer = by(answers, family=family, metric=metric, stream=stream, factor=factor, rule=rule)
                        self.assertEqual(answer["setting"], self.first_within(family, key, factor, rule == "safe"), answer)
                        some += answer["setting"] is not None
        self.assertGreater(some, 18)

    def test_files_and_one_strategy(self):
        done = run("report", "thresholds", self.folder, "--codec", "e8", "--factor", "1.2", "--strategy", "2", "--weights", "K=1", "V=3", "--out", self.folder / "r", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual({each["strategy"] for each in answer["answers"]}, {None, 2})
        joint = by(answer["answers"], strategy=2, rule="point")
        k, v = (by(answer["answers"], metric="rel-MSE", stream=s, rule="point") for s in "KV")
        self.assertEqual(joint["setting"], f"K {k['setting']}, V {v['setting']}")
        self.assertAlmostEqual(joint["bits_per_value"], (k["bits_per_value"] + 3 * v["bits_per_value"]) / 4)
        for name in answer["files"]:
            self.assertGreater((self.folder / "r" / name).stat().st_size, 500)

    def test_nominal_bits(self):
        answers = document("report", "thresholds", self.folder, "--codec", "e8", "--bits", "nominal", "--factor", "1")["answers"]
        answer = by(answers, stream="K", rule="point", metric="rel-MSE")
        q = int(answer["setting"].removeprefix("e8:q="))
        self.assertAlmostEqual(answer["bits_per_value"], (8 * math.ceil(8 * math.log2(2 * q + 1)) + 32) / 64, places=9)

    def test_of_a_dump(self):
        if not CAPTURE:
            self.skipTest("no kakeya-capture in this build")
        dump = self.folder / "nano.h5"
        output("capture", "--model", "nano", "--text", TEXT, "--passages", 3, "--ctx", 64, "--out", dump)
        answers = document("report", "thresholds", "--dump", dump, "--codec", "e8:q={10,30,34,38,44}", "tq:b=2..8", "--factor", "1,1e-6")["answers"]
        self.assertEqual({each["stream"] for each in answers}, {"nano/k", "nano/v", "all"})
        for stream in ("nano/k", "nano/v"):
            point = by(answers, family="e8", stream=stream, factor=1, rule="point")
            self.assertIn(point["setting"], ("e8:q=30", "e8:q=34", "e8:q=38"))
            self.assertLessEqual(point["ratio"], 1)
            self.assertIsNone(by(answers, family="e8", stream=stream, factor=1e-6, rule="point")["setting"])
        # The same losses as kakeya-report rd has of the same dump.
        rd = run("report", "rd", "--dump", dump, "--codec", "e8:q=34", "fp8", "--source", "gaussian", "--vectors", 10, "--out", self.folder / "rd", "--no-charts", "--json")
        points = {(p["source"], p["codec"]): p for p in json.loads(rd.stdout)["points"]}
        chosen = by(answers, family="tq", stream="nano/k", factor=1, rule="point")
        self.assertEqual(chosen["setting"], "tq:b=7")
        only = document("report", "thresholds", "--dump", dump, "--codec", "e8:q=34", "--factor", "2")["answers"]
        self.assertAlmostEqual(by(only, stream="nano/k", rule="point")["bits_per_value"], points[("nano/k", "e8:q=34")]["measured_bits_per_value"])
        self.fails(1, "report", "thresholds", "--dump", dump, dump, names=("a dump named nano is there already",))
        self.fails(1, "report", "thresholds", "--dump", dump, "--codec", "tq:b=2", names=("no setting is within",), stdout="none within")

    def test_of_a_dump_with_a_profile(self):
        if not CAPTURE:
            self.skipTest("no kakeya-capture in this build")
        seen, unseen = halves_of_texts(self.folder)
        dump, profile, out = self.folder / "calibrated.h5", self.folder / "profile.h5", self.folder / "calibrated"
        output("capture", "--model", "nano", "--text", unseen, "--passages", 2, "--ctx", 64, "--out", dump)
        output("calibrate", "--model", "nano", "--text", seen, "--passages", 1, "--ctx", 256, "--scope", "head", "--sensitivity-passages", 1, "--out", profile)
        asked = ("report", "thresholds", "--dump", dump, "--profile", profile, "--codec", "klt:bits={3,5,7}", "e8:q={10,38,76}", "--factor", "1,4")
        answers = document(*asked, "--out", out)["answers"]
        self.assertEqual({each["stream"] for each in answers}, {"K", "V", "all"})
        family = next(each["family"] for each in answers if each["family"].startswith("klt"))
        setting = by(answers, stream="V", factor=4, rule="point", family=family)["setting"]
        self.assertRegex(setting, r"^klt:bits=[357],profile=[0-9a-f]{16}$")
        samples = (out / "samples" / "calibrated" / "samples.jsonl").read_bytes()
        self.assertEqual(len(samples.splitlines()), 2 * 8)  # passages; identity, fp8 and six settings
        self.assertEqual(document(*asked, "--out", out)["answers"], answers)
        self.assertEqual((out / "samples" / "calibrated" / "samples.jsonl").read_bytes(), samples)
        self.assertEqual(document("report", "thresholds", out / "samples" / "calibrated", "--factor", "1,4")["answers"], answers)
        self.fails(2, *asked, names=("expected --out R",))
        whole = document("report", "thresholds", "--dump", dump, "--codec", "klt:bits={4,6},profile=none", "--factor", "4", "--out", self.folder / "whole")["answers"]
        self.assertTrue(by(whole, stream="V", rule="point")["setting"].startswith("klt:bits="))
        self.fails(1, *asked[:4], dump, *asked[4:], "--out", out, names=("a dump named calibrated is there already",))

    def test_errors(self):
        self.fails(2, "report", "thresholds", names=("DIR", "--dump"))
        self.fails(1, "report", "thresholds", self.folder / "none", names=("none",))
        self.fails(1, "report", "thresholds", self.folder, "--against", "q5_1", names=("no samples of q5_1",))
        self.fails(1, "report", "thresholds", self.folder, "--codec", "nosuch*", names=("no family nosuch*",))
        self.fails(2, "report", "thresholds", self.folder, "--factor", "1,x", names=("--factor 1,x",))
        self.fails(2, "report", "thresholds", self.folder, "--factor", "0", names=("--factor 0",))
        self.fails(2, "report", "thresholds", self.folder, "--strategy", "3", names=("--strategy",))
        self.fails(2, "report", "thresholds", self.folder, "--weights", "K=1", names=("none of V",))
        self.fails(2, "report", "thresholds", self.folder, "--weights", "K=1", "V=1", "K=2", names=("--weights K=2", "K is there already"))
        self.fails(2, "report", "thresholds", self.folder, "--dump", "x.h5", names=("--dump",))
        for codec in (("--codec", "klt:bits={2,3}"), ("--against", "klt:bits=3")):
            self.fails(2, "report", "thresholds", "--dump", "x.h5", *codec, names=("klt:bits=", "expected --profile"))
        self.fails(2, "report", "thresholds", self.folder, "--bits", "exact", names=("--bits",))


if __name__ == "__main__":
    CAPTURE = {"capture": True, "no-capture": False}[sys.argv.pop(2)]
    main()
