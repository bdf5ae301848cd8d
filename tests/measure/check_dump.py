#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the dump that capture_test.cpp writes (fake model, 2 passages, tap post-rope, with queries) with h5py alone.

usage: check_dump.py DUMP STORAGE
"""
import json
import sys

import h5py
import numpy as np

PARTS = {"k": (0, 2), "v": (1, 2), "q": (2, 6)}  # number of the part, heads


def expected(tokens, layer, part, heads):
    turned = 0 if part == 1 else 17
    token, head, dim = np.meshgrid(tokens, np.arange(heads), np.arange(4), indexing="ij")
    mixed = token * 3 + layer * 31 + part * 7 + head * 5 + dim + turned
    return (mixed % 61 - 30) / 8


def main(path, storage):
    shown_as = {"fp16": np.float16, "bf16": np.float32, "fp32": np.float32}[storage]
    with h5py.File(path, "r") as dump:
        attributes = dict(dump.attrs)
        texts = {"format": "kakeya-kv-dump", "axes": "tokens, heads, dim", "model_name": "fake", "architecture": "llama",
                 "tap": "post-rope", "storage": storage, "rope_layout": "rotate-half", "text_name": "t\u00e9xt",
                 "model_sha256": "", "text_sha256": "", "tokenizer": "", "tokenizer_sha256": "", "attention_window_layers": "0,1"}
        for name, text in texts.items():
            assert attributes.pop(name).decode() == text, name
        numbers = {"schema": 1, "layers": 3, "kv_heads": 2, "query_heads": 6, "head_dim": 4, "passages": 2, "tokens": 9,
                   "rope_base": 10000.0, "seed": 0, "queries": 1, "attention_scale": 0.25, "attention_window": 4}
        for name, number in numbers.items():
            assert attributes.pop(name) == number, name
        provenance = json.loads(attributes.pop("provenance"))
        assert provenance["command"] == ["capture_test"] and provenance["threads"] == 1
        assert not attributes, f"attributes that nobody told of: {list(attributes)}"
        assert sorted(dump["passages"]) == ["0", "1"]
        for p in range(2):
            passage = dump[f"passages/{p}"]
            assert passage.attrs["origin"].decode() == f"passage {p}"
            tokens = passage["tokens"][:]
            assert tokens.dtype == np.int32 and tokens.tolist() == [p * 50 + i * i for i in range(9)]
            assert sorted(passage["layers"]) == ["0", "1", "2"]
            for layer in range(3):
                assert sorted(passage[f"layers/{layer}"]) == ["k", "q", "v"]
                for part, (number, heads) in PARTS.items():
                    data = passage[f"layers/{layer}/{part}"]
                    assert data.shape == (9, heads, 4), data.shape
                    assert data.dtype == shown_as, data.dtype
                    assert data.chunks is not None and data.compression == "gzip" and data.shuffle and data.fletcher32
                    assert data.id.get_type().get_size() == (4 if storage == "fp32" else 2)
                    assert np.array_equal(data[:], expected(tokens, layer, number, heads)), (p, layer, part)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
