#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/spec.py takes the texts that name codecs apart as the library does, and scripts/check_layers.py finds who else does in C++.

usage: spec.py BIN
"""
import json
import subprocess
import sys

from program_case import ProgramCase, ROOT, command, main, output, scratch_folder, write_floats

sys.path.insert(0, str(ROOT / "scripts"))
from check_layers import cut_specs
from spec import Spec

BROKEN = ("", ":", "e8:", "e8:q", "e8:q=", "e8:=10", "e8:q=10,", "e8:,q=10", "e8:q=10,,rule=published", "e8:q=10,q=10", "e8:q=1=0", "e8 :q=10", "e8:q= 10", "e8:q=10 ",
          "e8:q=10,rule=é", "e8::q=10", ":q=10", "e8;q=10")


def texts(codec):
    """What the library lists of a codec: its example, with its first key too, and with all of its keys, which may not go together."""
    example, values = Spec.parse(codec["example"]), {}
    for key in codec["keys"]:
        values[key["name"]] = str(key["options"][-1] if key.get("options") else key.get("default") or "1")
    for keys in ({}, dict(list(values.items())[:1]), values):
        yield Spec(example.name, {**keys, **example.keys}).text


class Parsing(ProgramCase):
    def said(self, text):
        """What the library makes of a text: its canonical name, and what is wrong with it."""
        done = subprocess.run(command("codec", "roundtrip", "--codec", text, "--in", self.vectors, "--dim", 64, "--json"), capture_output=True, encoding="utf-8")
        return (json.loads(done.stdout)["codec"], "") if done.returncode == 0 else ("", done.stderr)

    def setUp(self):
        self.vectors = scratch_folder(self.addCleanup) / "x.f32"
        write_floats(self.vectors, [(i * 7919 % 200 - 100) / 50 for i in range(64 * 128)])

    def test_what_the_library_takes(self):
        listed, made = json.loads(output("codec", "list", "--json")), 0
        self.assertGreater(len(listed), 15)
        for codec in listed:
            names = {key["name"] for key in codec["keys"]}
            for text in dict.fromkeys(texts(codec)):
                with self.subTest(text=text):
                    spec = Spec.parse(text)
                    self.assertEqual(spec.text, text)
                    self.assertEqual(spec.name, Spec.parse(codec["name"]).name)
                    self.assertLessEqual(spec.keys.keys(), names)
                    canonical, wrong = self.said(text)
                    self.assertNotIn("expected name or name:key=value", wrong)
                    if canonical:  # the same name; keys at their defaults are left out, and others are as they were given
                        made += 1
                        short = Spec.parse(canonical)
                        self.assertEqual((short.name, short.text), (spec.name, canonical))
                        self.assertLessEqual(short.keys.keys(), spec.keys.keys())
        self.assertGreater(made, 25)

    def test_codecs_are_listed_by_name(self):
        everything = json.loads(output("codec", "list", "--json"))
        some = json.loads(output("codec", "list", "klt", "e8", "--json"))
        self.assertEqual([codec["name"] for codec in some], [codec["name"] for codec in everything if codec["name"].startswith("klt")] + ["e8"])
        self.assertIn(output("codec", "list", "tq"), output("codec", "list"))
        self.fails(2, "codec", "list", "e9", names=("list e9: no such codec", "identity, e8, d4", "klt, kvtc"))

    def test_what_the_library_refuses(self):
        for text in BROKEN:
            with self.subTest(text=text):
                with self.assertRaises(ValueError) as refused:
                    Spec.parse(text)
                self.assertIn(str(refused.exception), self.said(text)[1])

    def test_without(self):
        spec = Spec.parse("klt:bits=2,page=128,profile=ab")
        self.assertEqual(spec.without("page", "profile").text, "klt:bits=2")
        self.assertEqual(spec.without("bits").without("page", "profile").text, "klt")
        self.assertEqual(spec.text, "klt:bits=2,page=128,profile=ab")

    def test_who_else_cuts_is_found(self):
        for line in ('at = codec.find(",profile=")', 'codec.rfind(":q=", 3)', 'label.find(\n    ", V ")', 'name.starts_with("K ")', 'text.find(name + ",bits=")', 'std::regex page(",page=[0-9]+");',
                     'std::regex_replace(text, std::regex{"[,:]profile=[^,]*"}, "")', 'label.contains(R"(klt:bits=)")'):
            with self.subTest(line=line):
                self.assertEqual(cut_specs("int x;\n" + line), [2])
        for line in ('spec.find("profile")', 'text.find(\',\')', 'make_codec("klt:bits=3,page=128")', 'throw SpecError(text.substr(0, 3) + ": expected klt:bits=B")', 'find_descriptor(Spec::parse("e8:q=10"))'):
            with self.subTest(line=line):
                self.assertEqual(cut_specs(line), [])


if __name__ == "__main__":
    main()
