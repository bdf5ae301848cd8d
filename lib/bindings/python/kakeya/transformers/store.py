# SPDX-License-Identifier: Apache-2.0
"""Packed caches behind a KakeyaCache: one for all layers whose keys and values have one shape."""

from __future__ import annotations

import typing
import warnings

import torch

import kakeya


class Store:
    """Makes a PackedCache for each (KV heads, head dim) that comes, and keeps the rows of the batch.

    Each has places for all layers of the model, so that a profile finds its layer by its number;
    `windows` are those of PackedCache, one a layer.
    """

    def __init__(self, windows: typing.List[int], options: typing.Dict[str, typing.Any]):
        self._windows, self._options = windows, options
        self._packed: dict[tuple[int, int], kakeya.PackedCache] = {}
        self._rows: dict[tuple[int, int], list[int]] = {}
        # Why some rows or layers have tokens that others lack, and how many tokens all of them still have.
        self.broken: typing.Optional[typing.Tuple[str, int]] = None
        self._step: typing.Tuple[int, int] = (0, 0)  # of a forward: tokens before it, and its own
        self._updated: typing.Dict[int, None] = {}  # layers that have those, in their order
        self._warned = False

    def check(self) -> None:
        """Raises kakeya.InputError where an update, a forward or a crop() has stopped halfway."""
        if self.broken is not None:
            why, tokens = self.broken
            way = f"crop({tokens}) or fewer tokens, or reset()" if tokens else "reset()"
            raise kakeya.InputError(f"{why}: expected {way}")

    def warn_of_gradients(self, *states: torch.Tensor) -> None:
        """Warns, once a cache, where gradients of these keys and values are wanted: what is stored has none."""
        if self._warned or not torch.is_grad_enabled() or not any(one.requires_grad for one in states):
            return
        self._warned = True
        warnings.warn(
            "gradients do not flow through a packed cache: those of a loss over a KakeyaCache are wrong or missing. "
            "For inference use torch.no_grad() or torch.inference_mode(); train without a KakeyaCache",
            stacklevel=3,
        )

    @property
    def begun(self) -> bool:
        """Whether some layers have the tokens of a forward that others still lack."""
        return 0 < len(self._updated) < len(self._windows)

    def begin(self, layer: int, before: int, new: int) -> None:
        """Before `new` tokens of a forward are appended to a layer of `before`. Raises kakeya.InputError, and again for all that
        follows, where the forward before this one has not reached every layer."""
        if layer in self._updated or (before, new) != self._step:
            self.settle()
            self.check()
            self._step, self._updated = (before, new), {}

    def done(self, layer: int) -> None:
        """After them."""
        self._updated[layer] = None

    def settle(self) -> None:
        """Between two forwards: notes whether the last one stopped before every layer had its tokens."""
        if self.begun and self.broken is None:
            before, new = self._step
            last = list(self._updated)[-1]
            lacking = next(layer for layer in range(len(self._windows)) if layer not in self._updated)
            self.broken = (f"a forward of {new} tokens stopped after layer {last}: layer {lacking} lacks them", before)

    def add(self, shape: typing.Tuple[int, int], batch: int) -> None:
        """Sequences for a batch in the cache of a shape (KV heads, head dim), where there are none."""
        if shape not in self._packed:
            self._packed[shape] = kakeya.PackedCache(
                layers=len(self._windows), kv_heads=shape[0], head_dim=shape[1], windows=self._windows, **self._options
            )
        rows = self._rows.get(shape, [])
        if rows and len(rows) != batch and not self._stored():  # those that an update left which raised
            self.clear()
        if shape not in self._rows:
            self._rows[shape] = [self._packed[shape].add_sequence() for _ in range(batch)]
        if len(self._rows[shape]) != batch:
            raise kakeya.InputError(f"a batch of {batch} rows, expected {len(self._rows[shape])}: the cache's")

    def _stored(self) -> bool:
        """Whether any row has a token."""
        return any(
            self._packed[shape].tokens(row, layer) for shape, rows in self._rows.items() for row in rows for layer in range(len(self._windows))
        )

    def batch(self) -> int:
        """Rows of the batch; 0: nothing has come."""
        return next((len(rows) for rows in self._rows.values()), 0)

    def of(self, shape: typing.Tuple[int, int]) -> typing.Tuple[kakeya.PackedCache, typing.List[int]]:
        """The cache of a shape and its sequences, one a row."""
        return self._packed[shape], self._rows[shape]

    def select(self, indices: typing.List[int]) -> None:
        """Row i becomes what row indices[i] is. A row that is wanted again shares its sealed pages."""
        for shape, rows in self._rows.items():
            packed = self._packed[shape]
            for index in indices:
                if not 0 <= index < len(rows):
                    raise kakeya.InputError(f"row {index}: the cache has a batch of {len(rows)}")
            taken: set[int] = set()
            chosen = []
            for index in indices:
                chosen.append(packed.branch(rows[index]) if index in taken else rows[index])
                taken.add(index)
            for index, sequence in enumerate(rows):
                if index not in taken:
                    packed.drop(sequence)
            self._rows[shape] = chosen

    def truncate(self, tokens: int, first: typing.Set[typing.Tuple[int, int]]) -> None:
        """first: shapes whose caches are cut first, since sliding windows may refuse."""
        if self.broken is not None and tokens > self.broken[1]:
            self.check()
        cut = False
        for shape in sorted(self._rows, key=lambda shape: shape not in first):
            for sequence in self._rows[shape]:
                try:
                    self._packed[shape].truncate(sequence, tokens)
                except BaseException:
                    if cut:
                        self.broken = ("a crop() raised, so some rows or layers lack what others have", tokens)
                    raise
                cut = True
        self._forget()

    def clear(self) -> None:
        for shape, rows in self._rows.items():
            for sequence in rows:
                self._packed[shape].drop(sequence)
        self._rows.clear()
        self._forget()

    def _forget(self) -> None:
        self.broken, self._step, self._updated = None, (0, 0), {}

    def ledgers(self) -> typing.List[dict]:
        """live_bytes() of each cache, with its shape, batch and codecs."""
        return [
            {"kv_heads": shape[0], "head_dim": shape[1], "batch": len(self._rows.get(shape, [])), "codec_k": packed.codec_k,
             "codec_v": packed.codec_v, "profile_bytes": packed.profile_bytes, **packed.live_bytes()}
            for shape, packed in self._packed.items()
        ]


def to_rows(states: torch.Tensor) -> torch.Tensor:
    """[heads, tokens, dim] of any device as [tokens, heads, dim] on the host, as PackedCache takes it."""
    return states.detach().transpose(0, 1).to("cpu").contiguous()


def from_rows(rows: typing.Any) -> torch.Tensor:
    """float32 [heads, tokens, dim] of what PackedCache.read() gives."""
    return torch.from_numpy(rows).transpose(0, 1)
