#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/check_headers.py finds headers that do not compile alone, whatever it precompiles for those beside them.

usage: headers.py COMPILER
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMPILER = None

# Enough of these that <map> and <vector> are precompiled for them; of the last ones each is wrong in its own way.
WHOLE = {f"whole_{i}.h": f"#include <map>\n#include <vector>\ninline std::map<int, std::vector<int>> whole_{i}() {{ return {{}}; }}\n" for i in range(4)}
FORGETFUL = {
    "no_include.h": "inline std::vector<int> none() { return {}; }\n",
    "other_include.h": '#include <map>\n#include "kakeya/small.h"\ninline std::vector<int> other() { return {}; }\n',
    "not_our_own.h": "#include <vector>\ninline std::vector<Small> ours() { return {}; }\n",
    "behind_another.h": '#include "kakeya/by_ours.h"\ninline std::set<int> behind() { return {}; }\n',
    "by_condition.h": "#include <map>\n#ifdef NEVER\n#include <vector>\n#endif\ninline std::vector<int> never() { return {}; }\n",
    "warned_of.h": "#include <map>\n#include <vector>\ninline int warned(int unused) { return 0; }\n",
}
SMALL = {"small.h": "struct Small {};\n", "by_ours.h": '#include "kakeya/whole_0.h"\ninline std::vector<int> by_ours() { return {}; }\n'}


class Headers(unittest.TestCase):
    def checked(self, headers):
        with tempfile.TemporaryDirectory() as folder:
            rooms = pathlib.Path(folder, "lib", "kakeya")
            rooms.mkdir(parents=True)
            for name, text in headers.items():
                (rooms / name).write_text("#pragma once\n" + text)
            return subprocess.run([sys.executable, ROOT / "scripts/check_headers.py", COMPILER, rooms.parent], capture_output=True, text=True)

    def test_whole_ones_pass(self):
        done = self.checked(WHOLE | SMALL)
        self.assertEqual((done.returncode, done.stdout), (0, "6 headers, 0 failed\n"), done.stderr)

    def test_each_forgetful_one_is_named(self):
        done = self.checked(WHOLE | SMALL | FORGETFUL)
        self.assertEqual(done.returncode, 1)
        self.assertIn("12 headers, 6 failed", done.stdout)
        for name in FORGETFUL:
            self.assertIn(f"lib/kakeya/{name} does not compile alone", done.stdout)

    def test_none_is_an_error(self):
        self.assertEqual(self.checked({}).returncode, 1)


if __name__ == "__main__":
    COMPILER = sys.argv.pop(1)
    unittest.main()
