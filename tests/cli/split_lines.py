#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which lines of a text are development and which are held-out: --splits.

usage: split_lines.py BIN
"""
import hashlib
import json
import re

from program_case import ProgramCase, ROOT, TEXT, document, main, output, run, scratch_folder


class SplitLines(ProgramCase):
    def test_passages_lie_within_the_lines_of_their_split(self):
        """What a file says of a text holds for passages of any length; its lines are recorded, and an older folder takes them where all that it has was held against them."""
        folder = scratch_folder(self.addCleanup)
        text, splits, out = folder / "text.txt", folder / "splits.json", folder / "out"
        text.write_text((TEXT / "01-tides.txt").read_text().replace(". ", ".\n"))  # a sentence a line: passages end at a line's end
        lines = text.read_text().splitlines()
        asked = lambda first, count, *words, ctx=192: ("--model", "nano", "--text", text, "--ctx", ctx, "--eval", 16, "--codec", "e8:q=4", "--first-passage", first, "--passages", count, *words)
        told = lambda **words: splits.write_text(json.dumps({"text_sha256": hashlib.sha256(text.read_bytes()).hexdigest(), "development": [1, 20], "held-out": [21, len(lines)], **words}))
        told(development=[1, 1], **{"held-out": [2, 2]})
        refused = run("sweep", *asked(0, 0), "--split", "held-out", "--splits", splits, "--dry-run").stderr
        passages, last = map(int, re.search(r"passages 0 to (\d+) \(lines 1 to (\d+)\): expected lines 2 to 2, as .* \(development 1-1, held-out 2-2\)", refused).groups())
        self.assertGreater(passages, 6)
        ends = [int(re.search(r"lines \d+ to (\d+)", run("sweep", *asked(p, 1), "--split", "held-out", "--splits", splits, "--dry-run").stderr)[1]) for p in range(3)]
        told(development=[1, ends[2]], **{"held-out": [ends[2] + 1, len(lines)]})
        of = ("--splits", splits, "--out", out)
        for first, count, said in ((0, 2, "split held-out: passages 0 to 1 (lines 1 to "), (2, 4, "split held-out: passage 2 (lines ")):
            self.fails(1, "sweep", *asked(first, count, "--split", "held-out"), *of, names=(said, f"expected lines {ends[2] + 1} to {len(lines)}, as "))
        self.fails(1, "sweep", *asked(1, 1, "--split", "held-out", ctx=64), *of, names=("split held-out: passage 1 (lines ",))  # as text, not as a number
        self.fails(2, "sweep", *asked(0, 0), *of, names=("expected --split beside it, development",))
        self.assertFalse(out.exists())
        document("sweep", *asked(0, 2, "--split", "development"), "--out", out)
        self.fails(1, "sweep", *asked(1, 1, "--split", "development"), *of, names=("passage 0", "measured before lines of splits were said (development 1-"))
        done = document("sweep", *asked(0, 3, "--split", "development"), *of)
        self.assertEqual((done["already_done"], done["finished"]), (4, 2))
        lines_of = f"development 1-{ends[2]}, held-out {ends[2] + 1}-{len(lines)}"
        self.assertEqual(json.loads((out / "provenance.json").read_text())["plan"]["split_lines"], lines_of)
        self.fails(1, "sweep", *asked(0, 3, "--split", "development"), "--out", out, names=("split_lines:", "stored", "asked for"))
        self.assertIn(f"development: 0 to 2 (lines of the text: {lines_of})", self.report("details.md", out))
        told(development=[1, ends[2] - 1], **{"held-out": [ends[2], len(lines)]})
        other = folder / "other"
        document("sweep", *asked(3, 2, "--split", "held-out"), "--splits", splits, "--out", other)
        self.assertIn(f"SPLITS ARE OF OTHER LINES: {lines_of} in out and development 1-{ends[2] - 1}, held-out", self.report("report.md", out, other))
        for words, said in (({"text_sha256": "0" * 64}, "of the text of SHA-256 000000000000, asked for"), ({"development": [1, ends[2]]}, "expected no line in both"),
                            ({"development": [3, 2]}, "development: expected [first line, last line]"), ({"test": [1, 2]}, 'unknown key "test"')):
            told(**{"held-out": [ends[2], len(lines)], **words})
            self.fails(1, "sweep", *asked(3, 2, "--split", "held-out"), "--splits", splits, "--dry-run", names=(said,))
        config = ROOT / "configs" / "held-out-smollm2-135m-hot.json"  # which names lines of WikiText-2 test
        for words, code in (((), 1), (("--splits", "none"), 0)):
            done = run("sweep", "--config", config, *asked(0, 2, "--cut", "tokens", *words), "--dry-run")
            self.assertEqual((done.returncode, "of the text of SHA-256 173c87a53759, asked for" in done.stderr), (code, code == 1), done.stderr)

    def report(self, page, *folders):
        out = scratch_folder(self.addCleanup) / "report"
        output("report", *folders, "--out", out, "--no-charts")
        return (out / page).read_text()


if __name__ == "__main__":
    main()
