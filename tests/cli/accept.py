#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the black-box acceptance checks that lie beside the checkout (../shared/accept/accept.py) on the built programs.

usage: accept.py BIN codec|hostile|stories|smollm2|tokens|gemma3|gemma3_tokens
Exits 77 (skipped) and says why where the reference material or the model is absent.
"""
import subprocess
import sys

from program_case import ROOT

SKIPPED = 77
SHARED = ROOT.parent / "shared"
SMOLLM2 = ROOT / "models" / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"
GEMMA3 = ROOT / "models" / "gemma3-270m" / "gemma-3-270m-q4_k_m.gguf"
WIKITEXT = SHARED / "text" / "wikitext-2-raw" / "wiki.test.raw"
FETCH = {SMOLLM2: "smollm2-135m", GEMMA3: "gemma3-270m --accept-licence"}
CHECKS = {
    "codec": (SHARED, ["codec", "--data", SHARED / "golden"]),
    "hostile": (SHARED, ["hostile"]),
    "stories": (SHARED, ["nll", "--model", SHARED / "models" / "stories260K" / "stories260K-f32.gguf",
                         "--data", SHARED / "golden" / "stories260K_nll.json", "--tol", "2e-5"]),
    "smollm2": (SMOLLM2, ["nll", "--model", SMOLLM2, "--data", SHARED / "golden" / "smollm2_nll.json", "--tol", "1e-3"]),
    "tokens": (SMOLLM2, ["tokens", "--model", SMOLLM2, "--text", WIKITEXT, "--count", "303415"]),
    "gemma3": (GEMMA3, ["nll", "--model", GEMMA3, "--data", SHARED / "golden" / "gemma3_270m_nll.json", "--tol", "1e-4"]),
    "gemma3_tokens": (GEMMA3, ["tokens", "--model", GEMMA3, "--text", WIKITEXT, "--count", "295215"]),
}


def main():
    programs, what = sys.argv[1:]
    needed, arguments = CHECKS[what]
    script = SHARED / "accept" / "accept.py"
    for path in (script, needed):
        if not path.exists():
            hint = f"; run scripts/fetch_model.sh {FETCH[path]}" if path in FETCH else ""
            print(f"skipped: no {path}{hint}")
            return SKIPPED
    return subprocess.run([sys.executable, script, *arguments, "--bin", programs]).returncode


if __name__ == "__main__":
    sys.exit(main())
