#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/evidence.py: what it would run, and how it runs jobs.

usage: evidence.py BIN
"""
import contextlib
import io
import json
import pathlib
import re
import shlex
import subprocess
import sys
import types

from program_case import ProgramCase, ROOT, main, output, scratch_folder


class Evidence(ProgramCase):
    def test_commands_are_those_that_programs_take(self):
        commands = self.printed("--jobs", "4")
        made = {command[command.index("--out") + 1] for command in commands if "--out" in command}
        flags = {name: set(re.findall(r"--[a-z][a-z-]*", output(name, "--help"))) for name in ("calibrate", "sweep", "perplexity", "needle")}
        for command in commands:
            name = pathlib.PurePath(command[0]).name.removeprefix("kakeya-")
            if name in flags:
                self.assertLessEqual({word for word in command if word.startswith("--")}, flags[name], command)
                read = {word.rpartition("=")[2] for word in command if word.endswith(".h5")}
                self.assertLessEqual(read, made, command)  # of profiles that this run makes
            for word in command:
                if word.startswith("configs/"):
                    self.assertTrue((ROOT / word).is_file(), word)
        parts = [command for command in commands if "--out" in command and "/parts/held-out-cold." in command[-1]]
        self.assertEqual([command[-5:-2] for command in parts[:1]] + [len(parts)], [["32", "--passages", "10"], 4])
        after = lambda command, flag: command[command.index(flag) + 1]
        of = {after(command, "--out"): command for command in commands if "--out" in command}
        for text in ("python-code", "manpages-de", "manpages-fr", "manpages-zh"):
            for folder, profile in (("hot", "hot"), ("cold", "group6")):  # each text with a profile of its own kind, made of what is not scored
                sweep, made = of[f"out/evidence/smollm2-135m/texts-{folder}/{text}-own"], of[f"out/evidence/smollm2-135m/{text}.{profile}.h5"]
                self.assertEqual(after(sweep, "--profile"), after(made, "--out"))
                self.assertEqual([after(made, flag) for flag in ("--text", "--cut", "--passages")], [f"out/evidence/texts/{text}.rest.txt", "tokens", "36"])
                self.assertNotEqual(after(sweep, "--text"), after(made, "--text"))
        self.assertNotIn("out/evidence/smollm2-135m/texts-hot/wiki.test-own", of)
        self.assertEqual({after(command, "--cut") for name, command in of.items() if name.endswith(("mix.h5", "novel.h5", "scored-kind.h5"))}, {"published"})
        sys.path.insert(0, str(ROOT / "scripts"))
        self.addCleanup(sys.path.remove, str(ROOT / "scripts"))
        from evidence import MORE
        measured = {"whole": "/parts/whole.", "hot": "/texts-hot/python-code-mix", "cold": "/texts-cold/python-code-mix"}
        for name, folder in measured.items():
            self.assertLessEqual(set(MORE), {word for command in commands if folder in command[-1] for word in command}, name)
        self.assertEqual(after(of["out/evidence/smollm2-135m/texts-cold/python-code-mix-kvtc"], "--profile"), "out/evidence/smollm2-135m/mix.kvtc5760.h5")

    def test_texts_are_read_where_they_are(self):
        for steps in ((), ("--steps", "hot-profile", "end-to-end", "long-times")):
            texts = {pathlib.PurePath(word) for command in self.printed(*steps) for word in command if word.endswith((".txt", ".raw"))}
            self.assertTrue(texts)
            folders = {str(text.parent) for text in texts} - {"out/evidence/texts"}
            self.assertEqual(len(folders), 1, folders)  # the folder that was named
            self.assertTrue(pathlib.PurePath(*folders).is_absolute(), folders)

    def test_text_that_calibrates_its_own_kind_is_not_scored(self):
        sys.path.insert(0, str(ROOT / "scripts"))
        self.addCleanup(sys.path.remove, str(ROOT / "scripts"))
        from evidence import OWN_TEXTS, rest_of, write_rests
        self.assertEqual(rest_of(b"one\ntwo\nthree\n", 4), b"three\n")  # the line that byte 4 is in may be scored
        self.assertEqual(rest_of(b"one\ntwo\nthree\n", 7), b"three\n")
        for short in (b"one\ntwo\n", b"one two three four"):
            with self.assertRaisesRegex(ValueError, f"{len(short)} bytes: expected more lines behind the first 5"):
                rest_of(short, 5)
        folder = scratch_folder(self.addCleanup)
        for name in OWN_TEXTS:
            (folder / name).write_text("scored\n" * 142858 + "calibrated\n")  # 1,000,006 bytes are scored
        write_rests(folder, folder / "rests")
        self.assertEqual({path.name: path.read_text() for path in (folder / "rests").iterdir()}, {name.replace(".txt", ".rest.txt"): "calibrated\n" for name in OWN_TEXTS})
        (folder / OWN_TEXTS[0]).write_text("scored\n")
        with self.assertRaisesRegex(SystemExit, f"{OWN_TEXTS[0]}: 7 bytes: expected more lines"):
            write_rests(folder, folder / "rests")

    def test_steps_that_are_named_alone(self):
        """Times, and the profile that they need; scripts take the words that are given to them."""
        self.assertFalse([command for command in self.printed() if "scripts/" in " ".join(command) and "merge_samples.py" not in " ".join(command)])
        *profiles, end_to_end, times = self.printed("--steps", "end-to-end", "long-times", "hot-profile")
        self.assertEqual([pathlib.PurePath(command[-1]).name for command in profiles], ["mix.h5", "mix.hot.h5"])
        folder = scratch_folder(self.addCleanup)
        for command, script in ((end_to_end, "end_to_end.py"), (times, "long_times.py")):
            self.assertEqual(command[1], f"scripts/{script}")
            rope = ("--rope-profile", profiles[1][-1].replace("mix.hot", "mix.kivi")) if script == "end_to_end.py" else ()
            self.assertEqual([command[4], *command[6:]], [profiles[1][-1], "--model", "smollm2-135m", "--device", "cuda", *rope])
            done = subprocess.run([sys.executable, ROOT / command[1], *command[2:]], cwd=folder, capture_output=True, encoding="utf-8")
            self.assertEqual(done.returncode, 2)
            self.assertIn("build/release/bin: no kakeya-generate there", done.stderr)  # it took all words
        self.decodes_on_a_gpu_as_reported(folder)
        self.writes_texts_as_reported(folder)
        long, _ = self.printed("--steps", "long")
        self.assertIn("--noise-floor", long)

    def decodes_on_a_gpu_as_reported(self, folder):
        """The commands are those that the reports say they were measured by."""
        *decode, report = self.printed("--steps", "decode-gpu")
        self.assertEqual((report[1], [pathlib.PurePath(word).name for word in report[2:]]), ("generate", ["bench.json", "--out", "decode-gpu"]))
        maker, *of_8b, calibrated, tiles, _ = self.printed("--steps", "decode-gpu-8b")
        self.assertEqual(calibrated[-1], tiles[tiles.index("--profile") + 1])
        self.assertEqual(maker[1:], ["scripts/random_model.py", "data/configs/llama-3.1-8b.json", "data/models/nano", "out/evidence/models"])

        def asked(words):
            """Flags and their values; files by their last name, which a report may have under another."""
            flags = {}
            for word in words[2:]:
                name = word if word.startswith("--") else name
                flags.setdefault(name, []).extend([] if word is name else [word])
            flags["--model"] = [pathlib.PurePath(flags["--model"][0]).name.replace("SmolLM2-135M-Instruct.Q4_1.gguf", "smollm2-135m")]
            return {**flags, **{flag: [pathlib.PurePath(flags[flag][0]).name] for flag in ("--text", "--profile") if flag in flags}, "--out": []}
        speeds, fits, host = decode
        for command, document in ((speeds, "decode-gpu/bench.json"), (host, "decode-gpu/host.json"), (of_8b[0], "decode-gpu-8b/bench.json"), (tiles, "decode-gpu-8b/tiles.json")):
            self.assertEqual(asked(command), asked(json.loads((ROOT / "reports" / document).read_text())["provenance"]["command"]), document)
        for command, name in ((speeds, "decode-gpu"), (fits, "decode-gpu"), *((command, "decode-gpu-8b") for command in of_8b)):
            page = (ROOT / "reports" / name / "README.md").read_text()
            for flag, words in asked(command).items():
                if flag != "--model":
                    self.assertIn(" ".join([flag, shlex.join(words)]).rstrip(), page, name)
            self.assertEqual(pathlib.PurePath(command[-1]).parts[-2:], (name, "bench.json"))
        refused = subprocess.run([sys.executable, ROOT / "scripts/evidence.py", "smollm2-135m", folder, "--steps", "decode-gpu", "--print"], capture_output=True, encoding="utf-8")
        self.assertEqual((refused.returncode, "--steps decode-gpu with --device cpu: expected --device cuda" in refused.stderr), (2, True), refused.stderr)

    def writes_texts_as_reported(self, folder):
        """The commands of the page, with the profile that the first makes."""
        page, (calibrated, texts, control) = (ROOT / "reports/generation/results.md").read_text().replace(" \\\n ", ""), self.printed("--steps", "generation", "--jobs", "6")
        said = lambda command: " ".join(pathlib.PurePath(word).name.replace("generation.h5", "smollm2.h5") for word in command)
        self.assertIn(said(calibrated) + "\n", page)
        self.assertEqual(texts[texts.index("--profile") + 1], calibrated[-1])
        *told, jobs, count, out, place = texts[1:]
        self.assertEqual((jobs, count, out, place), ("--jobs", "6", "--out", "out/evidence/smollm2-135m/generation"))
        self.assertIn("scripts/agreement.py BIN " + said(told[2:]) + " --out", page)
        self.assertIn("scripts/control_logits.py BIN " + said(control[3:]) + "\n", page)
        self.assertEqual(pathlib.PurePath(control[-1]).parent, pathlib.PurePath(place))
        for command in (texts, control):  # scripts take these words: what they miss are the programs
            done = subprocess.run([sys.executable, ROOT / command[1], folder, *command[3:-1], folder / "out"], cwd=folder, capture_output=True, encoding="utf-8")
            self.assertIn("FileNotFoundError", done.stderr)
            self.assertNotIn("usage:", done.stderr)
        self.assertIn("--steps generation`", (ROOT / "reports/generation/README.md").read_text().splitlines()[-1])

    @staticmethod
    def printed(*words):
        told = subprocess.run([sys.executable, ROOT / "scripts/evidence.py", "smollm2-135m", "texts", "--device", "cuda", *words, "--print"], check=True, capture_output=True, encoding="utf-8").stdout
        return [shlex.split(line) for line in told.splitlines()]

    def test_jobs_wait_for_their_needs_and_go_on(self):
        sys.path.insert(0, str(ROOT / "scripts"))
        self.addCleanup(sys.path.remove, str(ROOT / "scripts"))
        from jobs import Job, Runner
        out = scratch_folder(self.addCleanup)
        script = lambda text: ("sh", "-c", f"cd {out} && {text}")
        plan = types.SimpleNamespace(out=out, folders=(), jobs=[Job("last", ("first", "second"), script("cat one two > three")), Job("first", (), script("sleep 0.3; echo 1 > one")),
                                                    Job("second", (), script("echo 2 >> two")), Job("broken", (), ("false",)), Job("never", ("broken",), script("touch never"))])
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(Runner(plan, 2, 0, 60).run(), 1)
        self.assertEqual((out / "three").read_text(), "1\n2\n")
        self.assertFalse((out / "never").exists())
        self.assertIn("never left out: broken failed", said.getvalue())
        plan.jobs = [*plan.jobs[:3], Job("long", (), ("sleep", "60"))]
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(Runner(plan, 2, 0, 1).run(), 0)  # what was finished is not run again; what runs is ended at the limit
        self.assertEqual((out / "two").read_text(), "2\n")
        self.assertIn("goes on with 1 jobs: long", said.getvalue())


if __name__ == "__main__":
    main()
