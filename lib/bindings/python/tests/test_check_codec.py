# SPDX-License-Identifier: Apache-2.0
"""kakeya.check_codec(): the example passes, and each codec that is wrong in one way fails the check of that name."""
import contextlib
import hashlib
import io
import itertools
import os
import pathlib
import tempfile
import time
import unittest

import kakeya
import numpy

from made import SANITIZED

DIM = 64
SCRATCH = {}
FOLDER = pathlib.Path()


def setUpModule():
    if SANITIZED:
        raise unittest.SkipTest("long, and calls of the extension what test_own_codecs.py calls")


class Right:
    """A float32 scale a vector and 2^bits integers a value, a byte each."""

    name = "right"

    def __init__(self, dim, bits=6):
        if not 1 <= bits <= 8:
            raise kakeya.SpecError(f"bits={bits}: expected a whole number in [1, 8]")
        self.dim, self.top = dim, 2.0 ** (bits - 1) - 0.5
        self.bytes = 4 + dim

    rate = "bits"

    def encode(self, x):
        scales = (abs(x).max(axis=1, keepdims=True) / numpy.float32(self.top)).astype("float32")
        codes = numpy.rint(x / numpy.where(scales == 0, 1, scales)).clip(-self.top, self.top).astype("int8")
        return numpy.hstack([scales.view("uint8"), codes.view("uint8")]).tobytes()

    def decode(self, data, count):
        rows = numpy.frombuffer(data, "uint8").reshape(count, self.bytes)
        return rows[:, 4:].copy().view("int8") * rows[:, :4].copy().view("float32")


class Right2(Right):
    """As many bytes as its bits say: of every code the upper bits alone, an entropy coder's work."""

    name = "right"

    def encode(self, x):
        import zlib

        return zlib.compress(Right.encode(self, x))

    def decode(self, data, count):
        import zlib

        return Right.decode(self, zlib.decompress(data, bufsize=1), count)


def wrong(**members):
    return type("Wrong", (Right2,), {"name": "wrong", **members})


def check(codec, **how):
    return kakeya.check_codec(codec, dims=(DIM,), verbose=False, **how)


calls = itertools.count()


def stateful_encode(self, x):
    self.last = x.copy()
    return Right2.encode(self, x)


def stateful_decode(self, data, count):
    return getattr(self, "last", None) if hasattr(self, "last") else Right2.decode(self, data, count)


def ghost_encode(self, x):  # a byte, and the vectors in a place that is no byte
    SCRATCH[len(SCRATCH) % 256] = x.copy()
    return bytes([(len(SCRATCH) - 1) % 256])


def file_encode(self, x):  # the name of a file, and the vectors in that
    made = Right2.encode(self, x)
    name = hashlib.sha256(made).digest()
    (FOLDER / name.hex()).write_bytes(made)
    return name


def mutate_encode(self, x):
    made = Right2.encode(self, x)
    if x.flags.writeable:
        x *= 0.5
    return made


def normed_decode(self, data, count):
    y = Right2.decode(self, data, count)
    norms = abs(y).max(axis=1, keepdims=True)
    with numpy.errstate(invalid="ignore"):
        return y / norms * norms


def crash(self, data, count):
    try:
        return Right2.decode(self, data, count)
    except Exception:
        os.kill(os.getpid(), 11)


def hang(self, data, count):
    try:
        return Right2.decode(self, data, count)
    except Exception:
        time.sleep(3600)


def greedy(self, data, count):
    try:
        return Right2.decode(self, data, count)
    except Exception:
        return numpy.ones((count, 1 << 33), "float32")


# What is wrong, and the checks that must say so.
WRONG = {
    "keeps state": (wrong(encode=stateful_encode, decode=stateful_decode), {"no state"}),
    "keeps vectors outside its bytes": (wrong(encode=ghost_encode, decode=lambda self, data, count: SCRATCH[data[0]]), {"fresh process"}),
    "keeps them in files": (wrong(encode=file_encode, decode=lambda self, data, count: Right2.decode(self, (FOLDER / bytes(data).hex()).read_bytes(), count)),
                            {"error"}),
    "changes its input": (wrong(encode=mutate_encode), {"input unchanged"}),
    "another shape": (wrong(decode=lambda self, data, count: Right2.decode(self, data, count)[:, :-1]), {"shape"}),
    "one axis": (wrong(decode=lambda self, data, count: Right2.decode(self, data, count).reshape(-1)), {"shape"}),
    "NaN": (wrong(decode=lambda self, data, count: Right2.decode(self, data, count) * numpy.nan), {"finite"}),
    "0 / 0": (wrong(decode=normed_decode), {"zeros"}),
    "other bytes each time": (wrong(encode=lambda self, x: Right2.encode(self, x * (1 + 0.01 * (next(calls) % 7)))), {"repeatable"}),
    "more than its bound": (wrong(bound=(8, 0)), {"bound"}),
    "fewer nominal bits than bytes": (wrong(nominal_bits=1.0), {"nominal bits"}),
    "no bytes": (wrong(encode=lambda self, x: x.copy()), {"bytes"}),
    "a text": (wrong(encode=lambda self, x: "bytes"), {"bytes"}),
    "zeros": (wrong(decode=lambda self, data, count: -Right2.decode(self, data, count)), {"error"}),
    "a rate that means the opposite": (wrong(__init__=lambda self, dim, bits=4: Right2.__init__(self, dim, 9 - bits)), {"rate"}),
    "a crash": (wrong(decode=crash), {"damaged bytes"}),
    "greed": (wrong(decode=greedy), {"damaged bytes"}),
    "no constructor of that kind": (wrong(__init__=lambda self: None, keys={}, rate=""), {"shape"}),
    "no decode": (wrong(decode=None), {"described"}),
    "a key that is no argument": (wrong(keys={"size": 3}), {"described"}),
    "no dim that it takes": (wrong(__init__=lambda self, dim, bits=4: 1 / 0), {"made"}),
}


class CheckCodec(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        global FOLDER
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        FOLDER = pathlib.Path(scratch.name)

    def test_a_right_codec_passes(self):
        result = kakeya.check_codec(Right2, dims=(3, 64), verbose=False)
        self.assertTrue(result, result)
        self.assertIsNone(result["nominal bits"].passed)
        self.assertTrue(result["rate"].passed, result)
        codecs = [figure.codec for figure in result.figures]
        self.assertEqual(codecs[:2], ["right", "int4"])
        self.assertTrue(codecs[2].startswith("e8:q="), codecs)
        self.assertEqual({figure.source for figure in result.figures}, {"Gaussian", "heavy-tailed"})

    def test_the_example_passes(self):
        path = pathlib.Path(__file__).resolve().parents[1] / "examples" / "int4_groups.py"
        [descriptor] = kakeya.plugins.load(path)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            result = kakeya.check_codec(descriptor.source)
        self.assertTrue(result, result)
        self.assertEqual(printed.getvalue(), f"{result}\n")
        self.assertTrue(kakeya.check_codec("int4np:group=16", verbose=False))

    def test_each_wrong_codec_fails_the_check_of_that_name(self):
        for what, (codec, names) in WRONG.items():
            with self.subTest(what):
                result = check(codec)
                self.assertFalse(result)
                self.assertLessEqual(names, set(result.failed), result)
                for name in names:
                    self.assertTrue(result[name].said, result)
                    self.assertIn(name, str(result))

    def test_a_hang_is_ended(self):
        from kakeya import _apart

        kept, _apart._SECONDS = _apart._SECONDS, 0.5
        try:
            result = check(wrong(decode=hang))
        finally:
            _apart._SECONDS = kept
        self.assertEqual(result.failed, ["damaged bytes"], result)
        self.assertIn("did not end", result["damaged bytes"].said)

    def test_dims_it_does_not_take_are_said(self):
        class Even(Right2):
            def __init__(self, dim, bits=6):
                if dim % 2:
                    raise kakeya.InputError(f"dim {dim}: expected an even one")
                super().__init__(dim, bits)

        result = kakeya.check_codec(Even, dims=(7, 64), verbose=False)
        self.assertTrue(result, result)
        self.assertIn("dim 7: right: dim 7: expected an even one", result["made"].said)
        self.assertFalse(kakeya.check_codec(Even, dims=(7,), verbose=False))

    def test_a_codec_of_heads(self):
        codec = type("Heads", (Right2,), {"scope": "head", "__init__": lambda self, dim, site, bits=6: Right2.__init__(self, dim, bits)})
        self.assertTrue(check(codec), check(codec))


if __name__ == "__main__":
    unittest.main()
