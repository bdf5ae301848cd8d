# SPDX-License-Identifier: Apache-2.0
"""RoPE as a model's own code turns vectors: in which layers, which coordinates are a pair, by how much a token turns them."""

from __future__ import annotations

import typing

import torch

import kakeya
from kakeya.transformers.rope import Rope


class Rotary:
    """Turns keys and queries of a model back to before RoPE, and forth; tells frequencies.

    same_token: keys [1, heads, tokens, dim] of every layer, of a sequence of one token repeated. Attention over equal
    values is that value, so keys before RoPE are equal there: which shows of each layer whether it has RoPE, and that the
    rotation is known. Where it is not (dynamic, longrope, learned positions), `refusal` says why, and rotating raises it
    as kakeya.InputError: such a model runs with taps after RoPE.
    """

    def __init__(self, model: torch.nn.Module, config: typing.Any, kinds: typing.Sequence[str], same_token: typing.Sequence[torch.Tensor]):
        self._kinds, self._head_dim = kinds, same_token[0].shape[3]
        self.refusal: typing.Optional[str] = None
        self._turns = [True] * len(kinds)
        self._pairs: typing.Dict[str, typing.Tuple[str, typing.List[float]]] = {}
        try:
            self._rope = Rope(config, _embedding_of(model))
            self._turns = self._which_turn(config.model_type, same_token)
            for kind in dict.fromkeys(kinds):
                self._pairs[kind] = self._pairs_of(kind)
        except kakeya.Error as error:
            self.refusal = str(error)
        except RuntimeError as error:  # its attention hands a part of a head to apply_rotary_pos_emb
            self.refusal = f"{config.model_type}: its RoPE does not turn whole heads ({error}): give tap='post-rope'"

    @property
    def layout(self) -> str:
        """"rotate-half": pair i is coordinates i and i + dim / 2; "interleaved": 2 i and 2 i + 1. "partial": other pairs, of a
        part of a head; "unknown": see refusal."""
        layouts = {layout for layout, _ in self._pairs.values()}
        return "unknown" if self.refusal is not None else layouts.pop() if len(layouts) == 1 else "mixed"

    def frequencies(self, layer: int) -> typing.List[float]:
        """Radians a token of each pair, [head_dim / 2]; 0 of pairs that do not turn. Raises kakeya.InputError where pairs
        are others than those of the two layouts."""
        self.check()
        if not self._turns[layer]:
            return [0.0] * (self._head_dim // 2)
        layout, frequencies = self._pairs[self._kinds[layer]]
        if layout == "partial":
            raise kakeya.InputError(
                f"layer {layer}: RoPE turns a part of a head whose pairs are neither i, i + {self._head_dim // 2} nor 2 i, 2 i + 1, so "
                "its frequencies cannot be given: expected post-rope"
            )
        return frequencies

    def check(self) -> None:
        if self.refusal is not None:
            raise kakeya.InputError(self.refusal)

    def unrotate(self, states: torch.Tensor, first: int, layer: int) -> torch.Tensor:
        """float32 before RoPE, of [1, heads, tokens, dim] after it at positions first, first + 1, ... Of float32 a coordinate
        that is no more than the rounding of its pair, 2^-22 of the other one, is 0: a channel that a norm's gain of 0 empties
        (Gemma 3 has some) is as empty as before RoPE, and no codec spends bits on the rounding."""
        self.check()
        if not self._turns[layer]:
            return states.float()
        back = self._rope.unrotate(states.float(), self._at(first, states), self._kinds[layer])
        return _without_rounding(back, self._pairs[self._kinds[layer]][0]) if states.dtype == torch.float32 else back

    def rotate(self, states: torch.Tensor, first: int, layer: int) -> torch.Tensor:
        """The other way: float32 [1, heads, tokens, dim] after RoPE."""
        self.check()
        return self._rope.rotate(states, self._at(first, states), self._kinds[layer]) if self._turns[layer] else states

    def _at(self, first: int, states: torch.Tensor) -> torch.Tensor:
        return torch.arange(first, first + states.shape[2])[None]

    # Of each layer. One of which neither shows is as the others, where those agree: a sink in attention is the cause.
    def _which_turn(self, name: str, same_token: typing.Sequence[torch.Tensor]) -> typing.List[bool]:
        shown = [self._has_rope(layer, keys.float()) for layer, keys in enumerate(same_token)]
        clear = {one for one in shown if one is not None}
        if None in shown and len(clear) != 1:
            raise kakeya.InputError(
                f"{name}: layer {shown.index(None)}: its keys are not turned back by its RoPE, which is not known: give tap='post-rope'"
            )
        return [next(iter(clear)) if one is None else one for one in shown]

    # Whether keys are more alike turned back than as they are; None: neither are.
    def _has_rope(self, layer: int, keys: torch.Tensor) -> typing.Optional[bool]:
        with torch.inference_mode():
            raw, back = _spread(keys), _spread(self._rope.unrotate(keys, self._at(0, keys), self._kinds[layer]))
        if max(raw, back) < 1e-6 or back < 0.5 * raw:
            return True
        return False if raw < 0.5 * back else None

    # Each unit vector at position 1 becomes cos of its pair's frequency times itself and sin times its partner.
    def _pairs_of(self, kind: str) -> typing.Tuple[str, typing.List[float]]:
        dim = self._head_dim
        units = torch.eye(dim).reshape(1, dim, 1, dim)
        with torch.inference_mode():
            turned = self._rope.rotate(units, torch.tensor([[1]]), kind).reshape(dim, dim).double()
        own = turned.diagonal().clone()
        rest = turned - torch.diag(own)
        partners = rest.abs().argmax(dim=1)
        moves = rest.abs().amax(dim=1) > 0
        half = dim // 2
        places = {"rotate-half": [(i, i + half) for i in range(half)], "interleaved": [(2 * i, 2 * i + 1) for i in range(half)]}
        for layout, pairs in places.items():
            if all((not moves[a] and not moves[b]) or (partners[a] == b and partners[b] == a) for a, b in pairs):
                return layout, [float(torch.atan2(rest[a, b].abs(), own[a])) if moves[a] else 0.0 for a, b in pairs]
        return "partial", []


def _without_rounding(back: torch.Tensor, layout: str) -> torch.Tensor:
    if layout == "partial":
        return back
    shape = (*back.shape[:-1], 2, -1) if layout == "rotate-half" else (*back.shape[:-1], -1, 2)
    axis = -2 if layout == "rotate-half" else -1
    pairs = back.reshape(shape)
    size = pairs.abs()
    return pairs.masked_fill(size <= 2.0**-22 * size.flip(axis), 0).reshape(back.shape)


def _spread(keys: torch.Tensor) -> float:
    return ((keys - keys[:, :, :1]).abs().max() / keys.abs().max().clamp(min=1e-30)).item()


def _embedding_of(model: torch.nn.Module) -> typing.Optional[torch.nn.Module]:
    found = [module for module in model.modules() if type(module).__name__.endswith("RotaryEmbedding") and "Vision" not in type(module).__name__]
    return found[0] if len(found) == 1 else None
