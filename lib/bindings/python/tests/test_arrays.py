# SPDX-License-Identifier: Apache-2.0
"""Arrays on their way in: dtypes, strides, DLPack, shapes."""
import array
import unittest

import kakeya
import numpy

from made import OnlyDlpack, bf16_patterns, to_bf16, vectors

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None
try:
    import torch
except ImportError:
    torch = None


class In(unittest.TestCase):
    def setUp(self):
        self.codec = kakeya.codec("e8:q=38", dim=64)
        self.x = vectors(24, 64)

    def same(self, given, as_given):
        self.assertEqual(self.codec.encode(given), self.codec.encode(numpy.ascontiguousarray(as_given, "float32")))

    def test_layouts(self):
        x = self.x
        wide = numpy.zeros((24, 130), "float32")
        wide[:, 3:67] = x
        self.same(wide[:, 3:67], x)
        self.same(x[::2], x[::2])
        self.same(x[::-1], x[::-1])
        self.same(x[:, ::-1], x[:, ::-1])
        self.same(numpy.asfortranarray(x), x)
        self.same(x.reshape(2, 3, 4, 64), x)
        self.same(x.reshape(2, 3, 4, 64).transpose(2, 0, 1, 3), x.reshape(2, 3, 4, 64).transpose(2, 0, 1, 3).reshape(24, 64))
        self.same(x.reshape(4, 6, 64)[:, 1:3], x.reshape(4, 6, 64)[:, 1:3].reshape(8, 64))
        self.same(x[3], x[3:4])
        self.same(numpy.broadcast_to(x[3], (5, 64)), numpy.repeat(x[3:4], 5, 0))
        self.same(x[::3, ::1][1:], x[3::3])
        self.same(x.reshape(24, 1, 64)[:, :, :], x)

    def test_all_strides_of_every_type(self):
        big = vectors(6 * 5, 130, seed=3).reshape(6, 5, 130)
        for dtype in ("float32", "float16"):
            typed = big.astype(dtype)
            for rows in (slice(None), slice(None, None, 2), slice(4, None, -1), slice(2, 2)):
                for columns in (slice(64), slice(1, 129, 2), slice(127, 63, -1)):
                    for axes in ((0, 1, 2), (1, 0, 2)):
                        view = typed[rows, :, columns].transpose(axes)
                        self.same(view, view.reshape(-1, 64))

    def test_not_aligned_and_read_only(self):
        raw = bytearray(b"?" + self.x.tobytes())
        self.same(numpy.frombuffer(raw, "float32", 24 * 64, 1).reshape(24, 64), self.x)
        self.same(numpy.frombuffer(self.x.tobytes(), "float32").reshape(24, 64), self.x)

    def test_types(self):
        self.same(self.x.astype("float16"), self.x.astype("float16"))
        halves = numpy.arange(1 << 16, dtype="uint16").view("float16")
        finite = halves[numpy.isfinite(halves)][: 64 * 900].reshape(-1, 64)
        identity = kakeya.codec("identity", dim=64)
        self.assertEqual(identity.encode(finite), identity.encode(finite.astype("float32")))

    @unittest.skipUnless(ml_dtypes, "needs ml_dtypes")
    def test_bfloat16_of_ml_dtypes(self):
        for x in (self.x, self.x[::2, :], self.x[:0]):
            self.same(x.astype(ml_dtypes.bfloat16), to_bf16(x))

    @unittest.skipUnless(torch, "needs torch")
    def test_torch(self):
        x = torch.from_numpy(self.x)
        self.same(x, self.x)
        self.same(x.to(torch.bfloat16), to_bf16(self.x))
        self.same(x.to(torch.bfloat16)[::2], to_bf16(self.x)[::2])
        self.same(x.half(), self.x.astype("float16"))
        self.same(x.view(4, 6, 64).transpose(0, 1), self.x.reshape(4, 6, 64).transpose(1, 0, 2).reshape(24, 64))
        with self.assertRaisesRegex(TypeError, "detach"):
            self.codec.encode(x.clone().requires_grad_())
        with self.assertRaisesRegex(TypeError, "torch.float64"):
            self.codec.encode(x.double())
        with self.assertRaises(TypeError):
            self.codec.encode(x.to("meta"))
        out = torch.empty(24, 64)
        frame = self.codec.encode(x)
        self.assertIs(self.codec.decode(frame, out=out), out)
        self.assertEqual(out.numpy().tobytes(), self.codec.decode(frame).tobytes())

    def test_protocols(self):
        self.same(OnlyDlpack(self.x), self.x)
        self.same(memoryview(self.x), self.x)
        self.same(array.array("f", self.x[0]), self.x[:1])

    def test_without_vectors(self):
        for shape in ((0, 64), (3, 0, 64)):
            frame = self.codec.encode(numpy.empty(shape, "float32"))
            self.assertEqual(self.codec.decode(frame).shape, (0, 64))

    def test_wrong_ones_are_named(self):
        for given, names in (
            (self.x.astype("float64"), "float64"),
            (self.x.astype("int32"), "int32"),
            (self.x.astype("complex64"), "complex64"),
            (self.x > 0, "bool"),
            (self.x.astype(">f4"), "f4"),
            (bf16_patterns(self.x), "uint16"),
            (numpy.array([None]), "object"),
            (numpy.zeros(2, "f4,f4"), "f4"),
            ([[0.0] * 64], "list"),
            (None, "NoneType"),
            (3.0, "float"),
            (b"1234", "bytes"),
            ("text", "str"),
        ):
            with self.subTest(names), self.assertRaisesRegex(TypeError, names):
                self.codec.encode(given)

    def test_wrong_shapes_are_named(self):
        for shape in ((24, 63), (64, 24), (0, 63), (64, 0), (0,), ()):
            with self.subTest(shape), self.assertRaises(kakeya.InputError):
                self.codec.encode(numpy.zeros(shape, "float32"))

    def test_what_is_not_finite_is_named(self):
        for value in (numpy.nan, numpy.inf, -numpy.inf):
            self.x[5, 9] = value
            for dtype in ("float32", "float16"):
                with self.assertRaisesRegex(kakeya.InputError, "5.*9"):
                    self.codec.encode(self.x.astype(dtype))

    def test_bad_exporters(self):
        class Liar:
            def __dlpack__(self, **words):
                raise ValueError("no")

            def __dlpack_device__(self):
                return (1, 0)

        class Other:
            def __dlpack__(self, **words):
                return 3

            def __dlpack_device__(self):
                return (1, 0)

        for given in (Liar(), Other()):
            with self.assertRaises(TypeError):
                self.codec.encode(given)


if __name__ == "__main__":
    unittest.main()
