# SPDX-License-Identifier: Apache-2.0
"""A forward of new tokens of a sequence whose keys and values a program keeps."""

from __future__ import annotations

import typing

import torch

import kakeya
from kakeya.hosting import window
from kakeya.hosting.channel import Channel
from kakeya.hosting.forward import Forward
from kakeya.hosting.taps import Stopped


class StepForward(Forward):
    """Sends the keys and values of new tokens, those behind `past`, and attends over what comes back.

    number: of the input in its batch, for the program. What comes back are tokens first .. of the sequence to its end; of
    those before `first` no query may see any, or kakeya.InputError is raised.
    """

    def __init__(self, channel: Channel, rotary: typing.Any, pre_rope: bool, number: int, past: int):
        super().__init__()
        self._channel, self._rotary, self._pre_rope, self._number, self.past = channel, rotary, pre_rope, number, past
        self._first: typing.Dict[int, int] = {}
        if pre_rope:
            rotary.check()

    def update(self, layer, keys, values):
        new = keys.shape[2]
        states = (self._rotary.unrotate(keys, self.past, layer) if self._pre_rope else keys, values)
        places = self._channel.places(*[4 * keys.numel()] * 2)
        for place, state in zip(places, states):
            self._view(place, new, keys).copy_(state[0].transpose(0, 1))
        answer = self._channel.call({"append": [self._number, layer], "tokens": new, "keys": places[0], "values": places[1]})
        if answer.get("stop"):
            raise Stopped()
        first, tokens = answer["first"], answer["tokens"]
        if first < 0 or first + tokens != self.past + new:
            raise kakeya.InputError(f"layer {layer}: tokens {first} to {first + tokens} came back, expected up to {self.past + new}")
        self._first[layer] = first
        seen = []
        for part, like in (("keys", keys), ("values", values)):
            state = self._view(answer[part], tokens, keys).transpose(0, 1)[None].to(keys.device)
            if part == "keys" and self._pre_rope:
                state = self._rotary.rotate(state, first, layer)
            seen.append(state.to(like.dtype, memory_format=torch.contiguous_format, copy=True))
        return tuple(seen)

    def attend(self, call):
        layer = self.layer_of(call)
        del self.given[layer]
        first = self._first.pop(layer)
        if first == 0:
            return window.attend(call)
        if call.mask is None or bool(window.visible(call.mask[..., :first]).any()):
            raise kakeya.InputError(f"layer {layer}: its cache begins at token {first}, and a query at {self.past} sees earlier ones")
        return window.attend(call._replace(mask=call.mask[..., first:]))

    def _view(self, place: typing.List[int], tokens: int, like: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(self._channel.array(place, "float32")).view(tokens, like.shape[1], like.shape[3])
