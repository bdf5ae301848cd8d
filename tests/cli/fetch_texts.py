#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/fetch_texts.sh over packages made here, behind an apt-get that has them: order, digests, roff, what is left alone; and a Chinese
passage cut by tokens.

usage: fetch_texts.py BIN
"""
import gzip
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from program_case import ProgramCase, ROOT, document, main, run, scratch_folder

sys.path.insert(0, str(ROOT / "scripts"))
import package_text  # noqa: E402

PAGE = r""".\" a comment
.TH LS 1 "Januar" "x"
.SH BEZEICHNUNG
ls \- zeigt \fIVerzeichnisse\fP \(aqso\(aq an
.de xx
.SH not seen
..
.SH "SIEHE AUCH"
.BR cat (1),
.PP
Ende\|e \[u00E4]\&.
"""
CHINESE = "列出目录的内容，按照字母顺序排列，没有空格也能分成段落。\n"


class FetchTexts(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    def package(self, name, files):
        tree = self.folder / "tree" / name
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "DEBIAN" / "control").write_text(f"Package: {name}\nVersion: 1.2-3\nArchitecture: all\nMaintainer: nobody <n@example.org>\nDescription: made\n")
        for path, data in files.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_bytes(data)
        (self.folder / "debs").mkdir(exist_ok=True)
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tree, self.folder / "debs" / f"{name}_1.2-3_all.deb"], check=True, capture_output=True)

    def fetch(self, *kinds):
        tools = self.folder / "tools"
        if not tools.exists():
            tools.mkdir()
            (tools / "apt-get").write_text(f'#!/bin/sh\nfor last; do :; done\ncp {self.folder}/debs/"$last"_*.deb . || {{ echo "E: Unable to locate package $last" >&2; exit 100; }}\n')
            (tools / "apt-cache").write_text('#!/bin/sh\nprintf "libpython3-stdlib\\n  Depends: libpython3.11-stdlib\\n"\n')
            for tool in tools.iterdir():
                tool.chmod(0o755)
        return subprocess.run([ROOT / "scripts" / "fetch_texts.sh", *kinds], capture_output=True, encoding="utf-8",
                              env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "KAKEYA_TEXTS": str(self.folder / "texts")})

    @unittest.skipUnless(shutil.which("dpkg-deb"), "dpkg-deb is not installed")
    def test_texts_of_packages(self):
        man = "usr/share/man"
        self.package("libpython3.11-stdlib", {"usr/lib/python3.11/b.py": b"b = 1\n", "usr/lib/python3.11/a.py": b"a = 1", "usr/lib/python3.11/x.so": b"\x7fELF"})
        self.package("manpages-de", {f"{man}/de/man1/ls.1.gz": gzip.compress(PAGE.encode()), f"{man}/de/man1/dir.1.gz": gzip.compress(b".so man1/ls.1\n")})
        self.package("manpages-zh", {f"{man}/zh_CN/man1/ls.1.gz": gzip.compress(b".SH \xe5\x90\x8d\n" + 200 * CHINESE.encode()),
                                     f"{man}/zh_TW/man1/ls.1.gz": gzip.compress("繁".encode())})
        done = self.fetch("code", "german", "chinese")
        self.assertEqual(done.returncode, 0, done.stderr)
        texts = self.folder / "texts"
        code = (texts / "python-code.txt").read_bytes()
        names = sorted(("python3.11/a.py", "python3.11/b.py"), key=lambda path: hashlib.sha256(path.encode()).hexdigest())
        self.assertEqual(code.decode(), "\n".join(name[-4] + " = 1\n" for name in names))
        self.assertIn("fetch_texts: code: libpython3.11-stdlib 1.2-3\n", done.stdout)
        self.assertIn(f"python-code.txt: 2 files, {len(code)} bytes, sha256 {hashlib.sha256(code).hexdigest()}\n", done.stdout)
        self.assertEqual((texts / "manpages-de.txt").read_text(), "BEZEICHNUNG\nls - zeigt Verzeichnisse 'so' an\nSIEHE AUCH\ncat(1),\nEndee ä.\n")
        self.assertNotIn("繁", (texts / "manpages-zh.txt").read_text())

        again = self.fetch("german")
        self.assertRegex(again.stdout, "manpages-de.txt is there: [0-9]+ bytes, sha256 [0-9a-f]{64}\n")
        # Of a text without spaces the published rule makes nothing; tokens do.
        common = ("--model", "nano", "--text", texts / "manpages-zh.txt", "--ctx", 128, "--eval", 8, "--passages", 2, "--codec", "fp8", "--dry-run")
        self.assertEqual(document("sweep", *common)["passages"], 2)
        self.assertEqual(run("sweep", *common, "--cut", "published").returncode, 1)

    @unittest.skipUnless(shutil.which("dpkg-deb"), "dpkg-deb is not installed")
    def test_what_cannot_be_fetched(self):
        (self.folder / "debs").mkdir()
        done = self.fetch("french")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("apt-get could not download manpages-fr", done.stderr)
        done = self.fetch("latin")
        self.assertEqual(done.returncode, 2)
        self.assertIn("latin: expected some of code, german, french, chinese", done.stderr)
        self.package("manpages-fr", {"usr/share/man/fr/README": b"none\n"})
        done = self.fetch("french")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no manual page in it", done.stderr)
        self.assertFalse((self.folder / "texts" / "manpages-fr.txt").exists())

    def test_roff(self):
        for page, text in ((".IR datei \" und\" mehr\n", "datei undmehr\n"), (".B fett und \\fBfett\\fP\n", "fett und fett\n"), (".IP eins 4\nzwei\n", "eins\nzwei\n"),
                           ("a\\(emb \\(bu \\*(lqc\\*(rq \\s-1KLEIN\\s0\n", "a—b • “c” KLEIN\n"), (".ig\nnicht\n..\nda\n", "da\n"), ("'\\\" t\n.TS\n.TE\n", ""), ("", "")):
            self.assertEqual(package_text.without_roff(page), text, page)


if __name__ == "__main__":
    main()
