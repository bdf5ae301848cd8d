# SPDX-License-Identifier: Apache-2.0
"""Codecs of your own, in Python: classes with `encode` and `decode`, known by a name.

    class Halves:
        name = "halves"
        def __init__(self, dim):
            self.dim = dim
        def encode(self, x):                 # float32 [count, dim], finite, at least one vector
            return x.astype("float16").tobytes()
        def decode(self, data, count):       # what encode() gave, and nothing else
            return numpy.frombuffer(data, "float16").reshape(count, self.dim)

    kakeya.register_codec(Halves)
    kakeya.codec("halves", dim=128)          # and in caches, and in programs by --plugin FILE.py

A class may say more of itself:

    summary, paper   a line each, for lists
    keys             {"group": 32, "bits": int}: what a spec may say, with its default or, where it
                     must be given, its type. Without it: the constructor's arguments with a default
    help             {"group": "values that share a scale"}
    rate             the key that says the rate: settings that differ in it alone are one curve
    example          a spec, where a key has no default
    scope            "head": a codec is made for each head, with `site`, a kakeya.Site
    bound            (bytes a vector, bytes besides): the most that encode() gives, of a class or,
                     where it depends on the keys, of an instance. Without it 8 a float and 64, 4096
    nominal_bits     bits a vector by a published formula, of the instance

It is made with dim and the keys of the spec, by name; decode(self, data) is taken too. One instance
codes for many threads, one at a time.

kakeya.load_plugin(path) makes the codecs of a file known: of a .py file, or of a shared library that
was built with kakeya_plugin.h.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import inspect
import os
import pathlib
import sys
import threading
import typing

import kakeya
from kakeya import _core
from kakeya._described import Coder, Descriptor, Key, LibraryDescriptor, describe, parse_spec

__all__ = ["Coder", "Descriptor", "HostedCodecs", "Key", "LibraryDescriptor", "describe", "find", "load", "load_plugin", "register_codec"]

_registered: typing.Dict[str, Descriptor] = {}
_loaded: typing.Dict[str, typing.List[Descriptor]] = {}  # by the digest of a file
_files: typing.Dict[str, str] = {}  # of codecs that came of a file, by name
_lock = threading.RLock()


def register_codec(codec: typing.Any) -> typing.Any:
    """Makes a codec of your own known by its `name`, until the process ends; kakeya.plugins says what one is.

    codec: a class, or an instance without keys. Returned, so that this decorates a class too. From
    then on kakeya.codec("name:key=value", dim=...), caches, files and frames know it. Raises
    SpecError where the name is taken, and where the class lacks something.
    """
    descriptor = describe(codec)
    with _lock:
        _core.register_codec(descriptor)
        _registered[descriptor.name] = descriptor
    return codec


def find(name: str) -> Descriptor:
    """The codec that register_codec() or load() made known. Raises SpecError."""
    if name not in _registered:
        names = ", ".join(_registered) or "none is registered"
        raise kakeya.SpecError(f"codec '{name}': no codec in Python, expected one of: {names}")
    return _registered[name]


def load_plugin(path: typing.Union[str, os.PathLike]) -> typing.List[str]:
    """Makes the codecs of a file known, until the process ends, as `--plugin` of the programs does. Their names.

    path: a .py file, or a shared library that was built with kakeya_plugin.h. A file whose content was loaded before is not
    loaded again. Raises IoError where it cannot be loaded, SpecError where it has no codec or one whose name is taken; both
    begin with the path.
    """
    return [descriptor.name for descriptor in (load if os.fspath(path).endswith(".py") else _load_library)(path)]


def load(path: typing.Union[str, os.PathLike]) -> typing.List[Descriptor]:
    """Runs a file of Python and returns the codecs that it makes known.

    Those that it gives to kakeya.register_codec(); where it gives none, every class of its own with a
    `name`, an `encode` and a `decode`. A file that was loaded before is not run again. Raises IoError,
    SpecError beginning with the path.
    """
    file, text, digest = _content(path)
    with _lock:
        if digest in _loaded:
            return _loaded[digest]
        before = set(_registered)
        name = f"kakeya_plugin_{digest[:16]}"
        spec = importlib.util.spec_from_file_location(name, file.resolve(), loader=importlib.machinery.SourceFileLoader(name, str(file.resolve())))
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # so that its classes find it
        try:
            exec(compile(text, str(file), "exec"), module.__dict__)
            if set(_registered) == before:
                for thing in list(vars(module).values()):
                    if inspect.isclass(thing) and thing.__module__ == name and all(hasattr(thing, each) for each in ("name", "encode", "decode")):
                        register_codec(thing)
            if set(_registered) == before:
                raise kakeya.SpecError("registers no codec, and has no class with a name, an encode and a decode")
        except BaseException as error:
            del sys.modules[name]
            if not isinstance(error, (Exception, SystemExit)):
                raise
            said = str(error) if isinstance(error, kakeya.Error) else f"{type(error).__name__}: {error}"
            raise kakeya.SpecError(f"{path}: {said}") from error
        return _keep(file, digest, [d for n, d in _registered.items() if n not in before])


def files_of(names: typing.Container[str]) -> typing.List[str]:
    """The files that codecs of these names came of, in the order in which they were loaded."""
    return list(dict.fromkeys(file for name, file in _files.items() if name in names))


def _load_library(path: typing.Union[str, os.PathLike]) -> typing.List[Descriptor]:
    file, _, digest = _content(path)
    with _lock:
        if digest in _loaded:
            return _loaded[digest]
        made: typing.List[Descriptor] = [LibraryDescriptor.of(name, str(file.resolve())) for name in _core.load_plugin(os.fspath(path))]
        _registered.update((descriptor.name, descriptor) for descriptor in made)
        return _keep(file, digest, made)


def _content(path: typing.Union[str, os.PathLike]) -> typing.Tuple[pathlib.Path, bytes, str]:
    file = pathlib.Path(path)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise kakeya.IoError(f"{path}: {error.strerror}") from error
    return file, content, hashlib.sha256(content).hexdigest()


def _keep(file: pathlib.Path, digest: str, made: typing.List[Descriptor]) -> typing.List[Descriptor]:
    _loaded[digest] = made
    _files.update((descriptor.name, str(file.resolve())) for descriptor in made)
    return made


class HostedCodecs:
    """Codecs in Python for a program that is no Python (kakeya.host): by handles, in JSON."""

    def __init__(self) -> None:
        self._open: typing.Dict[int, Coder] = {}
        self._next = 0

    def load(self, path: str) -> typing.List[typing.Dict[str, typing.Any]]:
        return [descriptor.json() for descriptor in load(path)]

    def open(self, spec: str, dim: int, site: typing.Any = None) -> typing.Dict[str, typing.Any]:
        coder = find(parse_spec(spec)[0]).open(spec, dim, site)
        handle, self._next = self._next, self._next + 1
        self._open[handle] = coder
        bounds = {"bound_vector": coder.bound_vector, "bound_frame": coder.bound_frame}
        return {"handle": handle, "spec": coder.spec, **bounds, "nominal": coder.nominal}

    def codec(self, handle: int) -> Coder:
        """Whose encode(float32 [count, dim]) gives bytes, and decode(bytes, count) float32 [count, dim]."""
        if handle not in self._open:
            raise kakeya.InputError(f"codec {handle}: not open")
        return self._open[handle]

    def close(self, handle: int) -> None:
        self.codec(handle)
        del self._open[handle]
