# SPDX-License-Identifier: Apache-2.0
"""`out`: memory of the caller for frames and for vectors."""
import array
import mmap
import unittest

import kakeya
import numpy

try:
    import resource
except ImportError:  # not of Unix
    resource = None

from made import SANITIZED, OnlyDlpack, to_bf16, vectors


class Frames(unittest.TestCase):
    def setUp(self):
        self.codec, self.x = kakeya.codec("e8:q=38", dim=64), vectors(24, 64)
        self.frame = self.codec.encode(self.x)
        self.bound = self.codec.encoded_bound(24)

    def test_the_same_bytes(self):
        for make in (bytearray, lambda n: memoryview(bytearray(n)), lambda n: memoryview(bytearray(n + 3))[3:], lambda n: numpy.zeros(n, "uint8"),
                     lambda n: numpy.zeros(n, "int8"), lambda n: array.array("B", bytes(n)), lambda n: mmap.mmap(-1, n), lambda n: numpy.zeros((2, n), "uint8")):
            for bytes_more in (0, 1000):
                out = make(self.bound + bytes_more)
                frame = self.codec.encode(self.x, out=out)
                self.assertIs(type(frame), memoryview)
                self.assertEqual((frame.format, frame.ndim, bytes(frame)), ("B", 1, self.frame))
                self.assertEqual(bytes(memoryview(out).cast("B"))[: len(frame)], self.frame)
                self.assertEqual(self.codec.decode(frame).tobytes(), self.codec.decode(self.frame).tobytes())
                frame.release()

    def test_by_position_and_none(self):
        self.assertEqual(self.codec.encode(self.x, bytearray(self.bound)), self.frame)
        self.assertIs(type(self.codec.encode(self.x, out=None)), bytes)
        self.assertEqual(self.codec.encode(self.x, out=None), self.frame)

    def test_the_frame_keeps_its_memory(self):
        frame = self.codec.encode(self.x, out=bytearray(self.bound))
        self.assertEqual(frame, self.frame)
        out = bytearray(self.bound)
        frame = self.codec.encode(self.x, out=out)
        with self.assertRaises(BufferError):
            out.clear()
        frame.release()
        out.clear()

    def test_nothing_is_written_behind_the_bound(self):
        out = bytearray(b"?" * (self.bound + 50))
        self.codec.encode(self.x, out=out)
        self.assertEqual(out[self.bound :], b"?" * 50)

    def test_fewer_bytes_than_the_bound(self):
        for spec in ("e8:q=38", "ece8:bits=4"):
            codec = kakeya.codec(spec, dim=64)
            frame, bound = codec.encode(self.x), codec.encoded_bound(24)
            self.assertLess(len(frame), bound)
            self.assertEqual(codec.encode(self.x, out=bytearray(len(frame))), frame)
            for room in (0, 1, len(frame) - 1):
                out = bytearray(b"?" * room)
                with self.assertRaisesRegex(kakeya.InputError, f"^out: {room} bytes given, expected {len(frame)} .encoded_bound.*{bound}"):
                    codec.encode(self.x, out=out)
                self.assertEqual(out, b"?" * room)
                out.append(1)  # nothing holds it

    def test_wrong_ones_are_named(self):
        fixed = numpy.zeros(self.bound, "uint8")
        fixed.flags.writeable = False
        for out, names in ((bytes(self.bound), "bytes that is read-only"), (memoryview(bytes(self.bound)), "memoryview that is read-only"), (fixed, "ndarray that is read-only"),
                           (numpy.zeros(2 * self.bound, "uint8")[::2], "ndarray that is read-only or has gaps"), (numpy.zeros((9, self.bound), "uint8").T, "has gaps"),
                           (numpy.zeros(self.bound, "float32"), "ndarray of format 'f'"), (numpy.zeros(self.bound, "bool"), "format '.'"), (numpy.zeros(self.bound, "S1"), "format '1s'"),
                           ([0] * self.bound, "list"), (3, "int"), ("text", "str")):
            with self.subTest(names), self.assertRaisesRegex(TypeError, f"^out: .*{names}.* given, expected a writable buffer of bytes"):
                self.codec.encode(self.x, out=out)

    def test_memory_of_the_input(self):
        memory = numpy.zeros(1 << 16, "uint8")
        x = memory[: 4 * 24 * 64].view("float32").reshape(24, 64)
        x[:] = self.x
        for out in (memory, memory[4 * 24 * 64 - 1 :], memory[100:5000]):
            with self.assertRaisesRegex(kakeya.InputError, "^out: memory that x lies in too"):
                self.codec.encode(x, out=out)
        self.assertEqual(self.codec.encode(x, out=memory[4 * 24 * 64 :]), self.frame)
        values = memory[: 4 * 24 * 64].view("float32").reshape(24, 64)
        memory[-len(self.frame) :] = numpy.frombuffer(self.frame, "uint8")
        with self.assertRaisesRegex(kakeya.InputError, "^out: memory that the frame lies in too"):
            self.codec.decode(memory[-len(self.frame) :], out=memory[-4 * 24 * 64 :].view("float32").reshape(24, 64))
        self.codec.decode(memory[-len(self.frame) :], out=values)
        self.assertEqual(values.tobytes(), self.codec.decode(self.frame).tobytes())

    def test_an_exception_leaves_it_usable(self):
        out = bytearray(self.bound)
        bad = self.x.copy()
        bad[3, 5] = numpy.nan
        with self.assertRaisesRegex(kakeya.InputError, "3.*5"):
            self.codec.encode(bad, out=out)
        self.assertEqual(self.codec.encode(self.x, out=out), self.frame)

    def test_of_all_lengths(self):
        """The memory in which frames are made is used again: shorter and longer ones in turn, also ones that it is not kept for."""
        codec = kakeya.codec("identity", dim=64)
        for count in (24, 0, 90000, 1, 3000, 24, 90000, 2):
            x = vectors(count, 64)
            frame = codec.encode(x)
            out = bytearray(codec.encoded_bound(count))
            self.assertTrue(codec.encode(x, out=out) == frame)
            self.assertTrue((codec.decode(frame) == to_bf16(x)).all())


class Memory(unittest.TestCase):
    @unittest.skipUnless(resource and not SANITIZED, "needs the system's count of fresh pages")
    def test_no_page_is_fresh(self):
        """With `out` a call asks the system for nothing: fresh pages would cost a fifth of it."""
        codec, x = kakeya.codec("e8:q=10", dim=128), vectors(1 << 14, 128)
        frame, out, room = codec.encode(x), numpy.zeros_like(x), bytearray(codec.encoded_bound(1 << 14))

        def faults(call):
            call()
            before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            for _ in range(10):
                call()
            return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

        self.assertGreater(len(frame), 100 * resource.getpagesize())
        self.assertLess(faults(lambda: codec.encode(x, out=room)), 100)
        self.assertLess(faults(lambda: codec.decode(frame, out=out)), 100)


class Vectors(unittest.TestCase):
    def setUp(self):
        self.codec = kakeya.codec("e8:q=38", dim=64)
        self.frame = self.codec.encode(vectors(24, 64))
        self.y = self.codec.decode(self.frame)

    def test_the_same_values(self):
        wide = numpy.full((24, 100), 7, "float32")
        for out in (numpy.empty((24, 64), "float32"), wide[:, 5:69], numpy.empty((48, 64), "float32")[::2], OnlyDlpack(numpy.empty((24, 64), "float32"))):
            self.assertIs(self.codec.decode(self.frame, out=out), out)
            self.assertEqual(numpy.ascontiguousarray(getattr(out, "of", out)).tobytes(), self.y.tobytes())
        self.assertTrue((wide[:, :5] == 7).all() and (wide[:, 69:] == 7).all())

    def test_wrong_ones(self):
        for out in (numpy.empty((23, 64), "float32"), numpy.empty((24, 65), "float32"), numpy.empty(24 * 64, "float32"),
                    numpy.empty((64, 24), "float32").T, numpy.empty((24, 128), "float32")[:, ::2],
                    numpy.empty((24, 64), "float32")[::-1], numpy.lib.stride_tricks.as_strided(numpy.empty(2000, "float32"), (24, 64), (4, 4))):
            with self.assertRaises(kakeya.InputError):
                self.codec.decode(self.frame, out=out)
        fixed = numpy.empty((24, 64), "float32")
        fixed.flags.writeable = False
        for out in (numpy.empty((24, 64), "float64"), numpy.empty((24, 64), "float16"), fixed, [], "text"):
            with self.assertRaises(TypeError):
                self.codec.decode(self.frame, out=out)

    def test_frames_by_any_buffer(self):
        for frame in (bytearray(self.frame), memoryview(self.frame), numpy.frombuffer(self.frame, "uint8")):
            self.assertEqual(self.codec.decode(frame).tobytes(), self.y.tobytes())
        for frame in ("text", None, 3, memoryview(self.frame)[::2]):
            with self.assertRaises(TypeError):
                self.codec.decode(frame)

    def test_results_are_ordinary(self):
        self.assertTrue(self.y.flags.c_contiguous and self.y.flags.writeable and self.y.flags.owndata)


if __name__ == "__main__":
    unittest.main()
