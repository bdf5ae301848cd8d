# SPDX-License-Identifier: Apache-2.0
"""Digests, as kakeya's programs take them: provenance of a folder is the same whoever reads it."""

from __future__ import annotations

import hashlib
import json
import os
import typing

import kakeya


def sha256_path(path: str) -> str:
    """SHA-256 of a file's bytes, 64 hex digits; of a folder, over the lines "name digest" of its files in the order of
    their names (subfolders left out). Raises kakeya.IoError naming the path."""
    try:
        if not os.path.isdir(path):
            return _of_file(path)
        names = sorted((os.fsencode(entry.name) for entry in os.scandir(path) if entry.is_file()))
        lines = hashlib.sha256()
        for name in names:
            digest = _of_file(os.path.join(os.fsencode(path), name))
            lines.update(name + b" " + digest.encode() + b"\n")
        return lines.hexdigest()
    except OSError as error:
        raise kakeya.IoError(f"{error.filename or path}: {error.strerror}") from None


def sha256_model(model: typing.Any) -> str:
    """SHA-256 of a model that is in memory: of its configuration and of every tensor of its state dict in the order of
    their names, a line "name dtype shape" and its bytes each. What a file says of where it came from is left out."""
    import torch

    digest = hashlib.sha256()
    settings = {key: value for key, value in model.config.to_dict().items() if key[0] != "_" and key not in ("transformers_version", "dtype")}
    digest.update(json.dumps(settings, sort_keys=True, default=str).encode() + b"\n")
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name} {str(tensor.dtype).split('.')[-1]} {list(tensor.shape)}\n".encode())
        data = tensor.detach().cpu().contiguous().reshape(-1)
        digest.update(memoryview(data.view(torch.uint8).numpy()) if data.numel() else b"")
    return digest.hexdigest()


def last_part(path: str) -> str:
    """The last part of a path, of "." the folder's own name."""
    return os.path.basename(os.path.normpath(os.path.abspath(path)))


def _of_file(path: typing.Union[str, bytes]) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
