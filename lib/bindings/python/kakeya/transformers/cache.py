# SPDX-License-Identifier: Apache-2.0
"""KakeyaCache: the cache of a transformers model, packed."""

from __future__ import annotations

import json
import typing

import torch
from transformers.cache_utils import Cache

import kakeya
from kakeya._core import plan_text
from kakeya._described import parse_spec
from kakeya.transformers.kinds import layer_kinds, likely_dim, text_config
from kakeya.transformers.layers import PackedLayer, PackedSlidingLayer
from kakeya.transformers.padding import left_padding
from kakeya.transformers.store import Store
from kakeya.transformers.turns import KeyTurns


class KakeyaCache(Cache):
    """The KV cache of a transformers model as packed bytes.

        model.generate(**inputs, past_key_values=KakeyaCache(model.config, "e8:q=10"))

    config: the model's. codec, codec_k, codec_v, profile, skipped_layers, sinks, residual_window: as
    kakeya.PackedCache. plan: a plan.json or its content, a codec for each layer, keys and values, KV head, in place of codecs
    and skipped_layers. layers, skip_layers: only these layers are coded, or these stay bf16, as "0,5,10-20", in place of
    skipped_layers. tap: "post-rope" stores keys as they come; "pre-rope" un-rotates them by
    position first and rotates them again when they are read; None: that of the profile, or post-rope.
    rope: the model's rotary embedding, where it is not what `config` makes. keep_decoded: keep sealed
    tokens decoded as well, which live_bytes() counts as `decoded`.

    Gradients do not flow through it: where they are enabled and keys or values require them, the first update() warns, once
    a cache. Use torch.no_grad() or torch.inference_mode(), as generate() does.

    Raises kakeya.SpecError on a codec, kakeya.InputError without its profile, of a model in place of its config, where a layer is of a kind that it cannot
    store, and of tap="pre-rope" where it cannot be shown how a layer rotates its keys.
    """

    def __init__(
        self,
        config: typing.Any,
        codec: typing.Optional[str] = None,
        codec_k: typing.Optional[str] = None,
        codec_v: typing.Optional[str] = None,
        profile: typing.Any = None,
        skipped_layers: int = 0,
        sinks: int = 0,
        residual_window: int = 0,
        tap: typing.Optional[str] = None,
        rope: typing.Optional[torch.nn.Module] = None,
        keep_decoded: bool = False,
        plan: typing.Any = None,
        layers: typing.Optional[str] = None,
        skip_layers: typing.Optional[str] = None,
    ):
        config = text_config(config)
        kinds = layer_kinds(config)
        specs = [codec, codec_k, codec_v] if plan is None else _specs_of_plan(plan)
        tap = _tap_of(tap, profile, specs)
        windows = [window + 1 if window else 0 for _, window in kinds]  # one more: it appends, then reads
        if plan is None:
            _check_specs(codec, codec_k, codec_v, profile, config)
        which = dict(skipped_layers=skipped_layers, coded_layers=layers, skip_layers=skip_layers, sinks=sinks, residual_window=residual_window)
        kakeya.PackedCache(layers=len(kinds), kv_heads=1, head_dim=64, codec="identity", **which)  # raises what is wrong with these, before keys come
        options = dict(codec=codec, codec_k=codec_k, codec_v=codec_v, plan=plan, profile=profile, **which)
        if plan is not None:
            _check_plan(plan, len(kinds), config, options)
        self._store = Store(windows, options)
        self.tap = tap
        turns = KeyTurns(config, rope) if tap == "pre-rope" else None
        packed = []
        for number, (kind, window) in enumerate(kinds):
            common = (number, kind, self._store, turns, keep_decoded)
            packed.append(PackedSlidingLayer(window, *common) if window else PackedLayer(*common))
        super().__init__(layers=packed)

    @property
    def batch_size(self) -> int:
        return self._store.batch() or -1

    def pad(self, attention_mask: torch.Tensor) -> None:
        """Says how many padded tokens stand left in each row, before the first update: [batch, tokens], 1
        where there is a token. Needed with tap="pre-rope" alone, so that codecs see keys as they were
        calibrated; padded tokens are stored like any, and are counted. generate() makes several rows of each
        for beams or sequences: the padding follows. Raises kakeya.InputError on padding on the right, and
        once tokens are stored."""
        for layer in self.layers:
            if layer.length:
                raise kakeya.InputError(f"padding is given once {layer.length} tokens are stored, expected before the first")
        padding = left_padding(attention_mask)
        for layer in self.layers:
            layer.padding = padding

    def live_bytes(self) -> typing.Dict[str, int]:
        """Bytes that are allocated, over all layers and rows: pages, sinks, open, skipped, tables,
        decoded; their sum, total; and bf16, what as many tokens take in bf16."""
        names = ("pages", "sinks", "open", "skipped", "tables", "total", "bf16")
        ledgers = self._store.ledgers()
        counted = {name: sum(ledger[name] for ledger in ledgers) for name in names}
        counted["decoded"] = sum(layer.decoded_bytes() for layer in self.layers)
        counted["total"] += counted["decoded"]
        return counted

    def ledger(self) -> typing.Dict[str, typing.Any]:
        """live_bytes(), the tap, the tokens of each layer, and the same of each group of layers of one shape with
        its codecs."""
        return {
            "tap": self.tap,
            "tokens": [layer.length for layer in self.layers],
            "live_bytes": self.live_bytes(),
            "groups": self._store.ledgers(),
        }

    def reset(self) -> None:
        self._store.clear()
        for layer in self.layers:
            layer.length, layer.decoded, layer.padding = 0, None, None

    def crop(self, tokens_to_remove: int) -> None:
        """Removes the last -tokens_to_remove tokens. A positive number is the length to crop to; a cache that is no longer
        than that stays as it is. transformers 5.17 does so too and warns that this is deprecated; the caches of 5.24 raise
        ValueError. Raises kakeya.InputError where a sliding window has dropped what it needs again, and where there are fewer
        tokens than are to be removed."""
        length = self.get_seq_length()
        tokens = min(length, tokens_to_remove) if tokens_to_remove > 0 else length + tokens_to_remove
        if tokens < 0:
            raise kakeya.InputError(f"{-tokens_to_remove} tokens to remove: the cache has {length}")
        self._store.settle()
        if tokens == length and self._store.broken is None:
            return
        self._store.truncate(tokens, {layer.shape for layer in self.layers if layer.is_sliding and layer.is_initialized})
        for layer in self.layers:
            layer.length, layer.decoded = min(layer.length, tokens), None

    def reorder_cache(self, beam_idx: torch.LongTensor) -> None:
        """Row i becomes row beam_idx[i]; rows of one beam share their sealed pages. Raises kakeya.InputError on no row."""
        self._select(beam_idx.tolist())

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        """Keeps these rows: numbers, or a mask. Raises kakeya.InputError on no row: reset() empties the cache."""
        chosen = torch.as_tensor(indices)
        self._select((chosen.nonzero().flatten() if chosen.dtype == torch.bool else chosen).tolist())

    def batch_repeat_interleave(self, repeats: int) -> None:
        """Makes `repeats` rows of each, one behind another. Raises kakeya.InputError on less than one."""
        if repeats < 1:
            raise kakeya.InputError(f"{repeats} rows of each: expected 1 at least")
        self._select([row for row in range(self._store.batch()) for _ in range(repeats)])

    def _select(self, rows: typing.List[int]) -> None:
        if not self._store.batch():
            return
        if not rows:
            raise kakeya.InputError(f"no row to keep of a batch of {self._store.batch()}: expected 1 at least, or reset()")
        self._store.settle()
        self._store.check()
        self._store.select(rows)
        for layer in self.layers:
            if layer.padding is not None:
                layer.padding = layer.padding[rows]
            if layer.decoded is not None:
                first, keys, values = layer.decoded
                layer.decoded = (first, keys[rows], values[rows])


# The specs of a plan, a path or its content. Raises what is wrong with it as PackedCache does.
def _specs_of_plan(plan: typing.Any) -> typing.List[str]:
    content = json.loads(plan_text(plan))
    default = content.get("default", {})
    found = [default] if isinstance(default, str) else [*default.values()]
    return found + [site["codec"] for site in content.get("sites", [])]


# Raises what is wrong with a plan, where a layer's shape is known before keys come.
def _check_plan(plan: typing.Any, layers: int, config: typing.Any, options: typing.Dict[str, typing.Any]) -> None:
    heads = getattr(config, "num_key_value_heads", None)
    if isinstance(heads, int) and heads > 0:
        kakeya.PackedCache(layers=layers, kv_heads=heads, head_dim=likely_dim(config), **options)


# Raises what is wrong with specs whatever keys come: no such codec or key, no profile. What depends on their shape is seen then.
def _check_specs(codec, codec_k, codec_v, profile, config) -> None:
    specs = [codec] if codec is not None else [codec_k, codec_v]
    if None in specs or (codec is not None and (codec_k, codec_v) != (None, None)):
        raise kakeya.SpecError("expected codec, or codec_k and codec_v")
    dim = likely_dim(config)
    for spec in specs:
        try:
            kakeya.codec(spec, dim=dim, site=(0, "key", 0))
        except kakeya.InputError:
            if profile is None and any(one["calibrated"] for one in kakeya.list() if one["name"] == parse_spec(spec)[0]):
                raise


def _tap_of(tap: typing.Optional[str], profile: typing.Any, specs: typing.Tuple) -> str:
    if profile is not None:
        given = profile if isinstance(profile, (list, tuple)) else [profile]
        taps = {(one if isinstance(one, kakeya.Profile) else kakeya.Profile(one)).tap for one in given}
        if len(taps) != 1:
            raise kakeya.InputError(f"profiles of taps {sorted(taps)}: expected one")
        (own,) = taps
        if tap not in (None, own):
            raise kakeya.InputError(f"tap '{tap}': the profile is of {own} keys")
        tap = own
    if tap is None and any(spec is not None and "profile=" in spec for spec in specs):
        raise kakeya.InputError("a codec names its profile itself: give tap='pre-rope' or 'post-rope' as it was calibrated")
    tap = tap or "post-rope"
    if tap not in ("pre-rope", "post-rope"):
        raise kakeya.InputError(f"tap '{tap}': expected pre-rope or post-rope")
    return tap
