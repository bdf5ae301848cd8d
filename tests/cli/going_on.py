#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same command again: what is finished is found, what was stopped goes on; and what is said of profiles that do not fit.

usage: going_on.py BIN
"""
import json
import signal
import subprocess
import time

from program_case import ProgramCase, command, document, halves_of_texts, json_lines, main, output, run, scratch_folder, shallow_nano, without_windows


def interrupted(arguments, is_time, by):
    """The program, after a signal (Ctrl-C is SIGINT) when is_time() first holds."""
    heed = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # tests in the background ignore it
    done = subprocess.Popen(command(*arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            encoding="utf-8", preexec_fn=heed)
    end = time.monotonic() + 300
    while not is_time() and done.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    done.send_signal(by)
    _, done.stderr_text = done.communicate(timeout=300)
    return done.returncode, done.stderr_text


class GoingOn(ProgramCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch_folder(cls.addClassCleanup)
        cls.seen, cls.unseen = halves_of_texts(cls.folder)
        cls.nano = shallow_nano(cls.folder, 5)
        cls.common = ("--model", cls.nano, "--text", cls.seen, "--passages", 2, "--ctx", 256)
        cls.head = (*cls.common, "--sensitivity-passages", 1, "--scope", "head")
        cls.klt, cls.kvtc = cls.folder / "klt.h5", cls.folder / "kvtc.h5"
        cls.of_klt = document("calibrate", *cls.head, "--out", cls.klt)
        cls.of_kvtc = document("calibrate", "--codec", "kvtc", *cls.common, "--rank", 64, "--out", cls.kvtc)

    def test_a_finished_profile_is_found(self):
        for made, path, arguments in ((self.of_klt, self.klt, self.head), (self.of_kvtc, self.kvtc, ("--codec", "kvtc", *self.common, "--rank", 64))):
            before = path.stat()
            again = document("calibrate", *arguments, "--out", path)
            self.assertEqual({**again, "seconds": 0}, {**made, "seconds": 0})
            self.assertEqual((path.stat().st_ino, path.stat().st_mtime_ns), (before.st_ino, before.st_mtime_ns))
            self.assertTrue(output("calibrate", *arguments, "--out", path).startswith(f"{path}: already there: nano-5, 5 layers"))
        self.assertIn("already there", output("calibrate", *self.head, "--from", self.klt, "--out", self.klt))

    def test_a_profile_of_other_settings_is_kept(self):
        digest = self.klt.read_bytes()
        for arguments, difference in (
                (("--sinks", 5), "sinks: 4 there, 5 asked for"), (("--matrices", "int8"), "matrices: fp16 there, int8 asked for"),
                (("--ablations",), "variants of transforms: 1 there, 4 asked for"), (("--tap", "post-rope"), "tap: pre-rope there, post-rope asked for")):
            self.fails(1, "calibrate", *self.head, *arguments, "--out", self.klt, names=(f"klt.h5: holds a profile of other settings ({difference})", "another --out"))
        self.fails(1, "calibrate", *self.common, "--sensitivity-passages", 1, "--out", self.klt, names=("scope: head there, layer asked for",))
        self.fails(1, "calibrate", *self.common, "--sensitivity-passages", 2, "--scope", "head", "--out", self.klt, names=("sensitivity passages: 1 there, 2",))
        self.fails(1, "calibrate", "--codec", "kvtc", *self.common, "--out", self.klt, names=("codec: klt there, kvtc asked for",))
        self.fails(1, "calibrate", "--codec", "kvtc", *self.common, "--rank", 65, "--out", self.kvtc, names=("rank: 64 there, 65 asked for",))
        self.assertEqual(self.klt.read_bytes(), digest)

    def test_what_is_no_profile_is_written_over(self):
        path = self.folder / "old.h5"
        path.write_text("no profile")
        self.assertEqual(document("calibrate", "--codec", "kvtc", *self.common, "--rank", 64, "--out", path)["digest"], self.of_kvtc["digest"])

    def test_layers_of_other_settings(self):
        path = self.folder / "layers.h5"
        whole = ("calibrate", *self.common, "--sensitivity-passages", 1, "--from", self.klt, "--out", path)
        made = document(*whole, "--predict", 0, "--steps", "inforward")
        self.assertEqual(document(*whole, "--predict", 0, "--steps", "inforward")["digest"], made["digest"])
        self.fails(1, *whole, "--predict", 1, "--steps", "inforward", names=("predict: 0 there, 1 asked for",))
        self.fails(1, *whole, "--predict", 0, names=("steps: inforward there, prefix asked for",))

    def test_text_that_was_seen(self):
        sweep = ("sweep", "--model", self.nano, "--codec", "klt:bits=3,alloc=none", "--profile", self.klt, "--dry-run")
        # The same folder; the same passages of another one, which the digest of the folder does not tell.
        twin = self.folder / "twin"
        twin.mkdir()
        for name in sorted(path.name for path in self.seen.iterdir())[:2]:
            (twin / name).write_bytes((self.seen / name).read_bytes())
        for text in (self.seen, twin):
            done = run(*sweep, "--text", text, "--ctx", 256, "--passages", 2)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(f"kakeya-sweep: warning: {self.klt}: calibrated on the text that is measured here ({text.name})", done.stderr)
        self.assertEqual(run(*sweep, "--text", self.unseen, "--ctx", 256, "--passages", 2).stderr, "")

    def test_text_of_which_a_part_was_seen(self):
        mixed = self.folder / "mixed"
        mixed.mkdir()
        unseen, seen = (sorted(folder.iterdir())[0].read_text() for folder in (self.unseen, self.seen))
        (mixed / "a.txt").write_text(unseen)
        (mixed / "b.txt").write_text(seen[301:])  # cut elsewhere than in the calibration
        old = self.folder / "old.kkp"
        old.write_bytes(without_windows((self.folder / "klt.kkp").read_bytes()))
        dump = self.folder / "mixed.h5"
        output("capture", "--model", self.nano, "--text", mixed, "--passages", 2, "--ctx", 256, "--out", dump)
        measured = ("--model", self.nano, "--text", mixed, "--ctx", 256, "--passages", 2)
        for name, of, profile, text, shared in (("of_model", measured, self.klt, mixed, [1]), ("of_dump", ("--dump", dump), self.klt, mixed, [1]),
                                                ("of_old", measured, old, mixed, None), ("apart", (*measured[:3], self.unseen, *measured[4:]), self.klt, "", [])):
            out = self.folder / name
            done = run("sweep", *of, "--codec", "klt:bits=3,alloc=none", "--profile", profile, "--out", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            warning = (f"kakeya-sweep: warning: {profile}: calibrated on text of 1 of the 2 passages that are measured here (mixed): "
                       "its codecs look better than they are\n") if shared else ""
            self.assertEqual(done.stderr, warning, name)
            record, = json.loads((out / "provenance.json").read_text())["runs"][0]["profiles"]
            self.assertEqual(record.get("shared_passages"), shared, name)
            report = json.loads(output("report", out, "--out", self.folder / f"report_{name}", "--json"))
            self.assertEqual([warning[warning.index("SEEN"):] for warning in report["warnings"]],
                             [f"SEEN IN CALIBRATION: 1 of 2 passages (1) share text with what profile {self.of_klt['digest'][:16]} was calibrated on "
                              "(in): its codecs look better than they are"] if shared else [])

    def test_profiles_that_do_not_fit(self):
        sweep = ("sweep", "--model", self.nano, "--text", self.unseen, "--ctx", 128, "--passages", 1, "--dry-run")
        self.fails(1, *sweep, "--codec", "klt:bits=3", names=("no profile given: expected a profile of klt, by --profile",))
        self.fails(1, *sweep, "--codec", "klt:bits=3", "--profile", self.kvtc,
                   names=(f"given: {self.kvtc} (of kvtc, {self.of_kvtc['digest'][:16]}): expected a profile of klt, by --profile",))
        dump, cache, back = (self.folder / name for name in ("kv.h5", "kv.kkv", "back.h5"))
        output("capture", "--model", self.nano, "--text", self.unseen, "--passages", 1, "--ctx", 128, "--out", dump)
        output("codec", "pack", "--dump", dump, "--codec", "klt:bits=3", "--profile", self.klt, "--out", cache)
        unpack = ("codec", "unpack", "--in", cache, "--out", back)
        digest = self.of_klt["digest"][:16]
        self.fails(1, *unpack, names=(f"coded by klt:bits=3,profile={digest}: expected --profile", "kakeya-calibrate for nano-5 (sha256 "))
        self.fails(1, *unpack, "--profile", self.kvtc, names=(f"profile={digest}: ", f"given: {self.kvtc} (of kvtc, ", "by --profile"))
        output(*unpack, "--profile", self.klt)

    def test_interrupted(self):
        out = self.folder / "sweep"
        sweep = ("sweep", "--model", "nano", "--text", self.unseen, "--ctx", 1024, "--passages", 4, "--codec", "e8:q={4,6,10,22,38}", "--out", out)
        samples = out / "samples.jsonl"
        code, said = interrupted(sweep, lambda: samples.exists() and samples.stat().st_size > 0, signal.SIGINT)
        self.assertEqual((code, said), (-signal.SIGINT, "kakeya-sweep: stopped: run the same command to go on\n"))
        finished = len(json_lines(samples))
        self.assertIn(f"{24 - finished} measured now, {finished} already there", output(*sweep))
        path, unfinished = self.folder / "stopped.h5", self.folder / "stopped.h5.unfinished"
        code, said = interrupted(("calibrate", *self.head, "--out", path), unfinished.exists, signal.SIGTERM)
        self.assertEqual((code, said), (-signal.SIGTERM, "kakeya-calibrate: stopped: run the same command to go on\n"))
        self.assertEqual(document("calibrate", *self.head, "--out", path)["digest"], self.of_klt["digest"])


if __name__ == "__main__":
    main()
