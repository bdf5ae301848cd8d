#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/golden/nano_nll.json and nano_tokens.json with Hugging Face's transformers and tokenizers (float32, CPU):
what our own model and tokenizer are compared with. Needs torch, transformers, tokenizers."""

import hashlib
import json
import pathlib

import tokenizers
import torch
from transformers import AutoModelForCausalLM

ROOT = pathlib.Path(__file__).parents[1]
MODEL = ROOT / "data" / "models" / "nano"
TEXT, TOKENS = "01-tides.txt", 600
STRINGS = [
    "", " ", "Hello world", "The tide rises and falls.",
    "Call me Ishmael. Some years ago\u2014never mind how long precisely\u2014",
    "It's the whale's; they're we've I'll don't DON'T", "1789, 3.14159 and 12,345,678",
    "two  spaces   three    four\ttab", "line one\nline two\r\n\r\n  indented\n\n", "trailing spaces   ", "\n\n\n   \n",
    "na\u00efve caf\u00e9 \u00fcber stra\u00dfe \u00c5ngstr\u00f6m", "cafe\u0301 (decomposed)",
    "\u6771\u4eac \u0438 \u041c\u043e\u0441\u043a\u0432\u0430 \u03b1\u03b2\u03b3 \u05e9\u05dc\u05d5\u05dd"
    " \u0645\u0631\u062d\u0628\u0627",
    "\U0001f433\U0001f30a emoji \U0001f469\u200d\U0001f680 family", "a<|endoftext|>b <|endoftext|>",
    "<|endof text|> is not special", "!!! ??? ... ---- ==> #$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "  \u00a0non-breaking\u2003em space\u3000wide",
    "\u0663\u0664\u0665 \u00bd \u2163 x\u00b2 UPPERCASE CamelCaseWord snake_case_name http://example.org/?q=1&r=2",
    "\x00\x01control\x7f and \ufeffbom",
]


def main():
    tokenizer = tokenizers.Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    cases = [{"text": s, "ids": tokenizer.encode(s).ids} for s in STRINGS]
    lines = ",\n".join(json.dumps(c) for c in cases)
    (ROOT / "tests/golden/nano_tokens.json").write_text(f"[\n{lines}\n]\n")

    model = AutoModelForCausalLM.from_pretrained(MODEL, dtype=torch.float32, attn_implementation="eager").eval()
    ids = tokenizer.encode((ROOT / "data/text" / TEXT).read_text(encoding="utf-8")).ids[:TOKENS]
    with torch.no_grad():
        likelihood = model(torch.tensor([ids])).logits[0, :-1].double().log_softmax(-1)
    nll = (-likelihood.gather(1, torch.tensor(ids[1:])[:, None])[:, 0]).tolist()
    digest = hashlib.sha256((MODEL / "model.safetensors").read_bytes()).hexdigest()
    (ROOT / "tests/golden/nano_nll.json").write_text(json.dumps({
        "model": f"data/models/nano/model.safetensors sha256 {digest}",
        "unit": "nats; nll[i] is for token i+1 given tokens 0..i",
        "made_with": "transformers, float32, bf16 weights widened, CPU, eager maths",
        "sequences": [{"source": f"data/text/{TEXT}, first {TOKENS} tokens", "tokens": ids,
                       "nll": [round(x, 7) for x in nll], "mean": sum(nll) / len(nll)}]}) + "\n")


if __name__ == "__main__":
    main()
