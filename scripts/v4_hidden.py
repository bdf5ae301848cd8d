#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hidden states for kakeya-capture of a DeepSeek-V4 whose own forward is out of reach: those of another model on real text, made as wide.

usage: v4_hidden.py --model FOLDER_OR_GGUF --text FILE [--passages 8] [--tokens 2048] [--width 4096] [--seed 1] --out hidden.npy

What the attention of the middle layer is given (behind its input norm), passages one after another and none padded, times a
normal matrix of variance 1 / hidden, divided by the root mean square of each token, as an input norm does: float16 [passages,
tokens, width]. Its directions are no more than the other model has: say so beside any number. Needs torch, transformers 4.46 or
newer, and gguf for .gguf files.
"""
import argparse
import pathlib
import sys

import numpy
import torch
import transformers
from transformers import AutoModelForCausalLM, AutoTokenizer


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--text", type=pathlib.Path, required=True)
    parser.add_argument("--passages", type=int, default=8)
    parser.add_argument("--tokens", type=int, default=2048)
    parser.add_argument("--width", type=int, default=4096)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    asked = parser.parse_args()
    where = {"gguf_file": asked.model.name} if asked.model.suffix == ".gguf" else {}
    folder = asked.model.parent if where else asked.model
    tokenizer = AutoTokenizer.from_pretrained(folder, **where)
    dtype = "torch_dtype" if int(transformers.__version__.split(".")[0]) < 5 else "dtype"
    model = AutoModelForCausalLM.from_pretrained(folder, **{dtype: torch.float32}, **where).eval()
    ids = tokenizer(asked.text.read_text(encoding="utf-8"), add_special_tokens=False).input_ids
    if len(ids) < asked.passages * asked.tokens:
        sys.exit(f"v4_hidden: {asked.text} has {len(ids)} tokens, expected {asked.passages} passages of {asked.tokens}")
    given = []
    layer = model.model.layers[len(model.model.layers) // 2]
    layer.input_layernorm.register_forward_hook(lambda _, __, normed: given.append(normed[0]))
    matrix = torch.randn(model.config.hidden_size, asked.width, generator=torch.Generator().manual_seed(asked.seed))
    matrix *= model.config.hidden_size ** -0.5
    out = numpy.empty((asked.passages, asked.tokens, asked.width), numpy.float16)
    with torch.no_grad():
        for passage in range(asked.passages):
            given.clear()
            model.model(torch.tensor([ids[passage * asked.tokens:(passage + 1) * asked.tokens]]))
            wide = given[0] @ matrix
            out[passage] = (wide * wide.square().mean(-1, keepdim=True).rsqrt()).numpy()
    numpy.save(asked.out, out)
    print(f"{asked.out}: {asked.passages} passages of {asked.tokens} tokens, {asked.width} values each; layer "
          f"{len(model.model.layers) // 2} of {len(model.model.layers)} of {asked.model.name}")


if __name__ == "__main__":
    main()
