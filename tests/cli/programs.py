#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives the built programs as a user would: help, exit codes, damaged files, resumed and killed sweeps.

usage: programs.py BIN [unittest arguments]     KAKEYA_REGENERATE=1 rewrites tests/cli/expected
"""
import hashlib
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import time

from program_case import (EXPECTED, ProgramCase, ROOT, TEXT, WRITTEN, command, document, json_lines, main, output, scratch_folder,
                          write_floats)

NANO = ROOT / "data" / "models" / "nano"
SUBCOMMANDS = (("report", "attention"), ("report", "audit"), ("report", "capacity"), ("report", "choose"), ("report", "cold"), ("report", "generate"), ("report", "gpu"), ("report", "layers"),
               ("report", "needle"), ("report", "positions"), ("report", "published"), ("report", "rd"), ("report", "storage"), ("report", "streaming"), ("report", "streams"), ("report", "thresholds"), ("calibrate", "--plan"))
PROGRAMS = ("codec", "perplexity", "capture", "calibrate", "sweep", "report", "generate", "needle")
LEDGER = {"vectors", "values", "charged_bits", "exact_bits", "entropy_bits", "payload_bits", "scale_bits", "header_bits",
          "table_bits", "padding_bits", "exact_token_bits"}  # of samples; programs say two of them by other names too
OLD_NAMES = {"charged": "nominal", "exact": "codebook"}


class Case(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    def nano_copy(self):
        copy = self.folder / "model"
        shutil.copytree(NANO, copy)
        return copy

    @staticmethod
    def cut(path, length):
        os.truncate(path, length)


class Words(Case):
    def test_help_is_exactly_as_recorded(self):
        for program, *subcommand in (*((program,) for program in PROGRAMS), *SUBCOMMANDS):
            self.check_recorded_words(output(program, *subcommand, "--help"), f"{'-'.join(word.strip('-') for word in (program, *subcommand))}-help.txt")

    def test_list_is_exactly_as_recorded(self):
        text = output("codec", "list")
        recorded = EXPECTED / "codec-list.txt"
        if os.environ.get("KAKEYA_REGENERATE"):
            recorded.write_text(text)
        self.assertEqual(text, recorded.read_text())
        for codec in document("codec", "list"):  # only what is ours has no source
            self.assertEqual(codec["faithful"] == "own", codec["source"] == "", codec["name"])

    def test_version(self):
        for program in PROGRAMS:
            self.assertTrue(output(program, "--version").startswith(f"kakeya-{program} "))

    def test_usage_errors_exit_2(self):
        for program in PROGRAMS:
            self.fails(2, program, "--no-such", "5", "--nor-such", names=(f"kakeya-{program}: --no-such: unknown option (see ",))
        self.fails(2, "codec", "roundtrip", "--no-such", names=("kakeya-codec: --no-such: unknown option",))
        self.fails(2, "perplexity", "--model", NANO, "stray", names=("stray: unexpected argument",))
        vectors = self.folder / "x.f32"
        write_floats(vectors, range(64))
        self.fails(2, "codec", "roundtrip", "--codec", "e8:qq=10", "--in", vectors, "--dim", "64", names=("qq",))
        self.fails(2, "sweep", "--model", NANO, "--text", TEXT, "--codec", "nosuch:b=1", "--out", self.folder / "o",
                   names=("nosuch",))
        self.fails(2, "sweep", "--model", NANO, "--text", TEXT, "--codec", "fp8", "--mode", "inforward,decode", "--device", "cuda", "--codec-device", "cuda",
                   "--out", self.folder / "o", names=("codec-device cuda", "mode decode", "cpu or auto"))
        for where, words in (("cuda", ("codec-device cuda", "--device cuda")), ("gpu", ("codec-device gpu", "cuda"))):
            self.fails(2, "sweep", "--model", NANO, "--text", TEXT, "--codec", "fp8", "--codec-device", where, "--out", self.folder / "o",
                       names=words)

    def test_counts_below_their_least_are_named(self):
        vectors = self.folder / "x.f32"
        write_floats(vectors, range(64))
        cases = {
            "codec": (("roundtrip", "--codec", "fp8", "--in", vectors), (("--dim", "-1"), ("--dim", "0"))),
            "perplexity": (("--model", NANO, "--text", TEXT / "01-tides.txt"),
                           (("--ctx", "-5"), ("--stride", "-5"), ("--threads", "-5"), ("--ctx", "5x"))),
            "capture": (("--model", NANO, "--text", TEXT, "--out", self.folder / "d.h5"),
                        (("--ctx", "-5"), ("--passages", "-5"), ("--threads", "-5"))),
            "sweep": (("--model", NANO, "--text", TEXT, "--codec", "fp8", "--out", self.folder / "o"),
                      tuple((f"--{name}", "-5") for name in
                            ("ctx", "eval", "passages", "skip-edge-layers", "sinks", "residual-window", "threads", "seed"))),
        }
        for program, (arguments, flags) in cases.items():
            for flag, value in flags:
                self.fails(2, program, *arguments, flag, value, names=(flag, f"{value}: expected a whole number"))

    def test_a_short_name_is_not_shadowed_by_a_folder(self):
        (self.folder / "nano").mkdir()
        arguments = ("--model", "nano", "--text", TEXT / "01-tides.txt", "--tokenize")
        output("perplexity", *arguments, cwd=self.folder)
        self.fails(1, "perplexity", "--model", "./nano", *arguments[2:], cwd=self.folder)
        # $KAKEYA_MODELS comes first, but only where it holds the model.
        output("perplexity", *arguments, KAKEYA_MODELS=str(self.folder))
        (self.folder / "nano" / "model.safetensors").write_bytes(b"")
        self.fails(1, "perplexity", *arguments, names=(str(self.folder),), KAKEYA_MODELS=str(self.folder))

    def test_no_vectors(self):
        for name, content in (("x.f32", b""), ("nan.f32", struct.pack("<64f", *[float("nan")] * 64))):
            vectors, out = self.folder / name, self.folder / f"{name}.out.npy"
            vectors.write_bytes(content)
            arguments = ("roundtrip", "--codec", "e8:q=10", "--in", vectors, "--dim", "64", "--out", out, "--json")
            if content:
                self.fails(1, "codec", *arguments, names=(name,))
                self.assertFalse(out.exists())
                continue
            answer = json.loads(output("codec", *arguments))
            self.assertEqual((answer["vectors"], answer["rel_mse"], answer["max_abs_error"]), (0, 0, 0))
            for key in ("sqnr_db", "cosine", "bits_per_value", "entropy_bits_per_value", "shannon_gap_db"):
                self.assertIsNone(answer[key], key)
            self.assertTrue(out.exists())

    def test_ledger_of_a_file(self):
        vectors, frame = self.folder / "x.f32", self.folder / "x.kky"
        rnd = random.Random(3)
        write_floats(vectors, [rnd.gauss(0, 1) for _ in range(6400)])
        for codec, *site in (("e8:q=10",), ("d4:q=38",), ("tq:b=3",), ("fp8",), ("identity",), ("kivi:b=3", "--site", "0:key:0"),
                             ("kivi:b=3", "--site", "7:value:1")):
            arguments = ("--codec", codec, *site, "--in", vectors, "--dim", "64")
            answer = document("codec", "roundtrip", *arguments)
            ledger = answer["ledger"]
            self.assertEqual(set(ledger), LEDGER | {"nominal_bits", "codebook_bits"}, codec)
            self.assertEqual((ledger["vectors"], ledger["values"]), (100, 6400))
            self.assertEqual(sum(ledger[key] for key in WRITTEN), 8 * answer["bytes_written"], codec)
            self.assertAlmostEqual(ledger["charged_bits"], 100 * answer["charged_bits_per_vector"])
            self.assertAlmostEqual(ledger["exact_bits"], 100 * answer["exact_bits_per_vector"], places=6)
            for old, name in OLD_NAMES.items():
                self.assertEqual(ledger[f"{name}_bits"], ledger[f"{old}_bits"])
                self.assertEqual(answer[f"{name}_bits_per_vector"], answer[f"{old}_bits_per_vector"])
            self.assertEqual(answer["measured_bits_per_value"], answer["bits_per_value"])
            if ledger["entropy_bits"] is not None:
                self.assertAlmostEqual(ledger["entropy_bits"], 6400 * answer["entropy_bits_per_value"], places=6)
                self.assertLess(ledger["entropy_bits"], ledger["payload_bits"])
            text = output("codec", "roundtrip", *arguments)
            for name in ("measured_bits_per_value", "nominal_bits_per_vector", "codebook_bits_per_vector"):
                self.assertEqual(text.count(name), 1, text)
            self.assertNotIn("charged", text)
            output("codec", "encode", *arguments, "--out", frame)
            info = document("codec", "info", "--in", frame)
            self.assertEqual(info["ledger"], {**ledger, "entropy_bits": None}, codec)
            self.assertEqual(sum(info["sections"].values()), info["bytes"])
        self.fails(1, "codec", "roundtrip", "--codec", "kivi:b=3", "--in", vectors, "--dim", "64", names=("--site LAYER:PART:HEAD",))

    def test_missing_files_exit_1(self):
        self.fails(1, "perplexity", "--model", self.folder / "none", "--text", TEXT / "none.txt", names=("none",))
        self.fails(1, "report", self.folder / "none", "--out", self.folder / "r", names=("none",))
        self.fails(1, "sweep", "--config", self.folder / "none.json", "--out", self.folder / "o", names=("none.json",))


class Damaged(Case):
    """A file cut anywhere: one line that names it, exit code 1."""

    def perplexity(self, model, names=()):
        self.fails(1, "perplexity", "--model", model, "--text", TEXT / "01-tides.txt", "--ctx", "64", names=names)

    def test_safetensors(self):
        whole = (NANO / "model.safetensors").stat().st_size
        for length in (0, 5, 8, 300, whole // 2, whole - 1):
            model = self.nano_copy()
            self.cut(model / "model.safetensors", length)
            self.perplexity(model, names=("model.safetensors",))
            shutil.rmtree(model)

    def test_tokenizer_and_config(self):
        for name in ("tokenizer.json", "config.json"):
            whole = (NANO / name).stat().st_size
            for length in (0, 1, whole // 2, whole - 2):
                model = self.nano_copy()
                self.cut(model / name, length)
                self.perplexity(model, names=(name,))
                shutil.rmtree(model)

    def test_what_a_damaged_tokenizer_holds_is_not_passed_on(self):
        whole = (NANO / "tokenizer.json").read_bytes()
        head = whole.rstrip().removesuffix(b"}")
        for content in (whole.replace(b"{", b'{"\xff\x80\x1b[31m": "\xc2', 1),  # ill-formed, and an escape sequence
                        head + b', "x": "' + b"y" * 1_000_000,                  # a long string cut short
                        head + b', "x": "' + "\u00e9\u20ac\U0001f600".encode() * 100_000,
                        b'"' + b"\xff" * 1_000_000):
            model = self.nano_copy()
            (model / "tokenizer.json").write_bytes(content)
            self.perplexity(model, names=("tokenizer.json",))
            shutil.rmtree(model)
        for stray in ("\u00e9" * 5000, "a" + "\U0001f600" * 5000, "\u0085\u2028\x1b[2J", b"\xed\xa0\x80\xf4\x90\xc0"):
            self.fails(2, "perplexity", "--model", NANO, os.fsdecode(stray), names=(": unexpected argument",))

    def test_token_files(self):
        ids = self.folder / "ids.json"
        for content, words in (("[1]", "1 tokens, expected at least 2"), ("[1, 999999]", "token 1 is 999999"),
                               ("[1, 2, 3, 4, 5, 999999]", "token 5 is 999999"), ("[1, -7]", "")):
            ids.write_text(content)
            self.fails(1, "perplexity", "--model", NANO, "--tokens", ids, "--ctx", "4", names=("ids.json", words))

    def test_unknown_architecture_and_key(self):
        for key, value in (("architectures", ["NoSuchForCausalLM"]), ("hidden_act", "nosuch"), ("num_hidden_layers", 99)):
            model = self.nano_copy()
            config = json.loads((model / "config.json").read_text())
            config[key] = value
            if key == "architectures":
                config["model_type"] = "nosuch"
            (model / "config.json").write_text(json.dumps(config))
            self.perplexity(model)
            shutil.rmtree(model)

    def test_gguf(self):
        key = b"general.architecture"
        header = b"GGUF" + struct.pack("<IQQ", 3, 5, 1) + struct.pack("<Q", len(key)) + key + struct.pack("<IQ", 8, 5) + b"llama"
        path = self.folder / "m.gguf"
        for length in (0, 3, 4, 12, 24, 40, len(header)):
            path.write_bytes(header[:length])
            self.perplexity(path, names=("m.gguf",))

    def test_dump(self):
        dump = self.folder / "d.h5"
        output("capture", "--model", NANO, "--text", TEXT, "--passages", "1", "--ctx", "32", "--out", dump)
        output("sweep", "--dump", dump, "--codec", "e8:q=10", "--out", self.folder / "fine")
        whole = dump.read_bytes()
        for length in (0, 7, 100, len(whole) // 2, len(whole) - 1):
            short = self.folder / "short.h5"
            short.write_bytes(whole[:length])
            self.fails(1, "sweep", "--dump", short, "--codec", "e8:q=10", "--out", self.folder / "o", names=("short.h5",))

    def test_sweep_config(self):
        config = ROOT / "configs" / "quickstart-nano.json"
        text = config.read_text()
        bad = self.folder / "bad.json"
        for content, words in ((text[: len(text) // 2], ()), (text.replace("{", '{"no_such_key": 1,', 1), ("no_such_key",)), ("", ())):
            bad.write_text(content)
            self.fails(1, "sweep", "--config", bad, "--out", self.folder / "o", names=("bad.json", *words))


class Sweeps(Case):
    GRID = ("--model", NANO, "--text", TEXT, "--passages", "2", "--ctx", "48", "--eval", "8", "--boundary", "1",
            "--codec", "e8:q=4..6", "--codec", "tq:b=4", "--threads", "1")

    def sweep(self, out, *more):
        return output("sweep", *self.GRID, "--out", out, *more)

    @staticmethod
    def samples(out):
        lines = json_lines(out / "samples.jsonl")
        timings = ("encode_seconds", "decode_seconds", "forward_seconds", "cell_seconds")
        for line in lines:
            for key in timings:
                line.pop(key, None)
        return sorted(lines, key=lambda s: (s["codec_k"], s["codec_v"], s["mode"], s["passage"]))

    def test_keys_identity_and_second_run(self):
        out = self.folder / "o"
        self.sweep(out, "--mode", "inforward")
        samples = self.samples(out)
        self.assertEqual(len(samples), 2 * 5)
        for key in ("codec_k", "codec_v", "passage", "mode", "nll_reference", "nll", "delta_ppl", "kld_mean", "kld_max", "delta_p_max", "top1",
                    "rel_mse_k", "rel_mse_v", "values", "bytes_written", "bits_per_value"):
            self.assertIn(key, samples[0])
        for sample in samples:
            self.assertAlmostEqual(sample["bits_per_value"], 8 * sample["bytes_written"] / sample["values"], places=12)
            if sample["codec_k"] == "identity":
                self.assertEqual((sample["kld_mean"], sample["delta_ppl"], sample["rel_mse_k"], sample["top1"]), (0, 0, 0, 1))
            else:
                self.assertGreater(sample["kld_mean"], 0)
            both = [sample["ledger_k"], sample["ledger_v"]]
            self.assertEqual([set(ledger) for ledger in both], [LEDGER, LEDGER])
            self.assertEqual(sum(ledger[key] for ledger in both for key in WRITTEN), 8 * sample["bytes_written"])
            self.assertEqual(sum(ledger["values"] for ledger in both), sample["values"])
            for kind in ("charged", "exact"):
                self.assertAlmostEqual(sum(ledger[f"{kind}_bits"] for ledger in both) / sample["values"],
                                       sample[f"{kind}_bits_per_value"], places=9)
        before = (out / "samples.jsonl").read_bytes()
        self.sweep(out, "--mode", "inforward")
        self.assertEqual((out / "samples.jsonl").read_bytes(), before)
        self.fails(1, "sweep", *self.GRID[:6], "--ctx", "40", *self.GRID[8:], "--out", out, names=("context",))
        report = self.folder / "r"
        answer = document("report", out, "--out", report)
        for key in ("files", "codecs", "passages"):
            self.assertIn(key, answer)
        for name in ("report.md", "details.md", "results.csv", "kld_inforward.svg", "kld_inforward.png"):
            self.assertGreater((report / name).stat().st_size, 200, name)
        self.assertIn("### Where the measured bits go", (report / "details.md").read_text())
        # --only takes several; a folder that exists ends them, as the next option does.
        every = answer["codecs"]
        for only, codecs in ((("--only", "tq"), 2), (("--only", "tq", "identity"), 2), (("--only", "tq", "e8"), every),
                             (("--only", "tq", "--only", "e8"), every)):
            for arguments in ((*only, out), (out, *only)):
                self.assertEqual(document("report", *arguments, "--no-charts", "--out", report)["codecs"], codecs, arguments)
        self.which_codec(out, samples)
        again = json.loads(self.sweep(out, "--mode", "inforward", "--json"))
        for line in again["table"]:
            for kind in ("", "charged_", "exact_", "entropy_"):
                self.assertIn(f"{kind}bits_per_value", line)
            for old, name in (("", "measured_"), ("charged_", "nominal_"), ("exact_", "codebook_")):
                self.assertEqual(line[f"{name}bits_per_value"], line[f"{old}bits_per_value"])
            of = [s for s in samples if s["codec_k"] == line["codec_k"]]
            self.assertEqual([line[key] for key in ("kld_max", "delta_p_max")], [max(s[key] for s in of) for key in ("kld_max", "delta_p_max")])
            for key in ("kld_mean", "abs_delta_ppl", "cosine_k", "cosine_v"): self.assertAlmostEqual(line[key], sum(abs(s[key.removeprefix("abs_")]) for s in of) / 2, places=12)
        (out / "samples.jsonl").write_text("")
        self.fails(1, "report", out, "--out", report, names=(f"{out}: no finished cell of 10 planned",))

    def which_codec(self, out, samples):
        """kakeya-report --at-kl, on the samples of e8:q=4, 5, 6 and tq:b=4, two passages each."""
        means = {spec: sum(s["kld_mean"] for s in samples if s["codec_k"] == spec) / 2 for spec in ("e8:q=4", "e8:q=5", "e8:q=6", "tq:b=4")}
        bits = {s["codec_k"]: s["bits_per_value"] for s in samples}
        kl = (means["e8:q=4"] * means["e8:q=5"]) ** 0.5
        answer = document("report", out, "--at-kl", repr(kl))["at_kl"]
        e8, tq = (next(each for each in answer if each["family"] == family) for family in ("e8", "tq"))
        self.assertEqual((e8["kl"], e8["where"], e8["ci"], e8["profile_bytes"], e8["profile_bits_2k"]), (kl, "inside", None, 0, 0))
        self.assertAlmostEqual(e8["bits"], (bits["e8:q=4"] + bits["e8:q=5"]) / 2, places=9)
        self.assertIn(e8["nearest"], ("e8:q=4", "e8:q=5"))
        self.assertAlmostEqual(e8["nearest_kl"], means[e8["nearest"]], places=12)
        self.assertEqual((tq["where"], tq["bits"], tq["nearest"]), ("below" if means["tq:b=4"] < kl else "above", None, "tq:b=4"))
        text = output("report", out, "--at-kl", repr(kl))
        self.assertIn("| e8 ", text)
        self.fails(1, "report", out, "--at-kl", "1e-12", stdout=r"\| e8 .*above what was measured",
                   names=("no family reaches a KL divergence of 1e-12: measured are ",))
        self.fails(2, "report", out, "--at-kl", "0", names=("--at-kl 0", "above 0"))
        self.fails(2, "report", out, names=("--out", "--at-kl"))
        self.fails(2, "report", out, "--out", self.folder / "r", "--families", "klt*", names=("--families klt*", "e8; tq"))

    def test_a_recent_window_keeps_predictions_and_is_part_of_the_plan(self):
        out, plain = self.folder / "recent", self.folder / "plain"
        modes = ("--mode", "inforward,snapshot,prefix")
        self.sweep(plain, *modes)
        self.sweep(out, *modes, "--residual-window", "24", "--sinks", "2")
        samples = self.samples(out)
        self.assertEqual(len(samples), 3 * 2 * 5)
        for sample, without in zip(samples, self.samples(plain)):
            if sample["codec_k"] == "identity":
                self.assertEqual((sample["kld_max"], sample["delta_ppl"]), (0, 0), sample["mode"])
                continue
            self.assertGreater(sample["kld_mean"], 0)
            self.assertLess(sample["kld_mean"], without["kld_mean"])
            self.assertEqual(sample["values"], without["values"])
            tokens = 48 if sample["mode"] == "prefix" else 56
            for part in ("ledger_k", "ledger_v"):
                self.assertEqual(sample[part]["exact_token_bits"] * tokens, 16 * 26 * sample[part]["values"])
        self.assertEqual(json.loads((out / "provenance.json").read_text())["plan"]["recent"], 24)
        stored = (out / "samples.jsonl").read_bytes()
        for other in ((), ("--recent", "23")):
            self.fails(1, "sweep", *self.GRID, *modes, "--sinks", "2", *other, "--out", out, names=("another plan: recent: 24 stored",))
        self.assertEqual((out / "samples.jsonl").read_bytes(), stored)
        self.fails(1, "sweep", *self.GRID, "--recent", "24", *modes, "--out", plain, names=("recent: 0 stored, 24 asked for",))
        self.fails(1, "sweep", *self.GRID, "--recent", "54", "--sinks", "2", "--out", self.folder / "o",
                   names=("sinks 2, residual window 54: leave no token of 56 to code",))
        self.assertIn("a residual window of 24, tap", output("sweep", *self.GRID, "--recent", "24", "--dry-run"))
        self.assertNotIn("residual", output("sweep", *self.GRID, "--dry-run"))
        output("report", out, "--out", self.folder / "r")
        text = (self.folder / "r" / "details.md").read_text()
        self.assertIn("residual window seen bf16", text)
        self.assertIn("the sinks and the residual window, in bf16", text)

    def test_killed_and_resumed_is_the_same(self):
        whole, parts = self.folder / "whole", self.folder / "parts"
        more = ("--codec", "e8:q=10..60..2", "--mode", "snapshot")
        self.sweep(whole, *more)
        expected = self.samples(whole)

        def lines():
            stored = parts / "samples.jsonl"
            return stored.read_bytes().count(b"\n") if stored.exists() else 0

        rnd = random.Random(7)
        words = command("sweep", *self.GRID, *more, "--out", parts)
        killed_at = []
        for _ in range(4):
            child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            before = lines()
            while lines() <= before and child.poll() is None:
                time.sleep(0.002)
            time.sleep(rnd.uniform(0, 0.05))
            child.send_signal(signal.SIGKILL)
            child.wait()
            if child.returncode == -signal.SIGKILL:
                killed_at.append(lines())
        self.assertTrue(any(0 < count < len(expected) for count in killed_at), f"{killed_at} of {len(expected)} cells")
        self.sweep(parts, *more)
        self.assertEqual(expected, self.samples(parts))

    def test_plans_name_the_tokenizer_file_and_the_storage(self):
        digest = hashlib.sha256((NANO / "tokenizer.json").read_bytes()).hexdigest()

        def plan(out):
            return json.loads((out / "provenance.json").read_text())["plan"]

        self.sweep(self.folder / "model")
        dump = self.folder / "d.h5"
        output("capture", "--model", NANO, "--text", TEXT, "--passages", "1", "--ctx", "32", "--out", dump)
        output("sweep", "--dump", dump, "--codec", "e8:q=10", "--out", self.folder / "dump")
        for name in ("model", "dump"):
            self.assertTrue(plan(self.folder / name)["tokenizer"].endswith(f", sha256 {digest}"), name)
        self.assertEqual(plan(self.folder / "dump")["dtype"], "stored bf16")


if __name__ == "__main__":
    main()
