# SPDX-License-Identifier: Apache-2.0
"""One layer of a KakeyaCache, as transformers sees it: full attention, and a sliding window."""

from __future__ import annotations

import typing

import torch
from transformers.cache_utils import CacheLayerMixin

import kakeya
from kakeya.transformers.padding import padding_of_batch
from kakeya.transformers.store import Store, from_rows, to_rows
from kakeya.transformers.turns import KeyTurns


class PackedLayer(CacheLayerMixin):
    """Full attention. Stores through the cache's Store, and decodes at each update.

    Its batch and length are changed by KakeyaCache, for all layers at once; keys and values stay None.
    """

    is_croppable = True
    is_sliding = False
    supports_early_init = False

    def __init__(self, number: int, layer_type: str, store: Store, turns: typing.Optional[KeyTurns], keep_decoded: bool):
        super().__init__()
        self.number, self.layer_type = number, layer_type
        self.store, self.turns, self.keep_decoded = store, turns, keep_decoded
        self.length = 0
        self.padding: typing.Optional[torch.Tensor] = None  # [batch]: left padding of the rows
        self.decoded: typing.Optional[typing.Tuple[int, torch.Tensor, torch.Tensor]] = None

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        if key_states.dim() != 4 or key_states.shape != value_states.shape:
            raise kakeya.InputError(
                f"layer {self.number}: keys of shape {list(key_states.shape)} and values of {list(value_states.shape)}, expected "
                "[batch, heads, tokens, dim] of both. MLA latents and values of another width are not supported"
            )
        self.shape = (key_states.shape[1], key_states.shape[3])
        self.dtype, self.device = key_states.dtype, key_states.device
        self.store.add(self.shape, key_states.shape[0])
        self.is_initialized = True

    def update(self, key_states: torch.Tensor, value_states: torch.Tensor, *args, **kwargs):
        """Appends [batch, heads, tokens, dim] and returns what attention sees, in the dtype and on the
        device of what came, without gradients. Token t of a row is at position t less the row's left padding."""
        self.store.check()
        self.store.warn_of_gradients(key_states, value_states)
        key_states, value_states = key_states.detach(), value_states.detach()
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        if key_states.shape != value_states.shape or (key_states.shape[1], key_states.shape[3]) != self.shape:
            raise kakeya.InputError(
                f"layer {self.number}: keys of shape {list(key_states.shape)} and values of {list(value_states.shape)}, "
                f"expected {self.shape[0]} heads of {self.shape[1]}"
            )
        self.store.add(self.shape, key_states.shape[0])
        if (key_states.dtype, key_states.device) != (self.dtype, self.device):  # a model that was moved, a cache that was reset
            self.dtype, self.device, self.decoded = key_states.dtype, key_states.device, None
        if self.padding is not None:
            self.padding = padding_of_batch(self.padding, key_states.shape[0])
        first, past, new = self._first_seen(), None, key_states.shape[2]
        self.store.begin(self.number, self.length, new)
        stored = self._unrotated(key_states)
        if self.is_sliding and new > 1:
            past = self._read(first, self.length)  # before this call's tokens push some of it out
        packed, rows = self.store.of(self.shape)
        for row, sequence in enumerate(rows):
            try:
                packed.append(sequence, self.number, to_rows(stored[row]), to_rows(value_states[row]))
            except BaseException:
                if row > 0 or self.store.begun:  # rows, or layers of this step, that have these tokens already
                    why = f"an update of layer {self.number} raised, so some rows or layers lack what others have"
                    self.store.broken = (why, self.length)
                raise
        self.store.done(self.number)
        before, self.length = self.length, self.length + new
        if past is None:
            return self._seen(first)
        kept = max(before, *(packed.first_token(sequence, self.number) for sequence in rows))
        came = [states[:, :, : kept - before].to(torch.bfloat16).to(self.dtype) for states in (key_states, value_states)]
        return tuple(torch.cat(parts, dim=2) for parts in zip(past, came, self._read(kept, self.length)))

    def _first_seen(self) -> int:
        return 0

    # Keys and values from token `first` on, of what is kept decoded and the rest read.
    def _seen(self, first: int):
        if not self.keep_decoded:
            return self._read(first, self.length)
        begin, held = first, None
        if self.decoded is not None and self.decoded[0] <= first:
            start, keys, values = self.decoded
            held = (keys[:, :, first - start :], values[:, :, first - start :])
            begin = first + held[0].shape[2]
        seen = self._read(begin, self.length)
        if held is not None:
            seen = tuple(torch.cat(parts, dim=2) for parts in zip(held, seen))
        packed, rows = self.store.of(self.shape)
        sealed = min(packed.sealed_tokens(row, self.number, part) for row in rows for part in ("key", "value"))
        if sealed > begin:
            self.decoded = (first, *(part[:, :, : sealed - first].clone() for part in seen))
        return seen

    # Decoded keys and values of tokens [first, last): [batch, heads, last - first, dim] each.
    def _read(self, first: int, last: int):
        packed, rows = self.store.of(self.shape)
        parts = []
        for part in ("key", "value"):
            parts.append(torch.stack([from_rows(packed.read(row, self.number, part, first, last - first)) for row in rows]))
        keys = parts[0].to(self.device)
        if self.turns is not None:
            keys = self.turns.rotate(keys, self._positions(len(rows), first, last), self.number)
        return keys.to(self.dtype).contiguous(), parts[1].to(self.device, self.dtype).contiguous()

    # What is stored of keys that come behind those that are.
    def _unrotated(self, keys: torch.Tensor) -> torch.Tensor:
        if self.turns is None:
            return keys
        positions = self._positions(keys.shape[0], self.length, self.length + keys.shape[2])
        return self.turns.unrotate(keys, positions, self.number)

    def _positions(self, batch: int, first: int, last: int) -> torch.Tensor:
        positions = torch.arange(first, last).expand(batch, -1)
        return positions if self.padding is None else positions - self.padding[:, None]

    def decoded_bytes(self) -> int:
        return 0 if self.decoded is None else sum(part.numel() * part.element_size() for part in self.decoded[1:])

    def get_mask_sizes(self, query_length: int) -> typing.Tuple[int, int]:
        return self.length + query_length, 0

    def get_seq_length(self) -> int:
        return self.length

    def get_max_length(self) -> int:
        return -1

    def offload(self) -> None:
        """Nothing: the packed bytes are on the host. What is kept decoded is let go."""
        self.decoded = None

    def prefetch(self) -> None:
        """Nothing: update() decodes."""

    def _whole_cache(self, *args, **kwargs):
        raise NotImplementedError("rows and tokens are shared by the layers of a KakeyaCache: call the cache's method")

    def __deepcopy__(self, memo):
        raise kakeya.InputError(
            f"layer {self.number} of a KakeyaCache is copied, which is not supported: its rows belong to the cache. A model that "
            "copies layers of its cache (one a loop) cannot run over it"
        )

    reset = reorder_cache = crop = batch_repeat_interleave = batch_select_indices = _whole_cache


class PackedSlidingLayer(PackedLayer):
    """A sliding window: what the window has left is dropped, a page at a time.

    Of a call with several tokens, those that the next query no longer sees are attended to as they
    came, rounded to bf16.
    """

    is_croppable = False
    is_sliding = True

    def __init__(self, window: int, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.window = window

    def _first_seen(self) -> int:
        return max(0, self.length - self.window + 1)

    def activate_past_recording(self) -> None:
        raise NotImplementedError(
            f"layer {self.number}: sliding attention: a KakeyaCache drops what its window of {self.window} has left, "
            "so it cannot be rolled back: assisted generation is not supported"
        )

    def get_mask_sizes(self, query_length: int) -> typing.Tuple[int, int]:
        first = self._first_seen()
        return self.length - first + query_length, first

    def get_max_length(self) -> int:
        return self.window
