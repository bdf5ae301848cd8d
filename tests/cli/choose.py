#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kakeya-report choose, on committed samples, against the same figures worked out here.

usage: choose.py BIN [unittest arguments]
"""
import collections
import json
import lzma
import pathlib
import re
import shutil

from program_case import ROOT, ProgramCase, document, json_lines, main, output, scratch_folder

HOT, COLD = ROOT / "reports" / "smollm2-135m", ROOT / "reports" / "transform-cold" / "smollm2-135m-cold"


def whole_bytes(sample):
    """Of the whole cache: where it grows, what lies in pages that are not full is bf16."""
    page = sample.get("open_page") or {"values": 0, "bytes": 0}
    more = 2 * page["values"] - page["bytes"] if sample["mode"] == "inforward" else 0
    return sample["cache_bytes"] + more


class Choose(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        for report in (HOT, COLD):
            folder = cls.folder / report.name
            folder.mkdir()
            shutil.copy(report / "provenance.json", folder)
            (folder / "samples.jsonl").write_bytes(lzma.decompress((report / "samples.jsonl.xz").read_bytes()))
        cls.hot, cls.cold = cls.folder / HOT.name, cls.folder / COLD.name

    @staticmethod
    def settings(folder):
        """{spec: (whole-cache bits, mean KL divergence)} of what loses something."""
        samples = collections.defaultdict(list)
        for sample in json_lines(folder / "samples.jsonl"):
            samples[sample["codec_k"]].append(sample)
        return {spec: (8 * sum(whole_bytes(s) for s in of) / sum(s["cache_values"] for s in of),
                       sum(s["kld_mean"] for s in of) / len(of)) for spec, of in samples.items() if spec != "identity"}

    def test_the_first_is_the_cheapest_setting_that_keeps_to_it(self):
        for folder, tier, mode in ((self.hot, "hot", "inforward"), (self.cold, "cold", "prefix")):
            settings = self.settings(folder)
            for kl in (0.002, 0.01, 0.05):
                answer = document("report", "choose", folder, "--kl", kl, "--tier", tier)
                within = {spec: bits for spec, (bits, kld) in settings.items() if kld <= kl}
                least = min(within, key=within.get)
                self.assertEqual(answer[0]["codec"], least, kl)
                self.assertEqual([each["bits_whole_cache"] for each in answer], sorted(each["bits_whole_cache"] for each in answer))
                for each in answer:
                    self.assertEqual(each["mode"], mode)
                    self.assertAlmostEqual(each["bits_whole_cache"], within[each["codec"]], places=9)
                    self.assertAlmostEqual(each["kld"], settings[each["codec"]][1], places=12)
                    self.assertAlmostEqual(each["ratio"], each["bits_whole_cache"] / within[least], places=9)
                    low, high = each["ci"]
                    self.assertTrue(low - 1e-9 <= each["bits_whole_cache"] <= high + 1e-9, each)
                    self.assertEqual(each["within"], "interval" if each["kld_ci"][1] <= kl else "mean")
                    self.assertGreater(each["encode_us"], 0)
                    self.assertGreater(each["decode_us"], 0)
                    self.assertIn("compares no codecs", each["times_note"])
                families = [each["family"] for each in answer]
                self.assertEqual(len(families), len(set(families)))

    def test_a_length_pays_for_the_profile(self):
        free = {each["codec"]: each for each in document("report", "choose", self.cold, "--kl", "0.01")}
        plan = json.loads((self.cold / "provenance.json").read_text())["plan"]
        token = 2 * plan["layers"] * plan["kv_heads"] * plan["head_dim"]
        some = 0
        for tokens in (8192, 131072):
            for each in document("report", "choose", self.cold, "--kl", "0.01", "--tokens", tokens):
                self.assertEqual(each["tokens"], tokens)
                self.assertAlmostEqual(each["profile_bits"], 8 * each["profile_bytes"] / (token * tokens), places=9)
                some += each["profile_bytes"] > 0
                if each["codec"] in free and each["profile_bytes"] > 0:
                    self.assertGreater(each["bits_whole_cache"], each["profile_bits"])
                    self.assertEqual(free[each["codec"]]["profile_bits"], 0)
        self.assertGreater(some, 0)

    def test_a_table_and_a_sentence_for_people(self):
        text = output("report", "choose", self.hot, self.cold, "--kl", "0.01")
        self.assertEqual(text.count("is the cheapest measured setting of a KL divergence of at most 0.01"), 2)
        self.assertIn("whole-cache bits |", text)
        self.assertIn("in-forward", text)
        self.assertEqual(text.count("beside other jobs perhaps, and compares no codecs.\n"), 2)  # beside each table's times

    def test_the_first_table_of_a_report_is_its_answer(self):
        made = self.folder / "report"
        output("report", self.hot, self.cold, "--out", made, "--no-charts")
        page = (made / "report.md").read_text()
        first = page[page.index("\n| "):].strip().split("\n\n")[0].splitlines()
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in first]
        self.assertEqual(rows[0], ["of", "KL at most", "cheapest setting", "whole-cache bits", "KL divergence", "decode µs a token", "beats", "which takes", "at equal KL"])
        self.assertIn("## What to use\n\n| of", page)
        rows = rows[2:]
        self.assertEqual([row[1] for row in rows], ["0.02", "0.005"] * 2)
        for row, (folder, tier) in zip(rows[::2], ((self.hot, "hot"), (self.cold, "cold"))):
            self.assertIn(f"({tier})", row[0])
        for row, (folder, tier) in zip(rows, ((self.hot, "hot"),) * 2 + ((self.cold, "cold"),) * 2):
            answer = document("report", "choose", folder, "--kl", row[1], "--tier", tier)
            low, high = answer[0]["ci"]
            mark = "" if answer[0]["open_page_known"] else "≥ "
            self.assertEqual((row[2], row[3]), (answer[0]["codec"], f"{mark}{answer[0]['bits_whole_cache']:.3f} ({low:.3f} to {high:.3f})"))
            self.assertEqual(row[4].endswith("*"), answer[0]["within"] == "mean")
            self.assertAlmostEqual(float(row[5]) / answer[0]["decode_us"], 1, delta=0.01)
            codec = lambda each: re.split("[:,]", each["family"])[0]
            beaten = next((each for each in answer if codec(each) != codec(answer[0])), None)
            self.assertEqual(row[7], f"{beaten['ratio']:.3f}x" if beaten else "-")
            if beaten:
                self.assertTrue(beaten["family"].startswith(row[6]), (row[6], beaten["family"]))
            self.assertEqual(row[8] == "-", not beaten or beaten["ratio_at_kl"] is None)
            self.assertIn(f"## What to use at a KL divergence of at most {row[1]}: ", (made / "details.md").read_text())

    def test_what_cannot_be_answered_is_refused(self):
        self.fails(2, "report", "choose", self.hot, names=("--kl",))
        self.fails(2, "report", "choose", self.hot, "--kl", "0", names=("--kl 0", "above 0"))
        self.fails(2, "report", "choose", self.hot, "--kl", "0.01", "--tier", "warm", names=("--tier",))
        self.fails(2, "report", "choose", self.hot, "--kl", "0.01", "--tokens", "0", names=("--tokens",))
        self.fails(1, "report", "choose", self.hot, "--kl", "1e-12", names=("no setting keeps to a KL divergence of 1e-12",))
        self.fails(1, "report", "choose", self.hot, "--kl", "0.01", "--tier", "cold", names=("no lossy setting", "in tier cold"))
        self.fails(1, "report", "choose", pathlib.Path(self.folder) / "none", "--kl", "0.01", names=("none",))
        self.fails(2, "report", self.hot, "choose", "--kl", "0.01", names=("choose: a reserved word",))


if __name__ == "__main__":
    main()
