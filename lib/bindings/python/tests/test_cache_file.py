# SPDX-License-Identifier: Apache-2.0
"""Packed caches in files (.kkv)."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import kakeya
import numpy

from made import BIN, GOLDEN, to_bf16, vectors

LAYERS, TOKENS, HEADS, DIM = 3, 200, 2, 64


class CacheFiles(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = pathlib.Path(scratch.name) / "a.kkv"
        self.keys = vectors(LAYERS * TOKENS * HEADS, DIM, 1).reshape(LAYERS, TOKENS, HEADS, DIM)
        self.values = vectors(LAYERS * TOKENS * HEADS, DIM, 2).reshape(LAYERS, TOKENS, HEADS, DIM)

    def save(self, **words):
        words = {"codec": "e8:q=10", "token_ids": range(TOKENS), "model": "made", **words}
        return kakeya.save_cache(self.path, self.keys, self.values, **words)

    def test_round_trip(self):
        written = self.save(skipped_layers=1, sinks=4, residual_window=8, passage="here")
        file = kakeya.load_cache(self.path)
        self.assertEqual((written, file.bytes["file"]), (self.path.stat().st_size,) * 2)
        self.assertEqual(file.token_ids.tolist(), list(range(TOKENS)))
        told = {"model": "made", "passage": "here", "layers": LAYERS, "kv_heads": HEADS, "head_dim": DIM, "tokens": TOKENS, "skipped_layers": 1, "sinks": 4, "residual_window": 8, "codec_k": "e8:q=10", "tap": "pre-rope"}
        self.assertEqual({key: file.facts[key] for key in told}, told)
        codec = kakeya.codec("e8:q=10", dim=DIM)
        for part, given in (("key", self.keys), ("value", self.values)):
            for layer in range(LAYERS):
                want = to_bf16(given[layer])
                if layer == 1:
                    for head in range(HEADS):
                        want[4:-8, head] = to_bf16(codec.decode(codec.encode(want[4:-8, head])))
                self.assertEqual(file.read(layer, part).tobytes(), want.tobytes(), (part, layer))

    def test_lists_and_other_types(self):
        self.save()
        first = self.path.read_bytes()
        self.keys, self.values = list(self.keys), tuple(self.values)
        self.save(threads=2)
        self.assertEqual(self.path.read_bytes(), first)
        self.keys = [numpy.ascontiguousarray(layer.transpose(1, 0, 2)).transpose(1, 0, 2) for layer in self.keys]
        self.save()
        self.assertEqual(self.path.read_bytes(), first)

    def test_wrong_ones(self):
        self.save()
        file = kakeya.load_cache(self.path)
        for layer, part in ((LAYERS, "key"), (-1, "key"), (0, "query")):
            with self.assertRaises(kakeya.InputError):
                file.read(layer, part)
        for words in ({"token_ids": [1]}, {"sinks": TOKENS}, {"skipped_layers": 2}, {"codec": "klt:bits=3"}):
            with self.assertRaises(kakeya.InputError):
                self.save(**words)
        for keys in ([], self.keys[:2], [*self.keys[:2], self.keys[2, :5]], self.keys * numpy.float32(numpy.nan), [self.keys[0, 0]] * LAYERS):
            with self.assertRaises(kakeya.InputError):
                kakeya.save_cache(self.path, keys, self.values, codec="e8:q=10", token_ids=range(TOKENS))
        with self.assertRaises(kakeya.SpecError):
            kakeya.save_cache(self.path, self.keys, self.values, token_ids=range(TOKENS))
        with self.assertRaises(TypeError):
            self.save(nosuch=1)
        with self.assertRaises(kakeya.IoError):
            kakeya.load_cache(self.path.parent / "nosuch")

    def test_damage(self):
        self.save()
        file = self.path.read_bytes()
        for at in range(0, len(file), 1009):
            damaged = bytearray(file)
            damaged[at] ^= 0x41
            self.path.write_bytes(damaged)
            with self.assertRaises(kakeya.CorruptStream):
                cache = kakeya.load_cache(self.path)
                for layer in range(LAYERS):
                    cache.read(layer, "key")
                    cache.read(layer, "value")

    def test_golden(self):
        file = kakeya.load_cache(GOLDEN / "cache_v1" / "small.kkv")
        facts = file.facts
        for layer in range(facts["layers"]):
            for part in ("key", "value"):
                self.assertEqual(file.read(layer, part).shape, (facts["tokens"], facts["kv_heads"], facts["head_dim"]))
        self.assertEqual(len(kakeya.sequence_head(GOLDEN / "sequence_v1" / "small.kkv")["token_ids"]) > 0, True)

    @unittest.skipUnless(BIN, "KAKEYA_BIN names no folder of built programs")
    def test_info_of_the_program(self):
        self.save(sinks=4)
        done = subprocess.run([pathlib.Path(BIN) / "kakeya-codec", "info", "--in", self.path, "--json"], capture_output=True, check=True)
        told = json.loads(done.stdout)
        file = kakeya.load_cache(self.path)
        self.assertEqual((told["codec_k"], told["tokens"], told["sinks"]), ("e8:q=10", TOKENS, 4))
        self.assertEqual({key: told["bytes"][key] for key in ("frames", "exact_tokens", "container", "file")},
                         {key: file.bytes[key] for key in ("frames", "exact_tokens", "container", "file")})


if __name__ == "__main__":
    unittest.main()
