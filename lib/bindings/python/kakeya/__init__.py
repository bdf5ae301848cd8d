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

import json
import os
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
    codec_list_json as _codec_list_json,
    codec_of_frame,
    load_cache,
    save_cache,
    sequence_head,
)

if typing.TYPE_CHECKING:
    import numpy

    from kakeya.check import CheckResult
    from kakeya.hosting.drive import calibrate, capture, measure, report

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
    "calibrate",
    "capture",
    "check_codec",
    "codec",
    "codec_of_frame",
    "decode",
    "info",
    "list",
    "load_cache",
    "load_plugin",
    "measure",
    "register_codec",
    "report",
    "save_cache",
    "sequence_head",
]


class Site(typing.NamedTuple):
    """Where vectors come from: the keys ('key') or values ('value') of a layer, and a KV head."""

    layer: int
    part: str
    head: typing.Optional[int] = None


def decode(frame: bytes | bytearray | memoryview | numpy.ndarray, profile: typing.Any = None) -> numpy.ndarray:
    """The vectors of a frame of any codec: float32 [vectors, dim].

    profile: of calibrated codecs, as in codec(). Raises CorruptStream on damage, InputError where
    the profile is not there.
    """
    return codec_of_frame(frame, profile).decode(frame)


def info(frame: bytes | bytearray | memoryview | numpy.ndarray, profile: typing.Any = None) -> dict[str, typing.Any]:
    """What a frame says of itself, not decoded: Codec.info() of the codec that wrote it."""
    return codec_of_frame(frame, profile).info(frame)


def list() -> typing.List[typing.Dict[str, typing.Any]]:
    """Every codec as `kakeya-codec list --json` has it.

    A dict each: name, summary, example, calibrated, keys (name, default, help, kind; of numbers
    lowest and highest, of choices options), source, faithful, differs, sections.
    """
    return json.loads(_codec_list_json())


def register_codec(codec: typing.Any) -> typing.Any:
    """Makes a codec of your own known by its `name`: a class with encode() and decode(), or an instance.

    `help(kakeya.plugins)` says what such a class is. Returns it, so that this decorates a class too.
    Raises SpecError where the name is taken, and where the class lacks something.
    """
    from kakeya import plugins

    return plugins.register_codec(codec)


def load_plugin(path: typing.Union[str, os.PathLike]) -> typing.List[str]:
    """Makes the codecs of a file known, until the process ends, as `--plugin` of the programs does. Their names.

    path: a .py file, or a shared library that was built with kakeya_plugin.h. A file whose content was loaded
    before is not loaded again. Raises IoError where it cannot be loaded, SpecError where it has no codec or one
    whose name is taken; both begin with the path.
    """
    from kakeya import plugins

    return plugins.load_plugin(path)


def check_codec(codec: typing.Any, dims: typing.Sequence[int] = (64, 128), verbose: bool = True) -> CheckResult:
    """Holds a codec of your own to what the library's are held to; see `help(kakeya.check)`.

    codec: as of register_codec(), registered or not; or a spec of one that is. Every dim that it takes
    of `dims` is tried. With `verbose` the result is printed too. It is true where every check passed.
    """
    from kakeya import check

    return check.check_codec(codec, dims, verbose)


def __getattr__(name: str) -> typing.Any:
    if name in ("check", "plugins"):  # read when they are wanted
        import importlib

        return importlib.import_module(f"kakeya.{name}")
    if name in ("calibrate", "capture", "measure", "report"):  # which need programs, and torch where a model is theirs
        from kakeya.hosting import drive

        return getattr(drive, name)
    raise AttributeError(f"module 'kakeya' has no attribute '{name}'")
