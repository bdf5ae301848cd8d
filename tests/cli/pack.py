#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs captured caches into .kkv files: the bytes and errors of a sweep of the same dump, the values back, damage found.

usage: pack.py BIN
"""
import pathlib
import shutil
import struct

from program_case import ProgramCase, TEXT, WRITTEN, document, json_lines, main, output, scratch_folder

TOKENS, LAYERS, HEADS, DIM = 80, 8, 2, 128
POLICY = ("--boundary", 1, "--sinks", 3, "--recent", 6)


def floats(patterns):
    return struct.unpack(f"<{len(patterns) // 2}f", b"".join(b"\0\0" + patterns[i:i + 2] for i in range(0, len(patterns), 2)))


class File:
    """A packed cache, read by its documented layout alone."""

    def __init__(self, path):
        self.bytes = path.read_bytes()
        magic, version, self.tap, self.head, blocks, length = struct.unpack_from("<4sHHIIQ", self.bytes)
        assert (magic, version, length) == (b"KKVC", 1, len(self.bytes))
        (self.layers, self.heads, self.dim, self.tokens, self.boundary, self.sinks, self.recent, self.query_heads, self.rope_base,
         self.seed) = struct.unpack_from("<8IdQ", self.bytes, 24)
        at, self.texts = 72, []
        for _ in range(11):
            count, = struct.unpack_from("<H", self.bytes, at)
            self.texts.append(self.bytes[at + 2:at + 2 + count].decode())
            at += 2 + count
        self.ids = struct.unpack_from(f"<{self.tokens}i", self.bytes, at)
        at += 4 * self.tokens
        self.table = [struct.unpack_from("<HHBBHIIQQ", self.bytes, at + 32 * i) for i in range(blocks)]
        assert at + 32 * blocks + 4 == self.head

    def values(self, layer, part):
        """bf16 values [tokens, heads, dim] of `identity` and of blocks kept as they are."""
        out = [None] * (self.tokens * self.heads)
        for first, layers, kind, of, head, token, tokens, offset, length in self.table:
            if first != layer or of != part:
                continue
            assert layers == 1 and kind in (0, 1)
            heads = range(self.heads) if kind == 0 else (head,)
            data = self.bytes[offset:offset + length]
            size = 2 * self.dim * tokens * len(heads)
            data = data[:size] if kind == 0 else data[-4 - size:-4]  # a frame ends with its values and a checksum
            for t in range(tokens):
                for place, h in enumerate(heads):
                    at = 2 * self.dim * (t * len(heads) + place)
                    out[(token + t) * self.heads + h] = floats(data[at:at + 2 * self.dim])
        return out


class Sequence(ProgramCase):
    """A saved sequence of a live cache, which begins as a packed cache does and is none."""

    FILE = pathlib.Path(__file__).parent.parent / "golden" / "sequence_v1" / "small.kkv"

    def test_info_says_what_it_is_of(self):
        about = document("codec", "info", "--in", self.FILE)
        self.assertEqual(about["kind"], "sequence of a live cache")
        self.assertEqual((about["format_version"], about["tokens"], about["layers"]), (1, 95, 2))
        self.assertEqual((about["model"], about["model_sha256"], about["tap"]), ("made", 64 * "a", "pre-rope"))
        self.assertEqual(about["codec_v"], "e8:q=10,pack=rans,page=32")
        self.assertEqual((about["rope_layout"], about["rope_base"], about["sliding_windows"]), ("halves", 1e4, [0, 20]))
        self.assertEqual(about["bytes"], len(self.FILE.read_bytes()))
        self.assertEqual((about["next_token"], about["seed"]), (None, 0))

    def test_decode_refuses_it_by_name(self):
        out = scratch_folder(self.addCleanup) / "never.npy"
        self.fails(1, "codec", "decode", "--in", self.FILE, "--out", out, names=("small.kkv", "sequence of a live cache", "frame of encode"))
        self.assertFalse(out.exists())

    def test_unpack_refuses_it_by_name(self):
        out = scratch_folder(self.addCleanup) / "never.h5"
        self.fails(1, "codec", "unpack", "--in", self.FILE, "--out", out, names=("small.kkv", "sequence of a live cache", "packed cache"))
        self.assertFalse(out.exists())


class Pack(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.dump, cls.profile = cls.folder / "kv.h5", cls.folder / "p.h5"
        output("capture", "--model", "nano", "--text", TEXT, "--passages", 2, "--ctx", TOKENS, "--out", cls.dump)
        output("calibrate", "--model", "nano", "--text", TEXT, "--passages", 2, "--ctx", 320, "--sensitivity-passages", 1,
               "--predict", 1, "--out", cls.profile)

    def pack(self, name, *arguments, dump=None, passage=1):
        out = self.folder / f"{name}.kkv"
        answer = document("codec", "pack", "--dump", dump or self.dump, "--passage", passage, *arguments, "--profile", self.profile,
                          "--out", out)
        self.assertEqual(answer["bytes"]["file"], out.stat().st_size)
        return out, answer

    def unpack(self, name, file):
        out = self.folder / f"{name}.h5"
        output("codec", "unpack", "--in", file, "--profile", self.profile, "--out", out)
        return out

    def test_as_a_sweep_measures_it(self):
        cases = {"box": ("e8:q=10",) * 2, "blocks": ("q8_0:rotate=128", "q8_0:rotate=64"), "parts": ("kivi:b=2", "tq:b=4"), "heads": ("klt:bits=3",) * 2,
                 "mixed": ("klt:bits=2", "identity"), "cold": ("klt:bits=2,scope=layer,predict=1,page=32",) * 2,
                 "runs": ("klt:bits=3,scope=layer,restart=4",) * 2}
        for name, (keys, values) in cases.items():
            codec = ("--codec", keys) if keys == values else ("--codec-k", keys, "--codec-v", values)
            swept = self.folder / f"{name}-sweep"
            output("sweep", "--dump", self.dump, *codec, "--profile", self.profile, *POLICY, "--out", swept)
            cells = json_lines(swept / "samples.jsonl")
            file, answer = self.pack(name, *codec, *POLICY)
            cell, = (c for c in cells if (c["codec_k"], c["codec_v"], c["passage"]) == (answer["codec_k"], answer["codec_v"], 1))
            for key in ("bytes_written", "values", "bits_per_value", "rel_mse_k", "rel_mse_v"):
                self.assertEqual(answer[key], cell[key], f"{name} {key}")
            size = answer["bytes"]
            self.assertEqual(size["frames"] + size["exact_tokens"], cell["bytes_written"])
            self.assertEqual(size["file"] - size["container"], cell["cache_bytes"])
            self.assertEqual(sum(size.values()), 2 * size["file"])

            info = document("codec", "info", "--in", file, "--profile", self.profile)
            ledger = {key: cell["ledger_k"][key] + cell["ledger_v"][key] for key in ("vectors", "values", *WRITTEN)}
            self.assertEqual({key: info["ledger"][key] for key in ledger}, ledger)
            for key in ("codec_k", "codec_v", "tokens", "bytes", "bits_per_value"):
                self.assertEqual(info[key], answer[key])
            bare = document("codec", "info", "--in", file)
            self.assertEqual(bare["ledger"] is None, "klt" in keys)
            self.assertEqual(bare["bytes"], info["bytes"])

            # What comes back is as far from the original as the sweep found, but for its rounding to bf16.
            before = File(self.pack("before", "--codec", "identity", *POLICY)[0])
            after = File(self.pack("after", "--codec", "identity", *POLICY, dump=self.unpack(name, file), passage=0)[0])
            self.assertEqual(after.ids, before.ids)
            self.assertEqual(after.texts, before.texts)
            for part, key in enumerate(("rel_mse_k", "rel_mse_v")):
                errors = []
                for layer in range(LAYERS):
                    was, now = before.values(layer, part), after.values(layer, part)
                    coded = range(3 * HEADS, (TOKENS - 6) * HEADS) if 1 <= layer < LAYERS - 1 else range(0)
                    for i in set(range(TOKENS * HEADS)) - set(coded):
                        self.assertEqual(was[i], now[i], f"{name} layer {layer} vector {i}")
                    if coded:
                        error = sum((a - b) ** 2 for i in coded for a, b in zip(was[i], now[i]))
                        errors.append(error / sum(a * a for i in coded for a in was[i]))
                self.assertAlmostEqual(sum(errors) / len(errors), cell[key], delta=0.01 * cell[key] + 4e-6, msg=name)

    def test_a_gpu_writes_the_same_file(self):
        codec = ("--codec-k", "klt:bits=3", "--codec-v", "q4_0:rotate=64", *POLICY)
        file, _ = self.pack("host", *codec)
        if not shutil.which("nvidia-smi"):
            out = self.folder / "device.kkv"
            self.fails(1, "codec", "pack", "--dump", self.dump, *codec, "--profile", self.profile, "--codec-device", "cuda", "--out", out,
                       names=("expected --codec-device cpu",))
            self.fails(1, "codec", "unpack", "--in", file, "--profile", self.profile, "--codec-device", "cuda", "--out", out,
                       names=("expected --codec-device cpu",))
            self.assertFalse(out.exists())
            self.skipTest("no GPU")
        again, _ = self.pack("device", *codec, "--codec-device", "cuda")
        self.assertEqual(again.read_bytes(), file.read_bytes())

    def test_identity_comes_back_to_the_byte(self):
        file, answer = self.pack("identity", "--codec", "identity", "--boundary", 0)
        self.assertEqual((answer["rel_mse_k"], answer["rel_mse_v"]), (0, 0))
        self.assertEqual(answer["bytes"]["boundary_layers"], 0)
        self.assertEqual((answer["skip_edge_layers"], answer["boundary"]), (0, 0))
        again, _ = self.pack("by-new-names", "--codec", "identity", "--skip-edge-layers", 0)
        self.assertEqual(again.read_bytes(), file.read_bytes())
        again, _ = self.pack("again", "--codec", "identity", "--boundary", 0, dump=self.unpack("back", file), passage=0)
        self.assertEqual(file.read_bytes(), again.read_bytes())
        read = File(file)
        self.assertEqual((read.layers, read.heads, read.dim, read.tokens, read.tap), (LAYERS, HEADS, DIM, TOKENS, 0))
        self.assertEqual((read.texts[0], read.texts[9:]), ("nano", ["identity", "identity"]))
        self.assertEqual(len(read.table), LAYERS * 2 * HEADS)
        first, _ = self.pack("first", "--codec", "identity", "--boundary", 0, passage=0)
        self.assertNotEqual(File(first).ids, read.ids)

    def test_damage(self):
        file, _ = self.pack("whole", "--codec", "e8:q=10", *POLICY)
        whole, bad, out = file.read_bytes(), self.folder / "bad.kkv", self.folder / "never.h5"
        head = File(file).head
        for length in (0, 3, 4, 60, head - 1, head, len(whole) // 2, len(whole) - 1):
            bad.write_bytes(whole[:length])
            self.fails(1, "codec", "unpack", "--in", bad, "--out", out, names=("bad.kkv",))
            self.fails(1, "codec", "info", "--in", bad, names=() if length < 4 else ("bad.kkv",))
        for at in (0, 5, 9, 30, 100, head - 2, head + 5, (head + len(whole)) // 2, len(whole) - 2):
            bad.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1:])
            self.fails(1, "codec", "unpack", "--in", bad, "--out", out, names=("bad.kkv",))
        self.assertFalse(out.exists())

    def test_what_does_not_fit_is_refused(self):
        out, common = self.folder / "no.kkv", ("codec", "pack", "--dump", self.dump)
        self.fails(2, *common, "--out", out, names=("--codec",))
        self.fails(2, *common, "--codec", "fp8", "--codec-k", "fp8", "--out", out, names=("--codec-k",))
        self.fails(2, *common, "--codec", "nosuch", "--out", out, names=("nosuch",))
        self.fails(2, *common, "--codec-k", "klt:bits=2,scope=layer", "--out", out, names=("one codec of both",))
        self.fails(2, *common, "--codec", "fp8", "--sinks", -1, "--out", out, names=("--sinks",))
        self.fails(2, *common, "--codec", "fp8", "--codec-device", "gpu", "--out", out, names=("--codec-device",))
        self.fails(1, *common, "--codec", "fp8", "--passage", 2, "--out", out, names=("2 passages",))
        self.fails(1, *common, "--codec", "fp8", "--boundary", 4, "--out", out, names=("skipped edge layers 4",))
        self.fails(1, *common, "--codec", "fp8", "--sinks", 40, "--residual-window", 40, "--out", out, names=("sinks 40, residual window 40",))
        self.fails(1, *common, "--codec", "klt:bits=2", "--out", out, names=("profile",))
        self.fails(1, "codec", "unpack", "--in", self.dump, "--out", out, names=("kv.h5", "KKVC"))
        self.assertFalse(out.exists())
        file, _ = self.pack("cold-only", "--codec", "klt:bits=2,scope=layer")
        self.fails(1, "codec", "unpack", "--in", file, "--out", out, names=("profile",))
        other = self.folder / "other.h5"
        output("capture", "--model", "nano", "--tap", "post-rope", "--text", TEXT, "--passages", 1, "--ctx", TOKENS,
               "--out", other)
        self.fails(1, "codec", "pack", "--dump", other, "--codec", "klt:bits=2", "--profile", self.profile, "--out", out,
                   names=("pre-rope", "post-rope"))


if __name__ == "__main__":
    main()
