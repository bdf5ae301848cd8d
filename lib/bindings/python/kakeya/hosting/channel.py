# SPDX-License-Identifier: Apache-2.0
"""The channel between a program and its host: messages over a socket, arrays in memory that both map."""

from __future__ import annotations

import json
import mmap
import os
import socket
import struct
import typing

import numpy

import kakeya

PROTOCOL = 1
MESSAGE_LIMIT = 1 << 20  # bytes of a message
_STEP = 4 << 20  # the shared file grows by multiples of so many bytes
_ALIGN = 64

Place = typing.List[int]  # [offset, bytes] in the shared file


class Closed(Exception):
    """The other side has ended."""


class Channel:
    """One end of a connected unix socket, SOCK_STREAM, and of a shared file (memfd), given as descriptors.

    A message is a uint32 length, little-endian, and that many bytes of JSON, an object. Whoever sends arrays makes the
    file long enough; it only ever grows. Offsets are multiples of 64.
    """

    def __init__(self, socket_fd: int, memory_fd: int):
        self._socket = socket.socket(fileno=socket_fd)
        self._memory_fd = memory_fd
        self._map: typing.Optional[mmap.mmap] = None
        self._base = 0  # of the memory: where places() begins
        self.reply: typing.Optional[typing.Callable[[dict], dict]] = None  # to a request

    def close(self) -> None:
        self._socket.close()

    def send(self, message: dict) -> None:
        """Raises kakeya.InputError on a message that is too long, Closed where nobody listens."""
        data = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if len(data) > MESSAGE_LIMIT:
            raise kakeya.InputError(f"a message of {len(data)} bytes, expected at most {MESSAGE_LIMIT}")
        try:
            self._socket.sendall(struct.pack("<I", len(data)) + data)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Closed() from error

    def receive(self) -> dict:
        """The next message. Raises Closed at the end of the stream, kakeya.CorruptStream on what is no message."""
        (length,) = struct.unpack("<I", self._bytes(4))
        if length > MESSAGE_LIMIT:
            raise kakeya.CorruptStream(f"a message of {length} bytes, expected at most {MESSAGE_LIMIT}")
        data = self._bytes(length)
        try:
            message = json.loads(data)
        except ValueError as error:
            raise kakeya.CorruptStream(f"a message that is not JSON: {error}") from None
        if not isinstance(message, dict):
            raise kakeya.CorruptStream(f"a message that is no object: {data[:80]!r}")
        return message

    def call(self, message: dict) -> dict:
        """Sends a call of a forward and returns its answer. Requests that the program makes before that (a codec in Python
        that its tap uses) are replied to."""
        self.send(message)
        while "do" in (answer := self.receive()):
            self.serve(answer)
        return answer

    def serve(self, request: dict) -> None:
        """Replies to a request, by `reply`. Arrays of its calls and of its reply lie behind "free", where it says so."""
        outer, self._base = self._base, request.get("free", 0)
        try:
            self.send(self.reply(request))
        finally:
            self._base = outer

    def _bytes(self, count: int) -> bytes:
        parts = []
        while count > 0:
            try:
                part = self._socket.recv(min(count, 1 << 16))
            except ConnectionResetError as error:
                raise Closed() from error
            if not part:
                raise Closed()
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def array(self, place: Place, dtype: typing.Any) -> numpy.ndarray:
        """The array at a place, [bytes / itemsize], in the shared memory itself: writing it is seen on the other side.
        It stays valid when the memory grows. Raises kakeya.CorruptStream where there is no such place."""
        dtype = numpy.dtype(dtype)
        if not (isinstance(place, list) and len(place) == 2 and all(isinstance(one, int) and one >= 0 for one in place)):
            raise kakeya.CorruptStream(f"place {place!r} of an array: expected [offset, bytes]")
        offset, size = place
        if size % dtype.itemsize:
            raise kakeya.CorruptStream(f"an array of {size} bytes, expected a multiple of {dtype.itemsize}")
        if self._map is None or offset + size > len(self._map):
            held = os.fstat(self._memory_fd).st_size
            if offset + size > held:
                raise kakeya.CorruptStream(f"an array that ends at byte {offset + size} of shared memory that has {held}")
            if size == 0 and held == 0:
                return numpy.empty(0, dtype)
            self._map = mmap.mmap(self._memory_fd, held)
        return numpy.frombuffer(self._map, dtype, size // dtype.itemsize, offset)

    def places(self, *sizes: int) -> typing.List[Place]:
        """Room for arrays of so many bytes, one behind another, where the request that is replied to leaves room. What lay
        there is lost: one message's arrays at a time."""
        found, offset = [], self._base
        for size in sizes:
            found.append([offset, size])
            offset += -(-size // _ALIGN) * _ALIGN
        if os.fstat(self._memory_fd).st_size < offset:
            os.ftruncate(self._memory_fd, -(-offset // _STEP) * _STEP)
        return found

    def put(self, array: numpy.ndarray) -> Place:
        """Copies one array to the shared memory, as the only one of the next message."""
        (place,) = self.places(array.nbytes)
        self.array(place, array.dtype)[:] = array.reshape(-1)
        return place


def pair() -> typing.Tuple[socket.socket, socket.socket, int]:
    """Two connected sockets and a shared file: what a program and its host are given."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    return ours, theirs, os.memfd_create("kakeya", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
