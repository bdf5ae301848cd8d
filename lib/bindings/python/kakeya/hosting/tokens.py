# SPDX-License-Identifier: Apache-2.0
"""A transformers tokenizer as kakeya's programs see one."""

from __future__ import annotations

import hashlib
import json
import os
import typing

import numpy

import kakeya
from kakeya.hosting.digest import sha256_path


class HostedTokenizer:
    """Ids of texts and back, as the tokenizer itself does. Bytes that are not UTF-8 become U+FFFD, one each.

    path: of the model that it was loaded with, a folder or a .gguf file; None: it is in memory alone. ends: tokens that end
    a text; where there are none, the tokenizer's own.
    """

    def __init__(self, tokenizer: typing.Any, name: str, path: typing.Optional[str] = None, ends: typing.Sequence[int] = ()):
        self._tokenizer, self._name = tokenizer, name
        own = getattr(tokenizer, "eos_token_id", None)
        self._ends = list(ends) or ([own] if isinstance(own, int) else [])
        self._special = [token for token in dict.fromkeys(self._special_tokens()) if token]
        self._sha256 = self._digest(path)

    def about(self) -> dict:
        """vocab: the largest id, and one. sha256: of tokenizer.json of a folder, of a .gguf file, else of what the tokenizer
        writes of itself (tokenizer.json's text, or its vocabulary)."""
        ids = self._tokenizer.get_vocab().values()
        kind = type(self._tokenizer).__name__
        return {"vocab": max(ids) + 1, "describe": f"{kind} of transformers, {len(self._tokenizer)} tokens", "sha256": self._sha256,
                "name": self._name, "ends": self._ends}

    def encode(self, text: bytes, special: bool) -> numpy.ndarray:
        """int32 ids; special: with what the tokenizer puts around a text."""
        ids = self._tokenizer.encode(text.decode("utf-8", "replace"), add_special_tokens=special, verbose=False)
        return numpy.asarray(ids, "int32")

    def decode(self, ids: numpy.ndarray) -> bytes:
        """UTF-8, special tokens left out. Raises kakeya.InputError naming an id that is none."""
        highest = self.about()["vocab"]
        for number in ids.tolist():
            if not 0 <= number < highest:
                raise kakeya.InputError(f"token id {number}: expected 0 to {highest - 1}")
        return self._tokenizer.decode(ids.tolist(), skip_special_tokens=True, clean_up_tokenization_spaces=False).encode()

    def special_in(self, text: bytes) -> typing.Optional[str]:
        """The first special token that a text has written out, the longest of those there."""
        words = text.decode("utf-8", "replace")
        found = [(place, -len(token), token) for token in self._special if (place := words.find(token)) >= 0]
        return min(found)[2] if found else None

    def _special_tokens(self) -> typing.List[str]:
        added = getattr(self._tokenizer, "added_tokens_decoder", {}).values()
        return [str(token) for token in added if getattr(token, "special", False)] + list(self._tokenizer.all_special_tokens)

    def _digest(self, path: typing.Optional[str]) -> str:
        if path is not None:
            own = os.path.join(path, "tokenizer.json")
            return sha256_path(own if os.path.exists(own) else path)
        backend = getattr(self._tokenizer, "backend_tokenizer", None)
        text = backend.to_str() if backend is not None else json.dumps(self._tokenizer.get_vocab(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()
