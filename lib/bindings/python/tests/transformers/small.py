# SPDX-License-Identifier: Apache-2.0
"""Small random models over a cache: what the tests of KakeyaCache share."""

import torch
import transformers
from transformers import AutoModelForCausalLM

WINDOW = 24
SMALL = dict(vocab_size=199, hidden_size=64, intermediate_size=96, num_hidden_layers=4, num_attention_heads=4,
             num_key_value_heads=2, head_dim=16, max_position_embeddings=512, pad_token_id=0, bos_token_id=1, eos_token_id=None)
HYBRID = dict(sliding_window=WINDOW, layer_types=["sliding_attention", "full_attention"] * 2)
LLAMA3 = dict(rope_type="llama3", rope_theta=10000.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=64)


def config_of(kind, without=(), **changes):
    """A configuration by the name of its class, of SMALL but for the keys that it goes `without`."""
    settings = {**{key: value for key, value in SMALL.items() if key not in without}, **changes}
    return getattr(transformers, kind)(**settings)


def model_of(config, dtype=torch.bfloat16):
    torch.manual_seed(20)
    return AutoModelForCausalLM.from_config(config, dtype=dtype).eval()


def ids_of(batch, tokens):
    return torch.randint(2, 199, (batch, tokens), generator=torch.Generator().manual_seed(1))


def steps(model, cache, ids, lengths, mask=None):
    """Logits of `ids` in forwards of these lengths, [batch, tokens, vocabulary]."""
    parts, first = [], 0
    for length in lengths:
        now = slice(first, first + length)
        given = {}
        if mask is not None:  # positions as generate() gives them
            given = dict(attention_mask=mask[:, : now.stop], position_ids=(mask.cumsum(1) - 1).clamp(min=0)[:, now])
        parts.append(model(ids[:, now], past_key_values=cache, use_cache=True, **given).logits)
        first += length
    return torch.cat(parts, dim=1)
