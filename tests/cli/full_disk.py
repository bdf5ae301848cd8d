#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that write HDF5, on a disk that is full: one line, exit code 1, and nothing left but what was there before.

A limit on the length of files stands in for a full disk everywhere; a small tmpfs is one, where mounting is allowed.

usage: full_disk.py BIN
"""
import resource
import signal
import subprocess
import unittest

from program_case import ProgramCase, command, document, halves_of_texts, main, output, scratch_folder

WRITTEN = "what stood there before"


class FullDisk(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.texts, _ = halves_of_texts(cls.folder)
        dump, cls.cache = cls.folder / "whole.h5", cls.folder / "whole.kkv"
        cls.capture = ("capture", "--model", "nano", "--text", cls.texts, "--passages", 1, "--ctx", 256)
        output(*cls.capture, "--out", dump)
        output("codec", "pack", "--dump", dump, "--codec", "e8:q=10", "--out", cls.cache)
        calibrate = ("calibrate", "--model", "nano", "--text", cls.texts, "--passages", 1, "--ctx", 256)
        cls.writers = {
            "capture": (cls.capture, dump.stat().st_size),
            "unpack": (("codec", "unpack", "--in", cls.cache), dump.stat().st_size),
            "klt": ((*calibrate, "--sensitivity-passages", 1, "--scope", "head"), 900_000),
            "kvtc": ((*calibrate, "--codec", "kvtc", "--rank", 64), 400_000),
        }

    def check(self, folder, arguments, out, reason, **how):
        """Fails with one line; in the folder is nothing but `out`, as it was before."""
        done = subprocess.run(command(*arguments, "--out", out), capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL,
                              timeout=600, **how)
        self.check_failure(done, 1, f"kakeya-{arguments[0]}", (str(out), reason))
        self.assertEqual([path.name for path in folder.iterdir()], [out.name])
        self.assertEqual(out.read_text(), WRITTEN)

    def test_limited_length(self):
        for name, (arguments, length) in self.writers.items():
            for share in (0, 0.3, 0.7):
                with self.subTest(name, share=share):
                    folder = scratch_folder(self.addCleanup)
                    out, limit = folder / "out.h5", int(share * length)
                    out.write_text(WRITTEN)
                    limit_files = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
                    # Without restore_signals the program ignores SIGXFSZ, as Python does: writing fails, nobody is killed.
                    self.assertEqual(signal.getsignal(signal.SIGXFSZ), signal.SIG_IGN)
                    self.check(folder, arguments, out, "File too large", preexec_fn=limit_files, restore_signals=False)

    def test_small_disk(self):
        mounted = scratch_folder(self.addCleanup)
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", mounted], capture_output=True, text=True)
        if mount.returncode != 0:
            self.skipTest(f"no small disk: {mount.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", mounted], check=True)
        for name, (arguments, _) in self.writers.items():
            with self.subTest(name):
                out = mounted / "out.h5"
                out.write_text(WRITTEN)
                self.check(mounted, arguments, out, "No space left on device")


if __name__ == "__main__":
    main()
