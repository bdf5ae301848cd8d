# SPDX-License-Identifier: Apache-2.0
"""Left padding of the rows of a batch."""

from __future__ import annotations

import torch

import kakeya


def left_padding(attention_mask: torch.Tensor) -> torch.Tensor:
    """Padded tokens that stand left in each row, int64 [batch], of a mask [batch, tokens] of 0 and 1. Raises kakeya.InputError
    on another shape, on other values, and on a 0 behind a 1: padding on the right, or a gap."""
    if attention_mask.dim() != 2:
        raise kakeya.InputError(f"an attention mask of shape {list(attention_mask.shape)}: expected [batch, tokens]")
    mask = attention_mask.detach().cpu()
    if not bool(((mask == 0) | (mask == 1)).all()):
        raise kakeya.InputError("an attention mask with values other than 0 and 1: expected 1 where there is a token")
    mask = mask.long()
    gaps = (mask.cummax(dim=1).values != mask) if mask.shape[1] else mask.bool()
    if bool(gaps.any()):
        row, token = gaps.nonzero()[0].tolist()
        raise kakeya.InputError(
            f"row {row} of the attention mask has a 0 at token {token}, behind a 1: expected padding on the left alone "
            "(tokenizer.padding_side = 'left')"
        )
    return mask.shape[1] - mask.sum(dim=1)


def padding_of_batch(padding: torch.Tensor, batch: int) -> torch.Tensor:
    """The same of a batch that generate() made of these rows: each of them, one behind another, as often as it has beams or
    sequences to return. Raises kakeya.InputError where the batch is no multiple."""
    if len(padding) == batch:
        return padding
    if len(padding) == 0 or batch % len(padding):
        raise kakeya.InputError(f"a batch of {batch} rows, padding of {len(padding)}: expected a row of the attention mask for each")
    return padding.repeat_interleave(batch // len(padding))
