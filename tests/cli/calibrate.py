#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives kakeya-calibrate and the codec klt on the shipped model: profile, resuming, sweep, frames of one site.

usage: calibrate.py BIN
"""
import json
import math
import pathlib
import random
import subprocess
import tempfile
import time

from program_case import (ProgramCase, ROOT, WRITTEN, command, document, halves_of_texts, json_lines, main, output, run,
                          scattered, scratch_folder, shallow_nano, write_floats)


class Calibrate(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.profile = cls.folder / "p.h5"
        # Half of the texts: the sweep below is over the others.
        cls.held_in, cls.held_out = halves_of_texts(cls.folder)
        cls.command = ("--model", "nano", "--text", cls.held_in, "--passages", 4, "--ctx", 1024, "--sensitivity-passages", 1)
        cls.answer = document("calibrate", *cls.command, "--ablations", "--out", cls.profile)
        cls.shallow = shallow_nano(cls.folder, 2)

    def sweep(self, *arguments):
        out = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        output("sweep", "--model", "nano", "--text", self.held_out, "--ctx", 1024, "--passages", 3, "--sinks", 4, "--out", out,
               *arguments)
        cells = {}
        for line in json_lines(out / "samples.jsonl"):
            cells.setdefault(line["codec_k"], []).append(line)
        means = {codec: tuple(sum(line[key] for line in of) / len(of) for key in ("bits_per_value", "kld_mean"))
                 for codec, of in cells.items()}
        return means, json.loads((out / "provenance.json").read_text())

    def samples(self, out):
        cells = {}
        for line in json_lines(out / "samples.jsonl"):
            cells.setdefault(line["codec_k"], {})[line["mode"], line["passage"]] = line
        return cells

    def test_says_that_several_gpus_sum_on_the_host(self):
        said = "kakeya-calibrate: layers on several GPUs: moments are summed on the host\n"
        small = ("--model", "nano", "--text", self.held_in, "--passages", 1, "--ctx", 64, "--scope", "head", "--sensitivity-passages", 0)
        for number, (device, more, told) in enumerate((("cuda:0,cuda:1", (), True), ("cuda:0,cuda:1", ("--codec-device", "cpu"), False),
                                                       ("cuda", (), False), ("cpu,cpu", (), False))):
            with self.subTest(device=device, more=more):  # where there are no such GPUs the error follows
                done = run("calibrate", *small, "--device", device, *more, "--out", self.folder / f"several-{number}.kkp")
                self.assertEqual(done.stderr.startswith(said), told, done.stderr)
                self.assertEqual(done.stderr.count(said), int(told), done.stderr)

    def test_whole_tokens(self):
        """The cold tier: real bytes of keys and values together, layers predicted from those before."""
        out, digest = self.folder / "cold", self.answer["digest"][:16]
        self.assertGreater(self.answer["layer_reader_bytes"], self.answer["reader_bytes"])
        specs = [f"klt:bits=2,scope=layer,predict={order}" for order in (0, 1, 2)]
        specs += ["klt:bits={3,4},scope=layer", "klt:bits=2,scope=layer,predict=2,restart=3", "klt:bits=2"]
        output("sweep", "--model", "nano", "--text", self.held_out, "--ctx", 1024, "--passages", 1, "--sinks", 4, "--boundary", 1,
               "--mode", "snapshot,prefix", "--profile", self.profile, "--codec", *specs, "--out", out)
        cells = self.samples(out)
        name = lambda rest: f"klt:bits={rest},profile={digest}"
        for mode, tokens in (("snapshot", 1024 + 64), ("prefix", 1024)):
            at = lambda rest: cells[name(rest)][mode, 0]
            for rest in ("2,scope=layer", "2,scope=layer,predict=1", "2,scope=layer,predict=2", "2,scope=layer,predict=2,restart=3"):
                cell = at(rest)
                self.assertAlmostEqual(cell["bits_per_value"], 2, delta=0.3)
                self.assertEqual(cell["values"], 6 * 2 * tokens * 2 * 128)
                self.assertEqual(cell["ledger_v"]["values"], 0)
                self.assertEqual(sum(cell["ledger_k"][key] for key in WRITTEN), 8 * cell["bytes_written"])
                self.assertEqual([layer["layer"] for layer in cell["layers"]], list(range(1, 7)))
            # All heads of keys and values together are cheaper than each by itself, predicted ones cheaper still.
            self.assertLess(at("2,scope=layer")["rel_mse_v"], at("2")["rel_mse_v"])
            self.assertLess(at("2,scope=layer,predict=1")["rel_mse_v"], at("2,scope=layer")["rel_mse_v"])
            self.assertLess(at("3,scope=layer")["kld_mean"], at("2,scope=layer")["kld_mean"])
            self.assertLess(at("4,scope=layer")["kld_mean"], at("3,scope=layer")["kld_mean"])
        for how in (("--out", self.folder / "inside"), ("--dry-run",)):  # before anything is measured
            self.fails(2, "sweep", "--model", "nano", "--text", self.held_out, "--ctx", 1024, "--passages", 1, "--profile", self.profile,
                       "--mode", "prefix,inforward", "--codec", "e8:q=10", specs[0], *how,
                       names=("klt:bits=2,scope=layer,profile=", "snapshot or prefix, or klt with restart=1"))
        self.assertFalse((self.folder / "inside").exists())
        for flag in ("--codec-k", "--codec-v"):
            self.fails(2, "sweep", "--model", "nano", "--text", self.held_out, "--ctx", 1024, "--passages", 1, "--profile", self.profile,
                       "--mode", "snapshot", flag, specs[0], "--out", self.folder / "half", names=("one codec of both",))

    def test_whole_tokens_of_a_dump(self):
        dump, out = self.folder / "kv.h5", self.folder / "dump"
        output("capture", "--model", "nano", "--text", self.held_out, "--passages", 1, "--ctx", 200, "--out", dump)
        output("sweep", "--dump", dump, "--profile", self.profile, "--boundary", 1, "--codec", "klt:bits={2,3},scope=layer,page=96",
               "klt:bits=2,scope=layer,predict=1,page=96", "--out", out)
        cells = {name: cell["distortion", 0] for name, cell in self.samples(out).items()}
        end = f"profile={self.answer['digest'][:16]}"
        plain, finer, predicted = (cells[f"klt:bits={rest},page=96,{end}"] for rest in
                                   ("2,scope=layer", "3,scope=layer", "2,scope=layer,predict=1"))
        self.assertGreater(finer["bits_per_value"], plain["bits_per_value"] + 0.7)
        self.assertLess(finer["rel_mse_k"], 0.5 * plain["rel_mse_k"])
        self.assertLess(predicted["rel_mse_v"], plain["rel_mse_v"])

    def test_from_a_dump(self):
        """What was captured serves as well as the prefills it was captured from; queries are rounded to bf16 there."""
        dump, made = self.folder / "d.h5", self.folder / "from_dump.h5"
        capture = ("--model", "nano", "--text", self.held_in, "--passages", 4, "--ctx", 1024)
        output("capture", *capture, "--queries", "--out", dump)
        answer = document("calibrate", "--model", "nano", "--dump", dump, "--sensitivity-passages", 1, "--scope", "head", "--out", made)
        self.assertEqual(answer["passages"], 4)
        spec = "klt:bits=3,profile="
        means, _ = self.sweep("--profile", self.profile, made, "--codec", "klt:bits=3", spec + str(made))
        by_text, by_dump = (means[spec + each["digest"][:16]] for each in (self.answer, answer))
        self.assertAlmostEqual(by_text[0], by_dump[0], delta=0.02)
        self.assertLess(abs(by_text[1] / by_dump[1] - 1), 0.2)
        again = ("--model", "nano", "--dump", dump, "--out", self.folder / "x.h5")
        self.fails(1, "calibrate", *again, "--tap", "post-rope", names=("tapped pre-rope",))
        self.fails(1, "calibrate", *again, "--ctx", 512, names=("1024", "512"))
        self.fails(1, "calibrate", *again, "--passages", 5, names=("4 passages", "5"))
        self.fails(1, "calibrate", *again, "--sinks", 1024, names=("1024 tokens", "1024 sinks"))
        output("capture", "--model", "nano", "--text", self.held_in, "--passages", 1, "--ctx", 1024, "--out", dump)
        self.fails(1, "calibrate", *again, names=("--queries",))

    def test_vectors_off_the_profile_cost_no_more_than_bf16(self):
        """Noise of any size in place of keys: 16 bits a value and little beside, and a warning that names the profile."""
        draw, vectors, frame, head_dim = random.Random(5), self.folder / "off.f32", self.folder / "off.kky", self.answer["dim"]
        for scale in (1, 1e4):
            write_floats(vectors, [scale * draw.gauss(0, 1) for _ in range(512 * head_dim)])
            common = ("--codec", "klt:bits=3", "--profile", self.profile, "--site", "0:key:0", "--in", vectors, "--dim", head_dim)
            told = []
            for arguments in (("roundtrip", *common), ("encode", *common, "--out", frame), ("info", "--in", frame, "--profile", self.profile)):
                done = run("codec", *arguments, "--json")
                self.assertEqual(done.returncode, 0)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertTrue(done.stderr.startswith("kakeya-codec: warning: "), done.stderr)
                self.assertIn(self.answer["digest"][:16], done.stderr)
                told.append(json.loads(done.stdout))
            self.assertLess(told[0]["bits_per_value"], 16 + 32 / head_dim + 0.4)
            self.assertEqual(len({answer["beyond_profile_share"] for answer in told}), 1)
            self.assertGreater(told[0]["beyond_profile_share"], 0.01)
            self.assertEqual(told[2]["ledger"]["beyond_profile_values"], round(told[2]["beyond_profile_share"] * 512 * head_dim))

    def test_matrices_of_a_byte_a_value(self):
        """Half the profile at the same rate and error, in both tiers; what calibration coded with is what a reader has."""
        profile, usual, out = self.folder / "int8.h5", self.folder / "fp16.h5", self.folder / "int8"
        model = shallow_nano(self.folder, 3)  # the third layer is predicted from both before
        command = ("--model", model, *self.command[2:])
        expected = document("calibrate", *command, "--out", usual)
        answer = document("calibrate", *command, "--matrices", "int8", "--out", profile)
        for key in ("reader_bytes", "layer_reader_bytes"):
            self.assertAlmostEqual(answer[key] / expected[key], 0.51, delta=0.02)
        self.assertEqual(answer["layer_reader_bytes"] - expected["layer_reader_bytes"],
                         sum((1 + min(layer, 2)) * 512 * 512 * -1 + (1 + (layer > 0)) * 4 * 512 for layer in range(3)))
        tiers = ("2", "2,scope=layer,predict=2", "2,scope=layer,predict=2,shaping=0")
        specs = [f"klt:bits={rest},profile={file}" for file in (usual, profile) for rest in tiers]
        # All layers: a rate is promised for all of them together. How it is shared out among them follows the sensitivities, which
        # each profile has measured anew, on one passage: the middle layers alone differ by more than what the matrices cause.
        output("sweep", "--model", model, "--text", self.held_out, "--ctx", 1024, "--passages", 1, "--boundary", 0, "--sinks", 4,
               "--mode", "prefix", "--profile", usual, profile, "--codec", *specs, "--out", out)
        cells = self.samples(out)
        for rest in tiers:
            fp16, int8 = (cells[f"klt:bits={rest},profile={each['digest'][:16]}"]["prefix", 0] for each in (expected, answer))
            self.assertAlmostEqual(int8["bits_per_value"], fp16["bits_per_value"], delta=0.04)
            for part in ("k", "v"):
                self.assertAlmostEqual(int8[f"rel_mse_{part}"] / fp16[f"rel_mse_{part}"], 1, delta=0.2)
        self.fails(2, "calibrate", "--model", "nano", "--text", self.held_in, "--codec", "kvtc", "--matrices", "int8", "--out", self.folder / "never.h5",
                   names=("--matrices: not for --codec kvtc",))

    def test_time_beside_the_products(self):
        row = document("bench", "codec", "--codec", "klt:bits=3", "--profile", self.profile, "--vectors", 64, "--repeat", 2)
        beside = row["transform"]
        self.assertEqual(beside["codec"], "ece8:bits=4")
        time = sum(1 / beside[f"{what}_vectors_per_second"]["median"] for what in ("encode", "decode", "products"))
        self.assertAlmostEqual(beside["time_ratio"] * time * row["encode_decode_vectors_per_second"], 1)
        layers = document("bench", "codec", "--codec", "klt:bits=3,scope=layer", "--dim", 512, "--vectors", 256, "--profile", self.profile)
        self.assertAlmostEqual(layers["real_bits_per_value"], 3, delta=0.8)
        self.assertLess(layers["rel_mse"], 0.01)
        self.fails(2, "bench", "codec", "--codec", "klt:bits=3,scope=layer,predict=1", "--dim", 512, "--profile", self.profile,
                   names=("expected predict=0",))
        self.fails(1, "bench", "codec", "--codec", "klt:bits=3,scope=layer", "--dim", 128, "--profile", self.profile, names=("128", "512"))

    def test_a_profile_of_single_heads(self):
        profile, out = self.folder / "heads.h5", self.folder / "heads"
        answer = document("calibrate", *self.command, "--scope", "head", "--out", profile)
        self.assertEqual(answer["layer_reader_bytes"], 0)
        self.assertLess(profile.stat().st_size, self.profile.stat().st_size / 2)
        common = ("--model", "nano", "--text", self.held_out, "--ctx", 1024, "--passages", 1, "--mode", "snapshot",
                  "--profile", profile, "--out", out)
        self.fails(1, "sweep", *common, "--codec", "klt:bits=2,scope=layer", names=("--scope layer",))
        output("sweep", *common, "--codec", "klt:bits=2")

    def test_usage(self):
        out = self.folder / "never.h5"
        self.fails(2, "calibrate", *self.command[:-1], 5, "--out", out, names=("--sensitivity-passages 5", "4"))
        self.fails(2, "calibrate", *self.command[:-1], 0, "--out", out, names=("--sensitivity-passages 0", "--scope head"))
        self.fails(2, "calibrate", *self.command, "--predict", 3, "--out", out, names=("--predict",))
        self.fails(2, "calibrate", *self.command, "--scope", "token", "--out", out, names=("--scope",))
        self.assertFalse(out.exists())

    def test_says_what_it_made(self):
        self.assertEqual((self.answer["layers"], self.answer["heads"], self.answer["dim"]), (8, 2, 128))
        self.assertEqual(self.answer["bytes"], self.profile.stat().st_size)
        self.assertFalse((self.folder / "p.h5.unfinished").exists())

    def test_half_the_bits_of_the_box_at_less_divergence(self):
        means, provenance = self.sweep("--profile", self.profile, "--codec", "klt:bits={2,3,4}", "klt:bits=3,alloc=none",
                                       "klt:bits=3,weight=none,alloc=none", "klt:bits=3,center=none", "klt:bits=3,lattice=z",
                                       "e8:q=10,rule=published")
        digest = self.answer["digest"]
        self.assertEqual(provenance["runs"][0]["profiles"][0]["sha256"], digest)
        name = lambda rest: f"klt:bits={rest},profile={digest[:16]}"
        for bits in (2, 3, 4):
            self.assertAlmostEqual(means[name(bits)][0], bits, delta=0.25)
        published = means["e8:q=10,rule=published"]
        self.assertLess(means[name(2)][0], 0.5 * published[0])
        self.assertLess(means[name("3")][1], published[1])
        self.assertGreater(means[name("2")][1], means[name("3")][1])
        self.assertGreater(means[name("3")][1], means[name("4")][1])
        # At the same rate, between which the whole codec's settings are interpolated. Three passages are few, and processors differ by a fifth:
        # only what weight and allocation are worth together shows for sure.
        points = [means[name(bits)] for bits in ("2", "3", "4")]

        def whole(rate):
            below, above = (points[0], points[1]) if rate < points[1][0] else (points[1], points[2])
            share = (rate - below[0]) / (above[0] - below[0])
            return math.exp((1 - share) * math.log(below[1]) + share * math.log(above[1]))

        for without, least, most in (("3,alloc=none", 0.7, 9), ("3,weight=none,alloc=none", 1.25, 9), ("3,lattice=z", 0.7, 2),
                                     ("3,center=none", 0.6, 1.6)):
            rate, divergence = means[name(without)][:2]
            self.assertAlmostEqual(rate, 3, delta=0.25)  # as the whole codec's above
            ratio = divergence / whole(rate)
            self.assertTrue(least < ratio < most, f"{without}: {ratio}")

    def test_frames_of_one_site(self):
        keys = self.folder / "k.f32"
        write_floats(keys, scattered(64 * 128))
        at = ("--codec", "klt:bits=3", "--profile", self.profile, "--site", "2:value:1")
        told = run("codec", "roundtrip", *at, "--in", keys, "--dim", 128, "--json")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("far from the profile", told.stderr)  # normal numbers are no keys of this model
        answer = json.loads(told.stdout)
        self.assertGreater(answer["beyond_profile_share"], 0.5)
        frame = self.folder / "k.kky"
        output("codec", "encode", *at, "--in", keys, "--dim", 128, "--out", frame)
        self.assertEqual(frame.stat().st_size, answer["bytes_written"])
        back = self.folder / "b.f32"
        output("codec", "decode", "--in", frame, "--profile", self.profile, "--out", back)
        self.assertEqual(back.stat().st_size, keys.stat().st_size)
        self.fails(1, "codec", "decode", "--in", frame, "--out", back, names=("profile",))
        self.fails(2, "codec", "roundtrip", "--codec", "klt:bits=3", "--profile", self.profile, "--site", "2:both:1", "--in", keys,
                   "--dim", 128, names=("2:both:1", "layer:key:head"))
        self.fails(1, "codec", "roundtrip", "--codec", "klt:bits=3", "--in", keys, "--dim", 128, names=("profile",))

    def test_profiles_that_do_not_fit(self):
        out = self.folder / "never"
        common = ("--text", self.held_out, "--ctx", 1024, "--passages", 1, "--codec", "klt:bits=3", "--out", out)
        self.fails(1, "sweep", "--model", "nano", *common, names=("profile",))
        self.fails(1, "sweep", "--model", "nano", "--tap", "post-rope", "--profile", self.profile, *common, names=("pre-rope",))
        self.fails(1, "sweep", "--model", "nano", "--profile", self.held_in, *common)
        self.assertFalse((out / "samples.jsonl").exists())

    def test_whole_layers_inside_the_forward(self):
        """Keys and values of a layer together as they are made: cheaper than single heads."""
        hot = self.folder / "hot.h5"
        again = (*self.command, "--ablations", "--from", self.profile, "--steps", "inforward")
        answer = document("calibrate", *again, "--out", hot)
        digest = answer["digest"][:16]
        self.assertEqual(answer["reader_bytes"], self.answer["reader_bytes"])
        self.assertLess(answer["layer_reader_bytes"], self.answer["layer_reader_bytes"] / 2)
        self.assertEqual((answer["steps"], self.answer["steps"], answer["layer_group"]), ("inforward", "prefix", 1))
        means, _ = self.sweep("--profile", hot, "--codec", "klt:bits=2.5", "klt:bits={1.5,2.5},scope=layer,restart=1,page=512")
        heads = means[f"klt:bits=2.5,profile={digest}"]
        coarse, fine = (means[f"klt:bits={bits},scope=layer,restart=1,page=512,profile={digest}"] for bits in ("1.5", "2.5"))
        self.assertLess(coarse[0], heads[0] - 0.5)
        self.assertLess(fine[1], 0.5 * heads[1])
        self.assertLess(fine[1], coarse[1])
        self.fails(2, "calibrate", *again, "--layer-group", 2, "--out", self.folder / "no.h5", names=("--layer-group", "--steps inforward"))
        self.fails(2, "calibrate", *self.command, "--scope", "head", "--steps", "inforward", "--out", self.folder / "no.h5",
                   names=("--steps: not for --scope head",))

    def test_groups_of_layers(self):
        """Two layers transformed together, from what another profile has of heads and sensitivities."""
        model, heads, pair = shallow_nano(self.folder, 4), self.folder / "of_four.h5", self.folder / "pair.h5"
        command = ("--model", model, *self.command[2:])
        expected = document("calibrate", *command, "--scope", "head", "--out", heads)
        again = (*command, "--from", heads)
        answer = document("calibrate", *again, "--layer-group", 2, "--predict", 1, "--out", pair)
        self.assertEqual(answer["reader_bytes"], expected["reader_bytes"])
        # Two groups of 2 * 512 coordinates, each with a rotation, one with a predictor.
        self.assertGreater(answer["layer_reader_bytes"], 3 * 2 * 1024**2)
        out = self.folder / "groups"
        specs = [f"klt:bits=2,scope=layer,predict=1{rest},profile={pair}" for rest in ("", ",shaping=0", ",shaping=0.6")]
        output("sweep", "--model", model, "--text", self.held_out, "--ctx", 1024, "--passages", 1, "--sinks", 4, "--boundary", 0,
               "--mode", "prefix", "--codec", *specs, "--out", out)
        cells = self.samples(out)
        self.assertEqual(len(cells), 4)
        rates = [cells[f"klt:bits=2,scope=layer,predict=1{rest},profile={answer['digest'][:16]}"]["prefix", 0]
                 for rest in ("", ",shaping=0", ",shaping=0.6")]
        # Of four passages a pair of layers has too little text: other text costs more than what was promised.
        for cell in rates:
            self.assertGreater(cell["bits_per_value"], 1.8)
            self.assertLess(cell["bits_per_value"], 2.8)
        # Errors that follow the coordinates cost squared error, at equal rate (6.02 dB a bit), more the more they do.
        for part in ("k", "v"):
            usual, none, most = (cell[f"rel_mse_{part}"] * 4 ** cell["bits_per_value"] for cell in rates)
            self.assertLess(none, usual)
            self.assertLess(2 * usual, most)
        common = ("sweep", "--model", model, "--text", self.held_out, "--ctx", 1024, "--passages", 1, "--mode", "prefix", "--profile", pair)
        self.fails(1, *common, "--boundary", 1, "--codec", "klt:bits=2,scope=layer", "--out", self.folder / "odd", names=("whole groups of 2",))
        self.fails(2, *common, "--boundary", 0, "--codec", "klt:bits=2,scope=layer,restart=3", "--out", self.folder / "odd",
                   names=("multiple of the 2 layers",))
        self.fails(2, "calibrate", *again, "--layer-group", 3, "--out", self.folder / "no.h5", names=("--layer-group 3", "4 layers"))
        self.fails(1, "calibrate", *self.command, "--from", self.profile, "--out", self.folder / "no.h5", names=("other settings",))
        self.fails(2, "calibrate", *self.command, "--scope", "head", "--layer-group", 2, "--out", self.folder / "no.h5",
                   names=("--layer-group: not for --scope head",))

    def stopped(self, arguments, out):
        """Kills a calibration as soon as it has left something: what it left."""
        process = subprocess.Popen(command("calibrate", *arguments, "--out", out), cwd=ROOT, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        unfinished = pathlib.Path(f"{out}.unfinished")
        while process.poll() is None and not unfinished.exists():
            time.sleep(0.001)  # the program needs the processors
        process.kill()
        process.wait()
        if out.exists():
            self.skipTest("it was faster than the kill")
        self.assertTrue(unfinished.exists())
        return unfinished

    def test_a_stopped_run_from_a_profile_goes_on(self):
        settings = ("--model", self.shallow, "--text", self.held_in, "--passages", 2, "--ctx", 512, "--sensitivity-passages", 1)
        heads, again, whole = (self.folder / f"from_{name}.h5" for name in ("heads", "again", "whole"))
        output("calibrate", *settings, "--scope", "head", "--out", heads)
        arguments = (*settings, "--predict", 0, "--from", heads)
        unfinished = self.stopped(arguments, again)
        left = unfinished.read_bytes()
        output("calibrate", *arguments, "--out", again)
        self.assertFalse(unfinished.exists())
        output("calibrate", *arguments, "--out", whole)
        self.assertEqual(whole.read_bytes(), again.read_bytes())
        # Begun with what another profile has, which is of the same settings or is not, or with none that can be read.
        unfinished.write_bytes(left)
        for other, names in ((whole, ("again.h5.unfinished", "other transforms or sensitivities", "from_whole.h5")),
                             (self.profile, (str(self.profile), "other settings")), (self.folder / "none.h5", ("none.h5",))):
            self.fails(1, "calibrate", *settings, "--predict", 0, "--from", other, "--out", again, names=names)
        self.assertEqual(unfinished.read_bytes(), left)
        self.assertEqual(whole.read_bytes(), again.read_bytes())
        # And without: it has all of it already.
        output("calibrate", *settings, "--predict", 0, "--out", again)
        self.assertEqual(whole.read_bytes(), again.read_bytes())

    def test_a_stopped_run_goes_on(self):
        again = self.folder / "again.h5"
        arguments = ("--model", self.shallow, "--text", self.held_in, "--passages", 2, "--ctx", 512, "--sensitivity-passages", 1, "--predict", 1)
        unfinished = self.stopped(arguments, again)
        for other in (("--passages", 3), ("--ctx", 480), ("--sinks", 5), ("--tap", "post-rope"), ("--sensitivity-passages", 2), ("--dtype", "bf16")):
            flags = dict(zip(arguments[::2], arguments[1::2])) | dict([other])
            self.fails(1, "calibrate", *(word for flag in flags.items() for word in flag), "--out", again,
                       names=("again.h5.unfinished", "other settings"))
        before = unfinished.stat().st_mtime_ns
        output("calibrate", *arguments, "--out", again)
        self.assertGreater(again.stat().st_mtime_ns, before)
        whole = self.folder / "whole.h5"
        output("calibrate", *arguments, "--out", whole)
        self.assertEqual(whole.read_bytes(), again.read_bytes())


if __name__ == "__main__":
    main()
