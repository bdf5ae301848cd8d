# SPDX-License-Identifier: Apache-2.0
"""Keys before RoPE from keys after it, by position, in float32, with the model's own code."""

from __future__ import annotations

import importlib
import inspect
import typing

import torch

import kakeya

# Their frequencies change with the length of the sequence, so a key has no one rotation.
_CHANGING = ("dynamic", "longrope")


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


class Waves:
    """cos and sin of the positions that were asked for last: the layers of a step ask for the same."""

    def __init__(self):
        self._last: typing.Dict[typing.Tuple, typing.Tuple] = {}

    def rotate(self, turn: Turn, keys: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """Keys after RoPE, of keys [batch, heads, tokens, dim] float32 before it at positions [batch, tokens]."""
        return turn.rotate(keys, *self._of(turn, keys, positions, True)) if keys.shape[2] else keys

    def unrotate(self, turn: Turn, keys: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """The other way."""
        return turn.unrotate(keys, *self._of(turn, keys, positions, False)) if keys.shape[2] else keys

    def _of(self, turn, keys, positions, forth):
        name = (id(turn.embedding), turn.arguments, forth)
        last = self._last.get(name)
        if last is None or last[0] != keys.device or not torch.equal(last[1], positions):
            last = self._last[name] = (keys.device, positions, *turn.waves(keys, positions))
        return last[2:]


class Rope:
    """Rotates keys of a model whose layers all turn whole heads, and back; which do is for the caller to know.

    config: of the text model. module: the model's rotary embedding (`model.model.rotary_emb`), called
    as the model calls it; None: one that is built from `config` by the class of the model's own file,
    which takes its frequencies and attention scaling from ROPE_INIT_FUNCTIONS.
    Raises kakeya.InputError where the rotation of a key is not known.
    """

    def __init__(self, config: typing.Any, module: typing.Optional[torch.nn.Module] = None):
        name = config.model_type
        check_by_position(config)
        code = _modeling(config)
        if not hasattr(code, "apply_rotary_pos_emb"):
            raise kakeya.InputError(f"{name}: its code has no apply_rotary_pos_emb, so keys cannot be un-rotated: give tap='post-rope'")
        embedding = module if module is not None else _embedding_class(code, name)(config)
        by_kind = "layer_type" in inspect.signature(embedding.forward).parameters
        self._turn = lambda kind: Turn(code.apply_rotary_pos_emb, embedding, (kind,) if by_kind else ())
        self._waves = Waves()

    def rotate(self, keys: torch.Tensor, positions: torch.Tensor, layer_type: str) -> torch.Tensor:
        """Keys after RoPE, of keys [batch, heads, tokens, dim] float32 before it at positions [batch, tokens]."""
        return self._waves.rotate(self._turn(layer_type), keys, positions)

    def unrotate(self, keys: torch.Tensor, positions: torch.Tensor, layer_type: str) -> torch.Tensor:
        """Keys before RoPE: what rotate() makes `keys` of, but for rounding in float32."""
        return self._waves.unrotate(self._turn(layer_type), keys, positions)


def check_by_position(config: typing.Any) -> None:
    """Raises kakeya.InputError where a key's rotation depends on more than its position."""
    parameters = getattr(config, "rope_parameters", None) or {}
    for kind in [one for one in parameters.values() if isinstance(one, dict)] or [parameters]:
        if kind.get("rope_type") in _CHANGING or "mrope_section" in kind:
            raise kakeya.InputError(
                f"{config.model_type}: RoPE of type {kind.get('rope_type')} does not rotate a key by its position alone: "
                "give tap='post-rope'"
            )


def _modeling(config):
    try:
        return importlib.import_module(type(config).__module__.replace(".configuration_", ".modeling_"))
    except ImportError:
        return None


def _embedding_class(code, name):
    found = [
        value
        for key, value in vars(code).items()
        if key.endswith("RotaryEmbedding") and "Vision" not in key and value.__module__ == code.__name__
    ]
    if len(found) != 1:
        raise kakeya.InputError(f"{name}: {len(found)} rotary embeddings in its code, expected one: give tap='post-rope'")
    return found[0]
