# SPDX-License-Identifier: Apache-2.0
"""Frames: the golden ones, those of kakeya-codec, every codec at several dims."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import kakeya
import numpy

from made import BIN, GOLDEN, golden_input, vectors

PLAIN = [codec for codec in kakeya.list() if not codec["calibrated"] and codec["faithful"] != "foreign"]


def site_of(spec):
    return kakeya.Site(0, "key", 0) if spec.startswith("kivi") else None


class Golden(unittest.TestCase):
    def test_every_frame_decodes_and_encodes_to_the_same_bytes(self):
        x, checked = golden_input(14), 0
        for path in sorted((GOLDEN / "frame_v1").glob("*.kky")):
            if path.name.startswith(("klt", "kvtc")) or "center_bias" in path.name:  # their profiles are made by C++
                continue
            with self.subTest(path.name):
                frame = path.read_bytes()
                values = numpy.fromfile(path.with_suffix(".f32"), "<f4").reshape(-1, 64)
                self.assertEqual(kakeya.decode(frame).tobytes(), values.tobytes())
                codec = kakeya.codec_of_frame(frame)
                self.assertEqual(codec.encode(x[: len(values)]), frame)
                self.assertEqual(codec.info(frame), kakeya.info(frame))
                checked += 1
        self.assertGreater(checked, 40)


class EveryCodec(unittest.TestCase):
    def test_at_several_dims(self):
        for entry in PLAIN:
            for dim in (64, 128, 256):
                for count in (0, 1, 7, 300):
                    with self.subTest(entry["example"], dim=dim, count=count):
                        self.check(entry["example"], dim, count)

    def check(self, spec, dim, count):
        codec = kakeya.codec(spec, dim=dim, site=site_of(spec))
        x = vectors(count, dim)
        frame = codec.encode(x)
        self.assertLessEqual(len(frame), codec.encoded_bound(count))
        y = codec.decode(frame)
        self.assertEqual((y.dtype, y.shape), (numpy.dtype("float32"), (count, dim)))
        if count:
            self.assertLess(((x - y) ** 2).mean(), 0.3 * (x**2).mean())
        info = codec.info(frame)
        self.assertEqual((info["spec"], info["dim"], info["vectors"], info["bytes"]), (codec.spec, dim, count, len(frame)))
        self.assertEqual(sum(info["sections"].values()), len(frame))
        ledger = codec.ledger(x, frame)
        self.assertEqual(ledger["written_bits"], 8 * len(frame))
        parts = ("payload_bits", "scale_bits", "header_bits", "table_bits", "padding_bits", "exact_token_bits")
        self.assertEqual(sum(ledger[part] for part in parts), 8 * len(frame))
        again = kakeya.codec(codec.spec, dim=dim, site=site_of(spec))
        self.assertEqual(again.encode(x), frame)
        if codec.page_vectors:
            pages = [codec.decode_page(frame, page) for page in range(-(-count // codec.page_vectors))]
            self.assertEqual(b"".join(page.tobytes() for page in pages), y.tobytes())
            with self.assertRaises(kakeya.InputError):
                codec.decode_page(frame, len(pages))

    def test_page_writer_writes_the_same_frame(self):
        for entry in PLAIN:
            codec = kakeya.codec(entry["example"], dim=64, site=site_of(entry["example"]))
            if not codec.page_vectors:
                with self.assertRaises(kakeya.InputError):
                    kakeya.PageWriter(codec)
                continue
            with self.subTest(codec.spec):
                x = vectors(2 * codec.page_vectors + 5, 64)
                writer = kakeya.PageWriter(codec)
                for row in range(0, len(x), 3):
                    writer.append(x[row : row + 3])
                self.assertEqual((writer.vectors, writer.sealed_pages), (len(x), 2))
                frame = codec.encode(x)
                self.assertEqual(writer.frame(), frame)
                self.assertEqual(writer.sealed_bytes + writer.open_bytes, len(frame))
                for page in range(3):
                    self.assertEqual(writer.decode_page(page).tobytes(), codec.decode_page(frame, page).tobytes())
                with self.assertRaises(kakeya.InputError):
                    writer.decode_page(3)
                x[0, 0] = numpy.nan
                with self.assertRaises(kakeya.InputError):
                    writer.append(x[:1])
                self.assertEqual(writer.frame(), frame)

    def test_rates(self):
        self.assertEqual(kakeya.codec("e8:q=10", dim=128).rates["nominal"], 608)
        self.assertEqual(set(kakeya.codec("ece8:bits=4", dim=128).rates), {"nominal", "codebook"})


@unittest.skipUnless(BIN, "KAKEYA_BIN names no folder of built programs")
class Programs(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_codec(self, *words):
        done = subprocess.run([pathlib.Path(BIN) / "kakeya-codec", *map(str, words)], capture_output=True, check=True)
        return done.stdout

    def test_list(self):
        self.assertEqual([codec for codec in kakeya.list() if codec["faithful"] != "foreign"], json.loads(self.run_codec("list", "--json")))

    def test_encode_writes_the_same_bytes(self):
        x = vectors(100, 128)
        numpy.save(self.folder / "x.npy", x)
        for entry in PLAIN:
            spec = entry["example"]
            site = ["--site", "0:key:0"] if site_of(spec) else []
            with self.subTest(spec):
                self.run_codec("encode", "--codec", spec, "--in", self.folder / "x.npy", "--out", self.folder / "x.kky", *site)
                frame = (self.folder / "x.kky").read_bytes()
                codec = kakeya.codec(spec, dim=128, site=site_of(spec))
                self.assertEqual(codec.encode(x), frame)
                told = json.loads(self.run_codec("info", "--in", self.folder / "x.kky", "--json"))
                info = codec.info(frame)
                self.assertEqual(info.pop("spec"), told["codec"])
                self.assertEqual(info, {key: told[key] for key in info})
                self.run_codec("decode", "--in", self.folder / "x.kky", "--out", self.folder / "y.npy")
                self.assertEqual(numpy.load(self.folder / "y.npy").tobytes(), kakeya.decode(frame).tobytes())


if __name__ == "__main__":
    unittest.main()
