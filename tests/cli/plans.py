#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plans and choices of layers, through every program that takes them; plans made; studies of layers.

usage: plans.py BIN
"""
import json
import re

from program_case import ProgramCase, document, halves_of_texts, json_lines, main, output, run, scratch_folder

SHAPE = ("--ctx", 128, "--eval", 32)
MIXED = {"kakeya_plan": 1, "name": "mixed", "bits": 6, "skip": "1", "default": "e8:q=10",
         "sites": [{"layers": "0", "part": "k", "codec": "e8:q=38"}, {"layers": "2", "heads": "1", "codec": "fp8"}]}


class Plans(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.seen, cls.unseen = halves_of_texts(cls.folder)
        cls.layers = document("capture", "--model", "nano", "--text", cls.unseen, "--passages", 1, "--ctx", 256, "--out", cls.folder / "all.h5")["layers"]

    def plan(self, name, **members):
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({"kakeya_plan": 1, "name": name, **members}))
        return path

    def sweep(self, out, *words):
        return document("sweep", "--model", "nano", "--text", self.unseen, "--passages", 2, *SHAPE, *words, "--out", self.folder / out)

    def samples(self, out):
        return {(sample["codec_k"], sample["passage"]): sample for sample in json_lines(self.folder / out / "samples.jsonl")}

    def test_a_sweep_takes_plans_beside_codecs_and_goes_on(self):
        mixed = self.folder / "mixed.json"
        mixed.write_text(json.dumps(MIXED))
        words = ("--codec", "e8:q=10", "--skip-layers", "1", "--plan", mixed)
        self.assertEqual(self.sweep("mixed", *words)["finished"], 6)
        self.assertEqual(self.sweep("mixed", *words)["already_done"], 6)
        label = next(name for name, _ in self.samples("mixed") if name.startswith("plan:"))
        self.assertRegex(label, r"^plan:bits=6,name=mixed,digest=[0-9a-f]{12}$")
        mine, plain = self.samples("mixed")[label, 0], self.samples("mixed")["e8:q=10", 0]
        self.assertEqual([each["layer"] for each in mine["layers"]], [layer for layer in range(self.layers) if layer != 1])
        self.assertEqual(mine["cache_values"], plain["cache_values"])
        self.assertEqual(mine["cache_bytes"] - mine["bytes_written"], plain["cache_bytes"] - plain["bytes_written"])
        self.assertGreater(mine["bits_per_value"], plain["bits_per_value"])
        run_of = json.loads((self.folder / "mixed" / "provenance.json").read_text())["runs"][0]
        self.assertEqual([plan["label"] for plan in run_of["plans"]], [label])
        self.assertEqual(run_of["plans"][0]["sha256"][:12], label[-12:])
        output("report", self.folder / "mixed", "--out", self.folder / "mixed" / "report", "--no-charts")
        details = (self.folder / "mixed" / "report" / "details.md").read_text()
        self.assertIn("## Plans", details)
        self.assertIn('"codec": "e8:q=38"', details)
        self.assertIn("layers 1", details)  # the policy of the others

    def test_layers_are_chosen_in_one_way_of_three(self):
        self.sweep("only", "--codec", "e8:q=4", "--layers", f"1-{self.layers - 2}")
        self.sweep("edges", "--codec", "e8:q=4", "--skip-edge-layers", 1)
        self.sweep("skipped", "--codec", "e8:q=4", "--skip-layers", f"0,{self.layers - 1}")
        timeless = [{key: value for key, value in self.samples(out)["e8:q=4", 1].items() if not key.endswith("seconds")} for out in ("only", "edges", "skipped")]
        self.assertEqual(timeless[0], timeless[1])
        self.assertEqual(timeless[1], timeless[2])
        base = ("sweep", "--model", "nano", "--text", self.unseen, *SHAPE, "--codec", "e8:q=4", "--out", self.folder / "no")
        self.fails(2, *base, "--layers", "0", "--skip-layers", "1", names=("expected one of them",))
        self.fails(2, *base, "--layers", "0", "--skip-edge-layers", 1, names=("skip-edge-layers",))
        self.fails(2, *base, "--layers", "0,x", names=('layers "0,x"', "'x'"))
        self.fails(2, *base, "--layers", "99", names=("layer 99",))
        self.fails(1, "sweep", "--model", "nano", "--text", self.unseen, "--passages", 2, *SHAPE, "--codec", "e8:q=4", "--skip-layers", "2", "--out", self.folder / "edges",
                   names=("results of another plan",))

    def test_faults_of_a_plan_name_the_place(self):
        base = ("sweep", "--model", "nano", "--text", self.unseen, *SHAPE, "--out", self.folder / "no")
        self.fails(2, *base, "--plan", self.plan("a", sites=[{"layers": "0", "part": "q", "codec": "fp8"}]), names=('sites[0].part: "q"',))
        self.fails(2, *base, "--plan", self.plan("b", default="fp8", skip="99"), names=("plan b: skip: layer 99",))
        self.fails(2, *base, "--plan", self.plan("c", default="e8:q=1000000"), names=("plan c: layer 0 keys, head 0: e8: q=1000000",))
        self.fails(2, *base, "--plan", self.plan("d", default="fp8"), "--layers", "0", names=("plan: says itself",))
        self.fails(1, *base, "--plan", self.folder / "gone.json", names=("gone.json",))
        self.fails(2, *base, "--plan", self.plan("e", default="fp8"), "--layer-study", names=("layer-study: identity, plan e: expected a codec",))

    def test_plans_alone_say_which_layers_in_place_of_a_config(self):
        config = self.folder / "edges-of-codecs.json"
        config.write_text(json.dumps({"codec": "e8:q=4", "skip_edge_layers": 1}))
        plan = self.plan("f", skip="0", default="e8:q=4")
        self.assertEqual(self.sweep("of-config", "--config", config, "--plan", plan)["failed"], 0)
        mine = next(sample for (name, _), sample in self.samples("of-config").items() if name.startswith("plan:"))
        self.assertEqual([each["layer"] for each in mine["layers"]], list(range(1, self.layers)))
        base = ("sweep", "--model", "nano", "--text", self.unseen, *SHAPE, "--config", config, "--plan", plan, "--out", self.folder / "no")
        self.fails(2, *base, "--skip-edge-layers", 0, names=("plan: says itself",))

    def test_caches_are_packed_by_a_plan_and_read_without_it(self):
        mixed = self.folder / "packed.json"
        mixed.write_text(json.dumps(MIXED))
        packed = document("codec", "pack", "--dump", self.folder / "all.h5", "--plan", mixed, "--out", self.folder / "mixed.kkv")
        self.assertRegex(packed["codec_k"], "^plan:bits=6,name=mixed,digest=")
        self.assertEqual(packed["skip_layers"], "1")
        self.assertEqual(packed["bytes"]["boundary_layers"], 2 * 2 * packed["tokens"] * packed["heads"] * packed["dim"])
        told = document("codec", "info", "--in", self.folder / "mixed.kkv")
        self.assertEqual(told["plan"]["sites"], packed["plan"]["sites"])
        document("codec", "unpack", "--in", self.folder / "mixed.kkv", "--out", self.folder / "back.h5")
        some = document("codec", "pack", "--dump", self.folder / "all.h5", "--codec", "e8:q=10", "--layers", "0,2", "--out", self.folder / "some.kkv")
        self.assertEqual(some["plan"]["name"], "layers")
        self.fails(2, "codec", "pack", "--dump", self.folder / "all.h5", "--plan", mixed, "--codec", "fp8", "--out", self.folder / "no.kkv", names=("--plan: says itself",))

    def test_a_dump_of_some_layers(self):
        told = document("capture", "--model", "nano", "--text", self.unseen, "--passages", 1, "--ctx", 128, "--layers", "0,2", "--out", self.folder / "some.h5")
        self.assertEqual(told["dumped_layers"], "0,2")
        self.assertEqual(told["values"], 2 * 2 * told["heads"] * told["dim"] * 128)
        done = document("sweep", "--dump", self.folder / "some.h5", "--codec", "e8:q=10", "--layers", "0,2", "--out", self.folder / "of-some")
        self.assertEqual(done["failed"], 0)
        self.fails(1, "sweep", "--dump", self.folder / "some.h5", "--codec", "e8:q=10", "--skip-edge-layers", 0, "--out", self.folder / "of-none", names=("only layers 0,2 were dumped",))
        capture = ("capture", "--model", "nano", "--text", self.unseen, "--passages", 1, "--ctx", 128, "--out", self.folder / "planned.h5")
        self.fails(2, *capture, "--layers", "99", names=("layer 99",))
        plan = self.plan("coded", skip="1", default="fp8")
        self.fails(2, *capture, "--plan", plan, "--layers", "0", names=("--plan", "no --layers"))
        self.fails(2, *capture, "--plan", self.plan("far", skip="99", default="fp8"), names=("99",))
        told = document(*capture, "--plan", plan)
        self.assertEqual(told["dumped_layers"], f"0,2-{self.layers - 1}")

    def test_generation_and_perplexity_follow_a_plan(self):
        plan = self.plan("live", skip="1", default="kivi:b=4,group=16", bits=4)
        words = ("generate", "--model", "nano", "--prompt", "Once upon a time there was a king who had three sons, and", "--max-tokens", 40)
        told = document(*words, "--plan", plan, "--save-cache", self.folder / "live.kkvs")
        self.assertRegex(told["codec_k"], "^plan:bits=4,name=live,")
        self.assertGreater(told["live"]["skipped_layers"], 0)
        again = document("generate", "--model", "nano", "--load-cache", self.folder / "live.kkvs", "--max-tokens", 2)
        self.assertEqual(again["codec_k"], told["codec_k"])
        chosen = document(*words, "--codec", "kivi:b=4,group=16", "--skip-layers", "1")
        self.assertEqual(chosen["tokens"], told["tokens"])
        text = next(iter(sorted(self.unseen.glob("*.txt"))))
        scored = document("perplexity", "--model", "nano", "--text", text, "--ctx", 256, "--plan", plan, "--codec", "e8:q=10", "--skip-layers", "1")
        self.assertEqual(len(scored["codecs"]), 2)
        self.assertEqual(scored["skip_layers"], "1")

    def test_a_study_of_layers_has_its_report(self):
        told = self.sweep("study", "--codec", "e8:q=4", "--skip-edge-layers", 0, "--layer-study")
        self.assertEqual(told["failed"], 0)
        made = document("report", "layers", self.folder / "study", "--out", self.folder / "study" / "report", "--no-charts")
        self.assertEqual(made["studies"], 1)
        page = (self.folder / "study" / "report" / "report.md").read_text()
        self.assertEqual(len(re.findall(r"^\| study \| e8:q=4 \| .*%", page, re.M)), 1)
        page = (self.folder / "study" / "report" / "details.md").read_text()
        self.assertEqual(len(re.findall(r"^\| +\d+ \| .*%", page, re.M)), self.layers)  # a line a layer
        self.assertIn("joint less sum", page)
        output("report", self.folder / "study", "--out", self.folder / "study" / "plain", "--no-charts")
        self.assertNotIn("name=layers", (self.folder / "study" / "plain" / "details.md").read_text().split("study of layers")[0])
        self.fails(1, "report", "layers", self.folder / "none", "--out", self.folder / "no", names=("none",))

    def made(self, codec, bits, name, *words):
        out = self.folder / f"{name}.json"
        told = document("calibrate", "--plan", "--model", "nano", "--text", self.seen, "--passages", 2, *SHAPE, "--skip-edge-layers", 0, "--codec", codec, "--bits", bits,
                        "--name", name, "--out", out, *words)
        return out, told

    def test_a_plan_of_whole_rates_keeps_the_budget(self):
        out, told = self.made("e8:q={4,10,38}", 5, "whole")
        self.assertLessEqual(told["bits_reached"], 5 + 1e-9)
        self.assertIsNone(told["kkt_residual"])
        self.assertEqual(told["slots"], 2 * self.layers)
        self.assertLessEqual(told["predicted_kld"], told["predicted_kld_uniform"] * 1.5)
        plan = json.loads(out.read_text())
        self.assertEqual((plan["kakeya_plan"], plan["name"], plan["bits"], plan["layers"]), (1, "whole", 5, self.layers))
        again = self.made("e8:q={4,10,38}", 5, "whole")[1]
        self.assertEqual({key: again[key] for key in ("digest", "measured_kld")}, {key: told[key] for key in ("digest", "measured_kld")})
        done = self.sweep("whole", "--codec", "e8:q={4,10,38}", "--skip-edge-layers", 0, "--plan", out)
        self.assertEqual(done["failed"], 0)
        output("report", self.folder / "whole", "--out", self.folder / "whole" / "report", "--no-charts")
        self.assertIn("Plans against one codec for all layers", (self.folder / "whole" / "report" / "report.md").read_text())

    def test_a_family_alone_has_rates_of_its_own(self):
        _, told = self.made("kivi", 4.5, "family", "--layer-group", 4)
        self.assertEqual(told["rates"], [2, 3, 4, 5, 6])
        self.assertLessEqual(told["bits_reached"], 4.5 + 1e-9)

    def test_a_plan_of_any_rate_is_an_optimum(self):
        _, told = self.made("ece8:bits={2,4},page=32", 3, "real", "--layer-group", 2)
        self.assertLess(told["kkt_residual"], 1e-6)
        self.assertAlmostEqual(told["bits_reached"], 3, delta=0.02)
        self.assertLessEqual(told["predicted_kld"], told["predicted_kld_uniform"] * 1.05)
        base = ("calibrate", "--plan", "--model", "nano", "--text", self.seen, "--passages", 2, *SHAPE, "--skip-edge-layers", 0, "--out", self.folder / "no.json")
        self.fails(2, *base, "--codec", "fp8", "--bits", 4, names=("fp8",))
        self.fails(2, *base, "--codec", "ece8:bits=3", "--bits", 3, names=("two rates or more",))


if __name__ == "__main__":
    main()
