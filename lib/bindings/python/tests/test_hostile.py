# SPDX-License-Identifier: Apache-2.0
"""An exception or a right answer: damage, threads, fork, the end of the interpreter."""
import gc
import os
import subprocess
import sys
import threading
import time
import unittest
import warnings

import kakeya
import numpy

from made import SANITIZED, vectors


class Damage(unittest.TestCase):
    def test_every_kind_of_error(self):
        for error, also in ((kakeya.SpecError, ValueError), (kakeya.InputError, ValueError), (kakeya.CorruptStream, ValueError), (kakeya.IoError, OSError)):
            self.assertTrue(issubclass(error, kakeya.Error) and issubclass(error, also) and issubclass(error, RuntimeError))
        for spec in ("", "nosuch", "e8", "e8:q=", "e8:q=0", "e8:q=10,q=10", "e8:q=10,nosuch=1", "e8:q=ten", "\0", "é"):
            with self.subTest(spec), self.assertRaises(kakeya.SpecError):
                kakeya.codec(spec, dim=64)
        for dim in (0, 3, 1 << 40):
            with self.subTest(dim), self.assertRaises(kakeya.InputError):
                kakeya.codec("e8:q=10", dim=dim)
        for words in ({"dim": -1}, {"dim": "64"}, {"dim": 64, "site": 3}, {"dim": 64, "site": (1,)}, {"dim": 64, "profile": 3}):
            with self.subTest(words), self.assertRaises(TypeError):
                kakeya.codec("e8:q=10", **words)
        with self.assertRaisesRegex(kakeya.InputError, "dim"):
            kakeya.codec("e8:q=10")
        with self.assertRaisesRegex(kakeya.InputError, "site"):
            kakeya.codec("kivi:b=4", dim=64)

    def test_every_flipped_byte_and_truncation(self):
        for spec in ("e8:q=10", "ece8:bits=4", "identity"):
            codec = kakeya.codec(spec, dim=64)
            frame = codec.encode(vectors(9, 64))
            for at in range(len(frame)):
                damaged = bytearray(frame)
                damaged[at] ^= 1 + at % 255
                for wrong in (damaged, frame[:at]):
                    for read in (codec.decode, codec.info, kakeya.decode, kakeya.info):
                        with self.assertRaises(kakeya.Error):
                            read(wrong)
            with self.assertRaises(kakeya.CorruptStream):
                codec.decode(frame + b"\0")
            self.assertEqual(codec.decode(frame).shape, (9, 64))

    def test_a_frame_of_another_codec(self):
        frame = kakeya.codec("d4:q=38", dim=64).encode(vectors(9, 64))
        for other in (kakeya.codec("e8:q=10", dim=64), kakeya.codec("d4:q=38", dim=128)):
            for read in (other.decode, other.info, lambda wrong: other.decode_page(wrong, 0)):
                with self.assertRaises(kakeya.CorruptStream):
                    read(frame)

    def test_used_after_an_exception(self):
        codec, x = kakeya.codec("ece8:bits=4", dim=64), vectors(200, 64)
        frame = codec.encode(x)
        for _ in range(20):
            with self.assertRaises(kakeya.InputError):
                codec.encode(x * numpy.float32(numpy.nan))
            with self.assertRaises(kakeya.CorruptStream):
                codec.decode(frame[:-1])
            self.assertEqual(codec.encode(x), frame)

    def test_classes_cannot_be_made_by_hand(self):
        for kind, member in ((kakeya.Codec, "spec"), (kakeya.CacheFile, "facts"), (kakeya.PackedCache, "sinks"), (kakeya.PageWriter, "vectors")):
            with self.assertRaises(TypeError):
                kind()
            with self.assertRaises(TypeError), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                getattr(kind.__new__(kind), member)


class Threads(unittest.TestCase):
    def spread(self, work, count=4):
        failures = []

        def guarded(i):
            try:
                work(i)
            except BaseException as failure:  # told by the thread that waits
                failures.append(failure)

        threads = [threading.Thread(target=guarded, args=(i,)) for i in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def test_the_same_bytes_from_four(self):
        for spec in ("e8:q=10", "ece8:bits=4"):
            codec, x = kakeya.codec(spec, dim=128), vectors(3000, 128)
            frame = codec.encode(x)
            values = codec.decode(frame).tobytes()

            def work(i):
                for _ in range(5):
                    self.assertEqual(codec.encode(x), frame)
                    self.assertEqual(codec.decode(frame).tobytes(), values)

            self.spread(work)

    def test_others_run_meanwhile(self):
        codec, x = kakeya.codec("ece8:bits=4", dim=128), vectors(1 << 17, 128)
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.001)

        ticker = threading.Thread(target=tick)
        ticker.start()
        started = time.perf_counter()
        codec.encode(x)
        ended = time.perf_counter()
        done.set()
        ticker.join()
        self.assertGreater(sum(started < at < ended for at in ticks), 2)

    def test_a_cache_and_a_writer_from_four(self):
        cache = kakeya.PackedCache(4, 2, 64, codec="e8:q=10")
        sequence, x = cache.add_sequence(), vectors(150, 128)
        writer = kakeya.PageWriter(kakeya.codec("ece8:bits=4", dim=64))

        def work(layer):
            for first in range(0, 150, 10):
                cache.append(sequence, layer, x[first : first + 10], x[first : first + 10])
                cache.read(sequence, layer, "key")
                cache.live_bytes()
                writer.append(vectors(10, 64))
                writer.open_bytes

        self.spread(work)
        for layer in range(4):
            self.assertEqual(cache.read(sequence, layer, "value").tobytes(), cache.read(sequence, 0, "key").tobytes())
        self.assertEqual(writer.vectors, 600)


class Processes(unittest.TestCase):
    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_fork(self):
        codec, x = kakeya.codec("ece8:bits=4", dim=64), vectors(500, 64)
        cache = kakeya.PackedCache(1, 1, 64, codec="e8:q=10")
        sequence = cache.add_sequence()
        cache.append(sequence, 0, x, x)
        frame, kept = codec.encode(x), cache.read(sequence, 0, "key").tobytes()
        child = os.fork()
        if child == 0:
            same = codec.encode(x) == frame and cache.read(sequence, 0, "key").tobytes() == kept
            cache.append(sequence, 0, x, x)
            os._exit(0 if same and cache.tokens(sequence, 0) == 1000 else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual((codec.encode(x), cache.tokens(sequence, 0)), (frame, 500))

    def check_script(self, script):
        done = subprocess.run([sys.executable, "-X", "dev", "-c", script], capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_the_interpreter_ends_with_live_objects(self):
        self.check_script("""
import kakeya, numpy, sys
codec = kakeya.codec('ece8:bits=4', dim=64)
writer = kakeya.PageWriter(codec)
cache = kakeya.PackedCache(1, 1, 64, codec='e8:q=10')
sequence = cache.add_sequence()
x = numpy.ones((300, 64), 'float32')
cache.append(sequence, 0, x, x)
y = codec.decode(codec.encode(x))
loop = [codec, writer, cache, y]
loop.append(loop)
sys.kept = loop
class Last:
    def __del__(self):
        codec.encode(x)
last = Last()
""")

    def test_the_interpreter_ends_while_threads_work(self):
        """They are waited for: what they read is destroyed with the process. Under sanitizers this fails without."""
        for _ in range(3):
            self.check_script("""
import kakeya, numpy, threading, time
codec, x = kakeya.codec('e8:q=10', dim=64), numpy.ones((20000, 64), 'float32')
paged = kakeya.codec('ece8:bits=4', dim=64)
def work(codec, out):
    while True:
        codec.encode(x, out=out)
for one in (codec, paged, codec, codec):
    threading.Thread(target=work, args=(one, bytearray(4 * x.nbytes)), daemon=True).start()
codec.encode(x)
time.sleep(0.05)
""")

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_forked_child_waits_for_no_thread_of_its_parent(self):
        started = time.perf_counter()
        self.check_script("""
import kakeya, numpy, os, sys, threading, time, warnings
warnings.simplefilter('ignore')  # Python 3.12 warns of a fork beside threads
codec, x = kakeya.codec('e8:q=10', dim=64), numpy.ones((200000, 64), 'float32')
threading.Thread(target=codec.encode, args=(x,), daemon=True).start()
time.sleep(0.01)
child = os.fork()
if child > 0:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
assert codec.decode(codec.encode(x[:9])).shape == (9, 64)
""")
        self.assertLess(time.perf_counter() - started, 4)

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_child_of_a_fork_amid_a_change_is_told(self):
        done = subprocess.run([sys.executable, "-c", """
import os, signal, threading, warnings, kakeya, numpy as np
warnings.simplefilter('ignore')
cache = kakeya.PackedCache(layers=1, kv_heads=8, head_dim=128, codec='ece8:bits=4,page=64')
writer = kakeya.PageWriter(kakeya.codec('ece8:bits=4,page=64', dim=128))
sequence, rows, ended = cache.add_sequence(), np.ones((200, 8, 128), 'f4'), threading.Event()
def change():
    while not ended.is_set():
        cache.append(sequence, 0, rows, rows)
        cache.truncate(sequence, 0)
def write():
    while not ended.is_set():
        writer.append(rows[:, 0])
threads = [threading.Thread(target=each) for each in (change, write)]
for thread in threads: thread.start()
told, codes = 0, []
for _ in range(20):
    ended.wait(0.02)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        code = 0
        for use in (cache.live_bytes, lambda: writer.vectors, cache.live_bytes):
            try:
                use()
            except kakeya.InputError as error:
                code += 1 if 'when this process was forked' in str(error) else 100
        del cache, writer  # what was left in the midst of a change is not destroyed
        os._exit(code)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) if hasattr(os, 'waitstatus_to_exitcode') else 0)
ended.set()
for thread in threads: thread.join()
print(min(codes), max(codes))
print(cache.live_bytes()['total'] >= 0)
"""], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.stderr, "")
        least, most = map(int, done.stdout.split()[:2])
        self.assertGreaterEqual(least, 0)  # none hung
        self.assertIn(most, (1, 2, 3))  # and some were told
        self.assertIn("True", done.stdout)

    def test_numbers_beyond_what_there_is_are_named(self):
        codec = kakeya.codec("e8:q=10", dim=128)
        for call, said in (
            (lambda: codec.encoded_bound(2**60), "1152921504606846976 vectors of 128 given"),
            (lambda: kakeya.PackedCache(layers=10**6, kv_heads=1, head_dim=8, codec="e8:q=10"), "expected 1 to 1024 of each"),
            (lambda: kakeya.save_cache("none.kkv", [numpy.ones((1, 1, 8), "f4")], [numpy.ones((1, 1, 8), "f4")], codec="e8:q=10", token_ids=[1], threads=-1), "threads -1"),
        ):
            with self.assertRaisesRegex(kakeya.InputError, said):
                call()
        for call, said in (
            (lambda: kakeya.codec("kivi:b=4", dim=128, site=("a", "key", 0)), "site: .*given, expected whole numbers"),
            (lambda: kakeya.save_cache("none.kkv", [numpy.ones((1, 1, 8), "f4")], [numpy.ones((1, 1, 8), "f4")], codec="e8:q=10", token_ids=[1], seed=-1), "seed: -1 given, expected a whole number"),
        ):
            with self.assertRaisesRegex(TypeError, said):
                call()
        with self.assertRaises(kakeya.Error):
            kakeya.Profile(b"no such file")

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_fork_out_of_a_codec_of_python(self):
        """Its thread is in the library without the GIL, but for the call of Python that forks: both processes end at once."""
        started = time.perf_counter()
        self.check_script("""
import kakeya, numpy, os
@kakeya.register_codec
class Forks:
    name, children = 'forks', []
    def __init__(self, dim):
        pass
    def encode(self, x):
        self.children.append(os.fork())
        return x.astype('float32').tobytes()
    def decode(self, data, count):
        return numpy.frombuffer(data, 'float32').reshape(count, -1)
x = numpy.ones((3, 64), 'float32')
assert (kakeya.decode(kakeya.codec('forks', dim=64).encode(x)) == x).all()
for child in Forks.children:
    if child > 0:
        assert os.waitpid(child, 0)[1] == 0
""")
        self.assertLess(time.perf_counter() - started, 4)

    @unittest.skipIf(SANITIZED, "AddressSanitizer keeps what is freed")
    def test_nothing_grows(self):
        codec, x = kakeya.codec("e8:q=10", dim=64), vectors(64, 64)
        frame = codec.encode(x)

        def work():
            for _ in range(3000):
                codec.encode(x)
                codec.decode(frame)
                codec.info(frame)
                for wrong in (3, x.astype("float64")):
                    try:
                        codec.encode(wrong)
                    except TypeError:
                        pass
            gc.collect()
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        if not os.path.exists("/proc/self/statm"):
            self.skipTest("needs /proc")
        work()
        before = work()
        self.assertLess(work() - before, 4 << 20)


if __name__ == "__main__":
    unittest.main()
