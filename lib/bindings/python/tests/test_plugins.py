# SPDX-License-Identifier: Apache-2.0
"""Codecs of shared libraries (kakeya_plugin.h): loaded, in caches, checked. Needs a C compiler."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import kakeya
import numpy

from made import BIN, ROOT, vectors

COMPILER = shutil.which(os.environ.get("CC", "cc"))
EXAMPLES = ROOT / "apps" / "examples"
# float32 as it is, but for what a macro spoils. Its one key says nothing.
PLAIN = """
#include <kakeya_plugin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifndef NAME
#define NAME "t-plain"
#endif
static unsigned char calls;
typedef struct { size_t dim; unsigned char site[4]; } Coder;
static kakeya_plugin_status create(const kakeya_plugin_input* in, void** out, char* error) {
  Coder coder = {in->dim, {(unsigned char)in->layer, (unsigned char)in->part, (unsigned char)in->head, 0}};
  if (in->dim % 2) { strcpy(error, "expected an even dim"); return KAKEYA_PLUGIN_FAILED; }
  memcpy(*out = malloc(sizeof coder), &coder, sizeof coder);
  return KAKEYA_PLUGIN_OK;
}
static size_t bound(const void* self, size_t count) { return 4 + 4 * count * ((const Coder*)self)->dim; }
static kakeya_plugin_status encode(const void* self, const float* x, size_t count, void* out, size_t* bytes, char* error) {
  (void)error;
  memcpy(out, ((const Coder*)self)->site, 4);
#ifdef COUNTS
  ((unsigned char*)out)[3] = calls++;
#endif
  *bytes = bound(self, count);
  memcpy((char*)out + 4, x, *bytes - 4);
#ifdef FAR
  *bytes += 1;
#endif
  return KAKEYA_PLUGIN_OK;
}
static kakeya_plugin_status decode(const void* self, const void* in, size_t bytes, float* x, size_t count, char* error) {
  strcpy(error, "another length");
#ifdef CRASHES
  if (bytes != bound(self, count)) abort();
#endif
  if (bytes != bound(self, count)) return KAKEYA_PLUGIN_FAILED;
  memcpy(x, (const char*)in + 4, bytes - 4);
#ifdef NOT_A_NUMBER
  x[0] = NAN;
  return KAKEYA_PLUGIN_OK;
#endif
  for (size_t i = 0; i < count * ((const Coder*)self)->dim; ++i) {
    if (!isfinite(x[i])) return strcpy(error, "not finite"), KAKEYA_PLUGIN_FAILED;
  }
  return KAKEYA_PLUGIN_OK;
}
static double nominal(const void* self) { return NOMINAL * ((const Coder*)self)->dim; }
const kakeya_plugin_codec* kakeya_plugin(size_t index) {
  static const kakeya_plugin_key key = {"note", "none", "without meaning", 0};
  static const kakeya_plugin_codec codec = {.size = sizeof codec, .abi = KAKEYA_PLUGIN_ABI, .name = NAME, .summary = "floats", .keys = &key,
      .key_count = 1, .per_head = HEADS, .create = create, .bound = bound, .encode = encode, .decode = decode, .nominal_bits = nominal, .destroy = free};
  (void)calls;
  return index == 0 ? &codec : NULL;
}
"""


@unittest.skipUnless(COMPILER, "no C compiler here")
class SharedLibraries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.int4 = cls.built("int4g.so", EXAMPLES / "plugin_int4.c")
        cls.source = cls.folder / "plain.c"
        cls.source.write_text(PLAIN)
        cls.names = kakeya.load_plugin(cls.int4)

    @classmethod
    def built(cls, name, source, **defined):
        path = cls.folder / name
        macros = [f"-D{key}={value}" for key, value in {"HEADS": 0, "NOMINAL": 33, **defined}.items()]
        subprocess.run([COMPILER, "-O1", "-shared", "-fPIC", f"-I{ROOT / 'lib' / 'bindings' / 'c'}", *macros, source, "-o", path, "-lm"], check=True,
                       env={name: value for name, value in os.environ.items() if name != "LD_PRELOAD"})  # the compiler is no subject of sanitizers
        return path

    def test_its_codecs_are_known(self):
        self.assertEqual(self.names, ["int4g"])
        codec, x = kakeya.codec("int4g:group=32", dim=128), vectors(100, 128)
        frame = codec.encode(x)
        self.assertEqual(codec.spec, "int4g:group=32")
        self.assertEqual(codec.ledger(x, frame)["payload_bits"], 100 * (4 * 128 + 4 * 32))
        self.assertLess(((kakeya.decode(frame) - x) ** 2).mean(), 0.015)
        listed = {each["name"]: each for each in kakeya.list()}["int4g"]
        self.assertEqual((listed["faithful"], [key["name"] for key in listed["keys"]]), ("foreign", ["group"]))
        with self.assertRaisesRegex(kakeya.InputError, "group=48: expected an even divisor of dim 64"):
            kakeya.codec("int4g:group=48", dim=64)
        cache = kakeya.PackedCache(layers=1, kv_heads=1, head_dim=64, codec="int4g", skipped_layers=0)
        sequence = cache.add_sequence()
        cache.append(sequence, 0, vectors(300, 64), vectors(300, 64))
        self.assertEqual(cache.read(sequence, 0, "key").shape, (300, 1, 64))

    def test_a_file_is_loaded_once(self):
        self.assertEqual(kakeya.load_plugin(str(self.int4)), ["int4g"])
        again = shutil.copy(self.int4, self.folder / "again.so")
        self.assertEqual(kakeya.load_plugin(again), ["int4g"])
        with again.open("ab") as file:
            file.write(b"\0")
        with self.assertRaisesRegex(kakeya.SpecError, "^.*again.so: codec 'int4g': registered already"):
            kakeya.load_plugin(again)

    def test_a_file_of_python(self):
        self.assertEqual(kakeya.load_plugin(ROOT / "lib" / "bindings" / "python" / "examples" / "int4_groups.py"), ["int4np"])

    def test_errors_begin_with_the_path(self):
        text = self.folder / "text.so"
        text.write_text("no library")
        (self.folder / "empty.c").write_text("int nothing;")
        for path, kind, said in ((self.folder / "none.so", kakeya.IoError, "No such file"), (text, kakeya.IoError, "cannot be loaded"),
                                 (self.built("empty.so", self.folder / "empty.c"), kakeya.SpecError, r"exports no kakeya_plugin\(\)")):  # fmt: skip
            with self.subTest(path.name), self.assertRaisesRegex(kind, f"^{path}: .*{said}"):
                kakeya.load_plugin(path)

    def test_of_heads_it_is_told_the_site(self):
        kakeya.load_plugin(self.built("heads.so", self.source, HEADS=1, NAME='"t-of-heads"'))
        with self.assertRaisesRegex(kakeya.InputError, "site"):
            kakeya.codec("t-of-heads", dim=8)
        frame = kakeya.codec("t-of-heads", dim=8, site=(3, "value", 1)).encode(vectors(5, 8))
        self.assertIn(bytes([3, 1, 1, 0]) + vectors(5, 8).tobytes(), frame)
        self.assertTrue(kakeya.check_codec("t-of-heads", verbose=False))

    def test_the_example_passes_every_check(self):
        result = kakeya.check_codec("int4g:group=32", verbose=False)
        self.assertTrue(result, result)
        self.assertIsNone(result["nominal bits"].passed)
        self.assertEqual([figure.codec for figure in result.figures][:2], ["int4g:group=32", "int4"])
        refused = kakeya.check_codec("int4g:group=128", dims=(64, 128), verbose=False)
        self.assertIn("dim 64: int4g: group=128: expected an even divisor", refused["made"].said)
        self.assertTrue(refused, refused)
        self.assertEqual(kakeya.check_codec("int4g:size=1", verbose=False).failed, ["made"])

    def test_each_wrong_codec_fails_the_check_of_that_name(self):
        for number, (defined, failed) in enumerate((({}, []), ({"COUNTS": 1}, ["repeatable"]), ({"NOT_A_NUMBER": 1}, ["finite"]), ({"FAR": 1}, ["shape"]),
                                                    ({"NOMINAL": 20}, ["nominal bits"]), ({"CRASHES": 1}, ["damaged bytes"]))):  # fmt: skip
            name = f"t-wrong-{number}"
            kakeya.load_plugin(self.built(f"{name}.so", self.source, NAME=f'"{name}"', **defined))
            with self.subTest(**defined):
                result = kakeya.check_codec(name, verbose=False)
                self.assertLessEqual(set(failed), set(result.failed), result)
                self.assertEqual(bool(result), not failed, result)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_forked_child_codes(self):
        codec, x = kakeya.codec("int4g", dim=64), vectors(50, 64)
        frame = codec.encode(x)
        child = os.fork()
        if child == 0:
            os._exit(0 if codec.encode(x) == frame and kakeya.codec("int4g", dim=64).encode(x) == frame else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    @unittest.skipUnless(BIN, "KAKEYA_BIN names no folder of programs")
    def test_frames_are_those_of_the_programs(self):
        x, file, frame = vectors(100, 64), self.folder / "x.npy", self.folder / "x.kky"
        numpy.save(file, x)
        subprocess.run([os.path.join(BIN, "kakeya-codec"), "encode", "--plugin", self.int4, "--codec", "int4g:group=16", "--in", file, "--out", frame],
                       check=True, capture_output=True)  # fmt: skip
        self.assertEqual(frame.read_bytes(), kakeya.codec("int4g:group=16", dim=64).encode(x))

    def test_the_interpreter_ends_while_threads_code(self):
        done = subprocess.run([sys.executable, "-c", f"""if True:
            import kakeya, numpy, threading, time
            kakeya.load_plugin({str(self.int4)!r})
            codec, x = kakeya.codec("int4g", dim=64), numpy.ones((20000, 64), "float32")
            def work():
                while True: codec.decode(codec.encode(x))
            for _ in range(3): threading.Thread(target=work, daemon=True).start()
            time.sleep(0.3)
            print("end")"""], capture_output=True, encoding="utf-8", timeout=60)  # fmt: skip
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "end\n", ""))


if __name__ == "__main__":
    unittest.main()
