# SPDX-License-Identifier: Apache-2.0
"""Arrays of jax and cupy, and arrays on devices, which every function refuses by name."""
import ctypes
import os
import tempfile
import unittest

import kakeya
import numpy

from made import to_bf16, vectors

try:
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    import jax.numpy
except ImportError:
    jax = None
try:
    import cupy

    cupy.zeros(1)
    cupy_is_missing = ""
except ImportError:
    cupy_is_missing = "needs cupy"
except Exception as error:  # cupy's own, by what is wrong with the machine
    cupy_is_missing = f"needs a device that cupy can use: {error}"


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


class Unwilling(OnDevice):
    """One that gives nothing to who names no stream of its device."""

    def __dlpack__(self, **words):
        raise BufferError("stream: None given")


class CudaInterface:
    """An array of numba: CUDA's own protocol and no other."""

    __cuda_array_interface__ = {"shape": (24, 64), "typestr": "<f4", "data": (1 << 40, False), "version": 3}
    dtype = numpy.dtype("float32")


CUDA = r"an array on a CUDA device given.*\.cpu\(\).*kakeya_device\.h"


class Refused(unittest.TestCase):
    """An array on a device is an error that says what to do, not a crash or a silent copy."""

    def setUp(self):
        self.x = vectors(24, 64)
        self.codec = kakeya.codec("e8:q=38", dim=64)

    def refused(self, call, name, said=CUDA):
        with self.assertRaisesRegex(TypeError, f"^{name}: {said}"):
            call()

    def test_memory_of_the_host(self):
        for device in (1, 3, 11, 13):
            self.assertEqual(self.codec.encode(OnDevice(self.x, device)), self.codec.encode(self.x))

    def test_in_every_function(self):
        x, codec = self.x, self.codec
        frame = codec.encode(x)
        cache = kakeya.PackedCache(1, 1, 64, codec="e8:q=10")
        sequence = cache.add_sequence()
        for there in (OnDevice(x, 2), Unwilling(x, 2), CudaInterface()):
            with self.subTest(type(there).__name__):
                self.refused(lambda: codec.encode(there), "x")
                self.refused(lambda: codec.encode(there, out=bytearray(9999)), "x")
                self.refused(lambda: codec.ledger(there, frame), "x")
                self.refused(lambda: codec.decode(frame, out=there), "out")
                self.refused(lambda: kakeya.PageWriter(kakeya.codec("ece8:bits=4", dim=64)).append(there), "rows")
                self.refused(lambda: cache.append(sequence, 0, there, x), "keys")
                self.refused(lambda: cache.append(sequence, 0, x, there), "values")
                self.refused(lambda: cache.read(sequence, 0, "key", out=there), "out")
        self.assertEqual(cache.tokens(sequence, 0), 0)

    def test_in_cache_files(self):
        x, words = vectors(20, 32).reshape(20, 1, 32), {"codec": "e8:q=10", "token_ids": range(20)}
        there = OnDevice(x, 2)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.kkv")
            self.refused(lambda: kakeya.save_cache(path, [x, there], [x, x], **words), "keys of layer 1")
            self.refused(lambda: kakeya.save_cache(path, [x], [there], **words), "values of layer 0")
            self.assertEqual(os.listdir(folder), [])

    def test_other_devices_by_number(self):
        for there in (OnDevice(self.x, 8), Unwilling(self.x, 8)):
            self.refused(lambda: self.codec.encode(there), "x", r"an array on another device \(DLPack's number 8\) given.*\.cpu\(\)")

    def test_those_that_do_not_say_where(self):
        class Broken:
            def __dlpack_device__(self):
                raise ValueError("no")

        for there, name in ((Unwilling(self.x, 1), "Unwilling"), (Broken(), "Broken")):
            self.refused(lambda: self.codec.encode(there), "x", f"{name} given, expected an array of float32")


@unittest.skipIf(cupy_is_missing, cupy_is_missing)
class Cupy(unittest.TestCase):
    def test_refused_until_on_the_host(self):
        codec, x = kakeya.codec("e8:q=38", dim=64), vectors(24, 64)
        frame, there = codec.encode(x), cupy.asarray(x)
        with self.assertRaisesRegex(TypeError, "^x: " + CUDA):
            codec.encode(there)
        with self.assertRaisesRegex(TypeError, "^out: " + CUDA):
            codec.decode(frame, out=there)
        self.assertEqual(codec.encode(there.get()), frame)
        pinned = cupy.cuda.alloc_pinned_memory(x.nbytes)
        pinned = numpy.frombuffer(pinned, "float32", x.size).reshape(x.shape)
        pinned[:] = x
        self.assertEqual(codec.encode(pinned), frame)


@unittest.skipUnless(jax, "needs jax")
class Jax(unittest.TestCase):
    def setUp(self):
        self.codec, self.x = kakeya.codec("e8:q=38", dim=64), vectors(24, 64)
        self.there = jax.numpy.asarray(self.x)

    def same(self, given, as_given):
        self.assertEqual(self.codec.encode(given), self.codec.encode(numpy.ascontiguousarray(as_given, "float32")))

    def test_types(self):
        self.same(self.there, self.x)
        self.same(self.there.astype("float16"), self.x.astype("float16"))
        self.same(self.there.astype("bfloat16"), to_bf16(self.x))
        for wrong in ("int32", "int8", "bool"):
            with self.assertRaisesRegex(TypeError, f"^x: ArrayImpl of {wrong} given, expected"):
                self.codec.encode(self.there.astype(wrong))

    def test_shapes(self):
        for there, x in ((self.there[::2], self.x[::2]), (self.there[0], self.x[:1]), (self.there[:0], self.x[:0]), (self.there.reshape(2, 12, 64), self.x),
                         (self.there.reshape(4, 6, 64).transpose(1, 0, 2), self.x.reshape(4, 6, 64).transpose(1, 0, 2).reshape(24, 64))):
            self.same(there, x)
            self.same(there.astype("bfloat16"), to_bf16(x))

    def test_the_whole_way(self):
        frame = self.codec.encode(self.there)
        back = jax.numpy.asarray(self.codec.decode(frame))
        self.assertEqual(numpy.asarray(back).tobytes(), self.codec.decode(frame).tobytes())
        for bf16 in (False, True):
            x = self.there.astype("bfloat16") if bf16 else self.there
            cache, plain = kakeya.PackedCache(1, 1, 64, codec="e8:q=10"), kakeya.PackedCache(1, 1, 64, codec="e8:q=10")
            cache.append(cache.add_sequence(), 0, x, x)
            host = to_bf16(self.x) if bf16 else self.x
            plain.append(plain.add_sequence(), 0, host, host)
            self.assertEqual(cache.read(0, 0, "key").tobytes(), plain.read(0, 0, "key").tobytes())

    def test_their_arrays_never_change(self):
        frame = self.codec.encode(self.x)
        before = numpy.asarray(self.there).tobytes()
        with self.assertRaisesRegex(TypeError, "^out: ArrayImpl of float32 given, expected a writable array"):
            self.codec.decode(frame, out=self.there)
        self.assertEqual(numpy.asarray(self.there).tobytes(), before)

    def test_traced_ones_have_no_values(self):
        with self.assertRaisesRegex(TypeError, "^x: .*Tracer.* given, expected an array"):
            jax.jit(lambda x: self.codec.encode(x))(self.there)
        self.same(self.there, self.x)


if __name__ == "__main__":
    unittest.main()
