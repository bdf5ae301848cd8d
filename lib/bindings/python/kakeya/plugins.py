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

import dataclasses
import hashlib
import importlib.machinery
import importlib.util
import inspect
import os
import pathlib
import re
import sys
import threading
import typing
import weakref

import numpy

import kakeya
from kakeya import _core

__all__ = ["Coder", "Descriptor", "HostedCodecs", "Key", "LibraryDescriptor", "describe", "find", "load", "load_plugin", "register_codec"]

_WORD = re.compile(r"[A-Za-z0-9_.\-]+")
_VALUE = re.compile(r"[A-Za-z0-9_.\-/]+")
_registered: typing.Dict[str, "Descriptor"] = {}
_loaded: typing.Dict[str, typing.List["Descriptor"]] = {}  # by the digest of a file
_files: typing.Dict[str, str] = {}  # of codecs that came of a file, by name
_lock = threading.RLock()
_coders: "weakref.WeakSet[Coder]" = weakref.WeakSet()


def _forget_turns() -> None:
    for coder in _coders:  # in a forked child no other thread is left that would end its turn
        coder._turn = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_turns)


@dataclasses.dataclass(frozen=True)
class Key:
    """A key of a spec. `default`: its text, "" where it must be given. `kind`: int, float, bool, str."""

    name: str
    default: str
    help: str
    kind: type
    rate: bool = False

    def value_of(self, codec: str, text: str) -> typing.Any:
        """What the text means. Raises SpecError."""
        try:
            if self.kind is bool:
                return {"true": True, "false": False}[text]
            return self.kind(text)
        except (KeyError, ValueError):
            expected = {int: "a whole number", float: "a number", bool: "true or false"}[self.kind]
            raise kakeya.SpecError(f"{codec}: {self.name}={text}: expected {expected}") from None


@dataclasses.dataclass(frozen=True)
class Descriptor:
    """What is known of a codec in Python. `source`: its class, or an instance that codes for every dim."""

    name: str
    summary: str
    example: str
    paper: str
    keys: typing.Tuple[Key, ...]
    scope: str
    source: typing.Any

    def json(self) -> typing.Dict[str, typing.Any]:
        """As the protocol of hosts has it."""
        keys = [{"name": k.name, "default": k.default, "help": k.help, "rate": k.rate} for k in self.keys]
        return {"name": self.name, "summary": self.summary, "example": self.example, "paper": self.paper, "keys": keys, "scope": self.scope}

    def open(self, spec: str, dim: int, site: typing.Any = None) -> "Coder":
        """The coder that a spec of this name means. Raises SpecError, InputError, what the class raises."""
        given = _parse(spec)[1]
        for key in given:
            if key not in {k.name for k in self.keys}:
                names = ", ".join(k.name for k in self.keys)
                raise kakeya.SpecError(f"{self.name}: unknown key '{key}': " + (f"expected one of {names}" if names else "it takes none"))
        return self.make(given, dim, site)

    def make(self, settings: typing.Mapping[str, str], dim: int, site: typing.Any = None) -> "Coder":
        """As open(), from texts of keys; those that are missing have their default."""
        texts = {k.name: settings.get(k.name) or k.default for k in self.keys}
        for key in self.keys:
            if not texts[key.name]:
                raise kakeya.SpecError(f"{self.name}: no {key.name} given: expected {self.name}:{key.name}=...")
        values = {k.name: k.value_of(self.name, texts[k.name]) for k in self.keys}
        said = [f"{k.name}={texts[k.name]}" for k in sorted(self.keys, key=lambda k: not k.rate) if texts[k.name] != k.default]
        spec = self.name + (":" + ",".join(said) if said else "")
        if self.scope != "head":
            site = None
        elif site is None:
            raise kakeya.InputError(f"{self.name}: expected site, where the vectors come from, as (3, 'key', 0)")
        else:
            site = kakeya.Site(*site)
        return Coder(self, spec, dim, _instance(self.source, dim, values, site))

    def framed(self, spec: str, dim: int, site: typing.Any = None) -> kakeya.Codec:
        """The codec that kakeya.codec() would make, were it registered. Raises SpecError, InputError."""
        return _core.unregistered_codec(self, spec, dim, site)


class Coder:
    """An instance of a codec for vectors of `dim`, with what its class leaves to check checked.

    spec: canonical. bound_vector, bound_frame: the most bytes that encode() gives are
    bound_vector * count + bound_frame. nominal: bits a vector, or None.
    """

    def __init__(self, descriptor: Descriptor, spec: str, dim: int, codec: typing.Any) -> None:
        self.descriptor, self.spec, self.dim, self.codec = descriptor, spec, dim, codec
        self.bound_vector, self.bound_frame = _bound(descriptor.name, codec, dim)
        nominal = getattr(codec, "nominal_bits", None)
        self.nominal = None if nominal is None else float(nominal() if callable(nominal) else nominal)
        self._takes_count = _takes_two(codec.decode)
        self._turn = threading.Lock()
        _coders.add(self)

    def bound(self, count: int) -> int:
        return self.bound_vector * count + self.bound_frame

    def encode(self, x: numpy.ndarray) -> bytes:
        """The bytes of float32 [count, dim]. Raises InputError on what is no bytes or more than the bound."""
        given = numpy.ascontiguousarray(x, "float32").reshape(-1, self.dim).view()
        given.flags.writeable = False
        with self._turn:
            made = self.codec.encode(given)
        if not isinstance(made, bytes):
            if isinstance(made, str) or not _has_bytes(made):
                raise kakeya.InputError(f"{self.spec}: encode() gave {_kind(made)}, expected bytes")
            made = bytes(memoryview(numpy.ascontiguousarray(made) if isinstance(made, numpy.ndarray) else made).cast("B"))
        if len(made) > self.bound(len(given)):
            raise kakeya.InputError(f"{self.spec}: encode() gave {len(made)} bytes for {len(given)} vectors of {self.dim}, its bound is {self.bound(len(given))}")
        return made

    def decode(self, data: bytes, count: int) -> numpy.ndarray:
        """float32 [count, dim] of such bytes. Raises CorruptStream on another shape or no numbers."""
        with self._turn:
            made = self.codec.decode(data, count) if self._takes_count else self.codec.decode(data)
        array = numpy.asarray(made)
        if array.shape != (count, self.dim):
            raise kakeya.CorruptStream(f"{self.spec}: decode() gave {_kind(made)} of shape {list(array.shape)}, expected [{count}, {self.dim}]")
        if array.dtype.kind not in "fiu":
            raise kakeya.CorruptStream(f"{self.spec}: decode() gave {array.dtype}, expected numbers")
        with numpy.errstate(over="ignore"):  # what overflows is no longer finite, which the library refuses
            return numpy.ascontiguousarray(array, "float32")


class LibraryCoder:
    """As Coder, of a codec of a shared library, whose functions the library of kakeya calls."""

    def __init__(self, descriptor: "LibraryDescriptor", spec: str, dim: int, site: typing.Any) -> None:
        self.descriptor, self.dim = descriptor, dim
        self.spec = descriptor.framed(spec, dim, site).spec
        self.codec = _core.PluginCoder(spec, dim, site)
        self.nominal, self.bound, self.decode = self.codec.nominal, self.codec.bound, self.codec.decode

    def encode(self, x: numpy.ndarray) -> bytes:
        return self.codec.encode(numpy.ascontiguousarray(x, "float32"))


@dataclasses.dataclass(frozen=True)
class LibraryDescriptor(Descriptor):
    """A codec of a shared library; `source`: its file. It is always given a site, which those that are not of a head ignore."""

    @classmethod
    def of(cls, name: str, file: str) -> "LibraryDescriptor":
        told = next(one for one in kakeya.list() if one["name"] == name)
        made = dict(pair.split("=", 1) for pair in told["example"].partition(":")[2].split(",") if pair)
        keys = []
        for key in told["keys"]:
            value = key["default"] or made[key["name"]]
            kind = next((kind for kind in (int, float) if _is(kind, value)), str)
            keys.append(Key(key["name"], key["default"], key["help"], kind, _core.rate_key(f"{name}:{key['name']}={value}") is not None))
        return cls(name, told["summary"], told["example"], told["source"], tuple(keys), "head", file)

    def open(self, spec: str, dim: int, site: typing.Any = None) -> LibraryCoder:
        return LibraryCoder(self, spec, dim, site)

    def framed(self, spec: str, dim: int, site: typing.Any = None) -> kakeya.Codec:
        return kakeya.codec(spec, dim=dim, site=site)


def _is(kind: type, text: str) -> bool:
    try:
        kind(text)
        return True
    except ValueError:
        return False


def _kind(thing: typing.Any) -> str:
    return "None" if thing is None else type(thing).__name__


def _has_bytes(thing: typing.Any) -> bool:
    try:
        return memoryview(thing).itemsize == 1
    except TypeError:
        return False


def _takes_two(decode: typing.Any) -> bool:
    """Whether decode() takes the count beside the bytes."""
    try:
        parameters = list(inspect.signature(decode).parameters.values())
    except (TypeError, ValueError):
        return True
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return True
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters) > 1


def _bound(name: str, codec: typing.Any, dim: int) -> typing.Tuple[int, int]:
    bound = getattr(codec, "bound", None)
    if bound is None:
        return 8 * dim + 64, 4096
    try:
        vector, besides = map(int, bound)
        if vector < 0 or besides < 0:
            raise ValueError
    except (TypeError, ValueError):
        raise kakeya.SpecError(f"codec '{name}': bound {bound!r}: expected (bytes a vector, bytes besides)") from None
    return vector, besides


def _parameters(source: typing.Any) -> typing.Dict[str, inspect.Parameter]:
    """What a class is made with; {} where it takes nothing or does not say."""
    if source.__init__ is object.__init__ and source.__new__ is object.__new__:
        return {}
    try:
        return dict(inspect.signature(source).parameters)
    except (TypeError, ValueError):
        return {}


def _instance(source: typing.Any, dim: int, values: typing.Dict[str, typing.Any], site: typing.Any) -> typing.Any:
    if not inspect.isclass(source):
        if getattr(source, "dim", dim) != dim:
            raise kakeya.InputError(f"{source.name}: an instance for vectors of {source.dim}, expected one for {dim}")
        return source
    parameters = _parameters(source)
    everything = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    words = dict(values)
    first: typing.List[int] = []
    if "dim" in parameters or everything:
        words["dim"] = dim
    elif any(p.default is p.empty and p.name not in {*values, "site"} for p in parameters.values()):
        first = [dim]
    if site is not None and ("site" in parameters or everything):
        words["site"] = site
    return source(*first, **words)


def _text(codec: str, key: str, default: typing.Any) -> typing.Tuple[str, type]:
    """The text of a default, and its kind."""
    if default is None or inspect.isclass(default):
        kind = default or str
        text = ""
    else:
        kind = type(default)
        text = str(default).lower() if kind is bool else repr(default).replace("e+", "e") if kind is float else str(default)
    if kind not in (int, float, bool, str) or (text and not _VALUE.fullmatch(text)):
        raise kakeya.SpecError(f"codec '{codec}': key {key}: default {default!r}: expected a number, true or false, a word, or one of their types")
    return text, kind


def describe(source: typing.Any) -> Descriptor:
    """What a class (or an instance) says of itself. Raises SpecError naming what is missing."""
    name = getattr(source, "name", None)
    if not isinstance(name, str) or not _WORD.fullmatch(name):
        raise kakeya.SpecError(f"codec {source!r}: name {name!r}: expected a text of letters, digits, '_', '.' or '-'")
    for method in ("encode", "decode"):
        if not callable(getattr(source, method, None)):
            raise kakeya.SpecError(f"codec '{name}': no {method}(), expected encode(self, x) and decode(self, data, count)")
    is_class = inspect.isclass(source)
    parameters = _parameters(source) if is_class else {}
    keys = getattr(source, "keys", None)
    if callable(keys) or keys is None:
        keys = {p.name: p.default for p in parameters.values() if p.default is not p.empty and p.name not in ("dim", "site")}
    if not isinstance(keys, dict):
        raise kakeya.SpecError(f"codec '{name}': keys {keys!r}: expected a dict of defaults")
    everything = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    helps, rate = getattr(source, "help", None), getattr(source, "rate", "")
    helps = helps if isinstance(helps, dict) else {}
    made = []
    for key, default in keys.items():
        if not isinstance(key, str) or not _WORD.fullmatch(key) or key in ("dim", "site"):
            raise kakeya.SpecError(f"codec '{name}': key {key!r}: expected letters, digits, '_', '.' or '-', and neither dim nor site")
        if not is_class:
            raise kakeya.SpecError(f"codec '{name}': key {key} of an instance: expected its class, or no keys")
        if not (everything or key in parameters):
            raise kakeya.SpecError(f"codec '{name}': key {key}: its constructor takes no such argument")
        text, kind = _text(name, key, default)
        made.append(Key(key, text, str(helps.get(key, "")), kind, key == rate))
    if rate and rate not in keys:
        raise kakeya.SpecError(f"codec '{name}': rate '{rate}': expected one of its keys" + (f", {', '.join(keys)}" if keys else ""))
    scope = getattr(source, "scope", "any")
    if scope not in ("any", "head"):
        raise kakeya.SpecError(f"codec '{name}': scope {scope!r}: expected 'any' or 'head'")
    summary = getattr(source, "summary", None)
    if summary is None:  # the first line of its docstring, where it has one of its own
        doc = (source if is_class else type(source)).__dict__.get("__doc__")
        summary = inspect.cleandoc(doc).split("\n")[0] if doc else ""
    return Descriptor(name, str(summary), str(getattr(source, "example", None) or name), str(getattr(source, "paper", "")), tuple(made), scope, source)


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


def _parse(spec: str) -> typing.Tuple[str, typing.Dict[str, str]]:
    name, colon, rest = spec.partition(":")
    settings: typing.Dict[str, str] = {}
    for pair in rest.split(",") if colon else []:
        key, equals, value = pair.partition("=")
        if not equals or not _WORD.fullmatch(key) or not _VALUE.fullmatch(value) or key in settings:
            raise kakeya.SpecError(f"codec '{spec}': '{pair}': expected name or name:key=value,key=value")
        settings[key] = value
    return name, settings


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
        coder = find(_parse(spec)[0]).open(spec, dim, site)
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
