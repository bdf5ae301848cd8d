# SPDX-License-Identifier: Apache-2.0
"""What a program must know of a model: from its configuration, its weights and where it was loaded from."""

from __future__ import annotations

import collections
import json
import os
import struct
import typing

import torch

import kakeya
from kakeya.hosting.digest import last_part

# Names of safetensors, which kakeya's own loader writes too.
_TYPES = {torch.float32: "F32", torch.bfloat16: "BF16", torch.float16: "F16", torch.float64: "F64", torch.int8: "I8", torch.uint8: "U8",
          torch.int32: "I32", torch.int64: "I64", torch.bool: "BOOL"}


def weight_types(path: typing.Optional[str], model: torch.nn.Module) -> str:
    """"BF16 x 272, F32 x 1": types of the tensors, most frequent first; of a folder those of its safetensors, of a .gguf
    file its own, else (`path` None, or other files) those of the parameters in memory."""
    types: typing.List[str] = []
    if path is not None and os.path.isdir(path):
        for name in sorted(os.listdir(path)):
            if name.endswith(".safetensors"):
                types += _of_safetensors(os.path.join(path, name))
    elif path is not None:
        types = _of_gguf(path)
    if not types:
        types = [_TYPES.get(one.dtype, str(one.dtype).split(".")[-1]) for one in model.parameters()]
    counts = sorted(collections.Counter(types).items())
    return ", ".join(f"{kind} x {count}" for kind, count in sorted(counts, key=lambda one: -one[1]))


def _of_safetensors(path: str) -> typing.List[str]:
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
    return [about["dtype"] for name, about in header.items() if name != "__metadata__"]


def _of_gguf(path: str) -> typing.List[str]:
    from gguf import GGUFReader  # which transformers needs to load the file

    return [tensor.tensor_type.name for tensor in GGUFReader(path).tensors]


def model_name(path: str) -> str:
    """The last part of a path or hub id, without the ending of a file."""
    name = last_part(path) if os.path.exists(path) else path.rstrip("/").split("/")[-1]
    return os.path.splitext(name)[0] if os.path.isfile(path) else name


def context_of(config: typing.Any) -> int:
    """The longest sequence in tokens; of a model that names none (ALiBi, say) 2^20."""
    return int(getattr(config, "max_position_embeddings", None) or 1 << 20)


def rope_base(config: typing.Any) -> float:
    """rope_theta of layers without a window; 0 where there is none."""
    parameters = getattr(config, "rope_parameters", None) or {}
    if isinstance(parameters.get("full_attention"), dict):
        parameters = parameters["full_attention"]
    return float(parameters.get("rope_theta") or getattr(config, "rope_theta", None) or 0)


def dtype_of(name: str) -> torch.dtype:
    """Raises kakeya.SpecError on another name than fp32 and bf16."""
    known = {"fp32": torch.float32, "bf16": torch.bfloat16}
    if name not in known:
        raise kakeya.SpecError(f"dtype '{name}': expected fp32 or bf16")
    return known[name]
