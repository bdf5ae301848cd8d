# SPDX-License-Identifier: Apache-2.0
"""What is known of a codec in Python or in a shared library, and its coders: what kakeya.plugins registers."""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
import threading
import typing
import weakref

import numpy

import kakeya
from kakeya import _core

__all__ = ["Coder", "Descriptor", "Key", "LibraryCoder", "LibraryDescriptor", "describe", "has_bytes", "kind_of", "parse_spec"]

_WORD = re.compile(r"[A-Za-z0-9_.\-]+")
_VALUE = re.compile(r"[A-Za-z0-9_.\-/]+")
_coders: "weakref.WeakSet[Coder]" = weakref.WeakSet()


def _forget_turns() -> None:
    for coder in _coders:  # in a forked child no other thread is left that would end its turn
        coder._turn = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_turns)


def parse_spec(spec: str) -> typing.Tuple[str, typing.Dict[str, str]]:
    name, colon, rest = spec.partition(":")
    settings: typing.Dict[str, str] = {}
    for pair in rest.split(",") if colon else []:
        key, equals, value = pair.partition("=")
        if not equals or not _WORD.fullmatch(key) or not _VALUE.fullmatch(value) or key in settings:
            raise kakeya.SpecError(f"codec '{spec}': '{pair}': expected name or name:key=value,key=value")
        settings[key] = value
    return name, settings


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
        given = parse_spec(spec)[1]
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
            if isinstance(made, str) or not has_bytes(made):
                raise kakeya.InputError(f"{self.spec}: encode() gave {kind_of(made)}, expected bytes")
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
            raise kakeya.CorruptStream(f"{self.spec}: decode() gave {kind_of(made)} of shape {list(array.shape)}, expected [{count}, {self.dim}]")
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
        made = parse_spec(told["example"])[1]
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


def kind_of(thing: typing.Any) -> str:
    return "None" if thing is None else type(thing).__name__


def has_bytes(thing: typing.Any) -> bool:
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
