# SPDX-License-Identifier: Apache-2.0
"""A transformers model as kakeya's programs see one: facts, logits under a tap, prefills, steps."""

from __future__ import annotations

import inspect
import typing

import numpy
import torch

import kakeya
from kakeya.hosting import facts
from kakeya.hosting.channel import Channel
from kakeya.hosting.forward import Forward, ForwardCache, running
from kakeya.hosting.head import float32_logits
from kakeya.hosting.probe import OutputWatch, Probe, linear_weight, norm_gain
from kakeya.hosting.rotary import Rotary
from kakeya.hosting.steps import StepForward
from kakeya.hosting.taps import Tap, TapForward
from kakeya.transformers.kinds import layer_kinds, text_config

_FEW = 5  # tokens of a probe
_NO_INTERFACE = "its attention does not go through transformers' AttentionInterface"


class HostedModel:
    """Any decoder-only causal model of transformers 5.x whose layers keep keys and values of one shape.

    model: in eval(), on one device; its attention implementation is set during calls alone. name, sha256, path: where it
    came from (path None: it is in memory alone). fused: logits() through PyTorch's scaled_dot_product_attention.
    Raises kakeya.InputError naming what is not supported: encoders, linear attention, Mamba, chunked attention, layers that
    differ in shape or share keys, MLA latents.
    """

    def __init__(self, model: typing.Any, name: str, sha256: str, path: typing.Optional[str] = None, fused: bool = False):
        self.model, self.name, self._fused = model, name, fused
        self._config = text_config(model.config)
        kinds = layer_kinds(self._config)
        self._kinds = [kind for kind, _ in kinds]
        self.windows = [window for _, window in kinds]
        parameters = inspect.signature(model.forward).parameters
        self._cache_name = "cache" if "cache" in parameters else "past_key_values"
        self._takes = parameters
        self._device = model.get_input_embeddings().weight.device
        probe, logits = self._probe()
        self.kv_heads, self.head_dim = probe.check(_FEW)
        self.layers, self.vocab = len(kinds), logits.shape[-1]
        self.attends = len(probe.modules) == self.layers
        self.query_heads = probe.query_heads or int(self._config.num_attention_heads)
        self.rotary = Rotary(model, self._config, self.head_dim)
        self.hidden = int(self._config.hidden_size)
        self._sha256, self._types = sha256, facts.weight_types(path, model)
        self._outputs: typing.Optional[dict] = None

    def facts(self) -> dict:
        """ModelFacts and windows (tokens a layer, the query's own included; 0: none), as the protocol names them."""
        return {
            "name": self.name, "architecture": self._config.model_type, "layers": self.layers, "kv_heads": self.kv_heads,
            "query_heads": self.query_heads, "head_dim": self.head_dim, "hidden": self.hidden, "vocab": self.vocab,
            "context": facts.context_of(self._config), "rope_base": facts.rope_base(self._config), "rope_layout": self.rotary.layout,
            "weight_types": self._types, "windows": self.windows, "sha256": self._sha256,
        }

    def logits(self, tokens: numpy.ndarray, first: int, count: int, tap: typing.Optional[Tap] = None,
               channel: typing.Optional[Channel] = None) -> torch.Tensor:
        """One forward of all tokens: float32 [count, vocab] of positions first, first + 1, ... on the host. What `tap` wants
        is shown over `channel`. Raises kakeya.InputError on tokens outside the vocabulary or the context."""
        self._check_tokens(tokens, 0)
        if first < 0 or count < 0 or first + count > len(tokens):
            raise kakeya.InputError(f"logits of positions {first} to {first + count} asked for, of {len(tokens)} tokens")
        if tap is not None:
            self._check_tap(tap)
        forward = TapForward(channel, self.rotary, self.windows, tap, self._fused)
        return self._run(forward, tokens, first, count)

    def prefill(self, tokens: numpy.ndarray, tap: Tap, channel: Channel) -> None:
        """logits() of none."""
        self.logits(tokens, 0, 0, tap, channel)

    def step(self, batch: typing.Sequence[dict], tokens: numpy.ndarray, pre_rope: bool, channel: Channel) -> torch.Tensor:
        """New tokens of sequences whose keys and values the program keeps: of each input of the batch its last `scored`
        rows, float32 [sum of scored, vocab] on the host. An input is {"tokens", "scored", "past"}; `tokens` has the ids of
        all, one after another. Attention is never the fused one."""
        rows, begin = [], 0
        if sum(one["tokens"] for one in batch) != len(tokens):
            raise kakeya.InputError(f"{len(tokens)} tokens for a batch of {[one['tokens'] for one in batch]}")
        for number, one in enumerate(batch):
            ids = tokens[begin : begin + one["tokens"]]
            begin += one["tokens"]
            self._check_tokens(ids, one["past"])
            if not 0 <= one["scored"] <= len(ids):
                raise kakeya.InputError(f"{one['scored']} of {len(ids)} tokens to score")
            forward = StepForward(channel, self.rotary, pre_rope, number, one["past"])
            rows.append(self._run(forward, ids, len(ids) - one["scored"], one["scored"]))
        return torch.cat(rows) if rows else torch.empty(0, self.vocab)

    def rope_frequencies(self, layer: int) -> typing.List[float]:
        """Radians a token, [head_dim / 2], of pair i of facts()["rope_layout"]; 0 of pairs that do not turn. float32 of the
        model's own code. Raises kakeya.InputError where RoPE is not known."""
        self._check_layer(layer)
        return self.rotary.frequencies(layer)

    def attention_output(self, layer: int) -> torch.Tensor:
        """What a layer's heads, one behind another, are multiplied with before they join the residual stream: float32
        [hidden, query_heads * head_dim] on the host, with what a norm of the product multiplies by. Raises kakeya.InputError
        where it is no matrix (a gate or a norm lies between)."""
        self._check_layer(layer)
        if not self.attends:
            raise kakeya.InputError(f"{self.name}: {_NO_INTERFACE}, so what follows it is not known")
        if self._outputs is None:
            self._outputs = self._watch()
        if layer not in self._outputs:
            raise kakeya.InputError(
                f"layer {layer} of {self.name}: something lies between its attention and the output projection (a gate, a norm): "
                "expected a matrix alone"
            )
        project, norm = self._outputs[layer]
        weight = linear_weight(project, self.query_heads * self.head_dim)
        if weight.shape != (self.hidden, self.query_heads * self.head_dim):
            raise kakeya.InputError(
                f"layer {layer} of {self.name}: {type(project).__name__} of {list(weight.shape)} behind its attention, expected "
                f"{[self.hidden, self.query_heads * self.head_dim]}"
            )
        return weight if norm is None else weight * norm_gain(norm, self.hidden)[:, None]

    def _run(self, forward: Forward, tokens: numpy.ndarray, first: int, count: int) -> torch.Tensor:
        rows = torch.arange(first, first + count) if count else torch.tensor([len(tokens) - 1])  # a model computes one at least
        given: typing.Dict[str, typing.Any] = {self._cache_name: ForwardCache(forward, [window > 0 for window in self.windows])}
        if "position_ids" in self._takes:
            given["position_ids"] = torch.arange(forward.past, forward.past + len(tokens), device=self._device)[None]
        sliced = "logits_to_keep" in self._takes
        if sliced:
            given["logits_to_keep"] = rows.to(self._device)
        ids = torch.from_numpy(numpy.asarray(tokens, "int64")).to(self._device)[None]
        with running(self.model, forward), float32_logits(self.model):
            made = self.model(input_ids=ids, use_cache=True, **given).logits[0]
        made = made if sliced else made[rows.to(made.device)]
        return made[:count].float().cpu()

    # Two forwards of a few tokens, of which the last differs: it must not change earlier rows.
    def _probe(self) -> typing.Tuple[Probe, torch.Tensor]:
        tokens = numpy.arange(1, 1 + _FEW) % self._config.vocab_size
        other = tokens.copy()
        other[-1] = tokens[0]
        probes = [Probe(self.name, len(self._kinds)) for _ in range(2)]
        logits = [self._run(probe, ids, 0, _FEW) for probe, ids in zip(probes, (tokens, other))]
        if not torch.allclose(logits[0][:-1], logits[1][:-1], rtol=0.05, atol=0.05 * logits[0].abs().max().item()):
            raise kakeya.InputError(f"{self.name}: a later token changes earlier predictions: expected a causal model")
        return probes[0], logits[0]

    def _watch(self) -> typing.Dict[int, typing.Any]:
        probe = Probe(self.name, self.layers)
        with OutputWatch(self.model, probe) as found:
            self._run(probe, numpy.arange(1, 1 + _FEW) % self._config.vocab_size, 0, _FEW)
        return found.outputs()

    def _check_layer(self, layer: int) -> None:
        if not 0 <= layer < self.layers:
            raise kakeya.InputError(f"layer {layer}: {self.name} has {self.layers}")

    def _check_tokens(self, tokens: numpy.ndarray, past: int) -> None:
        context = facts.context_of(self._config)
        if not 1 <= len(tokens) <= context - past:
            raise kakeya.InputError(f"{len(tokens)} tokens behind {past}, expected 1 to {context} in all, the model's context")
        if tokens.min() < 0 or tokens.max() >= self.vocab:
            wrong = tokens[(tokens < 0) | (tokens >= self.vocab)][0]
            raise kakeya.InputError(f"token id {wrong}: expected 0 to {self.vocab - 1}")

    def _check_tap(self, tap: Tap) -> None:
        if tap.window > 0 and self._fused:
            raise kakeya.InputError("fused attention sees one version of keys and values: expected plain attention for a residual window")
        if not self.attends and (tap.window > 0 or tap.queries):
            raise kakeya.InputError(
                f"{self.name}: {_NO_INTERFACE}: expected no queries and no residual window"
            )
