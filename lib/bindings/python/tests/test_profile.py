# SPDX-License-Identifier: Apache-2.0
"""Profiles, and the codecs that need one."""
import pathlib
import tempfile
import unittest

import kakeya

from made import klt_profile, vectors


class Profiles(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = pathlib.Path(scratch.name) / "made.kkp"
        self.path.write_bytes(klt_profile())

    def test_what_it_tells(self):
        profile = kakeya.Profile(self.path)
        self.assertEqual((profile.kind, profile.tap, profile.model), ("klt", "pre-rope", {"name": "made", "sha256": "a" * 64}))
        self.assertEqual((profile.layers, profile.kv_heads, profile.head_dim), (2, 2, 16))
        self.assertEqual(profile.digest, bytes(range(32)).hex())
        self.assertEqual((profile.path, profile.text["name"], profile.passages, profile.context), (str(self.path), "text", 1, 32))
        again = kakeya.Profile.from_bytes(profile.bytes)
        self.assertEqual((again.bytes, again.digest, again.path), (profile.bytes, profile.digest, ""))

    def test_klt_by_every_way_to_name_it(self):
        x = vectors(200, 16)
        profile = kakeya.Profile(str(self.path))
        frames = set()
        for given in (profile, self.path, str(self.path), [profile], (self.path,)):
            codec = kakeya.codec("klt:bits=3", profile=given, site=(1, "value", 1))
            self.assertEqual(codec.dim, 16)
            self.assertGreater(codec.profile_bytes, 16 * 16 * 2)
            frames.add(codec.encode(x))
        frames.add(kakeya.codec(f"klt:bits=3,profile={self.path}", dim=16, site=kakeya.Site(1, "value", 1)).encode(x))
        self.assertEqual(len(frames), 1)
        frame = frames.pop()
        self.assertEqual(kakeya.decode(frame, profile).tobytes(), codec.decode(frame).tobytes())
        self.assertLess(((codec.decode(frame) - x) ** 2).mean(), 0.05)
        self.assertEqual(kakeya.info(frame, self.path)["vectors"], 200)
        with self.assertRaisesRegex(kakeya.InputError, "profile"):
            kakeya.decode(frame)

    def test_sites_that_it_has_not(self):
        for site in ((2, "key", 0), (0, "key", 2), (-1, "key", 0), (0, "key", -1), (0, "key"), (0, "query", 0), (0, "", 0)):
            with self.subTest(site), self.assertRaises(kakeya.InputError):
                kakeya.codec("klt:bits=3", profile=self.path, site=site)
        with self.assertRaises(kakeya.InputError):
            kakeya.codec("klt:bits=3", profile=self.path)
        with self.assertRaises(kakeya.InputError):
            kakeya.codec("klt:bits=3", dim=32, profile=self.path, site=(0, "key", 0))
        with self.assertRaises(kakeya.InputError):  # no transforms of whole layers in it
            kakeya.codec("klt:bits=3,scope=layer", profile=self.path, layers=(0, 2))

    def test_tap(self):
        kakeya.codec("klt:bits=3", profile=self.path, site=(0, "key", 0), tap="pre-rope")
        with self.assertRaisesRegex(kakeya.InputError, "pre-rope.*post-rope"):
            kakeya.codec("klt:bits=3", profile=self.path, site=(0, "key", 0), tap="post-rope")
        with self.assertRaises(kakeya.SpecError):
            kakeya.codec("klt:bits=3", profile=self.path, site=(0, "key", 0), tap="nowhere")
        self.assertEqual(kakeya.Profile.from_bytes(klt_profile(tap=1)).tap, "post-rope")

    def test_damage(self):
        file = klt_profile()
        for at in range(0, len(file), 7):
            damaged = bytearray(file)
            damaged[at] ^= 0x41
            with self.assertRaises(kakeya.CorruptStream):
                kakeya.Profile.from_bytes(damaged)
            with self.assertRaises(kakeya.CorruptStream):
                kakeya.Profile.from_bytes(file[:at])
        with self.assertRaises(kakeya.IoError):
            kakeya.Profile(self.path.with_suffix(".nosuch"))
        with self.assertRaises(kakeya.IoError):
            kakeya.Profile(self.path.parent)
        self.path.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
        with self.assertRaisesRegex(kakeya.CorruptStream, "kakeya-calibrate convert"):
            kakeya.Profile(self.path)
        for wrong in (None, 3, self.path.read_bytes):
            with self.assertRaises(TypeError):
                kakeya.Profile(wrong)

    def test_a_packed_cache(self):
        cache = kakeya.PackedCache(2, 2, 16, codec_k="klt:bits=3", codec_v="e8:q=10", profile=self.path)
        tokens = cache.page_tokens(0, "key") + 30
        sequence, x = cache.add_sequence(), vectors(tokens, 32)
        cache.append(sequence, 0, x, x)
        self.assertLess(((cache.read(sequence, 0, "key").reshape(tokens, 32) - x) ** 2).mean(), 0.05)
        self.assertEqual(cache.sealed_tokens(sequence, 0, "key"), tokens - 30)
        self.assertGreater(cache.profile_bytes, 0)
        with self.assertRaises(kakeya.InputError):
            kakeya.PackedCache(3, 2, 16, codec="klt:bits=3", profile=self.path)
        with self.assertRaises(kakeya.InputError):
            kakeya.PackedCache(2, 2, 16, codec="klt:bits=3")


if __name__ == "__main__":
    unittest.main()
