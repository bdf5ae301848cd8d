#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/model/streams/tiny: a random DeepSeek-V4 of three layers and the KV streams that Hugging Face's transformers has of it
(float32, CPU), which our own are compared with. Needs torch 2.9 or newer (E8M0), transformers 5.24, safetensors, numpy.

  tiny/config.json, model.safetensors   as transformers saves it, but with the tensors of the streams alone
  tiny/hidden.npy                       [1, 3 layers, tokens, hidden]: what each attention is given in a forward of the whole model
  tiny/{sliding,csa,indexer,hca}.npy    [layers, vectors, dim], after RoPE, as they enter the cache
  tiny/fp8/                             the same model under the names and in the types of the published checkpoint: E4M3 with E8M0
                                        block scales (of 8 x 8, so that there are several), BF16 and F32; its streams of the
                                        same inputs, of the sliding ones the first 8 tokens
  f8.safetensors, f8_values.npy         every E4M3 code and every E8M0 code, and a [5, 7] tensor under [2, 3] blocks; torch's values
"""
import json
import pathlib

import numpy
import torch
from safetensors.torch import save_file
from transformers import DeepseekV4Config, DeepseekV4ForCausalLM, DynamicCache

OUT = pathlib.Path(__file__).parents[1] / "tests" / "model" / "streams"
TOKENS, BLOCK = 2 * 128 + 7, 8
KINDS = {"sliding_attention": 0, "compressed_sparse_attention": 4, "heavily_compressed_attention": 128}
YARN = {"factor": 16, "original_max_position_embeddings": 64, "beta_fast": 32, "beta_slow": 1}
# transformers' name of a tensor of a layer's attention: the published checkpoint's
NAMES = {"kv_proj.weight": "attn.wkv.weight", "kv_norm.weight": "attn.kv_norm.weight"}
for inner, published in (("compressor", "compressor"), ("compressor.indexer", "indexer.compressor")):
    NAMES |= {f"{inner}.kv_proj.weight": f"attn.{published}.wkv.weight", f"{inner}.gate_proj.weight": f"attn.{published}.wgate.weight",
              f"{inner}.position_bias": f"attn.{published}.ape", f"{inner}.kv_norm.weight": f"attn.{published}.norm.weight"}


def random_model():
    config = DeepseekV4Config(
        vocab_size=48, hidden_size=24, moe_intermediate_size=8, num_hidden_layers=3, num_attention_heads=2, head_dim=16, q_lora_rank=8,
        n_routed_experts=2, num_experts_per_tok=1, layer_types=list(KINDS), mlp_layer_types=["hash_moe", "moe", "moe"],
        partial_rotary_factor=0.5, sliding_window=32, o_groups=2, o_lora_rank=4, index_n_heads=2, index_head_dim=8, index_topk=4, hc_mult=2,
        max_position_embeddings=1024, rope_parameters={"rope_type": "yarn"} | YARN)
    model = DeepseekV4ForCausalLM(config).eval()
    generator = torch.Generator().manual_seed(20)
    with torch.no_grad():  # weights that matter: norms that are not 1, biases that are not 0
        for name, weight in model.named_parameters():
            noise = torch.randn(weight.shape, generator=generator)
            if "norm" in name:
                weight.copy_(1 + 0.3 * noise)
            else:
                weight.copy_(noise * (0.5 if weight.dim() < 2 or "position_bias" in name else weight.shape[-1] ** -0.5))
    return model


def attention_inputs(model):
    """What the attention of each layer is given in a forward of the whole model, without padding; and what it then has in its cache."""
    inputs = []
    hooks = [layer.self_attn.register_forward_pre_hook(lambda _, args, named: inputs.append(named["hidden_states"] if not args else args[0]),
                                                       with_kwargs=True) for layer in model.model.layers]
    cache = model(torch.randint(0, 48, (1, TOKENS), generator=torch.Generator().manual_seed(21)), use_cache=True).cache
    for hook in hooks:
        hook.remove()
    return inputs, cache


def streams_of(model, inputs):
    """What each attention adds to its cache, given its inputs alone."""
    rotary, positions = model.model.rotary_emb, torch.arange(TOKENS)[None]
    tables = {kind: rotary(inputs[0], position_ids=positions, layer_type=kind) for kind in ("main", "compress")}
    found = {"sliding": [], "csa": [], "indexer": [], "hca": []}
    cache = Everything(config=model.config)
    for layer, given in zip(model.model.layers, inputs):
        layer.self_attn(given, position_embeddings=tables, position_ids=positions, attention_mask=None, cache=cache)
    for latents, entry in zip(cache.latents, cache.layers):
        found["sliding"].append(latents[0, 0])
        if hasattr(entry, "compressed_kv"):
            found["csa" if "indexer" in entry.compressed_kv else "hca"].append(entry.compressed_kv["compressor"][0])
            if "indexer" in entry.compressed_kv:
                found["indexer"].append(entry.compressed_kv["indexer"][0])
    return {name: torch.stack(parts) for name, parts in found.items()}, cache


class Everything(DynamicCache):
    """The model's own cache, which keeps the last window of the latents alone; here all that went into it."""

    def __init__(self, **named):
        super().__init__(**named)
        self.latents = []

    def update(self, keys, values, *others, **named):
        self.latents.append(keys)
        return super().update(keys, values, *others, **named)


def check(cache, forward):
    """Whether attention alone has in its cache what it has in the forward of the whole model."""
    for ours, theirs in zip(cache.layers, forward.layers, strict=True):
        torch.testing.assert_close(ours.keys, theirs.keys, rtol=0, atol=0)
        for name, values in getattr(theirs, "compressed_kv", {}).items():
            torch.testing.assert_close(ours.compressed_kv[name], values, rtol=0, atol=0)


def tensors_of(model):
    """Of each layer, by the published checkpoint's names."""
    state = model.state_dict()
    return {f"layers.{layer}.{published}": state[f"model.layers.{layer}.self_attn.{ours}"] for layer in range(3)
            for ours, published in NAMES.items() if f"model.layers.{layer}.self_attn.{ours}" in state}


def spread(scale, shape, block):
    """One factor a value, from one a block."""
    return scale.float().repeat_interleave(block[0], 0).repeat_interleave(block[1], 1)[:shape[0], :shape[1]]


def quantise(weight, block):
    """E4M3 codes and E8M0 scales, powers of two that let nothing saturate."""
    rows, columns = (-(-n // b) for n, b in zip(weight.shape, block))
    padded = torch.nn.functional.pad(weight, (0, columns * block[1] - weight.shape[1], 0, rows * block[0] - weight.shape[0]))
    largest = padded.view(rows, block[0], columns, block[1]).abs().amax((1, 3))
    scale = torch.exp2(torch.ceil(torch.log2(largest / 448))).to(torch.float8_e8m0fnu)
    return (weight / spread(scale, weight.shape, block)).to(torch.float8_e4m3fn), scale


def write(folder, streams):
    for name, values in streams.items():
        numpy.save(folder / f"{name}.npy", values.numpy())


def published(model, folder):
    """The same model as its publisher would store it. `model` is given the values that this rounds to."""
    stored, state = {}, model.state_dict()
    ours = {published: name for name, published in NAMES.items()}
    for name, weight in tensors_of(model).items():
        layer, tensor = name.split(".", 2)[1:]
        if tensor == "attn.wkv.weight":
            stored[name], stored[name.replace("weight", "scale")] = codes, scale = quantise(weight, (BLOCK, BLOCK))
            value = codes.float() * spread(scale, codes.shape, (BLOCK, BLOCK))
        else:
            stored[name] = weight.to(torch.bfloat16) if weight.dim() == 2 and "ape" not in tensor else weight.clone()
            value = stored[name].float()
        state[f"model.layers.{layer}.self_attn.{ours[tensor]}"].copy_(value)
    save_file(stored, folder / "model.safetensors")
    config = {"model_type": "deepseek_v4", "hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 2, "num_key_value_heads": 1,
              "head_dim": 16, "qk_rope_head_dim": 8, "sliding_window": 32, "index_head_dim": 8, "rms_norm_eps": 1e-6, "rope_theta": 10000,
              "compress_rope_theta": 160000, "compress_ratios": [0, 4, 128, 0], "rope_scaling": {"type": "yarn"} | YARN,
              "quantization_config": {"quant_method": "fp8", "fmt": "e4m3", "scale_fmt": "ue8m0", "weight_block_size": [BLOCK, BLOCK]}}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")


def every_code(path):
    codes = torch.arange(256, dtype=torch.uint8)
    generator = torch.Generator().manual_seed(22)
    blocks = torch.randint(0, 126, (5, 7), generator=generator, dtype=torch.uint8).view(torch.float8_e4m3fn)
    scale = torch.randint(120, 135, (3, 3), generator=generator, dtype=torch.uint8).view(torch.float8_e8m0fnu)
    save_file({"e4m3": codes.view(torch.float8_e4m3fn), "e8m0": codes.clone().view(torch.float8_e8m0fnu), "blocks": blocks, "scale": scale}, path)
    numpy.save(path.parent / "f8_values.npy", torch.cat([codes.view(torch.float8_e4m3fn).float(), codes.view(torch.float8_e8m0fnu).float(),
                                                         (blocks.float() * spread(scale, (5, 7), (2, 3))).flatten()]).numpy())


@torch.no_grad()
def main():
    torch.set_num_threads(1)
    tiny, fp8 = OUT / "tiny", OUT / "tiny" / "fp8"
    fp8.mkdir(parents=True, exist_ok=True)
    model = random_model()
    inputs, forward = attention_inputs(model)
    streams, cache = streams_of(model, inputs)
    check(cache, forward)
    numpy.save(tiny / "hidden.npy", torch.stack(inputs, 1).numpy())
    write(tiny, streams)
    save_file({f"model.{name}": weight.clone() for name, weight in tensors_of(model).items()}, tiny / "model.safetensors")
    (tiny / "config.json").write_text(model.config.to_json_string())
    published(model, fp8)
    streams, _ = streams_of(model, inputs)
    write(fp8, streams | {"sliding": streams["sliding"][:, :BLOCK].clone()})
    every_code(OUT / "f8.safetensors")


if __name__ == "__main__":
    main()
