# SPDX-License-Identifier: Apache-2.0
"""Keys before RoPE: which layers turn them, which part of a head, and what is refused."""

import unittest
from unittest import mock

try:
    import torch
    import transformers
    from transformers import DynamicCache

    import kakeya
    from kakeya.transformers import KakeyaCache, turns
    from kakeya.transformers.turns import KeyTurns
    from small import HYBRID, LLAMA3, SMALL, WINDOW, config_of, ids_of, model_of, steps
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

torch.set_num_threads(1)
MOE = dict(num_experts=4, num_local_experts=4, num_experts_per_tok=4, moe_intermediate_size=32, num_shared_experts=1)
HALF = dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5)
PROPORTIONAL = {"sliding_attention": dict(rope_type="default", rope_theta=10000.0),
                "full_attention": dict(rope_type="proportional", rope_theta=1000000.0, partial_rotary_factor=0.25)}
# name: (configuration, the layers that turn keys)
MODELS = {
    "Llama": (config_of("LlamaConfig"), [0, 1, 2, 3]),
    "Llama 3": (config_of("LlamaConfig", rope_parameters=LLAMA3), [0, 1, 2, 3]),
    "Gemma 3": (config_of("Gemma3TextConfig", **HYBRID), [0, 1, 2, 3]),
    "Gemma 4": (config_of("Gemma4TextConfig", **HYBRID, global_head_dim=32, hidden_size_per_layer_input=0, num_kv_shared_layers=0,
                          rope_parameters=PROPORTIONAL), [0, 1, 2, 3]),
    "SmolLM3": (config_of("SmolLM3Config", no_rope_layers=[1, 1, 0, 1]), [0, 1, 3]),
    "Cohere 2": (config_of("Cohere2Config", **HYBRID), [0, 2]),
    "EXAONE 4": (config_of("Exaone4Config", **HYBRID), [0, 2]),
    "EXAONE-MoE": (config_of("ExaoneMoeConfig", **HYBRID, **MOE, first_k_dense_replace=4), [0, 2]),
    "AFMoE": (config_of("AfmoeConfig", **HYBRID, **MOE, num_dense_layers=4), [0, 2]),
    "Phi": (config_of("PhiConfig", without=["head_dim"], rope_parameters=HALF), [0, 1, 2, 3]),
    "StableLM": (config_of("StableLmConfig", without=["head_dim"], rope_parameters=HALF), [0, 1, 2, 3]),
    "Persimmon": (config_of("PersimmonConfig", without=["head_dim", "num_key_value_heads"], rope_parameters=HALF), [0, 1, 2, 3]),
    "GLM-4": (config_of("Glm4Config", rope_parameters=HALF), [0, 1, 2, 3]),
    "GPT-2": (transformers.GPT2Config(vocab_size=199, n_embd=64, n_layer=4, n_head=4, n_positions=512), []),
}


def before_rope(model, ids):
    """Of each layer the keys [batch, heads, tokens, dim] that its own projection or norm made, and those that it stored."""
    found = {}

    def keep(number):
        return lambda module, given, made: found.update({number: made})

    attentions = [module for module in model.modules() if type(module).__name__.endswith("Attention") and hasattr(module, "layer_idx")]
    for module in attentions:
        norms = [getattr(module, name, None) for name in ("k_norm", "k_layernorm")]
        source = next((norm for norm in norms if isinstance(norm, torch.nn.Module)), getattr(module, "k_proj", None))
        source.register_forward_hook(keep(module.layer_idx))
    cache = DynamicCache()
    model(ids, past_key_values=cache)
    for number, made in found.items():
        stored = cache.layers[number].keys
        if made.shape != stored.shape:
            made = made.reshape(ids.shape[0], ids.shape[1], *stored.shape[1::2]).transpose(1, 2)
        yield number, made, stored


class Found(unittest.TestCase):
    def setUp(self):
        self.enterContext(torch.no_grad())

    def test_which_layers_turn_keys(self):
        for name, (config, layers) in MODELS.items():
            found = KeyTurns(config)
            self.assertEqual([layer for layer in range(4) if found.turns(layer)], layers, name)

    def test_unrotated_keys_are_those_of_the_projection(self):
        ids, positions = ids_of(2, 90), torch.arange(90).expand(2, -1)
        for name, (config, layers) in MODELS.items():
            if name == "GPT-2":
                continue
            model = model_of(config, torch.float32)
            modules = [module for module in model.modules() if type(module).__name__.endswith("RotaryEmbedding")]
            own = [KeyTurns(config, module) for module in modules[:1]]
            for number, want, stored in before_rope(model, ids):
                for found in (KeyTurns(config), *own):
                    got = found.unrotate(stored, positions, number)
                    self.assertLess((got - want).abs().max().item(), 2e-6 * max(1.0, want.abs().max().item()), (name, number))
                    self.assertLess((found.rotate(got, positions, number) - stored).abs().max().item(), 4e-6, (name, number))
                moved = (stored - want).abs().max().item()
                self.assertEqual(moved > 1e-3, number in layers, (name, number))

    def test_a_model_computes_what_it_did_but_for_rounding(self):
        ids = ids_of(2, 60)
        for name, (config, _) in MODELS.items():
            model = model_of(config)
            want, got = (steps(model, cache, ids, [40, 1, 19]) for cache in (
                DynamicCache(config=model.config), KakeyaCache(model.config, "identity", tap="pre-rope")))
            self.assertLess((want - got).abs().max().item(), 0.1 * want.abs().max().item(), name)

    def test_what_gemma_4_loses_is_its_attentions_scale(self):
        """Scores that are not divided by the root of the head dim choose one key: rounding moves logits far (families.md)."""
        ids, lengths, lost = ids_of(2, 100), [90] + [1] * 10, {}
        for divided in (False, True):
            model = model_of(MODELS["Gemma 4"][0], torch.float32)
            for layer in model.model.layers:
                self.assertEqual(layer.self_attn.scaling, 1.0)
                layer.self_attn.scaling = layer.self_attn.head_dim ** -0.5 if divided else 1.0
            want = steps(model, DynamicCache(config=model.config), ids, lengths)
            for tap in ("post-rope", "pre-rope"):
                got = steps(model, KakeyaCache(model.config, "identity", tap=tap), ids, lengths)
                lost[divided, tap] = (want - got).abs().max().item()
        self.assertLess(lost[True, "post-rope"], lost[False, "post-rope"] / 3, lost)
        self.assertLess(lost[True, "pre-rope"], lost[False, "pre-rope"] / 3, lost)
        self.assertLess(lost[False, "pre-rope"], 2 * lost[False, "post-rope"], lost)  # un-rotating adds no error of its own

    def test_an_embedding_that_is_given_takes_the_place_of_the_models(self):
        config, other = MODELS["Llama"][0], config_of("LlamaConfig", rope_parameters=dict(rope_type="default", rope_theta=500.0))
        module = model_of(other).model.rotary_emb
        keys, positions = torch.randn(1, 2, 30, 16), torch.arange(30)[None]
        want = KeyTurns(other).unrotate(keys, positions, 2)
        self.assertTrue(torch.equal(KeyTurns(config, module).unrotate(keys, positions, 2), want))
        self.assertFalse(torch.equal(KeyTurns(config).unrotate(keys, positions, 2), want))

    def test_no_tokens(self):
        none = torch.zeros(1, 2, 0, 16)
        found = KeyTurns(MODELS["Llama"][0])
        self.assertEqual(found.unrotate(none, torch.zeros(1, 0), 0).shape, none.shape)

    def test_the_twin_is_made_once_and_leaves_no_trace(self):
        config = config_of("LlamaConfig", rope_parameters=dict(rope_type="default", rope_theta=12345.0))
        state = torch.get_rng_state()
        self.addCleanup(torch.set_default_dtype, torch.get_default_dtype())
        torch.set_default_dtype(torch.bfloat16)
        with mock.patch.object(turns, "twin_of", wraps=turns.twin_of) as made:
            for _ in range(3):
                KakeyaCache(config, "identity", tap="pre-rope")
            self.assertEqual(made.call_count, 1)
        self.assertTrue(torch.equal(state, torch.get_rng_state()))
        self.assertEqual((config.hidden_size, config.vocab_size), (64, 199))

    def test_large_models_are_small_twins(self):
        config = transformers.LlamaConfig(hidden_size=8192, intermediate_size=28672, num_attention_heads=64, num_key_value_heads=8,
                                          num_hidden_layers=5, vocab_size=128256)
        self.assertTrue(KeyTurns(config).turns(4))


class Refused(unittest.TestCase):
    def refuse(self, words, config, **options):
        with self.assertRaisesRegex(kakeya.InputError, words + ".*give tap='post-rope'"):
            KakeyaCache(config, "identity", tap="pre-rope", **options)
        self.assertEqual(KakeyaCache(config, "identity").tap, "post-rope")

    def test_rope_that_changes_with_the_length(self):
        longrope = dict(rope_type="longrope", rope_theta=10000.0, short_factor=[1.0] * 8, long_factor=[2.0] * 8,
                        original_max_position_embeddings=64)
        self.refuse("longrope does not rotate a key by its position alone", config_of("Phi3Config", rope_parameters=longrope))
        dynamic = dict(rope_type="dynamic", rope_theta=10000.0, factor=2.0)
        self.refuse("dynamic does not rotate a key by its position alone", config_of("LlamaConfig", rope_parameters=dynamic))

    def test_multimodal_rope(self):
        self.refuse("multimodal RoPE|does not rotate a key by its position alone", transformers.Qwen3VLTextConfig(**SMALL))

    def test_rotations_of_another_kind(self):
        self.refuse("layer 0 of gptj: keys depend on their position, and none of the rotations",
                    transformers.GPTJConfig(vocab_size=199, n_embd=64, n_layer=4, n_head=4, n_positions=512, rotary_dim=8))

    def test_a_norm_behind_the_rotation(self):
        self.refuse("layer 0 of hunyuan_v1_dense: keys depend on their position, and none", config_of("HunYuanDenseV1Config"))

    def test_a_layer_that_cannot_be_shown(self):
        config = config_of("LlamaConfig")
        with mock.patch.object(turns, "twin_of", side_effect=RuntimeError("no such module")):
            turns._remembered.cache_clear()
            self.refuse(r"llama: how its layers turn keys cannot be shown \(RuntimeError: no such module\)", config)
        turned = turns.twin_of(config)
        turned.keys[2] = turned.keys[2] * torch.linspace(1, 2, 8)[:, None]
        with mock.patch.object(turns, "twin_of", return_value=turned):
            self.refuse("layer 2 of llama: keys depend on their position", config)
        del turned.keys[2]
        with mock.patch.object(turns, "twin_of", return_value=turned):
            self.refuse("layer 2 of llama stores no keys", config)
        turned.keys[2] = torch.full((1, 2, 8, 16), float("nan"))
        with mock.patch.object(turns, "twin_of", return_value=turned):
            self.refuse("layer 2 of llama: keys depend", config)


if __name__ == "__main__":
    unittest.main()
