# SPDX-License-Identifier: Apache-2.0
"""PackedCache beside a plain model of it."""
import json
import pathlib
import random
import tempfile
import unittest

import kakeya
import numpy

from made import to_bf16, vectors

LAYERS, HEADS, DIM = 3, 2, 64


class Plain:
    """What a sequence has to give: the tokens in bf16 and, of those that are sealed, what the codec makes of their page."""

    def __init__(self, cache, codec):
        self.cache, self.codec = cache, codec
        self.kept = {(layer, part): numpy.empty((0, HEADS, DIM), "float32") for layer in range(LAYERS) for part in ("key", "value")}
        self.seen = dict.fromkeys(self.kept, cache.sinks)  # tokens up to here are as they will stay

    def append(self, layer, part, x):
        site = (layer, part)
        self.kept[site] = numpy.concatenate([self.kept[site], to_bf16(x.reshape(-1, HEADS, DIM))])

    def expected(self, sequence, layer, part):
        site = (layer, part)
        page = self.cache.page_tokens(layer, part)
        kept, sealed = self.kept[site], self.cache.sinks + self.cache.sealed_tokens(sequence, layer, part)
        while page and self.seen[site] < sealed:
            first = self.seen[site]
            for head in range(HEADS):
                coded = self.codec.decode(self.codec.encode(kept[first : first + page, head]))
                kept[first : first + page, head] = to_bf16(coded)
            self.seen[site] += page
        return kept

    def truncate(self, tokens):
        for site, kept in self.kept.items():
            page = self.cache.page_tokens(*site)
            self.kept[site] = kept[:tokens]
            if page and tokens < self.seen[site]:
                self.seen[site] -= -(-(self.seen[site] - max(tokens, self.cache.sinks)) // page) * page


class BesideAPlainModel(unittest.TestCase):
    def check(self, cache, plain, sequence):
        for layer in range(LAYERS):
            for part in ("key", "value"):
                want = plain.expected(sequence, layer, part)
                got = cache.read(sequence, layer, part)
                self.assertEqual(got.tobytes(), want.tobytes(), (layer, part))
                tokens = cache.tokens(sequence, layer)
                self.assertEqual(len(want), tokens)
                first = tokens // 3
                self.assertEqual(cache.read(sequence, layer, part, first, tokens - first, head=1).tobytes(), numpy.ascontiguousarray(want[first:, 1]).tobytes())

    def test_random_steps(self):
        for spec, policy in (("e8:q=10", {}), ("e8:q=10", {"sinks": 4, "residual_window": 16}), ("fp8", {"skipped_layers": 1, "sinks": 1})):
            with self.subTest(spec, **policy):
                draw = random.Random(5)
                cache = kakeya.PackedCache(LAYERS, HEADS, DIM, codec=spec, **policy)
                self.assertEqual((cache.codec_k, cache.codec_v), (spec, spec))
                codec = kakeya.codec(spec, dim=DIM)
                sequence, plain, seed = cache.add_sequence(), None, 0
                plain = Plain(cache, codec)
                for _ in range(12):
                    count = draw.choice((1, 1, 7, 130, 300))
                    for layer in range(LAYERS):
                        seed += 1
                        keys, values = vectors(count, HEADS * DIM, seed), vectors(count, HEADS * DIM, seed + 1000)
                        shape = draw.choice(((count, HEADS * DIM), (count, HEADS, DIM)))
                        cache.append(sequence, layer, keys.reshape(shape), values.reshape(shape))
                        plain.append(layer, "key", keys)
                        plain.append(layer, "value", values)
                    self.check(cache, plain, sequence)
                sealed = cache.sealed_tokens(sequence, 1, "key")
                self.assertGreater(sealed, 500)
                cut = cache.sinks + sealed - 3 * cache.page_tokens(1, "key") // 2
                cache.truncate(sequence, cut)
                plain.truncate(cut)
                self.assertEqual(cache.tokens(sequence, 2), cut)
                self.check(cache, plain, sequence)

    def test_pages_of_a_codec_that_has_them(self):
        spec = "ece8:bits=4"
        codec = kakeya.codec(spec, dim=DIM)
        cache = kakeya.PackedCache(1, 1, DIM, codec=spec)
        sequence, x = cache.add_sequence(), to_bf16(vectors(5 * codec.page_vectors + 3, DIM))
        for row in range(0, len(x), 9):
            cache.append(sequence, 0, x[row : row + 9], x[row : row + 9])
        self.assertEqual(cache.page_tokens(0, "key"), codec.page_vectors)
        sealed = cache.sealed_tokens(sequence, 0, "key")
        self.assertEqual(sealed, 5 * codec.page_vectors)
        want = to_bf16(codec.decode(codec.encode(x))[:sealed])
        self.assertEqual(cache.read(sequence, 0, "value", 0, sealed).tobytes(), want.tobytes())


class Sequences(unittest.TestCase):
    def setUp(self):
        self.cache = kakeya.PackedCache(2, HEADS, DIM, codec="e8:q=10", sinks=2)
        self.sequence = self.cache.add_sequence()
        self.x = vectors(300, HEADS * DIM)
        for layer in range(2):
            self.cache.append(self.sequence, layer, self.x, self.x)

    def test_branch_and_drop(self):
        before = self.cache.live_bytes()
        other = self.cache.branch(self.sequence)
        shared = self.cache.live_bytes()
        self.assertEqual(shared["pages"], before["pages"])
        self.assertEqual(self.cache.read(other, 1, "key").tobytes(), self.cache.read(self.sequence, 1, "key").tobytes())
        self.cache.append(other, 0, self.x[:1], self.x[:1])
        self.assertEqual((self.cache.tokens(other, 0), self.cache.tokens(self.sequence, 0)), (301, 300))
        self.assertEqual(self.cache.sequences(), [self.sequence, other])
        self.cache.drop(self.sequence)
        self.assertEqual(self.cache.sequences(), [other])
        self.assertEqual(self.cache.read(other, 1, "key").shape, (300, HEADS, DIM))

    def test_live_bytes(self):
        told = self.cache.live_bytes()
        self.assertEqual(told["bf16"], 300 * HEADS * DIM * 2 * 2 * 2)
        sinks = 2 * HEADS * DIM * 2 * 2 * 2
        self.assertTrue(sinks <= told["sinks"] < 1.1 * sinks, told)  # what is allocated
        self.assertEqual(told["total"], sum(told[part] for part in ("pages", "sinks", "open", "skipped", "tables")))
        self.assertLess(told["total"], told["bf16"])

    def test_sliding_window(self):
        cache = kakeya.PackedCache(2, HEADS, DIM, codec="e8:q=10", windows=[64, 0])
        sequence = cache.add_sequence()
        for layer in range(2):
            for first in range(0, 300, 50):
                cache.append(sequence, layer, self.x[first : first + 50], self.x[first : first + 50])
        self.assertEqual((cache.first_token(sequence, 0), cache.first_token(sequence, 1)), (128, 0))
        self.assertEqual(cache.read(sequence, 0, "key", 200).shape, (100, HEADS, DIM))
        with self.assertRaises(kakeya.InputError):
            cache.read(sequence, 0, "key")
        with self.assertRaises(kakeya.InputError):
            cache.truncate(sequence, 100)

    def test_out(self):
        want = self.cache.read(self.sequence, 0, "key")
        out = numpy.zeros((300, HEADS, DIM + 8), "float32")
        self.assertIs(self.cache.read(self.sequence, 0, "key", out=numpy.zeros_like(want)).dtype, want.dtype)
        one = numpy.zeros((300, 2 * DIM), "float32")[:, :DIM]
        self.assertIs(self.cache.read(self.sequence, 0, "key", head=1, out=one), one)
        self.assertEqual(numpy.ascontiguousarray(one).tobytes(), numpy.ascontiguousarray(want[:, 1]).tobytes())
        with self.assertRaises(kakeya.InputError):  # heads that are not dense
            self.cache.read(self.sequence, 0, "key", out=out[:, :, :DIM])

    def test_wrong_calls_leave_it_as_it_was(self):
        kept = self.cache.read(self.sequence, 0, "key").tobytes()
        x = self.x
        nan = x.copy()
        nan[7, 3] = numpy.nan
        for keys, values in ((x[:, :-1], x), (x, x[:-1]), (x[0], x[0]), (nan, x), (x, nan), (x.reshape(300, DIM, HEADS), x), (x.reshape(1, 300, HEADS, DIM), x)):
            with self.assertRaises(kakeya.InputError):
                self.cache.append(self.sequence, 0, keys, values)
        with self.assertRaises(TypeError):
            self.cache.append(self.sequence, 0, x, x.astype("float64"))
        for call in (lambda: self.cache.append(99, 0, x, x), lambda: self.cache.append(self.sequence, 2, x, x), lambda: self.cache.append(self.sequence, -1, x, x),
                     lambda: self.cache.read(self.sequence, 0, "key", 0, 301), lambda: self.cache.read(self.sequence, 0, "key", 301),
                     lambda: self.cache.read(self.sequence, 0, "key", 2**63, 2**63), lambda: self.cache.read(self.sequence, 0, "query"),
                     lambda: self.cache.read(self.sequence, 2, "key"), lambda: self.cache.read(self.sequence, 0, "key", head=HEADS),
                     lambda: self.cache.read(self.sequence, 0, "key", head=-1), lambda: self.cache.tokens(self.sequence, 2), lambda: self.cache.drop(99),
                     lambda: self.cache.branch(-1), lambda: self.cache.page_tokens(2, "key"), lambda: self.cache.page_tokens(-1, "key"),
                     lambda: self.cache.sealed_tokens(self.sequence, 9, "key"), lambda: self.cache.first_token(self.sequence, 9)):
            with self.assertRaises(kakeya.InputError):
                call()
        with self.assertRaises(TypeError):
            self.cache.truncate(self.sequence, -1)
        self.assertEqual(self.cache.read(self.sequence, 0, "key").tobytes(), kept)

    def test_caches_of_plans(self):
        plan = {"kakeya_plan": 1, "name": "mine", "skip": "1", "default": "e8:q=10", "sites": [{"layers": "2", "part": "v", "heads": "1", "codec": "fp8"}]}
        x, y = vectors(300, HEADS * DIM, 1), vectors(300, HEADS * DIM, 2)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "plan.json"
            path.write_text(json.dumps(plan))
            for given in (plan, path, str(path)):
                cache = kakeya.PackedCache(LAYERS, HEADS, DIM, plan=given)
                row = cache.add_sequence()
                for layer in range(LAYERS):
                    cache.append(row, layer, x, y)
                self.assertEqual([cache.page_tokens(layer, "key") for layer in range(LAYERS)], [128, 0, 128])
                self.assertEqual(cache.read(row, 1, "key").tobytes(), to_bf16(x).reshape(-1, HEADS, DIM).tobytes())  # skipped
                for layer, head, spec in ((0, 1, "e8:q=10"), (2, 0, "e8:q=10"), (2, 1, "fp8")):
                    codec = kakeya.codec(spec, dim=DIM)
                    page = to_bf16(y).reshape(-1, HEADS, DIM)[:128, head]
                    self.assertEqual(cache.read(row, layer, "value", 0, 128, head=head).tobytes(), to_bf16(codec.decode(codec.encode(numpy.ascontiguousarray(page)))).tobytes())
                self.assertEqual(json.loads(cache.codec_k)["name"], "mine")
            cache.save(row, pathlib.Path(folder) / "a.kkvs", token_ids=range(300))
            again = kakeya.PackedCache.load(pathlib.Path(folder) / "a.kkvs")
            self.assertEqual(again.codec_k, cache.codec_k)
            self.assertEqual(again.read(again.sequences()[0], 2, "value").tobytes(), cache.read(row, 2, "value").tobytes())
            stack = x.reshape(1, 300, HEADS, DIM).repeat(LAYERS, axis=0)
            kakeya.save_cache(pathlib.Path(folder) / "a.kkv", stack, stack, plan=plan, token_ids=range(300))
            self.assertEqual(kakeya.load_cache(pathlib.Path(folder) / "a.kkv").facts["plan"]["skip"], "1")

    def test_which_layers_are_coded(self):
        def coded(**words):
            cache = kakeya.PackedCache(4, HEADS, DIM, codec="e8:q=10", **words)
            return [layer for layer in range(4) if cache.page_tokens(layer, "key")]

        self.assertEqual(coded(coded_layers="0,2"), [0, 2])
        self.assertEqual(coded(skip_layers="0,2"), [1, 3])
        self.assertEqual(coded(skip_layers="0,3"), coded(skipped_layers=1))
        plan = {"kakeya_plan": 1, "default": "fp8"}
        for words in ({"coded_layers": "0", "skip_layers": "1"}, {"coded_layers": "4"}, {"skip_layers": "0-3"}, {"skip_layers": "1", "skipped_layers": 1}, {"plan": plan},):
            with self.subTest(words), self.assertRaises(kakeya.SpecError):
                coded(**words)
        with self.assertRaisesRegex(kakeya.SpecError, r"sites\[0\].part"):
            kakeya.PackedCache(4, HEADS, DIM, plan={**plan, "sites": [{"layers": "0", "part": "q", "codec": "fp8"}]})
        with self.assertRaisesRegex(kakeya.InputError, "pages in all heads"):
            kakeya.PackedCache(4, HEADS, DIM, plan={**plan, "sites": [{"layers": "0", "heads": "1", "codec": "kivi:b=4"}]})

    def test_caches_that_cannot_be(self):
        for words in ({"codec": "e8:q=10", "sinks": -1}, {"codec": "e8:q=10", "skipped_layers": 1}, {"codec": "e8:q=10", "windows": [1]}, {"codec": "e8:q=10", "residual_window": -5}):
            with self.subTest(words), self.assertRaises(kakeya.InputError):
                kakeya.PackedCache(2, 2, 64, **words)
        for shape in ((0, 2, 64), (2, 0, 64), (2, 2, 0), (-1, 2, 64), (2, 2, 63)):
            with self.subTest(shape), self.assertRaises(kakeya.InputError):
                kakeya.PackedCache(*shape, codec="e8:q=10")
        for words in ({}, {"codec": "e8:q=10", "codec_k": "e8:q=10"}, {"codec": "nosuch"}):
            with self.subTest(words), self.assertRaises(kakeya.SpecError):
                kakeya.PackedCache(2, 2, 64, **words)
        self.assertEqual(kakeya.PackedCache(2, 2, 64, codec_k="e8:q=10").codec_v, "identity")


class Saved(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = pathlib.Path(scratch.name) / "a.kkvs"
        self.cache = kakeya.PackedCache(2, HEADS, DIM, codec_k="ece8:bits=4", codec_v="e8:q=10", sinks=2, residual_window=4)
        self.sequence, self.x = self.cache.add_sequence(), vectors(300, HEADS * DIM)
        for layer in range(2):
            self.cache.append(self.sequence, layer, self.x, self.x)

    def save(self, **facts):
        self.cache.save(self.sequence, self.path, token_ids=numpy.arange(300), next=7, **{"model": "made", "tap": "post-rope", "rope_base": 1e4, **facts})

    def test_it_goes_on_as_it_was(self):
        self.save()
        loaded = kakeya.PackedCache.load(self.path)
        (number,) = loaded.sequences()
        again = self.cache.restore(str(self.path), model="made")
        self.assertNotEqual(again, self.sequence)
        for cache, sequence in ((self.cache, self.sequence), (loaded, number), (self.cache, again)):
            for layer in range(2):
                cache.append(sequence, layer, self.x[:100], self.x[:100])
        for layer in range(2):
            for part in ("key", "value"):
                want = self.cache.read(self.sequence, layer, part).tobytes()
                self.assertEqual(loaded.read(number, layer, part).tobytes(), want)
                self.assertEqual(self.cache.read(again, layer, part).tobytes(), want)

    def test_its_head(self):
        self.save(seed=3)
        head = kakeya.sequence_head(self.path)
        self.assertEqual((head["next"], head["windows"], head["token_ids"].tolist()), (7, [0, 0], list(range(300))))
        told = {"model": "made", "tap": "post-rope", "rope_base": 1e4, "seed": 3, "codec_k": "ece8:bits=4", "tokens": 300, "sinks": 2, "residual_window": 4}
        self.assertEqual({key: head["facts"][key] for key in told}, told)

    def test_of_another_model_or_damaged(self):
        self.save(model="made")
        for facts in ({"model": "other"}, {"tap": "pre-rope"}, {"rope_base": 5e5}):
            with self.assertRaises(kakeya.InputError):
                kakeya.PackedCache.load(self.path, **facts)
        with self.assertRaisesRegex(TypeError, "nosuch"):
            self.save(nosuch=1)
        with self.assertRaises(kakeya.InputError):
            self.cache.save(self.sequence, self.path, token_ids=[1, 2])
        with self.assertRaises(kakeya.InputError):
            self.cache.save(self.sequence, self.path, token_ids=[2**31] * 300)
        with self.assertRaises(kakeya.IoError):
            self.cache.save(self.sequence, self.path.parent / "nosuch" / "a", token_ids=range(300))
        file = self.path.read_bytes()
        for at in range(0, len(file), 997):
            damaged = bytearray(file)
            damaged[at] ^= 0x41
            self.path.write_bytes(damaged)
            with self.assertRaises(kakeya.Error):
                kakeya.PackedCache.load(self.path)
        self.assertEqual(self.cache.sequences(), [self.sequence])


if __name__ == "__main__":
    unittest.main()
