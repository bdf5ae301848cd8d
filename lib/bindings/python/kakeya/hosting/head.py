# SPDX-License-Identifier: Apache-2.0
"""Logits in float32 of a model in another dtype: bf16 would round them to 8 bits, which a divergence sees."""

from __future__ import annotations

import contextlib

import torch

_ROWS = 16384  # of the vocabulary at once in float32


@contextlib.contextmanager
def float32_logits(model: torch.nn.Module):
    """Makes the product of the output matrix, where it is a Linear, in float32; what follows (soft caps, scales) too. A
    float32 model is left alone; an output that is no Linear computes as ever."""
    head = model.get_output_embeddings()
    if type(head) is not torch.nn.Linear or head.weight.dtype == torch.float32:
        yield
        return
    hook = head.register_forward_hook(_in_float32)
    try:
        yield
    finally:
        hook.remove()


def _in_float32(head, given, made):
    states = given[0].float()
    wide = torch.empty(made.shape, dtype=torch.float32, device=made.device)
    for first in range(0, head.out_features, _ROWS):
        rows = slice(first, first + _ROWS)
        bias = None if head.bias is None else head.bias[rows].float()
        wide[..., rows] = torch.nn.functional.linear(states, head.weight[rows].float(), bias)
    return wide
