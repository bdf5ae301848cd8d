# SPDX-License-Identifier: Apache-2.0
"""The variant of nano whose keys carry a strong static direction, as Qwen2's keys do: its configuration, the key biases
that training starts from, and the share of the keys' energy that is static.

Qwen2 has biases on queries, keys and values and no norm on queries and keys. In its trained models the key biases reach
tens to hundreds in a few channels of low RoPE frequency, where a static direction adds nearly the same to all scores of a
query, which the softmax cancels. In minutes of training they would not grow, so they are planted."""

import math

import torch

from nano_model import CONFIG, head_dim

BIAS_CONFIG = {
    "architectures": ["Qwen2ForCausalLM"],
    "attention_dropout": 0.0,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "hidden_act": "silu",
    "hidden_size": 256,
    "initializer_range": 0.02,
    "intermediate_size": 352,
    "max_position_embeddings": CONFIG["max_position_embeddings"],
    "max_window_layers": 8,
    "model_type": "qwen2",
    "num_attention_heads": 4,
    "num_hidden_layers": 8,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-06,
    "rope_scaling": None,
    "rope_theta": 1000000.0,
    "sliding_window": None,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
    "use_cache": True,
    "use_sliding_window": False,
    "vocab_size": CONFIG["vocab_size"],
}
PAIRS = 4  # channel pairs of a head that carry the bias, out of the quarter of lowest frequency
RANGE = 10  # the largest amplitude over the smallest


@torch.no_grad()
def plant(model, scale, seed):
    """Sets the key biases that training starts from. Each (layer, key/value head) has one amplitude, drawn log-uniformly
    from scale/10 .. scale, in PAIRS channel pairs drawn from the quarter of the pairs that has the lowest RoPE frequency,
    at an angle drawn for each pair: 2 x PAIRS of head_dim channels, the others 0. Seeded apart from the weights."""
    generator = torch.Generator().manual_seed(seed)
    dim = head_dim(BIAS_CONFIG)
    half, heads = dim // 2, BIAS_CONFIG["num_key_value_heads"]
    for layer in model.model.layers:
        bias = torch.zeros(heads, dim)
        for head in range(heads):
            amplitude = scale * RANGE ** (float(torch.rand(1, generator=generator)) - 1)
            pairs = half - half // 4 + torch.randperm(half // 4, generator=generator)[:PAIRS]
            angles = 2 * math.pi * torch.rand(PAIRS, generator=generator)
            bias[head, pairs] = amplitude * angles.cos()
            bias[head, pairs + half] = amplitude * angles.sin()
        layer.self_attn.k_proj.bias.copy_(bias.flatten())


@torch.no_grad()
def static_shares(model, tokens, context):
    """Of each layer and key/value head, over disjoint windows of `context` of `tokens`: "mean", the share of the energy of
    the keys before RoPE that their channel mean holds, |E k|^2 / E |k|^2; "without_bias", what is left of the energy without the
    bias, E |k - b|^2 / E |k|^2; "largest", the largest magnitude in the bias. Lists [layer][head]."""
    heads, seen = BIAS_CONFIG["num_key_value_heads"], {}

    def hook(index):
        def add(_, __, keys):
            total = seen.setdefault(index, [0.0, 0.0, 0.0, 0])
            biases = model.model.layers[index].self_attn.k_proj.bias.view(heads, -1).double()
            keys = keys.detach().double().view(-1, heads, biases.shape[1])
            total[0] = total[0] + keys.sum(0)
            total[1] = total[1] + keys.square().sum((0, 2))
            total[2] = total[2] + (keys - biases).square().sum((0, 2))
            total[3] += len(keys)
        return add

    handles = [layer.self_attn.k_proj.register_forward_hook(hook(i)) for i, layer in enumerate(model.model.layers)]
    for window in tokens[:len(tokens) // context * context].view(-1, context).split(8):
        model(window)
    for handle in handles:
        handle.remove()
    record = {"mean": [], "without_bias": [], "largest": []}
    for index, layer in enumerate(model.model.layers):
        sums, energy, rest, count = seen[index]
        record["mean"].append(((sums / count).square().sum(1) / (energy / count)).tolist())
        record["without_bias"].append((rest / energy).tolist())
        record["largest"].append(layer.self_attn.k_proj.bias.view(heads, -1).abs().amax(1).tolist())
    return record


def card_section(scale, seed, shares):
    """The model card's section on the key biases."""
    rows = "\n".join(
        f"| {layer} | {head} | {shares['largest'][layer][head]:.1f} | {shares['mean'][layer][head]:.4f} "
        f"| {shares['without_bias'][layer][head]:.4f} |"
        for layer in range(len(shares["mean"])) for head in range(len(shares["mean"][layer])))
    return f"""**Key biases.** Planted before training by `--key-bias {scale:g}` (seed {seed}), not learned: each layer and key/value head has
one amplitude, drawn log-uniformly from {scale / RANGE:g} .. {scale:g}, in {PAIRS} channel pairs drawn from the quarter of lowest RoPE
frequency, at random angles; all other biases start at 0. Everything was then trained, the biases without weight decay.
The table is what the trained model has on the held-out text, before RoPE: the largest magnitude in the bias, the share
of the keys' energy that their channel mean holds, and the energy that is left when the bias is taken off.

| layer | head | largest bias | share of the mean | left without the bias |
|---|---|---|---|---|
{rows}
"""
