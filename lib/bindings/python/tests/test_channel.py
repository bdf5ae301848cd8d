# SPDX-License-Identifier: Apache-2.0
"""The channel of hosts, and what a host says without torch."""
import os
import pathlib
import socket
import struct
import sys
import threading
import unittest
from unittest import mock

import numpy

import kakeya
from kakeya.hosting.channel import Channel, Closed, pair
from kakeya.hosting.serve import Host


class Line(unittest.TestCase):
    def setUp(self):
        ours, theirs, self.memory = pair()
        self.raw = ours.dup()
        self.here, self.there = Channel(ours.detach(), self.memory), Channel(theirs.detach(), self.memory)

    def tearDown(self):
        self.here.close()
        self.there.close()
        self.raw.close()
        os.close(self.memory)

    def test_messages_arrive_whole(self):
        self.here.send({"a": "ü", "b": [1, 2]})
        self.here.send({})
        self.assertEqual(self.there.receive(), {"a": "ü", "b": [1, 2]})
        self.assertEqual(self.there.receive(), {})

    def test_what_is_no_message(self):
        for data, words in ((b"\xff\xff\xff\x7f", "a message of 2147483647 bytes"), (struct.pack("<I", 2) + b"{x", "not JSON"),
                            (struct.pack("<I", 2) + b"[]", "no object")):
            self.raw.sendall(data)
            with self.assertRaisesRegex(kakeya.CorruptStream, words):
                self.there.receive()
        with self.assertRaisesRegex(kakeya.InputError, "expected at most 1048576"):
            self.here.send({"a": "x" * (1 << 20)})

    def test_the_end(self):
        self.raw.shutdown(socket.SHUT_RDWR)
        for use in (self.there.receive, lambda: [self.there.send({}) for _ in range(9)]):
            with self.assertRaises(Closed):
                use()

    def test_arrays_are_shared_and_memory_grows(self):
        first = self.here.put(numpy.arange(10, dtype="float32"))
        held = self.there.array(first, "float32")
        self.assertEqual(held.tolist(), list(range(10)))
        held[3] = 50
        self.assertEqual(self.here.array(first, "float32")[3], 50)
        places = self.there.places(100, 0, 9 << 20)
        self.assertEqual([place[0] % 64 for place in places], [0, 0, 0])
        self.assertEqual(os.fstat(self.memory).st_size, 12 << 20)
        self.there.array(places[2], "uint8")[-1] = 7
        self.assertEqual(self.here.array(places[2], "uint8")[-1], 7)
        self.assertEqual(held[3], 50)  # a view from before still is the memory

    def test_places_that_are_none(self):
        self.here.places(64)
        for place, words in (([0, (4 << 20) + 4], "that has 4194304"), ([0, 6], "a multiple of 4"), ([-4, 8], "expected .offset, bytes."),
                             ("x", "expected .offset, bytes.")):
            with self.assertRaisesRegex(kakeya.CorruptStream, words):
                self.there.array(place, "float32")

    def test_requests_within_a_call(self):
        """As of a tap whose codec is in Python: its arrays lie behind those of the call."""
        seen = []

        def reply(request):
            seen.append(request)
            return {"at": self.there.put(2 * self.there.array(request["at"], "float32"))}

        self.there.reply = reply
        place = self.there.put(numpy.ones(20, "float32"))
        answers = []
        caller = threading.Thread(target=lambda: answers.append(self.there.call({"visit": [0, "key"], "at": place})))
        caller.start()
        call = self.here.receive()
        request = [call["at"][0] + 512, 80]
        self.here.array(request, "float32")[:] = 5
        self.here.send({"do": "codec_encode", "at": request, "free": request[0] + 128})
        back = self.here.receive()["at"]
        self.assertGreaterEqual(back[0], request[0] + request[1])
        self.assertEqual(self.here.array(back, "float32").tolist(), [10.0] * 20)
        self.assertEqual(self.here.array(call["at"], "float32").tolist(), [1.0] * 20)
        self.here.send({"fine": 1})
        caller.join(10)
        self.assertEqual((answers, len(seen)), ([{"fine": 1}], 1))
        self.assertEqual(self.there.places(4), [[0, 4]])


class Replies(unittest.TestCase):
    def setUp(self):
        ours, theirs, self.memory = pair()
        self.line, host = Channel(ours.detach(), self.memory), Host(Channel(theirs.detach(), self.memory))
        self.thread = threading.Thread(target=lambda: (host.serve(), host.close()), daemon=True)
        self.thread.start()

    def tearDown(self):
        self.line.close()
        self.thread.join(10)
        self.assertFalse(self.thread.is_alive(), "the host did not end with its program")
        os.close(self.memory)

    def ask(self, **request):
        self.line.send(request)
        return self.line.receive()

    def test_hello(self):
        told = self.ask(do="hello", protocol=1)
        self.assertEqual(told["protocol"], 1)
        self.assertTrue(told["host"].startswith(f"kakeya.host {kakeya.__version__}, "))
        self.assertEqual(self.ask(do="hello", protocol=2), {"error": "InputError", "text": "protocol 2: expected 1"})

    def test_errors_by_name(self):
        reply = self.ask(do="dance")
        self.assertEqual(reply["error"], "InputError")
        self.assertIn("request 'dance': not known to kakeya.host", reply["text"])
        self.assertIn("no such model is open", self.ask(do="rope_frequencies", handle=3, layer=0)["text"])
        self.assertIn("m: its tokenizer was not asked for", self.ask(do="encode", model="m", special=True, at=[0, 0])["text"])
        self.assertEqual(self.ask(do="hello", protocol=1)["protocol"], 1)

    def test_codecs_of_a_plugin(self):
        example = pathlib.Path(__file__).resolve().parents[1] / "examples" / "int4_groups.py"
        (told,) = self.ask(do="plugin", file=str(example))["codecs"]
        opened = self.ask(do="codec", spec=told["name"], dim=64, site=None)
        x = numpy.random.default_rng(1).standard_normal((50, 64)).astype("float32")
        written = self.ask(do="codec_encode", handle=opened["handle"], count=50, at=self.line.put(x))["at"]
        self.assertLessEqual(written[1], 50 * opened["bound_vector"] + opened["bound_frame"])
        data = self.line.array(written, "uint8").copy()
        back = self.ask(do="codec_decode", handle=opened["handle"], count=50, at=self.line.put(data))["at"]
        error = self.line.array(back, "float32").reshape(50, 64) - x
        self.assertTrue(0 < float((error**2).mean()) < 0.05)
        self.assertEqual(self.ask(do="codec_close", handle=opened["handle"]), {})
        for do in ("codec_close", "codec_decode"):
            self.assertIn(f"codec {opened['handle']}: not open", self.ask(do=do, handle=opened["handle"], count=50, at=written)["text"])
        self.assertEqual(self.ask(do="codec", spec="nobodys", dim=64, site=None)["error"], "SpecError")

    def test_models_without_torch(self):
        with mock.patch.dict(sys.modules, {"torch": None}):
            sys.modules.pop("kakeya.hosting.adapter", None)
            sys.modules.pop("kakeya.hosting.load", None)
            for do in ("open", "tokenizer"):
                reply = self.ask(do=do, model="m", device="cpu", dtype="fp32")
                self.assertEqual(reply["error"], "InputError")
                self.assertIn("needs torch and transformers 5.x", reply["text"])


if __name__ == "__main__":
    unittest.main()
