# SPDX-License-Identifier: Apache-2.0
"""kakeya's programs from Python: where they are, and their command lines. Without torch."""

from __future__ import annotations

import json
import os
import shutil
import sys
import types
import typing

import kakeya

PREFIX = "transformers:"


def find(program: str) -> str:
    """The path of a program, "kakeya-sweep": in $KAKEYA_BIN, in the package, in PATH. Raises kakeya.IoError saying how to get
    it."""
    folders = [os.environ["KAKEYA_BIN"]] if os.environ.get("KAKEYA_BIN") else []
    folders.append(os.path.join(os.path.dirname(kakeya.__file__), "bin"))
    for folder in folders:
        path = os.path.join(folder, program)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    found = shutil.which(program)
    if found:
        return found
    raise kakeya.IoError(
        f"{program}: not in {', '.join(folders)} nor in PATH. Build it (cmake --preset release && ninja -C build/release {program}) and set "
        "KAKEYA_BIN to its folder, or install the package with its programs: pip install -C cmake.define.KAKEYA_PYTHON_PROGRAMS=ON "
        "./lib/bindings/python"
    )


def hosted_arguments(arguments: typing.Sequence[str]) -> typing.List[str]:
    """A command line whose model runs in transformers: the value of --model gets the prefix, unless it has it. Where none is
    given, the model of the file that --config names is given, as that file means it: relative to its folder."""
    made, config, named = [], None, False
    arguments = list(arguments)
    for number, word in enumerate(arguments):
        flag, equals, value = word.partition("=")
        before = arguments[number - 1] if number else ""
        if flag == "--model" and equals:
            named = True
            word = f"--model={_prefixed(value)}"
        elif before == "--model":
            named = True
            word = _prefixed(word)
        elif before == "--config":
            config = word
        elif flag == "--config" and equals:
            config = value
        made.append(word)
    if config is not None and not named:
        made += _model_of(config)
    return made


def run(program: str) -> typing.NoReturn:
    """Becomes a program with the arguments of this process, its model in transformers and its host this interpreter."""
    try:
        path = find(program)
        arguments = hosted_arguments(sys.argv[1:])
    except kakeya.Error as error:
        print(f"{program}: {error}", file=sys.stderr)
        sys.exit(1)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(path, [path, *arguments], {**os.environ, "KAKEYA_PYTHON": sys.executable})


def callable_module(name: str) -> None:
    """Makes a module of kakeya callable as the function of kakeya.hosting.drive that has its name: `import kakeya.capture`
    puts the module where kakeya.capture() was."""

    class Callable(types.ModuleType):
        def __call__(self, *arguments, **named):
            from kakeya.hosting import drive

            return getattr(drive, name.rpartition(".")[2])(*arguments, **named)

    sys.modules[name].__class__ = Callable


def command_flags(flags: typing.Dict[str, typing.Any]) -> typing.List[str]:
    """Keyword arguments as flags: skip_edge_layers=0 is --skip-edge-layers 0, a list gives several values, True the flag
    alone, None and False nothing."""
    words: typing.List[str] = []
    for name, value in flags.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, (list, tuple)):
            words += [flag, *(os.fspath(one) if isinstance(one, os.PathLike) else str(one) for one in value)]
        else:
            words += [flag, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    return words


def _prefixed(model: str) -> str:
    return model if model.startswith(PREFIX) else PREFIX + model


def _model_of(config: str) -> typing.List[str]:
    try:
        with open(config) as file:
            told = json.load(file)
    except (OSError, ValueError):
        return []  # which the program says better
    model = told.get("model") if isinstance(told, dict) else None
    if not isinstance(model, str) or "dump" in told:
        return []
    beside = os.path.join(os.path.dirname(config), model)
    return ["--model", _prefixed(beside if os.path.exists(beside) else model)]
