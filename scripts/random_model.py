#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a Hugging Face folder of a Llama's shape with random weights: for memory and speed, never for quality. Its name says so.

usage: random_model.py CONFIG TOKENIZER OUT [--dtype bf16] [--layers N]

  CONFIG     a config.json, as those of data/configs
  TOKENIZER  a folder with a tokenizer.json of at most as many ids, or a .gguf with one (then give it to the programs as --tokenizer)
  OUT        the folder, OUT/random-NAME of CONFIG's name; 16 GB of an 8B in bf16

Normal weights of deviation .02, norms of 1. The same numbers every time on the same device; needs PyTorch, and is quick where it has a GPU.
"""
import argparse
import json
import pathlib
import shutil

import torch
from safetensors.torch import save_file

KIND = {"bf16": torch.bfloat16, "fp32": torch.float32}


def tensors_of(config, layers):
    """Names and shapes, in the order of the layers."""
    hidden, ffn, heads = config["hidden_size"], config["intermediate_size"], config["num_attention_heads"]
    dim = config.get("head_dim") or hidden // heads
    keys = config.get("num_key_value_heads", heads)
    yield "", {"model.embed_tokens.weight": (config["vocab_size"], hidden)}
    for layer in range(layers):
        name = f"model.layers.{layer}."
        yield name, {name + key: shape for key, shape in {
            "input_layernorm.weight": (hidden,), "post_attention_layernorm.weight": (hidden,),
            "self_attn.q_proj.weight": (heads * dim, hidden), "self_attn.k_proj.weight": (keys * dim, hidden),
            "self_attn.v_proj.weight": (keys * dim, hidden), "self_attn.o_proj.weight": (hidden, heads * dim),
            "mlp.gate_proj.weight": (ffn, hidden), "mlp.up_proj.weight": (ffn, hidden), "mlp.down_proj.weight": (hidden, ffn)}.items()}
    last = {"model.norm.weight": (hidden,)}
    if not config.get("tie_word_embeddings"):
        last["lm_head.weight"] = (config["vocab_size"], hidden)
    yield "end", last


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("config", "tokenizer", "out"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--dtype", choices=sorted(KIND), default="bf16")
    parser.add_argument("--layers", type=int, help="fewer than the configuration has")
    asked = parser.parse_args()
    config = json.loads(asked.config.read_text())
    if config.get("model_type") != "llama":
        parser.error(f"{asked.config}: model_type {config.get('model_type')}: expected llama")
    layers = asked.layers or config["num_hidden_layers"]
    config = {"rms_norm_eps": 1e-5, "rope_theta": 500000.0, "hidden_act": "silu", **config, "num_hidden_layers": layers,
              "architectures": ["LlamaForCausalLM"]}
    folder = asked.out / f"random-{asked.config.stem}"
    folder.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    draw = torch.Generator(device).manual_seed(1)
    places, total = {}, 0
    for number, (_, shapes) in enumerate(tensors_of(config, layers)):
        file = f"model-{number:03}.safetensors"
        made = {}
        for name, shape in shapes.items():
            one = len(shape) == 1
            weight = torch.ones(shape, device=device) if one else torch.randn(shape, device=device, generator=draw) * 0.02
            made[name] = weight.to(KIND[asked.dtype]).cpu()
            places[name] = file
            total += made[name].nbytes
        save_file(made, folder / file)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {"total_size": total}, "weight_map": places}))
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    if asked.tokenizer.is_dir():
        for path in asked.tokenizer.glob("tokenizer*.json"):
            shutil.copy(path, folder)
    print(f"{folder}: {total} bytes of random weights, {layers} layers")


if __name__ == "__main__":
    main()
