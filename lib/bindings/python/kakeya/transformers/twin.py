# SPDX-License-Identifier: Apache-2.0
"""A small twin of a model, made from its configuration: what its own code does to keys, without its weights."""

from __future__ import annotations

import copy
import inspect
import typing

import torch
from torch.overrides import TorchFunctionMode
from transformers import DynamicCache

from kakeya.transformers.models import model_class

_TOKENS = 8
_LARGEST = 1 << 20  # values of a weight that is drawn; a larger one is a feed-forward's, which gives zeros


class Twin(typing.NamedTuple):
    """keys: of each layer [1, heads, tokens, dim] float32, where attention was given one vector at positions 0, 1, ...; so keys
    before RoPE are equal. embeddings: its rotary embeddings. code: the modules of its attentions' classes."""

    keys: typing.Dict[int, torch.Tensor]
    embeddings: typing.List[torch.nn.Module]
    code: typing.List[str]


def twin_of(config: typing.Any, embedding: typing.Optional[torch.nn.Module] = None) -> Twin:
    """Layers, their kinds, head dims and RoPE are those of `config`; hidden size and vocabulary are small, heads where the
    model lets them, weights random. embedding: takes the place of its rotary embeddings. Raises what the model's code does."""
    kind = model_class(config)
    if kind is None:
        raise ValueError("transformers has no model of this configuration")
    with torch.device("cpu"), torch.random.fork_rng(devices=[]), torch.no_grad(), torch.autocast("cpu", enabled=False):
        try:
            return _run(kind, _small(config, dict(num_attention_heads=2, num_key_value_heads=2)), embedding)
        except Exception:
            return _run(kind, _small(config, {}), embedding)  # heads that differ between layers, say


def is_rotary(module: torch.nn.Module) -> bool:
    """Whether this is a rotary embedding of a text model, by the name that all of transformers' have."""
    return type(module).__name__.endswith("RotaryEmbedding") and "Vision" not in type(module).__name__


def _run(kind: type, small: typing.Any, embedding: typing.Optional[torch.nn.Module]) -> Twin:
    with _Weightless():
        model = kind(small).eval()
    _draw(model)
    rotary = {name: module for name, module in model.named_modules() if is_rotary(module)}
    if embedding is not None:
        for name in rotary:
            model.set_submodule(name, embedding)
    attentions = [module for module in model.modules() if "Attention" in type(module).__name__ and hasattr(module, "layer_idx")]
    for module in attentions:
        module.register_forward_pre_hook(_same_everywhere, with_kwargs=True)
    cache = _Recorder()
    name = "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"
    model(input_ids=torch.ones(1, _TOKENS, dtype=torch.long), use_cache=True, **{name: cache})
    embeddings = [embedding] if embedding is not None and rotary else list(rotary.values())
    return Twin(cache.seen, embeddings, list(dict.fromkeys(type(module).__module__ for module in attentions)))


class _Recorder(DynamicCache):
    def __init__(self):
        super().__init__()
        self.seen: typing.Dict[int, torch.Tensor] = {}

    def update(self, key_states, value_states, layer_idx, *args, **kwargs):
        self.seen[layer_idx] = key_states.float()
        return super().update(key_states, value_states, layer_idx, *args, **kwargs)


class _Weightless(TorchFunctionMode):
    """Weights that a model makes in this thread have no memory until they are drawn. Buffers are what they are."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if function is torch.empty:
            kwargs["device"] = "meta"
        return function(*args, **kwargs)


def _small(config: typing.Any, heads: typing.Dict[str, int]) -> typing.Any:
    small = copy.deepcopy(config)
    try:
        dim = int(config.head_dim)
    except Exception:  # it has none, or one a layer
        dim = config.hidden_size // config.num_attention_heads
    changes = dict(heads, vocab_size=64, hidden_size=dim * (heads.get("num_attention_heads") or config.num_attention_heads))
    if (getattr(config, "pad_token_id", None) or 0) >= 64:
        changes["pad_token_id"] = 0
    for name, value in changes.items():
        if hasattr(type(small), name) or name in vars(small) or name in getattr(small, "attribute_map", {}):
            setattr(small, name, value)
    small._attn_implementation = "eager"
    return small


# Norms and biases are drawn too, so that it shows if turned keys are multiplied by them.
def _draw(model: torch.nn.Module) -> None:
    drawn = torch.Generator().manual_seed(1)
    for module in model.modules():
        for name, param in list(module._parameters.items()):
            if param is None:
                continue
            if param.numel() > _LARGEST:
                module.forward = _zeros_of(module)
                break
            values = torch.randn(param.shape, generator=drawn, dtype=torch.float32)
            values = values * param.shape[-1] ** -0.5 if param.dim() > 1 else 1 + 0.3 * values
            module._parameters[name] = torch.nn.Parameter(values, requires_grad=False)


def _zeros_of(module):
    def zeros(given, *args, **kwargs):
        if isinstance(module, torch.nn.Embedding):
            return torch.zeros(*given.shape, module.embedding_dim)
        return given.new_zeros(*given.shape[:-1], getattr(module, "out_features", given.shape[-1]))

    return zeros


def _same_everywhere(module, args, kwargs):
    named = "hidden_states" in kwargs
    given = kwargs["hidden_states"] if named else args[0]
    same = given[:, :1].expand_as(given).contiguous()
    return (args, {**kwargs, "hidden_states": same}) if named else ((same, *args[1:]), kwargs)
