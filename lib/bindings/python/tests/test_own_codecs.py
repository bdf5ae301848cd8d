# SPDX-License-Identifier: Apache-2.0
"""Codecs that are Python classes: registered, in caches and files, in threads and children, at the end of the interpreter."""
import gc
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import kakeya
import numpy

from made import BIN, to_bf16, vectors

EXAMPLE = pathlib.Path(__file__).resolve().parents[1] / "examples" / "int4_groups.py"
DIM = 32


class Halves:
    """float16, and a key that means nothing."""

    name = "t-halves"

    def __init__(self, dim, note="none"):
        self.dim = dim

    def encode(self, x):
        return numpy.clip(x, -65504, 65504).astype("float16").tobytes()

    def decode(self, data, count):
        return numpy.frombuffer(data, "float16").reshape(count, self.dim)


def made(known_as, **members):
    return type(known_as, (Halves,), {"name": known_as, **members})


def registered(known_as, **members):
    return kakeya.register_codec(made(known_as, **members))


class Registered(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        [cls.int4] = kakeya.plugins.load(EXAMPLE)
        kakeya.register_codec(Halves)

    def test_the_example_is_a_codec_like_others(self):
        codec, x = kakeya.codec("int4np:group=64", dim=128), vectors(100, 128)
        frame = codec.encode(x)
        self.assertEqual(codec.spec, "int4np:group=64")
        self.assertAlmostEqual(8 * len(frame) / x.size, 4.25, delta=0.1)
        y = kakeya.decode(frame)
        self.assertLess(((x - y) ** 2).mean(), 0.015)
        self.assertEqual(kakeya.info(frame)["sections"]["bytes"], 100 * (64 + 4))
        ledger = codec.ledger(x, frame)
        self.assertEqual(ledger["payload_bits"], 8 * 100 * (64 + 4))
        self.assertEqual(ledger["nominal_bits"], ledger["payload_bits"])
        self.assertEqual(ledger["written_bits"], 8 * len(frame))
        listed = {each["name"]: each for each in kakeya.list()}["int4np"]
        self.assertEqual([(key["name"], key["default"]) for key in listed["keys"]], [("group", "32")])
        self.assertEqual(codec.encode(x.astype("float64").astype("float32")[::1]), frame)
        self.assertEqual(kakeya.decode(codec.encode(x[:0])).shape, (0, 128))

    def test_canonical_text_and_keys(self):
        registered("t-keys", keys={"bits": int, "scale": 0.5, "fast": False, "mode": "a"}, rate="bits", example="t-keys:bits=4",
                   __init__=lambda self, dim, bits, scale, fast, mode: self.__dict__.update(dim=dim, given=(bits, scale, fast, mode)))  # fmt: skip
        codec = kakeya.codec("t-keys:mode=b,fast=true,bits=3,scale=0.5", dim=DIM)
        self.assertEqual(codec.spec, "t-keys:bits=3,fast=true,mode=b")
        self.assertEqual(kakeya.plugins.find("t-keys").open("t-keys:mode=b,fast=true,bits=3", DIM).codec.given, (3, 0.5, True, "b"))
        for wrong, said in (("", "no bits given"), (":bits=x", "bits=x: expected a whole number"), (":bits=3,fast=1", "true or false"),
                            (":bits=3,size=2", "unknown key 'size'")):  # fmt: skip
            with self.assertRaisesRegex(kakeya.SpecError, said):
                kakeya.codec("t-keys" + wrong, dim=DIM)
            with self.assertRaisesRegex(kakeya.SpecError, said):
                kakeya.plugins.find("t-keys").open("t-keys" + wrong, DIM)

    def test_what_is_no_codec_is_refused_by_name(self):
        for members, said in (({"name": 3}, "name 3"), ({"name": "a b"}, "a b"), ({"name": "e8"}, "of the library"), ({"name": "t-halves"}, "registered already"),
                              ({"encode": None}, "no encode"), ({"keys": {"a": 1}}, "no such argument"), ({"keys": 3}, "a dict"), ({"rate": "bits"}, "rate 'bits'"),
                              ({"keys": {"note": "a,b"}}, "a,b"), ({"scope": "token"}, "token"), ({"example": "e8:q=1"}, "example"), ({"keys": {"note": str}}, "example")):  # fmt: skip
            with self.subTest(said), self.assertRaisesRegex(kakeya.SpecError, said):
                kakeya.register_codec(made("t-refused", **members))
        with self.assertRaisesRegex(kakeya.SpecError, "t-refused"):
            kakeya.codec("t-refused", dim=DIM)
        registered("t-bound", bound=(1, -1))
        with self.assertRaisesRegex(kakeya.SpecError, "bytes a vector"):
            kakeya.codec("t-bound", dim=DIM)

    def test_the_two_methods_of_one_argument_and_an_instance(self):
        class Two:
            name = "t-two"

            def encode(self, x):
                return numpy.array(x.shape, "<i4").tobytes() + x.tobytes()

            def decode(self, data):
                return numpy.frombuffer(data[8:], "float32").reshape(numpy.frombuffer(data[:8], "<i4"))

        kakeya.register_codec(Two())
        for dim in (3, DIM):
            codec, x = kakeya.codec("t-two", dim=dim), vectors(9, dim)
            self.assertTrue((codec.decode(codec.encode(x)) == x).all())

    def test_of_heads_it_knows_its_site(self):
        registered("t-heads", scope="head", __init__=lambda self, dim, site: self.__dict__.update(dim=dim, site=site), keys={},
                   encode=lambda self, x: bytes([self.site.layer, self.site.part == "key", self.site.head]) + Halves.encode(self, x),
                   decode=lambda self, data, count: Halves.decode(self, data[3:], count))  # fmt: skip
        with self.assertRaisesRegex(kakeya.InputError, "site"):
            kakeya.codec("t-heads", dim=DIM)
        codec = kakeya.codec("t-heads", dim=DIM, site=(3, "value", 1))
        frame = codec.encode(vectors(5, DIM))
        at = len(frame) - 4 - 5 * DIM * 2 - 3
        self.assertEqual(frame[at : at + 3], bytes([3, 0, 1]))
        self.assertEqual(kakeya.decode(frame).shape, (5, DIM))
        with self.assertRaises(kakeya.CorruptStream):
            kakeya.codec("t-heads", dim=DIM, site=(3, "value", 0)).decode(frame)

    def test_errors_keep_their_text_and_their_cause(self):
        def raises(error):
            def method(self, *given):
                raise error

            return method

        x = vectors(3, DIM)
        good = kakeya.codec("t-halves", dim=DIM).encode(x)
        self.assertEqual(kakeya.decode(good).shape, x.shape)
        registered("t-raise", encode=raises(RuntimeError("full moon")))
        with self.assertRaisesRegex(kakeya.InputError, "^t-raise: RuntimeError: full moon$") as caught:
            kakeya.codec("t-raise", dim=DIM).encode(x)
        self.assertIsInstance(caught.exception.__cause__, RuntimeError)
        registered("t-raise-2", decode=raises(ValueError("new moon")))
        codec = kakeya.codec("t-raise-2", dim=DIM)
        with self.assertRaisesRegex(kakeya.CorruptStream, "^t-raise-2: ValueError: new moon$") as caught:
            codec.decode(codec.encode(x))
        self.assertIsInstance(caught.exception.__cause__, ValueError)
        registered("t-raise-3", __init__=raises(kakeya.InputError("dim 32: too small")))
        with self.assertRaisesRegex(kakeya.InputError, "^t-raise-3: dim 32: too small$"):
            kakeya.codec("t-raise-3", dim=DIM)
        registered("t-raise-4", encode=raises(KeyboardInterrupt()))
        with self.assertRaises(KeyboardInterrupt):
            kakeya.codec("t-raise-4", dim=DIM).encode(x)

    def test_what_it_gives_is_checked(self):
        x = vectors(3, DIM)
        for name, members, said in (
            ("t-none", {"encode": lambda self, x: None}, "encode\\(\\) gave None, expected bytes"),
            ("t-text", {"encode": lambda self, x: "abc"}, "encode\\(\\) gave str"),
            ("t-much", {"encode": lambda self, x: bytes(1000), "bound": (64, 10)}, "1000 bytes for 3 vectors of 32, its bound is 202"),
            ("t-write", {"encode": lambda self, x: x.fill(0)}, "read-only"),
            ("t-shape", {"decode": lambda self, data, count: numpy.zeros((count, 3))}, "shape \\[3, 3\\], expected \\[3, 32\\]"),
            ("t-words", {"decode": lambda self, data, count: numpy.full((count, DIM), "a")}, "expected numbers"),
            ("t-nan", {"decode": lambda self, data, count: numpy.full((count, DIM), numpy.nan)}, "not finite"),
            ("t-wide", {"decode": lambda self, data, count: numpy.full((count, DIM), 1e300)}, "not finite"),
        ):
            registered(name, **members)
            codec = kakeya.codec(name, dim=DIM)
            with self.subTest(name), self.assertRaisesRegex(kakeya.Error, said):
                codec.decode(codec.encode(x))

    def test_in_packed_caches_and_their_files(self):
        keys, values = vectors(300 * 2, 64, 1).reshape(300, 2, 64), vectors(300 * 2, 64, 2).reshape(300, 2, 64)
        words = {"codec": "int4np:group=16", "sinks": 2, "residual_window": 8}
        cache = kakeya.PackedCache(2, 2, 64, **words)
        sequence = cache.add_sequence()
        for layer in range(2):
            cache.append(sequence, layer, keys, values)
        told = cache.live_bytes()
        self.assertLess(told["total"], 0.75 * told["bf16"])
        codec = kakeya.codec("int4np:group=16", dim=64)
        for part, given in (("key", keys), ("value", values)):
            read, want = cache.read(sequence, 1, part), to_bf16(given)
            self.assertTrue((read[:2] == want[:2]).all() and (read[-8:] == want[-8:]).all())
            for head in range(2):
                self.assertTrue((read[2:130, head] == to_bf16(codec.decode(codec.encode(want[2:130, head])))).all())
        branch = cache.branch(sequence)
        cache.truncate(branch, 100)
        cache.append(branch, 0, keys, values)
        self.assertEqual(cache.read(branch, 0, "key").shape, (400, 2, 64))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cache.kkv")
            kakeya.save_cache(path, [keys] * 2, [values] * 2, token_ids=range(300), **words)
            file = kakeya.load_cache(path)
            self.assertEqual(file.facts["codec_k"], "int4np:group=16")
            self.assertLess(((file.read(1, "key") - keys) ** 2).mean(), 0.02)

    def test_threads_share_one(self):
        codec, x = kakeya.codec("int4np", dim=DIM), vectors(500, DIM)
        frame, wrong = codec.encode(x), []

        def work():
            for _ in range(20):
                if codec.encode(x) != frame or not numpy.isfinite(codec.decode(frame)).all():
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertFalse(wrong)
        self.assertFalse(any(thread.is_alive() for thread in threads))

    def test_damaged_frames(self):
        codec = kakeya.codec("int4np", dim=DIM)
        frame = codec.encode(vectors(5, DIM))
        for at in range(len(frame)):
            damaged = bytearray(frame)
            damaged[at] ^= 1 + at % 255
            for wrong in (damaged, frame[:at]):
                for read in (codec.decode, kakeya.decode, kakeya.info):
                    with self.assertRaises(kakeya.Error):
                        read(wrong)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_forked_child_codes(self):
        codec, x = kakeya.codec("int4np", dim=DIM), vectors(50, DIM)
        frame = codec.encode(x)
        child = os.fork()
        if child == 0:
            os._exit(0 if codec.encode(x) == frame and kakeya.codec("int4np", dim=DIM).encode(x) == frame else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_a_codec_goes_with_its_last_user(self):
        gone = []
        registered("t-gone", __del__=lambda self: gone.append(1))
        codec = kakeya.codec("t-gone", dim=DIM)
        cache = kakeya.PackedCache(layers=1, kv_heads=1, head_dim=DIM, codec="t-gone", skipped_layers=0)
        gc.collect()
        self.assertFalse(gone)
        del codec, cache
        gc.collect()
        self.assertGreaterEqual(len(gone), 2)


class Apart(unittest.TestCase):
    def python(self, *lines, arguments=()):
        text = "\n".join(["import kakeya, numpy, threading, time, sys", f"sys.path.insert(0, {str(EXAMPLE.parent)!r})", *lines])
        return subprocess.run([sys.executable, "-c", text, *arguments], capture_output=True, encoding="utf-8", timeout=60)

    def test_the_end_of_the_interpreter(self):
        done = self.python(
            "import int4_groups",
            "x = numpy.ones((20000, 64), 'float32')",
            "codec = kakeya.codec('int4np', dim=64)",
            "cache = kakeya.PackedCache(layers=1, kv_heads=1, head_dim=64, codec='int4np', skipped_layers=0)",
            "sys.modules['keep'] = [codec, cache]",
            "def work():",
            "    while True: codec.decode(codec.encode(x))",
            "for _ in range(3): threading.Thread(target=work, daemon=True).start()",
            "time.sleep(0.3)",
            "print('end')",
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "end\n", ""))

    def test_files_are_loaded_once_and_refused_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            plain, none, wrong = (pathlib.Path(folder) / name for name in ("plain.py", "none.py", "wrong.py"))
            plain.write_text("import numpy\nclass P:\n    name = 't-file'\n    def __init__(self, dim): self.dim = dim\n"
                             "    def encode(self, x): return x.tobytes()\n    def decode(self, data, count): return numpy.frombuffer(data, 'f').reshape(count, self.dim)\n"
                             "class Other:\n    name = 'no codec'\n")  # fmt: skip
            none.write_text("x = 1\n")
            wrong.write_text("def f(:\n")
            [descriptor] = kakeya.plugins.load(str(plain))
            self.assertEqual(descriptor.name, "t-file")
            self.assertEqual(kakeya.plugins.load(plain), [descriptor])
            x = vectors(3, 8)
            self.assertTrue((kakeya.decode(kakeya.codec("t-file", dim=8).encode(x)) == x).all())
            with self.assertRaisesRegex(kakeya.SpecError, "none.py: registers no codec"):
                kakeya.plugins.load(none)
            with self.assertRaisesRegex(kakeya.SpecError, "wrong.py: SyntaxError") as caught:
                kakeya.plugins.load(wrong)
            self.assertIsInstance(caught.exception.__cause__, SyntaxError)
            with self.assertRaisesRegex(kakeya.IoError, "nosuch.py"):
                kakeya.plugins.load(os.path.join(folder, "nosuch.py"))

    def test_by_handles_as_hosts_do(self):
        done = self.python(
            "import json",
            "from kakeya import plugins",
            "hosted = plugins.HostedCodecs()",
            "[told] = hosted.load(sys.argv[1])",
            "json.dumps(told)",
            "assert told['name'] == 'int4np' and told['keys'] == [{'name': 'group', 'default': '32', 'help': told['keys'][0]['help'], 'rate': False}], told",
            "opened = hosted.open('int4np:group=16', 64)",
            "assert opened == {'handle': 0, 'spec': 'int4np:group=16', 'bound_vector': 40, 'bound_frame': 0, 'nominal': 320.0}, opened",
            "x = numpy.arange(128, dtype='float32').reshape(2, 64)",
            "codec = hosted.codec(0)",
            "data = codec.encode(x)",
            "assert isinstance(data, bytes) and len(data) == 80",
            "y = codec.decode(data, 2)",
            "assert y.dtype == 'float32' and y.shape == (2, 64) and abs(y - x).max() < 10",
            "for spec, error in (('int4np:group=48', kakeya.InputError), ('nosuch', kakeya.SpecError), ('int4np:g=1', kakeya.SpecError)):",
            "    try: hosted.open(spec, 64)",
            "    except error: continue",
            "    raise SystemExit(spec)",
            arguments=[str(EXAMPLE)],
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


@unittest.skipUnless(BIN, "KAKEYA_BIN names no folder of programs")
class InPrograms(unittest.TestCase):
    """--plugin FILE.py: the same class in a process that a program starts."""

    def run_program(self, name, *arguments):
        done = subprocess.run([os.path.join(BIN, f"kakeya-{name}"), *map(str, arguments)], capture_output=True, encoding="utf-8", timeout=120,
                              env={**os.environ, "KAKEYA_PYTHON": sys.executable})  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_frames_are_the_same(self):
        [descriptor] = kakeya.plugins.load(EXAMPLE)
        with tempfile.TemporaryDirectory() as folder:
            x, file, frame, back = vectors(100, 64), *(os.path.join(folder, name) for name in ("x.npy", "x.kky", "y.npy"))
            numpy.save(file, x)
            self.run_program("codec", "encode", "--plugin", EXAMPLE, "--codec", "int4np:group=16", "--in", file, "--out", frame)
            here = kakeya.codec("int4np:group=16", dim=64)
            written = pathlib.Path(frame).read_bytes()
            self.assertEqual(written, here.encode(x))
            self.run_program("codec", "decode", "--plugin", EXAMPLE, "--in", frame, "--out", back)
            self.assertTrue((numpy.load(back) == here.decode(written)).all())
            listed = json.loads(self.run_program("codec", "list", "--plugin", EXAMPLE, "--json"))
            self.assertEqual([codec for codec in listed if codec["faithful"] == "foreign"], [codec for codec in kakeya.list() if codec["name"] == "int4np"])


if __name__ == "__main__":
    unittest.main()
