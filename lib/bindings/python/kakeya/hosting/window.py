# SPDX-License-Identifier: Apache-2.0
"""Attention in blocks of queries, over one version of keys and values or over two."""

from __future__ import annotations

import typing

import torch

import kakeya
from kakeya.hosting.forward import AttentionCall

_SCORES = 1 << 27  # at once over all heads: above, queries are taken in blocks


def visible(mask: torch.Tensor) -> torch.Tensor:
    """Which keys a mask that is added to scores lets be seen."""
    return mask > torch.finfo(mask.dtype).min / 2


def check(call: AttentionCall, layer: int, window: int) -> None:
    """Raises kakeya.InputError unless the last query sees all keys, or the last `window` where it is not 0."""
    keys = call.key.shape[2]
    expected = min(keys, window or keys)
    if call.mask is None:
        return
    seen = int(visible(call.mask[0, 0, -1]).sum())
    if seen != expected:
        raise kakeya.InputError(f"layer {layer}: its mask shows {seen} of {keys} keys, expected {expected} by its configuration")


def attend(call: AttentionCall) -> typing.Tuple[torch.Tensor, None]:
    """The module's own attention; of many tokens in blocks of queries, which see no later keys."""
    tokens, keys = call.query.shape[2], call.key.shape[2]
    rows = _rows(call, keys)
    if rows >= tokens or call.mask is None:
        return call.run(call.query, call.key, call.value, call.mask)
    parts = []
    for first in range(0, tokens, rows):
        last = min(first + rows, tokens)
        seen = keys - tokens + last
        mask = call.mask[:, :, first:last, :seen]
        parts.append(call.run(call.query[:, :, first:last], call.key[:, :, :seen], call.value[:, :, :seen], mask)[0])
    return torch.cat(parts, dim=1), None


def attend_two(call: AttentionCall, exact_key: torch.Tensor, exact_value: torch.Tensor, window: int):
    """A query sees its last `window` tokens, its own included, in the exact version, older ones as in the call.

    Tokens are those of the sequence from its start. Keys of both versions stand one behind the other, and the mask hides
    of each what is seen in the other; so soft caps, sinks and scales stay those of the module.
    """
    tokens = call.query.shape[2]
    rows = min(_rows(call, tokens + window), max(256, window))
    hidden = torch.finfo(call.mask.dtype).min
    places = torch.arange(tokens, device=call.query.device)
    parts = []
    for first in range(0, tokens, rows):
        last = min(first + rows, tokens)
        coded, begin = max(0, last - window), max(0, first + 1 - window)  # keys [0, coded) as coded, [begin, last) exact
        age = places[first:last, None] - places[None, :last]
        mask = call.mask[:, :, first:last]
        masks = (torch.where(age[:, :coded] >= window, mask[..., :coded], hidden),
                 torch.where(age[:, begin:] < window, mask[..., begin:last], hidden))
        key = torch.cat((call.key[:, :, :coded], exact_key[:, :, begin:last]), dim=2)
        value = torch.cat((call.value[:, :, :coded], exact_value[:, :, begin:last]), dim=2)
        parts.append(call.run(call.query[:, :, first:last], key, value, torch.cat(masks, dim=-1))[0])
    return torch.cat(parts, dim=1), None


def _rows(call: AttentionCall, keys: int) -> int:
    return max(16, _SCORES // (call.query.shape[1] * keys))
