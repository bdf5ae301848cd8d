# SPDX-License-Identifier: Apache-2.0
"""A process beside this one that decodes what it is given: forked before anything was encoded, with limits."""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
import typing
import warnings

import numpy

import kakeya

_SECONDS = 20.0
_MEMORY = 2 << 30  # bytes beyond what this process has when it is forked


class Died(Exception):
    """The process crashed, hung or asked for too much memory."""


def _address_space() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


class Apart:
    """decode() in a process of its own. After it died another one takes its place."""

    def __init__(self, make: typing.Callable[[], typing.Any]) -> None:
        self._make = make
        self._child = 0
        self._start()

    def _start(self) -> None:
        ours, theirs = os.pipe()
        asked, self._ask = os.pipe()
        with warnings.catch_warnings():  # of threads that others left behind: the child uses none
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            code = 1
            try:
                os.close(ours)
                os.close(self._ask)
                self._serve(asked, theirs)
                code = 0
            finally:
                os._exit(code)
        os.close(theirs)
        os.close(asked)
        self._child, self._answer = child, ours

    def _serve(self, asked: int, answer: int) -> None:
        import resource

        limit = _address_space() + _MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, 2)
        coder = self._make()
        while True:
            head = _read(asked, 16)
            if head is None:
                return
            length, count = struct.unpack("<QQ", head)
            data = _read(asked, length)
            if data is None:
                return
            try:
                made = coder.decode(data, count)
            except MemoryError:
                os._exit(3)
            except Exception as error:
                made = str(error) if isinstance(error, kakeya.Error) else f"{type(error).__name__}: {error}"
            _write(answer, pickle.dumps(made, 4))

    def decode(self, data: bytes, count: int) -> typing.Union[numpy.ndarray, str]:
        """What decode() gave, or the text of what it raised. Raises Died."""
        try:
            _write(self._ask, struct.pack("<QQ", len(data), count) + data, head=False)
        except BrokenPipeError:
            pass
        head = _read(self._answer, 8, _SECONDS)
        if head is None or isinstance(head, str):
            hung = isinstance(head, str)
            if hung:
                os.kill(self._child, signal.SIGKILL)
            status = os.waitpid(self._child, 0)[1]
            self._close_pipes()
            self._start()
            if hung:
                raise Died(f"decode() did not end within {_SECONDS:g} s")
            if os.WIFSIGNALED(status):
                raise Died(f"decode() ended the process with signal {os.WTERMSIG(status)}")
            if os.WEXITSTATUS(status) == 3:
                raise Died(f"decode() asked for more than {_MEMORY >> 30} GiB of memory")
            raise Died(f"decode() ended the process with status {os.WEXITSTATUS(status)}")
        return pickle.loads(_read(self._answer, struct.unpack("<Q", head)[0]))

    def _close_pipes(self) -> None:
        os.close(self._ask)
        os.close(self._answer)

    def close(self) -> None:
        self._close_pipes()
        os.waitpid(self._child, 0)


def _write(to: int, data: bytes, head: bool = True) -> None:
    whole = memoryview((struct.pack("<Q", len(data)) if head else b"") + data)
    while whole:
        whole = whole[os.write(to, whole) :]


def _read(of: int, length: int, seconds: typing.Optional[float] = None) -> typing.Any:
    """So many bytes; None at the end; "" where none came in time."""
    parts = bytearray()
    while len(parts) < length:
        if seconds is not None and not select.select([of], [], [], seconds)[0]:
            return ""
        some = os.read(of, min(length - len(parts), 1 << 20))
        if not some:
            return None
        parts += some
    return bytes(parts)
