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
    from transformers import AutoModelForCausalLM, DynamicCache

    import kakeya
    from kakeya.transformers import KakeyaCache
    from kakeya.transformers.rope import Rope
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

torch.set_num_threads(1)  # the models are too small to share
WINDOW = 24
SMALL = dict(vocab_size=199, hidden_size=64, intermediate_size=96, num_hidden_layers=4, num_attention_heads=4,
             num_key_value_heads=2, head_dim=16, max_position_embeddings=512, pad_token_id=0, bos_token_id=1, eos_token_id=None)
HYBRID = dict(sliding_window=WINDOW, layer_types=["sliding_attention", "full_attention"] * 2)
MODELS = {
    "Llama": ("LlamaConfig", {}),
    "Qwen2": ("Qwen2Config", {}),
    "Mistral": ("MistralConfig", dict(sliding_window=WINDOW)),
    "Gemma 3": ("Gemma3TextConfig", HYBRID),
}


def model_of(name, dtype=None, **changes):
    kind, own = MODELS[name]
    torch.manual_seed(20)
    config = getattr(transformers, kind)(**{**SMALL, **own, **changes})
    return AutoModelForCausalLM.from_config(config, dtype=dtype or torch.bfloat16).eval()


def ids_of(batch, tokens):
    return torch.randint(2, 199, (batch, tokens), generator=torch.Generator().manual_seed(1))


def steps(model, cache, ids, lengths, mask=None):
    parts, first = [], 0
    for length in lengths:
        now = slice(first, first + length)
        given = {}
        if mask is not None:  # positions as generate() gives them
            given = dict(attention_mask=mask[:, : now.stop], position_ids=(mask.cumsum(1) - 1).clamp(min=0)[:, now])
        parts.append(model(ids[:, now], past_key_values=cache, use_cache=True, **given).logits)
        first += length
    return torch.cat(parts, dim=1)


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
            for lengths in ([150], [40, 1, 63, 46], [20, 3, 1, 5] + [1] * 121):
                for seen in (None, mask) if len(lengths) > 1 else (None,):
                    want, got = (steps(model, cache, ids, lengths, seen) for cache in self.both(model, keep_decoded=True))
                    self.assertTrue(torch.equal(want, got), f"{lengths[:4]}, padded: {seen is not None}")

    def test_generates_the_same_greedily_and_with_beams(self):
        ids = ids_of(2, 50)
        for model in self.each():
            for beams in (1, 3):
                made = [
                    model.generate(ids, attention_mask=torch.ones_like(ids), past_key_values=cache, num_beams=beams,
                                   do_sample=False, max_new_tokens=100)
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


class PreRope(Models):
    def test_unrotated_keys_are_those_of_the_projection(self):
        scaled = dict(rope_type="llama3", rope_theta=10000.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
                      original_max_position_embeddings=64)
        ids = ids_of(2, 90)
        for name, changes in (("Llama", {}), ("Llama", dict(rope_parameters=scaled)), ("Gemma 3", {})):
            model = model_of(name, torch.float32, **changes)
            for number in (0, 1):
                attention = model.model.layers[number].self_attn
                before = []
                source = attention.k_norm if name == "Gemma 3" else attention.k_proj
                hook = source.register_forward_hook(lambda module, given, made: before.append(made))
                cache = DynamicCache()
                model(ids, past_key_values=cache)
                hook.remove()
                want = before[0] if name == "Gemma 3" else before[0].view(2, 90, 2, 16).transpose(1, 2)
                kind = getattr(model.config, "layer_types", None) or ["full_attention"] * 4
                for module in (None, model.model.rotary_emb):
                    got = Rope(model.config, module).unrotate(cache.layers[number].keys, torch.arange(90).expand(2, -1), kind[number])
                    self.assertLess((got - want).abs().max().item(), 2e-6, (name, changes, number))

    def test_padding_moves_positions(self):
        model = model_of("Llama", torch.float32)
        ids = ids_of(2, 40)
        mask = torch.ones_like(ids)
        mask[1, :5] = 0
        cache = KakeyaCache(model.config, "identity", tap="pre-rope")
        cache.pad(mask)
        got = steps(model, cache, ids, [30, 10], mask)
        packed, rows = cache._store.of((2, 16))
        alone = KakeyaCache(model.config, "identity", tap="pre-rope")
        model(ids[1:, 5:], past_key_values=alone)
        other, (row,) = alone._store.of((2, 16))
        moved = torch.from_numpy(packed.read(rows[1], 0, "key", 5)) - torch.from_numpy(other.read(row, 0, "key"))
        self.assertLess(moved.abs().max().item(), 0.01)
        want = steps(model, DynamicCache(config=model.config), ids, [30, 10], mask)
        self.assertLess((got - want).abs().max().item(), 0.05)
        with self.assertRaisesRegex(kakeya.InputError, "before the first"):
            cache.pad(mask)


class Refused(unittest.TestCase):
    def refuse(self, words, config, **options):
        with self.assertRaisesRegex(kakeya.Error, words):
            KakeyaCache(config, **{"codec": "identity", **options})

    def test_kinds_of_layers_by_name(self):
        self.refuse("layer 0 of qwen3_next: linear_attention is not supported", transformers.Qwen3NextConfig())
        self.refuse("chunked_attention is not supported", transformers.Llama4TextConfig())
        self.refuse("cross-attention is not supported", transformers.T5Config())

    def test_rope_that_is_not_known(self):
        factors = dict(rope_type="longrope", rope_theta=10000.0, short_factor=[1.0] * 8, long_factor=[2.0] * 8,
                       original_max_position_embeddings=64)
        config = transformers.Phi3Config(**SMALL, rope_parameters=factors)
        self.refuse("longrope does not rotate a key by its position alone", config, tap="pre-rope")
        KakeyaCache(config, "identity", tap="post-rope")

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

    def test_half_an_update_is_never_read(self):
        config, x = transformers.LlamaConfig(**SMALL), torch.randn(2, 2, 5, 16)
        made, clean = KakeyaCache(config, "e8:q=10"), KakeyaCache(config, "e8:q=10")
        bad = x.clone()
        bad[1, 0, 2, 3] = float("nan")
        for layer in range(4):
            made.update(x, x, layer)
            clean.update(x, x, layer)
        made.update(x, x, 0)
        with self.assertRaisesRegex(kakeya.InputError, "layer 1 keys: row 2 is not finite"):
            made.update(bad, x, 1)  # row 0 of the batch has these tokens now, row 1 has not
        for call in (lambda: made.update(x, x, 1), lambda: made.update(x, x, 0), lambda: made.crop(7)):
            with self.assertRaisesRegex(kakeya.InputError, r"an update of layer 1 raised.*expected crop\(5\) or fewer tokens, or reset"):
                call()
        made.crop(5)
        young = KakeyaCache(config, "e8:q=10")
        with self.assertRaisesRegex(kakeya.InputError, "not finite"):
            young.update(bad, x, 0)
        with self.assertRaisesRegex(kakeya.InputError, r"update of layer 0 raised.*expected reset\(\)$"):
            young.update(x, x, 0)
        young.reset()
        self.assertEqual(young.update(x, x, 0)[0].shape, x.shape)
        for layer in range(4):
            for got, want in zip(made.update(x, x, layer), clean.update(x, x, layer)):
                self.assertTrue(torch.equal(got, want))
        self.assertEqual(made.live_bytes(), clean.live_bytes())

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

    def test_an_unknown_codec(self):
        cache = KakeyaCache(transformers.LlamaConfig(**SMALL), "nothing")
        with self.assertRaises(kakeya.SpecError):
            cache.update(torch.zeros(1, 2, 3, 16), torch.zeros(1, 2, 3, 16), 0)


if __name__ == "__main__":
    unittest.main()
