#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/adaptive.py: what it would run, and what it joins; scripts/adaptive_tables.py: bits at a KL divergence, from samples with known answers;
scripts/adaptive_settings.py: bits of two families over all that both reach; scripts/adaptive_sent.py: what sending and groups are worth, from such samples.

usage: adaptive.py BIN
"""
import importlib.util
import itertools
import json
import math
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

from program_case import ProgramCase, ROOT, main, output, scratch_folder

MODEL = {"layers": 30, "kv_heads": 3, "head_dim": 64, "context": 8000, "scored": 192}
VALUES = 1000
BYTES = {1: 18943728, 6: 97095408, 0: 1532400}  # what SmolLM2's profiles take of one layer, of six together, of heads alone
SCRIPTS = ROOT / "scripts"


def printed(*words):
    done = subprocess.run([sys.executable, *map(str, words)], check=True, capture_output=True, encoding="utf-8")
    return done.stdout


class Commands(ProgramCase):
    def commands(self, model, *words):
        return [shlex.split(line) for line in printed(SCRIPTS / "adaptive.py", model, "texts", "--device", "cuda", "--print", *words).splitlines()]

    def test_they_are_those_that_programs_take(self):
        steps = re.findall(r"^  (\w+)  +", printed(SCRIPTS / "adaptive.py", "--help"), re.MULTILINE)
        self.assertGreater(len(steps), 9)
        commands = self.commands("smollm2-135m", "--steps", *steps)
        flags = {name: set(re.findall(r"--[a-z][a-z-]*", output(name, "--help"))) for name in ("calibrate", "sweep", "capture")}
        made = set()
        for command in commands:
            name = pathlib.PurePath(command[0]).name.removeprefix("kakeya-")
            if name in flags:
                self.assertLessEqual({word for word in command if word.startswith("--")}, flags[name], command)
                read = {re.split("profile=", word)[-1] for word in command if word.endswith(".h5") and command[command.index("--out") + 1] != word}
                self.assertLessEqual(read, made, command)  # jobs stand behind what they read
                made.add(command[command.index("--out") + 1])
            elif "scripts/join_passages.py" in command:
                made.add(command[command.index("scripts/join_passages.py") + 2])
        self.assertEqual(len({command[-1] for command in commands if command[-2] == "--out"}), sum(command[-2] == "--out" for command in commands))  # a folder each

    def test_held_out_passages_lie_behind_the_development_ones(self):
        for model, tokens in (("smollm2-135m", 123802), ("gemma3-270m", 176505)):
            for command in self.commands(model, "--steps", "wiki", "contexts", "development"):
                of = lambda flag: command[command.index(flag) + 1]
                begin, length = int(of("--first-passage")), int(of("--ctx")) + int(of("--eval"))
                if of("--split") == "held-out":
                    self.assertGreaterEqual(begin * length, tokens, command)
                else:
                    self.assertLess((begin + 1) * length, tokens, command)
                self.assertLessEqual(int(of("--eval")), int(of("--ctx")) // 7)

    def test_every_passage_is_forwarded_uncoded_once(self):
        for model in ("smollm2-135m", "gemma3-270m"):
            floors = {}
            for command in self.commands(model, "--steps", "wiki", "texts", "contexts", "development", "further", "hot", "short", "counts", "small", "kinds", "choosing"):
                if "--first-passage" in command:
                    where = tuple(command[command.index(flag) + 1] for flag in ("--text", "--mode", "--ctx", "--first-passage"))
                    floors[where] = floors.get(where, 0) + command.count("--noise-floor")
            self.assertGreater(len(floors), 20)
            self.assertEqual(set(floors.values()), {1})

    def test_the_next_run_has_what_was_missing(self):
        for model, dumps in (("smollm2-135m", 6), ("gemma3-270m", 0)):
            commands = self.commands(model, "--steps", "profiles", "short", "counts", "small", "kinds", "choosing", "longer")
            of = {}  # keys and profile of klt, by text and tokens: how many passages
            for command in commands:
                after = lambda flag: command[command.index(flag) + 1]
                where = (pathlib.PurePath(after("--text")).stem, int(after("--ctx")) + int(after("--eval")) * (int(after("--ctx")) == 8000)) if "--ctx" in command and "--eval" in command else None
                for word in command[command.index("--codec") + 1:] if "--codec" in command else ():
                    parsed = re.fullmatch(r"klt:bits=[^,]*(?:,[\d.]*)*},(?:scope=layer,predict=1,)?(.*)profile=(.*)", word)
                    key = (parsed[1].rstrip(","), pathlib.PurePath(parsed[2]).name.removesuffix(".h5")) if parsed else word
                    of[where, key] = of.get((where, key), 0) + int(after("--passages"))
            three, heads = "adapt=500,prior=heads,group=3,send=32", "adapt=500,prior=heads"
            for tokens, key in itertools.product((512, 1024, 2048, 4096), (("", "mix.group6"), ("", "mix"), ("adapt=1000", "mix"), (heads, "mix"), (three, "mix"))):
                self.assertGreaterEqual(of[("wiki.test", tokens), key], 2, (tokens, key))
            for text, key in (*itertools.product(("wiki.test", "manpages-de", "python-code"), [("adapt=2000", "mix")]), *itertools.product(("manpages-fr", "manpages-zh"), [("adapt=1000", "novel"), (heads, "mix")]),
                              *itertools.product(["wiki.test"], [(heads, "mix.int8"), (three, "mix.int8"), ("adapt=1000,send=auto", "mix"), ("adapt=1000,send=auto", "novel")])):
                self.assertGreaterEqual(of[(text, 8192), key], 3, (text, key))
            self.assertGreaterEqual(of[("manpages-fr", 8192), ("", "none")], 3)
            self.assertGreaterEqual(of[("wiki.test", 8192), "ece8:bits={3,3.5,4,4.5},center=mean"], 6)
            for key in (three, three.replace("group=3", "group=6")):
                self.assertEqual(sum(where is None and of_key == (key, "mix") for where, of_key in of), int(dumps > 0))
            self.assertEqual(sum("--dump" in command for command in commands), dumps)

    def test_parts_that_measured_something_are_joined(self):
        sys.path.insert(0, str(SCRIPTS))
        self.addCleanup(sys.path.remove, str(SCRIPTS))
        import adaptive
        folder = scratch_folder(self.addCleanup)
        self.assertFalse(adaptive.measured(folder))
        (folder / "provenance.json").write_text("{}")
        (folder / "samples.jsonl").write_text("{}\n{")
        self.assertFalse(adaptive.measured(folder))  # the control alone
        (folder / "samples.jsonl").write_text("{}\n{}\n")
        self.assertTrue(adaptive.measured(folder))


@unittest.skipUnless(all(map(importlib.util.find_spec, ("numpy", "h5py"))), "no numpy or no h5py")
class Estimate(ProgramCase):
    """scripts/forward_adaptation.py over made dumps: of the cache one direction is four times as strong as in the prior, one a quarter."""
    N, TOKENS = 16, 2048

    def dump(self, path, scales, seed):
        import h5py
        import numpy
        random = numpy.random.default_rng(seed)
        with h5py.File(path, "w") as made:
            made.attrs["passages"] = 2
            for passage, layer, part in itertools.product(range(2), range(2), "kv"):
                values = random.standard_normal((self.TOKENS + 4, self.N // 2)) * (scales if layer else 1)
                made[f"passages/{passage}/layers/{layer}/{part}"] = values.reshape(-1, 2, self.N // 4)

    def test_bits_are_those_of_what_is_coded_and_sent(self):
        folder = scratch_folder(self.addCleanup)
        self.dump(folder / "prior.h5", [1] * 8, 1)
        self.dump(folder / "cache.h5", [4, 0.25] + [1] * 6, 2)
        lines = printed(SCRIPTS / "forward_adaptation.py", folder / "prior.h5", folder / "cache.h5", "--layers", 1, "--tokens", self.TOKENS, "--bits", 8, "--ranks", 4).splitlines()
        rows = {row[2]: tuple(map(float, row[3:])) for row in ([cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:])}
        self.assertEqual(list(rows), ["static", "backward", "whole, free", "whole, 8 bits", "low rank 4", "low rank 4 + backward"])
        values = self.TOKENS * self.N
        self.assertEqual(rows["whole, 8 bits"][1], round((2 * 8 * self.N**2 + 6 * 16 * self.N) / values, 3))
        self.assertEqual(rows["low rank 4"][1], round((8 * 2 * self.N * 4 + 2 * 16 * 4 + 2 * 16 * self.N) / values, 3))
        self.assertLess(rows["whole, free"][0], rows["backward"][0])
        self.assertLess(rows["backward"][0], rows["static"][0] - 0.05)
        for title, (bits, sent, more) in rows.items():
            self.assertAlmostEqual(more, bits - rows["backward"][0], delta=0.0011, msg=title)
        self.assertAlmostEqual(rows["low rank 4"][0] - rows["low rank 4"][1], rows["whole, free"][0], delta=0.03)  # four directions are all that differ


class Tables(ProgramCase):
    """Samples whose KL divergence is exp(-2 x bits) times a number of the codec."""

    def write(self, root, name, codecs, uses, tokens, kl=True):
        cells = []
        for passage in range(4):
            for codec, (bits, of) in codecs.items():
                cell = {"codec_k": codec, "passage": passage, "bytes_written": round(VALUES * bits / 8 * (1 + passage / 10)), "values": VALUES,
                        "cache_bytes": round(VALUES * bits / 8 * (1 + passage / 10)), "cache_values": VALUES}
                cells.append({**cell, "kld_mean": of * math.exp(-2 * bits)} if kl else cell)
        folder = root / name
        folder.mkdir(parents=True)
        (folder / "samples.jsonl").write_text("".join(json.dumps(cell) + "\n" for cell in cells))
        profiles = [{"sha256": digest, "text_name": text, "shared_passages": [1] if text.endswith(".rest.txt") else [], "uses": [{"codec": codec, "reader_bytes": size} for codec, size in of.items()]} for digest, (text, of) in uses.items()]
        (folder / "provenance.json").write_text(json.dumps({"plan": {**MODEL, "context": tokens - 192}, "runs": [{"profiles": profiles}]}))

    def setUp(self):
        self.root = scratch_folder(self.addCleanup) / "adaptive"
        static = lambda digest, rates: {rate: f"klt:bits={rate},scope=layer,predict=1,profile={digest}" for rate in rates}
        learns = lambda rates: {rate: f"klt:bits={rate},scope=layer,predict=1,adapt=1000,profile=aa" for rate in rates}
        heads = "klt:bits=2.5,scope=layer,predict=1,adapt=500,prior=heads,profile=aa"
        mix, six, adapted = static("aa", (1, 3)), static("bb", (1, 3)), learns((1, 3))
        codecs = {"e8:q=15,rule=published": (5.0, math.exp(-2 * (2 - 5))), **{codec: (rate, 1.0) for rate, codec in mix.items()},
                  **{codec: (rate, math.exp(-1)) for rate, codec in six.items()}, **{codec: (rate, math.exp(-1.2)) for rate, codec in adapted.items()},
                  "klt:bits=1,profile=none": (1.0, math.exp(1)), "klt:bits=3,profile=none": (3.0, math.exp(1))}
        own = static("dd", (1, 3))
        codecs |= {codec: (rate, math.exp(-1.4)) for rate, codec in own.items()}
        uses = {"aa11": ("a + b", {**{codec: BYTES[1] for codec in (*mix.values(), *adapted.values())}, heads: BYTES[0]}), "bb22": ("a + b", {codec: BYTES[6] for codec in six.values()}),
                "dd44": ("a.rest.txt", {codec: BYTES[1] for codec in own.values()})}
        self.write(self.root, "smollm2-135m.wiki.test.8192.held-out", codecs, uses, 8192)
        long = self.root.with_name("adaptive-long")
        for tokens, bits in ((8192, 1.5), (131072, 1.3)):
            self.write(long, f"smollm2-135m.{tokens}", {adapted[1]: (bits, 1.0)}, uses, tokens, kl=False)

    def test_bits_are_read_off_at_the_references_kl(self):
        cells = {}
        for line in printed(SCRIPTS / "adaptive_tables.py", self.root, "--csv").splitlines()[1:]:
            *_, text, tokens, title, quantity, value = re.findall(r'"[^"]*"|[^,]+', line)
            cells[text.strip('"'), int(tokens.removesuffix(" tokens")), title.strip('"'), quantity.strip('"')] = float(value)
        at = lambda title, quantity, text="wiki.test, held-out", tokens=8192: cells[text, tokens, title, quantity]
        # exp(-2 b) e^s = exp(-2 * 2) at b = 2 + s / 2; passages take 0 to 30 % more bytes, 15 % on the mean
        for title, bits in (("one layer, mix", 2), ("six layers, mix", 1.5), ("one layer, mix, adapt=1000", 1.4), ("no profile", 2.5)):
            self.assertAlmostEqual(at(title, "bits, coded values"), 1.15 * bits, delta=0.01, msg=title)
        self.assertAlmostEqual(at("one layer, mix, adapt=1000", "of six layers, mix"), 1.4 / 1.5, delta=0.01)
        self.assertAlmostEqual(at("one layer, mix, adapt=1000", "of one layer, mix"), 1.4 / 2, delta=0.01)
        self.assertAlmostEqual(at("one layer, mix, adapt=1000", "of one layer, own kind"), 1.4 / 1.3, delta=0.01)
        share = 8 * BYTES[6] / (8000 * 2 * 30 * 3 * 64)
        self.assertAlmostEqual(at("six layers, mix", "bits with its profile") - at("six layers, mix", "bits, whole cache"), share, delta=1e-9)
        # of 128k tokens: a static rate as it is, that of one that learns as the long caches differ
        self.assertAlmostEqual(at("six layers, mix", "bits with its profile", "one user", 131072), at("six layers, mix", "bits, whole cache") + share * 8000 / 131072, delta=1e-9)
        self.assertAlmostEqual(at("one layer, mix, adapt=1000", "bits", "one user", 131072) - at("one layer, mix, adapt=1000", "bits, whole cache"), -0.2 * 1.15, delta=0.01)
        self.assertNotIn(("one user", 131072, "no profile", "bits"), cells)  # which no long cache says

    def test_heads_are_held_against_static_ones(self):
        of = lambda rate, keys="": f"klt:bits={rate},{keys}page=256,profile=aa"
        codecs = {"e8:q=15,rule=published": (5.0, math.exp(-2 * (2 - 5)))}
        for rate in (1, 3):
            codecs |= {of(rate): (rate, 1.0), of(rate, "adapt=250,"): (rate, math.exp(-0.4)), of(rate, "adapt=250,learn=scales,"): (rate, math.exp(-0.2))}
        root = self.root.with_name("adaptive-hot")
        self.write(root, "smollm2-135m.wiki.test.8192.held-out", codecs, {"aa11": ("a + b", {codec: BYTES[0] for codec in codecs if codec.startswith("klt")})}, 8192)
        ratios = {}
        for line in printed(SCRIPTS / "adaptive_tables.py", root, "--csv").splitlines()[1:]:
            *_, title, quantity, value = re.findall(r'"[^"]*"|[^,]+', line)
            ratios[title.strip('"'), quantity.strip('"')] = float(value)
        for title, ratio in (("single heads, mix, adapt=250", 1.8 / 2), ("single heads, mix, adapt=250, scales", 1.9 / 2)):
            self.assertAlmostEqual(ratios[title, "of single heads, mix"], ratio, delta=0.01)
        self.assertIn("single heads, mix, adapt=250, scales", printed(SCRIPTS / "adaptive_tables.py", root))

    def test_variants_are_held_against_the_usual_settings(self):
        of = lambda rate, keys, profile="aa": f"klt:bits={rate},scope=layer,predict=1,{keys},profile={profile}"
        heads, light, three, layer = "adapt=500,prior=heads", "adapt=125,prior=heads", "adapt=250,prior=heads,group=3,send=32", "adapt=1000"
        codecs = {"e8:q=15,rule=published": (5.0, math.exp(-2 * (2 - 5))), of(2, "adapt=2000"): (2.0, 1.0)}
        for keys, more in ((heads, 0), (light, -0.2), (three, 0.1), (layer, -0.6)):
            codecs |= {of(rate, keys): (float(rate), math.exp(2 * more)) for rate in (1, 3)}  # bits more than heads at one divergence
        codecs |= {of(rate, layer, "cc"): (float(rate), 1.0) for rate in (1, 3)} | {of(rate, heads, "cc"): (float(rate), math.exp(0.2)) for rate in (1, 3)}
        used = lambda digest: {codec: BYTES[0] if "prior" in codec else BYTES[1] for codec in codecs if codec.endswith(f"profile={digest}")}
        uses = {"aa11": ("a + b", used("aa")), "cc11": ("a + b", {codec: size // 2 for codec, size in used("cc").items()})}
        root = self.root.with_name("variants")
        for split in ("held-out", "development"):
            self.write(root, f"smollm2-135m.wiki.test.8192.{split}", codecs, uses, 8192)
        found = {}
        for line in printed(SCRIPTS / "adaptive_settings.py", root, "--csv").splitlines()[1:]:
            _, text, _, title, other, quantity, value = (cell.strip('"') for cell in re.findall(r'"[^"]*"|[^,]+', line))
            found[text.split(", ")[1], title, other, quantity] = float(value)
        at = lambda title, other, quantity="ratio": found["held-out", title, f"of {other}", quantity]
        usual, group = "heads, mix, adapt=500", "heads, mix, adapt=250, group=3, send=32"
        # from exp(-2.4) to exp(-6) nats heads take 1.2 to 3 bits
        for quantity, ratio in (("ratio", 1.9 / 2.1), ("ratio at the most nats", 1 / 1.2), ("ratio at the least nats", 2.8 / 3)):
            self.assertAlmostEqual(at("heads, mix, adapt=125", usual, quantity), ratio, delta=0.01)
        self.assertAlmostEqual(at(group, usual), 2.05 / 1.95, delta=0.01)
        self.assertAlmostEqual(at("one layer, mix, int8, adapt=1000", "one layer, mix, adapt=1000"), 2.3 / 1.7, delta=0.01)
        self.assertAlmostEqual(at("heads, mix, int8, adapt=500", usual), 2.05 / 1.95, delta=0.01)
        self.assertAlmostEqual(at("one layer, mix, adapt=2000", "one layer, mix, adapt=1000"), 2 / 1.4, delta=0.01)  # of one setting, at its own loss
        self.assertEqual({key[0] for key in found}, {"held-out", "development"})
        table = printed(SCRIPTS / "adaptive_settings.py", root).split("\n\n")[1]
        self.assertRegex(table, r"SmolLM2, Wikipedia, development \| heads, mix, adapt=125 \| heads, mix, adapt=500 \| 4 \| 0.09\d+ to 0.00\d+ \| 0.9")
        numbers = printed(SCRIPTS / "adaptive_tables.py", root, "--csv")
        self.assertRegex(numbers, '"heads, mix, adapt=125","of heads, mix, adapt=500",0.(8999|9000)')
        self.assertNotIn(f'"{group}","of heads', numbers)  # the same with 500, which is not there

    def test_controls_stand_beside_the_codecs(self):
        self.assertNotIn("nothing coded", printed(SCRIPTS / "adaptive_tables.py", self.root))
        root = self.root.with_name("beside") / "adaptive"
        shutil.copytree(self.root, root)
        folder = root / "smollm2-135m.wiki.test.8192.held-out"
        losses = {"bf16": 0.0005, "fused": 0.00001}
        (folder / "controls.jsonl").write_text("".join(json.dumps({"control": name, "passage": passage, "kld_mean": loss * (1 + passage)}) + "\n" for name, loss in losses.items() for passage in range(3)))
        text = printed(SCRIPTS / "adaptive_tables.py", root)
        self.assertIn("| smollm2-135m, wiki.test, held-out | 8192 | nothing coded: bf16 arithmetic | 3 | 0.001 |", text)
        self.assertIn("nothing coded: another attention | 3 | 2e-05 |", text)
        self.assertIn(f'"nothing coded: bf16 arithmetic","KL divergence (nats)",{(0.0005 + 0.001 + 0.0015) / 3!r}\n', printed(SCRIPTS / "adaptive_tables.py", root, "--csv"))

    def test_what_shares_text_with_its_profile_is_starred(self):
        numbers, text = (printed(SCRIPTS / "adaptive_tables.py", self.root, *more) for more in (("--csv",), ()))
        self.assertIn("| one layer, own kind * | 4 |", text)
        self.assertEqual(text.count(" * |"), 1)
        self.assertNotIn("*", numbers)

    def test_parts_are_those_of_the_ledgers(self):
        report = ROOT / "reports" / "adaptive"
        self.assertEqual(printed(SCRIPTS / "adaptive_parts.py", "--csv"), (report / "parts.csv").read_text())
        self.assertIn(f"\n{printed(SCRIPTS / 'adaptive_parts.py')}", (report / "aims.md").read_text())
        folder = self.root / "smollm2-135m.wiki.test.8192.held-out"
        cells = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
        ledger = {"payload_bits": 8000, "table_bits": 600, "exact_token_bits": 400, "header_bits": 100, "scale_bits": 0, "padding_bits": 0}
        (folder / "samples.jsonl").write_text("".join(json.dumps({**cell, "ledger_k": ledger, "ledger_v": dict.fromkeys(ledger, 0)}) + "\n" for cell in cells))
        found = dict(line.rsplit(",", 1) for line in printed(SCRIPTS / "adaptive_parts.py", self.root, "--csv").splitlines())
        share = 8 * BYTES[6] / (8000 * 2 * 30 * 3 * 64)
        for quantity, bits in (("points", 8), ("said first", 0.6), ("sinks", 0.4), ("headers and scales", 0.1), ("profile", share)):
            self.assertAlmostEqual(float(found[f'smollm2-135m,"six layers, mix","bits=1","bits, {quantity}"']), bits, delta=1e-9)
        self.assertRegex(printed(SCRIPTS / "adaptive_parts.py", self.root), r"\| SmolLM2 \| no profile \| 3 \| 4 \| 0.00\d+ \| 8.000 \| 0.600 \|")  # nearer than 1 bit

    def test_figures_in_tables_are_bound_to_the_cells_of_their_rows(self):
        root = self.root.with_name("bound")
        shutil.copytree(ROOT / "reports" / "adaptive", root, ignore=shutil.ignore_patterns("*.*-*", "*.8192", "details.md"))
        told = (root / "figures.csv").read_text()
        self.assertRegex(printed(SCRIPTS / "adaptive_bind.py", root), r"\d+ figures, \d{4} of tables, 0 bound anew")
        self.assertEqual((root / "figures.csv").read_text(), told)
        (root / "figures.csv").write_text(told.replace("bits, low end | value", "bits, high end | value", 1))
        self.assertIn(" 1 bound anew", printed(SCRIPTS / "adaptive_bind.py", root))
        self.assertEqual((root / "figures.csv").read_text(), told)

    def test_the_committed_figures_are_computed(self):
        for name in ("adaptive", "adaptive-hot"):
            self.assertEqual(printed(SCRIPTS / "adaptive_tables.py", ROOT / "reports" / name, "--csv"), (ROOT / "reports" / name / "tables.csv").read_text())
            page = (ROOT / "reports" / name / "README.md").read_text()
            for table in printed(SCRIPTS / "adaptive_pages.py", name).rstrip("\n").split("\n\n"):
                self.assertIn(f"\n{table}\n", page)

    def test_the_committed_settings_are_computed(self):
        for name, page in (("adaptive", "settings.md"), ("adaptive-hot", "README.md")):
            report = ROOT / "reports" / name
            self.assertEqual(printed(SCRIPTS / "adaptive_settings.py", report, "--csv"), (report / "settings.csv").read_text())
            for table in printed(SCRIPTS / "adaptive_settings.py", report).rstrip("\n").split("\n\n"):
                self.assertIn(f"\n{table}\n", (report / page).read_text())

    def test_seconds_of_updates_on_a_gpu_are_those_measured(self):
        measured = json.loads((ROOT / "reports" / "adaptive" / "costs_gpu.json").read_text())["updates"]
        rows = (("n", lambda of: of["width"]), ("one core, a group: seconds", lambda of: of["core"]["seconds"]),
                *((title, lambda of, i=i, key=key: of["gpu"][i][key]) for title, i, key in (
                    ("GPU, one group: seconds", 0, "seconds"), ("the core takes so many times as long", 0, "core_over_gpu"),
                    ("GPU, 30 groups at once: seconds", 1, "seconds"), ("the core, one after another, so many times as long", 1, "core_over_gpu"))))
        page = (ROOT / "lib/kakeya/codecs/klt/adapt.md").read_text()
        rows += (("GPU, one group: 10^12 operations a second, of 12 n^3", lambda of: 12 * of["width"] ** 3 / of["gpu"][0]["seconds"] / 1e12),)
        for title, of in rows:
            cells = (f"{of(row):.3g}" if title != "n" else str(of(row)) for row in measured)
            self.assertIn(f"\n| {title} | {' | '.join(cells)} |\n", page)

    def test_tables_and_a_chart_are_written(self):
        lines = printed(SCRIPTS / "adaptive_tables.py", self.root).splitlines()
        self.assertEqual(len({line.count("|") for line in lines[:6]}), 1)
        self.assertRegex("\n".join(lines), r"smollm2-135m, wiki.test, held-out \| 8192 \| no profile \| 4 \|")
        printed(SCRIPTS / "adaptive_chart.py", self.root, self.root.with_name("chart"))
        data = (self.root.with_name("chart") / "context-smollm2-135m.dat").read_text()
        blocks = {lines[0].removeprefix("# ").split(":")[0]: lines[1:] for lines in (block.splitlines() for block in data.split("\n\n\n"))}
        self.assertEqual(list(blocks), ["no profile", "one layer, mix", "one layer, mix (by estimate)", "one layer, mix, adapt=1000", "one layer, mix, adapt=1000 (by estimate)", "six layers, mix",
                                        "six layers, mix (by estimate)"])  # no long cache without a profile
        self.assertEqual([line.split()[0] for line in blocks["one layer, mix, adapt=1000 (by estimate)"]], ["8000", "131072"])
        script = (self.root.with_name("chart") / "context-smollm2-135m.gp").read_text()
        self.assertIn("title 'by estimate", script)

    def test_a_chart_leaves_out_points_of_one_passage(self):
        folder = self.root / "smollm2-135m.wiki.test.8192.held-out"
        lines = (folder / "samples.jsonl").read_text().splitlines(keepends=True)
        (folder / "samples.jsonl").write_text("".join(line for line in lines if "profile=none" not in line or '"passage": 0' in line))
        printed(SCRIPTS / "adaptive_chart.py", self.root, self.root.with_name("chart"))
        data = (self.root.with_name("chart") / "context-smollm2-135m.dat").read_text()
        self.assertNotIn("no profile", data)
        self.assertIn("# one layer, mix:", data)

    def test_the_committed_charts_are_drawn_of_the_samples(self):
        folder = self.root.with_name("chart")
        printed(SCRIPTS / "adaptive_chart.py", folder)
        drawn = sorted(folder.glob("*.dat")) + sorted(folder.glob("*.gp"))
        self.assertEqual([path.name for path in drawn], [f"context-{model}.{end}" for end in ("dat", "gp") for model in ("gemma3-270m", "smollm2-135m")])
        for path in drawn:
            self.assertEqual(path.read_text(), (ROOT / "reports" / "adaptive" / path.name).read_text())


class Sent(ProgramCase):
    """scripts/adaptive_sent.py: bits of half a byte, errors that are powers of two."""
    LEARNS = "klt:bits=1,scope=layer,predict=1,adapt=9,profile=aa"

    def write(self, root, layers, cells):
        folder = root / f"m.4096.{layers}"
        folder.mkdir(parents=True)
        lines = [{"codec_k": codec, "values": VALUES, "bytes_written": round(bits * VALUES / 8), "rel_mse_k": error, "rel_mse_v": 0.25, "ledger_k": {"table_bits": 100}, "ledger_v": {"table_bits": 0}}
                 for codec, bits, error in cells for _ in range(2)]
        (folder / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    def test_bits_stand_at_the_errors_of_what_only_learns(self):
        root = scratch_folder(self.addCleanup)
        sends, static, groups = (self.LEARNS.replace(",adapt=9", keys) for keys in (",adapt=9,send=8", "", ",adapt=9,group=2"))
        self.write(root, "0-1", [("identity", 16, 0.1), (static, 4, 0.5), (self.LEARNS, 2, 0.5), (sends, 2, 0.125), (groups, 1, 2)])
        self.write(root, "2-3", [(static, 4, 0.5), (self.LEARNS, 3, 0.5), (sends, 3, 0.5), (groups, 2, 0.5)])
        lines = printed(SCRIPTS / "adaptive_sent.py", root).splitlines()
        self.assertEqual(lines, ["| tokens | 4,096 |", "|---|--:|", "| static | 4.000 (1.600) |", "| adapt=9 | 2.500 (1.000) |", "| adapt=9, send=8 | 2.250 (0.900) |", "| adapt=9, group=2 | 1.750 (0.700) |"])
        numbers = dict(line.rsplit(",", 1) for line in printed(SCRIPTS / "adaptive_sent.py", root, "--csv").splitlines())
        at = lambda layers, quantity: float(numbers[f'"adapt=9, send=8","4096 tokens","{layers}","{quantity}"'])
        self.assertEqual((at("layers 0-1", "bits"), at("layers 0-1", "of them sent"), at("layers 0-1", "bits at equal errors"), at("all layers", "of what only learns")), (2, 0.1, 1.5, 0.9))

    def test_one_users_long_caches_are_estimated(self):
        found = dict(line.rsplit(",", 1) for line in printed(SCRIPTS / "adaptive_sent.py", "--csv").splitlines())
        adaptive = dict(line.rsplit(",", 1) for line in (ROOT / "reports" / "adaptive" / "tables.csv").read_text().splitlines())
        for codec, coded, tokens in (("group=3, send=32", 32768, 32768), ("group=6, send=128", 122880, 131072)):
            part = float(found[f'"adapt=500, prior=heads, {codec}","{coded} tokens","all layers","of what only learns"'])
            bits, counted = (float(adaptive[f'smollm2-135m,one user,{tokens} tokens,"heads, mix, adapt=500","{name}"']) for name in ("bits", "bits with its profile"))
            self.assertEqual(float(found[f'"adapt=500, prior=heads, {codec}","{tokens} tokens","one user, by estimate","bits with its profile"']), bits * part + counted - bits)

    def test_the_committed_figures_are_computed(self):
        self.assertEqual(printed(SCRIPTS / "adaptive_sent.py", "--csv"), (ROOT / "reports" / "adaptive-sent" / "table.csv").read_text())


if __name__ == "__main__":
    main()
