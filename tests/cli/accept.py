#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the black-box acceptance checks that lie beside the checkout (../shared/accept/accept.py) on the built programs.

usage: accept.py BIN codec|hostile|stories|smollm2|tokens
Exits 77 (skipped) and says why where the reference material or the model is absent.
"""
import pathlib
import subprocess
import sys

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
SMOLLM2 = ROOT / "models" / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"
CHECKS = {
    "codec": (SHARED, ["codec", "--data", SHARED / "golden"]),
    "hostile": (SHARED, ["hostile"]),
    "stories": (SHARED, ["nll", "--model", SHARED / "models" / "stories260K" / "stories260K-f32.gguf",
                         "--data", SHARED / "golden" / "stories260K_nll.json", "--tol", "2e-5"]),
    "smollm2": (SMOLLM2, ["nll", "--model", SMOLLM2, "--data", SHARED / "golden" / "smollm2_nll.json", "--tol", "1e-3"]),
    "tokens": (SMOLLM2, ["tokens", "--model", SMOLLM2, "--text", SHARED / "text" / "wikitext-2-raw" / "wiki.test.raw",
                         "--count", "303415"]),
}


def main():
    programs, what = sys.argv[1:]
    needed, arguments = CHECKS[what]
    script = SHARED / "accept" / "accept.py"
    for path in (script, needed):
        if not path.exists():
            hint = "; run scripts/fetch_model.sh smollm2-135m" if path == SMOLLM2 else ""
            print(f"skipped: no {path}{hint}")
            return SKIPPED
    return subprocess.run([sys.executable, script, *arguments, "--bin", programs]).returncode


if __name__ == "__main__":
    sys.exit(main())
