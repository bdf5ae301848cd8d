# SPDX-License-Identifier: Apache-2.0
"""KV-cache codecs: bytes that were really written, and what comes back from them.

    import kakeya, numpy
    codec = kakeya.codec("e8:q=10", dim=128)
    frame = codec.encode(numpy.random.randn(1000, 128).astype("float32"))
    codec.decode(frame)     # float32 [1000, 128]

Arrays come from numpy, torch, jax or cupy (on the host); results are numpy's, which
torch.from_numpy() shares. Errors of the library are exceptions with its text, below kakeya.Error.
"""

from __future__ import annotations

import typing

from kakeya._core import (
    CacheFile,
    Codec,
    CorruptStream,
    Error,
    InputError,
    IoError,
    PackedCache,
    PageWriter,
    Profile,
    SpecError,
    __version__,
    codec,
    codec_of_frame,
    list_codecs,
    load_cache,
    save_cache,
    sequence_head,
)

if typing.TYPE_CHECKING:
    import numpy

__all__ = [
    "CacheFile",
    "Codec",
    "CorruptStream",
    "Error",
    "InputError",
    "IoError",
    "PackedCache",
    "PageWriter",
    "Profile",
    "Site",
    "SpecError",
    "__version__",
    "codec",
    "codec_of_frame",
    "decode",
    "info",
    "list",
    "load_cache",
    "save_cache",
    "sequence_head",
]


class Site(typing.NamedTuple):
    """Where vectors come from: the keys ('key') or values ('value') of a layer, and a KV head."""

    layer: int
    part: str
    head: typing.Optional[int] = None


def decode(frame: bytes, profile: typing.Any = None) -> numpy.ndarray:
    """The vectors of a frame of any codec: float32 [vectors, dim].

    profile: of calibrated codecs, as in codec(). Raises CorruptStream on damage, InputError where
    the profile is not there.
    """
    return codec_of_frame(frame, profile).decode(frame)


def info(frame: bytes, profile: typing.Any = None) -> dict[str, typing.Any]:
    """What a frame says of itself, not decoded: Codec.info() of the codec that wrote it."""
    return codec_of_frame(frame, profile).info(frame)


def list() -> typing.List[typing.Dict[str, typing.Any]]:
    """Every codec as `kakeya-codec list --json` has them: name, summary, example, calibrated,
    keys, source, faithful, differs, sections."""
    return list_codecs()
