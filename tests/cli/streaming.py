#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives kakeya-report streaming: its files, --from, its errors.

usage: streaming.py BIN [unittest arguments]
"""
import json

from program_case import ProgramCase, main, output, scratch_folder


class Streaming(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    def test_measures_and_reads_back(self):
        first, again = self.folder / "a", self.folder / "b"
        answer = json.loads(output("report", "streaming", "--codec", "e8:q={10,38}", "kivi:b=4", "--tokens", "200", "--heads", "2",
                                   "--dim", "64", "--out", first, "--json"))
        self.assertEqual([codec["codec"] for codec in answer["codecs"]], ["e8:q=10", "e8:q=38", "kivi:b=4"])
        for codec in answer["codecs"]:
            self.assertEqual([way["chunk"] for way in codec["ways"]], [1, 3, 7, 64])
            self.assertTrue(all(way["same_bytes"] and way["values_differ"] == 0 for way in codec["ways"]), codec)
            self.assertEqual(codec["values"], 2 * 200 * 2 * 64)
        ours = [trip for trip in answer["round_trips"] if not trip["published"]]
        self.assertEqual({trip["batch"] for trip in ours}, {1, 2, 4, 8, 32})  # 2048 are more than there are
        self.assertTrue(all(trip["values_differ"] == 0 for trip in ours))
        output("report", "streaming", "--from", first / "streaming.json", "--out", again)
        for name in ("report.md", "details.md", "results.csv"):
            self.assertEqual((first / name).read_bytes(), (again / name).read_bytes(), name)
        self.assertFalse((again / "streaming.json").exists())

    def test_a_codec_that_cannot_grow_is_a_row_with_the_reason(self):
        out = self.folder / "rows"
        answer = json.loads(output("report", "streaming", "--codec", "kvtc:bits=2", "fp8", "klt:bits=3,adapt=256", "klt:bits=3,profile=none", "--tokens", "200",
                                   "--heads", "2", "--dim", "64", "--out", out, "--json"))
        kvtc, fp8, *klt = answer["codecs"]
        self.assertIn("codes all layers of a cache together", kvtc["refused"])
        self.assertEqual((kvtc["codec"], kvtc["ways"], fp8["refused"], len(fp8["ways"])), ("kvtc:bits=2", [], "", 4))
        self.assertTrue(all("codes a cache as a whole" in codec["refused"] for codec in klt), klt)
        page = (out / "details.md").read_text()
        for codec in (kvtc, *klt):
            self.assertIn(f"- `{codec['codec']}`: {codec['refused']}", page)

    def test_what_cannot_be_is_named(self):
        out = self.folder / "no"
        self.fails(2, "report", "streaming", names=("--out",))
        self.fails(2, "report", "streaming", "--codec", "e9", "--out", out, names=("e9",))
        self.fails(2, "report", "streaming", "--from", "x", "--tokens", "5", "--out", out, names=("--from", "--tokens"))
        broken = self.folder / "broken.json"
        broken.write_text('{"tokens": 5}', encoding="utf-8")
        self.fails(1, "report", "streaming", "--from", broken, "--out", out, names=("broken.json", "kakeya-report streaming"))
        self.assertFalse(out.exists())


if __name__ == "__main__":
    main()
