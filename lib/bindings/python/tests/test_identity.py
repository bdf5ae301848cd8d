# SPDX-License-Identifier: Apache-2.0
"""What tells one codec of a process from another of its name."""

import functools
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy

import kakeya
from kakeya.hosting.identity import identity

TEXT = """
import numpy, abc, functools, threading
LEVELS = 16
SEEN = {"a", "b", "c", "d", "e"}
def rounded(x, step=0.5):
    return numpy.round(x / step) * step
class Base(abc.ABC):
    scale = 2.0
    @abc.abstractmethod
    def encode(self, x): ...
def made(bits):
    class Inner:
        name = "inner"
        def encode(self, x): return [x * bits for _ in range(3)]
        decode = encode
    return Inner
class Own(Base):
    name = "own"
    table = {"z": 1, "a": (2, {3, 4})}
    def __init__(self, dim=8, keep=None):
        self.dim, self.keep, self.lock, self.other = dim, keep, threading.Lock(), self
    def encode(self, x):
        with self.lock:
            return rounded(x[:LEVELS]).tobytes() if self.name not in SEEN else self.half(x)
    @staticmethod
    def half(x): return x.astype("float16").tobytes()
    @property
    def nominal_bits(self): return 16 * self.dim
    @functools.lru_cache
    def size(self): return 3
    def decode(self, data, count): return numpy.frombuffer(data)  # a comment
"""


def run(text, old="", new=""):
    """What a text typed into an interpreter makes: there is no source."""
    assert old in text
    names = {}
    exec(text.replace(old, new) if old else text, names)
    return names


def digest(codec):
    told = identity(codec)
    assert told.unknown == (), told
    return told.sha256


class Identity(unittest.TestCase):
    def test_classes_without_source(self):
        for name in ("Own", "made"):
            kind = (lambda names: names["made"](4)) if name == "made" else (lambda names: names["Own"])
            self.assertEqual(digest(kind(run(TEXT))), digest(kind(run(TEXT))), name)
        self.assertNotEqual(digest(run(TEXT)["made"](4)), digest(run(TEXT)["made"](5)))

    def test_what_is_seen_of_a_class(self):
        first = digest(run(TEXT)["Own"])
        for old, new in (("16\nSEEN", "15\nSEEN"), ('"e"}', '"f"}'), ("step=0.5", "step=0.25"), ("/ step", "* step"), ("scale = 2.0", "scale = 3.0"),
                         ("{3, 4}", "{3, 5}"), ("dim=8", "dim=9"), ('"float16"', '"float32"'), ("16 * self.dim", "15 * self.dim"), ("return 3", "return 4"),
                         ('name = "own"', 'name = "owl"')):  # fmt: skip
            self.assertNotEqual(digest(run(TEXT, old, new)["Own"]), first, old)
        for old, new in (("# a comment", "# another"), ("LEVELS = 16", "\n\nLEVELS = 16"), ("def made(bits)", "def made(other)"), ("x * bits", "x + bits")):
            self.assertEqual(digest(run(TEXT, old, new.replace("other", "bits"))["Own"]), first, old)

    def test_what_is_seen_of_an_instance(self):
        own = run(TEXT)["Own"]
        self.assertNotEqual(digest(own()), digest(own))
        own.__abstractmethods__ = frozenset()
        first = digest(own())
        self.assertEqual(digest(own()), first)
        self.assertNotEqual(digest(own(16)), first)
        values = [1, 1.0, True, "1", b"1", (1,), [1], {1}, {1: 2}, {2: 1}, None, 1j, numpy.ones(2), numpy.ones(2, "float32"), numpy.ones((2, 1)),
                  numpy.float32(1), numpy.array([1, "a"], object), len, numpy.add, numpy, functools.partial(max, 1), functools.partial(max, 2),
                  kakeya.codec("e8:q=10", dim=8), kakeya.codec("e8:q=11", dim=8), kakeya.codec("e8:q=10", dim=16), numpy.random.default_rng(1),
                  numpy.random.default_rng(2), lambda x: x, lambda x: x + 1, range(3), pathlib.Path("a"), own(), own(3), "abc".upper, "abd".upper]  # fmt: skip
        digests = [digest(own(keep=value)) for value in values]
        self.assertEqual(len(set(digests)), len(values))
        self.assertEqual(digest(own(keep={"a": 1, "b": 2})), digest(own(keep={"b": 2, "a": 1})))

    def test_a_fresh_process_has_the_same(self):
        words = f"exec({TEXT!r})\nfrom kakeya.hosting.identity import identity\nprint(identity(Own).sha256, identity(made(4)).sha256)"
        told = {subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
                for seed in ("1", "2")}
        self.assertEqual(len(told), 1)

    def test_a_package_of_ones_own(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "t_helps.py").write_text("def coded(x):\n    return x + STEP\nSTEP = 1\nOTHER = 1\n")
            sys.path.insert(0, folder)
            self.addCleanup(sys.path.remove, folder)
            import t_helps
        names = run("import t_helps\nclass Own:\n    name = 'own'\n    def encode(self, x): return t_helps.coded(x)")
        first = digest(names["Own"])
        t_helps.OTHER = 2
        self.assertEqual(digest(names["Own"]), first)
        t_helps.STEP = 2
        self.assertNotEqual(digest(names["Own"]), first)

    def test_what_cannot_be_read_is_never_the_same(self):
        own = run(TEXT)["Own"]
        own.__abstractmethods__ = frozenset()
        odd = own(keep={"of": [threading.local()]})
        told = identity(odd)
        self.assertEqual(told.unknown, ("self.keep.of[0], a _local",))
        self.assertNotEqual(told.sha256, identity(odd).sha256)
        own.__getstate__ = lambda self: {"dim": self.dim}
        self.assertEqual(digest(odd), digest(own()))
        deep = []
        for _ in range(5000):
            deep = [deep]
        del own.__getstate__
        self.assertEqual(identity(own(keep=deep)).unknown, ("self, a Own",))

    def test_use_changes_nothing(self):
        [int4] = kakeya.plugins.load(pathlib.Path(__file__).parents[1] / "examples" / "int4_groups.py")
        before = digest(int4.source)
        x = numpy.random.default_rng(1).standard_normal((300, 64)).astype("float32")
        for _ in range(50):  # so that the interpreter specialises its code
            codec = kakeya.codec(int4.name, dim=64)
            codec.decode(codec.encode(x))
        self.assertEqual(digest(int4.source), before)


if __name__ == "__main__":
    unittest.main()
