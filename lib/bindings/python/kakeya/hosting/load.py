# SPDX-License-Identifier: Apache-2.0
"""Models and tokenizers by name: folders, GGUF files, short names, hub ids."""

from __future__ import annotations

import os
import typing

import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, GenerationConfig

import kakeya
from kakeya.hosting.facts import dtype_of

# What scripts/fetch_model.sh fetches: short name, folder, file of the weights (empty: the folder is the model).
_SHORT_NAMES = {
    "nano": ("data/models", ""),
    "nano-bias": ("data/models", ""),
    "smollm2-135m": ("models", "SmolLM2-135M-Instruct.Q4_1.gguf"),
    "gemma3-270m": ("models", "gemma-3-270m-q4_k_m.gguf"),
}


def locate(name: str) -> str:
    """The folder or .gguf file that a name stands for: itself where there is such a path; a short name of kakeya's programs
    below $KAKEYA_MODELS or the current folder; else the local snapshot of a hub id, fetched where transformers would.
    Raises kakeya.IoError saying what was looked for."""
    if os.path.exists(name):
        return name
    if name in _SHORT_NAMES:
        folder, weights = _SHORT_NAMES[name]
        places = [os.path.join(os.environ["KAKEYA_MODELS"], name)] if "KAKEYA_MODELS" in os.environ else []
        places.append(os.path.join(os.getcwd(), folder, name))
        for place in places:
            if os.path.exists(os.path.join(place, weights)):
                return os.path.join(place, weights) if weights else place
        raise kakeya.IoError(f"{name}: not fetched yet (scripts/fetch_model.sh {name}): nothing in {', '.join(places)}")
    if name.count("/") > 1 or name.startswith((".", "/", "~")):
        raise kakeya.IoError(f"{name}: no such folder or file")
    from huggingface_hub import snapshot_download

    try:
        small = ["*.json", "*.model", "*.txt", "*.jinja"]
        folder = snapshot_download(name, allow_patterns=[*small, "*.safetensors"])
        if not any(file.endswith(".safetensors") for file in os.listdir(folder)):
            folder = snapshot_download(name, allow_patterns=[*small, "pytorch_model*.bin"])
        return folder
    except Exception as error:
        raise kakeya.IoError(f"{name}: no folder, no file, and no model of the hub that can be had: {_line(error)}") from error


def load_model(path: str, device: str, dtype: str, threads: int) -> torch.nn.Module:
    """A causal model in eval(), of a folder or .gguf file (whose weights transformers dequantises). Raises kakeya.IoError
    or kakeya.InputError with transformers' own words."""
    kind = dtype_of(dtype)
    if threads > 0:
        torch.set_num_threads(threads)
    place = torch_device(device)
    try:
        model = AutoModelForCausalLM.from_pretrained(*_where(path)[0], **_where(path)[1], dtype=kind, attn_implementation="eager")
    except OSError as error:
        raise kakeya.IoError(f"{path}: {_line(error)}") from error
    except (ValueError, KeyError, ImportError) as error:
        raise kakeya.InputError(f"{path}: {_line(error)}") from error
    return model.to(place).eval()


def load_tokenizer(path: str) -> typing.Any:
    """The tokenizer of the same. Raises as load_model()."""
    try:
        arguments, named = _where(path)
        return AutoTokenizer.from_pretrained(*arguments, **named)
    except OSError as error:
        raise kakeya.IoError(f"{path}: {_line(error)}") from error
    except (ValueError, KeyError, ImportError) as error:
        raise kakeya.InputError(f"{path}: {_line(error)}") from error


def ends_of(*configs: typing.Any) -> typing.List[int]:
    """Tokens that end a text: of the first of these configurations that names any, ascending."""
    for config in configs:
        found = getattr(config, "eos_token_id", None)
        if found is not None:
            return sorted(found) if isinstance(found, (list, tuple)) else [int(found)]
    return []


def ends_at(path: str) -> typing.List[int]:
    """The same of a folder; of a .gguf file none."""
    found = []
    for kind in (GenerationConfig, AutoConfig):
        try:
            found.append(kind.from_pretrained(path))
        except (OSError, ValueError, KeyError):  # it has none, or is no folder
            pass
    return ends_of(*found)


def torch_device(name: str) -> torch.device:
    """Raises kakeya.InputError where there is no such device."""
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
        return device
    except (RuntimeError, AssertionError) as error:
        raise kakeya.InputError(f"device '{name}': {_line(error)}: expected cpu, cuda or cuda:N, one that is there") from None


def _where(path: str) -> typing.Tuple[tuple, dict]:
    if os.path.isdir(path):
        return (path,), {}
    folder, file = os.path.split(os.path.abspath(path))
    return (folder,), {"gguf_file": file}


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]
