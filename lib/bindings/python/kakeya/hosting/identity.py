# SPDX-License-Identifier: Apache-2.0
"""What a codec of this process is, in 64 digits: so that a run that goes on sees that another one has its name."""

from __future__ import annotations

import builtins
import copyreg
import dis
import functools
import hashlib
import os
import sys
import threading
import types
import typing

import numpy

import kakeya

_PLAIN = (type(None), bool, int, float, complex, str, type(...), type(NotImplemented))
_UNSHARED = (tuple, bytes, frozenset, types.CodeType)  # whether two equal ones are one is Python's affair
_LOCKS = (type(threading.Lock()), type(threading.RLock()))
_CACHED = type(functools.lru_cache(lambda: None))
_WITHOUT_CODE = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, types.MethodWrapperType,
                 types.ClassMethodDescriptorType, types.GetSetDescriptorType, types.MemberDescriptorType, numpy.ufunc)
# Of a class: what says where it is written, and what Python keeps there for itself.
_ASIDE = {"__module__", "__dict__", "__weakref__", "__doc__", "__annotations__", "__annotate__", "__annotate_func__",
          "__annotations_cache__", "__firstlineno__", "__static_attributes__", "_abc_impl"}


class Identity(typing.NamedTuple):
    """sha256: 64 hex digits. unknown: what could not be read, "self.handle, a SwigPyObject"; where there is any, no two
    digests are equal."""

    sha256: str
    unknown: typing.Tuple[str, ...]


def identity(codec: typing.Any) -> Identity:
    """The digest of a codec's class or instance, by what it does and holds, wherever it was typed.

    Of the class, of its bases and of the classes of what it holds: byte code and constants of every method, defaults, what
    closures hold, attributes. Of an instance: what pickle would store, `__getstate__()` where it has one. Of modules: the
    functions, classes and values that this code names as globals, in modules of one's own. Not: what installed packages and
    the standard library do, what a method imports while it runs, files that it reads, comments, places in a file. Byte code
    is that of one version of Python, and another gives other digests.
    """
    walk = _Walk((codec if isinstance(codec, type) else type(codec)).__module__)
    try:
        walk.take(codec, "self")
    except RecursionError:
        walk.cannot("self", codec)
    return Identity(walk.hexdigest(), tuple(walk.unknown))


class _Walk:
    """Everything that can be reached from a thing, each once."""

    def __init__(self, module: typing.Optional[str]):
        self._own = _top(module).replace("builtins", "")  # a codec's own package is looked into where it is installed too
        self._hash = hashlib.sha256(sys.implementation.cache_tag.encode())
        self._seen: typing.Dict[int, int] = {}
        self._kept: typing.List[typing.Any] = []  # so that an id stays that of one thing
        self.unknown: typing.List[str] = []

    def hexdigest(self) -> str:
        return self._hash.hexdigest()

    def cannot(self, where: str, thing: typing.Any) -> None:
        self.unknown.append(f"{where}, a {type(thing).__name__}")
        self._hash.update(os.urandom(16))

    def take(self, thing: typing.Any, where: str) -> None:
        if type(thing) in _PLAIN:
            return self._put(type(thing).__name__, repr(thing))
        if type(thing) not in _UNSHARED:
            if id(thing) in self._seen:
                return self._put("again", self._seen[id(thing)])
            self._seen[id(thing)] = len(self._seen)
            self._kept.append(thing)
        if isinstance(thing, type):
            return self._take_class(thing, where)
        tensor = getattr(sys.modules.get("torch"), "Tensor", ())
        for kinds, taken in _TAKEN:
            if isinstance(thing, kinds):
                return taken(self, thing, where)
        if tensor and isinstance(thing, tensor):
            return self._take_tensor(thing, where)
        return self._take_object(thing, where)

    def _put(self, *words: typing.Any) -> None:
        for word in words:
            data = word if isinstance(word, bytes) else str(word).encode("utf-8", "surrogatepass")
            self._hash.update(len(data).to_bytes(8, "little") + data)

    def _all(self, kind: str, things: typing.Iterable[typing.Any], where: str) -> None:
        things = list(things)
        self._put(kind, len(things))
        for number, thing in enumerate(things):
            self.take(thing, f"{where}[{number}]")

    def _named(self, thing: typing.Any) -> None:
        self._put("named", getattr(thing, "__module__", ""), getattr(thing, "__qualname__", None) or getattr(thing, "__name__", ""))

    def _alone(self, thing: typing.Any, where: str) -> str:
        walk = _Walk(self._own)
        walk.take(thing, where)
        self.unknown += walk.unknown
        return walk.hexdigest()

    def _take_sequence(self, things, where):
        if type(things) in (tuple, list):
            return self._all(type(things).__name__, things, where)
        self._take_object(things, where)

    def _take_bytes(self, data, where):
        self._put("bytes", bytes(data))

    def _take_set(self, things, where):  # whose order differs from process to process
        self._put("set", *sorted(self._alone(thing, where) for thing in things))

    def _take_dict(self, things, where):
        if type(things) not in (dict, types.MappingProxyType):
            return self._take_object(things, where)
        self._put("dict", len(things))
        for digest, key in sorted(((self._alone(key, where), key) for key in things), key=lambda pair: pair[0]):
            self._put(digest)
            self.take(things[key], f"{where}.{key}" if isinstance(key, str) else f"{where}[{key!r}]")

    def _take_array(self, array, where):
        if type(array) is not numpy.ndarray or array.dtype.hasobject:
            return self._take_object(array, where)
        self._put("array", repr(array.dtype), array.shape, array.tobytes())

    def _take_tensor(self, tensor, where):
        import torch

        try:
            data = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
        except (RuntimeError, TypeError):
            return self.cannot(where, tensor)
        self._put("tensor", tensor.dtype, tuple(tensor.shape), data)

    def _take_code(self, code, where):
        self._put("code", code.co_code, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags,
                  code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, getattr(code, "co_exceptiontable", b""))
        self._all("constants", code.co_consts, where)

    def _take_function(self, function, where):
        if self._installed(function.__module__):
            return self._named(function)
        self._put("function", function.__name__)
        self.take(function.__code__, where)
        for name in ("__defaults__", "__kwdefaults__", "__dict__"):
            self.take(getattr(function, name), where)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            self._put(name)
            try:
                held = cell.cell_contents
            except ValueError:
                held = "nothing yet"
            self.take(held, f"{where}: {name}")
        for name in sorted(_globals_named(function.__code__)):
            if name in function.__globals__:
                self._put(name)
                self._take_global(function.__globals__[name], function.__code__, f"{where}: {name}")

    def _take_global(self, thing, code, where):
        self.take(thing, where)
        if isinstance(thing, types.ModuleType) and not self._installed(thing.__name__):
            for name in sorted(_names(code) & set(vars(thing))):
                self._put(name)
                self.take(getattr(thing, name), f"{where}.{name}")

    def _take_method(self, method, where):
        self.take(method.__func__, where)
        if isinstance(method, types.MethodType):
            self.take(method.__self__, where)

    def _take_property(self, made, where):
        self._all("property", (made.fget, made.fset, made.fdel), where)

    def _take_without_code(self, thing, where):
        self._named(thing)
        owner = getattr(thing, "__self__", None)
        if owner is not None and not isinstance(owner, (type, types.ModuleType)):
            self.take(owner, where)

    def _take_module(self, module, where):
        self._put("module", module.__name__)

    def _take_lock(self, lock, where):  # which holds nothing
        self._put("lock", type(lock).__name__)

    def _take_codec(self, codec, where):
        self._put("codec", codec.spec, codec.dim)

    def _take_profile(self, profile, where):
        self._put("profile", profile.digest)

    def _take_class(self, kind, where):
        here = kind.__module__ == "builtins" and getattr(builtins, kind.__name__, None) is not kind  # of exec() without a name
        if not here and self._installed(kind.__module__):
            return self._named(kind)
        self._put("class", kind.__name__, _compiled(kind.__module__))
        self._all("bases", kind.__bases__, where)
        self.take(type(kind), where)
        for name in sorted(set(vars(kind)) - _ASIDE):
            self._put(name)
            self.take(vars(kind)[name], f"{where}.{name}")

    def _take_object(self, thing, where):
        if isinstance(thing, _CACHED):  # what it keeps changes no result
            return self.take(thing.__wrapped__, where)
        reduce = copyreg.dispatch_table.get(type(thing))
        try:
            made = reduce(thing) if reduce else thing.__reduce_ex__(4)
        except Exception:  # it says in its own way that it cannot be pickled
            return self.cannot(where, thing)
        if isinstance(made, str):
            return self._put("named", type(thing).__module__, made)
        self._put("object", len(made))
        for part in made[:2]:
            self.take(part, where)
        self.take(made[2] if len(made) > 2 else None, where)
        for parts in made[3:5]:
            self._all("items", parts or (), where)

    def _installed(self, module: typing.Optional[str]) -> bool:
        return _top(module) != self._own and _is_installed(module)


_TAKEN: typing.List[typing.Tuple[typing.Any, typing.Callable]] = [
    ((tuple, list), _Walk._take_sequence),
    ((bytes, bytearray), _Walk._take_bytes),
    ((set, frozenset), _Walk._take_set),
    ((dict, types.MappingProxyType), _Walk._take_dict),
    (numpy.ndarray, _Walk._take_array),
    (types.CodeType, _Walk._take_code),
    (types.FunctionType, _Walk._take_function),
    ((types.MethodType, staticmethod, classmethod), _Walk._take_method),
    (property, _Walk._take_property),
    (_WITHOUT_CODE, _Walk._take_without_code),
    (types.ModuleType, _Walk._take_module),
    (_LOCKS, _Walk._take_lock),
    (kakeya.Codec, _Walk._take_codec),
    (kakeya.Profile, _Walk._take_profile),
]


def _top(module: typing.Optional[str]) -> str:
    return (module or "").partition(".")[0]


@functools.lru_cache(maxsize=None)
def _is_installed(module: typing.Optional[str]) -> bool:
    """Whether a module is Python's, kakeya's or a package's that was installed: no one's own."""
    known = sys.modules.get(module or "")
    if module == "__main__" or known is None:
        return False
    file = getattr(known, "__file__", None)
    if _top(module) == "kakeya" or file is None:
        return _top(module) == "kakeya" or getattr(getattr(known, "__spec__", None), "origin", None) in ("built-in", "frozen")
    return os.path.realpath(file).startswith(os.path.dirname(os.path.realpath(os.__file__)) + os.sep) or not {
        "site-packages", "dist-packages"
    }.isdisjoint(file.split(os.sep))


def _compiled(module: typing.Optional[str]) -> str:
    """The digest of the file of a module without byte code, "" of others."""
    from kakeya.hosting.digest import sha256_path

    file = getattr(sys.modules.get(module or ""), "__file__", None) or ""
    return sha256_path(file) if file.endswith(".so") else ""


def _inner(code: types.CodeType) -> typing.Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _inner(constant)


def _globals_named(code: types.CodeType) -> typing.Set[str]:
    return {step.argval for one in _inner(code) for step in dis.get_instructions(one) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}


def _names(code: types.CodeType) -> typing.Set[str]:
    return {name for one in _inner(code) for name in one.co_names}
