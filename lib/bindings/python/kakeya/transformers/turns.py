# SPDX-License-Identifier: Apache-2.0
"""How each layer of a model turns its keys: found on a small twin, and shown there."""

from __future__ import annotations

import functools
import inspect
import sys
import typing

import torch

import kakeya
from kakeya.transformers.rope import Pairs, Turn, Waves, check_by_position
from kakeya.transformers.twin import Twin, twin_of

_SAME = 1e-5  # of the greatest value: float32 after turning


class KeyTurns:
    """Turns keys of every layer of a model back to before RoPE, and forth.

    config: of the text model. module: its rotary embedding, where that is not what `config` makes. Whether a layer turns its
    keys, by which frequencies and which coordinates is what the model's own code does to a token that is repeated: keys of it
    are equal before RoPE, so a turn is right where they are equal after turning back. Raises kakeya.InputError, naming model
    and layer, where none is.
    """

    def __init__(self, config: typing.Any, module: typing.Optional[torch.nn.Module] = None):
        check_by_position(config)
        self._turns = _found(config, module) if module is not None else _remembered(_Key(config))
        self._waves = Waves()

    def turns(self, layer: int) -> bool:
        """Whether this layer has RoPE."""
        return self._turns[layer] is not None

    def pairs(self, layer: int, dim: int) -> Pairs:
        """What this layer, which has RoPE, turns together, of heads of `dim`."""
        turn = self._turns[layer]
        assert turn is not None
        return Pairs.of(turn, dim)

    def rotate(self, keys: torch.Tensor, positions: torch.Tensor, layer: int) -> torch.Tensor:
        """Keys after RoPE, of keys [batch, heads, tokens, dim] float32 before it at positions [batch, tokens]."""
        turn = self._turns[layer]
        return keys if turn is None else self._waves.rotate(turn, keys, positions)

    def unrotate(self, states: torch.Tensor, positions: torch.Tensor, layer: int) -> torch.Tensor:
        """float32 before RoPE, of keys or queries [batch, heads, tokens, dim] as the model made them: what rotate() makes them
        of, but for rounding, which is 0 in channels that are empty (Waves.unrotate)."""
        turn = self._turns[layer]
        return states.float() if turn is None else self._waves.unrotate(turn, states, positions)


class _Key:
    """A configuration, equal to others of its text: a twin is made once for them."""

    def __init__(self, config):
        self.config, self._text = config, (type(config), config.to_json_string(use_diff=False))

    def __eq__(self, other):
        return self._text == other._text

    def __hash__(self):
        return hash(self._text)


@functools.lru_cache(maxsize=8)
def _remembered(key: _Key) -> typing.Tuple[typing.Optional[Turn], ...]:
    return _found(key.config, None)


def _found(config, module) -> typing.Tuple[typing.Optional[Turn], ...]:
    name = config.model_type
    try:
        twin = twin_of(config, module)
    except Exception as error:
        raise kakeya.InputError(
            f"{name}: how its layers turn keys cannot be shown ({type(error).__name__}: {error}): give tap='post-rope'"
        ) from error
    if any(hasattr(embedding, "mrope_section") for embedding in twin.embeddings):
        raise kakeya.InputError(f"{name}: multimodal RoPE does not rotate a key by its position alone: give tap='post-rope'")
    candidates = _candidates(config, twin)
    made: typing.List[typing.Optional[Turn]] = []
    for layer in range(config.num_hidden_layers):
        if layer not in twin.keys:
            raise kakeya.InputError(f"layer {layer} of {name} stores no keys, so how it turns them cannot be shown: give tap='post-rope'")
        keys = twin.keys[layer]
        if _spread(keys) < _SAME:
            made.append(None)
            continue
        shown = next((turn for turn in candidates if _undoes(turn, keys)), None)
        if shown is None:
            raise kakeya.InputError(
                f"layer {layer} of {name}: keys depend on their position, and none of the rotations that its code has turns them "
                "back: give tap='post-rope'"
            )
        made.append(shown)
        candidates.remove(shown)
        candidates.insert(0, shown)  # the next layer's too, most likely
    return tuple(made)


# Of every rotary embedding, for every kind of layer where it asks for one: of whole heads, and of their first coordinates.
def _candidates(config: typing.Any, twin: Twin) -> typing.List[Turn]:
    code = [sys.modules[name] for name in twin.code]
    applied = [module.apply_rotary_pos_emb for module in code if hasattr(module, "apply_rotary_pos_emb")]
    kinds = list(dict.fromkeys(getattr(config, "layer_types", None) or ["full_attention", "sliding_attention"]))
    made = []
    for embedding in twin.embeddings:
        by_kind = "layer_type" in inspect.signature(embedding.forward).parameters
        for arguments in [(kind,) for kind in kinds] if by_kind else [()]:
            for apply in dict.fromkeys(applied):
                made += [Turn(apply, embedding, arguments), Turn(apply, embedding, arguments, _width(embedding, arguments))]
    return [turn for turn in made if turn.width != 0]


# Coordinates that cos and sin are of; 0: the embedding has none of this kind of layer.
def _width(embedding: torch.nn.Module, arguments: typing.Tuple) -> int:
    try:
        with torch.no_grad():
            return embedding(torch.zeros(1, 1, 1, 1), torch.zeros(1, 1, dtype=torch.long), *arguments)[0].shape[-1]
    except Exception:
        return 0


def _undoes(turn: Turn, keys: torch.Tensor) -> bool:
    positions = torch.arange(keys.shape[2])[None]
    try:
        with torch.no_grad(), torch.device("cpu"):
            waves = turn.waves(keys, positions)
            back = turn.unrotate(keys, *waves)
            again = turn.rotate(back, *waves)
    except Exception:  # heads of another width than its waves, say
        return False
    return _spread(back) < _SAME and again.shape == keys.shape and bool((again - keys).abs().max() < _SAME * keys.abs().max())


# How far keys of other positions are from those of the first, of the greatest value; infinite where they say nothing.
def _spread(keys: torch.Tensor) -> float:
    greatest = keys.abs().max().item()
    return (keys - keys[:, :, :1]).abs().max().item() / greatest if 0 < greatest < float("inf") else float("inf")
