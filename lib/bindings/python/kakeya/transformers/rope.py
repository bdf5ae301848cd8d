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
# Of these models some layers have no RoPE, and the configuration's class decides which.
_PARTLY_WITHOUT = ("cohere2", "cohere2_moe", "llama4_text", "exaone4", "smollm3")


class Rope:
    """Rotates keys of a model, and back.

    config: of the text model. module: the model's rotary embedding (`model.model.rotary_emb`), called
    as the model calls it; None: one that is built from `config` by the class of the model's own file,
    which takes its frequencies and attention scaling from ROPE_INIT_FUNCTIONS. partly_without: the caller
    knows which layers have no RoPE.
    Raises kakeya.InputError where the rotation of a key is not known.
    """

    def __init__(self, config: typing.Any, module: typing.Optional[torch.nn.Module] = None, partly_without: bool = False):
        name = config.model_type
        if name in _PARTLY_WITHOUT and not partly_without:
            raise kakeya.InputError(f"{name}: some layers have no RoPE, so keys cannot be un-rotated: give tap='post-rope'")
        parameters = getattr(config, "rope_parameters", None) or {}
        for kind in _of_layers(parameters):
            if kind.get("rope_type") in _CHANGING or "mrope_section" in kind:
                raise kakeya.InputError(
                    f"{name}: RoPE of type {kind.get('rope_type')} does not rotate a key by its position alone: give tap='post-rope'"
                )
        code = _modeling(config)
        if not hasattr(code, "apply_rotary_pos_emb"):
            raise kakeya.InputError(f"{name}: its code has no apply_rotary_pos_emb, so keys cannot be un-rotated: give tap='post-rope'")
        self._apply = code.apply_rotary_pos_emb
        self._key_alone = "k" not in inspect.signature(self._apply).parameters
        self._embedding = module if module is not None else _embedding_class(code, name)(config)
        self._last: dict[str, tuple] = {}
        self._by_layer_type = "layer_type" in inspect.signature(self._embedding.forward).parameters

    def rotate(self, keys: torch.Tensor, positions: torch.Tensor, layer_type: str) -> torch.Tensor:
        """Keys after RoPE, of keys [batch, heads, tokens, dim] float32 before it at positions [batch, tokens]."""
        last = self._last.get(layer_type)  # the layers of a step ask for the same
        if last is None or last[0] != keys.device or not torch.equal(last[1], positions):
            last = self._last[layer_type] = (keys.device, positions, *self._waves(keys, positions, layer_type))
        return self._turn(keys, *last[2:])

    def unrotate(self, keys: torch.Tensor, positions: torch.Tensor, layer_type: str) -> torch.Tensor:
        """Keys before RoPE: what rotate() makes `keys` of, but for rounding in float32."""
        cos, sin = self._waves(keys, positions, layer_type)
        scale = cos * cos + sin * sin  # the attention scaling's square: 1 of most models
        return self._turn(keys, cos / scale, -sin / scale)

    def _waves(self, keys, positions, layer_type):
        arguments = (layer_type,) if self._by_layer_type else ()
        with torch.no_grad():
            return self._embedding(keys, positions.to(keys.device), *arguments)

    def _turn(self, keys, cos, sin):
        return self._apply(keys, cos, sin) if self._key_alone else self._apply(keys[:, :0], keys, cos, sin)[1]


def _of_layers(parameters: dict) -> list:
    return [kind for kind in parameters.values() if isinstance(kind, dict)] or [parameters]


def _modeling(config):
    return importlib.import_module(type(config).__module__.replace(".configuration_", ".modeling_"))


def _embedding_class(code, name):
    found = [
        value
        for key, value in vars(code).items()
        if key.endswith("RotaryEmbedding") and "Vision" not in key and value.__module__ == code.__name__
    ]
    if len(found) != 1:
        raise kakeya.InputError(f"{name}: {len(found)} rotary embeddings in its code, expected one: give rope=model.model.rotary_emb")
    return found[0]
