# SPDX-License-Identifier: Apache-2.0
"""KakeyaCache against the models' own DynamicCache, on tiny random models."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from made import klt_profile

try:
    import torch
    import transformers
    from transformers import DynamicCache

    import kakeya
    import small
    from kakeya.transformers import KakeyaCache
    from small import HYBRID, SMALL, WINDOW, ids_of, steps
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

torch.set_num_threads(1)  # the models are too small to share
MODELS = {
    "Llama": ("LlamaConfig", {}),
    "Qwen2": ("Qwen2Config", {}),
    "Mistral": ("MistralConfig", dict(sliding_window=WINDOW)),
    "Gemma 3": ("Gemma3TextConfig", HYBRID),
}


def model_of(name, dtype=torch.bfloat16, **changes):
    kind, own = MODELS[name]
    return small.model_of(small.config_of(kind, **{**own, **changes}), dtype)


class Models(unittest.TestCase):
    def setUp(self):
        self.enterContext(torch.no_grad())

    def each(self):
        for name in MODELS:
            with self.subTest(name):
                yield model_of(name)

    def both(self, model, **options):
        return DynamicCache(config=model.config), KakeyaCache(model.config, "identity", **options)


class Identity(Models):
    def test_logits_are_those_of_the_models_own_cache(self):
        ids = ids_of(2, 150)
        mask = torch.ones_like(ids)
        mask[1, :7] = 0
        for model in self.each():
            for lengths in ([150], [40, 1, 63, 46], [105, 3, 1, 5] + [1] * 36):
                for seen in (None, mask) if len(lengths) > 1 else (None,):
                    want, got = (steps(model, cache, ids, lengths, seen) for cache in self.both(model, keep_decoded=True))
                    self.assertTrue(torch.equal(want, got), f"{lengths[:4]}, padded: {seen is not None}")

    def test_generates_the_same_greedily_and_with_beams(self):
        ids = ids_of(2, 110)
        for model in self.each():
            for beams in (1, 3):
                made = [
                    model.generate(ids, attention_mask=torch.ones_like(ids), past_key_values=cache, num_beams=beams,
                                   do_sample=False, max_new_tokens=40)
                    for cache in self.both(model)
                ]
                self.assertTrue(torch.equal(*made), f"{beams} beams")

    def test_goes_on_after_a_crop(self):
        ids = ids_of(2, 200)
        for name, tokens in (("Llama", 180), ("Qwen2", 180), ("Gemma 3", WINDOW - 4), ("Mistral", WINDOW - 4)):
            model, made = model_of(name), []
            for cache in self.both(model):
                steps(model, cache, ids, [tokens])
                cache.crop(-9)
                self.assertEqual(cache.get_seq_length(), tokens - 9)
                made.append(steps(model, cache, ids, [4, 1]))
            self.assertTrue(torch.equal(*made), name)

    def test_selects_repeats_and_resets_rows(self):
        ids = ids_of(3, 140)
        for model in self.each():
            made = []
            for cache in self.both(model):
                steps(model, cache, ids, [135])
                cache.batch_select_indices(torch.tensor([2, 0]))
                cache.batch_repeat_interleave(2)
                made.append(steps(model, cache, ids[[2, 2, 0, 0]], [3, 2]))
            self.assertTrue(torch.equal(*made))
            cache.reset()
            self.assertEqual(cache.live_bytes()["total"] - cache.live_bytes()["tables"], 0)
            again = steps(model, cache, ids[:1], [30])
            self.assertTrue(torch.equal(again, steps(model, DynamicCache(config=model.config), ids[:1], [30])))

    def test_rounds_what_is_float32_to_bfloat16(self):
        keys, values = torch.randn(2, 1, 2, 40, 16, generator=torch.Generator().manual_seed(3))
        cache = KakeyaCache(model_of("Llama").config, "identity")
        for came, seen in zip((keys, values), cache.update(keys, values, 0)):
            self.assertTrue(torch.equal(came.to(torch.bfloat16).float(), seen))


    def test_answers_in_the_dtype_of_what_came(self):
        x = torch.randn(1, 2, 200, 16, generator=torch.Generator().manual_seed(5))
        for kept in (False, True):
            cache = KakeyaCache(model_of("Llama").config, "identity", keep_decoded=kept)
            for dtype in (torch.float32, torch.bfloat16):
                for seen in cache.update(x.to(dtype), x.to(dtype), 0):
                    self.assertIs(seen.dtype, dtype)
                cache.reset()
                x = x[:, :, :150]


class Packed(Models):
    def test_bytes_are_those_of_the_packed_cache(self):
        model = model_of("Llama")
        keys, values = torch.randn(2, 4, 1, 2, 300, 16, generator=torch.Generator().manual_seed(4))
        options = dict(codec="e8:q=10", sinks=4, residual_window=16, skipped_layers=1)
        cache = KakeyaCache(model.config, **options)
        packed = kakeya.PackedCache(layers=4, kv_heads=2, head_dim=16, windows=[0] * 4, **options)
        row = packed.add_sequence()
        for layer in range(4):
            seen = cache.update(keys[layer], values[layer], layer)
            packed.append(row, layer, *(part[layer, 0].transpose(0, 1).contiguous() for part in (keys, values)))
            for part, name in zip(seen, ("key", "value")):
                self.assertTrue(torch.equal(part[0].transpose(0, 1), torch.from_numpy(packed.read(row, layer, name))))
        self.assertEqual(cache.live_bytes(), {**packed.live_bytes(), "decoded": 0})
        self.assertLess(cache.live_bytes()["pages"], cache.live_bytes()["bf16"] // 2)
        self.assertEqual(cache.ledger()["tokens"], [300] * 4)
        self.assertEqual(cache.ledger()["groups"][0]["codec_k"], packed.codec_k)

    def test_a_plan_and_chosen_layers(self):
        config = model_of("Llama").config
        keys, values = torch.randn(2, 4, 1, 2, 300, 16, generator=torch.Generator().manual_seed(4))

        def filled(**words):
            cache = KakeyaCache(config, **words)
            seen = [cache.update(keys[layer], values[layer], layer) for layer in range(4)]
            return cache, torch.stack([torch.stack(parts) for parts in seen])

        plan = {"kakeya_plan": 1, "skip": "2", "default": {"k": "e8:q=10", "v": "fp8"}}
        cache, seen = filled(plan=plan)
        _, chosen = filled(codec_k="e8:q=10", codec_v="fp8", skip_layers="2")
        self.assertTrue(torch.equal(seen, chosen))
        self.assertTrue(torch.equal(seen[2, 0], keys[2].to(torch.bfloat16).to(keys.dtype)))
        self.assertFalse(torch.equal(seen[1, 0], keys[1].to(torch.bfloat16).to(keys.dtype)))
        self.assertGreater(cache.live_bytes()["skipped"], 0)
        self.assertTrue(torch.equal(filled(codec="e8:q=10", layers="0-1,3")[1], filled(codec="e8:q=10", skip_layers="2")[1]))

    def test_keeping_tokens_decoded_changes_bytes_and_nothing_else(self):
        ids = ids_of(2, 320)
        for name in ("Llama", "Gemma 3"):
            model = model_of(name)
            plain = KakeyaCache(model.config, "e8:q=10", tap="pre-rope")
            kept = KakeyaCache(model.config, "e8:q=10", tap="pre-rope", keep_decoded=True)
            lengths = [150] + [1] * 120 + [50]
            self.assertTrue(torch.equal(steps(model, plain, ids, lengths), steps(model, kept, ids, lengths)))
            held = kept.live_bytes()
            self.assertGreater(held["decoded"], 0)
            self.assertEqual(held["total"] - held["decoded"], plain.live_bytes()["total"])

    def test_offloading_lets_decoded_tokens_go(self):
        ids = ids_of(2, 320)
        model = model_of("Gemma 3")
        plain, kept = (KakeyaCache(model.config, "e8:q=10", keep_decoded=keep) for keep in (False, True))
        want = steps(model, plain, ids, [150, 1, 150, 19])
        got = [steps(model, kept, ids[:, :151], [150, 1])]
        self.assertGreater(kept.live_bytes()["decoded"], 0)
        for layer in kept.layers:
            layer.offload()
        self.assertEqual(kept.live_bytes()["decoded"], 0)
        for layer in kept.layers:
            layer.prefetch()
        for first, last in ((151, 301), (301, 320)):
            got.append(model(ids[:, first:last], past_key_values=kept, use_cache=True).logits)
        self.assertTrue(torch.equal(want, torch.cat(got, dim=1)))

    def test_a_sliding_window_drops_what_it_has_left(self):
        model = model_of("Mistral")
        cache = KakeyaCache(model.config, "identity")
        steps(model, cache, ids_of(1, 600), [300, 300])
        held = cache.live_bytes()
        whole = 4 * 600 * 2 * 2 * 16 * 2  # layers, tokens, keys and values, heads, dim, bytes
        self.assertLess(held["pages"], whole // 2)
        self.assertLess(held["total"], whole // 2)
        self.assertEqual(cache.get_seq_length(), 600)
        with self.assertRaises(kakeya.InputError):
            cache.crop(-500)


class Refused(unittest.TestCase):
    def refuse(self, words, config, **options):
        with self.assertRaisesRegex(kakeya.Error, words):
            KakeyaCache(config, **{"codec": "identity", **options})

    def test_words_and_shapes(self):
        config = transformers.LlamaConfig(**SMALL)
        self.refuse("tap 'before': expected pre-rope or post-rope", config, tap="before")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "made.kkp"
            path.write_bytes(klt_profile(layers=4))  # of keys before RoPE
            self.refuse("tap 'post-rope': the profile is of pre-rope keys", config, codec="klt:bits=3", profile=path, tap="post-rope")
            self.assertEqual(KakeyaCache(config, "klt:bits=3", profile=path, tap="pre-rope").tap, "pre-rope")
        self.refuse("names its profile itself", config, codec="klt:bits=3,profile=x")
        cache = KakeyaCache(config, "identity")
        with self.assertRaisesRegex(kakeya.InputError, "MLA latents"):
            cache.update(torch.zeros(1, 1, 3, 16), torch.zeros(1, 1, 3, 8), 0)
        cache.update(torch.zeros(1, 2, 3, 16), torch.zeros(1, 2, 3, 16), 0)
        with self.assertRaisesRegex(kakeya.InputError, "a batch of 2 rows"):
            cache.update(torch.zeros(2, 2, 3, 16), torch.zeros(2, 2, 3, 16), 0)
        with self.assertRaisesRegex(kakeya.InputError, "to remove"):
            cache.crop(-4)

    def test_a_crop_that_is_refused_changes_nothing(self):
        kinds = dict(HYBRID, global_head_dim=32, hidden_size_per_layer_input=0, num_kv_shared_layers=0)
        made = KakeyaCache(transformers.Gemma4TextConfig(**SMALL, **kinds), "e8:q=10")
        for layer in (1, 0, 3, 2):  # layers 0 and 2 slide; the cache of those that do not is there first
            x = torch.randn(1, 2, 600, 16 + 16 * (layer % 2))
            made.update(x, x, layer)
        with self.assertRaises(kakeya.InputError):
            made.crop(100)
        x = torch.randn(1, 2, 1, 32)
        self.assertEqual(made.update(x, x, 1)[0].shape[2], 601)

    def test_a_wrong_argument_when_it_is_made(self):
        config = transformers.LlamaConfig(**SMALL)
        self.refuse("codec 'nothing': expected one of", config, codec="nothing")
        self.refuse("unknown key 'zz'", config, codec="e8:q=10,zz=1")
        self.refuse("expected codec, or codec_k and codec_v", config, codec=None, codec_k="e8:q=10")
        self.refuse("no profile given: expected a profile of klt", config, codec="klt:bits=3")
        self.refuse("sinks -1", config, sinks=-1)
        self.refuse("residual window -1", config, residual_window=-1)
        self.refuse("skipped edge layers 2: leave no layer of 4", config, skipped_layers=2)
        plan = {"kakeya_plan": 1, "default": "e8:q=10"}
        self.refuse("plan: says itself what codes which layers", config, plan=plan, codec="e8:q=10")
        self.refuse("skip: layer 9", config, plan={**plan, "skip": "9"}, codec=None)
        self.refuse("layers 7: layer 7, expected 0 to 3", config, layers="7")
        KakeyaCache(transformers.LlamaConfig(**{**SMALL, "head_dim": 80}), "e8:q=10")  # dims are those of the keys that come

    def test_faults_of_a_plan_are_those_of_packed_cache(self):
        config = transformers.LlamaConfig(**SMALL)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "plan.json"
            contents = (None, b"", b"{", b"[" * 9000, b"[]", b"\xff", b'{"kakeya_plan": 1, "default": "e8:q=10", "default": "fp8"}',
                        b'{"kakeya_plan": 1, "default": 3}', b'{"kakeya_plan": 1, "sites": {}}', b'{"kakeya_plan": 1, "sites": [{"layers": "0"}]}')  # fmt: skip
            for content in contents:
                if content is not None:
                    path.write_bytes(content)
                with self.assertRaises(kakeya.Error) as packed:
                    kakeya.PackedCache(4, 2, 16, plan=path)
                for num_heads in (2, None):  # where the configuration does not say the layers' shape too
                    config.num_key_value_heads = num_heads
                    with self.assertRaises(kakeya.Error) as given:
                        KakeyaCache(config, plan=path)
                    self.assertEqual((type(given.exception), str(given.exception)), (type(packed.exception), str(packed.exception)))
                self.assertIn("plan.json", str(given.exception))
            path.write_bytes(b'{"kakeya_plan": 1')
            with self.assertRaisesRegex(kakeya.SpecError, "plan.json: not JSON at byte 18"):
                KakeyaCache(config, plan=path)
        for wrong in (3, ["plan.json"]):
            with self.assertRaises(TypeError):
                KakeyaCache(config, plan=wrong)

    def test_rows_of_less_than_one(self):
        cache, x = KakeyaCache(transformers.LlamaConfig(**SMALL), "identity"), torch.zeros(2, 2, 3, 16)
        for layer in range(4):
            cache.update(x, x, layer)
        for repeats in (0, -1):
            with self.assertRaisesRegex(kakeya.InputError, f"{repeats} rows of each: expected 1 at least"):
                cache.batch_repeat_interleave(repeats)
        none = (lambda: cache.batch_select_indices(torch.tensor([])), lambda: cache.batch_select_indices(torch.zeros(2, dtype=torch.bool)),
                lambda: cache.reorder_cache(torch.zeros(0, dtype=torch.long)))
        for select in none:
            with self.assertRaisesRegex(kakeya.InputError, r"no row to keep of a batch of 2: expected 1 at least, or reset\(\)"):
                select()
        self.assertEqual(cache.batch_size, 2)
        self.assertEqual(cache.update(x, x, 0)[0].shape[:3], (2, 2, 6))

    def test_a_positive_crop_is_the_length(self):
        cache, x = KakeyaCache(transformers.LlamaConfig(**SMALL), "identity"), torch.randn(1, 2, 9, 16).bfloat16()
        for layer in range(4):
            cache.update(x, x, layer)
        for tokens, left in ((12, 9), (9, 9), (4, 4), (-1, 3)):
            cache.crop(tokens)
            self.assertEqual(cache.get_seq_length(), left)
        self.assertTrue(torch.equal(cache.update(x[:, :, :1], x[:, :, :1], 0)[0], torch.cat([x[:, :, :3], x[:, :, :1]], dim=2)))

    def test_a_model_in_place_of_its_config(self):
        for given, words in ((model_of("Llama"), r"a model \(LlamaForCausalLM\)"), (None, r"no configuration of transformers \(NoneType\)"),
                             ({}, r"no configuration of transformers \(dict\)")):
            self.refuse(f"config: {words} was given: expected model.config", given)

    def test_a_first_update_that_raised_leaves_no_batch(self):
        cache, x = KakeyaCache(transformers.LlamaConfig(**SMALL), "identity"), torch.zeros(2, 2, 3, 16)
        with self.assertRaisesRegex(kakeya.InputError, "not finite"):
            cache.update(x * torch.nan, x, 0)
        self.assertEqual(cache.update(x[:1], x[:1], 0)[0].shape[0], 1)


if __name__ == "__main__":
    unittest.main()
