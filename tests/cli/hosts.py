#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models of a host in the programs: --model transformers:NAME, with a small host of this file in place of kakeya.host.

usage: hosts.py BIN [unittest arguments]
"""
import json
import os
import pathlib
import socket
import struct
import sys

import program_case
from program_case import TEXT, ProgramCase, document, scratch_folder

MODEL = "transformers:org/name"


def serve(line, memory):
    """A tokenizer whose ids are bytes, and a model that cannot be opened. What it is asked for is kept in $ASKED."""

    def receive():
        head = line.recv(4, socket.MSG_WAITALL)
        if not head:
            sys.exit(0)
        return json.loads(line.recv(struct.unpack("<I", head)[0], socket.MSG_WAITALL))

    def send(**message):
        data = json.dumps(message).encode()
        line.sendall(struct.pack("<I", len(data)) + data)

    while True:
        asked = receive()
        with open(os.environ["ASKED"], "a", encoding="utf-8") as log:
            log.write(json.dumps(asked) + "\n")
        if asked["do"] == "hello":
            send(protocol=1, host="a host of the tests")
        elif asked["do"] == "tokenizer":
            send(vocab=256, describe="bytes", sha256="5" * 64, ends=[])
        elif asked["do"] == "encode":
            text = os.pread(memory, asked["at"][1], asked["at"][0])
            ids = struct.pack(f"<{len(text)}i", *text)
            os.ftruncate(memory, 4 << 20)
            os.pwrite(memory, ids, 64)
            send(at=[64, len(ids)])
        else:
            send(error="InputError", text=f"{asked['do']}: {asked.get('model')} cannot be had")


class Hosts(ProgramCase):
    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)
        python = self.folder / "python"
        python.write_text(f'#!/bin/sh\nexec {sys.executable} {pathlib.Path(__file__).resolve()} --serve "$@"\n')
        python.chmod(0o755)
        self.log = self.folder / "asked"
        for name, value in (("KAKEYA_PYTHON", python), ("ASKED", self.log)):
            os.environ[name] = str(value)
            self.addCleanup(os.environ.pop, name)

    def asked(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def test_a_text_is_tokenized_there(self):
        text = self.folder / "t.txt"
        text.write_bytes("ä b".encode())
        told = document("perplexity", "--model", MODEL, "--text", text, "--tokenize", "--per-token")
        self.assertEqual(told, {"tokens": 4, "tokenizer": "bytes", "ids": list("ä b".encode())})
        self.assertEqual([(one["do"], one.get("model")) for one in self.asked()], [("hello", None), ("tokenizer", "org/name"), ("encode", "org/name")])

    def test_every_program_asks_its_host_for_the_model(self):
        out, text = self.folder / "out", TEXT / "01-tides.txt"
        cut = ("--text", text, "--passages", "1", "--ctx", "64", "--out", out)
        said = ("open: org/name cannot be had",)
        self.fails(1, "sweep", "--model", MODEL, *cut, "--codec", "fp8", "--eval", "8", "--dtype", "bf16", "--device", "cuda:3", "--threads", "2", names=said)
        opened = self.asked()[-1]
        self.assertEqual((opened["dtype"], opened["device"], opened["threads"], opened["attention"]), ("bf16", "cuda:3", 2, "plain"))
        self.fails(2, "sweep", "--model", MODEL, *cut, "--codec", "fp8", "--eval", "8", "--batch-invariant", names=("batch-invariant: ", "runs in a host, which sums in an order of its own"))
        self.fails(1, "capture", "--model", MODEL, *cut, names=said)
        self.fails(1, "calibrate", "--model", MODEL, *cut, names=said)
        self.fails(1, "perplexity", "--model", MODEL, "--text", text, names=said)
        self.fails(1, "perplexity", "--model", MODEL, "--text", text, "--codec", "fp8", names=said)
        self.fails(1, "generate", "--model", MODEL, "--prompt", "a", names=said)
        self.fails(1, "needle", "--model", MODEL, "--plain", "--text", text, "--out", out, names=("org/name cannot be had",))
        self.assertFalse(out.exists())

    def test_what_cannot_be_is_refused_before_a_host_is_needed(self):
        sweep = ("sweep", "--text", TEXT, "--codec", "fp8", "--out", self.folder / "out", "--model")
        self.fails(2, *sweep, "transformers:", names=("transformers:: expected transformers:FOLDER or transformers:NAME",))
        for device in ("cpu", "cuda"):
            self.fails(2, *sweep, MODEL, "--device", device, "--codec-device", "cuda",
                       names=(f"codec-device cuda: codecs of {MODEL}, which runs in a host, work on the CPU: expected cpu",))
        sums = ("--packed-sums", "--codec", "e8:q=10", "--model", MODEL)
        for given in (("generate", "--prompt", "a"), ("bench", "generate", "--text", TEXT / "01-tides.txt")):
            self.fails(2, *given, *sums, names=(f"sums of packed values: given with {MODEL}, which runs in a host",))
        self.assertFalse(self.log.exists())
        self.fails(1, "needle", "--model", MODEL, "--text", TEXT / "01-tides.txt", "--out", self.folder / "out",
                   names=(f"{MODEL}: chat templates of models in a host are not read",))

    def test_a_host_that_is_not_there_is_one_line(self):
        given = ("perplexity", "--model", MODEL, "--text", TEXT / "01-tides.txt", "--tokenize")
        os.environ["KAKEYA_PYTHON"] = "/no/such/python"
        self.fails(1, *given, names=("/no/such/python: cannot be started: No such file", "KAKEYA_PYTHON"))
        os.environ["KAKEYA_PYTHON"] = "false"
        self.fails(1, *given, names=("false -m kakeya.host: the host has ended with exit status 1", "transformers and torch"))
        os.environ["KAKEYA_HOST"] = "3"
        self.addCleanup(os.environ.pop, "KAKEYA_HOST")
        self.fails(2, *given, names=("KAKEYA_HOST 3: expected SOCKET,MEMORY",))

    def test_our_own_models_need_none(self):
        told = document("perplexity", "--model", "nano", "--text", TEXT / "01-tides.txt", "--tokenize")
        self.assertGreater(told["tokens"], 1000)
        self.assertFalse(self.log.exists())


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        assert sys.argv[2:4] == ["-m", "kakeya.host"], sys.argv
        serve(socket.socket(fileno=int(sys.argv[4])), int(sys.argv[5]))
    program_case.main()
