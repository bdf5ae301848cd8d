# SPDX-License-Identifier: Apache-2.0
"""A program and its host, one of which ends in the midst of work: real signals to `kakeya-codec` and a codec in Python."""

import os
import pathlib
import signal
import sys
import tempfile
import unittest

import numpy

from ended import ended, host_of, started, until

BIN = os.environ.get("KAKEYA_BIN", "")

SLOW = """
import pathlib, time
class Slow:
    name = "slow"
    def __init__(self, dim):
        self.dim = dim
    def encode(self, x):
        here = pathlib.Path(__file__).parent
        (here / "begun").touch()
        while not (here / "go").exists():
            time.sleep(0.01)
        return x.tobytes()
    def decode(self, data, count):
        import numpy
        return numpy.frombuffer(data, "float32").reshape(count, self.dim)
"""


@unittest.skipUnless(os.path.exists(os.path.join(BIN, "kakeya-codec")), "KAKEYA_BIN names no folder of built programs")
class Signals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "slow.py").write_text(SLOW)
        self.vectors = self.folder / "x.f32"
        numpy.arange(64, dtype="float32").tofile(self.vectors)
        self.shared = set(os.listdir("/dev/shm"))

    def tearDown(self):
        self.assertEqual(set(os.listdir("/dev/shm")) - self.shared, set())

    def begun(self):
        """kakeya-codec, which waits for its host, which encodes."""
        command = [os.path.join(BIN, "kakeya-codec"), "encode", "--plugin", self.folder / "slow.py", "--codec", "slow", "--dim", 16,
                   "--in", self.vectors, "--out", self.folder / "x.kky"]  # fmt: skip
        program = started(command, env={**os.environ, "KAKEYA_PYTHON": sys.executable})
        until(lambda: (self.folder / "begun").exists() or program.poll() is not None)
        return program

    def test_ctrl_c_ends_both(self):
        program = self.begun()
        os.killpg(program.pid, signal.SIGINT)
        self.assertEqual(ended(self, program), (-signal.SIGINT, ""))

    def test_a_host_ends_with_its_program(self):
        for by in (signal.SIGTERM, signal.SIGKILL, signal.SIGHUP):
            program = self.begun()
            program.send_signal(by)
            self.assertEqual(ended(self, program), (-by, ""))
            self.assertFalse((self.folder / "x.kky").exists())
            (self.folder / "begun").unlink()

    def test_a_program_says_how_its_host_ended(self):
        for by in (signal.SIGHUP, signal.SIGKILL):
            program = self.begun()
            os.kill(host_of(program), by)
            code, said = ended(self, program)
            self.assertEqual(code, 1)
            self.assertRegex(said, rf"^kakeya-codec: .*-m kakeya\.host: the host has ended by signal {int(by)}\n$")
            self.assertFalse((self.folder / "x.kky").exists())
            (self.folder / "begun").unlink()

    def test_ctrl_c_is_the_programs_alone(self):
        program = self.begun()
        for asks in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2):  # Slurm tells every process of a step
            os.kill(host_of(program), asks)
        (self.folder / "go").touch()
        self.assertEqual(ended(self, program), (0, ""))
        self.assertTrue((self.folder / "x.kky").exists())


if __name__ == "__main__":
    unittest.main()
