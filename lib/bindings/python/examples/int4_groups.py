# SPDX-License-Identifier: Apache-2.0
"""A codec of one's own: groups of values share a float16 scale, each is an integer of 4 bits.

    kakeya-codec roundtrip --plugin int4_groups.py --codec int4np:group=64 --in keys.npy
"""
import kakeya
import numpy


@kakeya.register_codec
class Int4Groups:
    name = "int4np"
    summary = "INT4 with a float16 scale a group, in numpy"
    help = {"group": "values that share a scale: an even divisor of dim"}

    def __init__(self, dim, group=32):
        if group < 2 or group % 2 or dim % group:
            raise kakeya.InputError(f"group={group}: expected an even divisor of dim {dim}")
        self.dim, self.group = dim, group
        self.bytes = dim // 2 + 2 * dim // group  # a vector
        self.bound = self.bytes, 0
        self.nominal_bits = 8 * self.bytes

    def encode(self, x):
        x = x.reshape(len(x), -1, self.group)
        scales = (abs(x).max(axis=2, keepdims=True) / 7).clip(max=65504).astype("float16")
        wide = numpy.where(scales == 0, 1, scales).astype("float32")
        codes = (numpy.rint(x / wide).clip(-7, 7) + 8).astype("uint8").reshape(len(x), -1)
        packed = codes[:, ::2] | codes[:, 1::2] << 4
        return numpy.hstack([scales.reshape(len(x), -1).view("uint8"), packed]).tobytes()

    def decode(self, data, count):
        rows = numpy.frombuffer(data, "uint8").reshape(count, self.bytes)
        scales = rows[:, : -self.dim // 2].copy().view("float16").astype("float32")
        packed = rows[:, -self.dim // 2 :]
        codes = numpy.stack([packed & 15, packed >> 4], axis=2).reshape(count, -1, self.group)
        return ((codes.astype("float32") - 8) * scales[:, :, None]).reshape(count, self.dim)
