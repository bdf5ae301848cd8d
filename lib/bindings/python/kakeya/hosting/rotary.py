# SPDX-License-Identifier: Apache-2.0
"""RoPE of a hosted model, as the programs ask for it: there and back, and which coordinates are a pair, by name."""

from __future__ import annotations

import typing

import torch

import kakeya
from kakeya.transformers.rope import Pairs
from kakeya.transformers.turns import KeyTurns
from kakeya.transformers.twin import is_rotary


class Rotary:
    """Turns keys and queries of a model back to before RoPE, and forth; tells frequencies.

    config: of the text model. head_dim: of every layer. How each layer turns its keys is shown by KeyTurns, as for KakeyaCache,
    with the model's own rotary embedding where it has one. Where it is not shown (dynamic, longrope), or no layer turns keys
    (learned positions, ALiBi), `refusal` says why, and rotating raises it as kakeya.InputError: such a model runs with taps
    after RoPE.
    """

    def __init__(self, model: torch.nn.Module, config: typing.Any, head_dim: int):
        self._half = head_dim // 2
        self.refusal: typing.Optional[str] = None
        self._pairs: typing.Dict[int, typing.Tuple[str, typing.List[float]]] = {}  # of layers that have RoPE
        try:
            self._turns = KeyTurns(config, _embedding_of(model))
            for layer in range(config.num_hidden_layers):
                if self._turns.turns(layer):
                    self._pairs[layer] = _named(self._turns.pairs(layer, head_dim))
            if not self._pairs:
                self.refusal = f"{config.model_type}: no layer has RoPE, so there are no keys before it: give tap='post-rope'"
        except kakeya.Error as error:
            self.refusal = str(error)

    @property
    def layout(self) -> str:
        """"rotate-half": pair i is coordinates i and i + dim / 2; "interleaved": 2 i and 2 i + 1; "rotate-half of 32": of the first
        32 coordinates i and i + 16, and behind them neighbours, which do not turn. "other": pairs that have no name; "mixed": of
        several kinds; "unknown": see refusal."""
        layouts = {layout for layout, _ in self._pairs.values()}
        return "unknown" if self.refusal is not None else layouts.pop() if len(layouts) == 1 else "mixed"

    def frequencies(self, layer: int) -> typing.List[float]:
        """Radians a token of each pair, [head_dim / 2]; 0 of pairs that do not turn. Raises kakeya.InputError where pairs
        have no name."""
        self.check()
        layout, frequencies = self._pairs.get(layer, ("", [0.0] * self._half))
        if layout == "other":
            raise kakeya.InputError(
                f"layer {layer}: RoPE turns pairs that are neither halves of a head or of its first coordinates nor neighbours, so "
                "its frequencies cannot be given: expected post-rope"
            )
        return frequencies

    def check(self) -> None:
        if self.refusal is not None:
            raise kakeya.InputError(self.refusal)

    def unrotate(self, states: torch.Tensor, first: int, layer: int) -> torch.Tensor:
        """float32 before RoPE, of [1, heads, tokens, dim] as the model made them at positions first, first + 1, ..."""
        self.check()
        return self._turns.unrotate(states, self._at(first, states), layer)

    def rotate(self, states: torch.Tensor, first: int, layer: int) -> torch.Tensor:
        """The other way: float32 [1, heads, tokens, dim] after RoPE."""
        self.check()
        return self._turns.rotate(states, self._at(first, states), layer)

    def _at(self, first: int, states: torch.Tensor) -> torch.Tensor:
        return torch.arange(first, first + states.shape[2])[None]


# The layout that these pairs have, where pairs that do not turn count as of any, and its frequencies.
def _named(pairs: Pairs) -> typing.Tuple[str, typing.List[float]]:
    dim, partners, angles = len(pairs.partners), pairs.partners.tolist(), pairs.angles.tolist()
    half = dim // 2
    places = {"rotate-half": [(i, i + half) for i in range(half)], "interleaved": [(2 * i, 2 * i + 1) for i in range(half)]}
    width = 2 * next((other - i for i, other in enumerate(partners) if other != i), 0)  # of a part that turns
    if 0 < width < dim:
        part = [(i, i + width // 2) for i in range(width // 2)]
        places[f"rotate-half of {width}"] = part + [(i, i + 1) for i in range(width, dim, 2)]
    for layout, named in places.items():
        if all(partners[a] in (a, b) and partners[b] in (a, b) for a, b in named):
            return layout, [angles[a] for a, _ in named]
    return "other", []


def _embedding_of(model: torch.nn.Module) -> typing.Optional[torch.nn.Module]:
    found = [module for module in model.modules() if is_rotary(module)]
    return found[0] if len(found) == 1 else None
