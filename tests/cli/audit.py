#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives kakeya-report audit on K and V of the shipped model: its files, its JSON, its errors.

usage: audit.py BIN
"""
import csv

from program_case import ProgramCase, TEXT, document, main, output, scratch_folder

LAYERS, HEADS, DIM, VECTORS = 8, 2, 128, 2 * 64


class Audit(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.dump = cls.folder / "nano.h5"
        output("capture", "--model", "nano", "--text", TEXT, "--passages", "2", "--ctx", "64", "--out", cls.dump)

    def audit(self, *arguments):
        return document("report", "audit", self.dump, *arguments)

    def test_files_and_json(self):
        out = self.folder / "r"
        answer = self.audit("--out", out, "--draws", "9")
        for name in answer["files"]:
            self.assertGreater((out / name).stat().st_size, 100, name)
        for name in ("report.md", "results.csv", "provenance.json", "measures.svg", "channels_k.png", "channels_v.svg"):
            self.assertIn(name, answer["files"])
        self.assertEqual((answer["model"], answer["layers"], answer["heads"], answer["dim"]), ("nano", LAYERS, HEADS, DIM))
        null = answer["null"]
        self.assertEqual((null["draws"], null["seed"], null["vectors"]), (9, 0, VECTORS))
        self.assertEqual([(part["part"], part["layer"]) for part in answer["parts"]],
                         [(part, layer) for part in "kv" for layer in range(LAYERS)])
        for part in answer["parts"]:
            values = part["measures"]
            self.assertEqual(set(values), set(null["measures"]))
            self.assertEqual(set(values), set(part["p_values"]))
            for key, p_value in part["p_values"].items():
                self.assertTrue(0.1 <= p_value <= 1, key)
                beyond = values[key] > null["measures"][key]["largest"]
                if null["measures"][key]["two_sided"]:
                    beyond = beyond or values[key] < null["measures"][key]["smallest"]
                    self.assertEqual(p_value == 0.2, beyond, key)  # twice the smaller tail
                else:
                    self.assertEqual(p_value == 0.1, beyond, key)
            self.assertTrue(0 < values["channel_mean"] < 1)
            self.assertTrue(0 < values["direct_current"] < 1)
            self.assertGreater(values["w2"], values["w2_shape"])
            self.assertTrue(0 <= part["largest_channel"]["head"] < HEADS)
            self.assertTrue(0 <= part["largest_channel"]["channel"] < DIM)
        self.assertEqual([key for key, of in null["measures"].items() if of["two_sided"]], ["excess_kurtosis", "direct_current"])
        for key in ("excess_kurtosis", "direct_current"):
            of = null["measures"][key]
            self.assertTrue(0 < of["level_95"] <= max(of["largest"] - of["median"], of["median"] - of["smallest"]), key)
        # The published W2/sigma takes a one-sided percentile for a two-sided one.
        self.assertAlmostEqual(null["measures"]["stage_w2"]["median"], 2.576 / 2.326 - 1, delta=0.03)
        gates = {gate["measure"]: gate for gate in answer["gates"]}
        self.assertEqual(len(gates), 7)
        self.assertEqual(gates["stage_w2"]["noise_above"], 1)
        self.assertEqual(gates["stage_kurtosis"]["noise_above"], 0)
        for key, gate in gates.items():
            for part in "kv":
                above = sum(each["measures"][key] > gate["gate"] for each in answer["parts"] if each["part"] == part)
                self.assertEqual(gate[f"layers_{part}_above"], above, key)
        with open(out / "results.csv", newline="", encoding="utf-8") as file:
            rows = {(line["table"], line["row"], line["quantity"]): line["value"] for line in csv.DictReader(file)}
        self.assertEqual(float(rows[("k", "3", "w2")]), answer["parts"][3]["measures"]["w2"])
        self.assertIn("| stage W2/σ", (out / "report.md").read_text(encoding="utf-8"))

    def test_threads_change_nothing_and_seeds_only_the_noise(self):
        first = self.audit("--draws", "5", "--threads", "1")
        self.assertEqual(first, self.audit("--draws", "5", "--threads", "3"))
        other = self.audit("--draws", "5", "--seed", "1")
        self.assertNotEqual(first["null"], other["null"])
        self.assertEqual([part["measures"] for part in first["parts"]], [part["measures"] for part in other["parts"]])

    def test_gates_are_printed(self):
        text = output("report", "audit", self.dump, "--draws", "3")
        self.assertIn("stage_hadamard_ratio", text)
        self.assertEqual(len(text.splitlines()), 9)

    def test_errors(self):
        self.fails(2, "report", "audit", names=("DUMP",))
        self.fails(2, "report", "audit", self.dump, "--draws", "0", names=("--draws",))
        self.fails(2, "report", "audit", self.dump, "stray", names=("stray",))
        self.fails(2, "report", "some-folder", "audit", self.dump, names=("audit",))
        self.fails(1, "report", "audit", self.folder / "none.h5", names=("none.h5",))
        cut = self.folder / "cut.h5"
        cut.write_bytes(self.dump.read_bytes()[:5000])
        self.fails(1, "report", "audit", cut, names=("cut.h5",))
        (self.folder / "file").write_text("")
        self.fails(1, "report", "audit", self.dump, "--draws", "1", "--out", self.folder / "file" / "r", names=("file",))


if __name__ == "__main__":
    main()
