# SPDX-License-Identifier: Apache-2.0
"""What kinds of layers a transformers model has, and which of them a KV cache of one shape can stand for."""

from __future__ import annotations

import inspect
import typing

from transformers.cache_utils import get_layer_types_and_kwargs

import kakeya
from kakeya.transformers.models import model_class

_KINDS = ("full_attention", "sliding_attention")


def text_config(config: typing.Any) -> typing.Any:
    """The configuration of the decoder. Raises kakeya.InputError of what is no configuration, and of an encoder with a decoder."""
    if not hasattr(config, "get_text_config"):
        given = "a model" if hasattr(config, "config") else "no configuration of transformers"
        raise kakeya.InputError(f"config: {given} ({type(config).__name__}) was given: expected model.config")
    if getattr(config, "is_encoder_decoder", False):
        raise kakeya.InputError(f"{config.model_type}: cross-attention is not supported: expected a decoder alone")
    return config.get_text_config(decoder=True)


def layer_kinds(config: typing.Any) -> typing.List[typing.Tuple[str, int]]:
    """Of every layer of a decoder "full_attention" or "sliding_attention", and its window in tokens, the query's own
    included (0: none). Raises kakeya.InputError naming a layer of another kind, and a model that keeps something else
    than keys and values of one width: states, cross-attention, MLA latents."""
    name = config.model_type
    _check_class(config)
    try:
        types, arguments = get_layer_types_and_kwargs(config)
    except AttributeError as error:
        raise kakeya.InputError(f"{name}: its configuration does not tell its layers ({error}): expected those of one decoder") from error
    shared = config.num_hidden_layers - len(types)
    types = [*types, *["dummy"] * shared]  # left out before transformers 5.20
    for number, kind in enumerate(types):
        if kind not in _KINDS:
            what = "keys and values shared with another layer, or none (dummy)," if kind == "dummy" else kind
            raise kakeya.InputError(f"layer {number} of {name}: {what} is not supported: expected {' or '.join(_KINDS)}")
    _check_facts(config)
    of_layer = arguments if isinstance(arguments, list) else [arguments] * len(types)  # one for all before transformers 5.20
    return [(kind, own["sliding_window"] if kind == "sliding_attention" else 0) for kind, own in zip(types, of_layer)]


# Models whose configuration names no kinds of layers: states (RWKV, xLSTM), a memory of their own (XLNet, Reformer), or nothing.
def _check_class(config: typing.Any) -> None:
    kind = model_class(config)
    if kind is None or getattr(config, "layer_types", None) is not None:
        return
    if getattr(kind, "_is_stateful", False):
        raise kakeya.InputError(
            f"layer 0 of {config.model_type}: a recurrent state ({kind.__name__} is stateful) is not supported: "
            f"expected {' or '.join(_KINDS)}"
        )
    if not {"past_key_values", "cache"} & set(inspect.signature(kind.forward).parameters):
        raise kakeya.InputError(f"{config.model_type}: {kind.__name__} takes no cache of keys and values: expected a decoder that does")


def _check_facts(config: typing.Any) -> None:
    name, crossed = config.model_type, _fact(config, "cross_attention_layers")
    if _fact(config, "add_cross_attention") or crossed:
        where = f"layer {crossed[0]} of {name}" if crossed else name
        raise kakeya.InputError(f"{where}: cross-attention is not supported: expected a decoder alone")
    if _fact(config, "kv_lora_rank"):
        raise kakeya.InputError(
            f"layer 0 of {name}: MLA latents (kv_lora_rank {config.kv_lora_rank}) are not supported: expected keys and values of one shape"
        )
    keys, values = _fact(config, "head_dim"), _fact(config, "v_head_dim")
    if keys and values and keys != values:
        raise kakeya.InputError(f"layer 0 of {name}: keys of {keys} beside values of {values} are not supported: expected one width")


def likely_dim(config: typing.Any) -> int:
    """Scalars a head, as far as the configuration says it: layers may differ."""
    dim = _fact(config, "head_dim")
    hidden, heads = _fact(config, "hidden_size"), _fact(config, "num_attention_heads")
    return dim if isinstance(dim, int) else hidden // heads if isinstance(hidden, int) and isinstance(heads, int) and heads > 0 else 64


def _fact(config: typing.Any, name: str) -> typing.Any:
    try:
        return getattr(config, name, None)
    except Exception:  # one a layer, and no one answer
        return None
