# SPDX-License-Identifier: Apache-2.0
"""What kinds of layers a transformers model has, and which of them a KV cache of one shape can stand for."""

from __future__ import annotations

import typing

from transformers.cache_utils import get_layer_types_and_kwargs

import kakeya


def text_config(config: typing.Any) -> typing.Any:
    """The configuration of the decoder. Raises kakeya.InputError of an encoder with a decoder."""
    if getattr(config, "is_encoder_decoder", False):
        raise kakeya.InputError(f"{config.model_type}: cross-attention is not supported: expected a decoder alone")
    return config.get_text_config(decoder=True)


def layer_kinds(config: typing.Any) -> typing.List[typing.Tuple[str, int]]:
    """Of every layer of a decoder "full_attention" or "sliding_attention", and its window in tokens, the query's own
    included (0: none). Raises kakeya.InputError naming a layer of another kind."""
    types, arguments = get_layer_types_and_kwargs(config)
    for number, kind in enumerate(types):
        if kind not in ("full_attention", "sliding_attention"):
            what = "keys and values shared with another layer, or none (dummy)," if kind == "dummy" else kind
            raise kakeya.InputError(
                f"layer {number} of {config.model_type}: {what} is not supported: expected full_attention or sliding_attention"
            )
    if getattr(config, "add_cross_attention", False):
        raise kakeya.InputError(f"{config.model_type}: cross-attention is not supported: expected a decoder alone")
    of_layer = arguments if isinstance(arguments, list) else [arguments] * len(types)  # one for all before transformers 5.20
    return [(kind, own["sliding_window"] if kind == "sliding_attention" else 0) for kind, own in zip(types, of_layer)]
