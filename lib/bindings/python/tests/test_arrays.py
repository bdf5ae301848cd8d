# SPDX-License-Identifier: Apache-2.0
"""Arrays on their way in and out: dtypes, strides, DLPack, shapes, `out`."""
import array
import ctypes
import unittest

import kakeya
import numpy

from made import bf16_patterns, to_bf16, vectors

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None
try:
    import torch
except ImportError:
    torch = None


class OnlyDlpack:
    """An array of another library: nothing but DLPack."""

    def __init__(self, of):
        self.of = of

    def __dlpack__(self, **words):
        return self.of.__dlpack__(**words)

    def __dlpack_device__(self):
        return self.of.__dlpack_device__()


class OnDevice:
    """An array that says it lies on a device of DLPack: 2 is CUDA, 3 memory of the host that CUDA pinned, 8 Metal."""

    def __init__(self, of, device):
        self.of, self.device = of, device

    def __dlpack__(self, **words):
        capsule = self.of.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        # DLTensor: the address of the data, then the type of the device.
        ctypes.c_int32.from_address(pointer(capsule, b"dltensor") + ctypes.sizeof(ctypes.c_void_p)).value = self.device
        return capsule

    def __dlpack_device__(self):
        return (self.device, 0)


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

    def test_devices(self):
        frame = self.codec.encode(self.x)
        self.assertEqual(self.codec.encode(OnDevice(self.x, 3)), frame)
        for device, said in ((2, r"a CUDA device given.*\.cpu\(\).*kakeya_device\.h"), (8, r"another device \(DLPack's number 8\) given.*\.cpu\(\)")):
            with self.subTest(device=device):
                with self.assertRaisesRegex(TypeError, "x: an array on " + said):
                    self.codec.encode(OnDevice(self.x, device))
                with self.assertRaisesRegex(TypeError, "out: an array on " + said):
                    self.codec.decode(frame, out=OnDevice(numpy.empty((24, 64), "float32"), device))

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


class Out(unittest.TestCase):
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
