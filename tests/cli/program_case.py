# SPDX-License-Identifier: Apache-2.0
"""Running the built programs, and what every test of them expects: of a success its output, of an error one line.

A script that drives programs calls main() with their folder as the first word of its command line.
"""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECTED = pathlib.Path(__file__).resolve().parent / "expected"
TEXT = ROOT / "data" / "text"
WRITTEN = ("payload_bits", "scale_bits", "header_bits", "table_bits", "padding_bits", "exact_token_bits")  # of a ledger
BIN = None


def command(program, *arguments):
    return [BIN / f"kakeya-{program}", *map(str, arguments)]


def run(program, *arguments, timeout=600, cwd=ROOT, **environment):
    """Output is decoded strictly: a program that writes anything but UTF-8 is an error of the test."""
    return subprocess.run(command(program, *arguments), capture_output=True, encoding="utf-8", timeout=timeout,
                          stdin=subprocess.DEVNULL, cwd=cwd, env={**os.environ, **environment})


def described(done):
    return f"{' '.join(map(str, done.args))}: exit {done.returncode}: {done.stderr!r}"


def output(program, *arguments, **how):
    """What the program printed; it must succeed."""
    done = run(program, *arguments, **how)
    if done.returncode != 0:
        raise AssertionError(described(done))
    return done.stdout


def document(program, *arguments):
    """The JSON document, which must be all that is printed: without a terminal there is no progress on stderr either."""
    done = run(program, *arguments, "--json")
    if done.returncode != 0 or done.stderr:
        raise AssertionError(described(done))
    return json.loads(done.stdout)


def json_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def scratch_folder(add_cleanup):
    """A new folder, removed by the cleanups of a test (addCleanup) or of a class (addClassCleanup)."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kakeya-cli-"))
    add_cleanup(shutil.rmtree, folder, ignore_errors=True)
    return folder


def halves_of_texts(folder):
    """Two folders, each with every other shipped text: one to calibrate on, one to measure on."""
    halves = folder / "in", folder / "out"
    for half in halves:
        half.mkdir()
    for i, text in enumerate(sorted(TEXT.glob("*.txt"))):
        shutil.copy(text, halves[i % 2])
    return halves


def shallow_nano(folder, layers):
    """A folder with the first LAYERS layers of the shipped model: a model for what takes its time layer by layer, not for losses."""
    nano, made = ROOT / "data" / "models" / "nano", folder / f"nano-{layers}"
    shutil.copytree(nano, made)
    config = json.loads((nano / "config.json").read_text())
    (made / "config.json").write_text(json.dumps(config | {"num_hidden_layers": layers}))
    stored = (nano / "model.safetensors").read_bytes()
    length, = struct.unpack_from("<Q", stored)
    tensors, data = json.loads(stored[8:8 + length]), b""
    kept = {"__metadata__": tensors.pop("__metadata__", {})}
    for name, tensor in tensors.items():
        if not name.startswith("model.layers.") or int(name.split(".")[2]) < layers:
            begin, end = tensor["data_offsets"]
            kept[name] = tensor | {"data_offsets": [len(data), len(data) + end - begin]}
            data += stored[8 + length + begin:8 + length + end]
    header = json.dumps(kept).encode()
    header += b" " * (-len(header) % 8)
    (made / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + data)
    return made


def write_floats(path, values):
    path.write_bytes(struct.pack(f"<{len(values)}f", *values))


def scattered(count):
    """Values in [-2, 2) without a pattern, the same everywhere."""
    return [((i * 2654435761) % 1000 - 500) / 250 for i in range(count)]


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def without_windows(flat):
    """The bytes of a flat profile (profile_file.h) as they were before profiles knew windows of their tokens."""
    version, = struct.unpack_from("<H", flat, 4)
    passages, context = struct.unpack_from("<II", flat, 28)
    body = bytearray(flat[:-4 - 8 * passages * (context // 32)])
    assert version == 2
    struct.pack_into("<H", body, 4, 1)
    struct.pack_into("<Q", body, 8, len(body) + 4)
    return bytes(body) + struct.pack("<I", crc32c(body))


class ProgramCase(unittest.TestCase):
    maxDiff = None

    def check_failure(self, done, code, speaker, names=(), stdout=None):
        """Exit code; exactly one line on stderr: printable, short, begun by who speaks, with the words it must contain; on stdout
        nothing, or what matches a pattern."""
        what = described(done)
        self.assertEqual(done.returncode, code, what)
        self.assertTrue(done.stderr.endswith("\n"), what)
        line = done.stderr[:-1]
        self.assertTrue(line.isprintable(), what)
        self.assertLess(len(line.encode()), 600, what)
        self.assertTrue(line.startswith(f"{speaker}: "), what)
        for name in names:
            self.assertIn(name, line)
        if stdout is None:
            self.assertEqual(done.stdout, "", what)
        else:
            self.assertRegex(done.stdout, stdout)

    def fails(self, code, program, *arguments, names=(), stdout=None, **how):
        self.check_failure(run(program, *arguments, **how), code, f"kakeya-{program}", names, stdout)

    def check_recorded_words(self, text, name):
        """Word by word: how options are set in columns is the option parser's, and differs between its versions."""
        recorded = EXPECTED / name
        if os.environ.get("KAKEYA_REGENERATE"):
            recorded.parent.mkdir(exist_ok=True)
            recorded.write_text(text)
        self.assertEqual(text.lower().split(), recorded.read_text().lower().split(), f"{name} changed: KAKEYA_REGENERATE=1 records it")


def take_bin():
    global BIN
    BIN = pathlib.Path(sys.argv.pop(1)).resolve()


def main():
    take_bin()
    unittest.main(verbosity=2)
