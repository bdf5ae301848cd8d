# SPDX-License-Identifier: Apache-2.0
"""What several tests need: the vectors of the golden frames, small profiles, rounding to bf16, arrays of other libraries."""
import os
import pathlib
import struct

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[4]
GOLDEN = ROOT / "tests" / "golden"
BIN = os.environ.get("KAKEYA_BIN")  # a folder of built programs
SANITIZED = "KAKEYA_ASAN" in os.environ  # the extension is compiled with AddressSanitizer


def philox(index, seed):
    """64 random bits: Random(seed).bits(index) of core/random.h."""
    c, k = [index, 0, 0, 0], [seed, 0]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & 0xFFFFFFFF, (a >> 32) ^ c[3] ^ k[1], a & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[1] << 32 | c[0]


def golden_input(count, dim=64):
    """golden_input() of tests/codecs/golden_test.cpp, but for klt."""
    x = numpy.empty((count, dim), "float32")
    for i in range(count * dim):
        u = numpy.float32((((philox(i, 61) >> 32) ^ 0x80000000) - 0x80000000 >> 8) * 2.0**-23)
        row = i // dim
        x[row, i % dim] = 0 if row == 3 else u * 2.0**20 if row == 4 else u * 2.0**-30 if row == 5 else u * u * u * numpy.float32(8)
    return x


def vectors(count, dim, seed=7):
    return numpy.random.default_rng(seed).standard_normal((count, dim)).astype("float32")


def bf16_patterns(x):
    """The nearest bf16, ties to even, of finite numbers: uint16."""
    bits = numpy.ascontiguousarray(x, "float32").view("uint32")
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("uint16")


def to_bf16(x):
    """The same as float32."""
    return (bf16_patterns(x).astype("uint32") << 16).view("float32")


def crc32c(data):
    table = []
    for i in range(256):
        for _ in range(8):
            i = i >> 1 ^ (0x82F63B78 if i & 1 else 0)
        table.append(i)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def klt_profile(layers=2, kv_heads=2, head_dim=16, tap=0):
    """A flat profile of klt (profile/profile_file.h) whose transforms are the identity."""
    text = b"".join(struct.pack("<H", len(t)) + t for t in (b"made", b"a" * 64, b"text", b"b" * 64, b"c" * 64, b"fp32"))
    body = struct.pack("<8I", layers, kv_heads, head_dim, 1, 32, 0, tap, 0) + bytes(range(32)) + text
    body += struct.pack("<HHIdd", 0, 1, 1, 2.0, 2.0)
    body += struct.pack("<d", 1.0) * (2 * layers) * 2  # sensitivities of both kinds
    matrix = numpy.eye(head_dim, dtype="float16").tobytes()
    site = bytes(4 * head_dim) + matrix + bytes([32]) * head_dim + struct.pack("<I", 0)
    body += struct.pack("<HH", 1, 1) + site * (2 * layers * kv_heads)
    body += struct.pack("<I", 0)  # no transforms of whole layers
    head = b"KKVP" + struct.pack("<HHQ", 1, 0, 16 + len(body) + 4)
    return head + body + struct.pack("<I", crc32c(head + body))


class OnlyDlpack:
    """An array of another library: nothing but DLPack."""

    def __init__(self, of):
        self.of = of

    def __dlpack__(self, **words):
        return self.of.__dlpack__(**words)

    def __dlpack_device__(self):
        return self.of.__dlpack_device__()
