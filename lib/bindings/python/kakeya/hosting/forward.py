# SPDX-License-Identifier: Apache-2.0
"""A forward whose cache and attention are ours: the base of those that show, append or only look."""

from __future__ import annotations

import contextlib
import inspect
import typing

import torch
from transformers.cache_utils import Cache, CacheLayerMixin
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, eager_mask, sdpa_mask
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

import kakeya

_PLAIN, _FUSED = "kakeya_plain", "kakeya_fused"
_current: typing.Optional["Forward"] = None  # whose update() and attend() are called: one at a time


class Forward:
    """What happens in one call of a model. `past`: tokens of the sequence before this call's."""

    fused = False
    past = 0

    def __init__(self) -> None:
        self.given: typing.Dict[int, torch.Tensor] = {}  # layer: the keys that its attention is to get

    def update(self, layer: int, keys: torch.Tensor, values: torch.Tensor) -> typing.Tuple[torch.Tensor, torch.Tensor]:
        """Keys and values [1, heads, tokens, dim] of the call's tokens; returns what attention sees."""
        raise NotImplementedError

    def attend(self, call: "AttentionCall") -> typing.Tuple[torch.Tensor, typing.Any]:
        """What attention makes of a call: [1, tokens, heads, dim], and weights or None."""
        return call.run(call.query, call.key, call.value, call.mask)

    def layer_of(self, call: "AttentionCall") -> int:
        """The layer whose keys these are. Raises kakeya.InputError where they are nobody's."""
        for layer, keys in self.given.items():
            if keys is call.key:
                return layer
        raise kakeya.InputError(
            f"{type(call.module).__name__}: its attention gets other keys than its cache gave it (as with MLA latents), "
            "which is not supported"
        )


class AttentionCall(typing.NamedTuple):
    """What a model's attention module asks of the attention function."""

    module: torch.nn.Module
    query: torch.Tensor  # [1, query heads, tokens, dim]
    key: torch.Tensor  # [1, KV heads, keys, dim]
    value: torch.Tensor
    mask: typing.Optional[torch.Tensor]  # [1, 1 or heads, tokens, keys]: added to scores
    more: dict

    def run(self, query, key, value, mask):
        """The module's own eager attention, with its soft caps, sinks and scales, over these."""
        return _eager_of(self.module)(self.module, query, key, value, mask, **self.more)


def _eager_of(module: torch.nn.Module) -> typing.Callable:
    code = inspect.unwrap(type(module).forward)
    found = getattr(code, "__globals__", {}).get("eager_attention_forward")
    if found is None:
        raise kakeya.InputError(f"{type(module).__name__}: its code has no eager_attention_forward, so its attention cannot be followed")
    return found


def _attention(module, query, key, value, attention_mask, **more):
    return _current.attend(AttentionCall(module, query, key, value, attention_mask, more))


for _name in (_PLAIN, _FUSED):
    ALL_ATTENTION_FUNCTIONS.register(_name, _attention)
ALL_MASK_ATTENTION_FUNCTIONS.register(_PLAIN, eager_mask)
ALL_MASK_ATTENTION_FUNCTIONS.register(_FUSED, sdpa_mask)


class _Layer(CacheLayerMixin):
    is_croppable = False

    def __init__(self, number: int, sliding: bool, forward: Forward):
        super().__init__()
        self.number, self.is_sliding, self.forward = number, sliding, forward
        self.new = 0

    def lazy_initialization(self, *states) -> None:
        pass

    def update(self, key_states, value_states, *args, **kwargs):
        self.new = key_states.shape[2]
        keys, values = self.forward.update(self.number, key_states, value_states)
        self.forward.given[self.number] = keys
        return keys, values

    def get_mask_sizes(self, query_length):
        return self.forward.past + query_length, 0  # of all tokens, also of those that a window has left

    def get_seq_length(self) -> int:
        return self.forward.past + self.new

    def get_max_length(self) -> int:
        return -1


class ForwardCache(Cache):
    """The cache that a model is called with: layers that ask `forward`, and keep nothing."""

    def __init__(self, forward: Forward, sliding: typing.Sequence[bool]):
        super().__init__(layers=[_Layer(number, one, forward) for number, one in enumerate(sliding)])


@contextlib.contextmanager
def running(model: torch.nn.Module, forward: Forward):
    """Makes the attention of `model` that of `forward`, without gradients, and in the end what it was."""
    global _current
    configs = {id(module.config): module.config for module in model.modules() if hasattr(module, "config")}
    found = [one for one in configs.values() if hasattr(one, "_attn_implementation_internal")]
    before = [one._attn_implementation_internal for one in found]
    outer, _current = _current, forward
    try:
        for config in found:
            config._attn_implementation_internal = _FUSED if forward.fused else _PLAIN
        with torch.inference_mode():
            yield
    finally:
        _current = outer
        for config, name in zip(found, before):
            config._attn_implementation_internal = name
