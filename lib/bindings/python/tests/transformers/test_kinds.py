# SPDX-License-Identifier: Apache-2.0
"""Kinds of layers that a KakeyaCache cannot stand for: each is refused by name when it is made."""

import copy
import unittest

try:
    import torch
    import transformers

    import kakeya
    from kakeya.transformers import KakeyaCache
    from small import HYBRID, SMALL, config_of
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")

EXPECTED = "expected full_attention or sliding_attention"
# The class of a configuration, changes, and what the error says.
REFUSED = [
    ("RwkvConfig", {}, r"layer 0 of rwkv: a recurrent state \(RwkvModel is stateful\) is not supported: " + EXPECTED),
    ("xLSTMConfig", {}, r"layer 0 of xlstm: a recurrent state \(xLSTMModel is stateful\) is not supported: " + EXPECTED),
    ("MambaConfig", {}, "layer 0 of mamba: linear_attention is not supported: " + EXPECTED),
    ("Mamba2Config", {}, "layer 0 of mamba2: linear_attention is not supported"),
    ("FalconMambaConfig", {}, "layer 0 of falcon_mamba: linear_attention is not supported"),
    ("RecurrentGemmaConfig", {}, "layer 0 of recurrent_gemma: (linear_attention|a recurrent state .*) is not supported"),  # by release
    ("JambaConfig", {}, "layer 0 of jamba: linear_attention is not supported"),
    ("BambaConfig", {}, "layer 0 of bamba: linear_attention is not supported"),
    ("ZambaConfig", {}, "layer 0 of zamba: linear_attention is not supported"),
    ("Zamba2Config", {}, "layer 0 of zamba2: linear_attention is not supported"),
    ("NemotronHConfig", {}, "layer 0 of nemotron_h: linear_attention is not supported"),
    ("GraniteMoeHybridConfig", {}, "layer 0 of granitemoehybrid: linear_attention is not supported"),
    ("FalconH1Config", {}, "layer 0 of falcon_h1: hybrid is not supported"),
    ("MiniMaxConfig", {}, "layer 1 of minimax: linear_attention is not supported"),
    ("Qwen3NextConfig", {}, "layer 0 of qwen3_next: linear_attention is not supported"),
    ("OlmoHybridConfig", {}, "layer 0 of olmo_hybrid: linear_attention is not supported"),
    ("Lfm2Config", dict(layer_types=["conv", "full_attention"] * 16), "layer 0 of lfm2: conv is not supported"),
    ("Llama4TextConfig", {}, "layer 0 of llama4_text: chunked_attention is not supported"),
    ("DeepseekV4Config", {}, "of deepseek_v4: heavily_compressed_attention is not supported"),
    ("DeepseekV2Config", {}, r"layer 0 of deepseek_v2: MLA latents \(kv_lora_rank 512\) are not supported: expected keys and values of one"),
    ("DeepseekV3Config", {}, "layer 0 of deepseek_v3: MLA latents"),
    ("Glm4MoeLiteConfig", {}, "layer 0 of glm4_moe_lite: MLA latents"),
    ("MiniCPM3Config", {}, "layer 0 of minicpm3: MLA latents"),
    ("LongcatFlashConfig", {}, "layer 0 of longcat_flash: MLA latents"),
    ("MiMoV2FlashConfig", {}, "layer 0 of mimo_v2_flash: keys of 192 beside values of 128 are not supported: expected one width"),
    ("MllamaTextConfig", {}, "layer 3 of mllama_text_model: cross-attention is not supported"),
    ("GPT2Config", dict(add_cross_attention=True), "gpt2: cross-attention is not supported"),
    ("T5Config", {}, "t5: cross-attention is not supported"),
    ("OpenAIGPTConfig", {}, "openai-gpt: OpenAIGPTModel takes no cache of keys and values"),
    ("XLNetConfig", {}, "xlnet: XLNetModel takes no cache of keys and values"),
    ("ReformerConfig", {}, "reformer: ReformerModel takes no cache of keys and values"),
    ("BltConfig", {}, "blt: its configuration does not tell its layers"),
]
ALWAYS = {"RwkvConfig", "MambaConfig", "Mamba2Config", "RecurrentGemmaConfig", "Qwen3NextConfig", "Lfm2Config", "DeepseekV2Config",
          "Llama4TextConfig"}


class Kinds(unittest.TestCase):
    def test_each_is_refused_by_name(self):
        met = set()
        for name, changes, words in REFUSED:
            if not hasattr(transformers, name):
                continue  # another release; ALWAYS are in every one
            with self.subTest(name), self.assertRaisesRegex(kakeya.InputError, words):
                KakeyaCache(getattr(transformers, name)(**changes), "identity")
            met.add(name)
        self.assertLessEqual(ALWAYS, met)

    def test_shared_keys(self):
        config = config_of("Gemma4TextConfig", **HYBRID, global_head_dim=16, hidden_size_per_layer_input=0, num_kv_shared_layers=2)
        with self.assertRaisesRegex(kakeya.InputError, "layer 2 of gemma4_text: keys and values shared with another layer"):
            KakeyaCache(config, "identity")

    def test_a_stateful_class_without_such_layers_is_made(self):
        for name in ("GraniteMoeHybridConfig", "Qwen3NextConfig"):
            config = getattr(transformers, name)(**{**SMALL, "layer_types": ["full_attention"] * 4})
            self.assertEqual(len(KakeyaCache(config, "identity").layers), 4)

    def test_layers_cannot_be_copied_apart(self):
        cache = KakeyaCache(config_of("LlamaConfig"), "identity")
        with self.assertRaisesRegex(kakeya.InputError, "layer 1 of a KakeyaCache is copied, which is not supported"):
            copy.deepcopy(cache.layers[1])
        with self.assertRaisesRegex(kakeya.InputError, "is copied, which is not supported"):
            copy.deepcopy(cache)

    def test_shapes_that_only_an_update_shows(self):
        cache = KakeyaCache(config_of("LlamaConfig"), "identity")
        with self.assertRaisesRegex(kakeya.InputError, "MLA latents and values of another width are not supported"):
            cache.update(torch.zeros(1, 1, 3, 16), torch.zeros(1, 1, 3, 8), 0)


if __name__ == "__main__":
    unittest.main()
