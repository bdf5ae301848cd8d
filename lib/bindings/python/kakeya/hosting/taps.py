# SPDX-License-Identifier: Apache-2.0
"""A forward that shows its keys, values and queries to a program, and goes on with what came back."""

from __future__ import annotations

import typing

import torch

import kakeya
from kakeya.hosting import window
from kakeya.hosting.channel import Channel
from kakeya.hosting.forward import AttentionCall, Forward

_PARTS = ("key", "value", "query")


class Stopped(BaseException):
    """The program's tap threw: the forward ends. No Exception, so that a model's code does not catch it."""


class Tap(typing.NamedTuple):
    """What a program wants to see."""

    pre_rope: bool
    sites: str  # of (layer, part): "0" not wanted, "1" shown, "2" shown and taken over
    pairs: bool
    window: int  # last tokens that a query sees in the exact version; 0: one version

    @classmethod
    def of(cls, request: typing.Any, layers: int) -> typing.Optional["Tap"]:
        """The tap of a request, or None. Raises kakeya.InputError where it does not fit the model."""
        if request is None:
            return None
        point, sites, exact = request["point"], request["sites"], int(request["window"])
        if point not in ("pre-rope", "post-rope"):
            raise kakeya.InputError(f"tap '{point}': expected pre-rope or post-rope")
        if len(sites) != 3 * layers or set(sites) - set("012"):
            raise kakeya.InputError(f"sites '{sites}': expected {3 * layers} characters of 0, 1 and 2")
        if exact < 0:
            raise kakeya.InputError(f"an exact window of {exact} tokens, expected 0 or more")
        return cls(point == "pre-rope", sites, bool(request["pairs"]), exact)

    def wish(self, layer: int, part: str) -> str:
        return self.sites[3 * layer + _PARTS.index(part)]

    @property
    def queries(self) -> bool:
        return any(one != "0" for one in self.sites[2::3])


class TapForward(Forward):
    """One forward of a whole sequence. `rotary` turns keys and queries; `windows` are those that the program was told of,
    and masks are held to them; tap None: nothing is shown."""

    def __init__(self, channel: typing.Optional[Channel], rotary: typing.Any, windows: typing.Sequence[int],
                 tap: typing.Optional[Tap], fused: bool = False):
        super().__init__()
        self._channel, self._rotary, self._windows, self._tap, self.fused = channel, rotary, windows, tap, fused
        self._exact: typing.Dict[int, typing.Tuple[torch.Tensor, torch.Tensor]] = {}
        if tap is not None and tap.pre_rope:
            rotary.check()

    def update(self, layer, keys, values):
        tap, wanted = self._tap, []
        if tap is not None:
            wanted = [part for part in ("key", "value") if tap.wish(layer, part) != "0"]
        if not wanted:
            return keys, values
        states = {"key": keys, "value": values}
        groups = [wanted] if tap.pairs and len(wanted) == 2 else [[part] for part in wanted]
        exact = dict(states)
        for group in groups:
            for part, coded, other in self._show(layer, group, states):
                if tap.wish(layer, part) == "2":
                    came = states[part]
                    states[part] = self._back(layer, part, coded, came)
                    exact[part] = self._back(layer, part, other, came) if tap.window > 0 else states[part]
        if tap.window > 0 and (exact["key"] is not states["key"] or exact["value"] is not states["value"]):
            self._exact[layer] = (exact["key"], exact["value"])
        return states["key"], states["value"]

    def attend(self, call):
        if self._tap is None:
            return self._plain(call)
        layer = self.layer_of(call)
        if not self.fused:
            window.check(call, layer, self._windows[layer])
        if self._tap.wish(layer, "query") != "0":
            self._show_query(layer, call.query)
        del self.given[layer]
        if layer not in self._exact:
            return self._plain(call)
        return window.attend_two(call, *self._exact.pop(layer), self._tap.window)

    def _plain(self, call: AttentionCall):
        if self.fused:
            return _fused(call)
        return window.attend(call)

    # Shows parts of a layer in one message. Of each: its name, what was written, and what was written as its exact version.
    def _show(self, layer: int, parts: typing.Sequence[str], states: typing.Dict[str, torch.Tensor]):
        copies = 2 if self._tap.window > 0 else 1
        like = states[parts[0]]
        places = self._channel.places(*[4 * like.numel()] * (copies * len(parts)))
        views = [self._view(place, like) for place in places]
        shown = []
        for number, part in enumerate(parts):
            coded, other = views[copies * number], views[copies * number + copies - 1]
            coded.copy_(self._turned(layer, part, states[part])[0].transpose(0, 1))
            if copies == 2:
                other.copy_(coded)
            shown.append((part, coded, other))
        self._visit(layer, parts, like.shape[2], places)
        return shown

    def _visit(self, layer: int, parts: typing.Sequence[str], tokens: int, places: typing.List[typing.List[int]]) -> None:
        message: typing.Dict[str, typing.Any] = {"tokens": tokens, "first_token": 0}
        copies = len(places) // len(parts)
        coded, exact = places[::copies], places[1::2] if copies == 2 else [None] * len(parts)
        if len(parts) == 2:
            message.update(visit_pair=layer, keys=coded[0], values=coded[1], exact_keys=exact[0], exact_values=exact[1])
        else:
            message.update(visit=[layer, parts[0]], at=coded[0], exact=exact[0])
        if self._channel.call(message).get("stop"):
            raise Stopped()

    def _show_query(self, layer: int, query: torch.Tensor) -> None:
        (place,) = self._channel.places(4 * query.numel())
        self._view(place, query).copy_(self._turned(layer, "query", query)[0].transpose(0, 1))
        self._visit(layer, ["query"], query.shape[2], [place])

    def _view(self, place: typing.List[int], like: torch.Tensor) -> torch.Tensor:
        _, heads, tokens, dim = like.shape
        return torch.from_numpy(self._channel.array(place, "float32")).view(tokens, heads, dim)

    def _turned(self, layer: int, part: str, states: torch.Tensor) -> torch.Tensor:
        return self._rotary.unrotate(states, 0, layer) if self._tap.pre_rope and part != "value" else states

    # What was written, as attention gets it: of the dtype, on the device and in the memory order of what came.
    def _back(self, layer: int, part: str, view: torch.Tensor, came: torch.Tensor) -> torch.Tensor:
        written = view.transpose(0, 1)[None]
        if self._tap.pre_rope and part == "key":
            written = self._rotary.rotate(written.to(came.device), 0, layer)
        return torch.empty_like(came).copy_(written)


# What scaled_dot_product_attention knows nothing of, and what versions of transformers leave out in silence (5.17 both, 5.24 sinks).
_UNKNOWN_TO_FUSED = {"softcap": "soft caps", "s_aux": "attention sinks"}


def _fused(call: AttentionCall):
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    for key, what in _UNKNOWN_TO_FUSED.items():
        if call.more.get(key) is not None:
            raise kakeya.InputError(f"fused attention of {type(call.module).__name__}: it does not know {what}: expected plain")
    return sdpa_attention_forward(call.module, call.query, call.key, call.value, call.mask, **call.more)
