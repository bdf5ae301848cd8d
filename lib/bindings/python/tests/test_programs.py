# SPDX-License-Identifier: Apache-2.0
"""kakeya's programs from Python, with scripts in their place: what they are told, and what comes back."""
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import kakeya
import kakeya.calibrate
import kakeya.capture
from kakeya.hosting import drive, programs

from made import SANITIZED

# Says what it was given, and greets its host where it has one.
ECHO = """
import json, os, sys
from kakeya.hosting.channel import Channel
told = {"arguments": sys.argv[1:], "python": os.environ.get("KAKEYA_PYTHON")}
if "KAKEYA_HOST" in os.environ:
    line = Channel(*map(int, os.environ["KAKEYA_HOST"].split(",")))
    line.send({"do": "hello", "protocol": 1})
    told["host"] = line.receive()["host"]
print("working\\rstill working", file=sys.stderr)
print(json.dumps(told))
"""
# A sweep of three cells, two of which fail.
FAILED_CELLS = '''
import os, sys
out = sys.argv[sys.argv.index("--out") + 1]
os.makedirs(out, exist_ok=True)
with open(out + "/failures.jsonl", "w") as file:
    for number in range(2):
        print('{"codec_k": "q8_0", "passage": %d, "error": "dim 16: expected 32"}' % number, file=file)
print(f"kakeya-sweep: 2 of 3 cells failed: see {out}/failures.jsonl", file=sys.stderr)
sys.exit(1)
'''
# Asks its host what its plugins are, but the last.
ASKS_FOR_PLUGINS = """
import json, os, sys
from kakeya.hosting.channel import Channel
line = Channel(*map(int, os.environ["KAKEYA_HOST"].split(",")))
out = sys.argv[sys.argv.index("--out") + 1]
os.mkdir(out)
with open(out + "/samples.jsonl", "w") as file:
    for path in sys.argv[sys.argv.index("--plugin") + 1 : -1]:
        line.send({"do": "plugin", "file": path})
        told = [codec["name"] for codec in line.receive()["codecs"]]
        print(json.dumps({"file": os.path.basename(path), "codecs": told}), file=file)
"""
FAILS = """
import os, sys
from kakeya.hosting.channel import Channel
line = Channel(*map(int, os.environ["KAKEYA_HOST"].split(",")))
line.send({"do": "hello", "protocol": 9})
print("kakeya-capture: host: " + line.receive()["text"], file=sys.stderr)
sys.exit(1)
"""
WAITS = """
import pathlib, signal, sys, time
def stop(*_):
    pathlib.Path(sys.argv[0] + ".stopped").touch()
    sys.exit(130)
signal.signal(signal.SIGINT, stop)
pathlib.Path(sys.argv[0] + ".runs").touch()
time.sleep(60)
"""


def setUpModule():
    if SANITIZED:
        raise unittest.SkipTest("runs programs, not the extension")


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        patch = mock.patch.dict(os.environ, {"KAKEYA_BIN": self.folder})
        patch.start()
        self.addCleanup(patch.stop)
        onward = mock.patch.object(sys, "stderr", io.StringIO())
        onward.start()
        self.addCleanup(onward.stop)

    def put(self, program, script):
        path = pathlib.Path(self.folder, program)
        path.write_text(f"#!{sys.executable}\n{script}")
        path.chmod(0o755)
        return path


class Found(Scripts):
    def test_in_which_order(self):
        path = self.put("kakeya-sweep", ECHO)
        self.assertEqual(programs.find("kakeya-sweep"), str(path))
        with mock.patch.dict(os.environ, {"KAKEYA_BIN": "", "PATH": self.folder}):
            self.assertEqual(programs.find("kakeya-sweep"), str(path))
        with mock.patch.dict(os.environ, {"PATH": "/nowhere"}), self.assertRaisesRegex(kakeya.IoError, "kakeya-none: not in .*KAKEYA_PYTHON_PROGRAMS"):
            programs.find("kakeya-none")


class CommandLines(unittest.TestCase):
    def test_the_model_is_prefixed(self):
        self.assertEqual(programs.hosted_arguments(["--model", "nano", "--codec", "fp8"]), ["--model", "transformers:nano", "--codec", "fp8"])
        self.assertEqual(programs.hosted_arguments(["--model=a/b"]), ["--model=transformers:a/b"])
        self.assertEqual(programs.hosted_arguments(["--model", "transformers:x"]), ["--model", "transformers:x"])
        self.assertEqual(programs.hosted_arguments(["--help"]), ["--help"])

    def test_that_of_a_configuration_too(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "c.json")
            for told, want in (({"model": "nano"}, ["--model", "transformers:nano"]), ({"model": "here"}, ["--model", f"transformers:{folder}/here"]),
                               ({"dump": "x.h5"}, []), ([], [])):
                pathlib.Path(folder, "here").mkdir(exist_ok=True)
                pathlib.Path(path).write_text(json.dumps(told))
                self.assertEqual(programs.hosted_arguments(["--config", path]), ["--config", path, *want])
            self.assertEqual(programs.hosted_arguments([f"--config={path}", "--model", "m"]), [f"--config={path}", "--model", "transformers:m"])

    def test_flags_of_keywords(self):
        flags = dict(skip_edge_layers=0, codec=["a", "b"], json=True, tap=None, dry_run=False, text=pathlib.Path("x"))
        self.assertEqual(programs.command_flags(flags), ["--skip-edge-layers", "0", "--codec", "a", "b", "--json", "--text", "x"])


class Modules(Scripts):
    def test_each_becomes_its_program(self):
        for name in ("sweep", "calibrate", "capture", "perplexity"):
            self.put(f"kakeya-{name}", ECHO)
            done = subprocess.run([sys.executable, "-m", f"kakeya.{name}", "--model", "m", "--x"], capture_output=True, text=True)
            told = json.loads(done.stdout)
            self.assertEqual((told["arguments"], told["python"]), (["--model", "transformers:m", "--x"], sys.executable))

    def test_where_there_is_no_program(self):
        environment = {**os.environ, "PATH": "/nowhere"}
        done = subprocess.run([sys.executable, "-m", "kakeya.sweep"], capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.startswith("kakeya-sweep: kakeya-sweep: not in "), done.stderr)


class Children(Scripts):
    def test_serves_and_returns_what_is_printed(self):
        self.put("kakeya-capture", ECHO)
        for call in (kakeya.capture, drive.capture):  # the module, and the function
            told = call("some/model", text="t", out="d.h5", passages=2)
            self.assertEqual(told["arguments"], ["--model", "transformers:some/model", "--text", "t", "--out", "d.h5", "--passages", "2", "--json"])
            self.assertTrue(told["host"].startswith("kakeya.host"))
        self.put("kakeya-calibrate", ECHO)
        told = kakeya.calibrate("m", text=["a", "b"], out="p.kkp")
        self.assertEqual(told["arguments"][2:7], ["--text", "a", "b", "--out", "p.kkp"])

    def test_samples_are_those_of_every_shard(self):
        cell = lambda passage, **more: {"codec_k": "fp8", "codec_v": "fp8", "mode": "inforward", "passage": passage, "top1": 1.0, "cell_seconds": 1.0, **more}
        with tempfile.TemporaryDirectory() as folder:
            put = lambda name, *cells, end="": pathlib.Path(folder, name).write_text("".join(json.dumps(one) + "\n" for one in cells) + end)
            put("samples.2-of-3.jsonl", cell(1), cell(0, cell_seconds=2.0), end='{"codec_k')
            self.assertEqual([one["passage"] for one in drive.samples(folder)], [1, 0])
            put("samples.jsonl", cell(0), cell(5))
            put("samples.jsonl.old", cell(9))
            self.assertEqual([one["passage"] for one in drive.samples(folder)], [0, 5, 1])
            put("samples.1-of-3.jsonl", cell(5, top1=0.5))
            with self.assertRaisesRegex(kakeya.Error, "samples.1-of-3.jsonl: .*5.*: measured twice, with other numbers"):
                drive.samples(folder)

    def test_each_registered_codec_is_a_plugin_of_its_own(self):
        class Own:
            def __init__(self, name, step):
                self.name, self.step = name, step

            def encode(self, x):
                return (x * self.step).tobytes()

            def decode(self, data, count):
                return data

        first, second = kakeya.register_codec(Own("t-one", 1)), kakeya.register_codec(Own("t-one-two", 1))

        def digests(*specs):
            with tempfile.TemporaryDirectory() as folder:
                made = drive.registered_files(folder, specs, folder)
                return {name: pathlib.Path(path).read_text() for path, name in made.items()}

        before = digests(["t-one", "t-one-two:x=1"], None)
        self.assertEqual(list(before), ["t-one", "t-one-two"])
        self.assertEqual(digests("t-one-two"), {"t-one-two": before["t-one-two"]})
        second.step = 2
        after = digests(["t-one", "t-one-two"])
        self.assertEqual(after["t-one"], before["t-one"])
        self.assertNotEqual(after["t-one-two"], before["t-one-two"])
        self.assertEqual(digests("fp8"), {})

        first.file = sys.stdout
        self.assertNotEqual(digests("t-one"), digests("t-one"))
        pathlib.Path(self.folder, "provenance.json").write_text('{"runs": [{"plugins": [{"codecs": [{"name": "t-one"}]}]}, {}]}')
        with self.assertRaisesRegex(kakeya.SpecError, "holds results of t-one, .*self.file, a TextIOWrapper"):
            drive.registered_files(self.folder, ["t-one"], self.folder)
        self.assertEqual(len(drive.registered_files(self.folder, ["t-one-two"], self.folder)), 1)

        self.put("kakeya-sweep", ASKS_FOR_PLUGINS)
        told = kakeya.measure("m", text="t", codec=["t-one", "t-one-two"], out=os.path.join(self.folder, "o"), plugin="x.py")
        self.assertEqual(told, [{"file": "t-one.registered.py", "codecs": ["t-one"]}, {"file": "t-one-two.registered.py", "codecs": ["t-one-two"]}])

    def test_files_that_were_loaded_are_handed_on(self):
        example = pathlib.Path(__file__).resolve().parents[1] / "examples" / "int4_groups.py"
        self.assertEqual(kakeya.load_plugin(example), ["int4np"])
        self.put("kakeya-sweep", ASKS_FOR_PLUGINS)
        for number, plugin in enumerate(("x.py", ["x.py"])):
            told = kakeya.measure("m", text="t", codec=["int4np:group={32,64}", "fp8"], out=os.path.join(self.folder, f"o{number}"), plugin=plugin)
            self.assertEqual(told, [{"file": "int4_groups.py", "codecs": ["int4np"]}])
        self.assertEqual(drive.loaded_files(["fp8", None]), [])
        self.assertEqual(drive.loaded_files([["fp8", "int4np:group=16"]]), [str(example)])

    def test_samples_of_a_sweep(self):
        self.put("kakeya-sweep", "import sys\nopen(sys.argv[sys.argv.index('--out') + 1] + '/samples.jsonl', 'w').write('{\"kld_mean\": 1}\\n{}\\n')")
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(kakeya.measure("m", text="t", codec="fp8", out=folder), [{"kld_mean": 1}, {}])

    def test_failed_cells_name_no_file_that_is_gone(self):
        self.put("kakeya-sweep", FAILED_CELLS)
        with self.assertRaises(kakeya.Error) as raised:
            kakeya.measure("m", text="t", codec="q8_0")
        self.assertEqual(str(raised.exception), "2 of 3 cells failed: q8_0, passage 0: dim 16: expected 32 (the first; out= keeps them all)")
        kept = os.path.join(self.folder, "kept")
        with self.assertRaises(kakeya.Error) as raised:
            kakeya.measure("m", text="t", codec="q8_0", out=kept)
        self.assertEqual(str(raised.exception), f"2 of 3 cells failed: see {kept}/failures.jsonl: q8_0, passage 0: dim 16: expected 32")

    def test_what_is_no_model(self):
        for given, words in ((None, "None"), (3, "an object of type int")):
            for call in (kakeya.measure, kakeya.capture, kakeya.calibrate):
                with self.assertRaisesRegex(kakeya.InputError, f"^model: {words} was given: expected a model of transformers, or a folder"):
                    call(given, None, "t", out="o", codec="fp8")

    def test_errors_are_the_programs_line(self):
        self.put("kakeya-capture", FAILS)
        with self.assertRaisesRegex(kakeya.InputError, "^host: protocol 9: expected 1$"):
            kakeya.capture("m", text="t", out="o")
        self.put("kakeya-capture", "import sys\nprint('kakeya-capture: no text', file=sys.stderr)\nsys.exit(2)")
        with self.assertRaisesRegex(kakeya.Error, "^no text$"):
            kakeya.capture("m", text="t", out="o")
        self.put("kakeya-capture", "import os\nos.kill(os.getpid(), 9)")
        with self.assertRaisesRegex(kakeya.Error, "ended by signal 9"):
            kakeya.capture("m", text="t", out="o")

    def test_an_interrupt_ends_both(self):
        path = self.put("kakeya-capture", WAITS)
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))  # tests in the background ignore it

        def interrupt():
            while not os.path.exists(f"{path}.runs"):
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        with self.assertRaises(KeyboardInterrupt):
            kakeya.capture("m", text="t", out="o")
        self.assertTrue(os.path.exists(f"{path}.stopped"))

    def test_what_is_missing_or_too_much(self):
        for call in (lambda: kakeya.measure("m", codec="fp8"), lambda: kakeya.capture("m", text="t"), lambda: kakeya.calibrate("m", out="p")):
            with self.assertRaisesRegex(kakeya.SpecError, "expected text="):
                call()
        self.put("kakeya-capture", ECHO)
        with self.assertRaisesRegex(kakeya.SpecError, "model='x': expected none"):
            drive._serve("kakeya-capture", "m", None, {"model": "x"})


class Cheap(unittest.TestCase):
    def test_import_brings_no_torch(self):
        words = "import sys, kakeya; kakeya.measure; assert not {'torch', 'transformers'} & set(sys.modules)"
        subprocess.run([sys.executable, "-c", words], check=True)


if __name__ == "__main__":
    unittest.main()
