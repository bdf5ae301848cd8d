# SPDX-License-Identifier: Apache-2.0
"""KakeyaCache over a codec that is a Python class."""

import unittest

try:
    import numpy
    import torch
    import transformers

    import kakeya
    from kakeya.transformers import KakeyaCache
except ImportError as error:
    raise unittest.SkipTest(f"{error}: these tests need torch, transformers 5.x and kakeya")


class Bf16:
    """The upper half of every float: of bf16 values all there is."""

    name = "t-bf16"

    def __init__(self, dim):
        self.dim, self.bound = dim, (2 * dim, 0)

    def encode(self, x):
        return (x.view("uint32") >> 16).astype("uint16").tobytes()

    def decode(self, data, count):
        return (numpy.frombuffer(data, "uint16").astype("uint32") << 16).view("float32").reshape(count, self.dim)


class OwnCodec(unittest.TestCase):
    def test_it_generates_what_identity_does(self):
        kakeya.register_codec(Bf16)
        torch.manual_seed(3)
        config = transformers.LlamaConfig(vocab_size=99, hidden_size=64, intermediate_size=96, num_hidden_layers=4, num_attention_heads=4,
                                          num_key_value_heads=2, head_dim=16, max_position_embeddings=512, pad_token_id=0)  # fmt: skip
        model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).eval()
        ids = torch.randint(2, 99, (2, 200))
        mask = torch.ones_like(ids)
        made = {}
        for spec in ("identity", "t-bf16"):
            cache = KakeyaCache(model.config, spec, skipped_layers=0)
            made[spec] = model.generate(ids, attention_mask=mask, past_key_values=cache, max_new_tokens=70, do_sample=False)
            self.assertGreater(cache.live_bytes()["pages"], 0)
        self.assertTrue(torch.equal(made["identity"], made["t-bf16"]))


if __name__ == "__main__":
    unittest.main()
