# SPDX-License-Identifier: Apache-2.0
"""Keys before RoPE from keys after it, by position, in float32, with the model's own code."""

from __future__ import annotations

import inspect
import typing

import torch

import kakeya

# Their frequencies change with the length of the sequence, so a key has no one rotation.
_CHANGING = ("dynamic", "longrope")
_ROUNDING = 2.0**-22  # of a pair's other coordinate: what float32 leaves of 0, turned and turned back


class Turn(typing.NamedTuple):
    """One rotation of keys. apply: the code's apply_rotary_pos_emb. embedding: gives cos and sin of positions; arguments: what
    it is told besides. width: coordinates of a head that turn, its first; None: `apply` takes the whole head."""

    apply: typing.Callable
    embedding: torch.nn.Module
    arguments: typing.Tuple
    width: typing.Optional[int] = None

    def waves(self, keys: torch.Tensor, positions: torch.Tensor) -> typing.Tuple[torch.Tensor, torch.Tensor]:
        """cos and sin of positions [batch, tokens], on the device of `keys`."""
        with torch.no_grad():
            return self.embedding(keys, positions.to(keys.device), *self.arguments)

    def rotate(self, keys: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        """Keys after RoPE, of keys [batch, heads, tokens, dim] float32 before it."""
        part = keys if self.width is None else keys[..., : self.width]
        alone = "k" not in inspect.signature(self.apply).parameters
        turned = self.apply(part, cos, sin) if alone else self.apply(part[:, :0], part, cos, sin)[1]
        return turned if self.width is None else torch.cat((turned, keys[..., self.width :]), dim=-1)

    def unrotate(self, keys: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        """The other way: what rotate() makes `keys` of, but for rounding in float32."""
        scale = cos * cos + sin * sin  # the attention scaling's square: 1 of most models
        return self.rotate(keys, cos / scale, -sin / scale)


class Pairs(typing.NamedTuple):
    """Which coordinates a rotation turns together. partners: int64 [dim], of each coordinate the other of its pair, or itself where
    it does not turn. angles: float64 [dim], the radians that a token turns it by."""

    partners: torch.Tensor
    angles: torch.Tensor

    @classmethod
    def of(cls, turn: Turn, dim: int) -> "Pairs":
        """Those of heads of `dim`. Raises kakeya.InputError where coordinates do not turn two and two."""
        units = torch.eye(dim).reshape(1, dim, 1, dim)  # each becomes cos of its angle times itself, and sin times its partner
        with torch.no_grad(), torch.device("cpu"):
            turned = turn.rotate(units, *turn.waves(units, torch.tensor([[1]]))).reshape(dim, dim).double()
        own = turned.diagonal()
        rest = (turned - torch.diag(own)).abs()
        alone = torch.arange(dim)
        partners = torch.where(rest.amax(dim=1) > 0, rest.argmax(dim=1), alone)
        if not torch.equal(partners[partners], alone) or bool((rest.count_nonzero(dim=1) > 1).any()):
            raise kakeya.InputError("RoPE does not turn coordinates two and two: give tap='post-rope'")
        return cls(partners, torch.atan2(rest.amax(dim=1), own).masked_fill(partners == alone, 0))


class Waves:
    """Turns by cos and sin of the positions that were asked for last: the layers of a step ask for the same."""

    def __init__(self):
        self._last: typing.Dict[typing.Tuple, typing.Tuple] = {}
        self._partners: typing.Dict[typing.Tuple, torch.Tensor] = {}

    def rotate(self, turn: Turn, keys: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """Keys after RoPE, of keys [batch, heads, tokens, dim] float32 before it at positions [batch, tokens]."""
        return turn.rotate(keys, *self._of(turn, keys, positions, True)) if keys.shape[2] else keys

    def unrotate(self, turn: Turn, states: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """The other way, of a model's own keys: float32. Of float32 a coordinate that is no more than the rounding of its pair is 0: a
        channel that a norm's gain of 0 empties (Gemma 3 has some) is as empty as before RoPE, and no codec spends bits on the
        rounding. Of other types nothing is changed: their rounding, 2^-8 of the other coordinate in bfloat16, is no less than
        what a token that is turned by little still tells of a small one."""
        if not states.shape[2]:
            return states.float()
        keys = states.float()
        back = turn.unrotate(keys, *self._of(turn, keys, positions, False))
        if states.dtype != torch.float32:
            return back
        size = back.abs()
        return back.masked_fill(size <= _ROUNDING * size[..., self._partners_of(turn, back)], 0)

    def _partners_of(self, turn, keys):
        name = (turn, keys.shape[-1], keys.device)
        if name not in self._partners:
            self._partners[name] = Pairs.of(turn, keys.shape[-1]).partners.to(keys.device)
        return self._partners[name]

    def _of(self, turn, keys, positions, forth):
        name = (id(turn.embedding), turn.arguments, forth)
        last = self._last.get(name)
        if last is None or last[0] != keys.device or not torch.equal(last[1], positions):
            last = self._last[name] = (keys.device, positions, *turn.waves(keys, positions))
        return last[2:]


def check_by_position(config: typing.Any) -> None:
    """Raises kakeya.InputError where a key's rotation depends on more than its position."""
    parameters = getattr(config, "rope_parameters", None) or {}
    for kind in [one for one in parameters.values() if isinstance(one, dict)] or [parameters]:
        if kind.get("rope_type") in _CHANGING or "mrope_section" in kind:
            raise kakeya.InputError(
                f"{config.model_type}: RoPE of type {kind.get('rope_type')} does not rotate a key by its position alone: "
                "give tap='post-rope'"
            )

